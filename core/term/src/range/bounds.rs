//! What is assumed of terms directly: the ranges that comparisons with constants leave to them.
//!
//! Knows: which comparisons bound a term. Never: what that says of other terms (`range`).
//!
//! The bounds of a path are those of its beginning and a few more: cloning them takes constant time.

use super::{KnownBits, MOST_BITS, Range, signed, unsigned};
use crate::node::{Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::truth_table::{TruthTable, TruthTables};
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
fn range_of_table(bits: u32, table: &TruthTable) -> Option<Range> {
    let (count, half) = (1u32 << bits, 1u32 << (bits - 1));
    let all = i128::from(count);
    let low = first_in(table, 0, count)?;
    let high = last_in(table, 0, count)?;
    let negative = |it: u32| i128::from(it) - all;
    let least = first_in(table, half, count).map_or(i128::from(low), negative);
    let greatest = last_in(table, 0, half).map_or_else(|| negative(high), i128::from);
    let unsigned = (i128::from(low), i128::from(high));
    Some(Range { bits, unsigned, signed: (least, greatest), known: KnownBits::default() })
}

/// The words of a table with only the bits from `from` to below `to`, and where each begins.
fn words(table: &TruthTable, from: u32, to: u32) -> impl DoubleEndedIterator<Item = (u32, u64)> {
    let below = |it: u32, start: u32| match it.saturating_sub(start) {
        count @ 0..64 => (1u64 << count) - 1,
        _ => u64::MAX,
    };
    let starts = [0u32, 64, 128, 192].into_iter().zip(*table);
    starts.map(move |(start, word)| (start, word & below(to, start) & !below(from, start)))
}

fn first_in(table: &TruthTable, from: u32, to: u32) -> Option<u32> {
    words(table, from, to).find(|it| it.1 != 0).map(|(start, word)| start + word.trailing_zeros())
}

fn last_in(table: &TruthTable, from: u32, to: u32) -> Option<u32> {
    words(table, from, to).rfind(|it| it.1 != 0).map(|(start, word)| start + 63 - word.leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets of values with gaps at either side of every border of words and of signs, against each value tried.
    #[test]
    fn the_range_of_a_table_is_that_of_its_values() {
        for bits in 1..=8u32 {
            let count = 1u32 << bits;
            for step in 0..count.min(40) {
                for seed in 0..40u32 {
                    let in_it = |it: u32| (it.wrapping_mul(2 * seed + 1) ^ seed).is_multiple_of(step + 1) && it >= step;
                    let mut table = [0; 4];
                    let values: Vec<i128> = (0..count).filter(|it| in_it(*it)).map(i128::from).collect();
                    values.iter().for_each(|it| table[*it as usize / 64] |= 1u64 << (it % 64));
                    let signed = |it: &i128| if *it < i128::from(count / 2) { *it } else { it - i128::from(count) };
                    let read = values.iter().map(signed);
                    let expected = values
                        .first()
                        .zip(values.last())
                        .map(|(low, high)| ((*low, *high), (read.clone().min().unwrap_or(0), read.max().unwrap_or(0))));
                    let found = range_of_table(bits, &table).map(|it| (it.unsigned, it.signed));
                    assert_eq!(found, expected, "{bits} bits, {values:?}");
                }
            }
        }
    }
}
