//! Amounts of shifts that are wider than what is shifted: clang cuts them first, so that `1 << 0x100000000` shifts by 0.
//!
//! Knows: how clang names the cut amount. Never: what a shift does.
//!
//! The left operand's own type is compared with the whole amount (C17 6.5.7). Of shifts to the left clang's sanitizer
//! does so, too; of those to the right it looks at what was cut, so that no native run would show a bug there: such a
//! path ends as unsupported.

use crate::checks::SHIFT_TOO_LARGE;
use crate::code::{Seen, Trap};
use crate::ir::{BinaryOp, Function, LocalId, Op, Operand};
use rustc_hash::FxHashMap;

/// What clang calls an amount that it has brought to the width of the left operand.
const NAME: &str = "sh_prom";

/// The amounts that clang has made, and whether they are of shifts to the right.
pub(super) fn amounts(function: &Function) -> FxHashMap<LocalId, bool> {
    let is_made = |it: &LocalId| function.names[it.index()].as_ref().is_some_and(|it| it.starts_with(NAME));
    let all = function.blocks.iter().flat_map(|it| &it.instructions);
    all.filter_map(|it| match it.op {
        Op::Binary { op: BinaryOp::Shl, b: Operand::Local(amount), .. } => Some((amount, false)),
        Op::Binary { op: BinaryOp::LShr | BinaryOp::AShr, b: Operand::Local(amount), .. } => Some((amount, true)),
        _ => None,
    })
    .filter(|it| is_made(&it.0))
    .collect()
}

/// What it means that the whole amount of `wide` bits is no less than the `width` of what is shifted.
pub(super) fn trap(to_the_right: bool, width: u16, wide: u16) -> Trap {
    let (what, seen) = if to_the_right {
        let what = format!("a shift to the right by an amount of {wide} bits, of which the compiler drops some");
        (what, Seen::Nobody)
    } else {
        let what = format!("a value of {width} bits can be shifted by {width} or more, in an amount of {wide} bits");
        (what, Seen::Sanitizer)
    };
    Trap { kind: SHIFT_TOO_LARGE, what: what.into(), seen }
}
