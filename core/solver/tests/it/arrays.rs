//! Arrays by what a model gets wrong of them: the same answers as trying all, over several queries to one
//! backend, as along a path; and many reads of one array, which pair by pair are too many.

use effigy_solver::{
    Answer, Backend, LayerKind, LayerSet, PathCondition, Query, QueryBudget, Solver, SolverConfig, chain,
};
use effigy_term::eval::Evaluator;
use effigy_term::value::ArrayValue;
use effigy_term::{BvValue, Model, Sort, Term, Terms, Value, Width};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A backend alone, so that nothing else answers.
fn backend(layers: LayerSet, most_choices: usize) -> Box<dyn Solver> {
    let layers = layers.with(LayerKind::Validate);
    chain(&SolverConfig { backend: Backend::Bits, layers, most_choices, ..SolverConfig::default() })
}

fn refined() -> LayerSet {
    LayerSet::NONE.with(LayerKind::Refinement)
}

fn ask(solver: &mut dyn Solver, terms: &Terms, path: &PathCondition, goal: Term, steps: u64) -> Answer {
    let budget = QueryBudget { steps: Some(steps), time: None };
    solver.check(terms, &Query { path, only: None, goal, witness: None, tried: false, budget })
}

fn bits(width: u32, number: u64) -> Value {
    Value::BitVec(BvValue::from_u64(Width::of(width), number))
}

/// Two arrays of one-bit indices, two numbers of one bit, one of two.
struct Inputs<'a> {
    terms: &'a Terms,
    arrays: Vec<Term>,
    small: Vec<Term>,
    numbers: Vec<Term>,
    conds: Vec<Term>,
}

impl<'a> Inputs<'a> {
    fn new(terms: &'a Terms) -> Inputs<'a> {
        let (one, two) = (Sort::BitVec(Width::of(1)), Sort::BitVec(Width::of(2)));
        let sort = terms.array_sort(one, two);
        Inputs {
            terms,
            arrays: ["a", "b"].map(|it| terms.input(it, sort)).to_vec(),
            small: vec![terms.input("i", one), terms.input("j", one)],
            numbers: vec![terms.input("x", two)],
            conds: Vec::new(),
        }
    }

    /// All that they can be.
    fn models(&self) -> impl Iterator<Item = Model> {
        let of = |term: Term| self.terms.symbols(term)[0];
        let symbols =
            [of(self.arrays[0]), of(self.arrays[1]), of(self.small[0]), of(self.small[1]), of(self.numbers[0])];
        (0..1u64 << 12).map(move |all| {
            let mut model = Model::new();
            for (at, symbol) in [(0, symbols[0]), (4, symbols[1])] {
                let entries = BTreeMap::from([0, 1].map(|it| (bits(1, it), bits(2, all >> (at + 2 * it) & 3))));
                model.set(symbol, Value::Array(Arc::new(ArrayValue { default: bits(2, 0), entries })));
            }
            model.set(symbols[2], bits(1, all >> 8 & 1));
            model.set(symbols[3], bits(1, all >> 9 & 1));
            model.set(symbols[4], bits(2, all >> 10 & 3));
            model
        })
    }

    fn is_satisfiable(&self, conds: &[Term]) -> bool {
        self.models().any(|model| {
            let mut evaluator = Evaluator::new(self.terms, &model);
            conds.iter().all(|it| evaluator.truth(*it) == Some(true))
        })
    }

    /// One more array, index, number and condition each, from bytes.
    fn grow(&mut self, [kind, a, b, c]: [u8; 4]) {
        let terms = self.terms;
        let of = |all: &[Term], at: u8| all[at as usize % all.len()];
        let (array, other) = (of(&self.arrays, a), of(&self.arrays, b));
        let (index, number) = (of(&self.small, c), of(&self.numbers, b));
        let element = terms.select(array, index);
        self.numbers.push(element);
        let cond = match kind % 5 {
            0 => terms.eq(array, other),
            1 => terms.not(terms.eq(array, other)),
            2 => terms.eq(element, number),
            3 => terms.bv_ult(number, element),
            _ => terms.not(terms.eq(element, number)),
        };
        let before = self.conds.get(c as usize % self.conds.len().max(1)).copied().unwrap_or(cond);
        self.conds.push(if kind & 64 == 0 { cond } else { terms.or(cond, terms.not(before)) });
        self.arrays.push(match kind / 5 % 4 {
            0 => terms.ite(before, array, other),
            1 => terms.const_array(terms.sort(array), number),
            _ => terms.store(array, index, number),
        });
        self.small.push(match kind / 20 % 2 {
            0 => terms.bv_extract(0, 0, number),
            _ => terms.bv_not(index),
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_along_a_path_are_those_of_trying_all(steps in prop::collection::vec(any::<[u8; 4]>(), 2..12)) {
        let terms = Terms::new();
        let mut inputs = Inputs::new(&terms);
        steps.iter().for_each(|it| inputs.grow(*it));
        let mut solvers = [backend(refined(), 0), backend(refined(), 300), backend(refined().with(LayerKind::Narrowing), 1024)];
        let mut path = PathCondition::of(LayerSet::NONE);
        for &cond in &inputs.conds {
            let expected = inputs.is_satisfiable(&[path.conjuncts(), vec![cond]].concat());
            for solver in &mut solvers {
                let said = match ask(&mut **solver, &terms, &path, cond, 1_000_000) {
                    Answer::Sat(_) => Some(true),
                    Answer::Unsat => Some(false),
                    Answer::Unknown(_) => None,
                };
                prop_assert_eq!(said, Some(expected), "{} under {:?}", effigy_term::print::math(&terms, cond),
                    path.conjuncts().iter().map(|it| effigy_term::print::math(&terms, *it)).collect::<Vec<_>>());
            }
            if expected {
                path.assume(&terms, cond);
            }
        }
    }
}

/// Each of many elements is another number: so is each index.
#[test]
fn three_hundred_elements_that_differ_are_found_at_once() {
    let terms = Terms::new();
    let word = Sort::BitVec(Width::W32);
    let array = terms.input("a", terms.array_sort(word, word));
    let is = |at: u64| {
        let index = terms.input(&format!("i{at}"), word);
        terms.eq(terms.select(array, index), terms.bv(BvValue::from_u64(Width::W32, at)))
    };
    let all = terms.and_all((1..=300).map(is));
    let mut solver = backend(refined(), 1024);
    let answer = ask(&mut *solver, &terms, &PathCondition::new(), all, 1_000);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}

/// What was written to unknown places is read behind two hundred of them.
#[test]
fn elements_behind_many_stores_are_looked_for_where_they_are() {
    let terms = Terms::new();
    let word = Sort::BitVec(Width::W32);
    let input = |name: &str, at: u64| terms.input(&format!("{name}{at}"), word);
    let start = terms.input("a", terms.array_sort(word, word));
    let array = (0..200).fold(start, |array, at| terms.store(array, input("i", at), input("v", at)));
    let next = |at| terms.eq(terms.select(array, input("i", at)), terms.bv_add(input("v", at), input("one", 0)));
    let one = terms.eq(input("one", 0), terms.bv(BvValue::from_u64(Width::W32, 1)));
    let mut solver = backend(refined(), 1024);
    let all_but_the_last = terms.and(one, terms.and_all((0..199).map(next)));
    let answer = ask(&mut *solver, &terms, &PathCondition::new(), all_but_the_last, 10_000);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    let answer = ask(&mut *solver, &terms, &PathCondition::new(), terms.and(one, next(199)), 1_000);
    assert_eq!(answer, Answer::Unsat, "the last store is what is read there");
}
