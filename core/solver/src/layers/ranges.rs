//! Intervals and known bits: a goal that the bounds in φ decide.
//!
//! Knows: `effigy_term::range`. Never: search. What it assumes are conjuncts of φ, so its answers hold whether or not
//! φ is satisfiable.

use super::over::Layer;
use crate::{Answer, Query};
use effigy_term::Terms;
use effigy_term::range::Ranges;

/// The layer `ranges`: intervals and known bits.
pub(super) struct Intervals;

impl Layer for Intervals {
    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        let truth = match query.only {
            Some(factors) => query.path.ranged(terms, factors, query.goal),
            None => Ranges::under(terms, query.path.tables(), query.path.bounds()).truth(query.goal),
        };
        match (truth, query.witness) {
            (Some(false), _) => Some(Answer::Unsat),
            (Some(true), Some(witness)) => Some(Answer::Sat(witness.clone())),
            _ => None,
        }
    }
}
