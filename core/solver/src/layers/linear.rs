//! Unbounded integers: conjunctions of mostly linear constraints, in the process.
//!
//! Knows: that the procedure is asked before a backend is. Never: how it decides (`theories::linear`).

use super::over::Layer;
use crate::theories::linear::Decider;
use crate::{Answer, Query};
use effigy_term::Terms;

/// The layer `linear`: linear arithmetic over unbounded integers.
#[derive(Default)]
pub(super) struct Linear {
    decider: Decider,
}

impl Layer for Linear {
    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        let applies = query.path.applies_functions() || terms.applies_functions(query.goal);
        // A model of numbers says nothing of functions, which the path's own model would complete.
        self.decider.decide(terms, query).filter(|it| !applies || *it == Answer::Unsat)
    }
}
