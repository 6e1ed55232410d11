//! What rounds of a loop change, and a state in which it is anything: the implementation of [`Havoc`].
//!
//! Knows: registers and cells, what must not change for an answer to be right. Never: invariants, rounds.
//! Source: k-induction as Donaldson, Haller, Kroening, Rümmer, "Software verification using k-induction", SAS 2011,
//! section 3: what a loop modifies is havocked; here what it modifies is what a round was seen to change.

use crate::call_frame::Frame;
use crate::code::{Home, Shape, SourceKind, SourceVariable};
use crate::memory::{Cell, ObjectId, ObjectKind, Size, UNDEFINED};
use crate::merge::same_process;
use crate::program::Program;
use crate::state::{State, counter};
use crate::value::Val;
use effigy_engine::{Apart, Context, Havoc, IntegerVariable};
use effigy_term::{Sort, SymbolKind, Term, Terms, Width};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// What rounds change.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Changes {
    /// Of each call, the outermost first, its registers with their bits.
    registers: BTreeSet<(usize, usize, u32)>,
    cells: BTreeSet<(ObjectId, Cell)>,
}

impl Havoc for Program {
    type Changes = Changes;

    fn changes(&self, ctx: &mut Context<'_>, before: &State, after: &State) -> Result<Changes, Apart> {
        if before.frames.len() != after.frames.len() || before.begun != after.begun || !after.answers.is_empty() {
            return Err(Apart("calls"));
        }
        if !Rc::ptr_eq(&before.strays, &after.strays) && !before.strays.is_same(&after.strays) {
            return Err(Apart("a pointer that leaves its object"));
        }
        let counted = |it: &State| (it.called_unknown, it.nan_bits, it.random);
        if counted(before) != counted(after) {
            return Err(Apart("a function that is not known"));
        }
        if !Rc::ptr_eq(&before.threads, &after.threads) {
            return Err(Apart("what threads have done"));
        }
        same_process(&before.process, &after.process)?;
        let mut res = Changes::default();
        for (at, (a, b)) in before.frames.iter().zip(after.frames.iter()).enumerate() {
            if !Rc::ptr_eq(a, b) {
                self.changed_registers(ctx.terms, at, a, b, &mut res)?;
            }
        }
        res.cells = before.memory.changed(&after.memory, ctx.terms)?;
        Ok(res)
    }

    fn joined(&self, a: &Changes, b: &Changes) -> Changes {
        Changes {
            registers: a.registers.union(&b.registers).copied().collect(),
            cells: a.cells.union(&b.cells).copied().collect(),
        }
    }

    fn havoc(&self, ctx: &mut Context<'_>, state: &State, changes: &Changes) -> State {
        let mut res = state.clone();
        for &(frame, register, bits) in &changes.registers {
            let term = any(ctx, &mut res.fresh, bits);
            let value = match bits {
                1 => ctx.terms.eq(term, ctx.terms.bv_u64(Width::W1, 1)),
                _ => term,
            };
            if let Some(frame) = res.frames.get_mut(frame) {
                Rc::make_mut(frame).registers[register] = Val::Term(value);
            }
        }
        for &(object, cell) in &changes.cells {
            match cell {
                Cell::Bytes(start, size) => {
                    let term = any(ctx, &mut res.fresh, size as u32 * 8);
                    if let Some(bytes) = res.memory.bytes_mut(object) {
                        bytes.store_term(ctx.terms, start, size, term);
                    }
                }
                Cell::All => {
                    let sort = ctx.terms.array_sort(Sort::BitVec(Width::W64), Sort::BitVec(Width::W8));
                    let name = next(ctx, &mut res.fresh);
                    let array = ctx.input(&name, sort, SymbolKind::Fresh);
                    if let Some(bytes) = res.memory.bytes_mut(object) {
                        bytes.set_array(array);
                    }
                }
            }
        }
        res
    }

    fn numbers(&self, ctx: &mut Context<'_>, state: &State, changes: &Changes) -> Vec<Option<Term>> {
        let terms = ctx.terms;
        let registers = changes.registers.iter().map(|&(frame, register, bits)| {
            let value = &state.frames.get(frame)?.registers[register];
            (bits > 1).then(|| value.to_term(terms, Width::of(bits))).flatten()
        });
        let cells = changes.cells.iter().map(|&(object, cell)| match cell {
            Cell::Bytes(start, size) if matches!(size, 1 | 2 | 4 | 8) => {
                let bytes = &state.memory.get(object)?.bytes;
                bytes.is_word(terms, start, size).then(|| {
                    let mut none = 0;
                    let mut undefined = crate::memory::bytes::Undefined { terms, count: &mut none };
                    bytes.load_term(&mut undefined, start, size)
                })
            }
            _ => None,
        });
        registers.chain(cells).collect()
    }

    fn assigned_values(&self, ctx: &mut Context<'_>, state: &State) -> Vec<(Arc<str>, Term)> {
        effigy_engine::formulas_of(effigy_engine::Inspect::variables(self, ctx, state))
    }

