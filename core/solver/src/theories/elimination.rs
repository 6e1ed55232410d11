//! Contradictions between linear inequalities over fractions.
//!
//! Knows: sums of fractions, elimination of one unknown after the other; of whole numbers only that `a < b` is
//! `a + 1 <= b`. Never: classes of terms.
//! Source: Fourier 1826, Motzkin 1936. A product that is not linear is an unknown: that says less, and is sound.

use effigy_term::node::Monomial;
use effigy_term::{Node, Sort, Term, Terms};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;

/// More inequalities are not looked at.
const MOST_ROWS: usize = 200;

/// `0 <= Σ k·x + constant`, or `0 <`.
#[derive(Clone, Debug, Default)]
struct Row {
    parts: BTreeMap<Monomial, BigRational>,
    constant: BigRational,
    strict: bool,
}

impl Row {
    /// Adds `factor` times a number.
    fn add(&mut self, terms: &Terms, factor: &BigRational, number: Term) {
        match terms.node(number) {
            Node::Real(value) => self.constant += factor * &**value,
            Node::Int(value) => self.constant += factor * BigRational::from(value.clone()),
            Node::IntPoly(poly) => {
                self.constant += factor * BigRational::from(poly.constant.clone());
                poly.monomials
                    .iter()
                    .for_each(|(k, it)| self.add_part(it.clone(), factor * BigRational::from(k.clone())));
            }
            Node::RealPoly(poly) => {
                self.constant += factor * &poly.constant;
                poly.monomials.iter().for_each(|(k, it)| self.add_part(whole(terms, it), factor * k));
            }
            _ => self.add_part(whole(terms, &[(number, 1)]), factor.clone()),
        }
    }

    fn add_part(&mut self, part: Monomial, factor: BigRational) {
        let entry = self.parts.entry(part).or_default();
        *entry += factor;
    }

    /// `x·self + y·other`, where x and y are positive.
    fn plus(&self, x: &BigRational, other: &Row, y: &BigRational) -> Row {
        let mut res = Row { strict: self.strict || other.strict, ..Row::default() };
        for (row, factor) in [(self, x), (other, y)] {
            res.constant += &row.constant * factor;
            row.parts.iter().for_each(|(part, k)| res.add_part(part.clone(), k * factor));
        }
        res.parts.retain(|_, k| !k.is_zero());
        res
    }

    fn is_contradiction(&self) -> bool {
        self.parts.is_empty() && (self.constant.is_negative() || (self.strict && self.constant.is_zero()))
    }
}

/// A product, an integer in it being the same unknown as a real.
fn whole(terms: &Terms, monomial: &[(Term, u32)]) -> Monomial {
    let mut res: Vec<(Term, u32)> = Vec::new();
    for &(it, exponent) in monomial {
        match *terms.node(it) {
            Node::IntToReal(inner) => res.push((inner, exponent)),
            _ => res.push((it, exponent)),
        }
    }
    res.sort_unstable();
    res.into()
}

/// Whether some of the facts, those that compare numbers, cannot hold together. False means nothing.
pub(crate) fn contradict(terms: &Terms, facts: &[Term]) -> bool {
    let mut rows: Vec<Row> = facts.iter().flat_map(|&it| rows(terms, it)).collect();
    loop {
        if rows.iter().any(Row::is_contradiction) {
            return true;
        }
        let Some(unknown) = cheapest(&rows) else { return false };
        let mut rest = Vec::new();
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for row in rows {
            match row.parts.get(&unknown).map(|k| k.is_positive()) {
                None => rest.push(row),
                Some(true) => lower.push(row),
                Some(false) => upper.push(row),
            }
        }
        if rest.len() + lower.len() * upper.len() > MOST_ROWS {
            return false;
        }
        for above in &lower {
            for below in &upper {
                let (x, y) = (below.parts[&unknown].abs(), above.parts[&unknown].abs());
                rest.push(above.plus(&x, below, &y));
            }
        }
        rows = rest;
    }
}

/// The unknown whose elimination makes the fewest inequalities.
fn cheapest(rows: &[Row]) -> Option<Monomial> {
    let mut counts: BTreeMap<&Monomial, (usize, usize)> = BTreeMap::new();
    for (part, k) in rows.iter().flat_map(|it| &it.parts) {
        let count = counts.entry(part).or_default();
        if k.is_positive() {
            count.0 += 1;
        } else {
            count.1 += 1;
        }
    }
    counts.into_iter().min_by_key(|(_, (above, below))| above * below).map(|(part, _)| part.clone())
}

/// A fact as inequalities; a disequality says nothing here.
fn rows(terms: &Terms, fact: Term) -> Vec<Row> {
    let (atom, truth) = match *terms.node(fact) {
        Node::Not(inner) => (inner, false),
        _ => (fact, true),
    };
    let row = |less: Term, more: Term, strict: bool| {
        let one = BigRational::from(BigInt::from(1));
        let mut res = Row { strict, ..Row::default() };
        res.add(terms, &one, more);
        res.add(terms, &-one, less);
        res.parts.retain(|_, k| !k.is_zero());
        res
    };
    match (terms.node(atom), truth) {
        (&Node::IntLe(a, b), true) => vec![row(a, b, false)],
        (&Node::IntLe(a, b), false) => vec![row(terms.int_add(b, terms.int(1)), a, false)],
        (&Node::RealLe(a, b), true) => vec![row(a, b, false)],
        (&Node::RealLe(a, b), false) => vec![row(b, a, true)],
        (&Node::Eq(a, b), true) if matches!(terms.sort(a), Sort::Int | Sort::Real) => {
            vec![row(a, b, false), row(b, a, false)]
        }
        _ => Vec::new(),
    }
}
