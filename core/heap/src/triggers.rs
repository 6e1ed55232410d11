//! Triggers for quantifiers that have none.

use effigy_term::{Symbol, Term, Terms};

/// Sets of terms that together mention all bound variables.
pub(crate) fn infer(_terms: &Terms, _bound: &[Symbol], _body: Term) -> Vec<Vec<Term>> {
    Vec::new()
}
