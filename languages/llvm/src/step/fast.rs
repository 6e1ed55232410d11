//! The tight loop over concrete instructions.
//!
//! Knows: the instructions that need neither terms nor questions, on concrete operands. Everything else it leaves to
//! the machine, at the instruction where it stopped. The tests run every corpus program with and without it.

use super::arithmetic::{compare, concrete, signed_overflows};
use super::floats::is_float;
use crate::checks::SIGNED_OVERFLOW;
use crate::code::{Inst, NO_SITE, Opnd};
use crate::ir::{BinaryOp, CastOp};
use crate::machine::Executable;
use crate::memory::{Lookup, Memory, Object, ObjectId, ObjectKind, Size};
use crate::options::Integers;
use crate::state::State;
use crate::value::{Val, signed, truncate};
use effigy_engine::{Context, Site};
use std::rc::Rc;

/// Runs concrete instructions until there is none, or the fuel is used up.
///
/// Where paths are merged (`merges`), the machine goes along edges: it counts rounds.
pub(crate) fn run_fast(program: &Executable, ctx: &mut Context<'_>, state: &mut State, fuel: &mut u64, merges: bool) {
    let code = &program.code;
    let State { memory, frames, strays, process, threads, .. } = state;
    // What several threads do to memory is looked at.
    let alone = !threads.are_several();
    // The host's numbers are what the program has, and nothing is asked of results.
    let has_host_floats = process.rounding.is_none() && !program.options.checks.look_at_floats();
    let strayed = !strays.is_empty();
    let Some(frame) = frames.last_mut() else { return };
    let frame = Rc::make_mut(frame);
    let function = &code.functions[frame.function as usize];
    let registers = &mut frame.registers[..];
    let constants = &code.constants[..];
    let overflow = program.options.checks.is_on(SIGNED_OVERFLOW) || program.options.integers == Integers::Ideal;
    let mut pc = frame.pc as usize;
    let mut left = *fuel;

    /// The concrete value of an operand, or out of the loop.
    macro_rules! int {
        ($operand:expr) => {
            match operand(registers, constants, $operand) {
                &Val::Int(bits) => bits,
                _ => break,
            }
        };
    }

    while left > 0 {
        match function.code[pc] {
            Inst::Mov { dst, a } => {
                let value = copied(operand(registers, constants, a));
                registers[dst as usize] = value;
                pc += 1;
            }
            Inst::Bin { op, flags, lanes: 0, width, dst, a, b } if width <= 64 => {
                let width = u32::from(width);
                let (a, b) = (operand(registers, constants, a), operand(registers, constants, b));
                let &Val::Int(x) = a else {
                    let Some(distance) = distance(op, a, b) else { break };
                    registers[dst as usize] = Val::Int(distance);
                    pc += 1;
                    left -= 1;
                    continue;
                };
                let &Val::Int(y) = b else { break };
                let (a, b) = (x, y);
                if flags.nsw && overflow && signed_overflows(op, width, a, b) {
                    break;
                }
                if is_float(op) && !has_host_floats {
                    break;
                }
                let Some(res) = concrete(op, width, a, b) else { break };
                registers[dst as usize] = Val::Int(res);
                pc += 1;
            }
            Inst::Icmp { pred, lanes: 0, width, dst, a, b } if width <= 64 => {
                let (a, b) = (int!(a), int!(b));
                registers[dst as usize] = Val::Int(u64::from(compare(pred, u32::from(width), a, b)));
                pc += 1;
            }
            Inst::IcmpPtr { pred, dst, a, b } => {
                let (a, b) = (int!(a), int!(b));
                // Of two objects that are not the same, the machine knows whether they lie apart.
                if strayed || (a >> 32 != b >> 32 && a >> 32 != 0 && b >> 32 != 0) {
                    break;
                }
                registers[dst as usize] = Val::Int(u64::from(compare(pred, 64, a, b)));
                pc += 1;
            }
            Inst::Branch { cond, then, other } if !merges => {
                let edge = if int!(cond) & 1 == 1 { then } else { other };
                pc = take(program, ctx, registers, edge);
            }
            Inst::Check { cond, holds, .. } if (int!(cond) & 1 == 1) == holds => pc += 1,
            Inst::Defined { a, .. } => {
                int!(a);
                pc += 1;
            }
            Inst::AtomicBegin { .. } | Inst::AtomicEnd { .. } | Inst::Fence { .. } if alone => pc += 1,
            Inst::ThreadLocal { dst, a } if alone => {
                registers[dst as usize] = copied(operand(registers, constants, a));
                pc += 1;
            }
            Inst::Jump { edge } if !merges => pc = take(program, ctx, registers, edge),
            Inst::Load { dst, ptr, size, width, number, .. } if alone => {
                let (id, offset) = ObjectId::of_address(int!(ptr));
                let Lookup::Object(object @ Object { ended: None, .. }) = memory.lookup(id) else { break };
                let Size::Known(known) = object.accessible() else { break };
                let size = u64::from(size);
                if offset < 0 || size > 8 || (offset as u64).saturating_add(size) > known {
                    break;
                }
                let Some(bits) = object.bytes.load_concrete(offset as usize, size as usize) else { break };
                if number
                    && object.bytes.may_hold_addresses()
                    && memory.is_part_of_address(&object.bytes, offset as usize, size as usize)
                {
                    break;
                }
                registers[dst as usize] = Val::Int(truncate(bits, u32::from(width)));
                pc += 1;
            }
            Inst::Store { ptr, value, size, .. } if alone => {
                let (address, bits) = (int!(ptr), int!(value));
                let (id, offset) = ObjectId::of_address(address);
                let Some(object @ Object { ended: None, .. }) = memory.object_mut(id) else { break };
                let Size::Known(known) = object.accessible() else { break };
                let size = u64::from(size);
                let writable =
                    !matches!(object.kind, ObjectKind::Constant | ObjectKind::Function) && object.unknown.is_none();
                if !writable || offset < 0 || size > 8 || (offset as u64).saturating_add(size) > known {
                    break;
                }
                Rc::make_mut(&mut object.bytes).store_concrete(ctx.terms, offset as usize, size as usize, bits);
                pc += 1;
            }
            Inst::Offset { dst, base, offset, .. } => {
                let base = int!(base);
                let address = base.wrapping_add(offset as u64);
                if strayed || address >> 32 != base >> 32 {
                    break;
                }
                registers[dst as usize] = Val::Int(address);
                pc += 1;
            }
            Inst::Index { dst, base, index, width, scale, distance } => {
                let (base, index) = (int!(base), int!(index));
                let Some(offset) = distance.bytes(signed(index, u32::from(width)), scale) else { break };
                let address = base.wrapping_add(offset as u64);
                if strayed || address >> 32 != base >> 32 {
                    break;
                }
                registers[dst as usize] = Val::Int(address);
                pc += 1;
            }
            Inst::Cast { op, lanes: 0, from, to, dst, a } if from <= 64 && to <= 64 => {
                if matches!(op, CastOp::PtrToInt | CastOp::IntToPtr) {
                    let value = operand(registers, constants, a);
                    let Some(value) = between_pointers(memory, strayed, op, to, value) else { break };
                    registers[dst as usize] = value;
                    pc += 1;
                    left -= 1;
                    continue;
                }
                let bits = int!(a);
                let bits = match op {
                    CastOp::Trunc | CastOp::ZExt => bits,
                    CastOp::SExt => signed(bits, u32::from(from)) as u64,
                    _ => break,
                };
                registers[dst as usize] = Val::Int(truncate(bits, u32::from(to)));
                pc += 1;
            }
            Inst::Select { dst, cond, a, b, .. } => {
                let chosen = if int!(cond) & 1 == 1 { a } else { b };
                let value = copied(operand(registers, constants, chosen));
                if matches!(value, Val::Agg(_)) {
                    break;
                }
                registers[dst as usize] = value;
                pc += 1;
            }
            _ => break,
        }
        left -= 1;
    }
    frame.pc = pc as u32;
    *fuel = left;
}

