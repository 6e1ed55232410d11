//! The path's own model: if it satisfies the goal, it is the answer.
//!
//! Knows: evaluation. Never: search.

use super::over::Layer;
use crate::{Answer, Query};
use effigy_term::Terms;
use effigy_term::eval::Evaluator;

/// The layer `witness`: evaluates the model of the path on the goal.
pub(super) struct OwnModel;

impl Layer for OwnModel {
    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        let witness = query.witness.filter(|_| !query.tried)?;
        let satisfied = Evaluator::new(terms, witness).truth(query.goal) == Some(true);
        satisfied.then(|| Answer::Sat(witness.clone()))
    }
}
