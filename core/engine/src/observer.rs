//! Observers: what a walk shows to whoever draws it.
//!
//! Knows: the events of a walk. Never: what becomes of them.

use crate::decision::Decision;
use crate::outcome::{GaveUp, Outcome};
use crate::path::{PathId, Trail};
use effigy_term::Term;

/// Sees a walk over states of type `S` as it happens. All methods do nothing by default.
pub trait Observer<S> {
    /// Whether [`Observer::stepping`] is to be called before every transition: the walk is slower then.
    fn follows_steps(&self) -> bool {
        false
    }

    /// `path` stands at `state` and makes its next transition, or finishes the one that it was asked about.
    fn stepping(&mut self, path: PathId, state: &S, trail: &Trail) {
        let _ = (path, state, trail);
    }

    /// `child` left `parent` by `decision`, under `cond`. One child has the parent's own id. Called for all children of
    /// a question before one of them goes on. At a requirement that can fail, only the child that fails is new; at a
    /// question for a value, the child that leaves by [`Decision::Not`] is asked again.
    fn forked(&mut self, parent: PathId, child: PathId, decision: &Decision, cond: Term) {
        let _ = (parent, child, decision, cond);
    }

    /// A path ended, or was cut.
    fn ended(&mut self, path: PathId, state: &S, trail: &Trail, end: Ended<'_>) {
        let _ = (path, state, trail, end);
    }
}

/// How a path left the walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended<'a> {
    /// The program ended, or did what it must not.
    By(&'a Outcome),
    /// The language gave it up.
    GaveUp(&'a GaveUp),
    /// The path was cut at a limit: what comes after is not known.
    Cut,
    /// It is not known whether the path exists.
    Undecided,
}

/// The observer that sees nothing.
impl<S> Observer<S> for () {}
