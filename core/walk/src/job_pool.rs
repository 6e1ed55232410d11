//! The jobs that the workers of a walk share.
//!
//! Knows: who waits for a job, and when all is done. Never: what a job is.

use effigy_engine::{Job, PathId};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The jobs of all workers of a walk.
#[derive(Debug)]
pub(crate) struct JobPool {
    shelf: Mutex<Shelf>,
    changed: Condvar,
    /// Workers that wait and for whom nothing was given yet.
    wanted: AtomicUsize,
    next_id: AtomicU64,
}

#[derive(Debug, Default)]
struct Shelf {
    /// Jobs that wait since the start.
    backlog: VecDeque<Job>,
    /// Jobs for workers that wait for one.
    given: VecDeque<Job>,
    waiting: usize,
    workers: usize,
    closed: bool,
}

impl JobPool {
    /// A pool with these jobs, which no worker has joined.
    pub(crate) fn new(backlog: Vec<Job>, next_id: u64) -> JobPool {
        JobPool {
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
