//! The time allowance for simplifying formulas that are printed: it must not take longer than the exploration itself.
//!
//! Knows: when to stop asking. Never: what is asked.

use effigy_solver::{Answer, Query, Reason, Solver, Statistics};
use effigy_term::Terms;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The allowance for all leaves of a run; chosen without measuring, as a time that a person would wait for shorter formulas.
const LONGEST: Duration = Duration::from_secs(5);

/// The time that is left for simplifying formulas; all workers of a run share it.
#[derive(Debug)]
pub(crate) struct TimeAllowance {
    left: Mutex<Duration>,
    spent: Mutex<Duration>,
}

impl TimeAllowance {
    /// For a run of at most this time: the greater part of it is the walk's.
    pub(crate) fn of_run(time: Option<Duration>) -> TimeAllowance {
        let left = time.map_or(LONGEST, |it| LONGEST.min(it / 4));
        TimeAllowance { left: Mutex::new(left), spent: Mutex::new(Duration::ZERO) }
    }

    fn left(&self) -> Duration {
        // A worker that died while it held the lock left a duration all the same.
        *self.left.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn spend(&self, time: Duration) {
        let mut left = self.left.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *left = left.saturating_sub(time);
        *self.spent.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += time;
    }

    /// Whether formulas may be longer than they need be.
    pub(crate) fn is_out(&self) -> bool {
        self.left().is_zero()
    }

    /// The time that was taken for telling leaves.
    pub(crate) fn spent(&self) -> Duration {
        *self.spent.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A solver whose time is limited. It takes its time off the account when it is dropped.
pub(crate) struct DeadlineSolver<'a> {
    below: &'a mut dyn Solver,
    patience: &'a TimeAllowance,
    since: Instant,
    until: Instant,
}

impl<'a> DeadlineSolver<'a> {
    /// A solver whose time starts now.
    pub(crate) fn new(below: &'a mut dyn Solver, patience: &'a TimeAllowance) -> DeadlineSolver<'a> {
        let since = Instant::now();
        DeadlineSolver { below, patience, since, until: since + patience.left() }
    }
}

impl Drop for DeadlineSolver<'_> {
    fn drop(&mut self) {
        self.patience.spend(self.since.elapsed());
    }
}

impl Solver for DeadlineSolver<'_> {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        match Instant::now() >= self.until {
            true => Answer::Unknown(Reason::Time),
            false => self.below.check(terms, query),
        }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.below.statistics(into);
    }
}
