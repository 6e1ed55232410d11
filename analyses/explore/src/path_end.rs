//! The ends of paths, as they come.
//!
//! Knows: how a path ended, and inputs that take it. Never: how that is rendered.

use effigy_engine::{GaveUp, GiveUpCause, Limit, PathId, PathName, Place, Trail, Violation, Witness};
use effigy_solver::Reason;
use effigy_walk::{Ending, Progress};

/// How a path ended, with what belongs to the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program ended by itself, with this exit code for the witness.
    Exit {
        /// The exit code, where the language has one.
        code: Option<i32>,
    },
    /// The path ran into a bug.
    Bug(Box<Violation>),
    /// The program dropped the path.
    Silent,
    /// No input takes the path, which was not known before its end ([`effigy_engine::Feasibility::Leaf`], or after a
    /// question that was not decided).
    Infeasible,
    /// The language did not execute the path any further.
    GaveUp(GaveUp),
    /// A limit cut the path.
    Cut(Limit),
    /// Whether the path exists could not be decided.
    Undecided {
        /// What it would be if it existed.
        what: String,
        /// Why it is not known.
        reason: Reason,
        /// Where the path stood then.
        place: Place,
    },
}

/// The end of one path.
#[derive(Debug)]
pub struct PathEnd<'a, S> {
    /// The number of the path.
    pub id: PathId,
    /// Where it ended, as the language knows it.
    pub state: &'a S,
    /// φ, the decisions, the model.
    pub trail: &'a Trail,
    /// How the path came to its end.
    pub end: End,
    /// Inputs that take it; empty when no model is known.
    pub witness: Witness,
    /// Whether the witness is backed by a model of φ.
    pub certain: bool,
}

impl<S> PathEnd<'_, S> {
    /// The name of the path: its decisions.
    pub fn name(&self) -> PathName {
        self.trail.name()
    }
}

/// Receives the ends of paths as they come.
pub trait Sink<S, T = ()> {
    /// A path ended; `T` is what is told of it to whoever hears the worker.
    fn ended(&mut self, end: &PathEnd<'_, S>) -> T;

    /// Called now and then with how far the walk has come.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// The resident memory of the process in bytes, where it is known; for the memory limit.
    fn resident_memory(&mut self) -> Option<u64> {
        None
    }
}

impl From<&End> for Ending {
    fn from(end: &End) -> Ending {
        match end {
            End::Exit { .. } => Ending::Completed,
            End::Bug(it) => Ending::Bug(it.kind.0.to_owned(), it.place.clone()),
            End::Silent => Ending::Silent,
            End::Infeasible => Ending::Infeasible,
            End::GaveUp(it) => match it.cause {
                GiveUpCause::Unsupported => Ending::Unsupported(it.what.clone(), it.place.clone()),
                GiveUpCause::Undecided | GiveUpCause::Limit => Ending::Undecided(it.to_string(), it.place.clone()),
            },
            End::Cut(limit) => Ending::Cut(*limit, Place::default()),
            End::Undecided { what, reason, place } => Ending::Undecided(format!("{what} ({reason})"), place.clone()),
        }
    }
}
