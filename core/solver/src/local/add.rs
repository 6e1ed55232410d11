//! How a term comes into the classes.
//!
//! Knows: that arguments come first, congruence by signature, what is built and taken out. Never: truth.

use super::bounds::{KeyedDifference, minus};
use super::classes::Id;
use super::{Local, Task};
use effigy_term::{FunctionSymbol, Node, Term, Terms};

/// Terms with more arguments are not looked into: each change of one would rebuild them all.
const MOST_ARGUMENTS: usize = 64;

impl Local {
    /// The number of a term; it and its arguments are added if they are new. What follows is left to do.
    pub(super) fn add(&mut self, terms: &Terms, term: Term) -> Id {
        if let Some(known) = self.classes.find(term) {
            return known;
        }
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            if self.classes.find(next).is_some() {
                work.pop();
                continue;
            }
            let before = work.len();
            if !is_leaf(terms, next) {
                terms.node(next).for_each_argument(|it| {
                    if self.classes.find(it).is_none() {
                        work.push(it);
                    }
                });
            }
            if work.len() == before {
                work.pop();
                self.insert(terms, next);
            }
        }
        // It was the first to be pushed, so it is the last to be inserted.
        self.classes.find(term).unwrap_or_else(|| self.classes.insert(term))
    }

    fn insert(&mut self, terms: &Terms, term: Term) {
        let id = self.classes.insert(term);
        self.spend(1);
        if is_leaf(terms, term) {
            return;
        }
        let node = terms.node(term);
        let mut last = None;
        node.for_each_argument(|it| {
            if let Some(argument) = self.classes.find(it).filter(|_| last != Some(it)) {
                self.classes.add_use(self.classes.of(argument), id);
            }
            last = Some(it);
        });
        match node {
            Node::Apply(function, arguments) => {
                self.sign(*function, arguments, id);
                self.take_out(terms, *function, arguments, id);
                if self.injections.contains_key(function) {
                    self.classes.add_built(id, *function, id);
                }
            }
            &Node::IntLe(a, b) | &Node::RealLe(a, b) => {
                // Its truth depends on the bounds of this sum.
                if let Some(keyed) = KeyedDifference::of(terms, minus(terms, b, a)) {
                    let key = self.add(terms, keyed.key);
                    self.classes.add_use(self.classes.of(key), id);
                }
                self.tasks.push(Task::Renew(id));
            }
            _ => self.tasks.push(Task::Renew(id)),
        }
    }

    /// match: f(x...), f(y...) with x... equal to y...   result: they are equal
    pub(super) fn sign(&mut self, function: FunctionSymbol, arguments: &[Term], id: Id) {
        let first = self.classes.sign(function, arguments, id);
        if first != id {
            self.tasks.push(Task::Merge(id, first));
        }
    }

    /// match: inverse_i(y), y equal to injection(x...)   result: it is equal to x_i
    pub(super) fn take_out(&mut self, terms: &Terms, function: FunctionSymbol, arguments: &[Term], id: Id) {
        let (&[argument], Some(known)) = (arguments, self.projections.get(&function)) else { return };
        let Some(argument) = self.classes.find(argument) else { return };
        let built = &self.classes.class(self.classes.of(argument)).built;
        for &(injection, at) in known {
            if let Some(&(_, application)) = built.iter().find(|it| it.0 == injection)
                && let Node::Apply(_, parts) = terms.node(self.classes.term(application))
                && let Some(part) = parts.get(at).and_then(|it| self.classes.find(*it))
            {
                self.tasks.push(Task::Merge(id, part));
            }
        }
    }

    /// Notes what was built before its function was known to be an injection.
    pub(super) fn declare_built(&mut self, terms: &Terms, injection: FunctionSymbol) {
        for id in self.classes.ids() {
            let Node::Apply(function, arguments) = terms.node(self.classes.term(id)) else { continue };
            if *function == injection {
                self.build(terms, self.classes.of(id), injection, id);
            }
            if self.projections.contains_key(function) {
                self.take_out(terms, *function, arguments, id);
            }
        }
    }

    /// Notes that a member of a class is an application of an injection.
    fn build(&mut self, terms: &Terms, class: Id, injection: FunctionSymbol, application: Id) {
        match self.classes.class(class).built.iter().find(|it| it.0 == injection) {
            Some(&(_, known)) => self.unify(terms, known, application),
            None => {
                self.classes.add_built(class, injection, application);
                self.take_out_of(terms, self.classes.class(class).uses.clone());
            }
        }
    }

    /// match: injection(x...) = injection(y...)   result: x... are equal to y...
    pub(super) fn unify(&mut self, terms: &Terms, a: Id, b: Id) {
        let parts = |it: Id| match terms.node(self.classes.term(it)) {
            Node::Apply(_, parts) => &parts[..],
            _ => &[],
        };
        for (&x, &y) in parts(a).iter().zip(parts(b)) {
            if let (Some(x), Some(y)) = (self.classes.find(x), self.classes.find(y)) {
                self.tasks.push(Task::Merge(x, y));
            }
        }
    }

    /// What takes something out of a class that something was built in.
    pub(super) fn take_out_of(&mut self, terms: &Terms, uses: Vec<Id>) {
        if self.projections.is_empty() {
            return;
        }
        for id in uses {
            if let Node::Apply(function, arguments) = terms.node(self.classes.term(id)) {
                self.take_out(terms, *function, arguments, id);
            }
        }
    }
}

/// Whether nothing is known of a term because of its arguments.
pub(super) fn is_leaf(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Bool(_) | Node::BitVec(_) | Node::Int(_) | Node::Real(_) | Node::Symbol(_) | Node::Quantifier(_) => true,
        Node::And(args) | Node::Or(args) => args.len() > MOST_ARGUMENTS,
        Node::IntPoly(poly) => poly.monomials.len() > MOST_ARGUMENTS,
        Node::RealPoly(poly) => poly.monomials.len() > MOST_ARGUMENTS,
        Node::BvSum(sum) => sum.summands.len() > MOST_ARGUMENTS,
        _ => false,
    }
}
