//! How large terms are.
//!
//! Knows: sharing. Never: what a term means.

use crate::node::Term;
use crate::terms::Terms;
use rustc_hash::FxHashSet;

impl Terms {
    /// The number of distinct subterms of some terms: what they take in memory and in a query, however often a part is
    /// shared.
    pub fn shared_size(&self, roots: impl IntoIterator<Item = Term>) -> usize {
        let mut met: FxHashSet<Term> = FxHashSet::default();
        let mut work: Vec<Term> = roots.into_iter().collect();
        while let Some(next) = work.pop() {
            if met.insert(next) {
                self.node(next).for_each_argument(|it| work.push(it));
            }
        }
        met.len()
    }
}
