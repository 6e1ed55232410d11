//! Whether a goal follows.
//!
//! Knows: truth by what is known, refutation of the contrary, linear arithmetic as the last step. Never: assumptions.

use super::bounds::is_number;
use super::classes::Id;
use super::{Local, MOST_STEPS};
use effigy_term::{Node, Sort, Term, Terms};

/// Formulas are looked into so deep.
const MOST_DEPTH: u32 = 40;

impl Local {
    /// Whether the assumptions imply the goal. `thorough`: also what needs an equation to be assumed for a while.
    pub(crate) fn proves(&mut self, terms: &Terms, goal: Term, thorough: bool) -> bool {
        self.assume_axioms(terms);
        self.fuel = MOST_STEPS;
        match self.truth(terms, goal, 0) {
            Some(true) => true,
            Some(false) if terms.as_bool(goal).is_none() => false,
            _ => self.proves_otherwise(terms, goal, thorough, 0),
        }
    }

    /// The truth of a formula, if it is known without anything's being assumed for a while: cheap, for what is only to
    /// save work.
    pub(crate) fn evident(&mut self, terms: &Terms, goal: Term) -> Option<bool> {
        self.assume_axioms(terms);
        self.fuel = MOST_STEPS;
        self.truth(terms, goal, 0)
    }

    /// Whether the assumptions imply that the goal is false. What is false by itself is asked for to find contradictions.
    pub(crate) fn refutes(&mut self, terms: &Terms, goal: Term) -> bool {
        terms.as_bool(goal).is_none() && !self.inconsistent && self.truth(terms, goal, 0) == Some(false)
    }

    fn proves_otherwise(&mut self, terms: &Terms, goal: Term, thorough: bool, depth: u32) -> bool {
        if let Node::And(parts) = terms.node(goal)
            && depth < MOST_DEPTH
        {
            return parts.iter().all(|&it| match self.truth(terms, it, 0) {
                Some(truth) => truth,
                None => self.proves_otherwise(terms, it, thorough, depth + 1),
            });
        }
        let worthwhile = match *terms.node(goal) {
            Node::Bool(_) | Node::Or(_) | Node::Ite(..) => true,
            Node::Eq(a, _) => matches!(terms.sort(a), Sort::Bool | Sort::Int | Sort::Real),
            Node::IntLe(..) | Node::RealLe(..) => true,
            Node::Not(inner) => match *terms.node(inner) {
                Node::Eq(a, _) => thorough || is_number(terms.sort(a)),
                Node::Apply(..) | Node::Symbol(_) => false,
                _ => true,
            },
            _ => false,
        };
        worthwhile && !self.open.contains(&goal) && self.refuted(terms, goal)
    }

    /// Whether the contrary of the goal contradicts the assumptions.
    fn refuted(&mut self, terms: &Terms, goal: Term) -> bool {
        let before = self.classes.trail.len();
        let contrary = terms.not(goal);
        self.assume_quietly(terms, contrary);
        let refuted = self.inconsistent || self.contradicts_arithmetic(terms, contrary);
        self.undo_to(before);
        if !refuted {
            self.open.insert(goal);
        }
        refuted
    }

    /// The truth of a formula, if it is known. No formula is added, only what it is about.
    pub(super) fn truth(&mut self, terms: &Terms, goal: Term, depth: u32) -> Option<bool> {
        self.work += 1;
        if self.inconsistent {
            return Some(true);
        }
        if let Some(id) = self.classes.find(goal)
            && let Some(truth) = terms.as_bool(self.classes.canonical(id))
        {
            return Some(truth);
        }
        if depth > MOST_DEPTH {
            return None;
        }
        match *terms.node(goal) {
            Node::Bool(truth) => Some(truth),
            Node::Not(inner) => self.truth(terms, inner, depth + 1).map(|it| self.inconsistent || !it),
            Node::And(ref parts) => self.connective(terms, parts, false, depth),
            Node::Or(ref parts) => self.connective(terms, parts, true, depth),
            Node::Ite(cond, then, other) => match self.truth(terms, cond, depth + 1) {
                Some(cond) => self.truth(terms, if cond { then } else { other }, depth + 1),
                None => {
                    let then = self.truth(terms, then, depth + 1)?;
                    (self.truth(terms, other, depth + 1)? == then).then_some(then)
                }
            },
            Node::Eq(a, b) if terms.sort(a) == Sort::Bool => {
                let a = self.truth(terms, a, depth + 1)?;
                Some(self.truth(terms, b, depth + 1)? == a || self.inconsistent)
            }
            Node::Eq(a, b) => {
                let (a, b) = (self.added(terms, a), self.added(terms, b));
                self.equal(terms, a, b)
            }
            Node::IntLe(a, b) | Node::RealLe(a, b) => {
                self.added(terms, a);
                self.added(terms, b);
                let rebuilt = self.rebuilt(terms, goal);
                self.atom(terms, rebuilt)
            }
            _ => {
                let id = self.added(terms, goal);
                if self.inconsistent { Some(true) } else { terms.as_bool(self.classes.canonical(id)) }
            }
        }
    }

    /// One part that is `stop` decides.
    fn connective(&mut self, terms: &Terms, parts: &[Term], stop: bool, depth: u32) -> Option<bool> {
        let mut known = true;
        for &part in parts {
            match self.truth(terms, part, depth + 1) {
                _ if self.inconsistent => return Some(true),
                Some(truth) if truth == stop => return Some(stop),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(!stop)
    }

    fn equal(&mut self, terms: &Terms, a: Id, b: Id) -> Option<bool> {
        if self.inconsistent || self.classes.of(a) == self.classes.of(b) {
            return Some(true);
        }
        if self.differ(terms, a, b) {
            return Some(false);
        }
        let (left, right) = (self.classes.canonical(a), self.classes.canonical(b));
        self.atom(terms, terms.eq(left, right))
    }

    /// The truth of a comparison of canonical members.
    fn atom(&mut self, terms: &Terms, atom: Term) -> Option<bool> {
        if self.inconsistent {
            return Some(true);
        }
        let (atom, positive) = match *terms.node(atom) {
            Node::Not(inner) => (inner, false),
            _ => (atom, true),
        };
        let known = self.classes.find(atom).and_then(|it| terms.as_bool(self.classes.canonical(it)));
        let truth = known.or_else(|| terms.as_bool(atom)).or_else(|| self.compared(terms, atom))?;
        Some(truth == positive)
    }
}
