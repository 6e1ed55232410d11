//! Bounds of the integers that a program computes, under the condition of its path.
//!
//! Knows: sums and products of machine integers as polynomials over mathematical ones, and what comparisons say of
//! them: that `x + y` stays below 2^31 is a conjunct of φ where the program checked it. Never: texts, a solver.

use super::polynomial::{Atom, Polynomial};
use super::types::power;
use crate::node::{BvOp, BvSum, Node, Term};
use crate::plain::flatten;
use crate::range::{Bounds, Ranges};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::truth_table::TruthTables;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;

/// Of longer path conditions only the newest conjuncts are read: the bounds are wider then, and still right.
/// Chosen without measuring.
const MOST_CONJUNCTS: usize = 256;

/// Sums with more summands are not split into parts that have limits of their own. Chosen without measuring.
const MOST_SUMMANDS: usize = 4;

/// Deeper terms are integers of their own.
const MOST_DEPTH: u32 = 24;

/// The least and the greatest value, where there is one.
type Limits = (Option<BigInt>, Option<BigInt>);

/// What limits are known by: the monomials of a polynomial in their order, each with its factor.
type Key = Vec<(Vec<Atom>, BigInt)>;

/// What a path condition says of the integers that its program computes.
#[derive(Clone, Debug, Default)]
pub struct PathBounds {
    bounds: Bounds,
    /// Limits of polynomials whose first factor is positive.
    limits: BTreeMap<Key, Limits>,
    /// No operation overflows, whatever is known.
    exact: bool,
}

impl PathBounds {
    /// The bounds under all of these conditions.
    pub fn of(terms: &Terms, conjuncts: &[Term]) -> PathBounds {
        let newest = &conjuncts[conjuncts.len().saturating_sub(MOST_CONJUNCTS)..];
        let mut res = PathBounds::default();
        let tables = TruthTables::new();
        let mut parts = Vec::with_capacity(newest.len());
        newest.iter().for_each(|&it| flatten(terms, it, &mut parts));
        parts.iter().for_each(|&it| res.bounds.assume(terms, &tables, it));
        // What is known of one side of `i < n` bounds the other, whichever was assumed first.
        for _ in 0..2 {
            newest.iter().for_each(|&it| res.assume(terms, it));
        }
        res
    }

    /// Assumes one more condition.
    pub fn assume(&mut self, terms: &Terms, cond: Term) {
        let tables = TruthTables::new();
        let mut parts = Vec::new();
        flatten(terms, cond, &mut parts);
        for cond in parts {
            self.bounds.assume(terms, &tables, cond);
            let limits = Integers::new(terms, &tables, self).limits_of(cond);
            limits.into_iter().for_each(|(polynomial, limits)| self.limit(&polynomial, limits));
        }
    }

    /// Bounds by which no operation overflows: what is printed under them shows where others matter.
    pub fn exact() -> PathBounds {
        PathBounds { exact: true, ..PathBounds::default() }
    }

    fn limit(&mut self, polynomial: &Polynomial, (low, high): Limits) {
        let Some((key, turned)) = key(polynomial) else { return };
        let [low, high] = [low, high].map(|it| it.map(|it| it - &polynomial.constant));
        let (low, high) = if turned { (high.map(|it| -it), low.map(|it| -it)) } else { (low, high) };
        let known = self.limits.entry(key).or_default();
        known.0 = known.0.take().into_iter().chain(low).max();
        known.1 = known.1.take().into_iter().chain(high).min();
    }

    fn limits(&self, polynomial: &Polynomial) -> Limits {
        let Some((key, turned)) = key(polynomial) else { return Limits::default() };
        let Some((low, high)) = self.limits.get(&key).cloned() else { return Limits::default() };
        let (low, high) = if turned { (high.map(|it| -it), low.map(|it| -it)) } else { (low, high) };
        (low.map(|it| it + &polynomial.constant), high.map(|it| it + &polynomial.constant))
    }
}

/// A polynomial without its constant, with a positive first factor, and whether its sign was turned for that.
fn key(polynomial: &Polynomial) -> Option<(Key, bool)> {
    let turned = polynomial.monomials.values().next()?.is_negative();
    let factor = |it: &BigInt| if turned { -it } else { it.clone() };
    Some((polynomial.monomials.iter().map(|(monomial, it)| (monomial.clone(), factor(it))).collect(), turned))
}

/// Bitvectors as integers, under the bounds of a path.
pub(super) struct Integers<'a> {
    terms: &'a Terms,
    ranges: Ranges<'a>,
    path: &'a PathBounds,
}

