//! One question: is φ ∧ q satisfiable, within a budget, with a model on demand?
//!
//! Knows: conjunctions of terms, models, budgets, solver processes.
//! Never: a language, a path's state, the terminal.
//!
//! The chain of layers is composed by [`chain`]; every layer is a [`Solver`] over a [`Solver`].

mod path_condition;
mod statistics;

pub use path_condition::PathCondition;
pub use statistics::{LayerStatistics, Statistics};

use effigy_term::{Model, Term, Terms};
use std::time::Duration;

/// What is asked: is `path ∧ goal` satisfiable?
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// φ, which is satisfiable (its model is `witness`) unless an earlier answer was unknown.
    pub path: &'a PathCondition,
    /// q, of sort Bool.
    pub goal: Term,
    /// A model of φ, if one is known: a starting point and a fallback for the symbols that q does not touch.
    pub witness: Option<&'a Model>,
    /// What may be spent.
    pub budget: QueryBudget,
}

/// What one query may spend. `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueryBudget {
    /// Conflicts of the SAT solver (or the resource units of an SMT solver): the same on every machine.
    pub steps: Option<u64>,
    /// Wall time.
    pub time: Option<Duration>,
}

/// The three answers.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Satisfiable, by this model of φ ∧ q.
    Sat(Model),
    /// Unsatisfiable.
    Unsat,
    /// Not decided.
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
    /// The run was interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// Something that decides queries.
pub trait Solver {
    /// Decides a query. A `Sat` answer's model satisfies φ ∧ q.
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer;

    /// Adds this layer's counters and those of the layers below it.
    fn statistics(&self, into: &mut Statistics);
}
