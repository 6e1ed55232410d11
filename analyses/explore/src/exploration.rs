//! What comes of an exploration: ends of paths as they come, and the account of the whole.
//!
//! Knows: counts and reasons. Never: how they are rendered.

use effigy_engine::{BugKind, Coverage, Limit, Notes, PathId, PathName, Place, Trail, Violation, Witness};
use effigy_solver::Reason;
use indexmap::IndexMap;
use std::collections::BTreeMap;
use std::time::Duration;

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program ended by itself, with this exit code for the witness.
    Exit {
        /// The exit code, where the language has one.
        code: Option<i32>,
    },
    /// A bug.
    Bug(Box<Violation>),
    /// The program dropped the path.
    Silent,
    /// No input takes the path, which was not known before its end ([`effigy_engine::Feasibility::Leaf`], or after a
    /// question that was not decided).
    Infeasible,
    /// Something that is not executed.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: Place,
    },
    /// A limit was reached.
    Cut(Limit),
    /// Whether the path exists could not be decided.
    Undecided {
        /// What it would be if it existed.
        what: String,
        /// Why it is not known.
        reason: Reason,
        /// Where.
        place: Place,
    },
}

/// The end of one path.
#[derive(Debug)]
pub struct PathEnd<'a, S> {
    /// Its number.
    pub id: PathId,
    /// Where it ended, as the language knows it.
    pub state: &'a S,
    /// φ, the decisions, the model.
    pub trail: &'a Trail,
    /// How it ended.
    pub end: End,
    /// Inputs that take it; empty when no model is known.
    pub witness: Witness,
    /// Whether the witness is backed by a model of φ.
    pub certain: bool,
}

impl<S> PathEnd<'_, S> {
    /// The path's name.
    pub fn name(&self) -> PathName {
        self.trail.name()
    }
}

/// Where an exploration stands.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Paths that ended.
    pub paths: u64,
    /// Paths that wait.
    pub pending: u64,
    /// Distinct bugs.
    pub bugs: u64,
    /// Sites reached.
    pub sites: u64,
    /// Time so far.
    pub time: Duration,
    /// Of it in the solver.
    pub solver: Duration,
}

/// Receives the ends of paths as they come.
pub trait Sink<S> {
    /// A path ended.
    fn ended(&mut self, end: &PathEnd<'_, S>);

    /// Called now and then.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// The resident memory of the process in bytes, where it is known; for the memory limit.
    fn resident_memory(&mut self) -> Option<u64> {
        None
    }
}

/// How many paths ended how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// By themselves.
    pub completed: u64,
    /// In a bug.
    pub errored: u64,
    /// Dropped by the program.
    pub silent: u64,
    /// Followed, and found at their end to be taken by no input.
    pub infeasible: u64,
    /// At something that is not executed.
    pub unsupported: u64,
    /// At a limit.
    pub cut: BTreeMap<Limit, u64>,
    /// Not known to exist.
    pub undecided: u64,
}

impl Counts {
    /// Paths cut by any limit.
    pub fn total_cut(&self) -> u64 {
        self.cut.values().sum()
    }
}

/// A bug, however many paths lead to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bug {
    /// The first violation found.
    pub violation: Violation,
    /// The path on which it was found.
    pub path: PathId,
    /// How many paths end in it.
    pub count: u64,
}

/// The account of an exploration.
#[derive(Debug, Default)]
pub struct Exploration {
    /// Paths by their ends.
    pub paths: Counts,
    /// Bugs by kind and place, in the order in which they were found.
    pub bugs: IndexMap<(BugKind, Place), Bug>,
    /// What was not executed: first place and number of paths.
    pub unsupported: BTreeMap<String, (Place, u64)>,
    /// What could not be decided: first place and number.
    pub undecided: BTreeMap<String, (Place, u64)>,
    /// Sites reached.
    pub coverage: Coverage,
    /// What the language approximated.
    pub notes: Notes,
    /// Why the walk stopped early.
    pub stopped: Option<Limit>,
    /// Transitions.
    pub steps: u64,
    /// Questions at which a path split.
    pub forks: u64,
    /// Time.
    pub time: Duration,
    /// Of it in the solver.
    pub solver_time: Duration,
}

impl Exploration {
    /// Whether every path of the program was followed to its end, and nothing was approximated away.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
            && self.paths.unsupported == 0
            && self.paths.undecided == 0
            && self.undecided.is_empty()
            && self.paths.total_cut() == 0
            && self.notes.iter().all(|(note, ..)| !note.incomplete)
    }
}