/// The distance of two pointers into one object.
#[inline(never)]
fn distance(op: BinaryOp, a: &Val, b: &Val) -> Option<u64> {
    match (a, b) {
        (&Val::Address { bits: a, .. }, &Val::Address { bits: b, .. }) if op == BinaryOp::Sub && a >> 32 == b >> 32 => {
            Some(a.wrapping_sub(b))
        }
        _ => None,
    }
}

/// A pointer as a number, or such a number as a pointer.
#[inline(never)]
fn between_pointers(memory: &Memory, strayed: bool, op: CastOp, to: u16, value: &Val) -> Option<Val> {
    if strayed || to != 64 {
        return None;
    }
    match (op, value) {
        (CastOp::PtrToInt, &Val::Int(bits)) => {
            let id = ObjectId::of_address(bits).0;
            let is_number = matches!(memory.lookup(id), Lookup::Null | Lookup::Wild);
            Some(if is_number { Val::Int(bits) } else { Val::Address { bits, align: memory.alignment(id) } })
        }
        (CastOp::IntToPtr, &(Val::Int(bits) | Val::Address { bits, .. })) => Some(Val::Int(bits)),
        _ => None,
    }
}

#[inline(always)]
fn operand<'a>(registers: &'a [Val], constants: &'a [Val], operand: Opnd) -> &'a Val {
    match operand.decode() {
        Ok(reg) => &registers[reg],
        Err(constant) => &constants[constant],
    }
}

/// A copy; most values are plain numbers.
#[inline(always)]
fn copied(value: &Val) -> Val {
    match value {
        Val::Int(bits) => Val::Int(*bits),
        other => other.clone(),
    }
}

/// Goes along an edge: coverage, copies for phis; the next instruction.
#[inline]
fn take(program: &Executable, ctx: &mut Context<'_>, registers: &mut [Val], edge: u32) -> usize {
    let edge = &program.code.edges[edge as usize];
    if edge.site != NO_SITE {
        ctx.coverage.reach(Site(edge.site));
    }
    ctx.coverage.reach(Site(edge.block_site));
    for &(dst, source) in &edge.moves {
        let value = copied(operand(registers, &program.code.constants, source));
        registers[dst as usize] = value;
    }
    edge.target as usize
}
