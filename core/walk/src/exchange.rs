//! Where the paths of a walk come from and where they go: from its start, or from and to other workers.
//!
//! Knows: jobs, and what is told of a walk. Never: states.

use crate::account::Exploration;
use crate::events::WalkEvent;
use crate::loop_detection::Endless;
use effigy_engine::{Job, PathId, PathName};
use rustc_hash::FxHashSet;

/// What a walk is given to do, and who takes work from it. `T` is what is told of the end of a path.
pub trait Exchange<T> {
    /// A job when the walk has nothing left; waits for one that another worker may give. `None` when all is done.
    fn next(&mut self) -> Option<Job>;

    /// A job of those that wait since the start, so that none of them waits for the others to end.
    fn another(&mut self) -> Option<Job>;

    /// A number that no path has.
    fn fresh_id(&mut self) -> PathId;

    /// Whether another worker has nothing to do.
    fn is_wanted(&self) -> bool {
        false
    }

    /// Gives paths that wait to other workers.
    fn give(&mut self, jobs: Vec<Job>) {
        let _ = jobs;
    }

    /// Whether somebody hears what happens.
    fn is_heard(&self) -> bool {
        false
    }

    /// This path is advanced now.
    fn runs(&mut self, path: PathId) {
        let _ = path;
    }

    /// Which of its paths has no end in sight, so far.
    fn turns(&mut self, most: Option<Endless>) {
        let _ = most;
    }

    /// Tells whoever hears the walk what has happened.
    fn tell(&mut self, event: WalkEvent<T>) {
        let _ = event;
    }
}

/// Where a walk begins: at the start of the program, or where an earlier one was stopped.
#[derive(Clone, Debug)]
pub struct Start {
    /// The paths that wait, by their names.
    pub jobs: Vec<Job>,
    /// No path has this number, or a greater one.
    pub next_id: u64,
    /// The account of what was found before.
    pub exploration: Exploration,
    /// The names of ends that were told before, and may be come to again.
    pub beside: FxHashSet<PathName>,
}

impl Start {
    /// A walk of a whole program, of which nothing is known.
    pub fn of_program() -> Start {
        Start { jobs: vec![Job::root()], next_id: 1, exploration: Exploration::default(), beside: FxHashSet::default() }
    }
}

/// A walk by one worker, from the start of the program.
#[derive(Debug)]
pub struct SingleWorker {
    start: Option<Job>,
    next_id: u64,
}

impl Default for SingleWorker {
    fn default() -> SingleWorker {
        SingleWorker::new()
    }
}

impl SingleWorker {
    /// The exchange of a walk that has the start of the program to do.
    pub fn new() -> SingleWorker {
        SingleWorker { start: Some(Job::root()), next_id: 1 }
    }
}

impl<T> Exchange<T> for SingleWorker {
    fn next(&mut self) -> Option<Job> {
        self.start.take()
    }

    fn another(&mut self) -> Option<Job> {
        None
    }

    fn fresh_id(&mut self) -> PathId {
        self.next_id += 1;
        PathId(self.next_id - 1)
    }
}
