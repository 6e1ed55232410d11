//! Powers in the SMT solver's process.

use effigy_solver::{Answer, Backend, LayerKind, LayerSet, PathCondition, Query, QueryBudget, SolverConfig, chain};
use effigy_term::eval::Evaluator;
use effigy_term::{Sort, SymbolKind, Term, Terms};
use std::time::Duration;

/// What decides is counted, so that it is the same on every machine: conflicts, or the SMT solver's units of resources.
const STEPS: u64 = 20_000_000;

/// Longer than any test.
const ENDLESS: Duration = Duration::from_secs(3600);

/// Only the SMT solver, its models evaluated.
fn ask(terms: &Terms, goal: Term) -> Answer {
    let config = SolverConfig {
        layers: LayerSet::NONE.with(LayerKind::Validate),
        backend: Backend::Smt,
        ..SolverConfig::default()
    };
    let path = PathCondition::new();
    let budget = QueryBudget { steps: Some(STEPS), time: Some(ENDLESS) };
    chain(&config).check(terms, &Query { path: &path, only: None, goal, witness: None, tried: false, budget })
}

fn proved(terms: &Terms, given: &[Term], conclusion: Term) {
    let goal = terms.and_all(given.iter().copied().chain([terms.not(conclusion)]));
    assert_eq!(ask(terms, goal), Answer::Unsat, "{}", effigy_term::print::math(terms, goal));
}

fn symbol(terms: &Terms, name: &str) -> Term {
    terms.input(name, Sort::Int)
}

#[test]
fn a_loop_that_multiplies_computes_a_power() {
    let terms = Terms::new();
    let (x, z, j) = (symbol(&terms, "X"), symbol(&terms, "Z"), symbol(&terms, "J"));
    let int = |it: i64| terms.int(it);
    let invariant = |z: Term, e: Term| terms.eq(z, terms.int_pow(x, e));
    let before = terms.int_sub(j, int(1));
    // Before the loop, around it, and after it.
    proved(&terms, &[terms.eq(j, int(1))], invariant(int(1), before));
    let given = [invariant(z, before), terms.int_le(int(1), j)];
    proved(&terms, &given, invariant(terms.int_mul(z, x), j));
    let next = terms.int_sub(terms.int_add(j, int(1)), int(1));
    proved(&terms, &given, invariant(terms.int_mul(x, z), next));
    let n = symbol(&terms, "N");
    let given = [given[0], terms.eq(j, terms.int_add(n, int(1)))];
    proved(&terms, &given, invariant(z, n));
}

#[test]
fn a_power_steps_by_several_factors() {
    let terms = Terms::new();
    let (x, e) = (symbol(&terms, "x"), symbol(&terms, "e"));
    let power = |by: i64| terms.int_pow(x, terms.int_add(e, terms.int(by)));
    let cube = terms.int_pow(x, terms.int(3));
    proved(&terms, &[terms.int_le(terms.int(0), e)], terms.eq(power(3), terms.int_mul(cube, power(0))));
    proved(&terms, &[terms.int_le(terms.int(0), e), terms.eq(x, terms.int(1))], terms.eq(power(0), terms.int(1)));
    proved(&terms, &[terms.int_lt(terms.int(0), e), terms.eq(x, terms.int(0))], terms.eq(power(0), terms.int(0)));
}

#[test]
fn powers_of_numbers_are_computed() {
    let terms = Terms::new();
    let e = symbol(&terms, "e");
    let two = terms.int(2);
    assert_eq!(terms.int_pow(two, terms.int(10)), terms.int(1024));
    proved(&terms, &[], terms.eq(terms.int_pow(two, terms.int(20)), terms.int(1 << 20)));
    let power = terms.int_pow(two, e);
    proved(&terms, &[terms.eq(e, terms.int(10))], terms.eq(power, terms.int(1024)));
    let large = terms.and(terms.int_le(terms.int(500), power), terms.int_le(terms.int(0), e));
    match ask(&terms, terms.and(large, terms.int_lt(e, terms.int(12)))) {
        Answer::Sat(model) => assert_eq!(Evaluator::new(&terms, &model).truth(large), Some(true)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_negative_exponent_proves_nothing() {
    let terms = Terms::new();
    let (x, e) = (symbol(&terms, "x"), symbol(&terms, "e"));
    let power = terms.int_pow(x, e);
    let negative = terms.int_lt(e, terms.int(0));
    for value in [0, 1, 7] {
        let answer = ask(&terms, terms.and(negative, terms.eq(power, terms.int(value))));
        assert!(!matches!(answer, Answer::Unsat), "{answer:?}");
    }
}

#[test]
fn a_power_that_cannot_be_evaluated_satisfies_nothing() {
    let terms = Terms::new();
    let x = symbol(&terms, "x");
    let huge = terms.int_pow(x, terms.int(20_000));
    let goal = terms.and(terms.eq(huge, terms.int(7)), terms.int_le(terms.int(2), x));
    assert!(!matches!(ask(&terms, goal), Answer::Sat(_)));
    let bound = terms.symbol("i", Sort::Int, SymbolKind::Bound);
    let power = terms.int_pow(terms.int(2), terms.of_symbol(bound));
    let body = terms.eq(power, terms.int(5));
    let all = terms.forall(&[bound], &[], body);
    assert!(!matches!(ask(&terms, all), Answer::Sat(_)));
}

#[test]
fn small_powers_agree_with_evaluation() {
    for at in 0..36i64 {
        let terms = Terms::new();
        let (x, e) = (symbol(&terms, "x"), symbol(&terms, "e"));
        let (base, exponent) = (at % 9 - 4, at * 7 % 12);
        let pinned = terms.and(terms.eq(x, terms.int(base)), terms.eq(e, terms.int(exponent)));
        let value = terms.int(num_bigint::BigInt::from(base).pow(exponent as u32));
        let equal = terms.eq(terms.int_pow(x, e), value);
        match ask(&terms, terms.and(pinned, equal)) {
            Answer::Sat(model) => {
                assert_eq!(Evaluator::new(&terms, &model).truth(terms.and(pinned, equal)), Some(true));
            }
            other => panic!("{base} ** {exponent}: {other:?}"),
        }
        assert_eq!(ask(&terms, terms.and(pinned, terms.not(equal))), Answer::Unsat, "{base} ** {exponent}");
        assert!(!matches!(ask(&terms, terms.not(equal)), Answer::Unsat));
    }
}
