//! Functions of which only their congruence is known: where they are given the same, they return the same.
//!
//! Knows: what they have returned on this path. Never: which functions are meant (`names`).
//! Source: CBMC's convention `__CPROVER_uninterpreted_*`.

use crate::code::{Call, Shape};
use crate::machine::{Flow, Machine};
use crate::names::is_unsigned;
use crate::process::Application;
use crate::value::Val;
use effigy_term::{Term, Width};
use std::rc::Rc;
use std::sync::Arc;

fn width_of(call: &Call, index: usize) -> Width {
    match call.arguments.get(index).map(|it| &it.shape) {
        Some(Shape::Scalar { width, .. }) => Width::of(*width),
        _ => Width::W64,
    }
}

/// A call of a function of which only its name is known, and that it is one: an input, which is the same where the
/// arguments are.
pub(super) fn apply(
    it: &mut Machine<'_, '_>,
    name: &Arc<str>,
    call: &Call,
    result: Width,
    arguments: &[Val],
) -> Flow<Val> {
    let mut of_argument = |at: usize, value: &Val| it.term(value, width_of(call, at));
    let arguments: Rc<[Term]> = arguments.iter().enumerate().map(|(at, value)| of_argument(at, value)).collect();
    for &argument in arguments.iter() {
        it.require_defined(argument, "an argument of an uninterpreted function")?;
    }
    let width = Width::of(result.bits().max(8));
    let term = it.peek_input(name, width);
    let terms = it.ctx.terms;
    for before in it.state.process.applied.to_vec() {
        let sorts = |of: &[Term]| of.iter().map(|it| terms.sort(*it)).collect::<Vec<_>>();
        let same_result = terms.sort(before.result) == terms.sort(term);
        if before.name == *name && same_result && sorts(&before.arguments) == sorts(&arguments) {
            let pairs = before.arguments.iter().zip(arguments.iter());
            let same = terms.and_all(pairs.map(|(a, b)| terms.eq(*a, *b)));
            it.assume(terms.implies(same, terms.eq(before.result, term)))?;
        }
    }
    let term = it.input_number(name, width, !is_unsigned(name));
    it.state.process.applied.push(Application { name: Arc::clone(name), arguments, result: term });
    Ok(match result.bits() {
        1 => it.of_term(terms.eq(terms.bv_extract(0, 0, term), terms.bv_u64(Width::W1, 1))),
        _ => it.of_term(term),
    })
}
