//! Integer constructors: polynomials in canonical form, comparisons, division.

use crate::node::{Monomial, Node, Polynomial, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::{Ordering, Reverse};
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
        let sums = x.len() > 1 && y.len() > 1;
        if sums && x.len() * y.len() > MOST_PRODUCTS || degree(&x) + degree(&y) > MOST_DEGREE {
            // The product stays one: its factors are not multiplied out.
            let monomial: Monomial = match a.cmp(&b) {
                Ordering::Equal => [(a, 2)].into(),
                Ordering::Less => [(a, 1), (b, 1)].into(),
                Ordering::Greater => [(b, 1), (a, 1)].into(),
            };
            return self.of_polynomial(Poly::from([(monomial, BigInt::one())]));
        }
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
        let mut monomials: Vec<(BigInt, Monomial)> = poly.into_iter().map(|(m, k)| (k, m)).collect();
        monomials.sort_by(|a, b| printed_first(&a.1, &b.1));
        self.intern(Node::IntPoly(Box::new(Polynomial { constant, monomials: monomials.into() })), Sort::Int)
    }

    /// `a <= b`.
    pub fn int_le(&self, a: Term, b: Term) -> Term {
        self.not_negative(combine(&self.to_polynomial(b), &self.to_polynomial(a), &-BigInt::one()))
    }

    /// `0 <= p` in canonical form: the monomial that is printed first stands at the left with a positive coefficient,
    /// and coefficients have no common divisor.
    fn not_negative(&self, mut poly: Poly) -> Term {
        let constant = poly.remove(&Monomial::default()).unwrap_or_default();
        poly.retain(|_, k| !k.is_zero());
        // match: 0 <= #c   result: a truth value
        let Some(lead) = poly.keys().min_by(|a, b| printed_first(a, b)).cloned() else {
            return self.bool(!constant.is_negative());
        };
        // match: 0 <= Σ g·k·m + c   result: 0 <= Σ k·m + floor(c / g)
        let common = poly.values().fold(BigInt::zero(), |res, k| res.gcd(k));
        let constant = constant.div_floor(&common);
        poly.values_mut().for_each(|k| *k /= &common);
        // match: 0 <= p with a positive first coefficient   result: ¬(0 <= -p - 1)
        if poly[&lead].is_positive() {
            let mut negated: Poly = poly.into_iter().map(|(m, k)| (m, -k)).collect();
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
        let Some(lead) = poly.keys().min_by(|a, b| printed_first(a, b)).cloned() else {
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
                if rest.is_empty() { self.of_polynomial(whole) } else { self.intern(Node::IntQuot(a, b), Sort::Int) }
            }
            _ => self.intern(Node::IntQuot(a, b), Sort::Int),
        }
    }

    /// Remainder of the truncated quotient.
    pub fn int_rem(&self, a: Term, b: Term) -> Term {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) if !y.is_zero() => self.int(x % y),
            // match: (rem (Σ c·k·m) c)   result: 0
            (_, Some(y)) if !y.is_zero() && split(self.to_polynomial(a), y).1.is_empty() => self.int(0),
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

/// The largest exponent.
fn degree(poly: &Poly) -> u64 {
    poly.keys().flat_map(|it| it.iter()).map(|it| u64::from(it.1)).max().unwrap_or(0)
}

/// Products of more pairs are not multiplied out.
const MOST_PRODUCTS: usize = 4096;

/// Nor are products with a larger exponent: x = x² in a loop.
const MOST_DEGREE: u64 = 1 << 16;

/// Powers with a larger exponent are kept as they are.
const MOST_EXPANDED: u32 = 16;

/// Products of more factors before those of fewer, then by the age of their factors.
fn printed_first(a: &Monomial, b: &Monomial) -> Ordering {
    let degree = |it: &Monomial| it.iter().map(|it| u64::from(it.1)).sum::<u64>();
    let factors = |it: &Monomial| it.iter().map(|&(term, exponent)| (term, Reverse(exponent))).collect::<Vec<_>>();
    degree(b).cmp(&degree(a)).then_with(|| factors(a).cmp(&factors(b)))
}

/// The negative part of `Σ k·m`, negated, at the left; the positive part at the right; `constant` where it is positive.
fn sides(poly: Poly, constant: BigInt) -> (Poly, Poly) {
    let (mut left, mut right) = (Poly::new(), Poly::new());
    for (monomial, k) in poly {
        if k.is_negative() {
            left.insert(monomial, -k);
        } else {
            right.insert(monomial, k);
        }
    }
    if left.is_empty() || constant.is_negative() || right.is_empty() {
        right.insert(Monomial::default(), -constant);
    } else {
        left.insert(Monomial::default(), constant);
    }
    (left, right)
}

/// `poly` as `divisor` times the first, plus the second, whose constant is less than the divisor and not negative.
fn split(poly: Poly, divisor: &BigInt) -> (Poly, Poly) {
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

type Poly = BTreeMap<Monomial, BigInt>;

fn combine(a: &Poly, b: &Poly, factor: &BigInt) -> Poly {
    let mut res = a.clone();
    for (monomial, coefficient) in b {
        *res.entry(monomial.clone()).or_insert_with(BigInt::zero) += coefficient * factor;
    }
    res
}
