//! What is assumed, in nested scopes.
//!
//! Knows: facts in their order, scopes, axioms that no scope takes away. Never: what follows from them.

use effigy_term::{Node, Sort, Term, Terms};

/// The function that tells the number of an object's birth.
pub const BIRTH: &str = "number of birth";

/// An assumption, as the prover got it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// A formula, of sort Bool, that holds.
    Holds(Term),
    /// An object and the number of its birth.
    Born(Term, u64),
    /// A reference that existed before the birth of this number.
    Known(Term, u64),
}

impl Fact {
    /// What is told of it, where ages are told.
    pub(super) fn formula(self, terms: &Terms) -> Term {
        let age = |it: Term| {
            let function = terms.function(BIRTH, &[terms.sort(it)], Sort::Int);
            terms.apply(function, &[it])
        };
        match self {
            Fact::Holds(fact) => fact,
            Fact::Born(object, number) => terms.eq(age(object), terms.int(number)),
            Fact::Known(reference, next) => terms.int_lt(age(reference), terms.int(next)),
        }
    }
}

/// A scope: it is another one when it is opened again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scope {
    pub(super) identity: u64,
    /// The number of facts before it.
    pub(super) start: usize,
}

/// The assumptions of all open scopes, and the axioms.
#[derive(Debug)]
pub(super) struct Assumptions {
    pub(super) axioms: Vec<Term>,
    pub(super) facts: Vec<Fact>,
    /// The outermost is never closed.
    pub(super) scopes: Vec<Scope>,
    next_scope: u64,
    births: u64,
}

impl Assumptions {
    pub(super) fn new() -> Assumptions {
        let outermost = Scope { identity: 0, start: 0 };
        Assumptions { axioms: Vec::new(), facts: Vec::new(), scopes: vec![outermost], next_scope: 1, births: 0 }
    }

    pub(super) fn push(&mut self) {
        self.scopes.push(Scope { identity: self.next_scope, start: self.facts.len() });
        self.next_scope += 1;
    }

    /// False when no scope is open.
    pub(super) fn pop(&mut self) -> bool {
        if self.scopes.len() == 1 {
            return false;
        }
        if let Some(scope) = self.scopes.pop() {
            self.facts.truncate(scope.start);
        }
        true
    }

    /// The end of the facts of a scope.
    pub(super) fn end(&self, scope: usize) -> usize {
        self.scopes.get(scope + 1).map_or(self.facts.len(), |it| it.start)
    }

    /// Numbers are never used twice, so that a scope that is gone does not matter.
    pub(super) fn born(&mut self, object: Term) -> u64 {
        let number = self.births;
        self.births += 1;
        self.facts.push(Fact::Born(object, number));
        number
    }

    /// The number of the next birth.
    pub(super) fn known(&mut self, reference: Term) -> u64 {
        self.facts.push(Fact::Known(reference, self.births));
        self.births
    }

    /// Whether objects were ever born: until then nothing has to be said of ages.
    pub(super) fn has_births(&self) -> bool {
        self.births > 0
    }
}

/// Calls `visit` for each conjunct of a formula.
pub(super) fn for_each_conjunct(terms: &Terms, fact: Term, mut visit: impl FnMut(Term)) {
    // Conjunctions are flat by construction.
    match terms.node(fact) {
        Node::And(args) => args.iter().copied().for_each(visit),
        Node::Bool(true) => {}
        _ => visit(fact),
    }
}
