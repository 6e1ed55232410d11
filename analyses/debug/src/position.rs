//! Positions: where a session stands, with all that is needed to stand there again.
//!
//! Knows: a state, its trail, the open question, how it ended. Never: how it came there.
//! A position is never changed: a command makes a new one, so that SAVE and UNDO keep handles.

use crate::tree::NodeId;
use effigy_engine::{AlternativeLabel, GaveUp, Outcome, Statement, Trail, Violated, Way};
use effigy_term::Term;
use std::rc::Rc;
use std::sync::Arc;

/// A position of a session in the execution tree.
#[derive(Clone, Debug)]
pub(crate) struct Position<S> {
    pub(crate) state: S,
    pub(crate) trail: Trail,
    /// The statements in progress, one for each call.
    pub(crate) progress: Progress,
    /// What must be decided before the statement can go on. The state is the one before the statement, as at a
    /// breakpoint (King, section 6).
    pub(crate) question: Option<Rc<Question<S>>>,
    /// The end of the program; `None` while it runs.
    pub(crate) end: Option<Rc<End>>,
    /// A decision was made and its transition is not finished: variables cannot be set here.
    pub(crate) within: bool,
    /// The place in the tree that was walked.
    pub(crate) node: NodeId,
    /// The call that the program was started by.
    pub(crate) origin: Option<Arc<str>>,
    /// Variables were set by hand: a run from the start may not come here.
    pub(crate) edited: bool,
}

/// An open question: the state that asks it, and the ways on.
#[derive(Clone, Debug)]
pub(crate) struct Question<S> {
    pub(crate) state: S,
    pub(crate) progress: Progress,
    pub(crate) open: Open,
}

/// The ways on from an open question.
#[derive(Clone, Debug)]
pub(crate) enum Open {
    /// One of several sides of a branch.
    Branch(Vec<Way>),
    /// A value of this term; the trail has the conditions so far, and an example is given.
    Value { term: Term, trail: Trail, example: String },
    /// It goes on where the condition holds, and into the error where it does not.
    Require { violated: Rc<Violated>, past: Trail },
}

/// The way in which a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The program ended, or went into a bug.
    By(Outcome),
    /// The language gave the path up.
    GaveUp(GaveUp),
    /// No way on is feasible: the path does not exist, which an earlier unknown answer has hidden.
    Impossible(String),
}

/// Identifies an execution of a statement: two states before the same one agree in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) clock: u64,
    pub(crate) depth: usize,
    pub(crate) number: u32,
    pub(crate) procedure: Arc<str>,
}

impl Mark {
    pub(crate) fn is_at(&self, statement: &Statement) -> bool {
        self.number == statement.number && self.procedure == statement.procedure
    }
}

/// The statements in progress, the innermost first. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    last: Option<Rc<(Mark, Progress)>>,
}

impl Progress {
    /// The innermost statement in progress.
    pub(crate) fn last(&self) -> Option<&Mark> {
        self.last.as_ref().map(|it| &it.0)
    }

    /// `mark` begins inside of all that are in progress.
    pub(crate) fn push(&mut self, mark: Mark) {
        let before = std::mem::take(self);
        self.last = Some(Rc::new((mark, before)));
    }

    /// The innermost one is finished.
    pub(crate) fn pop(&mut self) -> Option<Mark> {
        let last = self.last.take()?;
        self.last.clone_from(&last.1.last);
        Some(last.0.clone())
    }
}

impl Drop for Progress {
    /// Frees a long unshared list in a loop: the derived recursion would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(it) = next {
            match Rc::try_unwrap(it) {
                Ok((_, mut rest)) => next = rest.last.take(),
                Err(_) => break,
            }
        }
    }
}

/// Whether a statement is known: code without source positions has none.
pub(crate) fn is_known(statement: &Statement) -> bool {
    statement.number != 0 || !statement.text.is_empty()
}

/// What a person types for a way on from a branch.
pub(crate) fn label_text(way: &Way) -> String {
    match &way.label {
        Some(AlternativeLabel::True) => "true".to_owned(),
        Some(AlternativeLabel::False) => "false".to_owned(),
        Some(AlternativeLabel::Case(name)) => name.to_string(),
        None => String::new(),
    }
}
