//! What a program was sent of a term that is not assumed to have it.
//!
//! Knows: the value and its name. Never: what becomes of it where it is compared (`watched`).

use effigy_term::{Term, Value};

/// What a program has of a watched term.
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
