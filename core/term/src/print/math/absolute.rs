//! The absolute value of a number, as programs say it: `x < 0 ? -x : x`.
//!
//! Knows: in which ways that is written. Never: a notation.

use crate::node::{Node, Term};
use crate::plain::{Fact, facts};
use crate::sort::Sort;
use crate::terms::Terms;
use num_bigint::BigInt;
use num_traits::Zero;

/// What an if-then-else is the absolute value of; of `x` and `−x` the shorter.
pub fn absolute(terms: &Terms, cond: Term, then: Term, other: Term) -> Option<Term> {
    let is_below: fn(&Terms, Term, Term) -> Option<bool> = match terms.sort(then) {
        Sort::Int if terms.int_neg(then) == other => at_most,
        Sort::BitVec(_) if terms.bv_neg(then) == other => below_zero,
        _ => return None,
    };
    let then_is_below = match is_below(terms, cond, then) {
        Some(below) => below,
        None => !is_below(terms, cond, other)?,
    };
    let is_sum = |it: Term| matches!(terms.node(it), Node::IntPoly(_) | Node::BvSum(_));
    (!then_is_below).then_some(if is_sum(then) && !is_sum(other) { other } else { then })
}

/// Whether `cond` says `of ≤ 0` or `of < 0` (true), or the opposite of one of these (false).
fn at_most(terms: &Terms, cond: Term, of: Term) -> Option<bool> {
    // The smaller bound is that of what is negative.
    let zero = BigInt::zero();
    let (sum, said) = facts(terms, cond)?;
    let turned = match () {
        () if sum == of => false,
        () if sum == terms.int_neg(of) => true,
        () => return None,
    };
    let below = match &said[..] {
        [Fact::AtMost(most)] if *most == zero || *most == BigInt::from(-1) => true,
        [Fact::AtLeast(least)] if *least == zero || *least == BigInt::from(1) => false,
        _ => return None,
    };
    Some(below != turned)
}

/// The same for bitvectors.
fn below_zero(terms: &Terms, cond: Term, of: Term) -> Option<bool> {
    let zero = |it: Term| terms.as_bv(it).is_some_and(|it| it.is_zero());
    match *terms.node(cond) {
        Node::Slt(a, b) if a == of && zero(b) => Some(true),
        Node::Slt(a, b) if b == of && zero(a) => Some(false),
        Node::Not(inner) => match *terms.node(inner) {
            Node::Slt(a, b) if a == of && zero(b) => Some(false),
            Node::Slt(a, b) if b == of && zero(a) => Some(true),
            _ => None,
        },
        _ => None,
    }
}
