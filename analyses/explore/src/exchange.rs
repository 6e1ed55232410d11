//! Where the paths of a walk come from and where they go: from its start, or from and to other workers.
//!
//! Knows: jobs, and what is to be heard of a walk. Never: states.

use crate::exploration::{Delta, Ending, Exploration, Progress};
use crate::turns::Endless;
use effigy_engine::{Decisions, Job, PathId, PathName};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What a walk is given to do, and who takes work from it. `T` is what is told of the end of a path.
pub(crate) trait Exchange<T> {
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

    /// Gives paths away.
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

    /// Something has happened.
    fn tell(&mut self, heard: Heard<T>) {
        let _ = heard;
    }
}

/// What is heard of a walk, in an order in which it can be written down: each path was forked before it ends.
#[derive(Debug)]
pub enum Heard<T> {
    /// `parent` has split; its own number is that of one of the children. They wait.
    Forked {
        /// The path.
        parent: PathId,
        /// The ways on.
        children: Vec<Child>,
    },
    /// A path ended.
    Ended(Box<EndedPath<T>>),
    /// A path is over without an end of its own: every input runs into the violation that was told last.
    Gone(PathId),
    /// A path that waits could not be come to again.
    Lost(PathId, Ending),
    /// What was found after the last path ended.
    Found(Delta),
    /// A worker has died; what it had is done again.
    Died {
        /// Its last words.
        why: String,
        /// How many paths it had.
        paths: usize,
    },
}

/// The end of a path.
#[derive(Debug)]
pub struct EndedPath<T> {
    /// Its number.
    pub path: PathId,
    /// Its name, where it went into a violation beside a path that goes on: whoever does that path again comes here
    /// again.
    pub beside: Option<PathName>,
    /// How it ended.
    pub ending: Ending,
    /// What was found since the last path ended.
    pub delta: Delta,
    /// What the worker tells of it.
    pub told: T,
}

/// A way on from a fork, by what its name does not share with its parent's.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Child {
    /// Its number.
    pub path: PathId,
    /// So many decisions are those of the parent.
    pub kept: usize,
    /// The others.
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

/// Where a walk begins: at the start of the program, or where an earlier one was stopped.
#[derive(Clone, Debug)]
pub struct Start {
    /// The paths that wait.
    pub jobs: Vec<Job>,
    /// No path has this number, or a greater one.
    pub next_id: u64,
    /// What was found before.
    pub exploration: Exploration,
    /// The names of ends that were told before, and may be come to again.
    pub beside: FxHashSet<PathName>,
}

impl Start {
    /// The start of the program.
    pub fn of_program() -> Start {
        Start { jobs: vec![Job::root()], next_id: 1, exploration: Exploration::default(), beside: FxHashSet::default() }
    }
}

/// Who listens to a crew.
pub trait Listener<T> {
    /// Something has happened.
    fn hear(&mut self, heard: Heard<T>);

    /// What was heard of late is all: time to write it down.
    fn pause(&mut self) {}

    /// Called now and then.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

/// The jobs of all workers of a walk.
#[derive(Debug)]
pub(crate) struct Pool {
    shelf: Mutex<Shelf>,
    changed: Condvar,
    /// Workers that wait and for whom nothing was given yet.
    wanted: AtomicUsize,
    next_id: AtomicU64,
}

#[derive(Debug, Default)]
struct Shelf {
    /// Since the start.
    backlog: VecDeque<Job>,
    /// For workers that wait.
    given: VecDeque<Job>,
    waiting: usize,
    workers: usize,
    closed: bool,
}

impl Pool {
    /// A pool with these jobs, which no worker has joined.
    pub(crate) fn new(backlog: Vec<Job>, next_id: u64) -> Pool {
        Pool {
            shelf: Mutex::new(Shelf { backlog: backlog.into(), ..Shelf::default() }),
            changed: Condvar::new(),
            wanted: AtomicUsize::new(0),
            next_id: AtomicU64::new(next_id),
        }
    }

    /// A worker that dies leaves the shelf whole: it does not die in here.
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count_wanted(&self, shelf: &Shelf) {
        self.wanted.store(shelf.waiting.saturating_sub(shelf.given.len()), Ordering::Relaxed);
    }

    /// One worker fewer, who is not replaced. If the others wait for one another, all is done.
    pub(crate) fn leave(&self) {
        let mut shelf = self.shelf();
        shelf.workers = shelf.workers.saturating_sub(1);
        shelf.closed |= shelf.waiting >= shelf.workers && shelf.given.is_empty() && shelf.backlog.is_empty();
        self.changed.notify_all();
    }

    /// One worker more; false when all is done already.
    pub(crate) fn join(&self) -> bool {
        let mut shelf = self.shelf();
        shelf.workers += usize::from(!shelf.closed);
        !shelf.closed
    }

    /// These jobs are to be done again.
    pub(crate) fn again(&self, jobs: Vec<Job>) {
        self.shelf().backlog.extend(jobs);
        self.changed.notify_all();
    }

    /// No worker gets another job.
    pub(crate) fn close(&self) {
        self.shelf().closed = true;
        self.changed.notify_all();
    }

    pub(crate) fn fresh_id(&self) -> PathId {
        PathId(self.next_id.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn give(&self, jobs: Vec<Job>) {
        let mut shelf = self.shelf();
        shelf.given.extend(jobs);
        self.count_wanted(&shelf);
        self.changed.notify_all();
    }

    pub(crate) fn another(&self) -> Option<Job> {
        let mut shelf = self.shelf();
        if shelf.closed { None } else { shelf.backlog.pop_front() }
    }

    pub(crate) fn next(&self) -> Option<Job> {
        let mut shelf = self.shelf();
        shelf.waiting += 1;
        loop {
            if shelf.closed {
                return None;
            }
            let given = shelf.given.pop_front();
            if let Some(job) = given.or_else(|| shelf.backlog.pop_front()) {
                shelf.waiting -= 1;
                self.count_wanted(&shelf);
                return Some(job);
            }
            self.count_wanted(&shelf);
            // All wait for one another: all is done.
            if shelf.waiting >= shelf.workers {
                shelf.closed = true;
                self.changed.notify_all();
                return None;
            }
            shelf = self.changed.wait(shelf).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A walk by one worker, from the start of the program.
pub(crate) struct Alone {
    start: Option<Job>,
    next_id: u64,
}

impl Alone {
    pub(crate) fn new() -> Alone {
        Alone { start: Some(Job::root()), next_id: 1 }
    }
}

impl<T> Exchange<T> for Alone {
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
