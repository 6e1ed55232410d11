//! Exact reals: one form for equal sums, notation, evaluation; quantified formulas as a solver reads them.

use effigy_term::eval::Evaluator;
use effigy_term::print::{SmtPrinter, math};
use effigy_term::{Model, Sort, SymbolKind, Term, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// Equal sums are one term, and they print as a person would write them.
#[test]
fn fractions_have_one_form() {
    let terms = Terms::new();
    let [p, q] = ["p", "q"].map(|it| terms.input(it, Sort::Real));
    let real = |a, b| terms.real(fraction(a, b));
    let math = |it| math(&terms, it);
    assert_eq!(math(real(1, 2)), "1/2");
    assert_eq!(math(terms.real_neg(real(2, 4))), "−1/2");
    assert_eq!(terms.real_sub(real(1, 1), real(1, 2)), real(1, 2));
    let halves = terms.real_add(terms.real_div(p, real(2, 1)), terms.real_div(p, real(2, 1)));
    assert_eq!(halves, p);
    assert_eq!(math(terms.real_div(p, real(2, 1))), "1/2·p");
    assert_eq!(math(terms.real_div(p, q)), "p/q");
    assert_eq!(math(terms.real_sub(q, terms.real_mul(p, q))), "q − p·q");
    assert_eq!(terms.real_le(terms.real_mul(real(2, 1), p), real(1, 1)), terms.real_le(p, real(1, 2)));
    assert_eq!(math(terms.real_le(real(0, 1), p)), "p ≥ 0");
    assert_eq!(math(terms.real_lt(real(0, 1), p)), "p > 0");
    assert_eq!(math(terms.real_lt(terms.real_sub(p, real(1, 3)), q)), "p < q + 1/3");
    assert_eq!(terms.real_lt(real(1, 3), real(1, 2)), terms.bool(true));
    assert_eq!(terms.eq(terms.real_add(p, q), terms.real_add(q, real(1, 2))), terms.eq(p, real(1, 2)));
    assert_eq!(terms.eq(terms.real_mul(real(2, 1), p), real(1, 1)), terms.eq(p, real(1, 2)));
    assert_eq!(terms.eq(real(1, 2), real(1, 3)), terms.bool(false));
}

/// An integer sum as a real is a sum of reals.
#[test]
fn integers_become_reals_summand_by_summand() {
    let terms = Terms::new();
    let n = terms.input("n", Sort::Int);
    let whole = terms.int_to_real(terms.int_add(terms.int_mul(terms.int(2), n), terms.int(1)));
    let parts = terms.real_add(
        terms.real_mul(terms.int_to_real(terms.int(2)), terms.int_to_real(n)),
        terms.int_to_real(terms.int(1)),
    );
    assert_eq!(whole, parts);
    assert_eq!(terms.int_to_real(terms.int(3)), terms.real(fraction(3, 1)));
}

/// What a substitution makes constant is folded.
#[test]
fn substitution_rebuilds_reals() {
    let terms = Terms::new();
    let (p, n) = (terms.input("p", Sort::Real), terms.input("n", Sort::Int));
    let sum = terms.real_add(terms.real_div(p, terms.int_to_real(n)), terms.real_mul(p, p));
    let half = terms.real(fraction(1, 2));
    let res = terms.substitute(sum, &mut |it| match &*terms.symbol_info(it).name {
        "p" => Some(half),
        _ => Some(terms.int(2)),
    });
    assert_eq!(res, half);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    /// Construction agrees with arithmetic on fractions.
    #[test]
    fn construction_agrees_with_arithmetic(ops in prop::collection::vec(any::<[u8; 3]>(), 1..25), inputs in any::<[i8; 3]>()) {
        let terms = Terms::new();
        let mut model = Model::new();
        let mut known: Vec<(Term, BigRational)> = Vec::new();
        for (at, input) in inputs.into_iter().enumerate() {
            let symbol = terms.symbol(&format!("r{at}"), Sort::Real, SymbolKind::Input);
            let value = fraction(i64::from(input), 1 + at as i64);
            model.set(symbol, Value::Real(Box::new(value.clone())));
            known.push((terms.of_symbol(symbol), value));
        }
        let integer = terms.symbol("n", Sort::Int, SymbolKind::Input);
        model.set(integer, Value::Int(BigInt::from(inputs[0])));
        known.push((terms.int_to_real(terms.of_symbol(integer)), fraction(i64::from(inputs[0]), 1)));
        for [op, a, b] in ops {
            let (a, b) = (known[a as usize % known.len()].clone(), known[b as usize % known.len()].clone());
            let truths = [
                (terms.real_le(a.0, b.0), a.1 <= b.1),
                (terms.real_lt(a.0, b.0), a.1 < b.1),
                (terms.eq(a.0, b.0), a.1 == b.1),
            ];
            for (term, truth) in truths {
                prop_assert_eq!(Evaluator::new(&terms, &model).truth(term), Some(truth), "{}", math(&terms, term));
            }
            known.push(match op % 6 {
                0 => (terms.real_add(a.0, b.0), a.1 + b.1),
                1 => (terms.real_sub(a.0, b.0), a.1 - b.1),
                2 if a.1.numer().bits() + b.1.numer().bits() < 200 => (terms.real_mul(a.0, b.0), a.1 * b.1),
                3 if b.1 != fraction(0, 1) => (terms.real_div(a.0, b.0), a.1 / b.1),
                4 => (terms.ite(terms.real_le(a.0, b.0), a.0, b.0), a.1.clone().min(b.1.clone())),
                _ => (terms.real(fraction(i64::from(op), 3)), fraction(i64::from(op), 3)),
            });
            let (term, value) = known[known.len() - 1].clone();
            prop_assert_eq!(Evaluator::new(&terms, &model).value(term), Some(Value::Real(Box::new(value))), "{}", math(&terms, term));
        }
    }
}

fn script(terms: &Terms, term: Term) -> String {
    let mut text = String::new();
    let name = SmtPrinter::new().define(terms, term, &mut text);
    format!("{text}{name}")
}

#[test]
fn reals_in_smt_lib() {
    let terms = Terms::new();
    let (p, n) = (terms.input("p", Sort::Real), terms.input("n", Sort::Int));
    let sum = terms.real_sub(terms.real_mul(terms.real(fraction(1, 2)), p), terms.int_to_real(n));
    let text = script(&terms, terms.real_lt(terms.real_div(sum, p), terms.real(fraction(-3, 1))));
    assert!(text.contains("(declare-fun |s0!p| () Real)"), "{text}");
    assert!(text.contains("(to_real |s1!n|)"), "{text}");
    assert!(text.contains("(* (/ 1.0 2.0) |s0!p|)"), "{text}");
    assert!(text.contains("(- 3.0)"), "{text}");
}

/// Patterns, sharing, what is outside of the quantifier, names between bars.
#[test]
fn quantified_formulas_in_smt_lib() {
    let terms = Terms::new();
    let list = terms.uninterpreted_sort("Seq<Int>");
    let length = terms.function("list.length", &[list], Sort::Int);
    let variable = terms.symbol("x", list, SymbolKind::Bound);
    let x = terms.of_symbol(variable);
    let outside = terms.apply(length, &[terms.input("s", list)]);
    let applied = terms.apply(length, &[x]);
    let body = terms.and(terms.int_le(terms.int(0), applied), terms.int_le(applied, outside));
    let text = script(&terms, terms.forall(&[variable], &[vec![applied]], body));
    assert!(text.contains("(declare-sort |u0!Seq<Int>| 0)"), "{text}");
    assert!(text.contains("|f0!list.length| (|u0!Seq<Int>|) Int)"), "{text}");
    assert!(text.contains(":pattern ((|f0!list.length| |s0!x|))"), "{text}");
    assert!(!text.contains("(declare-fun |s0!x|"), "{text}");
    assert_eq!(text.matches("(|f0!list.length| |s1!s|)").count(), 1, "{text}");
    // The pattern and once for both of its uses.
    assert_eq!(text.matches("(|f0!list.length| |s0!x|)").count(), 2, "{text}");
}

/// A trigger that leaves a variable open is no trigger; a variable that only a trigger mentions is one.
#[test]
fn triggers_mention_all_variables() {
    let terms = Terms::new();
    let sort = terms.uninterpreted_sort("T");
    let [x, y] = ["x", "y"].map(|it| terms.symbol(it, sort, SymbolKind::Bound));
    let one = terms.function("one", &[sort], Sort::Bool);
    let two = terms.function("two", &[sort, sort], Sort::Bool);
    let (of_x, of_both) =
        (terms.apply(one, &[terms.of_symbol(x)]), terms.apply(two, &[terms.of_symbol(x), terms.of_symbol(y)]));
    let text = script(&terms, terms.forall(&[x, y], &[vec![of_x], vec![of_both]], of_x));
    assert!(text.contains("(forall ((|s0!x| |u0!T|) (|s1!y| |u0!T|))"), "{text}");
    assert!(text.contains(":pattern ((|f1!two| |s0!x| |s1!y|))"), "{text}");
    assert!(!text.contains(":pattern ((|f0!one| |s0!x|))"), "{text}");
    assert_eq!(terms.forall(&[y], &[vec![of_both]], of_x), of_x);
}
