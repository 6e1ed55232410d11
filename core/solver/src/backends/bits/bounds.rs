//! What the conjuncts of a query say of the sizes of its terms.
//!
//! Knows: `effigy_term::range`; which conjuncts say nothing that others do not say. Never: circuits' gates.
//!
//! Why it may narrow a circuit: in an assignment that satisfies all that is asserted, each term has its value, and the
//! value is in its range. By induction over terms: a symbol is asserted to be in its range, not only in the bits that
//! are left to it, since the conjunct that bounds it may say so by way of terms that are narrowed for that reason
//! (`x / x < 16` says that x is not 0). A term that a conjunct bounds is narrowed with the axiom that nothing was
//! lost, and the conjunct is a comparison of just this term. Any other range comes from those of the arguments, which
//! are right by then.

use super::circuits::Word;
use super::gates::{Bit, Gates};
use effigy_term::range::{Range, Ranges};
use effigy_term::truth_table::TruthTables;
use effigy_term::{Term, Terms};

/// Terms looked at for one query: what is beyond is not narrowed.
const MOST_TERMS: usize = 50_000;

/// The bounds of a query, and the conjuncts that are left to be asserted.
pub(super) struct Bounds<'a> {
    pub(super) ranges: Ranges<'a>,
    pub(super) roots: Vec<Term>,
    /// A conjunct contradicts the others.
    pub(super) contradiction: bool,
}

impl<'a> Bounds<'a> {
    /// What `conjuncts` say. Those on one symbol are kept; of the others, those that they do not imply.
    pub(super) fn of(terms: &'a Terms, tables: &'a TruthTables, conjuncts: &[Term]) -> Bounds<'a> {
        let mut ranges = Ranges::with_limit(terms, tables, MOST_TERMS);
        let (mut roots, others): (Vec<Term>, Vec<Term>) =
            conjuncts.iter().partition(|&&it| terms.symbols(it).len() <= 1);
        roots.iter().for_each(|&it| ranges.assume(it));
        let mut kept = Vec::with_capacity(others.len());
        let mut contradiction = false;
        for other in others {
            match ranges.truth(other) {
                Some(true) => {}
                Some(false) => contradiction = true,
                None => kept.push(other),
            }
        }
        kept.iter().for_each(|&it| ranges.assume(it));
        roots.append(&mut kept);
        Bounds { ranges, roots, contradiction }
    }
}

/// The word with what its range says of its bits: constants, and copies of the sign.
pub(super) fn narrowed(word: &[Bit], range: &Range) -> Word {
    let (zeros, ones) = range.known_bits();
    let bit = |(at, &bit): (usize, &Bit)| match () {
        _ if bit.constant().is_some() => bit,
        _ if zeros >> at & 1 == 1 => Bit::FALSE,
        _ if ones >> at & 1 == 1 => Bit::TRUE,
        _ => bit,
    };
    let mut res: Word = word.iter().enumerate().map(bit).collect();
    let needed = signed_bits(range).min(res.len());
    if let Some(&sign) = res[..needed].last() {
        for above in &mut res[needed..] {
            if above.constant().is_none() {
                *above = sign;
            }
        }
    }
    res
}

/// Whether the value of a word is in a range.
pub(super) fn within(gates: &mut Gates, word: &[Bit], range: &Range) -> Bit {
    let constant = |value: i128| -> Word { (0..word.len()).map(|at| Bit::of(value >> at & 1 == 1)).collect() };
    let ((least, most), (lowest, highest)) = (range.unsigned(), range.signed());
    let outside = [
        gates.unsigned_less(word, &constant(least)),
        gates.unsigned_less(&constant(most), word),
        gates.signed_less(word, &constant(lowest)),
        gates.signed_less(&constant(highest), word),
    ];
    !outside.into_iter().fold(Bit::FALSE, |res, it| gates.or(res, it))
}

/// How many bits hold the range in two's complement; at least 1.
fn signed_bits(range: &Range) -> usize {
    let bits = |it: i128| 128 - if it < 0 { !it } else { it }.leading_zeros() as usize + 1;
    let (low, high) = range.signed();
    bits(low).max(bits(high))
}
