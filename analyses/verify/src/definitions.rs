//! The definitions of functions as formulas, and what of them has been used on a path.
//!
//! Knows: the definition of each function over a formal snapshot and formal arguments; which applications have been
//! unrolled, and how far. Never: when one is used.
//! Source: Smans et al. 2010, sections 3.2.1 and 3.4.3.

use effigy_contracts::program::{FunctionId, Span};
use effigy_term::{FunctionSymbol, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The definition of a function over formal symbols.
pub(crate) struct Definition {
    /// The formal snapshot of its precondition.
    pub(crate) snapshot: Symbol,
    /// The formal arguments of the function.
    pub(crate) args: Vec<Symbol>,
    /// The value of the body, if there is one.
    pub(crate) body: Option<Term>,
    /// The postconditions, as terms of sort Bool.
    pub(crate) posts: Vec<Term>,
    /// Further facts on the values in the contract.
    pub(crate) facts: Vec<Term>,
    /// Further facts on the values in the body.
    pub(crate) body_facts: Vec<Term>,
    /// The applications in the postconditions.
    pub(crate) inner_of_posts: Vec<Inner>,
    /// The applications in the body.
    pub(crate) inner_of_body: Vec<Inner>,
    /// The snapshots of the predicates that the body opens.
    pub(crate) opened: Vec<Term>,
}

/// An application inside of a definition, and when it is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Inner {
    pub(crate) guard: Term,
    pub(crate) function: FunctionId,
    pub(crate) snapshot: Term,
    pub(crate) args: Vec<Term>,
    /// Whether its body is known here: not that of an opaque function that nobody reveals.
    pub(crate) open: bool,
}

/// All definitions, and what of them has been used on the current path.
#[derive(Default)]
pub(crate) struct Definitions {
    pub(crate) known: FxHashMap<FunctionId, Rc<Definition>>,
    pub(crate) recursive: FxHashSet<FunctionId>,
    pub(crate) collecting: Vec<Inner>,
    pub(crate) opened: Vec<Term>,
    /// Functions of which something is not understood, with what that is and where: nothing is known of them.
    pub(crate) unsupported: FxHashMap<FunctionSymbol, (Arc<str>, Span)>,
    /// Functions with two readings of the precondition, `[a, b]`, whose value depends on what is exhaled alone.
    pub(crate) by_exhaled: FxHashSet<FunctionId>,
    /// The definition that is being made by what is exhaled reads something else.
    pub(crate) missed: bool,
    /// The number of formal symbols of the definition that is being made.
    pub(crate) formals: usize,
    /// Recursive applications of which only the postconditions have been used.
    pub(crate) limited: Vec<Limited>,
    /// The function that is being verified, with those that call each other in circles with it.
    pub(crate) unproved: FxHashSet<FunctionId>,
    /// What has been unrolled on the path, and how far.
    pub(crate) unrolled: Vec<Unrolled>,
    pub(crate) is_unrolled: FxHashSet<(Term, Extent)>,
    /// What the terms of a definition are for the snapshot and the arguments of an application: the same on every path.
    pub(crate) instances: FxHashMap<Term, FxHashMap<Term, Term>>,
}

/// A recursive application of which only the postconditions have been used.
pub(crate) type Limited = Rc<Inner>;

/// An application that was unrolled, and how far.
pub(crate) type Unrolled = (Term, Extent);

/// How much of the definitions had been used at some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Used {
    pub(crate) limited: usize,
    pub(crate) unrolled: usize,
}

impl Definitions {
    /// What has been used until now.
    pub(crate) fn used(&self) -> Used {
        Used { limited: self.limited.len(), unrolled: self.unrolled.len() }
    }

    /// What has been used since then.
    pub(crate) fn used_since(&self, used: Used) -> (Vec<Limited>, Vec<Unrolled>) {
        (self.limited[used.limited..].to_vec(), self.unrolled[used.unrolled..].to_vec())
    }

    /// The same is used again, by a path that was left.
    pub(crate) fn use_again(&mut self, limited: &[Limited], unrolled: &[Unrolled]) {
        self.limited.extend(limited.iter().cloned());
        self.unrolled.extend(unrolled.iter().filter(|it| self.is_unrolled.insert(**it)));
    }

    /// Forgets what has been used since.
    pub(crate) fn forget_since(&mut self, used: Used) {
        self.limited.truncate(used.limited);
        for it in self.unrolled.drain(used.unrolled..) {
            self.is_unrolled.remove(&it);
        }
    }

    /// Whether an application has still to be unrolled; what is under a guard is not remembered.
    pub(crate) fn begin(&mut self, application: Term, extent: Extent, for_good: bool) -> bool {
        if self.is_unrolled.contains(&(application, extent)) {
            return false;
        }
        if for_good {
            self.is_unrolled.insert((application, extent));
            self.unrolled.push((application, extent));
        }
        true
    }
}

/// How much of a definition is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Extent {
    /// The body and the postconditions.
    Whole,
    /// The postconditions only: Silicon's limited functions.
    Limited,
    /// The postconditions only, of a function that is just being verified: that its body means something is not known
    /// before it has been shown, so that nothing that follows from it may be used on the way.
    Unproved,
}
