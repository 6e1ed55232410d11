//! A pinned term: the program received a value for it, but φ does not say that the term has this value.
//!
//! Knows: the value and its name. Never: what becomes of it where it is compared (`observed_comparisons`).

use effigy_term::{Term, Value};

/// A watched term with the plain value that the program received for it.
#[derive(Clone, PartialEq, Debug)]
pub struct Pin {
    /// The term that the program watches.
    pub term: Term,
    /// The plain value that the program has instead of the term.
    pub value: Value,
    /// Its name in the verdict.
    pub what: String,
    /// It is one of the first two that it was to be: nothing else in the program is likely to be the same.
    pub rare: bool,
    /// What the run had that this one branches off.
    pub(crate) was: Option<Value>,
}
