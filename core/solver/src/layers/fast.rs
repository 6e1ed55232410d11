//! Answers that need no thought: constants, and what φ says word for word.
//!
//! Knows: the conjuncts of φ. Never: models other than the witness.

use super::{Counter, below};
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::Terms;

/// The layer `fast`.
pub struct Fast {
    below: Box<dyn Solver>,
    counter: Counter,
}

impl Fast {
    /// Over `below`.
    pub fn new(below: Box<dyn Solver>) -> Fast {
        Fast { below, counter: Counter::new("fast") }
    }
}

impl Solver for Fast {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.counter.begin();
        let negated = terms.not(query.goal);
        let answer = if terms.as_bool(query.goal) == Some(false) || query.path.contains(terms, negated) {
            Some(Answer::Unsat)
        } else if terms.as_bool(query.goal) == Some(true) || query.path.contains(terms, query.goal) {
            query.witness.map(|it| Answer::Sat(it.clone()))
        } else {
            None
        };
        match answer {
            Some(answer) => {
                self.counter.answered(since);
                answer
            }
            None => below!(self, since, terms, query),
        }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.counter.report(into);
        self.below.statistics(into);
    }
}
