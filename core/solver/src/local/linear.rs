//! The last step: linear arithmetic over what is known of numbers.
//!
//! Knows: which facts may matter to a goal. Never: how they are decided (`theories::linear` for integers,
//! `theories::elimination` for reals).

use super::Local;
use super::bounds::is_number;
use super::classes::Id;
use crate::theories::elimination::contradict;
use effigy_term::{Node, Sort, Term, Terms};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Facts that are farther from the goal are left to a solver.
const MOST_FACTS: usize = 32;

/// So many terms are looked at to find them.
const MOST_SEEN: usize = 600;

impl Local {
    /// Whether what is known of numbers contradicts itself, `contrary` being a part of it.
    pub(super) fn contradicts_arithmetic(&mut self, terms: &Terms, contrary: Term) -> bool {
        if self.arithmetic.len() < 2 {
            return false;
        }
        let related = match terms.as_bool(contrary) {
            // That nothing holds is about everything.
            Some(_) if self.arithmetic.len() > MOST_SEEN => return false,
            Some(_) => self.arithmetic.clone(),
            None => self.related(terms, contrary),
        };
        self.work += related.len() as u64;
        let mut seen = FxHashSet::default();
        let mut facts: Vec<Term> = Vec::new();
        for (term, truth) in related {
            let term = self.rebuilt(terms, term);
            let fact = if truth { term } else { terms.not(term) };
            if facts.len() < MOST_FACTS && terms.as_bool(fact).is_none() && seen.insert(fact) {
                facts.push(fact);
            }
        }
        contradict(terms, &facts)
            || (facts.iter().any(|it| is_about_integers(terms, *it)) && self.refuter.refutes(terms, &facts))
    }

    /// The facts that share unknown numbers with a formula, directly or by others, the nearest first.
    fn related(&self, terms: &Terms, formula: Term) -> Vec<(Term, bool)> {
        let mut res = Vec::new();
        let mut seen: FxHashSet<Id> = FxHashSet::default();
        let mut work: VecDeque<Id> = VecDeque::new();
        let mut parts = vec![formula];
        let mut left = MOST_SEEN;
        while let Some(part) = parts.pop().filter(|_| left > 0) {
            left -= 1;
            work.extend(self.classes.find(part).filter(|_| is_number(terms.sort(part))));
            terms.node(part).for_each_argument(|it| parts.push(it));
        }
        let mut left = MOST_SEEN;
        while let Some(id) = work.pop_front() {
            let class = self.classes.of(id);
            // A constant connects nothing.
            if !seen.insert(class) || terms.is_constant(self.classes.canonical(class)) {
                continue;
            }
            for &user in &self.classes.class(class).uses {
                left -= 1;
                if left == 0 {
                    return res;
                }
                let term = self.classes.term(user);
                match *terms.node(term) {
                    Node::Eq(a, b) | Node::IntLe(a, b) | Node::RealLe(a, b) => {
                        let Some(truth) = terms.as_bool(self.classes.canonical(user)) else { continue };
                        if is_number(terms.sort(a)) && seen.insert(user) {
                            res.push((term, truth));
                            for side in [a, b] {
                                work.extend(self.classes.find(side));
                                terms.node(side).for_each_argument(|it| work.extend(self.classes.find(it)));
                            }
                        }
                    }
                    Node::IntPoly(_) | Node::RealPoly(_) | Node::IntToReal(_) => work.push_back(user),
                    _ => {}
                }
            }
        }
        res
    }
}

fn is_about_integers(terms: &Terms, fact: Term) -> bool {
    let atom = match *terms.node(fact) {
        Node::Not(inner) => inner,
        _ => fact,
    };
    match *terms.node(atom) {
        Node::Eq(a, _) => terms.sort(a) == Sort::Int,
        Node::IntLe(..) => true,
        _ => false,
    }
}
