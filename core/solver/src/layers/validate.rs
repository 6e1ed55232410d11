//! Every model that a backend gives is evaluated on the whole query: a wrong one is no answer.
//!
//! Knows: evaluation. Never: search.

use super::{Counter, below};
use crate::{Answer, Query, Reason, Solver, Statistics};
use effigy_term::Terms;
use effigy_term::eval::Evaluator;

/// The layer `validate`.
pub struct Validate {
    below: Box<dyn Solver>,
    counter: Counter,
}

impl Validate {
    /// Over `below`.
    pub fn new(below: Box<dyn Solver>) -> Validate {
        Validate { below, counter: Counter::new("validate") }
    }
}

impl Solver for Validate {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.counter.begin();
        let answer = below!(self, since, terms, query);
        let Answer::Sat(model) = &answer else { return answer };
        let mut evaluator = Evaluator::new(terms, model);
        let conjuncts = query.conjuncts();
        // What evaluation cannot decide (a quantifier) is the solver's word alone.
        let wrong = conjuncts.iter().chain([&query.goal]).any(|&it| evaluator.truth(it) == Some(false));
        if wrong { Answer::Unknown(Reason::WrongModel) } else { answer }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.counter.report(into);
        self.below.statistics(into);
    }
}
