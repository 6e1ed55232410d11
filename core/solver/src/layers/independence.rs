//! Only the conjuncts that share symbols with the goal, directly or through others, can decide it.
//!
//! Knows: the factors of φ. Never: their models.
//! Source: Cadar, Dunbar, Engler 2008 (KLEE), "constraint independence".
//!
//! Sound only where φ is known to be satisfiable: without a witness all of φ is asked.

use super::{Counter, below};
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::Terms;

/// The layer `independence`.
pub struct Independence {
    below: Box<dyn Solver>,
    counter: Counter,
}

impl Independence {
    /// Over `below`.
    pub fn new(below: Box<dyn Solver>) -> Independence {
        Independence { below, counter: Counter::new("independence") }
    }
}

impl Solver for Independence {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.counter.begin();
        // Formulas without symbols (quantified ones) belong to every factor.
        if query.witness.is_none() || !query.path.closed().is_empty() {
            return below!(self, since, terms, query);
        }
        let factors = query.path.touched(terms.symbols(query.goal));
        below!(self, since, terms, &Query { only: Some(&factors), ..*query })
    }

    fn statistics(&self, into: &mut Statistics) {
        self.counter.report(into);
        self.below.statistics(into);
    }
}
