//! A path: a state of the language and the trail that leads to it.
//!
//! Knows: φ, its model, the decisions. Never: what the state is.

use crate::decision::Decisions;
use effigy_solver::{PathCondition, Reason};
use effigy_term::Model;

/// The number of a path, in the order in which paths came into being.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PathId(pub u64);

/// What the engine knows of a path.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// φ.
    pub condition: PathCondition,
    /// A model of φ; `None` when φ's satisfiability is not known.
    pub witness: Option<Model>,
    /// Why φ may be unsatisfiable, if a solver could not tell: a result that rests on this path says so.
    pub undecided: Option<Reason>,
    /// The decisions that lead here: the path's name.
    pub decisions: Decisions,
    /// Transitions made so far.
    pub steps: u64,
    /// How many of the decisions had a feasible alternative.
    pub forks: u64,
}

impl Trail {
    /// The trail of the start state: φ is true, and every assignment is a model.
    pub fn new() -> Trail {
        Trail { witness: Some(Model::new()), ..Trail::default() }
    }
}

/// A path of execution.
#[derive(Clone, Debug)]
pub struct Path<S> {
    /// Its number.
    pub id: PathId,
    /// The language's part.
    pub state: S,
    /// The engine's part.
    pub trail: Trail,
}
