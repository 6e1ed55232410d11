//! What is assumed of terms directly: the ranges that comparisons with constants leave to them.
//!
//! Knows: which comparisons bound a term. Never: what that says of other terms (`range`).
//!
//! The bounds of a path are those of its beginning and a few more: cloning them takes constant time.

use super::{KnownBits, MOST_BITS, Range, signed, unsigned};
use crate::node::{Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::truth_table::TruthTables;
use rpds::RedBlackTreeMap;

/// Ranges of terms, which were assumed. Clones share what they have in common.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bounds {
    of: RedBlackTreeMap<Term, Range>,
}

impl Bounds {
    /// What was assumed of this term itself.
    pub fn get(&self, term: Term) -> Option<&Range> {
        self.of.get(&term)
    }

    /// Assumes what these say as well.
    pub fn meet(&mut self, other: &Bounds) {
        if self.of.is_empty() {
            self.of = other.of.clone();
            return;
        }
        other.of.iter().for_each(|(&term, &range)| self.bound(term, range));
    }

    /// Assumes a term of sort Bool: comparisons with constants and conditions on one small symbol are understood, others
    /// are ignored.
    pub fn assume(&mut self, terms: &Terms, tables: &TruthTables, cond: Term) {
        if let Some(table) = tables.table(terms, cond) {
            let symbol = terms.of_symbol(terms.symbols(cond)[0]);
            if let Some(range) = bits(terms, symbol).and_then(|it| range_of_table(it, &table)) {
                self.bound(symbol, range);
            }
            return;
        }
        match *terms.node(cond) {
            Node::Not(inner) => self.assume_comparison(terms, inner, false),
            _ => self.assume_comparison(terms, cond, true),
        }
    }

    fn assume_comparison(&mut self, terms: &Terms, cond: Term, holds: bool) {
        let constant = |it: Term| terms.as_bv(it).filter(|it| it.width().bits() <= MOST_BITS);
        match *terms.node(cond) {
            Node::Ult(a, b) => {
                if let Some(limit) = constant(b).map(unsigned) {
                    let Some(bits) = bits(terms, a) else { return };
                    let top = (1i128 << bits) - 1;
                    let (low, high) = if holds { (0, limit - 1) } else { (limit, top) };
                    self.bound_if(low <= high, a, Range::of_unsigned(bits, low, high));
                } else if let Some(limit) = constant(a).map(unsigned) {
                    let Some(bits) = bits(terms, b) else { return };
                    let top = (1i128 << bits) - 1;
                    let (low, high) = if holds { (limit + 1, top) } else { (0, limit) };
                    self.bound_if(low <= high, b, Range::of_unsigned(bits, low, high));
                }
            }
            Node::Slt(a, b) => {
                if let Some(limit) = constant(b).map(signed) {
                    let Some(bits) = bits(terms, a) else { return };
                    let (bottom, top) = Range::full(bits).signed;
                    let (low, high) = if holds { (bottom, limit - 1) } else { (limit, top) };
                    self.bound_if(low <= high, a, Range::of_signed(bits, low, high));
                } else if let Some(limit) = constant(a).map(signed) {
                    let Some(bits) = bits(terms, b) else { return };
                    let (bottom, top) = Range::full(bits).signed;
                    let (low, high) = if holds { (limit + 1, top) } else { (bottom, limit) };
                    self.bound_if(low <= high, b, Range::of_signed(bits, low, high));
                }
            }
            Node::Eq(a, b) if holds => {
                let (term, value) = match (constant(a), constant(b)) {
                    (None, Some(value)) => (a, value),
                    (Some(value), None) => (b, value),
                    _ => return,
                };
                let value = unsigned(value);
                let Some(bits) = bits(terms, term) else { return };
                self.bound(term, Range::of_unsigned(bits, value, value));
            }
            _ => {}
        }
    }

    fn bound_if(&mut self, possible: bool, term: Term, range: Range) {
        if possible {
            self.bound(term, range);
        }
    }

    fn bound(&mut self, term: Term, range: Range) {
        let range = self.of.get(&term).map_or(range, |it| it.meet(range));
        if self.of.get(&term) != Some(&range) {
            self.of.insert_mut(term, range);
        }
    }
}

fn bits(terms: &Terms, term: Term) -> Option<u32> {
    match terms.sort(term) {
        Sort::BitVec(width) if width.bits() <= MOST_BITS => Some(width.bits()),
        _ => None,
    }
}

/// The range of the values in a truth table; `None` where there is none.
fn range_of_table(bits: u32, table: &[u64; 4]) -> Option<Range> {
    let holds = |it: i128| table[it as usize / 64] >> (it % 64) & 1 == 1;
    let (unsigned, signed) = (Range::full(bits).unsigned, Range::full(bits).signed);
    let low = (unsigned.0..=unsigned.1).find(|it| holds(*it))?;
    let high = (unsigned.0..=unsigned.1).rev().find(|it| holds(*it))?;
    let at = |it: &i128| holds(it.rem_euclid(1i128 << bits));
    let least = (signed.0..=signed.1).find(at)?;
    let greatest = (signed.0..=signed.1).rev().find(at)?;
    Some(Range { bits, unsigned: (low, high), signed: (least, greatest), known: KnownBits::default() })
}
