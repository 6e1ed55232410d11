//! What is read off a function before it is lowered: which of its variables become registers, which casts only mark the
//! lives of variables, whether it may have been optimised.
//!
//! Knows: the uses of locals. Never: code.

use crate::ir::attributes::FunctionFlags;
use crate::ir::{Callee, CastOp, Constant, Function, LocalId, Metadata, Module, Op, Operand, TypeId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The variables whose address is only loaded from and stored to, as a whole.
pub(super) fn promotable(module: &Module, function: &Function) -> Vec<bool> {
    let mut types: Vec<Option<TypeId>> = vec![None; function.types.len()];
    let entry = function.blocks.first().map(|it| it.instructions.as_slice()).unwrap_or_default();
    for instruction in entry {
        if let (Some(local), Op::Alloca { ty, count: None }) = (instruction.result, &instruction.op)
            && module.bits(*ty).is_some_and(|it| it <= 64)
        {
            types[local.index()] = Some(*ty);
        }
    }
    let marks = lifetime_casts(module, function);
    let mut reject = |operand: Operand| {
        if let Operand::Local(local) = operand {
            types[local.index()] = None;
        }
    };
    // First everything that is not a direct access; then accesses of another type.
    for instruction in function.blocks.iter().flat_map(|it| &it.instructions) {
        match &instruction.op {
            Op::Load { .. } => {}
            Op::Store { value, .. } => reject(*value),
            Op::Call(call) if is_lifetime(module, call) => {}
            Op::Cast { .. } if instruction.result.is_some_and(|it| marks.contains_key(&it)) => {}
            op => for_each_operand(op, &mut reject),
        }
    }
    for instruction in function.blocks.iter().flat_map(|it| &it.instructions) {
        if let Op::Load { ty, ptr: Operand::Local(local) } | Op::Store { ty, ptr: Operand::Local(local), .. } =
            &instruction.op
            && types[local.index()].is_some_and(|it| it != *ty)
        {
            types[local.index()] = None;
        }
    }
    types.iter().map(Option::is_some).collect()
}

/// Whether a compiler may have moved or made up operations here: unless it says that it has not.
pub(super) fn may_be_optimised(module: &Module, function: &Function) -> bool {
    let subprogram = function.debug.and_then(|it| module.metadata.get(&it));
    match subprogram {
        _ if module.flags(&function.attributes).has(FunctionFlags::OPTNONE) => false,
        Some(Metadata::Subprogram { optimised, .. }) => *optimised,
        _ => true,
    }
}

/// Bytes of the stack that a function takes while it calls another, at least: the return address, and what is below it up
/// to where the stack is aligned again (System V ABI, 3.2.2). What was not optimised has the caller's frame pointer and all
/// its variables there.
pub(super) fn stack(module: &Module, function: &Function, may_be_optimised: bool) -> u64 {
    const ADDRESS: u64 = 8;
    let entry = function.blocks.first().map(|it| it.instructions.as_slice()).unwrap_or_default();
    let variables = entry.iter().filter_map(|it| match it.op {
        Op::Alloca { ty, count: None } if !may_be_optimised => module.layout(ty).map(|it| it.size),
        _ => None,
    });
    let first = if may_be_optimised { ADDRESS } else { 2 * ADDRESS };
    variables.fold(first, u64::saturating_add).checked_next_multiple_of(16).unwrap_or(u64::MAX)
}

/// Before opaque pointers, what marks the life of a variable takes a cast of its address: each such cast that is good
/// for nothing else, with the variable.
pub(super) fn lifetime_casts(module: &Module, function: &Function) -> FxHashMap<LocalId, LocalId> {
    let instructions = || function.blocks.iter().flat_map(|it| &it.instructions);
    let mut res: FxHashMap<LocalId, LocalId> = instructions()
        .filter_map(|it| match (it.result, &it.op) {
            (Some(result), Op::Cast { op: CastOp::BitCast, value: Operand::Local(variable), .. }) => {
                Some((result, *variable))
            }
            _ => None,
        })
        .collect();
    for instruction in instructions() {
        match &instruction.op {
            Op::Call(call) if is_lifetime(module, call) => {}
            op => for_each_operand(op, &mut |operand| {
                if let Operand::Local(used) = operand {
                    res.remove(&used);
                }
            }),
        }
    }
    res
}

pub(super) fn is_lifetime(module: &Module, call: &crate::ir::Call) -> bool {
    callee_name(module, call).is_some_and(|it| it.starts_with("llvm.lifetime."))
}

pub(super) fn callee_name<'a>(module: &'a Module, call: &crate::ir::Call) -> Option<&'a Arc<str>> {
    let Callee::Operand(Operand::Const(id)) = call.callee else { return None };
    match module.constant(id) {
        Constant::Global(global) => Some(&module.globals[global.index()].name),
        _ => None,
    }
}

pub(super) fn for_each_operand(op: &Op, visit: &mut impl FnMut(Operand)) {
    match op {
        Op::Ret(value) => value.iter().for_each(|it| visit(it.1)),
        Op::Br(_) | Op::Unreachable | Op::Fence | Op::LandingPad { .. } | Op::Unsupported(_) => {}
        Op::CondBr { cond, .. } => visit(*cond),
        Op::Resume { value, .. } => visit(*value),
        Op::Switch { value, .. } => visit(*value),
        Op::Binary { a, b, .. } | Op::Icmp { a, b, .. } | Op::Fcmp { a, b, .. } | Op::ShuffleVector { a, b, .. } => {
            visit(*a);
            visit(*b);
        }
        Op::FNeg { a, .. } | Op::Freeze { a, .. } | Op::ExtractValue { a, .. } => visit(*a),
        Op::Cast { value, .. } => visit(*value),
        Op::Phi { incoming, .. } => incoming.iter().for_each(|it| visit(it.0)),
        Op::Select { cond, a, b, .. } => [*cond, *a, *b].into_iter().for_each(visit),
        Op::Alloca { count, .. } => count.iter().for_each(|it| visit(it.1)),
        Op::Load { ptr, .. } => visit(*ptr),
        Op::Store { value, ptr, .. } | Op::AtomicRmw { value, ptr, .. } => {
            visit(*value);
            visit(*ptr);
        }
        Op::Gep { base, indices, .. } => {
            visit(*base);
            indices.iter().for_each(|it| visit(it.1));
        }
        Op::InsertValue { a, value, .. } => [*a, *value].into_iter().for_each(visit),
        Op::ExtractElement { a, index, .. } => [*a, *index].into_iter().for_each(visit),
        Op::InsertElement { a, value, index, .. } => [*a, *value, *index].into_iter().for_each(visit),
        Op::CmpXchg { ptr, expected, new, .. } => [*ptr, *expected, *new].into_iter().for_each(visit),
        Op::VaArg { list, .. } => visit(*list),
        Op::Call(call) => {
            if let Callee::Operand(operand) = call.callee {
                visit(operand);
            }
            call.arguments.iter().filter_map(|it| it.value).for_each(visit);
        }
    }
}
