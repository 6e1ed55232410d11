//! Which registers are read before they are written.

use super::blocks::{Blocks, edges};
use super::operands::{reads, written};
use crate::code::{Code, Inst, Opnd, Reg};
use effigy_engine::Topology;

/// A set of registers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Registers {
    words: Vec<u64>,
}

impl Registers {
    pub(crate) fn contains(&self, register: usize) -> bool {
        self.words.get(register / 64).is_some_and(|it| it >> (register % 64) & 1 == 1)
    }

    /// They, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        let bits =
            |(at, &word): (usize, &u64)| (0..64).filter(move |it| word >> it & 1 == 1).map(move |it| at * 64 + it);
        self.words.iter().enumerate().filter(|it| *it.1 != 0).flat_map(bits)
    }

    fn of(count: u32) -> Registers {
        Registers { words: vec![0; count.div_ceil(64) as usize] }
    }

    fn add(&mut self, operand: Opnd) {
        if let Ok(register) = operand.decode()
            && let Some(word) = self.words.get_mut(register / 64)
        {
            *word |= 1 << (register % 64);
        }
    }

    fn remove(&mut self, register: Reg) {
        if let Some(word) = self.words.get_mut(register as usize / 64) {
            *word &= !(1 << (register % 64));
        }
    }

    fn add_all(&mut self, other: &Registers) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }
}

/// For each block those that are read from its start on.
pub(super) fn live(code: &Code, function: u32, blocks: &Blocks, topology: &Topology) -> Vec<Registers> {
    let count = code.functions[function as usize].registers;
    let mut res = vec![Registers::of(count); blocks.len()];
    let mut work: Vec<usize> = (0..blocks.len()).collect();
    let mut waits = vec![true; blocks.len()];
    while let Some(block) = work.pop() {
        waits[block] = false;
        let live = at(code, function, blocks, &res, blocks.start(block as u32));
        if live != res[block] {
            res[block] = live;
            for &before in topology.before(block as u32) {
                if !std::mem::replace(&mut waits[before as usize], true) {
                    work.push(before as usize);
                }
            }
        }
    }
    res
}

/// Those that are read from an instruction on, given those of blocks.
pub(super) fn at(code: &Code, function: u32, blocks: &Blocks, of_blocks: &[Registers], pc: u32) -> Registers {
    back(code, function, blocks, of_blocks, pc, &mut |_, _| {})
}

/// As [`at`]; `seen` is shown each instruction with those from it on, the last of the block first.
pub(super) fn back(
    code: &Code,
    function: u32,
    blocks: &Blocks,
    of_blocks: &[Registers],
    pc: u32,
    seen: &mut dyn FnMut(&Inst, &Registers),
) -> Registers {
    let func = &code.functions[function as usize];
    let end = blocks.end(blocks.of_instruction(pc));
    let mut res = Registers::of(func.registers);
    for inst in func.code[pc as usize..end as usize].iter().rev() {
        for edge in edges(code, inst) {
            let edge = &code.edges[edge as usize];
            let mut live = of_blocks[blocks.of_instruction(edge.target)].clone();
            for &(to, from) in edge.moves.iter().rev() {
                live.remove(to);
                live.add(from);
            }
            res.add_all(&live);
        }
        if let Some(register) = written(code, inst) {
            res.remove(register);
        }
        reads(code, inst, &mut |it| res.add(it));
        seen(inst, &res);
    }
    // A block without a terminator falls through to the next.
    res
}
