//! Models of backends in which what does not matter is zero, and what does is near zero: tests read better, for all that a
//! path's later conditions leave of such a model.
//!
//! Knows: how much one model is worth. Never: which values are tried.

use super::over::Below;
use crate::smaller::smaller;
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::Terms;

/// Terms that are evaluated for one model: less than it took to find it.
const MOST_TERMS: usize = 5_000;

/// The layer `smaller`.
pub(super) struct Smaller {
    below: Below,
}

impl Smaller {
    /// Over `below`, under this name.
    pub(super) fn new(name: &'static str, below: Box<dyn Solver>) -> Smaller {
        Smaller { below: Below::new(name, below) }
    }
}

impl Solver for Smaller {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.below.begin();
        match self.below.check(since, terms, query) {
            Answer::Sat(model) => {
                let mut conjuncts = query.conjuncts();
                conjuncts.push(query.goal);
                let symbols = conjuncts.iter().flat_map(|&it| terms.symbols(it)).copied();
                Answer::Sat(smaller(terms, model, symbols, |_| conjuncts.clone(), MOST_TERMS))
            }
            other => other,
        }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.below.statistics(into);
    }
}
