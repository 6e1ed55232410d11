//! Boolean connectives, equality and if-then-else.

use crate::node::{Node, Term};
use crate::rules::Rule;
use crate::sort::Sort;
use crate::terms::Terms;

/// A conjunction or disjunction of more arguments than this is not taken apart to be a part of another: a path condition
/// that grows by one conjunct a thousand times costs its length, not its square.
const MOST_FLAT: usize = 64;

impl Terms {
    /// A truth value.
    pub fn bool(&self, value: bool) -> Term {
        self.intern(Node::Bool(value), Sort::Bool)
    }

    /// The truth value, if the term is a constant of sort Bool.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Negation.
    pub fn not(&self, arg: Term) -> Term {
        match *self.node(arg) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(arg), Sort::Bool),
        }
    }

    /// Conjunction of two.
    pub fn and(&self, a: Term, b: Term) -> Term {
        self.and_all([a, b])
    }

    /// Disjunction of two.
    pub fn or(&self, a: Term, b: Term) -> Term {
        self.or_all([a, b])
    }

    /// Implication.
    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.or(self.not(a), b)
    }

    /// Conjunction of any number; true for none.
    pub fn and_all(&self, args: impl IntoIterator<Item = Term>) -> Term {
        let mut flat = Vec::new();
        for arg in args {
            match self.node(arg) {
                Node::Bool(true) => {}
                Node::Bool(false) => return arg,
                Node::And(inner) if inner.len() <= MOST_FLAT => flat.extend(inner.iter().copied()),
                _ => flat.push(arg),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.iter().any(|&it| matches!(*self.node(it), Node::Not(inner) if flat.binary_search(&inner).is_ok())) {
            return self.bool(false);
        }
        match flat[..] {
            [] => self.bool(true),
            [only] => only,
            _ => self.intern(Node::And(flat.into()), Sort::Bool),
        }
    }

    /// Disjunction of any number; false for none.
    pub fn or_all(&self, args: impl IntoIterator<Item = Term>) -> Term {
        let mut flat = Vec::new();
        for arg in args {
            match self.node(arg) {
                Node::Bool(false) => {}
                Node::Bool(true) => return arg,
                Node::Or(inner) if inner.len() <= MOST_FLAT => flat.extend(inner.iter().copied()),
                _ => flat.push(arg),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.iter().any(|&it| matches!(*self.node(it), Node::Not(inner) if flat.binary_search(&inner).is_ok())) {
            return self.bool(true);
        }
        match flat[..] {
            [] => self.bool(false),
            [only] => only,
            _ => self.intern(Node::Or(flat.into()), Sort::Bool),
        }
    }

    /// Equality of two terms of one sort.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "both sides of an equality have one sort");
        if a == b {
            return self.bool(true);
        }
        if self.is_constant(a) && self.is_constant(b) {
            return self.bool(false);
        }
        let (a, b) = match self.sort(a) {
            Sort::Int => match self.int_eq_sides(a, b) {
                Ok(sides) => sides,
                Err(truth) => return self.bool(truth),
            },
            Sort::Real => match self.real_eq_sides(a, b) {
                Ok(sides) => sides,
                Err(truth) => return self.bool(truth),
            },
            _ => (a, b),
        };
        // A constant stands second, else the smaller handle first.
        let (a, b) = if self.is_constant(a) || (!self.is_constant(b) && b < a) { (b, a) } else { (a, b) };
        if let Some(value) = self.as_bool(b) {
            return if value { a } else { self.not(a) };
        }
        let simplified = match self.sort(a) {
            Sort::BitVec(_) => self.bv_eq_rules(a, b),
            // match: (= x ¬x)   result: false
            Sort::Bool if self.not(a) == b && self.uses(Rule::EqComplement) => Some(self.bool(false)),
            _ => None,
        };
        simplified.unwrap_or_else(|| self.intern(Node::Eq(a, b), Sort::Bool))
    }

    /// Inequality.
    pub fn ne(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }

    /// If-then-else, of any sort.
    pub fn ite(&self, cond: Term, then: Term, other: Term) -> Term {
        assert_eq!(self.sort(then), self.sort(other), "both branches have one sort");
        if then == other {
            return then;
        }
        match *self.node(cond) {
            Node::Bool(value) => return if value { then } else { other },
            Node::Not(inner) => return self.ite(inner, other, then),
            _ => {}
        }
        // match: (ite c (ite c x y) z)   result: (ite c x z)
        if let Node::Ite(same, inner, _) = *self.node(then)
            && same == cond
            && self.uses(Rule::IteThenIte)
        {
            return self.ite(cond, inner, other);
        }
        // match: (ite c x (ite c y z))   result: (ite c x z)
        if let Node::Ite(same, _, inner) = *self.node(other)
            && same == cond
            && self.uses(Rule::IteElseIte)
        {
            return self.ite(cond, then, inner);
        }
        if self.sort(then) == Sort::Bool {
            return self.bool_ite(cond, then, other);
        }
        self.intern(Node::Ite(cond, then, other), self.sort(then))
    }

    /// An if-then-else of truth values; with a constant side it is a connective.
    fn bool_ite(&self, cond: Term, then: Term, other: Term) -> Term {
        match (self.as_bool(then), self.as_bool(other)) {
            // match: (ite c true x)   result: (or c x)
            (Some(true), _) if self.uses(Rule::IteTrueElse) => self.or(cond, other),
            // match: (ite c false x)   result: (and ¬c x)
            (Some(false), _) if self.uses(Rule::IteFalseElse) => self.and(self.not(cond), other),
            // match: (ite c x true)   result: (or ¬c x)
            (_, Some(true)) if self.uses(Rule::IteThenTrue) => self.or(self.not(cond), then),
            // match: (ite c x false)   result: (and c x)
            (_, Some(false)) if self.uses(Rule::IteThenFalse) => self.and(cond, then),
            // match: (ite c c x)   result: (or c x)
            _ if then == cond && self.uses(Rule::IteThenCondition) => self.or(cond, other),
            // match: (ite c x c)   result: (and c x)
            _ if other == cond && self.uses(Rule::IteElseCondition) => self.and(cond, then),
            _ => self.intern(Node::Ite(cond, then, other), Sort::Bool),
        }
    }

    /// Whether the term is a constant: a value of Bool, BitVec, Int or Real.
    pub fn is_constant(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Bool(_) | Node::BitVec(_) | Node::Int(_) | Node::Real(_))
    }
}
