//! What is left is satisfiable where what was there is, and each model of it becomes one of that; by trying all values.

use super::{PreprocessedQuery, inverse, preprocess};
use crate::backends::bits::sat::Watch;
use effigy_term::eval::Evaluator;
use effigy_term::{BvOp, BvValue, Model, Sort, Symbol, Term, Terms, Value, Width};
use proptest::prelude::*;

const BITS: u32 = 3;
const NAMES: [&str; 3] = ["x", "y", "z"];
const OPS: [BvOp; 6] = [BvOp::Xor, BvOp::Mul, BvOp::And, BvOp::UDiv, BvOp::Shl, BvOp::Xor];

/// Words of 3 and of 6 bits, and conditions on them.
struct Words<'a> {
    terms: &'a Terms,
    of: [Vec<Term>; 2],
    conds: Vec<Term>,
}

impl Words<'_> {
    fn grow(&mut self, [kind, which, left, right]: [u8; 4]) {
        let (terms, wide) = (self.terms, usize::from(which & 1 == 1));
        let width = Width::of(BITS * (1 + wide as u32));
        let pick = |at: u8| self.of[wide][at as usize % self.of[wide].len()];
        let (a, b, constant) = (pick(left), pick(right), terms.bv_u64(width, u64::from(right >> 2)));
        let narrow = |at: u8| self.of[0][at as usize % self.of[0].len()];
        match kind % 16 {
            0 | 1 => self.of[wide].push(terms.bv_op(OPS[which as usize / 2 % OPS.len()], a, b)),
            2 => self.of[wide].push(terms.bv_add(terms.bv_mul(a, constant), b)),
            3 => self.of[wide].push(terms.bv_add(a, constant)),
            4 => self.of[wide].push(terms.bv_not(a)),
            5 => self.of[1].push(terms.bv_concat(narrow(left), narrow(right))),
            6 => self.of[1].push(terms.bv_sign_extend(Width::of(2 * BITS), narrow(left))),
            7 => self.of[1].push(terms.bv_zero_extend(Width::of(2 * BITS), narrow(left))),
            8 => self.of[wide].push(terms.ite(self.cond(right), a, b)),
            9 | 10 => self.conds.push(terms.eq(a, constant)),
            11 | 12 => self.conds.push(terms.eq(a, b)),
            13 => self.conds.push(terms.bv_ult(a, b)),
            14 => self.conds.push(terms.or(self.cond(left), self.cond(right))),
            _ => self.conds.push(terms.not(self.cond(left))),
        }
    }

    fn cond(&self, at: u8) -> Term {
        match self.conds.len() {
            0 => self.terms.input("p", Sort::Bool),
            count => self.conds[at as usize % count],
        }
    }
}

fn models(terms: &Terms) -> Vec<Model> {
    let symbol = |it: Term| terms.symbols(it)[0];
    let words: Vec<Symbol> = NAMES.iter().map(|it| symbol(terms.input(it, Sort::BitVec(Width::of(BITS))))).collect();
    let truth = symbol(terms.input("p", Sort::Bool));
    let model = |code: u64| {
        let mut model = Model::new();
        for (at, &symbol) in words.iter().enumerate() {
            model.set(symbol, Value::BitVec(BvValue::from_u64(Width::of(BITS), code >> (BITS as usize * at))));
        }
        model.set(truth, Value::Bool(code >> (BITS as usize * words.len()) & 1 == 1));
        model
    };
    (0..1 << (BITS as usize * NAMES.len() + 1)).map(model).collect()
}

fn holds(terms: &Terms, model: &Model, roots: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(terms, model);
    roots.iter().all(|&it| evaluator.truth(it) == Some(true))
}

