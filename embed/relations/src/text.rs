//! Texts: some of a few, or up to 16 bytes that are not known.
//!
//! Knows: texts as bits of which the first byte is the highest, so that the order of numbers is the order of texts
//! (SQLite's BINARY collation); patterns of LIKE. Never: where a text is from.
//!
//! A text that is not known is of printable ASCII and no longer than [`LONGEST`] bytes; a constant that is longer is
//! equal to none of them.

use effigy_term::{BvValue, Sort, Term, Terms, Value, Width};
use std::rc::Rc;

/// The longest text that is not known, in bytes.
pub const LONGEST: usize = 16;

/// The sort of a text that is not known.
pub const WIDTH: Width = Width::of(8 * LONGEST as u32);

/// A text that may depend on symbols.
#[derive(Clone, PartialEq, Debug)]
pub enum Text {
    /// One of these: of the conditions exactly one holds, wherever the text matters.
    OneOf(Rc<[(Term, Rc<str>)]>),
    /// These bytes, filled up with zeros.
    Bits(Term),
}

/// A constant with the character zero has no place in the order of texts that are filled up with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HasZero;

impl Text {
    /// The text that is `text` on every path.
    pub fn certain(terms: &Terms, text: &str) -> Text {
        Text::OneOf(Rc::from([(terms.bool(true), Rc::from(text))]))
    }

    /// The text, if it is certain.
    pub fn certainly(&self, terms: &Terms) -> Option<Rc<str>> {
        match self {
            Text::OneOf(of) => of.iter().find(|it| terms.as_bool(it.0) == Some(true)).map(|it| Rc::clone(&it.1)),
            Text::Bits(bits) => decode(&Value::BitVec(terms.as_bv(*bits)?.clone())).map(Rc::from),
        }
    }

    /// The same as bits; `None` where a text is too long for them, or is none that is written with them.
    pub fn bits(&self, terms: &Terms) -> Option<Term> {
        match self {
            Text::Bits(bits) => Some(*bits),
            Text::OneOf(of) => {
                let mut res = terms.bv(BvValue::zero(WIDTH));
                for (cond, text) in of.iter().rev() {
                    res = terms.ite(*cond, encode(terms, text)?, res);
                }
                Some(res)
            }
        }
    }

    /// When both are the same.
    pub fn equal(&self, other: &Text, terms: &Terms) -> Term {
        match (self, other) {
            (Text::Bits(a), Text::Bits(b)) => terms.eq(*a, *b),
            (Text::OneOf(of), Text::Bits(bits)) | (Text::Bits(bits), Text::OneOf(of)) => terms.or_all(
                of.iter().filter_map(|(cond, text)| Some(terms.and(*cond, terms.eq(*bits, encode(terms, text)?)))),
            ),
            (Text::OneOf(these), Text::OneOf(those)) => pairs(terms, these, those, |a, b| a == b),
        }
    }

    /// When this one comes before the other.
    pub fn less(&self, other: &Text, terms: &Terms) -> Result<Term, HasZero> {
        Ok(match (self, other) {
            (Text::Bits(a), Text::Bits(b)) => terms.bv_ult(*a, *b),
            (Text::OneOf(these), Text::OneOf(those)) => pairs(terms, these, those, |a, b| a.as_bytes() < b.as_bytes()),
            (Text::Bits(bits), Text::OneOf(of)) => {
                let cases: Result<Vec<Term>, HasZero> = of
                    .iter()
                    .map(|(cond, text)| {
                        let (start, more) = beginning(terms, text)?;
                        // What equals the beginning of a longer text comes before it.
                        let less = if more { terms.bv_ule(*bits, start) } else { terms.bv_ult(*bits, start) };
                        Ok(terms.and(*cond, less))
                    })
                    .collect();
                terms.or_all(cases?)
            }
            (Text::OneOf(of), Text::Bits(bits)) => {
                let cases: Result<Vec<Term>, HasZero> = of
                    .iter()
                    .map(|(cond, text)| Ok(terms.and(*cond, terms.bv_ult(beginning(terms, text)?.0, *bits))))
                    .collect();
                terms.or_all(cases?)
            }
        })
    }

