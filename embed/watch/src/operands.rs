//! Operands of a comparison as conditions of terms.
//!
//! Knows: how a number and a text are recognised. Never: who calls.

use effigy_relations::text::{self, LONGEST, WIDTH};
use effigy_session::observed_comparisons::{ValueSplit, is_watching};
use effigy_session::{Pin, Session, Term, Terms, Value, Width};
use effigy_term::BvValue;
use std::cell::Cell;

thread_local! {
    /// A comparison is being looked at: what is compared meanwhile is ours.
    static BUSY: Cell<bool> = const { Cell::new(false) };
    static LAST: Cell<Last> = const { Cell::new(Last::Nothing) };
}

/// What was heard last. Lengths are small numbers, as many others are: one is a text's only where it was just read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    /// A function was entered: the comparison of two texts begins with their lengths.
    Entered,
    /// The length of a `Vec<u8>` was read, which the standard library compares with the largest that there is.
    Length(u64),
}

const LARGEST: u64 = isize::MAX as u64;

fn seen(look: impl FnOnce(&Terms, &[Pin]) -> Vec<ValueSplit>) {
    if is_watching() && !BUSY.replace(true) {
        Session::compared(look);
        BUSY.set(false);
    }
}

/// A function of the program begins.
pub fn entered() {
    LAST.set(Last::Entered);
}

/// Compares two numbers of this many bits, the first of which may be a constant.
pub fn number(a: u64, b: u64, bits: u32, constant: bool) {
    let last = LAST.replace(match (a, b) {
        (LARGEST, it) if bits == 64 => Last::Length(it),
        _ => Last::Nothing,
    });
    // A length may be compared more than once after it was read.
    if let Last::Length(read) = last
        && (read == a || read == b)
        && a != LARGEST
    {
        LAST.set(last);
    }
    seen(|terms, pins| {
        let mut res = Vec::new();
        let first = pins.iter().find(|it| !constant && is_number(it, a, bits));
        let second = pins.iter().find(|it| is_number(it, b, bits));
        let with_constants = |pin: &Pin, other: u64| {
            let term = pin.term;
            constants(terms, other, bits).map(move |it| three_ways(terms, &[term], term, it)).collect::<Vec<_>>()
        };
        match (first, second) {
            (Some(one), Some(two)) if one.term != two.term => {
                res.push(three_ways(terms, &[one.term, two.term], one.term, two.term));
                // What has a value that others may have is perhaps not what is compared.
                if !one.rare {
                    res.extend(with_constants(two, a));
                }
                if !two.rare {
                    res.extend(with_constants(one, b));
                }
            }
            (Some(one), _) => res.extend(with_constants(one, b)),
            (None, Some(two)) => res.extend(with_constants(two, a)),
            (None, None) => {}
        }
        for (mine, other) in [(a, b), (b, a)] {
            let reads = match last {
                Last::Entered => true,
                Last::Length(read) => read == mine,
                Last::Nothing => false,
            };
            if reads && bits == 64 && other <= LONGEST as u64 + 1 {
                res.extend(lengths(terms, pins, mine, other));
            }
        }
        res
    });
}

/// A number is compared with several.
pub fn switch(value: u64, bits: u32, cases: &[u64]) {
    LAST.set(Last::Nothing);
    seen(|terms, pins| {
        let one = |pin: &Pin| {
            let mut conds: Vec<Term> = Vec::new();
            for case in cases {
                let case = terms.bv(BvValue::from_i64(Width::W64, signed(*case, bits)));
                conds.push(terms.eq(pin.term, case));
            }
            conds.push(terms.not(terms.or_all(conds.iter().copied())));
            ValueSplit { compared: vec![pin.term], conds }
        };
        pins.iter().filter(|it| is_number(it, value, bits)).map(one).collect()
    });
}

