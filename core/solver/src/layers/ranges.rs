//! Intervals and known bits: a goal that the bounds in φ decide.
//!
//! Knows: `effigy_term::range`. Never: search. What it assumes are conjuncts of φ, so its answers hold whether or not
//! φ is satisfiable.

use super::{Counter, below};
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::Terms;
use effigy_term::range::Ranges;

/// The layer `ranges`.
pub struct RangesLayer {
    below: Box<dyn Solver>,
    counter: Counter,
}

impl RangesLayer {
    /// Over `below`.
    pub fn new(below: Box<dyn Solver>) -> RangesLayer {
        RangesLayer { below, counter: Counter::new("ranges") }
    }
}

impl Solver for RangesLayer {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.counter.begin();
        let mut ranges = Ranges::new(terms, query.path.tables());
        query.conjuncts().into_iter().for_each(|it| ranges.assume(it));
        let answer = match (ranges.truth(query.goal), query.witness) {
            (Some(false), _) => Some(Answer::Unsat),
            (Some(true), Some(witness)) => Some(Answer::Sat(witness.clone())),
            _ => None,
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
