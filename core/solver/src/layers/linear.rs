//! Unbounded integers: conjunctions of mostly linear constraints, in the process.
//!
//! Knows: that the procedure is asked before a backend is. Never: how it decides (`theories::linear`).

use super::over::Layer;
use crate::theories::linear::Decider;
use crate::{Answer, Query};
use effigy_term::Terms;

/// The layer `linear`.
#[derive(Default)]
pub(super) struct Linear {
    decider: Decider,
}

impl Layer for Linear {
    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        self.decider.decide(terms, query)
    }
}