impl<'a> Integers<'a> {
    pub(super) fn new(terms: &'a Terms, tables: &'a TruthTables, path: &'a PathBounds) -> Integers<'a> {
        Integers { terms, ranges: Ranges::under(terms, tables, path.bounds.clone()), path }
    }

    /// Whether nothing overflows on the path, whatever is known.
    pub(super) fn is_exact(&self) -> bool {
        self.path.exact
    }

    /// Whether a polynomial is known to lie between two numbers on the path.
    pub(super) fn is_between(&mut self, polynomial: &Polynomial, low: &BigInt, high: &BigInt) -> bool {
        if self.path.exact {
            return true;
        }
        let (least, most) = self.range(polynomial);
        *low <= least && most <= *high
    }

    /// The integer that a bitvector stands for, with this sign.
    pub(super) fn number(&mut self, term: Term, signed: bool) -> Polynomial {
        self.number_at(term, signed, 0)
    }

    fn number_at(&mut self, term: Term, signed: bool, depth: u32) -> Polynomial {
        let (terms, width) = (self.terms, self.terms.width(term).bits());
        let found = match *terms.node(term) {
            _ if depth > MOST_DEPTH => None,
            Node::BitVec(ref value) => {
                let value = if signed { value.to_bigint_signed() } else { value.to_biguint().into() };
                return Polynomial::constant(value);
            }
            Node::ZeroExtend(_, a) => return self.number_at(a, false, depth + 1),
            Node::SignExtend(_, a) if signed => return self.number_at(a, true, depth + 1),
            Node::SignExtend(_, a) if self.is_natural(a) => return self.number_at(a, true, depth + 1),
            Node::BvSum(ref sum) => self.sum(sum, width, signed, depth + 1),
            Node::Bv(BvOp::Mul, a, b) => {
                let (a, b) = (self.number_at(a, signed, depth + 1), self.number_at(b, signed, depth + 1));
                a.times(&b).filter(|it| self.fits(it, width, signed))
            }
            _ => None,
        };
        // A number that is not negative is the same with sign and without.
        found.unwrap_or_else(|| Polynomial::atom(term, signed || self.is_natural(term)))
    }

    fn sum(&mut self, sum: &BvSum, width: u32, signed: bool, depth: u32) -> Option<Polynomial> {
        let all = power(width);
        let natural = |it: BigInt| if it.is_negative() { it + &all } else { it };
        // `x + 200` of eight bits is kept as `x − 56`.
        let readings: &[(bool, bool)] =
            if signed { &[(false, false)] } else { &[(false, false), (false, true), (true, true)] };
        for &(natural_factors, natural_constant) in readings {
            let constant = sum.constant.to_bigint_signed();
            let constant = if natural_constant { natural(constant) } else { constant };
            let mut res = Some(Polynomial::constant(constant));
            for (factor, summand) in &sum.summands {
                let factor = factor.to_bigint_signed();
                let factor = if natural_factors { natural(factor) } else { factor };
                let summand = self.number_at(*summand, signed, depth).scaled(&factor);
                res = res.and_then(|it| it.plus(&summand));
            }
            if let Some(res) = res.filter(|it| self.fits(it, width, signed)) {
                return Some(res);
            }
        }
        None
    }

    fn fits(&mut self, polynomial: &Polynomial, width: u32, signed: bool) -> bool {
        let (low, high) = limits_of_width(width, signed);
        let (least, most) = self.range(polynomial);
        low <= least && most <= high
    }

    /// Whether the sign of a bitvector is not set on the path.
    fn is_natural(&mut self, term: Term) -> bool {
        self.ranges.range(term).is_some_and(|it| it.signed().0 >= 0)
    }

    fn atom_range(&mut self, (term, signed): Atom) -> (BigInt, BigInt) {
        let (low, high) = match self.ranges.range(term) {
            Some(it) if signed => (it.signed().0.into(), it.signed().1.into()),
            Some(it) => (it.unsigned().0.into(), it.unsigned().1.into()),
            None => limits_of_width(self.terms.width(term).bits(), signed),
        };
        within((low, high), self.path.limits(&Polynomial::atom(term, signed)))
    }

    fn range(&mut self, polynomial: &Polynomial) -> (BigInt, BigInt) {
        let (mut low, mut high) = (polynomial.constant.clone(), polynomial.constant.clone());
        for (monomial, factor) in &polynomial.monomials {
            let (mut least, mut most) = (factor.clone(), factor.clone());
            for &atom in monomial {
                let (from, to) = self.atom_range(atom);
                let ends = [&least * &from, &least * &to, &most * &from, &most * &to];
                least = ends.iter().min().cloned().unwrap_or_default();
                most = ends.iter().max().cloned().unwrap_or_default();
            }
            low += least;
            high += most;
        }
        let mut res = within((low, high), self.path.limits(polynomial));
        if (3..=MOST_SUMMANDS).contains(&polynomial.monomials.len()) {
            for part in self.known_parts(polynomial) {
                let Some(rest) = polynomial.minus(&part) else { continue };
                let (part, rest) = (self.range(&part), self.range(&rest));
                res = within(res, (Some(part.0 + rest.0), Some(part.1 + rest.1)));
            }
        }
        res
    }

    /// Parts of a sum that have limits of their own, without constants: `β − α + γ` lies between the limits of `β − α`
    /// and those of γ, added.
    fn known_parts(&self, polynomial: &Polynomial) -> Vec<Polynomial> {
        let mut res = Vec::new();
        for (monomial, factor) in &polynomial.monomials {
            let first = vec![(monomial.clone(), BigInt::zero())];
            let keys = self.path.limits.range(first..).map(|it| it.0).take_while(|it| it[0].0 == *monomial);
            for key in keys.filter(|it| (2..polynomial.monomials.len()).contains(&it.len())) {
                let by = factor / &key[0].1;
                let part = Polynomial { monomials: key.iter().cloned().collect(), ..Polynomial::default() }.scaled(&by);
                let is_part = part.monomials.iter().all(|(it, factor)| polynomial.monomials.get(it) == Some(factor));
                if is_part && !by.is_zero() {
                    res.push(part);
                }
            }
        }
        res
    }

    /// What a condition says of polynomials.
    fn limits_of(&mut self, cond: Term) -> Vec<(Polynomial, Limits)> {
        let terms = self.terms;
        let (atom, holds) = match *terms.node(cond) {
            Node::Not(inner) => (inner, false),
            _ => (cond, true),
        };
        let mut res = Vec::new();
        match *terms.node(atom) {
            Node::Ult(a, b) | Node::Slt(a, b) => {
                let signed = matches!(terms.node(atom), Node::Slt(..));
                let (x, y) = (self.number(a, signed), self.number(b, signed));
                match holds {
                    true => self.at_most(&x, &y, -1, &mut res),
                    false => self.at_most(&y, &x, 0, &mut res),
                }
                // ¬(a + b < b) without sign: the sum does not overflow.
                if !holds && !signed && is_summand(terms, a, b) {
                    let rest = self.number(terms.bv_sub(a, b), false);
                    let most = power(terms.width(a).bits()) - 1;
                    res.extend(rest.plus(&y).map(|it| (it, (Some(BigInt::zero()), Some(most)))));
                }
            }
            Node::Eq(a, b) if holds && matches!(terms.sort(a), Sort::BitVec(_)) => {
                for signed in [false, true] {
                    let (x, y) = (self.number(a, signed), self.number(b, signed));
                    self.at_most(&x, &y, 0, &mut res);
                    self.at_most(&y, &x, 0, &mut res);
                }
            }
            _ => {}
        }
        res
    }

    /// `x ≤ y + by`, with what it says of each side alone.
    fn at_most(&mut self, x: &Polynomial, y: &Polynomial, by: i32, res: &mut Vec<(Polynomial, Limits)>) {
        res.extend(x.minus(y).map(|it| (it, (None, Some(BigInt::from(by))))));
        let (most, least) = (self.range(y).1 + by, self.range(x).0 - by);
        res.push((x.clone(), (None, Some(most))));
        res.push((y.clone(), (Some(least), None)));
    }
}

/// Whether `b` is added in the sum `a` once.
fn is_summand(terms: &Terms, a: Term, b: Term) -> bool {
    match terms.node(a) {
        Node::BvSum(sum) => sum.summands.iter().any(|(factor, it)| *it == b && factor.is_one()),
        _ => false,
    }
}

/// The least and the greatest integer of so many bits.
fn limits_of_width(width: u32, signed: bool) -> (BigInt, BigInt) {
    match signed {
        true => (-power(width - 1), power(width - 1) - 1),
        false => (BigInt::zero(), power(width) - 1),
    }
}

/// The values of a range that the limits leave; the range where they contradict it.
fn within((low, high): (BigInt, BigInt), limits: Limits) -> (BigInt, BigInt) {
    let least = limits.0.map_or_else(|| low.clone(), |it| it.max(low.clone()));
    let most = limits.1.map_or_else(|| high.clone(), |it| it.min(high.clone()));
    if least <= most { (least, most) } else { (low, high) }
}
