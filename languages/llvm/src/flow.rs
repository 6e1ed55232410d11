//! The flow of control in a function: blocks, loops, which registers are still read.
//!
//! Knows: where blocks begin, where registers are read last, what is soon asked of. Never: states, how instructions are executed; in which order
//! blocks come and what loops are ([`Topology`]).

mod blocks;
mod liveness;
mod operands;
mod soon;

use crate::code::{Code, Inst};
pub(crate) use blocks::{Blocks, edges};
use effigy_engine::Topology;
pub(crate) use operands::{reads, rename, written};
pub(crate) use soon::{Asked, Holder, Soon, variables};
use std::cell::OnceCell;
use std::rc::Rc;

/// The flow of each function, found when it is first asked for.
#[derive(Debug)]
pub(crate) struct Flows {
    functions: Box<[OnceCell<Rc<Flow>>]>,
    asked: Box<[OnceCell<Rc<Asked>>]>,
    /// Whether the builtin of a number asks nothing of what it is given.
    asks_nothing: fn(u32) -> bool,
}

impl Flows {
    pub(crate) fn new(code: &Code, asks_nothing: fn(u32) -> bool) -> Flows {
        Flows {
            functions: code.functions.iter().map(|_| OnceCell::new()).collect(),
            asked: code.functions.iter().map(|_| OnceCell::new()).collect(),
            asks_nothing,
        }
    }

    pub(crate) fn of(&self, code: &Code, function: u32) -> &Rc<Flow> {
        self.functions[function as usize].get_or_init(|| Rc::new(Flow::of(code, function)))
    }

    /// What is soon asked of in a function, which the functions `within` call.
    pub(crate) fn asked(&self, code: &Code, function: u32, within: &mut Vec<u32>) -> Rc<Asked> {
        let known = &self.asked[function as usize];
        if let Some(known) = known.get() {
            return Rc::clone(known);
        }
        let res = Rc::new(Asked::of(self, code, function, within));
        Rc::clone(known.get_or_init(|| res))
    }
}

/// The flow of one function.
#[derive(Debug)]
pub(crate) struct Flow {
    blocks: Blocks,
    /// That of the blocks.
    topology: Topology,
    /// For each block the registers that are read before they are written, from its start.
    live: Vec<liveness::Registers>,
}

impl Flow {
    pub(crate) fn of(code: &Code, function: u32) -> Flow {
        let blocks = Blocks::of(code, function);
        let insts = &code.functions[function as usize].code;
        let returns = |block: u32| {
            let last = blocks.end(block as usize).checked_sub(1).and_then(|it| insts.get(it as usize));
            last.is_some_and(|it| matches!(it, Inst::Ret { .. }))
        };
        let topology = Topology::of(blocks.graph(), &returns);
        let live = liveness::live(code, function, &blocks, &topology);
        Flow { blocks, topology, live }
    }

    /// The order of the blocks, their loops.
    pub(crate) fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The block of an instruction.
    pub(crate) fn block(&self, pc: u32) -> u32 {
        self.blocks.of_instruction(pc) as u32
    }

    /// The first instruction of a loop.
    pub(crate) fn header(&self, of: u32) -> u32 {
        self.blocks.start(self.topology.header(of))
    }

    /// The loop whose header begins with this instruction.
    pub(crate) fn headed(&self, pc: u32) -> Option<u32> {
        let block = self.block(pc);
        self.topology.headed(block).filter(|_| self.blocks.start(block) == pc)
    }

    /// The registers that are read before they are written, from each instruction on, in each block
    /// the last instruction first.
    pub(crate) fn each_live(&self, code: &Code, function: u32, seen: &mut dyn FnMut(&Inst, &liveness::Registers)) {
        for block in 0..self.blocks.len() {
            liveness::back(code, function, &self.blocks, &self.live, self.blocks.start(block as u32), seen);
        }
    }

    /// Whether a register is read before it is written, from this instruction on.
    pub(crate) fn live_at(&self, code: &Code, function: u32, pc: u32) -> liveness::Registers {
        liveness::at(code, function, &self.blocks, &self.live, pc)
    }
}
