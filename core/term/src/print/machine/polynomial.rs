//! Polynomials over the integers that bitvectors stand for.
//!
//! Knows: sums and products of few factors. Never: terms beyond their handles, paths, texts.

use crate::node::Term;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// Polynomials with more monomials are not followed.
const MOST_MONOMIALS: usize = 12;

/// Monomials with more factors are not followed.
const MOST_FACTORS: usize = 3;

/// A bitvector as an integer: with or without sign.
pub(super) type Atom = (Term, bool);

/// A sum of products of integers, without its constant.
pub(super) type Monomials = BTreeMap<Vec<Atom>, BigInt>;

/// A polynomial over integers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Polynomial {
    pub(super) monomials: Monomials,
    pub(super) constant: BigInt,
}

impl Polynomial {
    pub(super) fn constant(value: BigInt) -> Polynomial {
        Polynomial { constant: value, ..Polynomial::default() }
    }

    pub(super) fn atom(term: Term, signed: bool) -> Polynomial {
        Polynomial { monomials: Monomials::from([(vec![(term, signed)], BigInt::one())]), ..Polynomial::default() }
    }

    pub(super) fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut res = self.clone();
        res.constant += &other.constant;
        for (monomial, factor) in &other.monomials {
            *res.monomials.entry(monomial.clone()).or_default() += factor;
        }
        res.monomials.retain(|_, factor| !factor.is_zero());
        (res.monomials.len() <= MOST_MONOMIALS).then_some(res)
    }

    pub(super) fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut res = Polynomial::default();
        for (a, x) in self.parts() {
            for (b, y) in other.parts() {
                let mut monomial = [a, b].concat();
                monomial.sort_unstable();
                if monomial.len() > MOST_FACTORS {
                    return None;
                }
                match monomial.is_empty() {
                    true => res.constant += x * y,
                    false => *res.monomials.entry(monomial).or_default() += x * y,
                }
            }
        }
        res.monomials.retain(|_, factor| !factor.is_zero());
        (res.monomials.len() <= MOST_MONOMIALS).then_some(res)
    }

    pub(super) fn scaled(&self, by: &BigInt) -> Polynomial {
        if by.is_zero() {
            return Polynomial::default();
        }
        let monomials = self.monomials.iter().map(|(monomial, factor)| (monomial.clone(), factor * by));
        Polynomial { monomials: monomials.collect(), constant: &self.constant * by }
    }

    pub(super) fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus(&other.negated())
    }

    pub(super) fn negated(&self) -> Polynomial {
        self.scaled(&-BigInt::one())
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = (&[Atom], &BigInt)> {
        let monomials = self.monomials.iter().map(|(monomial, factor)| (&monomial[..], factor));
        monomials.chain([(&[][..], &self.constant)])
    }
}
