//! What the compiler promises of values that are loaded: `!range` with `!noundef`, as rustc does of every `bool`, `char`
//! and enumeration. Where the promise does not hold, the program has made a value that its type does not have.
//!
//! Knows: how a promise becomes a check. Never: execution.
//! Source: LLVM Language Reference, "range Metadata", "noundef Metadata"; The Rust Reference, "Behavior considered
//! undefined", "Producing an invalid value".
//!
//! `!range` alone gives poison, which need not be used: it is not checked. Nor is `trunc nuw`, which may be computed where
//! the program does not ask for it.

use super::function::{Lowering, Result};
use crate::checks::UNDEFINED_BEHAVIOUR;
use crate::code::{Flags, Inst, Opnd, Reg, Seen, Trap};
use crate::ir::{BinaryOp, IntPredicate, Metadata, TypeId};
use crate::value::{Val, truncate};

/// Wider integers are not checked.
const MOST_BITS: u16 = 64;

impl Lowering<'_, '_> {
    /// What was loaded into `dst` must be in the ranges that metadata `range` names.
    pub(super) fn check_range(&mut self, dst: Reg, ty: TypeId, range: u32) -> Result<()> {
        let Some(Metadata::Ranges(ranges)) = self.module.metadata.get(&range) else { return Ok(()) };
        let (lanes, width) = self.lanes(ty)?;
        if lanes != 0 || width > MOST_BITS {
            return Ok(());
        }
        let bits = |it: i128| truncate(it as u64, u32::from(width));
        let mut cond: Option<Reg> = None;
        for &(from, to) in ranges.iter() {
            let is_in = self.is_in_range(Opnd::reg(dst), width, bits(from), bits(to.wrapping_sub(from)));
            cond = Some(match cond {
                Some(before) => {
                    let either = self.temporary();
                    let (op, flags) = (BinaryOp::Or, Flags::default());
                    let (a, b) = (Opnd::reg(before), Opnd::reg(is_in));
                    self.emit(Inst::Bin { op, flags, lanes: 0, width: 1, dst: either, a, b });
                    either
                }
                None => is_in,
            });
        }
        let Some(cond) = cond else { return Ok(()) };
        let what = match ranges[..] {
            [(0, 2)] if width == 8 => "a bool is read that is neither 0 nor 1".to_owned(),
            _ => {
                let ranges = ranges.iter().map(|&(from, to)| match (bits(from), bits(to.wrapping_sub(1))) {
                    (from, to) if from == to => from.to_string(),
                    (from, to) => format!("from {from} to {to}"),
                });
                format!(
                    "a value is read that its type does not have, which is {}",
                    ranges.collect::<Vec<_>>().join(" or ")
                )
            }
        };
        let trap = Trap { kind: UNDEFINED_BEHAVIOUR, what: what.into(), seen: Seen::Sanitizer };
        self.check(Opnd::reg(cond), true, trap);
        Ok(())
    }

    /// Whether `a` is one of the `count` numbers from `from` on.
    fn is_in_range(&mut self, a: Opnd, width: u16, from: u64, count: u64) -> Reg {
        let mut a = a;
        if from != 0 {
            let (dst, b) = (self.temporary(), self.constant(Val::Int(from)));
            self.emit(Inst::Bin { op: BinaryOp::Sub, flags: Flags::default(), lanes: 0, width, dst, a, b });
            a = Opnd::reg(dst);
        }
        let (dst, b) = (self.temporary(), self.constant(Val::Int(count)));
        self.emit(Inst::Icmp { pred: IntPredicate::Ult, lanes: 0, width, dst, a, b });
        dst
    }
}
