//! The layer `linear` against evaluation, trying all of a small box, and z3.

use effigy_solver::{Answer, Backend, LayerKind, LayerSet, PathCondition, Query, QueryBudget, SolverConfig, chain};
use effigy_term::eval::Evaluator;
use effigy_term::value::ArrayValue;
use effigy_term::{Model, Sort, Term, Terms, Value};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// What decides is counted, so that it is the same on every machine: conflicts, or the SMT solver's units of resources.
const STEPS: u64 = 20_000_000;

/// Longer than any test.
const ENDLESS: Duration = Duration::from_secs(3600);

/// Only this layer, over a backend that knows no integers.
fn alone() -> SolverConfig {
    SolverConfig { layers: LayerSet::NONE.with(LayerKind::Linear), backend: Backend::Bits, ..SolverConfig::default() }
}

fn z3() -> SolverConfig {
    SolverConfig { layers: LayerSet::NONE.with(LayerKind::Validate), backend: Backend::Smt, ..alone() }
}

/// φ is all conditions but the last, which is the goal.
fn ask(terms: &Terms, config: &SolverConfig, conds: &[Term]) -> Answer {
    let mut path = PathCondition::new();
    let (goal, before) = conds.split_last().expect("there is a goal");
    before.iter().for_each(|&it| path.assume(terms, it));
    let budget = QueryBudget { steps: Some(STEPS), time: Some(ENDLESS) };
    chain(config).check(terms, &Query { path: &path, only: None, goal: *goal, witness: None, tried: false, budget })
}

fn satisfies(terms: &Terms, model: &Model, conds: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(terms, model);
    conds.iter().all(|&it| evaluator.truth(it) == Some(true))
}

/// Reads bytes as conditions.
struct Conditions<'a> {
    terms: &'a Terms,
    bytes: std::slice::Iter<'a, u8>,
    symbols: Vec<Term>,
    array: Term,
    linear: bool,
}

impl<'a> Conditions<'a> {
    fn new(terms: &'a Terms, bytes: &'a [u8], linear: bool) -> Conditions<'a> {
        let mut bytes = bytes.iter();
        let count = 1 + bytes.next().map_or(0, |it| it % 5);
        let symbols = (0..count).map(|it| terms.input(&format!("n{it}"), Sort::Int)).collect();
        let array = terms.input("A", terms.array_sort(Sort::Int, Sort::Int));
        Conditions { terms, bytes, symbols, array, linear }
    }

    fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    fn symbol(&mut self) -> Term {
        let at = usize::from(self.byte());
        self.symbols[at % self.symbols.len()]
    }

    fn atom(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        let kind = self.byte();
        if self.linear || depth == 0 || kind.is_multiple_of(3) {
            return self.symbol();
        }
        let (inner, divisor) = (self.sum(depth - 1), terms.int([2, 3, 5, -2, -7, 10][usize::from(self.byte()) % 6]));
        match kind % 7 {
            0 => terms.int_quot(inner, divisor),
            1 => terms.int_rem(inner, divisor),
            2 => terms.int_div(inner, divisor),
            3 => terms.int_mod(inner, divisor),
            4 | 5 => terms.select(self.array, inner),
            _ => terms.int_mul(inner, self.symbol()),
        }
    }

    fn sum(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        let mut res = terms.int(i64::from(self.byte() % 31) - 15);
        for _ in 0..1 + self.byte() % 3 {
            let coefficient = terms.int(i64::from(self.byte() % 9) - 4);
            res = terms.int_add(res, terms.int_mul(coefficient, self.atom(depth)));
        }
        res
    }

    fn literal(&mut self) -> Term {
        let terms = self.terms;
        let (kind, a, b) = (self.byte(), self.sum(2), self.sum(2));
        match kind % 8 {
            0..=3 => terms.int_le(a, b),
            4 => terms.eq(a, b),
            5 => terms.ne(a, b),
            6 if !self.linear => terms.ite(terms.int_le(a, b), terms.ne(a, self.symbol()), terms.eq(b, self.symbol())),
            _ => terms.int_lt(a, b),
        }
    }

    fn all(&mut self) -> Vec<Term> {
        let goal = self.literal();
        let mut res = Vec::new();
        while !self.bytes.as_slice().is_empty() && res.len() < 8 {
            let literal = self.literal();
            let or = !self.linear && self.byte().is_multiple_of(4);
            res.push(if or { self.terms.or(literal, self.literal()) } else { literal });
        }
        res.push(goal);
        res
    }
}

