//! The frame of a layer: what it cannot answer goes down, and both are counted.
//!
//! Knows: what is below, and whose turn it is. Never: what a layer looks for.

use crate::statistics::Counter;
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::Terms;
use std::time::Instant;

/// A layer that only answers: what it does not answer goes down as it came.
pub(super) trait Layer {
    /// The answer, if it has one.
    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer>;
}

/// A [`Layer`] in its place in the chain.
pub(super) struct Over<L> {
    layer: L,
    below: Below,
}

impl<L: Layer> Over<L> {
    /// `layer`, of this name, over `below`.
    pub(super) fn new(name: &'static str, layer: L, below: Box<dyn Solver>) -> Over<L> {
        Over { layer, below: Below::new(name, below) }
    }
}

impl<L: Layer> Solver for Over<L> {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.below.begin();
        match self.layer.answer(terms, query) {
            Some(answer) => self.below.answered(since, answer),
            None => self.below.check(since, terms, query),
        }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.below.statistics(into);
    }
}

/// The layers below one, and its counters.
pub(super) struct Below {
    solver: Box<dyn Solver>,
    counter: Counter,
}

impl Below {
    /// What is below the layer of this name.
    pub(super) fn new(name: &'static str, solver: Box<dyn Solver>) -> Below {
        Below { solver, counter: Counter::new(name) }
    }

    /// Counts a query that reached the layer; returns the time at which it did.
    pub(super) fn begin(&mut self) -> Instant {
        self.counter.begin()
    }

    /// The layer itself had the answer.
    pub(super) fn answered(&mut self, since: Instant, answer: Answer) -> Answer {
        self.counter.answered(since);
        answer
    }

    /// Asks the layers below, outside of this layer's time.
    pub(super) fn check(&mut self, since: Instant, terms: &Terms, query: &Query<'_>) -> Answer {
        self.counter.passed(since);
        self.solver.check(terms, query)
    }

    /// The counters of the layer and of those below.
    pub(super) fn statistics(&self, into: &mut Statistics) {
        self.counter.report(into);
        self.solver.statistics(into);
    }
}
