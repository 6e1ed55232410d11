//! Blocks, found again in the flat code of a function.

use crate::code::{Code, Func, Inst};
use std::collections::BTreeSet;

/// The blocks of a function, in the order of its code.
#[derive(Debug)]
pub(super) struct Blocks {
    /// The first instruction of each, and the end of the code.
    starts: Vec<u32>,
    /// For each block the edges that lead out of it, with the blocks that they lead to.
    ways: Vec<Vec<(u32, u32)>>,
    /// For each block those from which an edge leads to it, as often as one does.
    before: Vec<Vec<u32>>,
    /// For each whether no way leads from it to a return.
    only_ends: Vec<bool>,
}

/// The edges by which control leaves an instruction.
pub(super) fn edges(code: &Code, inst: &Inst) -> Vec<u32> {
    match *inst {
        Inst::Jump { edge } => vec![edge],
        Inst::Branch { then, other, .. } => vec![then, other],
        Inst::Switch { switch } => {
            let switch = &code.switches[switch as usize];
            switch.cases.iter().map(|it| it.1).chain([switch.default]).collect()
        }
        Inst::Call { call } => code.calls[call as usize].normal.into_iter().collect(),
        _ => Vec::new(),
    }
}

impl Blocks {
    pub(super) fn of(code: &Code, function: u32) -> Blocks {
        let Func { code: insts, .. } = &code.functions[function as usize];
        let mut starts = BTreeSet::from([0]);
        for inst in insts {
            starts.extend(edges(code, inst).into_iter().map(|it| code.edges[it as usize].target));
        }
        let mut starts: Vec<u32> = starts.into_iter().filter(|it| (*it as usize) < insts.len().max(1)).collect();
        starts.push(insts.len() as u32);
        let count = starts.len() - 1;
        let mut res = Blocks {
            starts,
            ways: vec![Vec::new(); count],
            before: vec![Vec::new(); count],
            only_ends: vec![true; count],
        };
        for block in 0..count {
            let range = res.starts[block] as usize..res.starts[block + 1] as usize;
            let leaving: Vec<u32> = insts[range].iter().flat_map(|it| edges(code, it)).collect();
            for edge in leaving {
                let to = res.of_instruction(code.edges[edge as usize].target) as u32;
                res.ways[block].push((edge, to));
                res.before[to as usize].push(block as u32);
            }
        }
        res.find_ends(insts);
        res
    }

    fn find_ends(&mut self, insts: &[Inst]) {
        let returns =
            |it: &usize| insts.get(self.end(*it) as usize - 1).is_some_and(|it| matches!(it, Inst::Ret { .. }));
        let mut work: Vec<usize> = (0..self.len()).filter(returns).collect();
        while let Some(block) = work.pop() {
            if std::mem::take(&mut self.only_ends[block]) {
                work.extend(self.before[block].iter().map(|it| *it as usize));
            }
        }
    }

    /// Whether from a block the program can only end, or go round for ever: no way leads to a return.
    pub(super) fn only_ends(&self, block: u32) -> bool {
        self.only_ends[block as usize]
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ways.len()
    }

    /// The block of an instruction.
    pub(super) fn of_instruction(&self, pc: u32) -> usize {
        self.starts[..self.len()].partition_point(|it| *it <= pc) - 1
    }

    /// The first instruction of a block.
    pub(super) fn start(&self, block: u32) -> u32 {
        self.starts[block as usize]
    }

    /// The instruction after the last one of a block.
    pub(super) fn end(&self, block: usize) -> u32 {
        self.starts[block + 1]
    }

    /// The edges out of a block, with the blocks that they lead to.
    pub(super) fn ways(&self, block: usize) -> &[(u32, u32)] {
        &self.ways[block]
    }

    /// The blocks from which an edge leads to a block, as often as one does.
    pub(super) fn before(&self, block: usize) -> &[u32] {
        &self.before[block]
    }
}
