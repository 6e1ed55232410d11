//! Clang's own checks: a branch one side of which is `llvm.ubsantrap`, and expressions that clang has found to have no
//! value when it folded them.
//!
//! Knows: the IR that clang makes of its checks. Never: what they mean, what is executed.

use super::promotion::callee_name;
use crate::checks::{INDEX_OUT_OF_BOUNDS, of_clang};
use crate::code::{Seen, Trap};
use crate::ir::{Block, BlockId, Constant, Function, IntPredicate, Module, Op, Operand, Type, TypeId};

/// What follows where the check of a branch fails.
pub(super) struct Checked {
    /// The side that goes on, where the condition is this.
    pub(super) goes_on: bool,
    /// What the other one means.
    pub(super) trap: Trap,
}

/// Whether a branch is a check of clang's: just one side of it is a trap.
pub(super) fn checked(module: &Module, function: &Function, cond: Operand, sides: [BlockId; 2]) -> Option<Checked> {
    let handler = |it: BlockId| function.blocks.get(it.index()).and_then(|it| handler(module, it));
    let (goes_on, number) = match sides.map(handler) {
        [None, Some(number)] => (true, number),
        [Some(number), None] => (false, number),
        _ => return None,
    };
    let (kind, what) = of_clang(number);
    let most = (kind == INDEX_OUT_OF_BOUNDS).then(|| elements(module, function, cond)).flatten();
    let what = most.map_or_else(|| what.to_owned(), |it| format!("{what}, which has {it}"));
    Some(Checked { goes_on, trap: Trap { kind, what: what.into(), seen: Seen::Branch } })
}

/// The number of the check that a block traps for, if it does nothing else.
fn handler(module: &Module, block: &Block) -> Option<u64> {
    let [call, last] = &block.instructions[..] else { return None };
    let (Op::Call(call), Op::Unreachable) = (&call.op, &last.op) else { return None };
    let name = callee_name(module, call)?;
    let [argument] = &call.arguments[..] else { return None };
    match (&**name, argument.value) {
        ("llvm.ubsantrap", Some(Operand::Const(id))) => match module.constant(id) {
            Constant::Bits(bits) => bits.to_u64(),
            Constant::Zero(_) => Some(0),
            _ => None,
        },
        _ => None,
    }
}

/// The elements of the array whose index a condition checks: it is less than their number.
fn elements(module: &Module, function: &Function, cond: Operand) -> Option<String> {
    let Operand::Local(local) = cond else { return None };
    let mut all = function.blocks.iter().flat_map(|it| &it.instructions);
    let Op::Icmp { pred: IntPredicate::Ult | IntPredicate::Ule, b: Operand::Const(id), .. } =
        &all.find(|it| it.result == Some(local))?.op
    else {
        return None;
    };
    match module.constant(*id) {
        Constant::Bits(bits) => {
            Some(if bits.to_u64() == Some(1) { "1 element".to_owned() } else { format!("{bits} elements") })
        }
        _ => None,
    }
}

/// Whether an instruction that was not optimised has an operand that no expression of the source gives, but one that
/// clang has folded and found to have no value: `1 / 0`, `1 << -1`.
pub(super) fn is_folded(module: &Module, op: &Op) -> bool {
    let no_value = |ty: TypeId, value: Operand| {
        matches!(module.ty(ty), Type::Int(_) | Type::Float(_))
            && matches!(value, Operand::Const(id) if matches!(module.constant(id), Constant::Undef(_)))
    };
    match op {
        Op::Store { ty, value, .. } => no_value(*ty, *value),
        Op::Ret(Some((ty, value))) => no_value(*ty, *value),
        Op::Binary { ty, a, b, .. } | Op::Icmp { ty, a, b, .. } => no_value(*ty, *a) || no_value(*ty, *b),
        Op::Cast { from, value, .. } => no_value(*from, *value),
        Op::Switch { ty, value, .. } => no_value(*ty, *value),
        Op::CondBr { cond: Operand::Const(id), .. } => matches!(module.constant(*id), Constant::Undef(_)),
        _ => false,
    }
}
