//! Registers that values share: those that one block computes and reads, and that are never alive together.
//!
//! Knows: where a value is written and read last. Never: what is computed, how a value is found for a debugger.
//!
//! Where a path forks, the registers of its innermost call are copied. What was compiled without optimisation has ten
//! values and more for each variable, most of them read at once and never again.
//! Source: Poletto, Sarkar 1999 (linear scan), within blocks only.

use crate::code::{Code, Func, Home, Inst, Opnd, Reg, Shape};
use crate::flow::{Blocks, Flow, edges, reads, rename, variables, written};
use rustc_hash::FxHashMap;

/// Where a register is written and read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Nowhere,
    /// In one block alone: written once, and then read, for the last time here.
    Within {
        block: usize,
        written: usize,
        last: usize,
    },
    /// It keeps a number of its own.
    Alone,
}

/// Scalars of one shape share a register, of addresses those in one variable: a register holds the same kind of thing at
/// all times. What is read within one instruction of LLVM has no shape. Aggregates are few, and alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    scalar: Option<(u32, u32)>,
    variable: Option<Reg>,
}

/// Numbers the registers of a function anew.
pub(super) fn share(code: &mut Code, function: u32) {
    let seen = seen(code, function);
    let numbers = numbers(code, function, &seen);
    debug_assert!(are_apart(code, function, &numbers), "values that are alive together share a register");
    let func = &mut code.functions[function as usize];
    let count = numbers.iter().copied().filter(|it| *it != Reg::MAX).max().map_or(0, |it| it + 1);
    let mut shapes = vec![None; count as usize];
    for (&number, own) in numbers.iter().zip(&func.shapes) {
        if let Some(shape) = shapes.get_mut(number as usize) {
            shape.clone_from(own);
        }
    }
    (func.registers, func.shapes) = (count, shapes);
    let number = |it: Reg| numbers.get(it as usize).copied().unwrap_or(it);
    for variable in &mut func.variables {
        if let Home::Register(it, _) | Home::Behind(it) = &mut variable.home {
            *it = number(*it);
        }
    }
    let mut insts = std::mem::take(&mut func.code);
    insts.iter_mut().for_each(|it| rename(code, it, &number));
    code.functions[function as usize].code = insts;
}

/// Whether registers that are alive together have numbers of their own, as the flow of control has it.
fn are_apart(code: &Code, function: u32, numbers: &[Reg]) -> bool {
    let mut holders = vec![(0, usize::MAX); numbers.len()];
    let (mut visit, mut res) = (0, true);
    Flow::of(code, function).each_live(code, function, &mut |inst, live| {
        // What is written lies over nothing that is read behind the instruction. Behind the end of a block another begins,
        // where nothing shares.
        if let Some(register) = written(code, inst).filter(|it| *it != Reg::MAX) {
            let (seen, holder) = holders[numbers[register as usize] as usize];
            res &= seen != visit || holder == register as usize || visit == 0;
        }
        visit += 1;
        for register in live.iter() {
            let holder = &mut holders[numbers[register] as usize];
            res &= holder.0 != visit;
            *holder = (visit, register);
        }
    });
    res
}

fn seen(code: &Code, function: u32) -> Vec<Seen> {
    let func = &code.functions[function as usize];
    let blocks = Blocks::of(code, function);
    let mut res = vec![Seen::Nowhere; func.registers as usize];
    let mut set = |register: usize, to: &dyn Fn(Seen) -> Seen| {
        if let Some(it) = res.get_mut(register) {
            *it = to(*it);
        }
    };
    (0..func.parameters.len()).for_each(|it| set(it, &|_| Seen::Alone));
    for variable in &func.variables {
        if let Home::Register(it, _) | Home::Behind(it) = variable.home {
            set(it as usize, &|_| Seen::Alone);
        }
    }
    for (pc, inst) in func.code.iter().enumerate() {
        let block = blocks.of_instruction(pc as u32);
        reads(code, inst, &mut |operand| {
            let Ok(register) = operand.decode() else { return };
            set(register, &|it| match it {
                Seen::Within { block: own, written, .. } if own == block => Seen::Within { block, written, last: pc },
                _ => Seen::Alone,
            });
        });
        for edge in edges(code, inst) {
            for &(to, from) in &code.edges[edge as usize].moves {
                [Opnd::reg(to), from].iter().filter_map(|it| it.decode().ok()).for_each(|it| set(it, &|_| Seen::Alone));
            }
        }
        let Some(register) = written(code, inst) else { continue };
        set(register as usize, &|it| match (it, inst) {
            (Seen::Nowhere, Inst::Alloca { .. }) => Seen::Alone,
            (Seen::Nowhere, _) if matches!(shape_of(func, register), Some(Shape::Aggregate(_))) => Seen::Alone,
            (Seen::Nowhere, _) => Seen::Within { block, written: pc, last: pc },
            _ => Seen::Alone,
        });
    }
    res
}

