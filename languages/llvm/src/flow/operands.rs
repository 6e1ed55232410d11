//! What an instruction reads and writes, and how it is told of other registers.

use super::blocks::edges;
use crate::code::{Code, Inst, Opnd, Reg, Target};

/// The operands that an instruction reads, but for those of the edges by which it leaves.
pub(crate) fn reads(code: &Code, inst: &Inst, read: &mut dyn FnMut(Opnd)) {
    match *inst {
        Inst::Life { ptr, .. } | Inst::AnyContent { ptr } | Inst::Load { ptr, .. } | Inst::LoadShape { ptr, .. } => {
            read(ptr)
        }
        Inst::Mov { a, .. }
        | Inst::FNeg { a, .. }
        | Inst::Cast { a, .. }
        | Inst::BitCast { a, .. }
        | Inst::Freeze { a, .. }
        | Inst::ExtractValue { a, .. }
        | Inst::ThreadLocal { a, .. }
        | Inst::Defined { a, .. } => read(a),
        Inst::AtomicBegin { ptr, .. } => read(ptr),
        Inst::AtomicEnd { ptr, wrote, .. } => [ptr, wrote].into_iter().for_each(read),
        Inst::Bin { a, b, .. }
        | Inst::Icmp { a, b, .. }
        | Inst::IcmpPtr { a, b, .. }
        | Inst::Fcmp { a, b, .. }
        | Inst::Shuffle { a, b, .. }
        | Inst::Pair { a, b, .. } => [a, b].into_iter().for_each(read),
        Inst::Select { cond, a, b, .. } => [cond, a, b].into_iter().for_each(read),
        Inst::Alloca { alloca, .. } => code.allocas[alloca as usize].count.iter().for_each(|it| read(it.0)),
        Inst::Store { ptr, value, .. } | Inst::StoreShape { ptr, value, .. } => [ptr, value].into_iter().for_each(read),
        Inst::Offset { base, .. } => read(base),
        Inst::Index { base, index, .. } => [base, index].into_iter().for_each(read),
        Inst::InsertValue { a, value, .. } => [a, value].into_iter().for_each(read),
        Inst::ExtractElement { a, index, .. } => [a, index].into_iter().for_each(read),
        Inst::InsertElement { a, value, index, .. } => [a, value, index].into_iter().for_each(read),
        Inst::Branch { cond, .. } | Inst::Check { cond, .. } => read(cond),
        Inst::Switch { switch } => read(code.switches[switch as usize].value),
        Inst::Call { call } => {
            let call = &code.calls[call as usize];
            if let Target::Address(address) = call.target {
                read(address);
            }
            call.arguments.iter().for_each(|it| read(it.value));
        }
        Inst::Ret { value } => value.into_iter().for_each(read),
        Inst::Jump { .. } | Inst::Fence { .. } | Inst::Unreachable | Inst::Unsupported { .. } => {}
    }
}

/// The register that an instruction writes.
pub(crate) fn written(code: &Code, inst: &Inst) -> Option<Reg> {
    match *inst {
        Inst::Mov { dst, .. }
        | Inst::Bin { dst, .. }
        | Inst::FNeg { dst, .. }
        | Inst::Icmp { dst, .. }
        | Inst::IcmpPtr { dst, .. }
        | Inst::Fcmp { dst, .. }
        | Inst::Cast { dst, .. }
        | Inst::BitCast { dst, .. }
        | Inst::Select { dst, .. }
        | Inst::Freeze { dst, .. }
        | Inst::Alloca { dst, .. }
        | Inst::Load { dst, .. }
        | Inst::LoadShape { dst, .. }
        | Inst::Offset { dst, .. }
        | Inst::Index { dst, .. }
        | Inst::ExtractValue { dst, .. }
        | Inst::InsertValue { dst, .. }
        | Inst::ExtractElement { dst, .. }
        | Inst::InsertElement { dst, .. }
        | Inst::Shuffle { dst, .. }
        | Inst::ThreadLocal { dst, .. }
        | Inst::Pair { dst, .. } => Some(dst),
        Inst::Call { call } => code.calls[call as usize].dst,
        Inst::Life { .. }
        | Inst::AnyContent { .. }
        | Inst::AtomicBegin { .. }
        | Inst::AtomicEnd { .. }
        | Inst::Fence { .. }
        | Inst::Defined { .. }
        | Inst::Store { .. }
        | Inst::StoreShape { .. }
        | Inst::Jump { .. }
        | Inst::Branch { .. }
        | Inst::Check { .. }
        | Inst::Switch { .. }
        | Inst::Ret { .. }
        | Inst::Unreachable
        | Inst::Unsupported { .. } => None,
    }
}

