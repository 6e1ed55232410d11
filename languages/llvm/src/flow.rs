//! The flow of control in a function: blocks, loops, which registers are still read.
//!
//! Knows: in which order blocks come so that all that lead to one come before it, which loops go round, where registers
//! are read last. Never: states, how instructions are executed.
//! Source: Tarjan 1972 (strong components); a loop is a strong component, its header the block by which it is entered
//! first, and what is left without the edges to the header has its loops in turn: so irreducible graphs need nothing
//! of their own.

mod blocks;
mod liveness;
mod loops;
mod operands;

use crate::code::Code;
use blocks::Blocks;
use std::cell::OnceCell;
use std::rc::Rc;

/// The flow of each function, found when it is first asked for.
#[derive(Debug)]
pub(crate) struct Flows {
    functions: Box<[OnceCell<Rc<Flow>>]>,
}

impl Flows {
    pub(crate) fn new(code: &Code) -> Flows {
        Flows { functions: code.functions.iter().map(|_| OnceCell::new()).collect() }
    }

    pub(crate) fn of(&self, code: &Code, function: u32) -> &Rc<Flow> {
        self.functions[function as usize].get_or_init(|| Rc::new(Flow::of(code, function)))
    }
}

/// The flow of one function.
#[derive(Debug)]
pub(crate) struct Flow {
    blocks: Blocks,
    /// For each block its place in the order of blocks: at each level, from the outermost, that among its loop's parts.
    orders: Vec<Box<[u32]>>,
    /// For each block the loops that it is in, by number, from the outermost: one less than it has orders.
    nests: Vec<Box<[u32]>>,
    /// For each loop, whether a way leads out of it to where the program goes on.
    exits: Vec<bool>,
    /// The header of each loop.
    headers: Vec<u32>,
    /// For each block the registers that are read before they are written, from its start.
    live: Vec<liveness::Registers>,
}

impl Flow {
    fn of(code: &Code, function: u32) -> Flow {
        let blocks = Blocks::of(code, function);
        let loops::Loops { orders, nests, headers } = loops::loops(&blocks);
        let live = liveness::live(code, function, &blocks);
        let mut exits = vec![false; headers.len()];
        for (block, nest) in nests.iter().enumerate() {
            let goes_on = blocks.ways(block).iter().filter(|it| !blocks.only_ends(it.1));
            for &(_, to) in goes_on {
                let kept = nest.iter().zip(&nests[to as usize]).take_while(|(a, b)| a == b).count();
                nest[kept..].iter().for_each(|it| exits[*it as usize] = true);
            }
        }
        Flow { blocks, orders, nests, exits, headers, live }
    }

    /// The place of a block's parts in the order of blocks, by the block's instruction.
    pub(crate) fn orders(&self, pc: u32) -> &[u32] {
        &self.orders[self.blocks.of_instruction(pc)]
    }

    /// The loops around an instruction, the outermost first.
    pub(crate) fn nest(&self, pc: u32) -> &[u32] {
        &self.nests[self.blocks.of_instruction(pc)]
    }

    /// The first instruction of a loop.
    pub(crate) fn header(&self, of: u32) -> u32 {
        self.blocks.start(self.headers[of as usize])
    }

    /// The loop whose header begins with this instruction.
    pub(crate) fn headed(&self, pc: u32) -> Option<u32> {
        let block = self.blocks.of_instruction(pc);
        let innermost = *self.nests[block].last()?;
        (self.headers[innermost as usize] as usize == block && self.blocks.start(block as u32) == pc)
            .then_some(innermost)
    }

    /// The level of the outermost loop that can be left from an instruction by one of its edges; that of none, if none is.
    /// A way to where the program can only end (a failed assertion) does not leave a loop that has others.
    pub(crate) fn left_by(&self, pc: u32) -> usize {
        let block = self.blocks.of_instruction(pc);
        let nest = &self.nests[block];
        let left = |&(_, to): &(u32, u32)| {
            let kept = nest.iter().zip(&self.nests[to as usize]).take_while(|(a, b)| a == b).count();
            let only_ends = self.blocks.only_ends(to);
            kept + nest[kept..].iter().take_while(|it| only_ends && self.exits[**it as usize]).count()
        };
        self.blocks.ways(block).iter().map(left).min().unwrap_or(nest.len())
    }

    /// The number of a loop among those of its function, in the order in which their headers stand in the code.
    pub(crate) fn index(&self, of: u32) -> u32 {
        let header = self.header(of);
        self.headers.iter().filter(|it| self.blocks.start(**it) < header).count() as u32
    }

    /// Whether several ways lead to the block that begins with this instruction.
    pub(crate) fn joins(&self, pc: u32) -> bool {
        self.blocks.before(self.blocks.of_instruction(pc)).len() > 1
    }

    /// Whether a register is read before it is written, from this instruction on.
    pub(crate) fn live_at(&self, code: &Code, function: u32, pc: u32) -> liveness::Registers {
        liveness::at(code, function, &self.blocks, &self.live, pc)
    }
}