fn shape_of(func: &Func, register: Reg) -> Option<&Shape> {
    func.shapes.get(register as usize)?.as_ref()
}

/// The new number of each register; `Reg::MAX` for those that are nowhere. Those that are alone come first, so that
/// parameters stay where they arrive.
fn numbers(code: &Code, function: u32, seen: &[Seen]) -> Vec<Reg> {
    let func = &code.functions[function as usize];
    let variables = variables(code, function);
    let kind = |it: Reg| Kind {
        scalar: match shape_of(func, it) {
            Some(&Shape::Scalar { size, width }) => Some((size, width)),
            _ => None,
        },
        variable: variables.get(&it).copied(),
    };
    let mut res = vec![Reg::MAX; seen.len()];
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    res.iter_mut().zip(seen).filter(|it| *it.1 == Seen::Alone).for_each(|it| *it.0 = fresh());
    // The registers of each kind that nothing is in: at the end of a block all of them.
    let mut free: FxHashMap<Kind, Vec<Reg>> = FxHashMap::default();
    for (pc, inst) in func.code.iter().enumerate() {
        let mut ended: Vec<Reg> = Vec::new();
        let is_last = |it: Reg| matches!(seen.get(it as usize), Some(Seen::Within { last, .. }) if *last == pc);
        reads(code, inst, &mut |it| {
            ended.extend(it.decode().map(|it| it as Reg).into_iter().filter(|it| is_last(*it)))
        });
        if let Some(register) = written(code, inst)
            && let Some(Seen::Within { .. }) = seen.get(register as usize)
        {
            // An instruction that asks is made again with the answer: what it reads is still there.
            let own = free.entry(kind(register)).or_default().pop();
            res[register as usize] = own.unwrap_or_else(&mut fresh);
            ended.extend(is_last(register).then_some(register));
        }
        ended.sort_unstable();
        ended.dedup();
        for register in ended {
            free.entry(kind(register)).or_default().push(res[register as usize]);
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use crate::lower::{BuiltinNames, link};
    use crate::options::Uninitialised;
    use crate::reader::read;

    /// How many registers a function of one parameter takes, of these blocks.
    fn registers(blocks: &str) -> u32 {
        let text = format!("define i32 @f(i32 %a) {{\n{blocks}\n}}\n");
        let module = read(text.as_bytes()).unwrap_or_else(|it| panic!("{it}"));
        let none =
            BuiltinNames { undefined: &|_| None, defined: &|_, _| None, is_own_allocator: &|_| false, cpuid: None };
        let code = link(&[module], none, Uninitialised::default()).unwrap_or_else(|it| panic!("{it}"));
        code.functions[0].registers
    }

    #[test]
    fn a_chain_of_values_takes_two() {
        // What is written lies beside what is read by the same instruction: it may be made again.
        assert_eq!(
            registers("%b = add i32 %a, 1\n%c = mul i32 %b, 3\n%d = add i32 %c, 5\n%e = mul i32 %d, 7\nret i32 %e"),
            3
        );
    }

    #[test]
    fn what_is_alive_together_is_apart() {
        assert_eq!(registers("%b = add i32 %a, 1\n%c = mul i32 %a, 3\n%d = sub i32 %b, %c\nret i32 %d"), 4);
    }

    #[test]
    fn what_another_block_reads_is_alone() {
        let blocks = "%b = add i32 %a, 1\n%c = mul i32 %b, 3\nbr label %next\nnext:\n%d = add i32 %c, 5\n\
                      %e = mul i32 %d, 7\n%g = sub i32 %e, %c\nret i32 %g";
        // %a, %c; in turns %b, and %d, %e, %g.
        assert_eq!(registers(blocks), 4);
    }

    #[test]
    fn values_of_two_widths_are_apart() {
        assert_eq!(registers("%b = zext i32 %a to i64\n%c = mul i64 %b, 3\n%d = trunc i64 %c to i32\nret i32 %d"), 4);
    }
}
