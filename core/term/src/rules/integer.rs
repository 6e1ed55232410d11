//! Integer constructors: polynomials in canonical form, comparisons, division.

use super::polynomial::{Canonical, Poly, canonical, combine, first_printed, product, sides};
use crate::node::{Monomial, Node, Term};
use crate::rules::Rule;
use crate::sort::Sort;
use crate::terms::Terms;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Sums that have more than so many monomials in common stay apart: each sum is written down as a whole.
const MOST_IN_COMMON: usize = 1024;

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
        self.of_polynomial(product((a, self.to_polynomial(a)), (b, self.to_polynomial(b))))
    }

    /// An if-then-else, of any sort. Of integers, what both sides have in common stands outside, so that a sum to which
    /// something is added under one condition after the other stays one sum, not a choice of choices.
    pub fn either(&self, cond: Term, then: Term, other: Term) -> Term {
        if then == other || self.sort(then) != Sort::Int {
            return self.ite(cond, then, other);
        }
        let (mut a, mut b) = (self.to_polynomial(then), self.to_polynomial(other));
        let is_common = |m: &Monomial, k: &BigInt| b.get(m) == Some(k);
        let common: Poly<BigInt> =
            a.iter().filter(|it| is_common(it.0, it.1)).map(|(m, k)| (m.clone(), k.clone())).collect();
        // match: (ite c (p + q) (p + r))   result: (p + (ite c q r))
        if common.is_empty() || common.len() > MOST_IN_COMMON || !self.uses(Rule::IntEither) {
            return self.ite(cond, then, other);
        }
        a.retain(|m, _| !common.contains_key(m));
        b.retain(|m, _| !common.contains_key(m));
        let choice = self.ite(cond, self.of_polynomial(a), self.of_polynomial(b));
        self.int_add(self.of_polynomial(common), choice)
    }

    pub(super) fn to_polynomial(&self, term: Term) -> Poly<BigInt> {
        match self.node(term) {
            Node::Int(value) => Poly::from([(Monomial::default(), value.clone())]),
            Node::IntPoly(poly) => poly.to_map(),
            _ => Poly::from([([(term, 1)].into(), BigInt::one())]),
        }
    }

    fn of_polynomial(&self, poly: Poly<BigInt>) -> Term {
        match canonical(poly) {
            Canonical::Constant(value) => self.int(value),
            Canonical::Atom(term) => term,
            Canonical::Sum(poly) => self.intern(Node::IntPoly(Box::new(poly)), Sort::Int),
        }
    }

    /// `a <= b`.
    pub fn int_le(&self, a: Term, b: Term) -> Term {
        self.not_negative(combine(&self.to_polynomial(b), &self.to_polynomial(a), &-BigInt::one()))
    }

    /// `0 <= p` in canonical form: the monomial that is printed first stands at the left with a positive coefficient,
    /// and coefficients have no common divisor.
    fn not_negative(&self, mut poly: Poly<BigInt>) -> Term {
        let constant = poly.remove(&Monomial::default()).unwrap_or_default();
        poly.retain(|_, k| !k.is_zero());
        // match: 0 <= #c   result: a truth value
        let Some(lead) = first_printed(&poly) else {
            return self.bool(!constant.is_negative());
        };
        // match: 0 <= Σ g·k·m + c   result: 0 <= Σ k·m + floor(c / g)
        let common = poly.values().fold(BigInt::zero(), |res, k| res.gcd(k));
        let constant = constant.div_floor(&common);
        poly.values_mut().for_each(|k| *k /= &common);
        // match: 0 <= p with a positive first coefficient   result: ¬(0 <= -p - 1)
        if poly[&lead].is_positive() {
            let mut negated: Poly<BigInt> = poly.into_iter().map(|(m, k)| (m, -k)).collect();
            negated.insert(Monomial::default(), -constant - BigInt::one());
            return self.not(self.not_negative(negated));
        }
        let (left, right) = sides(poly, -constant);
        self.intern(Node::IntLe(self.of_polynomial(left), self.of_polynomial(right)), Sort::Bool)
    }

    /// `a < b`.
    pub fn int_lt(&self, a: Term, b: Term) -> Term {
        self.not(self.int_le(b, a))
    }

    /// The two sides of `a = b` in canonical form, or its truth.
    pub(crate) fn int_eq_sides(&self, a: Term, b: Term) -> Result<(Term, Term), bool> {
        let mut poly = combine(&self.to_polynomial(a), &self.to_polynomial(b), &-BigInt::one());
        let constant = poly.remove(&Monomial::default()).unwrap_or_default();
        poly.retain(|_, k| !k.is_zero());
        let Some(lead) = first_printed(&poly) else {
            return Err(constant.is_zero());
        };
        // match: Σ g·k·m = c, g not dividing c   result: false; dividing it   result: Σ k·m = c/g
        let common = poly.values().fold(BigInt::zero(), |res, k| res.gcd(k));
        let (quotient, rest) = constant.div_rem(&common);
        if !rest.is_zero() {
            return Err(false);
        }
        let sign = if poly[&lead].is_positive() { -BigInt::one() } else { BigInt::one() };
        poly.values_mut().for_each(|k| *k = &*k / &common * &sign);
        let (left, right) = sides(poly, -(quotient * sign));
        Ok((self.of_polynomial(left), self.of_polynomial(right)))
    }

    /// Truncated quotient.
    pub fn int_quot(&self, a: Term, b: Term) -> Term {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) if !y.is_zero() => self.int(x / y),
            // match: (quot (Σ c·k·m) c)   result: Σ k·m
            (_, Some(y)) if !y.is_zero() => {
                let (whole, rest) = split(self.to_polynomial(a), y);
                match rest.is_empty() && self.uses(Rule::IntQuot) {
                    true => self.of_polynomial(whole),
                    false => self.intern(Node::IntQuot(a, b), Sort::Int),
                }
            }
            _ => self.intern(Node::IntQuot(a, b), Sort::Int),
        }
    }

    /// Remainder of the truncated quotient.
    pub fn int_rem(&self, a: Term, b: Term) -> Term {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) if !y.is_zero() => self.int(x % y),
            // match: (rem (Σ c·k·m) c)   result: 0
            (_, Some(y)) if !y.is_zero() && split(self.to_polynomial(a), y).1.is_empty() && self.uses(Rule::IntRem) => {
                self.int(0)
            }
            _ => self.intern(Node::IntRem(a, b), Sort::Int),
        }
    }

    /// Euclidean quotient.
    pub fn int_div(&self, a: Term, b: Term) -> Term {
        let Some(y) = self.as_int(b).filter(|it| !it.is_zero()) else {
            return self.intern(Node::IntDiv(a, b), Sort::Int);
        };
        // match: (div (Σ c·k·m + r) c)   result: Σ k·m + (div r c)
        let (whole, rest) = split(self.to_polynomial(a), y);
        let whole = self.of_polynomial(whole);
        let rest = self.of_polynomial(rest);
        let rest = match self.as_int(rest) {
            Some(x) => self.int((x - x.mod_floor(&y.abs())) / y),
            None => self.intern(Node::IntDiv(rest, b), Sort::Int),
        };
        self.int_add(whole, rest)
    }

    /// Euclidean remainder.
    pub fn int_mod(&self, a: Term, b: Term) -> Term {
        let Some(y) = self.as_int(b).filter(|it| !it.is_zero()) else {
            return self.intern(Node::IntMod(a, b), Sort::Int);
        };
        // match: (mod (Σ c·k·m + r) c)   result: (mod r c)
        let rest = self.of_polynomial(split(self.to_polynomial(a), y).1);
        match self.as_int(rest) {
            Some(x) => self.int(x.mod_floor(&y.abs())),
            None => self.intern(Node::IntMod(rest, b), Sort::Int),
        }
    }

    /// Power.
    pub fn int_pow(&self, base: Term, exponent: Term) -> Term {
        let small = self.as_int(exponent).and_then(|it| it.to_u32()).filter(|&it| it <= MOST_EXPANDED);
        let Some(exponent) = small else {
            return self.intern(Node::IntPow(base, exponent), Sort::Int);
        };
        // match: (pow x #n)   result: x · ... · x
        (0..exponent).fold(self.int(1), |res, _| self.int_mul(res, base))
    }
}

/// Powers with a larger exponent are kept as they are.
const MOST_EXPANDED: u32 = 16;

/// `poly` as `divisor` times the first, plus the second, whose constant is less than the divisor and not negative.
fn split(poly: Poly<BigInt>, divisor: &BigInt) -> (Poly<BigInt>, Poly<BigInt>) {
    let (mut whole, mut rest) = (Poly::new(), Poly::new());
    for (monomial, k) in poly {
        let constant = monomial.is_empty();
        let remainder = k.mod_floor(&divisor.abs());
        if remainder.is_zero() {
            whole.insert(monomial, k / divisor);
        } else if constant {
            whole.insert(Monomial::default(), (k - &remainder) / divisor);
            rest.insert(monomial, remainder);
        } else {
            rest.insert(monomial, k);
        }
    }
    (whole, rest)
}
