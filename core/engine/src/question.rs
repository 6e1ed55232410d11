//! The questions that a language can ask.
//!
//! Knows: what is asked. Never: who answers.

use crate::outcome::{GaveUp, GiveUpCause, Outcome, Place, Violation};
use effigy_term::Term;
use std::sync::Arc;

/// What came of running a state.
#[derive(Clone, Debug)]
pub enum Step {
    /// The fuel is used up.
    Next,
    /// Which alternative? Together they are exhaustive under φ. They exclude one another where the program decides;
    /// several that hold are a choice that nobody decides (which thread moves).
    /// Where the walk follows one path, [`crate::Context::decide`] answers it in place.
    Branch(Vec<Alternative>),
    /// Which value does this term have? (A symbolic size, a symbolic callee.) The walk forks over the feasible ones.
    Value(Term),
    /// `cond` must hold; where it does not, `violation` happened.
    Require {
        /// What must hold, of sort Bool.
        cond: Term,
        /// What it is if it does not.
        violation: Box<Violation>,
    },
    /// Only inputs with this condition matter.
    Assume(Term),
    /// The program has ended.
    Exit(Outcome),
    /// The language does not execute the path any further.
    GaveUp(Box<GaveUp>),
}

impl Step {
    /// Gives the path up at a construct that the language does not execute.
    pub fn unsupported(what: impl Into<String>, place: Place) -> Step {
        Step::GaveUp(Box::new(GaveUp { cause: GiveUpCause::Unsupported, what: what.into(), place }))
    }
}

/// One side of a branch.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// When this side is taken.
    pub cond: Term,
    /// What a picture writes at the arc: `T`, `F`, `case 3`.
    pub label: AlternativeLabel,
}

/// The label of an alternative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AlternativeLabel {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// One of several, by name.
    Case(Arc<str>),
}

impl AlternativeLabel {
    /// The side in a word, as trees have it.
    pub fn text(&self) -> &str {
        match self {
            AlternativeLabel::True => "T",
            AlternativeLabel::False => "F",
            AlternativeLabel::Case(name) => name,
        }
    }
}
