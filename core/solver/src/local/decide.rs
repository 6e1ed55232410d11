//! What follows from the truth of a formula.
//!
//! Knows: connectives, equality, comparisons. Never: formulas whose truth is not known.

use super::bounds::{Bounds, KeyedDifference, is_number, minus};
use super::classes::{Change, Id};
use super::{Local, Task};
use effigy_term::{Node, Sort, Term, Terms};
use num_rational::BigRational;

impl Local {
    pub(super) fn decide(&mut self, terms: &Terms, id: Id, truth: bool) {
        let term = self.classes.term(id);
        match (terms.node(term), truth) {
            (&Node::Not(inner), _) => self.set(terms, inner, !truth),
            (Node::And(parts), true) | (Node::Or(parts), false) => {
                self.spend(parts.len() as u64);
                parts.iter().for_each(|&it| self.set(terms, it, truth));
            }
            (&Node::Eq(a, b), _) => {
                if is_number(terms.sort(a)) {
                    self.note_arithmetic(term, truth);
                }
                let (a, b) = (self.add(terms, a), self.add(terms, b));
                if truth {
                    self.tasks.push(Task::Merge(a, b));
                } else if terms.sort(self.classes.term(a)) != Sort::Bool {
                    self.separate(terms, a, b);
                }
            }
            (&Node::IntLe(a, b) | &Node::RealLe(a, b), _) => {
                self.note_arithmetic(term, truth);
                self.bound(terms, minus(terms, b, a), truth);
            }
            _ => {}
        }
    }

    fn set(&mut self, terms: &Terms, formula: Term, truth: bool) {
        let (formula, constant) = (self.add(terms, formula), self.add(terms, terms.bool(truth)));
        self.tasks.push(Task::Merge(formula, constant));
    }

    fn note_arithmetic(&mut self, term: Term, truth: bool) {
        self.arithmetic.push((term, truth));
        self.classes.trail.push(Change::Arithmetic);
    }

    /// Records that two classes are different; the same class is a contradiction.
    fn separate(&mut self, terms: &Terms, a: Id, b: Id) {
        let (a, b) = (self.classes.of(a), self.classes.of(b));
        if a == b {
            return self.contradict();
        }
        if self.differ_explicitly(a, b) {
            return;
        }
        self.classes.add_difference(a, b);
        let fewer = if self.classes.class(a).uses.len() < self.classes.class(b).uses.len() { a } else { b };
        let uses = self.classes.class(fewer).uses.iter().copied();
        let equations = uses.filter(|it| matches!(terms.node(self.classes.term(*it)), Node::Eq(..)));
        self.tasks.extend(equations.map(Task::Renew));
    }

    /// Assumes `0 <= difference` (`truth`) or its negation.
    fn bound(&mut self, terms: &Terms, difference: Term, truth: bool) {
        let Some(KeyedDifference { key, factor, constant }) = KeyedDifference::of(terms, difference) else { return };
        // 0 <= k·p + c is p >= -c/k; its negation is -k·p > c, and for integers -k·p >= c + 1.
        let bounds = if truth {
            Bounds::above(-&constant, false)
        } else if terms.sort(key) == Sort::Int {
            let one = BigRational::from(num_bigint::BigInt::from(1));
            Bounds::above(constant + one, false)
        } else {
            Bounds::above(constant, true)
        };
        let direction = if truth { factor } else { -factor };
        // The factor is one or minus one.
        let bounds = bounds.scaled(&direction, &BigRational::from(num_bigint::BigInt::from(0)));
        let key = self.add(terms, key);
        self.narrow(terms, self.classes.of(key), &bounds);
    }
}