/// Gives the registers of an instruction, and those of the edges by which it leaves, other numbers. What it has in tables
/// is its own.
pub(crate) fn rename(code: &mut Code, inst: &mut Inst, number: &dyn Fn(Reg) -> Reg) {
    let other = |it: &mut Opnd| {
        if let Ok(register) = it.decode() {
            *it = Opnd::reg(number(register as Reg));
        }
    };
    for edge in edges(code, inst) {
        for (to, from) in &mut code.edges[edge as usize].moves {
            *to = number(*to);
            other(from);
        }
    }
    match inst {
        Inst::Mov { dst, a }
        | Inst::FNeg { dst, a, .. }
        | Inst::Cast { dst, a, .. }
        | Inst::BitCast { dst, a, .. }
        | Inst::Freeze { dst, a, .. }
        | Inst::ExtractValue { dst, a, .. }
        | Inst::Load { dst, ptr: a, .. }
        | Inst::ThreadLocal { dst, a }
        | Inst::LoadShape { dst, ptr: a, .. }
        | Inst::Offset { dst, base: a, .. } => {
            other(a);
            *dst = number(*dst);
        }
        Inst::Bin { dst, a, b, .. }
        | Inst::Icmp { dst, a, b, .. }
        | Inst::IcmpPtr { dst, a, b, .. }
        | Inst::Fcmp { dst, a, b, .. }
        | Inst::Shuffle { dst, a, b, .. }
        | Inst::Pair { dst, a, b }
        | Inst::Index { dst, base: a, index: b, .. }
        | Inst::InsertValue { dst, a, value: b, .. }
        | Inst::ExtractElement { dst, a, index: b } => {
            [a, b].into_iter().for_each(other);
            *dst = number(*dst);
        }
        Inst::Select { dst, cond: a, a: b, b: c, .. } | Inst::InsertElement { dst, a, value: b, index: c } => {
            [a, b, c].into_iter().for_each(other);
            *dst = number(*dst);
        }
        Inst::Alloca { dst, alloca } => {
            code.allocas[*alloca as usize].count.iter_mut().for_each(|it| other(&mut it.0));
            *dst = number(*dst);
        }
        Inst::Store { ptr, value, .. } | Inst::StoreShape { ptr, value, .. } => {
            [ptr, value].into_iter().for_each(other)
        }
        Inst::AtomicEnd { ptr, wrote, .. } => [ptr, wrote].into_iter().for_each(other),
        Inst::Life { ptr: it, .. }
        | Inst::AtomicBegin { ptr: it, .. }
        | Inst::AnyContent { ptr: it }
        | Inst::Branch { cond: it, .. }
        | Inst::Check { cond: it, .. }
        | Inst::Defined { a: it, .. }
        | Inst::Ret { value: Some(it) } => other(it),
        Inst::Switch { switch } => other(&mut code.switches[*switch as usize].value),
        Inst::Call { call } => {
            let call = &mut code.calls[*call as usize];
            if let Target::Address(address) = &mut call.target {
                other(address);
            }
            call.arguments.iter_mut().for_each(|it| other(&mut it.value));
            call.dst = call.dst.map(number);
        }
        Inst::Ret { value: None }
        | Inst::Fence { .. }
        | Inst::Jump { .. }
        | Inst::Unreachable
        | Inst::Unsupported { .. } => {}
    }
}
