//! Σ: what is known on a path, and where the prover stands.
//!
//! Knows: facts, births and what was unrolled, in layers that states share. Never: what follows from them (that is the
//! prover's), who assumes them (`assume`).
//! Source: Smans et al. 2010, definition 2 (Σ is a part of the symbolic state).

use crate::definitions::{Limited, Unrolled, Used};
use effigy_term::{PersistentList, Term};
use rustc_hash::FxHashSet;

/// What is known on a path, first to last.
pub(crate) type Knowledge = PersistentList<Layer>;

/// A part of what is known on a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    /// What was learnt here is forgotten by going back before it: each way on from a fork, and each start.
    pub(crate) opens: bool,
    /// The condition of the branch that was taken.
    pub(crate) cond: Option<Term>,
    /// What was learnt after that.
    pub(crate) learnt: Vec<Learnt>,
    /// What of the definitions was used.
    pub(crate) limited: Vec<Limited>,
    pub(crate) unrolled: Vec<Unrolled>,
}

/// Something that was learnt.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Learnt {
    /// A formula.
    Fact(Term),
    /// An object came into being.
    Born(Term),
    /// A reference was there before what is born later.
    Noted(Term),
}

impl Layer {
    /// The start of a path.
    pub(crate) fn start() -> Layer {
        Layer { opens: true, ..Layer::default() }
    }

    /// A way on from a fork.
    pub(crate) fn branch(cond: Term) -> Layer {
        Layer { cond: Some(cond), ..Layer::start() }
    }
}

/// An open scope of assumptions.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) facts: usize,
    pub(crate) log: usize,
    pub(crate) used: Used,
    /// The condition of the branch that the scope is for.
    pub(crate) cond: Option<Term>,
}

/// Where the prover stands.
#[derive(Debug, Default)]
pub(crate) struct Stand {
    pub(crate) facts: Vec<Term>,
    /// The same as a set: what is assumed twice says nothing new.
    pub(crate) assumed: FxHashSet<Term>,
    pub(crate) scopes: Vec<Scope>,
    /// All that was learnt, in order.
    pub(crate) log: Vec<Learnt>,
    /// The Σ that the prover has assumed; so much of the log is in it.
    pub(crate) sigma: Knowledge,
    pub(crate) told: usize,
    pub(crate) used: Used,
    /// The layers that opened the scopes, outermost first. Scopes beyond these are within a step.
    pub(crate) opening: Vec<usize>,
}

impl Stand {
    /// Whether something was learnt that is not in Σ yet.
    pub(crate) fn is_dirty(&self, used: Used) -> bool {
        self.log.len() > self.told || used != self.used
    }
}
