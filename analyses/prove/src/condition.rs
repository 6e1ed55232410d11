//! Verification conditions.
//!
//! Knows: what was to be proved on which path, and what came of it. Never: how it was decided.

use effigy_engine::{BugKind, Place, Statement, Trail, Witness};
use effigy_solver::Reason;
use effigy_term::{Model, Term};
use std::sync::Arc;

/// A statement on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// The number of the statement.
    pub number: u32,
    /// The procedure in which it stands.
    pub procedure: Arc<str>,
    /// The side taken, if it branches and both sides were open.
    pub side: Option<bool>,
}

/// What came of a verification condition.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// It holds on every execution of its path.
    Proved,
    /// It does not hold for these values at the beginning of the path.
    Refuted {
        /// The values of the inputs, for people.
        witness: Witness,
        /// The same as a model.
        model: Model,
    },
    /// The solver did not decide it, for this reason.
    Unknown(Reason),
}

/// pc ⊃ value(B) at one point of one path.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The cut point where the path begins.
    pub from: Statement,
    /// The statements executed, first to last.
    pub path: Vec<PathStep>,
    /// The statement at which it must hold.
    pub at: Statement,
    /// The place of the assertion or check.
    pub place: Place,
    /// What it would be if it did not hold: an assertion, a subscript, a division.
    pub kind: BugKind,
    /// What must hold, in words.
    pub message: String,
    /// The condition that must hold, of sort Bool.
    pub goal: Term,
    /// The path condition and its conjuncts.
    pub trail: Trail,
    /// Whether the condition holds on the path.
    pub verdict: Verdict,
}

/// What came of a procedure.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The name of the procedure.
    pub procedure: Arc<str>,
    /// The assertion at its entry, if there is one: it is the caller's affair.
    pub entry: Option<Place>,
    /// Its verification conditions, by path.
    pub conditions: Vec<Condition>,
    /// Loops without a cut point.
    pub uncut_loops: Vec<Statement>,
    /// Why the conditions are not all that must be proved: paths that were given up, with the reason.
    pub incomplete: Vec<String>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// Paths that were executed to their end.
    pub paths: u64,
}

impl Proof {
    /// Whether the procedure is correct with respect to its assertions.
    pub fn holds(&self) -> bool {
        self.uncut_loops.is_empty()
            && self.incomplete.is_empty()
            && self.conditions.iter().all(|it| it.verdict == Verdict::Proved)
    }

    /// Whether a condition was refuted.
    pub fn is_refuted(&self) -> bool {
        self.conditions.iter().any(|it| matches!(it.verdict, Verdict::Refuted { .. }))
    }
}