/// A model in a small box, found by trying all.
fn brute_force(terms: &Terms, conds: &Conditions<'_>, all: &[Term]) -> Option<Model> {
    let most = [60i64, 9, 4, 2, 1][conds.symbols.len() - 1];
    let side = 2 * most + 1;
    let array = terms.symbols(conds.array)[0];
    let zero = Value::Int(BigInt::from(0));
    let one = Value::Int(BigInt::from(1));
    let few = BTreeMap::from([(zero.clone(), one.clone()), (one.clone(), Value::Int(BigInt::from(-3)))]);
    let arrays = [
        ArrayValue { default: zero.clone(), entries: BTreeMap::new() },
        ArrayValue { default: one, entries: BTreeMap::new() },
        ArrayValue { default: zero, entries: few },
    ];
    let mentions = all.iter().any(|&it| terms.symbols(it).contains(&array));
    for value in &arrays[..if mentions { arrays.len() } else { 1 }] {
        for mut point in 0..side.pow(conds.symbols.len() as u32) {
            let mut model = Model::new();
            model.set(array, Value::Array(Arc::new(value.clone())));
            for &symbol in &conds.symbols {
                model.set(terms.symbols(symbol)[0], Value::Int(BigInt::from(point % side - most)));
                point /= side;
            }
            if satisfies(terms, &model, all) {
                return Some(model);
            }
        }
    }
    None
}

fn printed(terms: &Terms, conds: &[Term]) -> String {
    conds.iter().map(|&it| effigy_term::print::math(terms, it).to_string()).collect::<Vec<_>>().join("\n")
}

fn bytes(state: &mut u64, count: usize) -> Vec<u8> {
    let mut next = || {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as u8
    };
    (0..count).map(|_| next()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(1500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_agree_with_trying_all(bytes in prop::collection::vec(any::<u8>(), 3..90), linear in any::<bool>()) {
        let terms = Terms::new();
        let mut conds = Conditions::new(&terms, &bytes, linear);
        let all = conds.all();
        match ask(&terms, &alone(), &all) {
            Answer::Sat(model) => prop_assert!(satisfies(&terms, &model, &all), "{}", printed(&terms, &all)),
            Answer::Unsat => {
                let found = brute_force(&terms, &conds, &all);
                prop_assert!(found.is_none(), "{}\n{found:?}", printed(&terms, &all));
            }
            Answer::Unknown(_) => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(500), failure_persistence: None, ..ProptestConfig::default() })]

    /// As a path asks: with a model of φ, both sides of each question.
    #[test]
    fn answers_along_a_path_agree_with_trying_all(bytes in prop::collection::vec(any::<u8>(), 3..90)) {
        let terms = Terms::new();
        let mut conds = Conditions::new(&terms, &bytes, false);
        let mut solver = chain(&SolverConfig { backend: Backend::Bits, ..SolverConfig::default() });
        let (mut path, mut witness, mut so_far) = (PathCondition::new(), Model::new(), Vec::new());
        for cond in conds.all() {
            let mut taken = None;
            for goal in [cond, terms.not(cond)] {
                let budget = QueryBudget::default();
                let query = Query { path: &path, only: None, goal, witness: Some(&witness), tried: false, budget };
                let mut all = so_far.clone();
                all.push(goal);
                match solver.check(&terms, &query) {
                    Answer::Sat(model) => {
                        prop_assert!(satisfies(&terms, &model, &all), "{}", printed(&terms, &all));
                        taken = taken.or(Some((goal, model)));
                    }
                    Answer::Unsat => {
                        let found = brute_force(&terms, &conds, &all);
                        prop_assert!(found.is_none(), "{}\n{found:?}", printed(&terms, &all));
                    }
                    Answer::Unknown(_) => {}
                }
            }
            let Some((goal, model)) = taken else { break };
            path.assume(&terms, goal);
            so_far.push(goal);
            witness = model;
        }
    }
}

/// How many random conjunctions are decided, how many of them are unsatisfiable, and to how many z3 said the same.
fn decided(linear: bool, count: usize, seed: u64, compare: bool) -> (usize, usize, usize) {
    let mut state = seed;
    let (mut decided, mut unsatisfiable, mut agreed) = (0, 0, 0);
    for at in 0..count {
        let terms = Terms::new();
        let bytes = bytes(&mut state, 10 + at % 70);
        let all = Conditions::new(&terms, &bytes, linear).all();
        let answer = ask(&terms, &alone(), &all);
        if !matches!(answer, Answer::Unknown(_)) {
            decided += 1;
            unsatisfiable += usize::from(answer == Answer::Unsat);
            if compare {
                match (answer, ask(&terms, &z3(), &all)) {
                    (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)) => {
                        panic!("z3 says the opposite of\n{}", printed(&terms, &all))
                    }
                    (_, Answer::Unknown(_)) => {}
                    _ => agreed += 1,
                }
            }
        }
    }
    (decided, unsatisfiable, agreed)
}

