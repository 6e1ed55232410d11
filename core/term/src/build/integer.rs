//! Integer constructors: polynomials in canonical form, comparisons, division.

use crate::node::{Monomial, Node, Polynomial, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

impl Terms {
    /// An integer constant.
    pub fn int(&self, value: impl Into<BigInt>) -> Term {
        self.intern(Node::Int(value.into()), Sort::Int)
    }

    /// The value, if the term is an integer constant.
    pub fn as_int(&self, term: Term) -> Option<&BigInt> {
        match self.node(term) {
            Node::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Sum.
    pub fn int_add(&self, a: Term, b: Term) -> Term {
        self.of_polynomial(combine(&self.to_polynomial(a), &self.to_polynomial(b), &BigInt::one()))
    }

    /// Difference.
    pub fn int_sub(&self, a: Term, b: Term) -> Term {
        self.of_polynomial(combine(&self.to_polynomial(a), &self.to_polynomial(b), &-BigInt::one()))
    }

    /// Negation.
    pub fn int_neg(&self, a: Term) -> Term {
        self.int_sub(self.int(0), a)
    }

    /// Product.
    pub fn int_mul(&self, a: Term, b: Term) -> Term {
        let (x, y) = (self.to_polynomial(a), self.to_polynomial(b));
        let mut res = Poly::new();
        for (left, coefficient) in &x {
            for (right, other) in &y {
                let mut factors: BTreeMap<Term, u32> = left.iter().copied().collect();
                for &(term, exponent) in right.iter() {
                    *factors.entry(term).or_insert(0) += exponent;
                }
                let monomial: Monomial = factors.into_iter().collect();
                *res.entry(monomial).or_insert_with(BigInt::zero) += coefficient * other;
            }
        }
        self.of_polynomial(res)
    }

    fn to_polynomial(&self, term: Term) -> Poly {
        match self.node(term) {
            Node::Int(value) => Poly::from([(Monomial::default(), value.clone())]),
            Node::IntPoly(poly) => {
                let mut res: Poly = poly.monomials.iter().map(|(k, m)| (m.clone(), k.clone())).collect();
                res.insert(Monomial::default(), poly.constant.clone());
                res
            }
            _ => Poly::from([([(term, 1)].into(), BigInt::one())]),
        }
    }

    fn of_polynomial(&self, mut poly: Poly) -> Term {
        let constant = poly.remove(&Monomial::default()).unwrap_or_default();
        poly.retain(|_, k| !k.is_zero());
        if poly.is_empty() {
            return self.int(constant);
        }
        if constant.is_zero()
            && let [(monomial, k)] = &poly.iter().collect::<Vec<_>>()[..]
            && let ([(term, 1)], true) = (&monomial[..], k.is_one())
        {
            return *term;
        }
        let monomials = poly.into_iter().map(|(m, k)| (k, m)).collect();
        self.intern(Node::IntPoly(Box::new(Polynomial { constant, monomials })), Sort::Int)
    }

    /// `a <= b`.
    pub fn int_le(&self, a: Term, b: Term) -> Term {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) => self.bool(x <= y),
            _ if a == b => self.bool(true),
            _ => self.intern(Node::IntLe(a, b), Sort::Bool),
        }
    }

    /// `a < b`.
    pub fn int_lt(&self, a: Term, b: Term) -> Term {
        self.not(self.int_le(b, a))
    }

    /// Truncated quotient.
    pub fn int_quot(&self, a: Term, b: Term) -> Term {
        self.intern(Node::IntQuot(a, b), Sort::Int)
    }

    /// Remainder of the truncated quotient.
    pub fn int_rem(&self, a: Term, b: Term) -> Term {
        self.intern(Node::IntRem(a, b), Sort::Int)
    }

    /// Euclidean quotient.
    pub fn int_div(&self, a: Term, b: Term) -> Term {
        self.intern(Node::IntDiv(a, b), Sort::Int)
    }

    /// Euclidean remainder.
    pub fn int_mod(&self, a: Term, b: Term) -> Term {
        self.intern(Node::IntMod(a, b), Sort::Int)
    }

    /// Power.
    pub fn int_pow(&self, base: Term, exponent: Term) -> Term {
        self.intern(Node::IntPow(base, exponent), Sort::Int)
    }
}

type Poly = BTreeMap<Monomial, BigInt>;

fn combine(a: &Poly, b: &Poly, factor: &BigInt) -> Poly {
    let mut res = a.clone();
    for (monomial, coefficient) in b {
        *res.entry(monomial.clone()).or_insert_with(BigInt::zero) += coefficient * factor;
    }
    res
}
