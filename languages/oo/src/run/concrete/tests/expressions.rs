//! V(e).

use super::super::*;
use super::builders::*;
use crate::run::program::*;

/// The value in the world, in both semantics.
fn both(expr: &Expr) -> [Result<Value, Fault>; 2] {
    let build = Build::new();
    [USUAL, PAPER].map(|it| build.value(it, &world(), expr))
}

fn always(expr: Expr, expected: Result<Value, Fault>) {
    assert_eq!(both(&expr), [expected.clone(), expected]);
}

#[test]
fn a_missing_global_has_its_default() {
    let build = Build::new();
    let value = |it| build.value(USUAL, &Valuation::default(), &var(it));
    assert_eq!([X, B, O].map(value), [Ok(int(0)), Ok(Value::Bool(false)), Ok(Value::Nil)]);
    assert_eq!(build.value(USUAL, &Valuation::default(), &at(M, lit(5))), Ok(int(0)));
}

#[test]
fn a_map_is_no_value() {
    always(var(M), Err(Fault::Unfit));
}

#[test]
fn a_field_of_an_object_and_of_nil() {
    always(dot(dot(var(O), F), V), Ok(int(7)));
    always(dot(var(P), V), Err(Fault::NilDereference));
    always(dot(nil(), V), Err(Fault::NilDereference));
    always(dot(var(A), V), Err(Fault::Unfit));
}

#[test]
fn an_item_is_within_the_bounds() {
    let results = |index| both(&item(var(A), lit(index)));
    assert_eq!(results(1), [Ok(int(2)), Ok(int(2))]);
    assert_eq!(results(2), [Err(Fault::OutOfBounds), Ok(int(0))]);
    assert_eq!(results(3), [Err(Fault::OutOfBounds), Err(Fault::OutOfBounds)]);
    assert_eq!(results(-1), [Err(Fault::OutOfBounds), Err(Fault::OutOfBounds)]);
    always(dot(var(A), LENGTH), Ok(int(2)));
}

#[test]
fn the_receiver_comes_before_the_index() {
    let mut valuation = world();
    valuation.globals.remove(&A);
    let value = |expr| Build::new().value(USUAL, &valuation, &expr);
    assert_eq!(value(item(var(A), bad())), Err(Fault::NilDereference));
    assert_eq!(value(item(var(A), lit(-1))), Err(Fault::NilDereference));
}

#[test]
fn a_bounded_map_has_bounds_and_another_has_none() {
    assert_eq!(both(&at(N, lit(1))), [Ok(int(0)), Ok(int(0))]);
    assert_eq!(both(&at(N, lit(2))), [Err(Fault::OutOfBounds), Ok(int(0))]);
    assert_eq!(both(&at(N, lit(3))), [Err(Fault::OutOfBounds), Err(Fault::OutOfBounds)]);
    always(at(M, lit(3)), Ok(int(9)));
    always(at(M, lit(-100)), Ok(int(0)));
    always(e(ExprKind::Length(N)), Ok(int(2)));
    always(e(ExprKind::Length(M)), Err(Fault::Unfit));
}

#[test]
fn division_is_euclidean() {
    for (left, right, quotient, remainder) in
        [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (-4, 2, -2, 0), (4, -2, -2, 0), (0, 5, 0, 0)]
    {
        always(op(Op::Div, [lit(left), lit(right)]), Ok(int(quotient)));
        always(op(Op::Mod, [lit(left), lit(right)]), Ok(int(remainder)));
    }
}

#[test]
fn division_by_zero_is_zero_in_the_paper() {
    assert_eq!(both(&op(Op::Div, [lit(5), lit(0)])), [Err(Fault::DivisionByZero), Ok(int(0))]);
    assert_eq!(both(&op(Op::Mod, [lit(-5), lit(0)])), [Err(Fault::DivisionByZero), Ok(int(-5))]);
}