/// So many bytes are compared, of which either may be the beginning of a text.
pub fn bytes(a: &[u8], b: &[u8]) {
    if a.is_empty() || a.len() > LONGEST || a.len() != b.len() {
        return;
    }
    seen(|terms, pins| {
        let begins = |with: &[u8]| pins.iter().find(|it| text_of(it).is_some_and(|it| it.starts_with(with)));
        let start = |pin: &Pin| {
            let width = WIDTH.bits();
            terms.bv_extract(width - 1, width - 8 * a.len() as u32, pin.term)
        };
        let constant = |of: &[u8]| {
            let value = of.iter().fold(0u128, |value, it| value << 8 | u128::from(*it));
            let width = Width::new(8 * of.len() as u32);
            width.map(|width| terms.bv(BvValue::from_u128(width, value)))
        };
        let split = |compared: Vec<Term>, mine: Term, other: Term| {
            let (less, same) = (terms.bv_ult(mine, other), terms.eq(mine, other));
            ValueSplit { compared, conds: vec![less, same, terms.bv_ult(other, mine)] }
        };
        let with = |pin: &Pin, rest: &[u8]| Some(split(vec![pin.term], start(pin), constant(rest)?));
        match (begins(a), begins(b)) {
            (Some(one), Some(two)) if one.term != two.term => {
                let both = split(vec![one.term, two.term], start(one), start(two));
                let one_alone = if two.rare { None } else { with(one, b) };
                let two_alone = if one.rare { None } else { with(two, a) };
                [Some(both), one_alone, two_alone].into_iter().flatten().collect()
            }
            (Some(one), _) => with(one, b).into_iter().collect(),
            (None, Some(two)) => with(two, a).into_iter().collect(),
            (None, None) => Vec::new(),
        }
    });
}

/// A constant of this many bits as a signed number, and as an unsigned one.
fn constants(terms: &Terms, value: u64, bits: u32) -> impl Iterator<Item = Term> {
    let of = |it: i64| terms.bv(BvValue::from_i64(Width::W64, it));
    let (as_signed, as_unsigned) = (signed(value, bits), value as i64);
    std::iter::once(of(as_signed)).chain((as_unsigned != as_signed).then(|| of(as_unsigned)))
}

fn three_ways(terms: &Terms, compared: &[Term], a: Term, b: Term) -> ValueSplit {
    let conds = vec![terms.bv_slt(a, b), terms.eq(a, b), terms.bv_slt(b, a)];
    ValueSplit { compared: compared.to_vec(), conds }
}

/// The lowest bits as a signed number.
fn signed(value: u64, bits: u32) -> i64 {
    let unused = 64 - bits.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

/// Whether a watched number of this many bits has this value.
fn is_number(pin: &Pin, value: u64, bits: u32) -> bool {
    let Value::BitVec(it) = &pin.value else { return false };
    if it.width() != Width::W64 {
        return false;
    }
    let Some(it) = it.to_i64() else { return false };
    it == signed(value, bits) || (it >= 0 && it as u64 == value)
}

/// The text of a watched string; `None` for other values.
fn text_of(pin: &Pin) -> Option<Vec<u8>> {
    match &pin.value {
        Value::BitVec(it) if it.width() == WIDTH => text::decode(&pin.value).map(String::into_bytes),
        _ => None,
    }
}

/// A length that was read is compared: that of each text of which it is.
fn lengths(terms: &Terms, pins: &[Pin], mine: u64, other: u64) -> Vec<ValueSplit> {
    let of = |length: u64| {
        pins.iter().filter(move |it| text_of(it).is_some_and(|it| it.len() as u64 == length)).map(|it| it.term)
    };
    let constant = terms.bv_u64(Width::W8, other);
    let mut res = Vec::new();
    for term in of(mine) {
        let length = text::length(terms, term);
        let compare =
            |other: Term| vec![terms.bv_ult(length, other), terms.eq(length, other), terms.bv_ult(other, length)];
        res.push(ValueSplit { compared: vec![term], conds: compare(constant) });
        res.extend(
            of(other)
                .filter(|it| *it != term)
                .map(|it| ValueSplit { compared: vec![term, it], conds: compare(text::length(terms, it)) }),
        );
    }
    res
}
