//! Assumptions: Σ grows, scopes open and close, and the prover goes to where a path stands.
//!
//! Knows: scopes, and which layers of Σ the prover has assumed. Never: what a fact was assumed for.
//! Source: Smans et al. 2010, section 3.3 (Σ ⊢ φ).
//!
//! The prover's scopes follow the path from the root: to go to another state, scopes are closed down to what both have in
//! common, and what is left is assumed. In depth-first order that costs nothing that a walk by scopes alone would not; in
//! any other it is right all the same.

use crate::machine::Machine;
use crate::sigma::{Knowledge, Layer, Learnt, Scope, Stand};
use effigy_heap::collections::plain_equality;
use effigy_term::{Node, Term};

impl<'a, 't> Machine<'a, 't> {
    /// Takes the prover to where this is known.
    pub(crate) fn go_to(&mut self, sigma: &Knowledge) {
        self.pop_to(self.stand.opening.len());
        let shared = self.stand.sigma.shared_with(sigma);
        let mut dirty = self.stand.is_dirty(self.definitions.used());
        let mut at = self.stand.sigma.len();
        // Scopes are closed whole: what is lost of what is shared is assumed again.
        while (at > shared || dirty)
            && let Some(opened) = self.stand.opening.pop()
        {
            self.pop();
            at = opened;
            dirty = false;
        }
        let mut rest: Vec<&Layer> = sigma.iter_back().take(sigma.len() - at).collect();
        rest.reverse();
        for layer in rest {
            self.assume_layer(layer, at);
            at += 1;
        }
        self.stand.sigma = sigma.clone();
        self.stand.told = self.stand.log.len();
        self.stand.used = self.definitions.used();
    }

    fn assume_layer(&mut self, layer: &Layer, at: usize) {
        if layer.opens {
            self.stand.opening.push(at);
            match layer.cond {
                Some(cond) => self.branch_on(cond),
                None => self.push(),
            }
        }
        for &it in &layer.learnt {
            match it {
                Learnt::Fact(fact) => self.assume(fact),
                Learnt::Born(object) => self.assume_born(object),
                Learnt::Noted(reference) => self.assume_noted(reference),
            }
        }
        self.definitions.use_again(&layer.limited, &layer.unrolled);
    }

    /// The Σ of the current point: that before the step with what was learnt since.
    pub(crate) fn known_here(&mut self) -> Knowledge {
        let used = self.definitions.used();
        if self.stand.is_dirty(used) {
            let (limited, unrolled) = self.definitions.used_since(self.stand.used);
            let learnt = self.stand.log[self.stand.told..].to_vec();
            self.stand.sigma.push(Layer { opens: false, cond: None, learnt, limited, unrolled });
            self.stand.told = self.stand.log.len();
            self.stand.used = used;
        }
        self.stand.sigma.clone()
    }

    // Scopes.

    pub(crate) fn push(&mut self) {
        let used = self.definitions.used();
        let Stand { facts, log, .. } = &self.stand;
        let scope = Scope { facts: facts.len(), log: log.len(), used, cond: None };
        self.stand.scopes.push(scope);
        self.prover.push();
    }

    /// Opens the scope of a branch.
    pub(crate) fn branch_on(&mut self, cond: Term) {
        self.push();
        if let Some(scope) = self.stand.scopes.last_mut() {
            scope.cond = Some(cond);
        }
        self.prover.assume(self.terms, cond);
    }

    /// Closes the innermost scope; what was assumed in it beside its condition.
    pub(crate) fn pop(&mut self) -> Vec<Term> {
        self.prover.pop();
        let scope = self.stand.scopes.pop().expect("every pop has its push");
        self.definitions.forget_since(scope.used);
        self.stand.log.truncate(scope.log);
        let facts = self.stand.facts.split_off(scope.facts);
        for it in &facts {
            self.stand.assumed.remove(it);
        }
        facts
    }

    /// The number of open scopes.
    pub(crate) fn depth(&self) -> usize {
        self.stand.scopes.len()
    }

    /// Closes scopes until so many are left.
    pub(crate) fn pop_to(&mut self, depth: usize) {
        while self.stand.scopes.len() > depth {
            self.pop();
        }
    }

    // Assumptions.

    /// The conditions of all branches that are open.
    pub(crate) fn branch(&self) -> Term {
        self.branch_since(0)
    }

    pub(crate) fn branch_since(&self, depth: usize) -> Term {
        self.terms.and_all(self.stand.scopes[depth..].iter().filter_map(|it| it.cond))
    }

    /// What is assumed in the scopes that a step has opened beyond those of its path.
    pub(crate) fn assumed_in_step(&self) -> Vec<Term> {
        let inner = &self.stand.scopes[self.stand.opening.len().min(self.stand.scopes.len())..];
        let Some(first) = inner.first() else { return Vec::new() };
        let facts = &self.stand.facts[first.facts..];
        inner.iter().filter_map(|it| it.cond).chain(facts.iter().copied()).collect()
    }

    /// What is assumed on the current path, beside the conditions of its branches.
    pub(crate) fn facts(&self) -> &[Term] {
        &self.stand.facts
    }

    /// The conditions of the branches, outermost first.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.stand.scopes.iter().filter_map(|it| it.cond)
    }

    /// Adds a fact of sort Bool to Σ, if it is new.
    pub(crate) fn assume(&mut self, fact: Term) {
        if self.terms.as_bool(fact) == Some(true) || !self.stand.assumed.insert(fact) {
            return;
        }
        self.stand.facts.push(fact);
        self.stand.log.push(Learnt::Fact(fact));
        self.prover.assume(self.terms, fact);
        // The extensional predicate is for the solver's triggers; the local core knows equality.
        let conjuncts = match self.terms.node(fact) {
            Node::And(args) => args,
            _ => std::slice::from_ref(&fact),
        };
        for plain in conjuncts.iter().filter_map(|&it| plain_equality(self.terms, it)) {
            self.prover.assume(self.terms, plain);
        }
    }

    /// Whether a fact is assumed, in these words.
    pub(crate) fn is_assumed(&self, fact: Term) -> bool {
        self.terms.as_bool(fact) == Some(true) || self.stand.assumed.contains(&fact)
    }

    /// An object comes into being: it differs from all that was noted before.
    pub(crate) fn assume_born(&mut self, object: Term) {
        self.stand.log.push(Learnt::Born(object));
        self.prover.born(self.terms, object);
    }

    /// A reference is in the state: what is born later differs from it.
    pub(crate) fn assume_noted(&mut self, reference: Term) {
        self.stand.log.push(Learnt::Noted(reference));
        self.prover.known(self.terms, reference);
    }
}
