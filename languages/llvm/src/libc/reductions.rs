//! `llvm.vector.reduce.*` of integers: the lanes of a vector become one number, as optimisers end a loop that they have
//! made parallel.
//!
//! Knows: LLVM Language Reference, "Vector Reduction Intrinsics". Never: those of floats, whose order matters.

use crate::code::{Call, Shape};
use crate::machine::{Flow, Machine};
use crate::value::Val;
use effigy_term::{Term, Terms, Width};

type Done = Flow<Option<Val>>;

fn reduced(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], op: impl Fn(&Terms, Term, Term) -> Term) -> Done {
    let Some(Shape::Scalar { width, .. }) = call.result else {
        return Err(it.unsupported("a vector that is reduced to no number"));
    };
    let Some(Val::Agg(lanes)) = arguments.first() else { return Ok(Some(Val::Undef)) };
    // Poison in one lane is poison in the result.
    if lanes.iter().any(|it| matches!(it, Val::Undef)) {
        return Ok(Some(Val::Undef));
    }
    let lanes: Vec<Term> = lanes.iter().map(|value| it.term(value, Width::of(width))).collect();
    let terms = it.ctx.terms;
    let Some(res) = lanes.into_iter().reduce(|sum, lane| op(terms, sum, lane)) else { return Ok(Some(Val::Undef)) };
    // A number of one bit is a truth.
    let res = if width == 1 { terms.eq(res, terms.bv_u64(Width::W1, 1)) } else { res };
    Ok(Some(it.of_term(res)))
}

macro_rules! reductions {
    ($($name:ident: |$terms:ident, $a:ident, $b:ident| $body:expr;)*) => {
        $(pub(crate) fn $name(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
            reduced(it, call, arguments, |$terms, $a, $b| $body)
        })*
    };
}

reductions! {
    add: |terms, a, b| terms.bv_add(a, b);
    mul: |terms, a, b| terms.bv_mul(a, b);
    and: |terms, a, b| terms.bv_and(a, b);
    or: |terms, a, b| terms.bv_or(a, b);
    xor: |terms, a, b| terms.bv_xor(a, b);
    smax: |terms, a, b| terms.ite(terms.bv_slt(a, b), b, a);
    smin: |terms, a, b| terms.ite(terms.bv_slt(a, b), a, b);
    umax: |terms, a, b| terms.ite(terms.bv_ult(a, b), b, a);
    umin: |terms, a, b| terms.ite(terms.bv_ult(a, b), a, b);
}
