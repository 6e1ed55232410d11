//! Circuits under what the path condition says, and the second solver for hard queries: the same answers as without,
//! and as trying all values; over several queries to one backend, as along a path.

use effigy_solver::{
    Answer, Backend, LayerKind, LayerSet, PathCondition, Query, QueryBudget, Solver, SolverConfig, chain,
};
use effigy_term::eval::Evaluator;
use effigy_term::{BvOp, BvValue, Model, Sort, Term, Terms, Value, Width};
use proptest::prelude::*;

const STEPS: u64 = 20_000_000;

const OPS: [BvOp; 9] =
    [BvOp::Mul, BvOp::UDiv, BvOp::URem, BvOp::SDiv, BvOp::SRem, BvOp::And, BvOp::Xor, BvOp::Shl, BvOp::AShr];

/// A backend alone, so that nothing else answers.
fn backend(layers: LayerSet, patience: u64) -> Box<dyn Solver> {
    let layers = layers.with(LayerKind::Validate);
    chain(&SolverConfig { backend: Backend::Bits, layers, patience, ..SolverConfig::default() })
}

/// Two symbols of 5 bits, and words made of them at 5 and at 12 bits.
struct Words<'a> {
    terms: &'a Terms,
    of: [Vec<Term>; 2],
}

const WIDTHS: [u32; 2] = [5, 12];