    fn names(&self, state: &State, changes: &Changes) -> Vec<Option<String>> {
        let registers = changes.registers.iter().map(|&(frame, register, _)| {
            let function = &self.executable.code.functions[state.frames.get(frame)?.function as usize];
            let is_it = |it: &&SourceVariable| matches!(it.home, Home::Register(at, _) if at as usize == register);
            function.variables.iter().find(is_it).map(|it| it.name.to_string())
        });
        let cells = changes.cells.iter().map(|&(object, cell)| {
            let object = state.memory.get(object)?;
            let named = matches!(object.kind, ObjectKind::Global | ObjectKind::Stack);
            match cell {
                Cell::Bytes(0, size) if named && object.size == Size::Known(size as u64) => {
                    Some(object.name.to_string())
                }
                Cell::Bytes(start, size) if named && object.element as usize == size && start.is_multiple_of(size) => {
                    Some(format!("{}[{}]", object.name, start / size))
                }
                _ => None,
            }
        });
        registers.chain(cells).collect()
    }

    fn variables(&self, state: &State, changes: &Changes) -> Vec<Option<IntegerVariable>> {
        let code = &self.executable.code;
        let innermost = state.frames.len().saturating_sub(1);
        let Some(function) = state.frames.last().map(|it| &code.functions[it.function as usize]) else {
            return Vec::new();
        };
        // A name that two variables have may be hidden in one place and not in another.
        let only = |name: &str| {
            let all = function.variables.iter().chain(&code.source_globals);
            all.filter(|it| &*it.name == name).count() == 1
        };
        let variable = |it: &SourceVariable, bits: u32| {
            let of = code.source_types.get(it.ty as usize)?;
            let SourceKind::Integer { signed, .. } = of.kind else { return None };
            (matches!(bits, 8 | 16 | 32 | 64) && of.size * 8 == u64::from(bits) && only(&it.name))
                .then(|| IntegerVariable { name: it.name.to_string(), bits, signed })
        };
        let registers = changes.registers.iter().map(|&(frame, register, bits)| {
            let is_it = |it: &&SourceVariable| matches!(it.home, Home::Register(at, _) if at as usize == register);
            let mut homes = function.variables.iter().filter(is_it);
            let of = homes.next().filter(|_| frame == innermost)?;
            if homes.next().is_some() { None } else { variable(of, bits) }
        });
        let cells = changes.cells.iter().map(|&(object, cell)| {
            let of = state.memory.get(object)?;
            let Cell::Bytes(0, size) = cell else { return None };
            let is_it = |it: &&SourceVariable| match it.home {
                Home::At(address) => ObjectId::of_address(address).0 == object && *it.name == *of.name,
                _ => false,
            };
            let found = code.source_globals.iter().find(is_it)?;
            variable(found, size as u32 * 8).filter(|_| of.size == Size::Known(size as u64))
        });
        registers.chain(cells).collect()
    }
}

fn next(ctx: &mut Context<'_>, count: &mut u32) -> String {
    if let Some(common) = ctx.common() {
        *count = (*count).max(common.counters[counter::FRESH]);
        common.counters[counter::FRESH] = *count + 1;
    }
    *count += 1;
    format!("round{}", *count - 1)
}

fn any(ctx: &mut Context<'_>, count: &mut u32, bits: u32) -> Term {
    let name = next(ctx, count);
    ctx.input(&name, Sort::BitVec(Width::of(bits)), SymbolKind::Fresh)
}

impl Program {
    fn changed_registers(
        &self,
        terms: &Terms,
        at: usize,
        a: &Frame,
        b: &Frame,
        into: &mut Changes,
    ) -> Result<(), Apart> {
        let code = &self.executable.code;
        if a.function != b.function || a.pc != b.pc || a.allocas != b.allocas || a.dynamic != b.dynamic {
            return Err(Apart("local variables that come and go"));
        }
        if !Rc::ptr_eq(&a.variadic, &b.variadic) || a.ignore_result != b.ignore_result {
            return Err(Apart("calls"));
        }
        let live = self.executable.flows.of(code, a.function).live_at(code, a.function, a.pc);
        let shapes = &code.functions[a.function as usize].shapes;
        for (register, (x, y)) in a.registers.iter().zip(&b.registers).enumerate() {
            if !live.contains(register) || x == y {
                continue;
            }
            let shape = shapes.get(register).and_then(Option::as_ref);
            let is_undefined = |it: &Val| matches!(it, Val::Term(term) if terms.is_undefined(*term));
            if is_undefined(x) || is_undefined(y) {
                return Err(Apart(UNDEFINED));
            }
            match (shape, x, y) {
                (Some(Shape::Scalar { width, .. }), Val::Int(_) | Val::Term(_), Val::Int(_) | Val::Term(_)) => {
                    into.registers.insert((at, register, *width));
                }
                _ => return Err(Apart("a value that is no number")),
            }
        }
        Ok(())
    }
}
