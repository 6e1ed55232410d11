//! What a run works with: terms, limits, a solver.
//!
//! Knows: what one query may spend. Never: runs, threads.

use crate::account::Limits;
use effigy_engine::Engine;
use effigy_solver::{LayerKind, QueryBudget, Solver, SolverConfig};
use effigy_term::Terms;
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) struct Surroundings {
    pub(crate) terms: Rc<Terms>,
    pub(crate) limits: Limits,
    solver: RefCell<Box<dyn Solver>>,
}

impl Surroundings {
    pub(crate) fn new(limits: &Limits, terms: Rc<Terms>) -> Surroundings {
        let solver = RefCell::new(effigy_solver::chain(&config()));
        Surroundings { terms, limits: limits.clone(), solver }
    }

    /// Calls `ask` with an engine over the session's solver.
    pub(crate) fn engine<R>(&self, ask: impl FnOnce(&mut Engine<'_>) -> R) -> R {
        let mut solver = self.solver.borrow_mut();
        // Conflicts, not time: the same answer on every machine.
        let budget = QueryBudget { steps: Some(self.limits.solver_steps), time: None };
        ask(&mut Engine { terms: &self.terms, solver: &mut **solver, budget })
    }
}

/// All layers but that which brings models near zero: where a run takes the value that a model has for all that could be,
/// numbers near zero are those of which programs have least to say (`amount >= 1000`).
fn config() -> SolverConfig {
    let config = SolverConfig::default();
    SolverConfig { layers: config.layers.without(LayerKind::Smaller), ..config }
}
