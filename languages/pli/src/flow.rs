//! The flow of control in a procedure: each operation is a place.
//!
//! Knows: which operations follow one. Never: states; what loops are ([`Topology`]).

pub(crate) mod query_count;

use crate::code::{OpKind, Procedure};
use effigy_engine::Topology;
use std::rc::Rc;

impl Procedure {
    /// Where its operations stand in the order, and its loops.
    pub(crate) fn topology(&self) -> &Topology {
        self.flow.get_or_init(|| {
            let next = |at: usize| (at + 1 < self.ops.len()).then_some(at as u32 + 1).into_iter().collect();
            let ways = self.ops.iter().enumerate().map(|(at, it)| match it.kind {
                OpKind::Branch(_, then, otherwise) => vec![then, otherwise],
                OpKind::Jump(to) => vec![to],
                OpKind::Return(_) => Vec::new(),
                _ => next(at),
            });
            let returns = |it: u32| matches!(self.ops[it as usize].kind, OpKind::Return(_));
            Rc::new(Topology::of(ways.collect(), &returns))
        })
    }

    /// The slots that are soon asked of, from an operation on.
    pub(crate) fn soon(&self, at: u32) -> &[u32] {
        let of_each = || query_count::HotVariables::of(self).iter().map(|it| it.slots().collect()).collect();
        self.asked.get_or_init(of_each).get(at as usize).map_or(&[], |it| it)
    }

    /// Its number among the procedures; the call that the user typed has none.
    pub(crate) fn number(&self) -> u32 {
        if self.name.is_empty() { 0 } else { self.first_site + 1 }
    }
}
