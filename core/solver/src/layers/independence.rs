//! Only the conjuncts that share symbols with the goal, directly or through others, can decide it.
//!
//! Knows: the factors of φ. Never: their models.
//! Source: Cadar, Dunbar, Engler 2008 (KLEE), "constraint independence".
//!
//! Sound only where φ is known to be satisfiable: without a witness all of φ is asked.

use super::over::Below;
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::Terms;

/// The layer `independence`: keeps the factors that share symbols with the goal.
pub(super) struct Independence {
    below: Below,
}

impl Independence {
    /// Over `below`, under this name.
    pub(super) fn new(name: &'static str, below: Box<dyn Solver>) -> Independence {
        Independence { below: Below::new(name, below) }
    }
}

impl Solver for Independence {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.below.begin();
        // Formulas without symbols (quantified ones) belong to every factor, and so does what a function is.
        let applies = query.path.applies_functions() || terms.applies_functions(query.goal);
        if query.witness.is_none() || !query.path.closed().is_empty() || applies {
            return self.below.check(since, terms, query);
        }
        let factors = query.path.touched(terms.symbols(query.goal));
        self.below.check(since, terms, &Query { only: Some(&factors), ..*query })
    }

    fn statistics(&self, into: &mut Statistics) {
        self.below.statistics(into);
    }
}
