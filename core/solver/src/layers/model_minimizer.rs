//! Minimizes the models of backends, so that tests are easier to read, as far as a path's later conditions leave such a
//! model unchanged.
//!
//! Knows: how much one model is worth. Never: which values are tried.

use super::over::Below;
use crate::model_minimization::minimize_model;
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::Terms;

/// Terms that are evaluated for one model: less than it took to find it.
const MOST_TERMS: usize = 5_000;

/// The layer `smaller`: minimizes the models of the layers below.
pub(super) struct ModelMinimizer {
    below: Below,
}

impl ModelMinimizer {
    /// Over `below`, under this name.
    pub(super) fn new(name: &'static str, below: Box<dyn Solver>) -> ModelMinimizer {
        ModelMinimizer { below: Below::new(name, below) }
    }
}

impl Solver for ModelMinimizer {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.below.begin();
        match self.below.check(since, terms, query) {
            Answer::Sat(model) => {
                let mut conjuncts = query.conjuncts();
                conjuncts.push(query.goal);
                let symbols = conjuncts.iter().flat_map(|&it| terms.symbols(it)).copied();
                Answer::Sat(minimize_model(terms, model, symbols, |_| conjuncts.clone(), MOST_TERMS))
            }
            other => other,
        }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.below.statistics(into);
    }
}
