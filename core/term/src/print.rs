//! Printing of terms: mathematical for people, SMT-LIB 2 for solvers.
//!
//! Knows: notation. Never: where the text goes.

use crate::node::Term;
use crate::terms::Terms;

/// The mathematical notation of a term, with the user's names.
pub fn math(terms: &Terms, term: Term) -> String {
    format!("{:?}", terms.node(term))
}