fn preprocessed(terms: &Terms, roots: &[Term]) -> Option<PreprocessedQuery> {
    preprocess(terms, roots, &Watch { deadline: None, interrupt: std::sync::Arc::default() })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(800), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_left_says_the_same(steps in prop::collection::vec(any::<[u8; 4]>(), 2..24)) {
        let terms = Terms::new();
        let words = NAMES.map(|it| terms.input(it, Sort::BitVec(Width::of(BITS))));
        let wide = words.map(|it| terms.bv_zero_extend(Width::of(2 * BITS), it));
        let mut words = Words { terms: &terms, of: [words.to_vec(), wide.to_vec()], conds: Vec::new() };
        steps.iter().for_each(|it| words.grow(*it));
        let roots = words.conds.clone();
        let Some(after) = preprocessed(&terms, &roots) else { return Ok(()) };
        let mut satisfiable = [false; 2];
        for model in models(&terms) {
            satisfiable[0] |= holds(&terms, &model, &roots);
            if holds(&terms, &model, &after.roots) {
                satisfiable[1] = true;
                let whole = after.complete(&terms, model);
                prop_assert!(holds(&terms, &whole, &roots), "{:?} of {:?}",
                    after.roots.iter().map(|it| effigy_term::print::math(&terms, *it)).collect::<Vec<_>>(),
                    roots.iter().map(|it| effigy_term::print::math(&terms, *it)).collect::<Vec<_>>());
            }
        }
        prop_assert_eq!(satisfiable[0], satisfiable[1]);
        for (symbol, _) in &after.replaced {
            prop_assert!(after.roots.iter().all(|it| !terms.symbols(*it).contains(symbol)), "it is gone");
        }
    }
}

#[test]
fn an_odd_number_times_its_inverse_is_one() {
    for bits in [1, 2, 3, 7, 8, 33, 64] {
        let width = Width::of(bits);
        for odd in (1..400).step_by(2).map(|it| BvValue::from_u64(width, it)) {
            assert!(odd.mul(&inverse(&odd)).is_one(), "{odd:?}");
        }
    }
}

/// Each line: conjuncts, and how many symbols are left of three.
#[test]
fn equations_are_solved() {
    let terms = &Terms::new();
    let [x, y, z] = NAMES.map(|it| terms.input(it, Sort::BitVec(Width::of(8))));
    let constant = |it: u64| terms.bv_u64(Width::of(8), it);
    let wide = Width::of(16);
    let cases: Vec<(&str, Vec<Term>, usize)> = vec![
        ("an odd factor", vec![terms.eq(terms.bv_mul(x, constant(7)), y), terms.bv_ult(y, z)], 2),
        ("an even factor stays", vec![terms.eq(terms.bv_mul(x, constant(6)), y), terms.bv_ult(x, z)], 2),
        ("a sum", vec![terms.eq(terms.bv_add(terms.bv_mul(x, constant(3)), y), z), terms.bv_ult(y, z)], 2),
        ("a concatenation", vec![terms.eq(terms.bv_concat(x, y), terms.bv_u64(wide, 0x1234))], 0),
        (
            "an extension",
            vec![terms.eq(
                terms.bv_add(terms.bv_sign_extend(wide, x), terms.bv_zero_extend(wide, y)),
                terms.bv_sign_extend(wide, z),
            )],
            2,
        ),
        (
            "a chain",
            vec![terms.eq(x, terms.bv_add(y, constant(1))), terms.eq(y, terms.bv_not(z)), terms.bv_ult(x, z)],
            1,
        ),
        ("itself stays", vec![terms.eq(x, terms.bv_op(BvOp::Mul, x, y))], 2),
    ];
    for (what, roots, left) in cases {
        let after = preprocessed(terms, &roots);
        let roots = after.map_or(roots, |it| it.roots);
        assert_eq!(terms.symbols(terms.and_all(roots)).len(), left, "{what}");
    }
}

#[test]
fn what_is_said_once_is_known_elsewhere() {
    let terms = &Terms::new();
    let [x, y, z] = NAMES.map(|it| terms.input(it, Sort::BitVec(Width::of(8))));
    let (p, q) = (terms.bv_ult(terms.bv_op(BvOp::Mul, x, y), z), terms.bv_ult(y, x));
    let after =
        preprocessed(terms, &[terms.or(p, q), terms.not(q), terms.ne(terms.ite(q, x, y), z)]).expect("it is simpler");
    assert!(after.roots.contains(&p) && after.roots.contains(&terms.not(q)) && after.roots.contains(&terms.ne(y, z)));
    assert_eq!(after.roots.len(), 3);
}
