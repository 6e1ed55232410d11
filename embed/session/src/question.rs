//! What a run can ask, and how it was answered.
//!
//! Knows: the terms of a question. Never: who answers it.

use effigy_term::{Term, Value};
use std::panic::Location;
use std::rc::Rc;

/// A question, as it is compared when a run is made again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Does this condition, of sort Bool, hold?
    Decide(Term, Purpose),
    /// Which of these holds? They exclude one another, and one of them does.
    Among(Rc<[Term]>),
    /// Which of this number of alternatives, independent of any value?
    Choose(u32),
    /// Which value has this term? Every value is followed.
    Value(Term),
    /// One value of this term, for all.
    Witness(Term),
    /// One value of this term, which stands for all that the program compares as it does ([`Session::watched`]); the
    /// first of these that it can have, where it can have one.
    ///
    /// [`Session::watched`]: crate::Session::watched
    Watched(Term, Rc<[Value]>),
    /// Only inputs of which this holds matter.
    Assume(Term),
    /// This condition must hold; where it does not, the path fails.
    Check(Term),
}

/// What a decision is for. One expression can ask several, all at its first column: `n + 10 > 100` asks whether the sum
/// is in range, and then whether it is larger.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Purpose {
    /// A condition of the program.
    #[default]
    Condition,
    /// Whether an operator of it fails, with these words.
    Fails(&'static str),
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// This side, from zero; of [`Question::Decide`] zero is that it holds.
    Side(u32),
    /// The term has this value.
    Value(Value),
    /// The condition holds on this path.
    Holds,
    /// The condition does not hold on this path.
    Fails,
}

/// A question with its answer and its place.
#[derive(Clone, Debug)]
pub(crate) struct AnsweredQuestion {
    pub(crate) question: Question,
    pub(crate) answer: Answer,
    pub(crate) place: &'static Location<'static>,
}