#[test]
fn z3_never_says_the_opposite() {
    effigy_testing::require!("z3");
    let (linear, mixed) = (decided(true, 80, 1, true), decided(false, 220, 2, true));
    assert!(linear.2 >= 75, "{linear:?}");
    assert!(mixed.2 >= 120, "{mixed:?}");
}

#[test]
fn nearly_all_linear_conjunctions_are_decided() {
    let (linear, unsatisfiable, _) = decided(true, 1000, 3, false);
    assert!(linear >= 990, "{linear} of 1000");
    assert!(unsatisfiable >= 200);
    let (mixed, unsatisfiable, _) = decided(false, 1000, 4, false);
    assert!(mixed >= 950, "{mixed} of 1000");
    assert!(unsatisfiable >= 50);
}

/// An arena with what the named tests need.
struct Names {
    terms: Terms,
}

impl Names {
    fn symbol(&self, name: &str) -> Term {
        self.terms.input(name, Sort::Int)
    }

    fn model(&self, conds: &[Term]) -> Model {
        match ask(&self.terms, &alone(), conds) {
            Answer::Sat(model) => {
                assert!(satisfies(&self.terms, &model, conds));
                model
            }
            other => panic!("{other:?} for\n{}", printed(&self.terms, conds)),
        }
    }

    fn unsatisfiable(&self, conds: &[Term]) {
        assert_eq!(ask(&self.terms, &alone(), conds), Answer::Unsat, "{}", printed(&self.terms, conds));
    }

    fn value(&self, model: &Model, term: Term) -> BigInt {
        match Evaluator::new(&self.terms, model).value(term) {
            Some(Value::Int(value)) => value,
            other => panic!("{other:?}"),
        }
    }
}

fn names() -> Names {
    Names { terms: Terms::new() }
}

#[test]
fn bounds_leave_one_value() {
    let n = names();
    let (terms, a) = (&n.terms, n.symbol("α"));
    let model = n.model(&[terms.int_le(terms.int(1), a), terms.not(terms.int_le(terms.int(2), a))]);
    assert_eq!(n.value(&model, a), BigInt::from(1));
    n.unsatisfiable(&[terms.int_lt(terms.int(1), a), terms.not(terms.int_le(terms.int(2), a))]);
}

#[test]
fn halving_is_below() {
    let n = names();
    let (terms, count) = (&n.terms, n.symbol("N"));
    let twice = terms.int_add(terms.int_mul(terms.int(2), count), terms.int(1));
    let half = terms.int_sub(terms.int_quot(twice, terms.int(2)), terms.int(1));
    n.unsatisfiable(&[terms.int_le(terms.int(1), count), terms.int_le(count, half)]);
}

#[test]
fn truncation_differs_from_euclid_below_zero() {
    let n = names();
    let (terms, x) = (&n.terms, n.symbol("x"));
    let three = terms.int(3);
    let differ = terms.ne(terms.int_quot(x, three), terms.int_div(x, three));
    let model = n.model(&[differ]);
    assert!(n.value(&model, x) < BigInt::from(0));
    n.unsatisfiable(&[terms.int_le(terms.int(0), x), differ]);
    let rest = terms.int_rem(x, three);
    n.unsatisfiable(&[terms.int_le(x, terms.int(0)), terms.int_lt(terms.int(0), rest)]);
}

#[test]
fn equations_are_solved_over_the_integers() {
    let n = names();
    let (terms, x, y, z) = (&n.terms, n.symbol("x"), n.symbol("y"), n.symbol("z"));
    let times = |k: i64, it: Term| terms.int_mul(terms.int(k), it);
    // Pugh's example; no rational argument refutes the parity.
    let first = terms.eq(terms.int_add(times(7, x), terms.int_add(times(12, y), times(31, z))), terms.int(17));
    let second = terms.eq(terms.int_add(times(3, x), terms.int_add(times(5, y), times(14, z))), terms.int(7));
    n.model(&[first, second, terms.int_le(terms.int(1), x), terms.int_le(x, terms.int(40))]);
    let even = terms.int_add(times(2, x), times(4, y));
    n.unsatisfiable(&[terms.eq(even, terms.int_add(times(6, z), terms.int(1)))]);
}

