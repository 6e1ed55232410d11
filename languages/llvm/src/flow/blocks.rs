//! Blocks, found again in the flat code of a function.

use crate::code::{Code, Func, Inst};
use std::collections::BTreeSet;

/// The blocks of a function, in the order of its code.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// The first instruction of each, and the end of the code.
    starts: Vec<u32>,
    /// For each block those that its edges lead to.
    ways: Vec<Vec<u32>>,
}

/// The edges by which control leaves an instruction.
pub(crate) fn edges(code: &Code, inst: &Inst) -> Vec<u32> {
    match *inst {
        Inst::Jump { edge } => vec![edge],
        Inst::Branch { then, other, .. } => vec![then, other],
        Inst::Switch { switch } => {
            let switch = &code.switches[switch as usize];
            switch.cases.iter().map(|it| it.1).chain([switch.default]).collect()
        }
        Inst::Call { call } => {
            let call = &code.calls[call as usize];
            call.normal.into_iter().chain(call.unwind.as_ref().map(|it| it.edge)).collect()
        }
        _ => Vec::new(),
    }
}

impl Blocks {
    pub(crate) fn of(code: &Code, function: u32) -> Blocks {
        let Func { code: insts, .. } = &code.functions[function as usize];
        let mut starts = BTreeSet::from([0]);
        for inst in insts {
            starts.extend(edges(code, inst).into_iter().map(|it| code.edges[it as usize].target));
        }
        let mut starts: Vec<u32> = starts.into_iter().filter(|it| (*it as usize) < insts.len().max(1)).collect();
        starts.push(insts.len() as u32);
        let count = starts.len() - 1;
        let mut res = Blocks { starts, ways: vec![Vec::new(); count] };
        for block in 0..count {
            let range = res.starts[block] as usize..res.starts[block + 1] as usize;
            let leaving: Vec<u32> = insts[range].iter().flat_map(|it| edges(code, it)).collect();
            for edge in leaving {
                let to = res.of_instruction(code.edges[edge as usize].target) as u32;
                res.ways[block].push(to);
            }
        }
        res
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ways.len()
    }

    /// The block of an instruction.
    pub(crate) fn of_instruction(&self, pc: u32) -> usize {
        self.starts[..self.len()].partition_point(|it| *it <= pc) - 1
    }

    /// The first instruction of a block.
    pub(crate) fn start(&self, block: u32) -> u32 {
        self.starts[block as usize]
    }

    /// The instruction after the last one of a block.
    pub(crate) fn end(&self, block: usize) -> u32 {
        self.starts[block + 1]
    }

    /// For each block those that its edges lead to.
    pub(crate) fn graph(&self) -> Vec<Vec<u32>> {
        self.ways.clone()
    }
}
