//! Witnesses that read well.

use effigy_solver::{PathCondition, smaller};
use effigy_term::eval::Evaluator;
use effigy_term::{BvValue, Model, Sort, Term, Terms, Value, Width};
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
    let res = smaller(&terms, &path, &found);
    assert_eq!([free, count, below, byte].map(|it| value(&terms, &res, it)), [0, 3, -1, 97]);
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
        let res = smaller(&terms, &path, &found);
        for cond in path.conjuncts() {
            prop_assert_eq!(Evaluator::new(&terms, &res).truth(cond), Some(true));
        }
    }
}
