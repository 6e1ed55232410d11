//! One question: is φ ∧ q satisfiable, within a budget, with a model on demand?
//!
//! Knows: conjunctions of terms, models, budgets, solver processes.
//! Never: a language, a path's state, the terminal.
//!
//! The chain of layers is composed by [`chain`]; every layer is a [`Solver`] over a [`Solver`].

pub mod backends;
pub mod dump;
mod layers;
mod local;
mod model_minimization;
mod path_condition;
pub mod prover;
mod statistics;
mod theories;

pub use layers::{LayerKind, LayerSet};
pub use path_condition::{Factor, PathCondition};
pub use statistics::{LayerStatistics, Statistics};

use effigy_term::{Model, Rule, Term, Terms};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is asked: is `path ∧ goal` satisfiable?
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// φ, which is satisfiable (its model is `witness`) unless an earlier answer was unknown.
    pub path: &'a PathCondition,
    /// Set by the layer `independence`: only these factors of φ matter.
    pub only: Option<&'a [Rc<Factor>]>,
    /// The term q, of sort Bool.
    pub goal: Term,
    /// A model of φ, if one is known: a starting point and a fallback for the symbols that q does not touch.
    pub witness: Option<&'a Model>,
    /// The witness was tried: it does not satisfy the goal.
    pub tried: bool,
    /// What deciding the query may cost.
    pub budget: QueryBudget,
}

impl Query<'_> {
    /// The conjuncts of φ that matter, without the goal.
    pub fn conjuncts(&self) -> Vec<Term> {
        match self.only {
            Some(factors) => factors.iter().flat_map(|it| it.conjuncts()).copied().collect(),
            None => self.path.conjuncts(),
        }
    }

    /// A model of the part that matters, completed by the witness.
    pub fn complete(&self, model: Model) -> Model {
        match self.witness {
            Some(witness) => witness.overridden_by(&model),
            None => model,
        }
    }
}

/// What one query may spend. `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueryBudget {
    /// Conflicts of the SAT solver (or the resource units of an SMT solver): the same on every machine.
    pub steps: Option<u64>,
    /// The limit in wall time.
    pub time: Option<Duration>,
}

/// The answer to a query φ ∧ q.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Satisfiable, by this model of φ ∧ q.
    Sat(Model),
    /// φ ∧ q has no model.
    Unsat,
    /// The query was not decided, for this reason.
    Unknown(Reason),
}

/// Why a query was not decided.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum Reason {
    /// The budget of steps ran out.
    #[error("the solver's step limit was reached")]
    Steps,
    /// The budget of time ran out.
    #[error("the solver's time limit was reached")]
    Time,
    /// No backend that is present decides this kind of formula.
    #[error("no solver here decides {0}")]
    Unsupported(String),
    /// The solver gave up by its own words.
    #[error("the solver gave up: {0}")]
    GaveUp(String),
    /// The solver's process died, hung or could not be started.
    #[error("the solver failed: {0}")]
    Failed(String),
    /// The solver's model does not satisfy the query: its answer is not used.
    #[error("the solver's model does not satisfy the query")]
    WrongModel,
    /// The run was interrupted from outside ([`SolverConfig::interrupt`]).
    #[error("interrupted")]
    Interrupted,
}

/// A backend or a layer: whatever decides queries.
pub trait Solver {
    /// Decides a query. A `Sat` answer's model satisfies φ ∧ q.
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer;

    /// Adds this layer's counters and those of the layers below it.
    fn statistics(&self, into: &mut Statistics);
}

/// Which layers there are, and which backend is under them.
#[derive(Clone, Debug)]
pub struct SolverConfig {
    /// The layers that are switched on.
    pub layers: LayerSet,
    /// A directory to which each query that reaches a backend is written as SMT-LIB 2.
    pub log: Option<PathBuf>,
    /// The backend that decides bitvectors.
    pub backend: Backend,
    /// The command of the SMT-LIB 2 solver.
    pub smt: String,
    /// Conflicts after which the backend `bits` takes a query for a hard one, on which more effort is well spent.
    pub patience: u64,
    /// What it may take the backend `bits` to choose among all that an array may be at an index: 256 for a store at any
    /// index, one for each at a constant index. Where it takes more, one is looked for where a model says that it is.
    pub most_choices: usize,
    /// Set from outside to stop: queries answer [`Reason::Interrupted`].
    pub interrupt: Arc<AtomicBool>,
    /// The simplification rules that terms are built without ([`SolverConfig::terms`]).
    pub rules_off: Vec<Rule>,
}

impl SolverConfig {
    /// An empty arena of terms for a chain of this configuration.
    pub fn terms(&self) -> Terms {
        Terms::without(&self.rules_off)
    }
}

/// The choice of a backend for each query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backend {
    /// Bitvectors in the process; the SMT solver for the rest.
    Route,
    /// Only the SAT solver in the process.
    Bits,
    /// Only the SMT solver, for every query.
    Smt,
}

impl Default for SolverConfig {
    fn default() -> SolverConfig {
        SolverConfig {
            layers: LayerSet::default(),
            log: None,
            backend: Backend::Route,
            smt: "z3 -in".to_owned(),
            patience: 500,
            most_choices: 1024,
            interrupt: Arc::default(),
            rules_off: Vec::new(),
        }
    }
}

/// The chain that a configuration asks for: from the cheapest answer down to the backends.
///
/// It belongs to one arena of terms, whose handles it remembers.
pub fn chain(config: &SolverConfig) -> Box<dyn Solver> {
    let mut solver = backends::route(config);
    if let Some(directory) = &config.log {
        solver = Box::new(layers::Log::new(directory.clone(), solver));
    }
    let layers = LayerKind::ALL.iter().filter(|it| config.layers.has(**it));
    layers.rev().fold(solver, |below, layer| layer.over(below))
}
