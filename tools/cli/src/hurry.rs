//! A solver that has no more time after a while: what is made shorter for people must not take longer than the work.
//!
//! Knows: when to stop asking. Never: what is asked.

use effigy_solver::{Answer, Query, Reason, Solver, Statistics};
use effigy_term::Terms;
use std::time::{Duration, Instant};

/// So long is worth a person's waiting for shorter formulas, over all of a report.
const PATIENCE: Duration = Duration::from_secs(5);

/// A solver whose time for a report is limited.
pub(crate) struct Hurried<'a> {
    below: &'a mut dyn Solver,
    until: Instant,
}

impl<'a> Hurried<'a> {
    /// From now on.
    pub(crate) fn new(below: &'a mut dyn Solver) -> Hurried<'a> {
        Hurried { below, until: Instant::now() + PATIENCE }
    }

    /// Whether formulas may be longer than they need be.
    pub(crate) fn gave_up(&self) -> bool {
        Instant::now() >= self.until
    }
}

impl Solver for Hurried<'_> {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        match self.gave_up() {
            true => Answer::Unknown(Reason::Time),
            false => self.below.check(terms, query),
        }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.below.statistics(into);
    }
}