    /// When it matches a pattern of LIKE: `%` any text, `_` one character, letters of ASCII in either case.
    pub fn like(&self, pattern: &str, escape: Option<char>, terms: &Terms) -> Term {
        let pattern = read_pattern(pattern, escape);
        match self {
            Text::OneOf(of) => terms.or_all(of.iter().filter(|it| matches(&it.1, &pattern)).map(|it| it.0)),
            Text::Bits(bits) => matches_bits(terms, *bits, &pattern),
        }
    }

    /// The text with each of its texts changed; `None` where it is one of many.
    pub fn map(&self, change: impl Fn(&str) -> String) -> Option<Text> {
        match self {
            Text::OneOf(of) => Some(Text::OneOf(of.iter().map(|(cond, it)| (*cond, Rc::from(change(it)))).collect())),
            Text::Bits(_) => None,
        }
    }

    /// This one where the condition holds, the other elsewhere.
    pub fn ite(cond: Term, then: &Text, other: &Text, terms: &Terms) -> Option<Text> {
        if let (Text::OneOf(then), Text::OneOf(other)) = (then, other) {
            let not = terms.not(cond);
            let then = then.iter().map(|(it, text)| (terms.and(cond, *it), Rc::clone(text)));
            let other = other.iter().map(|(it, text)| (terms.and(not, *it), Rc::clone(text)));
            return Some(Text::OneOf(then.chain(other).filter(|it| terms.as_bool(it.0) != Some(false)).collect()));
        }
        Some(Text::Bits(terms.ite(cond, then.bits(terms)?, other.bits(terms)?)))
    }
}

fn pairs(terms: &Terms, these: &[(Term, Rc<str>)], those: &[(Term, Rc<str>)], is: fn(&str, &str) -> bool) -> Term {
    let all = these.iter().flat_map(|a| those.iter().map(move |b| (a, b)));
    terms.or_all(all.filter(|(a, b)| is(&a.1, &b.1)).map(|(a, b)| terms.and(a.0, b.0)))
}

/// A short text as bits.
fn encode(terms: &Terms, text: &str) -> Option<Term> {
    if text.len() > LONGEST || text.contains('\0') {
        return None;
    }
    Some(beginning(terms, text).ok()?.0)
}

/// The first bytes of a text as bits, and whether there are more.
fn beginning(terms: &Terms, text: &str) -> Result<(Term, bool), HasZero> {
    if text.contains('\0') {
        return Err(HasZero);
    }
    let mut value: u128 = 0;
    for at in 0..LONGEST {
        value = value << 8 | u128::from(text.as_bytes().get(at).copied().unwrap_or(0));
    }
    Ok((terms.bv(BvValue::from_u128(WIDTH, value)), text.len() > LONGEST))
}

/// The text that bits are.
pub fn decode(value: &Value) -> Option<String> {
    let mut bytes = value.to_bytes()?;
    bytes.reverse();
    let end = bytes.iter().position(|it| *it == 0).unwrap_or(bytes.len());
    String::from_utf8(bytes[..end].to_vec()).ok()
}

/// When bits are a text: printable characters, then zeros.
pub fn is_text(terms: &Terms, bits: Term) -> Term {
    let bytes: Vec<Term> = (0..LONGEST).map(|at| byte(terms, bits, at)).collect();
    let number = |it: u8| terms.bv_u64(Width::W8, u64::from(it));
    let printable = |it: Term| terms.and(terms.bv_ule(number(b' '), it), terms.bv_ule(it, number(b'~')));
    terms.and_all(bytes.iter().enumerate().map(|(at, it)| {
        let zero = terms.eq(*it, number(0));
        let rest = bytes.get(at + 1).map_or(terms.bool(true), |next| terms.eq(*next, number(0)));
        terms.or(printable(*it), terms.and(zero, rest))
    }))
}

