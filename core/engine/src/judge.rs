//! Judges: who answers what a walk asks about the state of a path.
//!
//! Knows: the two questions (is a condition feasible there, does it follow there) and their answers. Never: which path
//! goes on next, how an answer is found.
//!
//! A solver judges by the path condition alone ([`crate::Engine`]). A language whose states know more than φ says, as a
//! verification knows axioms, definitions and which object is new, has a judge of its own ([`crate::Language::judge`]):
//! it is asked first.

use crate::path::{Trail, Valuation};
use effigy_solver::{Answer, QueryBudget, Reason};
use effigy_term::{Term, Terms};

/// A question about the state of a path.
#[derive(Debug)]
pub struct JudgeQuestion<'q, S> {
    /// The state in which it is asked.
    pub state: &'q S,
    /// The trail to the state: φ, with its model.
    pub trail: &'q Trail,
    /// The condition that it is about, of sort Bool.
    pub cond: Term,
    /// What the answer may cost. A judge that has no answer by then says that it is unknown.
    pub budget: QueryBudget,
}

/// Whether a condition follows from what is known in a state.
#[derive(Clone, PartialEq, Debug)]
pub enum Entailment {
    /// It holds on every run that comes to the state.
    Holds,
    /// It is false on some run that comes to the state, as far as the judge knows the state: with a model, if it has one.
    Fails(Option<Valuation>),
    /// The judge did not decide it, for this reason.
    Unknown(Reason),
}

/// Answers the questions of a walk about states of type `S`.
///
/// Two answers are claims: [`Answer::Unsat`] that no run of the state satisfies the condition, and
/// [`Entailment::Holds`] that every run does. A model of the other answers is one of φ.
pub trait Judge<S> {
    /// Whether some run that comes to the state satisfies the condition.
    fn feasible(&mut self, terms: &Terms, question: &JudgeQuestion<'_, S>) -> Answer;

    /// Whether every run that comes to the state satisfies the condition.
    fn entails(&mut self, terms: &Terms, question: &JudgeQuestion<'_, S>) -> Entailment;
}
