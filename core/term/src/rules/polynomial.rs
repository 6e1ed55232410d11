//! Polynomials as maps from products to coefficients, over the integers and over the fractions.
//!
//! Knows: sums, products, the order in which monomials are printed. Never: terms of either sort.

use crate::node::{Monomial, Polynomial, Term};
use num_traits::Signed;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// Coefficient by monomial; the constant is that of the empty monomial.
pub(super) type Poly<N> = BTreeMap<Monomial, N>;

/// Products of more pairs are not multiplied out.
const MOST_PRODUCTS: usize = 4096;

/// Nor are products with a larger exponent: x = x² in a loop.
const MOST_DEGREE: u64 = 1 << 16;

/// What a polynomial is as a term.
pub(super) enum Canonical<N> {
    Constant(N),
    Atom(Term),
    Sum(Polynomial<N>),
}

impl<N: Clone> Polynomial<N> {
    pub(super) fn to_map(&self) -> Poly<N> {
        let mut res: Poly<N> = self.monomials.iter().map(|(k, m)| (m.clone(), k.clone())).collect();
        res.insert(Monomial::default(), self.constant.clone());
        res
    }
}

/// The canonical form of a polynomial.
pub(super) fn canonical<N: Signed + Clone>(mut poly: Poly<N>) -> Canonical<N> {
    let constant = poly.remove(&Monomial::default()).unwrap_or_else(N::zero);
    poly.retain(|_, k| !k.is_zero());
    if poly.is_empty() {
        return Canonical::Constant(constant);
    }
    if constant.is_zero()
        && poly.len() == 1
        && let Some((monomial, k)) = poly.first_key_value()
        && let ([(term, 1)], true) = (&monomial[..], k.is_one())
    {
        return Canonical::Atom(*term);
    }
    let mut monomials: Vec<(N, Monomial)> = poly.into_iter().map(|(m, k)| (k, m)).collect();
    monomials.sort_by(|a, b| printed_first(&a.1, &b.1));
    Canonical::Sum(Polynomial { constant, monomials: monomials.into() })
}

/// `a + factor · b`.
pub(super) fn combine<N: Signed + Clone>(a: &Poly<N>, b: &Poly<N>, factor: &N) -> Poly<N> {
    let mut res = a.clone();
    for (monomial, coefficient) in b {
        let entry = res.entry(monomial.clone()).or_insert_with(N::zero);
        *entry = entry.clone() + coefficient.clone() * factor.clone();
    }
    res
}

/// The product, multiplied out where that is not too large; each factor comes with its term.
pub(super) fn product<N: Signed + Clone>((a, x): (Term, Poly<N>), (b, y): (Term, Poly<N>)) -> Poly<N> {
    let sums = x.len() > 1 && y.len() > 1;
    if sums && x.len() * y.len() > MOST_PRODUCTS || degree(&x) + degree(&y) > MOST_DEGREE {
        // The product stays one: its factors are not multiplied out.
        let monomial: Monomial = match a.cmp(&b) {
            Ordering::Equal => [(a, 2)].into(),
            Ordering::Less => [(a, 1), (b, 1)].into(),
            Ordering::Greater => [(b, 1), (a, 1)].into(),
        };
        return Poly::from([(monomial, N::one())]);
    }
    let mut res = Poly::new();
    for (left, coefficient) in &x {
        for (right, other) in &y {
            let mut factors: BTreeMap<Term, u32> = left.iter().copied().collect();
            for &(term, exponent) in right.iter() {
                *factors.entry(term).or_insert(0) += exponent;
            }
            let monomial: Monomial = factors.into_iter().collect();
            let entry = res.entry(monomial).or_insert_with(N::zero);
            *entry = entry.clone() + coefficient.clone() * other.clone();
        }
    }
    res
}

/// The largest exponent.
fn degree<N>(poly: &Poly<N>) -> u64 {
    poly.keys().flat_map(|it| it.iter()).map(|it| u64::from(it.1)).max().unwrap_or(0)
}

/// The monomial that is printed first.
pub(super) fn first_printed<N>(poly: &Poly<N>) -> Option<Monomial> {
    poly.keys().min_by(|a, b| printed_first(a, b)).cloned()
}

/// Products of more factors before those of fewer, then by the age of their factors.
fn printed_first(a: &Monomial, b: &Monomial) -> Ordering {
    let degree = |it: &Monomial| it.iter().map(|it| u64::from(it.1)).sum::<u64>();
    let factors = |it: &Monomial| it.iter().map(|&(term, exponent)| (term, Reverse(exponent))).collect::<Vec<_>>();
    degree(b).cmp(&degree(a)).then_with(|| factors(a).cmp(&factors(b)))
}

/// The negative part of `Σ k·m`, negated, at the left; the positive part at the right; `constant` where it is positive.
pub(super) fn sides<N: Signed + Clone>(poly: Poly<N>, constant: N) -> (Poly<N>, Poly<N>) {
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