/// An expression that faults in both semantics.
fn broken() -> Expr {
    op(Op::Eq, [dot(nil(), V), lit(0)])
}

#[test]
fn connectives_are_strict_in_the_paper_only() {
    let nil = Err(Fault::NilDereference);
    let decided = |it| [Ok(Value::Bool(it)), nil.clone()];
    assert_eq!(both(&op(Op::And, [truth(false), broken()])), decided(false));
    assert_eq!(both(&op(Op::Or, [truth(true), broken()])), decided(true));
    assert_eq!(both(&op(Op::Implies, [truth(false), broken()])), decided(true));
    for expr in [
        op(Op::And, [truth(true), broken()]),
        op(Op::Or, [truth(false), broken()]),
        op(Op::Implies, [truth(true), broken()]),
        op(Op::And, [broken(), truth(false)]),
        op(Op::And, [truth(true), truth(true), broken()]),
    ] {
        always(expr, nil.clone());
    }
}

#[test]
fn connectives_have_their_truth_tables() {
    for (left, right) in [(false, false), (false, true), (true, false), (true, true)] {
        for it in [Op::And, Op::Or, Op::Implies, Op::Eq, Op::Ne] {
            always(op(it, [truth(left), truth(right)]), Ok(Value::Bool(outcome(it, left, right))));
        }
    }
    fn outcome(op: Op, left: bool, right: bool) -> bool {
        match op {
            Op::And => left & right,
            Op::Or => left | right,
            Op::Implies => left <= right,
            Op::Eq => left == right,
            _ => left != right,
        }
    }
}

#[test]
fn a_conditional_evaluates_one_side_and_in_the_paper_both() {
    let nil = Err(Fault::NilDereference);
    assert_eq!(both(&cond(truth(true), lit(1), dot(var(P), V))), [Ok(int(1)), nil.clone()]);
    assert_eq!(both(&cond(truth(false), dot(var(P), V), lit(2))), [Ok(int(2)), nil]);
    always(cond(truth(true), lit(1), lit(2)), Ok(int(1)));
}

#[test]
fn arithmetic_and_comparison() {
    always(op(Op::Add, [lit(2), lit(3)]), Ok(int(5)));
    always(op(Op::Sub, [lit(2), lit(3)]), Ok(int(-1)));
    always(op(Op::Mul, [lit(2), lit(-3)]), Ok(int(-6)));
    always(op(Op::Neg, [lit(2)]), Ok(int(-2)));
    always(op(Op::Not, [truth(true)]), Ok(Value::Bool(false)));
    always(op(Op::Lt, [lit(2), lit(2)]), Ok(Value::Bool(false)));
    always(op(Op::Le, [lit(2), lit(2)]), Ok(Value::Bool(true)));
}

#[test]
fn objects_are_equal_by_identity() {
    always(op(Op::Eq, [var(O), dot(var(O), F)]), Ok(Value::Bool(true)));
    always(op(Op::Eq, [var(O), var(P)]), Ok(Value::Bool(false)));
    always(op(Op::Eq, [nil(), var(P)]), Ok(Value::Bool(true)));
    always(op(Op::Eq, [var(O), lit(0)]), Err(Fault::Unfit));
}

#[test]
fn operands_are_evaluated_from_left_to_right() {
    let build = Build::new();
    let value = |expr| build.value(USUAL, &world(), &expr);
    assert_eq!(value(op(Op::Add, [bad(), dot(nil(), V)])), Err(Fault::DivisionByZero));
    assert_eq!(value(op(Op::Add, [dot(nil(), V), bad()])), Err(Fault::NilDereference));
}

#[test]
fn a_reference_that_leads_nowhere_is_unfit() {
    let valuation = Valuation { globals: [(O, Value::Object(ObjectId(5)))].into(), ..Valuation::default() };
    assert_eq!(Build::new().value(USUAL, &valuation, &dot(var(O), V)), Err(Fault::Unfit));
}
