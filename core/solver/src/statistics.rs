//! Counters of the chain of layers: what each layer is worth.
//!
//! Knows: counts and durations. Never: who prints them.

use effigy_term::Terms;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Counters by layer, in the order of the chain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The layers from the top of the chain to the backends.
    pub layers: Vec<LayerStatistics>,
    /// How many queries were answered unknown, by reason.
    pub unknown: BTreeMap<String, u64>,
    /// How often each simplification rule of terms was used, by its name; rules that were not used are left out.
    pub rules: BTreeMap<&'static str, u64>,
}

impl Statistics {
    /// Adds the rules that an arena of terms has used.
    pub fn count_rules(&mut self, terms: &Terms) {
        for (rule, count) in terms.rules_used() {
            *self.rules.entry(rule.name()).or_insert(0) += count;
        }
    }

    /// Adds the counters of another chain.
    pub fn merge(&mut self, other: &Statistics) {
        for layer in &other.layers {
            match self.layers.iter_mut().find(|it| it.name == layer.name) {
                Some(own) => {
                    own.queries += layer.queries;
                    own.answered += layer.answered;
                    own.time += layer.time;
                }
                None => self.layers.push(layer.clone()),
            }
        }
        for (reason, count) in &other.unknown {
            *self.unknown.entry(reason.clone()).or_insert(0) += count;
        }
        for (rule, count) in &other.rules {
            *self.rules.entry(rule).or_insert(0) += count;
        }
    }
}

/// The counters of one layer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayerStatistics {
    /// The name of the layer, as in its flag (`--no-cache` is the layer `cache`).
    pub name: &'static str,
    /// Queries that reached this layer.
    pub queries: u64,
    /// Queries that this layer answered without the layers below.
    pub answered: u64,
    /// Time spent in this layer, those below it not included.
    pub time: Duration,
}

/// The counters that every layer keeps.
#[derive(Debug)]
pub(crate) struct Counter {
    name: &'static str,
    queries: u64,
    answered: u64,
    /// Time in the layer, and how much of it another counts as well.
    total: Duration,
    aside: Duration,
}

impl Counter {
    pub(crate) fn new(name: &'static str) -> Counter {
        Counter { name, queries: 0, answered: 0, total: Duration::ZERO, aside: Duration::ZERO }
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

    /// The layer had none: those below are asked from now on.
    pub(crate) fn passed(&mut self, since: Instant) {
        self.total += since.elapsed();
    }

    /// Time that this one counted, and another counts as well.
    pub(crate) fn aside(&mut self, time: Duration) {
        self.aside += time;
    }

    /// Time, that below not included.
    pub(crate) fn time(&self) -> Duration {
        self.total.saturating_sub(self.aside)
    }

    pub(crate) fn report(&self, into: &mut Statistics) {
        into.layers.push(LayerStatistics {
            name: self.name,
            queries: self.queries,
            answered: self.answered,
            time: self.time(),
        });
    }
}
