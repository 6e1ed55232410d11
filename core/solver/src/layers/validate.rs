//! Every model that a backend gives is evaluated on the whole query: a wrong one is no answer.
//!
//! Knows: evaluation. Never: search.

use super::over::Below;
use crate::{Answer, Query, Reason, Solver, Statistics};
use effigy_term::Terms;
use effigy_term::eval::Evaluator;

/// The layer `validate`: evaluates the models of the layers below on the query.
pub(super) struct Validate {
    below: Below,
}

impl Validate {
    /// Over `below`, under this name.
    pub(super) fn new(name: &'static str, below: Box<dyn Solver>) -> Validate {
        Validate { below: Below::new(name, below) }
    }
}

impl Solver for Validate {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.below.begin();
        let answer = self.below.check(since, terms, query);
        let Answer::Sat(model) = &answer else { return answer };
        let mut evaluator = Evaluator::new(terms, model);
        let conjuncts = query.conjuncts();
        // What evaluation cannot decide (a quantifier) is the solver's word alone.
        let wrong = conjuncts.iter().chain([&query.goal]).any(|&it| evaluator.truth(it) == Some(false));
        if wrong { Answer::Unknown(Reason::WrongModel) } else { answer }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.below.statistics(into);
    }
}
