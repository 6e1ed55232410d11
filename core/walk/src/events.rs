//! What is told of a walk: events that can be written down in their order, so that the walk can be taken up again.
//!
//! Knows: names and ends of paths, as data. Never: states, who listens.

use crate::account::{Delta, Ending, Progress};
use effigy_engine::{Decisions, PathId, PathName};

/// What is heard of a walk, in an order in which it can be written down: each path was forked before it ends.
#[derive(Debug)]
pub enum WalkEvent<T> {
    /// `parent` has split; its own number is that of one of the children. They wait.
    Forked {
        /// The number of the path that split.
        parent: PathId,
        /// The paths that it split into.
        children: Vec<Child>,
    },
    /// A path has come to its end.
    Ended(Box<EndedPath<T>>),
    /// A path is over without an end of its own: every input runs into the violation that was told last.
    Gone(PathId),
    /// A path that waits could not be come to again.
    Lost(PathId, Ending),
    /// What was found after the last path ended.
    Found(Delta),
    /// A worker has died; what it had is done again.
    Died {
        /// The message of its panic.
        why: String,
        /// The number of paths that it had.
        paths: usize,
    },
}

/// The end of a path, as a worker tells it; `T` is what the analysis makes of it.
#[derive(Debug)]
pub struct EndedPath<T> {
    /// The number of the path.
    pub path: PathId,
    /// Its name, where it went into a violation beside a path that goes on: whoever does that path again comes here
    /// again.
    pub beside: Option<PathName>,
    /// How the path ended, without its state.
    pub ending: Ending,
    /// What was found since the last path ended.
    pub delta: Delta,
    /// What the analysis tells of the path.
    pub told: T,
}

/// A way on from a fork, by what its name does not share with its parent's.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Child {
    /// The number of the path.
    pub path: PathId,
    /// So many decisions are those of the parent.
    pub kept: usize,
    /// The decisions that follow those of the parent.
    pub after: PathName,
    /// How often the path has forked.
    pub forks: u64,
}

impl Child {
    /// Its decisions, given its parent's, with which they share what is the same.
    pub fn decisions(&self, parent: &Decisions) -> Decisions {
        let mut res = parent.first(self.kept);
        self.after.0.iter().for_each(|it| res.push(it.clone()));
        res
    }
}

/// Listens to a walk, whoever of its workers has something to tell.
pub trait Listener<T> {
    /// Takes in an event, in the order in which they can be written down.
    fn hear(&mut self, event: WalkEvent<T>);

    /// All that has happened so far was told: time to write it down.
    fn pause(&mut self) {}

    /// Called now and then with how far the walk has come.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
}
