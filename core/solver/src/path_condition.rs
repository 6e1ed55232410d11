//! The path condition φ: a persistent conjunction.
//!
//! Knows: which conjuncts were assumed, in order. Never: whether they are satisfiable.

use effigy_term::{Term, Terms};
use std::rc::Rc;

/// A conjunction of terms of sort Bool in the order in which they were assumed. Cloning is cheap;
/// a clone and its original share everything that they have in common.
#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    last: Option<Rc<Conjunct>>,
}

#[derive(Debug)]
struct Conjunct {
    term: Term,
    count: usize,
    before: Option<Rc<Conjunct>>,
}

impl PathCondition {
    /// The empty conjunction: true.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// The number of conjuncts.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |it| it.count)
    }

    /// Whether there is no conjunct.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Adds a conjunct; a conjunction is taken apart, `true` adds nothing.
    pub fn assume(&mut self, terms: &Terms, cond: Term) {
        if terms.as_bool(cond) == Some(true) {
            return;
        }
        self.last = Some(Rc::new(Conjunct { term: cond, count: self.len() + 1, before: self.last.take() }));
    }

    /// The conjuncts in the order in which they were assumed.
    pub fn conjuncts(&self) -> Vec<Term> {
        let mut res = Vec::with_capacity(self.len());
        let mut next = &self.last;
        while let Some(it) = next {
            res.push(it.term);
            next = &it.before;
        }
        res.reverse();
        res
    }
}