impl<'a> Words<'a> {
    fn new(terms: &'a Terms) -> Words<'a> {
        let [narrow, wide] = WIDTHS.map(Width::of);
        let of: Vec<Term> = ["x", "y"].iter().map(|it| terms.input(it, Sort::BitVec(narrow))).collect();
        let extended = of.iter().map(|&it| terms.bv_sign_extend(wide, it)).collect();
        Words { terms, of: [of, extended] }
    }

    fn pick(&self, wide: usize, at: u8) -> Term {
        self.of[wide][at as usize % self.of[wide].len()]
    }

    /// One more word, from four bytes.
    fn grow(&mut self, [kind, which, left, right]: [u8; 4]) {
        let (terms, wide) = (self.terms, usize::from(which & 1 == 1));
        let (a, b) = (self.pick(wide, left), self.pick(wide, right));
        let constant = terms.bv_u64(Width::of(WIDTHS[wide]), u64::from(right) % 40);
        let word = match kind % 16 {
            it @ 0..=8 if which & 2 == 0 => terms.bv_op(OPS[it as usize], a, b),
            it @ 0..=8 => terms.bv_op(OPS[it as usize], a, constant),
            9 | 10 => terms.bv_add(a, b),
            11 => terms.bv_add(terms.bv_mul(a, constant), b),
            12 => terms.ite(terms.bv_slt(a, b), a, b),
            13 | 14 => self.read_table(wide, which, left, right),
            _ => {
                let wider = terms.bv_sign_extend(Width::of(WIDTHS[1]), self.pick(0, left));
                self.of[1].push(wider);
                return;
            }
        };
        self.of[wide].push(word);
    }

    /// An element of a table with some elements of its own at constant places, the last of them perhaps at a place that
    /// is not known.
    fn read_table(&self, wide: usize, which: u8, left: u8, right: u8) -> Term {
        let terms = self.terms;
        let (index, element) = (Width::of(WIDTHS[0]), Width::of(WIDTHS[wide]));
        let sorts = terms.array_sort(Sort::BitVec(index), Sort::BitVec(element));
        let mut table = terms.const_array(sorts, self.pick(wide, right));
        for at in 0..which % 8 {
            let place = terms.bv_u64(index, u64::from(at.wrapping_mul(left)) % 32);
            table = terms.store(table, place, terms.bv_u64(element, u64::from(at ^ right)));
        }
        if which & 8 == 8 {
            table = terms.store(table, self.pick(0, right), self.pick(wide, left));
        }
        terms.select(table, self.pick(0, left))
    }

    /// A condition, mostly a bound.
    fn cond(&self, [kind, which, left, right]: [u8; 4]) -> Term {
        let (terms, wide) = (self.terms, usize::from(which & 1 == 1));
        let (a, b) = (self.pick(wide, left), self.pick(wide, right));
        let constant = terms.bv_u64(Width::of(WIDTHS[wide]), u64::from(right) % 40);
        match kind % 7 {
            0 => terms.bv_ult(a, constant),
            1 => terms.bv_slt(constant, a),
            2 => terms.bv_slt(a, constant),
            3 => terms.not(terms.bv_ult(a, constant)),
            4 => terms.eq(a, constant),
            5 => terms.bv_slt(a, b),
            _ => terms.ne(a, b),
        }
    }
}

/// The conditions of a path, one after the other.
fn conditions(terms: &Terms, steps: &[([u8; 4], bool)]) -> Vec<Term> {
    let mut words = Words::new(terms);
    let mut res = Vec::new();
    for &(bytes, is_cond) in steps {
        if is_cond {
            res.push(words.cond(bytes));
        } else {
            words.grow(bytes);
        }
    }
    res
}

fn satisfiable_by_trying(terms: &Terms, conds: &[Term]) -> bool {
    let all = terms.and_all(conds.to_vec());
    let symbols: Vec<_> = terms.symbols(all).to_vec();
    (0..1u64 << (5 * symbols.len())).any(|values| {
        let mut model = Model::new();
        for (at, &symbol) in symbols.iter().enumerate() {
            model.set(symbol, Value::BitVec(BvValue::from_u64(Width::of(WIDTHS[0]), values >> (5 * at))));
        }
        Evaluator::new(terms, &model).truth(all) == Some(true)
    })
}

fn ask(solver: &mut dyn Solver, terms: &Terms, path: &PathCondition, goal: Term) -> Option<bool> {
    let budget = QueryBudget { steps: Some(STEPS), time: None };
    match solver.check(terms, &Query { path, only: None, goal, witness: None, tried: false, budget }) {
        Answer::Sat(_) => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(reason) => panic!(
            "{reason}: {} under {:?}",
            effigy_term::print::math(terms, goal),
            path.conjuncts().iter().map(|it| effigy_term::print::math(terms, *it)).collect::<Vec<_>>()
        ),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_along_a_path_are_those_of_trying_all(steps in prop::collection::vec((any::<[u8; 4]>(), any::<bool>()), 2..24)) {
        let terms = Terms::new();
        let conds = conditions(&terms, &steps);
        let both = LayerSet::NONE.with(LayerKind::Narrowing).with(LayerKind::Escalation);
        let mut solvers = [
            backend(LayerSet::NONE.with(LayerKind::Narrowing), 500),
            backend(LayerSet::NONE.with(LayerKind::Escalation), 0),
            backend(both, 1),
        ];
        let mut path = PathCondition::new();
        for (at, &cond) in conds.iter().enumerate() {
            let mut so_far = conds[..at].to_vec();
            // The path goes on where it can.
            so_far.retain(|it| path.contains(&terms, *it) || terms.as_bool(*it) == Some(true));
            so_far.push(cond);
            let expected = satisfiable_by_trying(&terms, &[path.conjuncts(), vec![cond]].concat());
            for solver in &mut solvers {
                prop_assert_eq!(ask(&mut **solver, &terms, &path, cond), Some(expected), "{} under {:?}",
                    effigy_term::print::math(&terms, cond),
                    path.conjuncts().iter().map(|it| effigy_term::print::math(&terms, *it)).collect::<Vec<_>>());
            }
            if expected {
                path.assume(&terms, cond);
            }
        }
    }

    /// Elements of unknown arrays are related over all queries: their indices are not narrowed, but what is made of
    /// the elements is.
    #[test]
    fn arrays_are_the_same_narrowed_or_not(
        steps in prop::collection::vec((any::<[u8; 4]>(), any::<bool>()), 2..16),
        reads in prop::collection::vec(any::<[u8; 4]>(), 1..5),
    ) {
        let terms = Terms::new();
        let sort = Sort::BitVec(Width::of(WIDTHS[0]));
        let array = terms.input("a", terms.array_sort(sort, sort));
        let mut words = Words::new(&terms);
        let mut conds = Vec::new();
        for (bytes, is_cond) in &steps {
            words.grow(*bytes);
            if *is_cond {
                conds.push(words.cond(*bytes));
            }
        }
        for read in &reads {
            let element = terms.select(array, words.pick(0, read[0]));
            conds.push(terms.bv_slt(element, words.pick(0, read[1])));
            conds.push(terms.bv_ult(terms.bv_op(BvOp::Mul, element, words.pick(0, read[2])), words.pick(0, read[3])));
        }
        let mut narrow = backend(LayerSet::NONE.with(LayerKind::Narrowing), 500);
        let mut plain = backend(LayerSet::NONE, 500);
        let mut path = PathCondition::new();
        for cond in conds {
            let expected = ask(&mut *plain, &terms, &path, cond);
            prop_assert_eq!(ask(&mut *narrow, &terms, &path, cond), expected);
            if expected == Some(true) {
                path.assume(&terms, cond);
            }
        }
    }
}
