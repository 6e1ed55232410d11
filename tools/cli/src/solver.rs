//! The chain of solvers that the arguments ask for, and what it says of itself.
//!
//! Knows: flags of layers. Never: what is asked.

use crate::Failure;
use crate::args::SolverArgs;
use effigy_report::document::{Layer, SolverSummary};
use effigy_solver::{Answer, LayerKind, LayerSet, Query, Solver, SolverConfig, Statistics};
use effigy_term::Terms;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Whether a layer is one for many small questions: what pays for one large one is not.
pub(crate) fn serves_many_questions(layer: LayerKind) -> bool {
    layer != LayerKind::Orders
}

/// Whether a layer is one for one question about everything at once: those that answer many small ones are of no use.
pub(crate) fn serves_one_question(layer: LayerKind) -> bool {
    use LayerKind::{Escalation, Orders, Refinement, Syntactic, Validate};
    matches!(layer, Validate | Escalation | Refinement | Orders | Syntactic)
}

/// The chain that the arguments ask for, for many small questions.
pub(crate) fn solver_config(solver: &SolverArgs, interrupt: &Arc<AtomicBool>) -> Result<SolverConfig, Failure> {
    of_layers(serves_many_questions, every_layer(solver, interrupt)?)
}

/// The chain that the arguments ask for, for one question about everything at once.
pub(crate) fn of_one_question(solver: &SolverArgs, interrupt: &Arc<AtomicBool>) -> Result<SolverConfig, Failure> {
    of_layers(serves_one_question, every_layer(solver, interrupt)?)
}

/// Of the layers that are on, those that serve.
fn of_layers(serves: fn(LayerKind) -> bool, config: SolverConfig) -> Result<SolverConfig, Failure> {
    let kept = LayerKind::ALL.iter().copied().filter(|it| serves(*it) && config.layers.has(*it));
    Ok(SolverConfig { layers: kept.fold(LayerSet::NONE, LayerSet::with), ..config })
}

fn every_layer(solver: &SolverArgs, interrupt: &Arc<AtomicBool>) -> Result<SolverConfig, Failure> {
    if let Some(log) = &solver.query_log {
        std::fs::create_dir_all(log).map_err(|error| Failure(format!("{}: {error}", log.display())))?;
    }
    Ok(SolverConfig {
        layers: solver.layers.on,
        log: solver.query_log.clone(),
        backend: solver.solver,
        smt: solver.smt.clone(),
        interrupt: Arc::clone(interrupt),
        rules_off: solver.no_rule.clone(),
        ..SolverConfig::default()
    })
}

/// One chain, asked by the walk and, between its questions, by whoever tells its leaves: they share what it remembers.
pub(crate) struct SharedSolver<'a>(pub(crate) &'a RefCell<Box<dyn Solver>>);

impl Solver for SharedSolver<'_> {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        self.0.borrow_mut().check(terms, query)
    }

    fn statistics(&self, into: &mut Statistics) {
        self.0.borrow().statistics(into);
    }
}

/// The solver's share of a walk.
pub(crate) fn summary(statistics: &Statistics, time: Duration) -> SolverSummary {
    let layer = |it: &effigy_solver::LayerStatistics| Layer {
        name: it.name.to_owned(),
        queries: it.queries,
        answered: it.answered,
        time: it.time.as_secs_f64(),
    };
    let rules = statistics.rules.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    SolverSummary { time: time.as_secs_f64(), layers: statistics.layers.iter().map(layer).collect(), rules }
}
