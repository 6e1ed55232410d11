//! Constructors of exact reals: polynomials in canonical form, comparisons, division.

use super::polynomial::{Canonical, Poly, canonical, combine, first_printed, product, sides};
use crate::node::{Monomial, Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

impl Terms {
    /// A fraction.
    pub fn real(&self, value: BigRational) -> Term {
        self.intern(Node::Real(Box::new(value)), Sort::Real)
    }

    /// The value, if the term is a constant of sort Real.
    pub fn as_real(&self, term: Term) -> Option<&BigRational> {
        match self.node(term) {
            Node::Real(value) => Some(value),
            _ => None,
        }
    }

    /// Sum.
    pub fn real_add(&self, a: Term, b: Term) -> Term {
        self.of_real_polynomial(combine(&self.real_polynomial(a), &self.real_polynomial(b), &BigRational::one()))
    }

    /// Difference.
    pub fn real_sub(&self, a: Term, b: Term) -> Term {
        self.of_real_polynomial(combine(&self.real_polynomial(a), &self.real_polynomial(b), &-BigRational::one()))
    }

    /// Negation.
    pub fn real_neg(&self, a: Term) -> Term {
        self.real_sub(self.real(BigRational::zero()), a)
    }

    /// Product.
    pub fn real_mul(&self, a: Term, b: Term) -> Term {
        self.of_real_polynomial(product((a, self.real_polynomial(a)), (b, self.real_polynomial(b))))
    }

    /// Quotient.
    pub fn real_div(&self, a: Term, b: Term) -> Term {
        assert_eq!((self.sort(a), self.sort(b)), (Sort::Real, Sort::Real), "both operands are reals");
        match self.as_real(b) {
            // match: (/ x c)   result: 1/c · x
            Some(divisor) if !divisor.is_zero() => self.real_mul(self.real(divisor.recip()), a),
            _ => self.intern(Node::RealDiv(a, b), Sort::Real),
        }
    }

    /// An integer as a real.
    pub fn int_to_real(&self, a: Term) -> Term {
        // match: (to_real (Σ k·Πx + c))   result: Σ k·Π(to_real x) + c
        let atom = |it: Term| self.intern(Node::IntToReal(it), Sort::Real);
        let mut res = Poly::new();
        for (monomial, k) in self.to_polynomial(a) {
            let mut factors: Vec<(Term, u32)> = monomial.iter().map(|&(it, exponent)| (atom(it), exponent)).collect();
            factors.sort_unstable();
            res.insert(factors.into(), BigRational::from(k));
        }
        self.of_real_polynomial(res)
    }

    /// `a <= b`.
    pub fn real_le(&self, a: Term, b: Term) -> Term {
        let mut poly = combine(&self.real_polynomial(b), &self.real_polynomial(a), &-BigRational::one());
        let mut constant = poly.remove(&Monomial::default()).unwrap_or_else(BigRational::zero);
        poly.retain(|_, k| !k.is_zero());
        // match: 0 <= #c   result: a truth value
        let Some(lead) = first_printed(&poly) else {
            return self.bool(!constant.is_negative());
        };
        // match: 0 <= Σ k·m + c   result: the same, divided by the first coefficient's amount
        let scale = poly[&lead].abs();
        poly.values_mut().for_each(|k| *k /= &scale);
        constant /= &scale;
        let (mut left, mut right): (Poly<BigRational>, Poly<BigRational>) = Default::default();
        for (monomial, k) in poly {
            if k.is_negative() {
                left.insert(monomial, -k);
            } else {
                right.insert(monomial, k);
            }
        }
        if right.is_empty() || (!left.is_empty() && constant.is_positive()) {
            right.insert(Monomial::default(), constant);
        } else {
            left.insert(Monomial::default(), -constant);
        }
        self.intern(Node::RealLe(self.of_real_polynomial(left), self.of_real_polynomial(right)), Sort::Bool)
    }

    /// `a < b`.
    pub fn real_lt(&self, a: Term, b: Term) -> Term {
        self.not(self.real_le(b, a))
    }

    /// The two sides of `a = b` in canonical form, or its truth.
    pub(crate) fn real_eq_sides(&self, a: Term, b: Term) -> Result<(Term, Term), bool> {
        let mut poly = combine(&self.real_polynomial(a), &self.real_polynomial(b), &-BigRational::one());
        let constant = poly.remove(&Monomial::default()).unwrap_or_else(BigRational::zero);
        poly.retain(|_, k| !k.is_zero());
        let Some(lead) = first_printed(&poly) else {
            return Err(constant.is_zero());
        };
        // The first monomial stands at the left with coefficient 1.
        let scale = -poly[&lead].clone();
        poly.values_mut().for_each(|k| *k /= &scale);
        let (left, right) = sides(poly, -(constant / scale));
        Ok((self.of_real_polynomial(left), self.of_real_polynomial(right)))
    }

    fn real_polynomial(&self, term: Term) -> Poly<BigRational> {
        assert_eq!(self.sort(term), Sort::Real, "an operand of sort Real");
        match self.node(term) {
            Node::Real(value) => Poly::from([(Monomial::default(), (**value).clone())]),
            Node::RealPoly(poly) => poly.to_map(),
            _ => Poly::from([([(term, 1)].into(), BigRational::from(BigInt::one()))]),
        }
    }

    fn of_real_polynomial(&self, poly: Poly<BigRational>) -> Term {
        match canonical(poly) {
            Canonical::Constant(value) => self.real(value),
            Canonical::Atom(term) => term,
            Canonical::Sum(poly) => self.intern(Node::RealPoly(Box::new(poly)), Sort::Real),
        }
    }
}
