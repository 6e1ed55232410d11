//! Budgets: what a walk may spend, and how it is told that it has spent it.
//!
//! Knows: limits, the clock, the interrupt flag. Never: which path to cut (that is the analysis).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a walk may spend; `None` is no limit.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The most wall time for the whole walk.
    pub time: Option<Duration>,
    /// The most resident memory of the process, in bytes.
    pub memory: Option<u64>,
    /// The most paths that end, however they end.
    pub paths: Option<u64>,
    /// The most transitions over all paths together.
    pub steps: Option<u64>,
    /// The most transitions on one path; a longer one is cut.
    pub path_steps: Option<u64>,
    /// The most forks on one path; a path that would fork once more is cut.
    pub depth: Option<u64>,
    /// The most bugs, not counting possible ones.
    pub bugs: Option<u64>,
    /// A flag that is set from outside (Ctrl-C): the walk stops when it next checks the budget.
    pub interrupt: Arc<AtomicBool>,
}

/// Why a walk or a path was cut short.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, thiserror::Error, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// [`Budget::time`] is used up: the walk stops.
    #[error("time limit")]
    Time,
    /// The process has reached [`Budget::memory`].
    #[error("memory limit")]
    Memory,
    /// The number of ended paths has reached [`Budget::paths`].
    #[error("limit of paths")]
    Paths,
    /// All paths together have made [`Budget::steps`] transitions.
    #[error("limit of instructions")]
    Steps,
    /// One path has made [`Budget::path_steps`] transitions, and is cut.
    #[error("limit of instructions on one path")]
    PathSteps,
    /// One path has forked [`Budget::depth`] times, and is cut.
    #[error("depth limit")]
    Depth,
    /// Too many values of one term.
    #[error("limit of values of one term")]
    Values,
    /// A path comes to a state again without a decision in between: it has no end.
    #[error("its state comes again, it never ends")]
    Repeats,
    /// The walk has found [`Budget::bugs`] bugs.
    #[error("limit of bugs")]
    Bugs,
    /// [`Budget::interrupt`] was set from outside.
    #[error("interrupted")]
    Interrupt,
}

/// A running account against a budget. Clones, of other workers, share it.
#[derive(Clone, Debug)]
pub struct Meter {
    budget: Budget,
    started: Instant,
    spent: Arc<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    steps: AtomicU64,
    paths: AtomicU64,
    bugs: AtomicU64,
}

impl Meter {
    /// A meter of `budget` whose clock starts now.
    pub fn start(budget: Budget) -> Meter {
        Meter { budget, started: Instant::now(), spent: Arc::default() }
    }

    /// The same account, stopped by another flag as well: that of one part of the walk.
    pub fn part(&self, interrupt: Arc<AtomicBool>) -> Meter {
        Meter { budget: Budget { interrupt, ..self.budget.clone() }, ..self.clone() }
    }

    /// The number of paths that have ended so far.
    pub fn paths(&self) -> u64 {
        self.spent.paths.load(Ordering::Relaxed)
    }

    /// Counts `steps` transitions more, of whichever path.
    pub fn add_steps(&self, steps: u64) {
        self.spent.steps.fetch_add(steps, Ordering::Relaxed);
    }

    /// Counts a path that ended in a bug.
    pub fn add_bug(&self) {
        self.spent.bugs.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a path that ended; false, and not counted, where the limit of paths is reached already.
    pub fn add_path(&self) -> bool {
        let below = |it: u64| self.budget.paths.is_none_or(|limit| it < limit).then_some(it + 1);
        self.spent.paths.fetch_update(Ordering::Relaxed, Ordering::Relaxed, below).is_ok()
    }

    /// The budget that this meter measures.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The wall time since [`Meter::start`].
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The limit of the whole walk that is reached, if any. Memory is looked at by [`Meter::check_memory`].
    pub fn exceeded(&self) -> Option<Limit> {
        let over = |used: u64, limit: Option<u64>| limit.is_some_and(|it| used >= it);
        if self.budget.interrupt.load(Ordering::Relaxed) {
            return Some(Limit::Interrupt);
        }
        if over(self.paths(), self.budget.paths) {
            return Some(Limit::Paths);
        }
        if over(self.spent.bugs.load(Ordering::Relaxed), self.budget.bugs) {
            return Some(Limit::Bugs);
        }
        if over(self.spent.steps.load(Ordering::Relaxed), self.budget.steps) {
            return Some(Limit::Steps);
        }
        match self.budget.time {
            Some(limit) if self.elapsed() >= limit => Some(Limit::Time),
            _ => None,
        }
    }

    /// The limit of one path that is reached, if any.
    pub fn path_exceeded(&self, steps: u64) -> Option<Limit> {
        if self.budget.path_steps.is_some_and(|it| steps >= it) {
            return Some(Limit::PathSteps);
        }
        None
    }

    /// The time that is left, if it is limited.
    pub fn remaining(&self) -> Option<Duration> {
        Some(self.budget.time?.saturating_sub(self.elapsed()))
    }

    /// Whether a path that forked so often may fork again.
    pub fn may_fork(&self, forks: u64) -> bool {
        self.budget.depth.is_none_or(|it| forks < it)
    }

    /// Whether `resident` bytes are over the memory limit. The caller measures: this crate reads no files.
    pub fn check_memory(&self, resident: u64) -> Option<Limit> {
        self.budget.memory.is_some_and(|it| resident >= it).then_some(Limit::Memory)
    }
}