#[test]
fn elements_at_equal_indices_are_equal() {
    let n = names();
    let (terms, i, j) = (&n.terms, n.symbol("i"), n.symbol("j"));
    let array = terms.input("A", terms.array_sort(Sort::Int, Sort::Int));
    let (a, b) = (terms.select(array, i), terms.select(array, j));
    let close = [terms.int_le(i, j), terms.int_lt(a, b)];
    n.model(&close);
    n.unsatisfiable(&[close[0], close[1], terms.int_le(j, i)]);
    // A sorted pair, swapped.
    let stored = terms.store(terms.store(array, i, b), j, a);
    let wrong = terms.int_lt(terms.select(stored, j), terms.select(stored, i));
    n.unsatisfiable(&[terms.int_lt(i, j), terms.int_lt(b, a), wrong]);
    n.model(&[terms.int_lt(i, j), terms.int_lt(a, b), wrong]);
}

#[test]
fn a_table_of_rows_is_an_array_of_arrays() {
    let n = names();
    let (terms, i) = (&n.terms, n.symbol("i"));
    let row = terms.array_sort(Sort::Int, Sort::Int);
    let table = terms.input("T", terms.array_sort(Sort::Int, row));
    let at = |r: Term, c: i64| terms.select(terms.select(table, r), terms.int(c));
    n.model(&[terms.int_lt(at(i, 1), at(i, 2)), terms.int_lt(at(terms.int(3), 2), at(i, 1))]);
    n.unsatisfiable(&[terms.int_lt(at(i, 1), at(terms.int(3), 1)), terms.eq(i, terms.int(3))]);
}

#[test]
fn small_products_are_guessed() {
    let n = names();
    let (terms, x, y) = (&n.terms, n.symbol("x"), n.symbol("y"));
    let product = terms.int_mul(x, y);
    n.model(&[terms.int_le(terms.int(2), x), terms.int_le(terms.int(20), product), terms.int_le(y, terms.int(4))]);
    n.unsatisfiable(&[terms.int_lt(terms.int_mul(x, x), terms.int(0))]);
    n.unsatisfiable(&[terms.int_lt(terms.int(0), x), terms.int_lt(terms.int(0), y), terms.int_lt(product, x)]);
}

#[test]
fn truth_values_are_zero_or_one() {
    let n = names();
    let (terms, x) = (&n.terms, n.symbol("x"));
    let flag = terms.input("b", Sort::Bool);
    let large = terms.int_lt(terms.int(5), x);
    let same = terms.eq(flag, large);
    let model = n.model(&[same, flag]);
    assert!(n.value(&model, x) > BigInt::from(5));
    n.unsatisfiable(&[same, terms.int_lt(terms.int(7), x), terms.not(flag)]);
}

#[test]
fn values_of_the_witness_are_kept() {
    let n = names();
    let (terms, x, y) = (&n.terms, n.symbol("x"), n.symbol("y"));
    let mut witness = Model::new();
    for (term, value) in [(x, 40), (y, 7)] {
        witness.set(terms.symbols(term)[0], Value::Int(BigInt::from(value)));
    }
    let path = PathCondition::new();
    let goal = terms.int_lt(terms.int_add(x, y), terms.int(45));
    let budget = QueryBudget::default();
    let query = Query { path: &path, only: None, goal, witness: Some(&witness), tried: false, budget };
    let Answer::Sat(model) = chain(&alone()).check(terms, &query) else { panic!("it is satisfiable") };
    assert!(satisfies(terms, &model, &[goal]));
    let kept = [(x, 40), (y, 7)].into_iter().filter(|&(it, value)| n.value(&model, it) == BigInt::from(value));
    assert_eq!(kept.count(), 1);
}

#[test]
fn bitvectors_are_not_looked_at() {
    let terms = Terms::new();
    let x = terms.input("x", Sort::BitVec(effigy_term::Width::W32));
    let goal = terms.bv_ult(terms.bv_mul(x, x), x);
    let mut solver = chain(&alone());
    let path = PathCondition::new();
    let query = Query { path: &path, only: None, goal, witness: None, tried: false, budget: QueryBudget::default() };
    assert!(matches!(solver.check(&terms, &query), Answer::Sat(_)));
    let mut statistics = effigy_solver::Statistics::default();
    solver.statistics(&mut statistics);
    let layer = statistics.layers.iter().find(|it| it.name == "linear").expect("the layer is there");
    assert_eq!((layer.queries, layer.answered), (1, 0));
}
