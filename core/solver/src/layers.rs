//! The layers of the chain: each answers what it can and hands the rest down. A file each.

pub mod cache;
pub mod domains;
pub mod fast;
pub mod independence;
pub mod linear;
pub mod log;
pub mod ranges;
pub mod validate;
pub mod witness;

use crate::{LayerStatistics, Statistics};
use std::time::{Duration, Instant};

/// The counters that every layer keeps.
#[derive(Debug)]
pub(crate) struct Counter {
    name: &'static str,
    queries: u64,
    answered: u64,
    /// Time with the layers below, and time only below.
    total: Duration,
    below: Duration,
}

impl Counter {
    pub(crate) fn new(name: &'static str) -> Counter {
        Counter { name, queries: 0, answered: 0, total: Duration::ZERO, below: Duration::ZERO }
    }

    pub(crate) fn begin(&mut self) -> Instant {
        self.queries += 1;
        Instant::now()
    }

    /// The layer itself had the answer.
    pub(crate) fn answered(&mut self, since: Instant) {
        self.answered += 1;
        self.total += since.elapsed();
    }

    /// The layers below were asked, from `below` on.
    pub(crate) fn passed(&mut self, since: Instant, below: Duration) {
        self.total += since.elapsed();
        self.below += below;
    }

    pub(crate) fn report(&self, into: &mut Statistics) {
        into.layers.push(LayerStatistics {
            name: self.name,
            queries: self.queries,
            answered: self.answered,
            time: self.total.saturating_sub(self.below),
        });
    }
}

/// Asks the layer below and takes the time.
macro_rules! below {
    ($self:ident, $since:ident, $terms:expr, $query:expr) => {{
        let start = std::time::Instant::now();
        let answer = $self.below.check($terms, $query);
        $self.counter.passed($since, start.elapsed());
        answer
    }};
}
pub(crate) use below;
