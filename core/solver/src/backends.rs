//! The backends: who decides what no layer could.
//!
//! Knows: which backend there is for a formula. Never: layers.

pub mod bits;
pub mod pipe;

use crate::{Answer, Backend, Query, Reason, Solver, SolverConfig, Statistics};
use effigy_term::Terms;

/// Bitvectors to the SAT solver in the process, the rest to the SMT solver, or all to one of them.
pub(crate) fn route(config: &SolverConfig) -> Box<dyn Solver> {
    match config.backend {
        Backend::Bits => Box::new(bits::Bits::new(config)),
        Backend::Smt => Box::new(pipe::Pipe::new(config)),
        Backend::Route => Box::new(Route { bits: bits::Bits::new(config), pipe: pipe::Pipe::new(config) }),
    }
}

struct Route {
    bits: bits::Bits,
    pipe: pipe::Pipe,
}

impl Solver for Route {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        match self.bits.check(terms, query) {
            Answer::Unknown(Reason::Unsupported(_)) => self.pipe.check(terms, query),
            answer => answer,
        }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.bits.statistics(into);
        self.pipe.statistics(into);
    }
}
