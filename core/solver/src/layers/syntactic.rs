//! Answers that need no thought: constants, and what φ says word for word.
//!
//! Knows: the conjuncts of φ. Never: models other than the witness.

use super::over::Layer;
use crate::{Answer, Query};
use effigy_term::Terms;

/// The layer `syntactic`: constants, and goals that are conjuncts of φ.
pub(super) struct Syntactic;

impl Layer for Syntactic {
    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        let negated = terms.not(query.goal);
        if terms.as_bool(query.goal) == Some(false) || query.path.contains(terms, negated) {
            Some(Answer::Unsat)
        } else if terms.as_bool(query.goal) == Some(true) || query.path.contains(terms, query.goal) {
            query.witness.map(|it| Answer::Sat(it.clone()))
        } else {
            None
        }
    }
}
