//! Tail calls: which of them can become jumps.
//!
//! Knows: where LLVM's code generation looks for the end of the function behind a call (`isInTailCallPosition`). Never:
//! what a stack is. In doubt a call can be one: its caller takes no room then, and no overflow is told that there is not.

use super::promotion::callee_name;
use crate::ir::attributes::Tail;
use crate::ir::{Block, BlockId, Call, Constant, Function, Module, Op, Operand};

/// Whether the caller may have left the stack when the callee runs.
pub(super) fn may_be_a_jump(module: &Module, function: &Function, block: BlockId, call: &Call) -> bool {
    match call.tail {
        Tail::Must => true,
        Tail::May => is_last(module, function, block, call),
        _ => false,
    }
}

fn is_last(module: &Module, function: &Function, block: BlockId, call: &Call) -> bool {
    let Some(block) = function.blocks.get(block.index()) else { return true };
    let is_it = |op: &Op| matches!(op, Op::Call(it) if std::ptr::eq(&raw const **it, call));
    let Some(at) = block.instructions.iter().position(|it| is_it(&it.op)) else { return true };
    let result = block.instructions[at].result.map(Operand::Local);
    for instruction in &block.instructions[at + 1..] {
        match &instruction.op {
            // The code generation puts the return where the branch is.
            Op::Br(target) => return function.blocks.get(target.index()).is_none_or(|it| only_returns(module, it)),
            Op::Ret(Some((_, Operand::Const(id)))) => return matches!(module.constant(*id), Constant::Undef(_)),
            Op::Ret(_) => return true,
            Op::CondBr { .. } | Op::Switch { .. } | Op::Unreachable | Op::Load { .. } | Op::Store { .. } => {
                return false;
            }
            Op::Call(other) if !is_silent(module, other) => return false,
            Op::Binary { a, b, .. } if result == Some(*a) || result == Some(*b) => return false,
            _ => {}
        }
    }
    true
}

/// Whether nothing but the return is in a block, or the way to another one.
fn only_returns(module: &Module, block: &Block) -> bool {
    block.instructions.iter().all(|it| match &it.op {
        Op::Phi { .. } | Op::Ret(_) | Op::Br(_) | Op::Cast { .. } => true,
        Op::Call(call) => is_silent(module, call),
        _ => false,
    })
}

/// Whether a call is none in machine code.
fn is_silent(module: &Module, call: &Call) -> bool {
    const SILENT: &[&str] = &["llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.experimental.noalias."];
    callee_name(module, call).is_some_and(|name| SILENT.iter().any(|it| name.starts_with(it)))
}