/// How many bytes a text has that is bits, in 8 bits.
pub fn length(terms: &Terms, bits: Term) -> Term {
    let number = |it: usize| terms.bv_u64(Width::W8, it as u64);
    let ends = |at: usize| terms.eq(byte(terms, bits, at), number(0));
    (0..LONGEST).rev().fold(number(LONGEST), |longer, at| terms.ite(ends(at), number(at), longer))
}

/// The sort of a text's bits.
pub fn sort() -> Sort {
    Sort::BitVec(WIDTH)
}

fn byte(terms: &Terms, bits: Term, at: usize) -> Term {
    let low = 8 * (LONGEST - 1 - at) as u32;
    terms.bv_extract(low + 7, low, bits)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Any,
    One,
    Char(char),
}

fn read_pattern(pattern: &str, escape: Option<char>) -> Vec<Part> {
    let mut res = Vec::new();
    let mut rest = pattern.chars();
    while let Some(it) = rest.next() {
        res.push(match it {
            it if Some(it) == escape => match rest.next() {
                Some(it) => Part::Char(it),
                // An escape at the end matches nothing; no character is the one after the last.
                None => Part::Char('\0'),
            },
            '%' => Part::Any,
            '_' => Part::One,
            it => Part::Char(it),
        });
    }
    res.dedup_by(|a, b| *a == Part::Any && *b == Part::Any);
    res
}

/// On a text that is known: which positions of the pattern can be reached.
fn matches(text: &str, pattern: &[Part]) -> bool {
    let mut reached = vec![false; pattern.len() + 1];
    reached[0] = true;
    let skip = |reached: &mut Vec<bool>| {
        for at in 0..pattern.len() {
            if reached[at] && pattern[at] == Part::Any {
                reached[at + 1] = true;
            }
        }
    };
    skip(&mut reached);
    for it in text.chars() {
        let mut next = vec![false; pattern.len() + 1];
        for at in (0..pattern.len()).filter(|at| reached[*at]) {
            match pattern[at] {
                Part::Any => next[at] = true,
                Part::One => next[at + 1] = true,
                Part::Char(other) => next[at + 1] |= it.eq_ignore_ascii_case(&other),
            }
        }
        reached = next;
        skip(&mut reached);
    }
    reached[pattern.len()]
}

/// On bits: the same from the end, a condition for each position of the text and of the pattern.
fn matches_bits(terms: &Terms, bits: Term, pattern: &[Part]) -> Term {
    let number = |it: u8| terms.bv_u64(Width::W8, u64::from(it));
    // The row of the position after the last byte: only what matches nothing is left.
    let mut after: Vec<Term> = vec![terms.bool(true); pattern.len() + 1];
    for at in (0..pattern.len()).rev() {
        after[at] = if pattern[at] == Part::Any { after[at + 1] } else { terms.bool(false) };
    }
    for position in (0..LONGEST).rev() {
        let it = byte(terms, bits, position);
        let ended = terms.eq(it, number(0));
        let mut now = vec![ended; pattern.len() + 1];
        for at in (0..pattern.len()).rev() {
            now[at] = match pattern[at] {
                Part::Any => terms.or(now[at + 1], terms.and(terms.not(ended), after[at])),
                Part::One => terms.and(terms.not(ended), after[at + 1]),
                Part::Char(other) => {
                    let Some(other) = u8::try_from(other).ok().filter(|it| it.is_ascii() && *it != 0) else {
                        now[at] = terms.bool(false);
                        continue;
                    };
                    let same = terms.or(
                        terms.eq(it, number(other.to_ascii_lowercase())),
                        terms.eq(it, number(other.to_ascii_uppercase())),
                    );
                    terms.and(same, after[at + 1])
                }
            };
        }
        after = now;
    }
    after[0]
}
