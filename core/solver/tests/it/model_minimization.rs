//! Witnesses that read well.

use effigy_solver::PathCondition;
use effigy_term::eval::Evaluator;
use effigy_term::{BvOp, BvValue, Model, Sort, Term, Terms, Value, Width};
use proptest::prelude::*;

fn model(terms: &Terms, values: &[(Term, u64)]) -> Model {
    let mut res = Model::new();
    for &(term, value) in values {
        res.set(terms.symbols(term)[0], Value::BitVec(BvValue::from_u64(terms.width(term), value)));
    }
    res
}

fn value(terms: &Terms, model: &Model, term: Term) -> i64 {
    match Evaluator::new(terms, model).value(term) {
        Some(Value::BitVec(it)) => it.sign_extend(Width::W64).to_i64().expect("64 bits"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_does_not_matter_is_zero_and_the_rest_is_near_zero() {
    let terms = Terms::new();
    let [free, count, below, byte] =
        ["free", "count", "below", "byte"].map(|it| terms.input(it, Sort::BitVec(Width::W32)));
    let mut path = PathCondition::new();
    path.assume(&terms, terms.bv_slt(terms.bv_u64(Width::W32, 2), count));
    path.assume(&terms, terms.bv_slt(below, terms.bv_u64(Width::W32, 0)));
    path.assume(&terms, terms.eq(byte, terms.bv_u64(Width::W32, 97)));
    let found = model(&terms, &[(free, 17), (count, 0x4000_0001), (below, 0x8000_0000), (byte, 97)]);
    let res = path.minimize_model(&terms, found);
    assert_eq!([free, count, below, byte].map(|it| value(&terms, &res, it)), [0, 3, -1, 97]);
}

#[test]
fn what_is_asked_of_a_remainder_may_be_asked_of_a_small_number() {
    let terms = Terms::new();
    let number = terms.input("number", Sort::BitVec(Width::W32));
    let mut path = PathCondition::new();
    let rest = terms.bv_op(BvOp::URem, number, terms.bv_u64(Width::W32, 7));
    path.assume(&terms, terms.eq(rest, terms.bv_u64(Width::W32, 3)));
    let res = path.minimize_model(&terms, model(&terms, &[(number, 0xE000_0003)]));
    assert_eq!(value(&terms, &res, number), 3);
}

#[test]
fn numbers_and_arrays_are_near_zero_as_well() {
    let terms = Terms::new();
    let array_sort = terms.array_sort(Sort::Int, Sort::Int);
    let [n, below, a] =
        [("n", Sort::Int), ("below", Sort::Int), ("a", array_sort)].map(|(it, sort)| terms.input(it, sort));
    let (int, at) = (|it: i64| terms.int(it), |it: i64| terms.select(a, terms.int(it)));
    let mut path = PathCondition::new();
    path.assume(&terms, terms.int_lt(int(5), n));
    path.assume(&terms, terms.int_lt(below, int(-2)));
    path.assume(&terms, terms.int_lt(at(1), at(2)));
    path.assume(&terms, terms.int_lt(at(2), at(3)));
    let number = |it: i64| Value::Int(it.into());
    let entries = [(-1, 11), (1, 20_535), (2, 20_536)].map(|(at, it)| (number(at), number(it)));
    let mut found = Model::new();
    found.set(terms.symbols(n)[0], number(1_000_000_007));
    found.set(terms.symbols(below)[0], number(-77_777));
    let array = effigy_term::value::ArrayValue { default: number(20_537), entries: entries.into() };
    found.set(terms.symbols(a)[0], Value::Array(array.into()));
    let res = path.minimize_model(&terms, found);
    let mut evaluator = Evaluator::new(&terms, &res);
    for cond in path.conjuncts() {
        assert_eq!(evaluator.truth(cond), Some(true));
    }
    let values = [n, below, at(-1), at(1), at(2), at(3)].map(|it| evaluator.value(it));
    assert_eq!(values, [6, -3, 2, 0, 1, 2].map(|it| Some(number(it))));
}

proptest! {
    #[test]
    fn the_path_condition_still_holds(x in any::<u8>(), y in any::<u8>(), bound in any::<u8>(), factor in any::<u8>()) {
        let terms = Terms::new();
        let [a, b] = ["a", "b"].map(|it| terms.input(it, Sort::BitVec(Width::W8)));
        let constant = |it: u8| terms.bv_u64(Width::W8, it.into());
        let found = model(&terms, &[(a, x.into()), (b, y.into())]);
        let mut path = PathCondition::new();
        let conds = [
            terms.bv_ult(terms.bv_mul(a, constant(factor)), constant(bound)),
            terms.bv_slt(terms.bv_add(a, b), b),
            terms.eq(terms.bv_mul(a, b), terms.bv_mul(constant(x), constant(y))),
        ];
        // What the model satisfies, and the contrary of what it does not.
        for cond in conds {
            let holds = Evaluator::new(&terms, &found).truth(cond) == Some(true);
            path.assume(&terms, if holds { cond } else { terms.not(cond) });
        }
        let res = path.minimize_model(&terms, found);
        for cond in path.conjuncts() {
            prop_assert_eq!(Evaluator::new(&terms, &res).truth(cond), Some(true));
        }
    }
}
