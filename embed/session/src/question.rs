//! What a run can ask, and how it was answered.
//!
//! Knows: the terms of a question. Never: who answers it.

use effigy_term::{Term, Value};
use std::panic::Location;
use std::rc::Rc;

/// A question, as it is compared when a run is made again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Does this hold?
    Decide(Term),
    /// Which of these holds? They exclude one another, and one of them does.
    Among(Rc<[Term]>),
    /// Which of so many, whatever the values are?
    Choose(u32),
    /// Which value has this term? Every value is followed.
    Value(Term),
    /// One value of this term, for all.
    Witness(Term),
    /// Only inputs of which this holds matter.
    Assume(Term),
    /// This must hold.
    Check(Term),
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// This side, from zero; of [`Question::Decide`] zero is that it holds.
    Side(u32),
    /// This value.
    Value(Value),
    /// It holds.
    Holds,
    /// It does not.
    Fails,
}

/// A question with its answer and its place.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) answer: Answer,
    pub(crate) place: &'static Location<'static>,
}
