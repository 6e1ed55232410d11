//! Arithmetic on addresses as numbers, as far as its result does not need a term.
//!
//! Knows: the low bits of an address that are the same wherever its object lies. Never: memory.

use crate::ir::{BinaryOp, CastOp};
use crate::value::Val;

/// Arithmetic of 64 bits on an address, as far as the result is one again, or is the same wherever the object lies.
pub(super) fn arithmetic(op: BinaryOp, a: &Val, b: &Val) -> Option<Val> {
    let (address, align, other, first) = match (a, b) {
        (&Val::Address { bits: x, .. }, &Val::Address { bits: y, .. }) => {
            return (op == BinaryOp::Sub && x >> 32 == y >> 32).then(|| Val::Int(x.wrapping_sub(y)));
        }
        (&Val::Address { bits, align }, &Val::Int(it)) => (bits, align, it, true),
        (&Val::Int(it), &Val::Address { bits, align }) => (bits, align, it, false),
        _ => return None,
    };
    let low = (1u64 << align) - 1;
    let moved = |bits: u64| (bits >> 32 == address >> 32).then_some(Val::Address { bits, align });
    match op {
        BinaryOp::Add => moved(address.wrapping_add(other)),
        BinaryOp::Sub if first => moved(address.wrapping_sub(other)),
        BinaryOp::And if other <= low => Some(Val::Int(address & other)),
        // Only low bits are cleared.
        BinaryOp::And if !other <= low => moved(address & other),
        BinaryOp::Or if other <= low => moved(address | other),
        BinaryOp::Xor if other <= low => moved(address ^ other),
        BinaryOp::URem if first && other.is_power_of_two() && other - 1 <= low => Some(Val::Int(address & (other - 1))),
        // An address is no negative number.
        BinaryOp::SRem if first && other.is_power_of_two() && other - 1 <= low => Some(Val::Int(address & (other - 1))),
        _ => None,
    }
}

/// A conversion of an address, if the result is the same wherever the object lies.
pub(super) fn converted(op: CastOp, to: u32, a: &Val) -> Option<Val> {
    match (op, a) {
        (CastOp::Trunc, Val::Address { bits, align }) if to <= u32::from(*align) => {
            Some(Val::Int(bits & ((1 << to) - 1)))
        }
        _ => None,
    }
}
