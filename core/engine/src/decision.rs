//! Decisions and their sequences: what is saved, replayed and printed of a path.
//!
//! Knows: which answer was given to which question. Never: states.

use effigy_term::Value;
use std::rc::Rc;

/// The answer to one question.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Decision {
    /// This alternative of a branch.
    Alternative(u32),
    /// This value of a term.
    Value(Value),
    /// The condition of a requirement or an assumption holds. Not recorded: it has no alternative.
    Granted,
}

/// A persistent sequence of decisions. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    last: Option<Rc<Entry>>,
}

#[derive(Debug)]
struct Entry {
    decision: Decision,
    count: usize,
    before: Option<Rc<Entry>>,
}

impl Decisions {
    /// The empty sequence: the start of every path.
    pub fn new() -> Decisions {
        Decisions::default()
    }

    /// The number of decisions: the depth of the path.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |it| it.count)
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Adds a decision.
    pub fn push(&mut self, decision: Decision) {
        self.last = Some(Rc::new(Entry { decision, count: self.len() + 1, before: self.last.take() }));
    }

    /// The decisions, first to last.
    pub fn to_vec(&self) -> Vec<Decision> {
        let mut res = Vec::with_capacity(self.len());
        let mut next = &self.last;
        while let Some(it) = next {
            res.push(it.decision.clone());
            next = &it.before;
        }
        res.reverse();
        res
    }
}

impl Drop for Decisions {
    /// Frees a long unshared chain in a loop: the derived recursion would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(it) = next {
            match Rc::try_unwrap(it) {
                Ok(mut entry) => next = entry.before.take(),
                Err(_) => break,
            }
        }
    }
}

impl FromIterator<Decision> for Decisions {
    fn from_iter<I: IntoIterator<Item = Decision>>(iter: I) -> Decisions {
        let mut res = Decisions::new();
        for decision in iter {
            res.push(decision);
        }
        res
    }
}
