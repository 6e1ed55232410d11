//! The questions that a language can ask.
//!
//! Knows: what is asked. Never: who answers.

use crate::outcome::{GaveUp, GiveUpCause, Outcome, Place, Violation};
use effigy_term::Term;
use std::sync::Arc;

/// The result of [`crate::Language::step`]: a question, an end, or neither.
#[derive(Clone, Debug)]
pub enum Step {
    /// There is no question: the fuel is used up, or the state stands where paths can meet ([`crate::Merge`]).
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
        /// The violation to report where `cond` is false.
        violation: Box<Violation>,
    },
    /// Inputs on which this condition, of sort Bool, is false are neither explored nor reported.
    Assume(Term),
    /// The program has ended on this path, with this outcome.
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
    /// The condition, of sort Bool, under which this side is taken.
    pub cond: Term,
    /// What a picture writes at the arc: `T`, `F`, `case 3`.
    pub label: AlternativeLabel,
}

/// The label of an alternative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AlternativeLabel {
    /// The side on which the branch condition is true.
    True,
    /// The side on which the branch condition is false.
    False,
    /// One side of several, by its name.
    Case(Arc<str>),
}

impl AlternativeLabel {
    /// The label as trees print it: `T`, `F` or the name of the case.
    pub fn text(&self) -> &str {
        match self {
            AlternativeLabel::True => "T",
            AlternativeLabel::False => "F",
            AlternativeLabel::Case(name) => name,
        }
    }
}
