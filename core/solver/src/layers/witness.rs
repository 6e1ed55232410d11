//! The path's own model: if it satisfies the goal, it is the answer.
//!
//! Knows: evaluation. Never: search.

use super::{Counter, below};
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::Terms;
use effigy_term::eval::Evaluator;

/// The layer `witness`.
pub struct Witness {
    below: Box<dyn Solver>,
    counter: Counter,
}

impl Witness {
    /// Over `below`.
    pub fn new(below: Box<dyn Solver>) -> Witness {
        Witness { below, counter: Counter::new("witness") }
    }
}

impl Solver for Witness {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.counter.begin();
        if let Some(witness) = query.witness
            && Evaluator::new(terms, witness).truth(query.goal) == Some(true)
        {
            self.counter.answered(since);
            return Answer::Sat(witness.clone());
        }
        below!(self, since, terms, query)
    }

    fn statistics(&self, into: &mut Statistics) {
        self.counter.report(into);
        self.below.statistics(into);
    }
}
