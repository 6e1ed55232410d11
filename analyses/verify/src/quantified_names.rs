//! The names of what quantified permissions are told by: inverse functions and maps of values.
//!
//! Knows: which name stands for which permission. Never: what is known of them, which is assumed on each path.

use effigy_term::Term;
use rustc_hash::FxHashMap;

/// The inverse functions of permissions, by arguments and condition over canonical variables. They are only names: what is
/// known of them is assumed on each path.
#[derive(Debug, Default)]
pub(crate) struct Inverses {
    pub(crate) known: FxHashMap<(Vec<Term>, Term), usize>,
}

/// Maps of values, by the arguments for which they are known and the values there. They are only names: what is known of
/// them is assumed on each path.
#[derive(Debug, Default)]
pub(crate) struct ValueMaps {
    pub(crate) known: FxHashMap<(Term, Term), usize>,
    /// The maps of each domain that depend on no bound variable, by number.
    pub(crate) of_domain: FxHashMap<Term, Vec<usize>>,
}
