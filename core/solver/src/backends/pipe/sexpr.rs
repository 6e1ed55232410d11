//! Values in a solver's answer.
//!
//! Knows: SMT-LIB 2 constants of our sorts, arrays as stores over a constant. Never: the process.
//! The text is hostile: bounded depth, no panic, an error for anything that is not understood.

use effigy_term::value::ArrayValue;
use effigy_term::{BvValue, Sort, Terms, Value};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Answers nest at most this deep.
const MOST_DEPTH: u32 = 100_000;

/// Arrays of arrays nest at most this deep.
const MOST_NESTED: u32 = 50;

/// What could not be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the solver's values could not be read: {0}")]
pub struct ParseError(String);

#[derive(Clone, PartialEq, Debug)]
enum Sexpr {
    Atom(String),
    List(Vec<Sexpr>),
}

/// Whether all parentheses are closed, outside of quoted names and strings.
pub(crate) fn is_balanced(text: &str) -> bool {
    let mut depth = 0i64;
    let mut quote = None;
    for byte in text.bytes() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'|' | b'"') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') => depth -= 1,
            _ => {}
        }
    }
    depth <= 0 && quote.is_none()
}

/// The values of a `get-value` answer, for symbols of these sorts in this order.
///
/// # Errors
/// When the text is not such an answer.
pub fn parse_values(terms: &Terms, text: &str, sorts: &[Sort]) -> Result<Vec<Value>, ParseError> {
    let fail = |what: &str| ParseError(what.to_owned());
    let parsed = parse(text)?;
    let Sexpr::List(pairs) = &parsed else { return Err(fail("a list was expected")) };
    if pairs.len() != sorts.len() {
        return Err(fail("another number of values was expected"));
    }
    let value = |(pair, &sort): (&Sexpr, &Sort)| match pair {
        Sexpr::List(pair) if pair.len() == 2 => value(terms, &pair[1], sort),
        _ => Err(fail("a pair of name and value was expected")),
    };
    pairs.iter().zip(sorts).map(value).collect()
}

/// The values in the answer to `get-value`, as the solver writes them, for this number of expressions.
///
/// # Errors
/// When the text is not such an answer.
pub(crate) fn value_texts(text: &str, count: usize) -> Result<Vec<String>, ParseError> {
    let fail = || ParseError("pairs of name and value were expected".to_owned());
    let parsed = parse(text)?;
    let Sexpr::List(pairs) = &parsed else { return Err(fail()) };
    if pairs.len() != count {
        return Err(fail());
    }
    let value = |pair: &Sexpr| match pair {
        Sexpr::List(pair) if pair.len() == 2 => Ok(written(&pair[1])),
        _ => Err(fail()),
    };
    pairs.iter().map(value).collect()
}

/// The text of an expression, on one line.
fn written(text: &Sexpr) -> String {
    enum Work<'a> {
        Text(&'a Sexpr),
        Close,
    }
    let mut res = String::new();
    let mut work = vec![Work::Text(text)];
    while let Some(next) = work.pop() {
        let separated = !res.is_empty() && !res.ends_with('(');
        match next {
            Work::Close => res.push(')'),
            Work::Text(Sexpr::Atom(it)) => {
                if separated {
                    res.push(' ');
                }
                res.push_str(it);
            }
            Work::Text(Sexpr::List(items)) => {
                if separated {
                    res.push(' ');
                }
                res.push('(');
                work.push(Work::Close);
                work.extend(items.iter().rev().map(Work::Text));
            }
        }
    }
    res
}

fn parse(text: &str) -> Result<Sexpr, ParseError> {
    let fail = |what: &str| Err(ParseError(what.to_owned()));
    let bytes = text.as_bytes();
    let mut open: Vec<Vec<Sexpr>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let item = match byte {
            _ if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'(' => {
                if open.len() as u32 >= MOST_DEPTH {
                    return fail("parentheses nest too deep");
                }
                open.push(Vec::new());
                at += 1;
                continue;
            }
            b')' => {
                at += 1;
                match open.pop() {
                    Some(items) => Sexpr::List(items),
                    None => return fail("a parenthesis is closed that was not opened"),
                }
            }
            b'|' | b'"' => {
                let Some(length) = bytes[at + 1..].iter().position(|&it| it == byte) else {
                    return fail("a quoted name does not end");
                };
                let atom = String::from_utf8_lossy(&bytes[at..at + length + 2]).into_owned();
                at += length + 2;
                Sexpr::Atom(atom)
            }
            _ => {
                let ends = |it: &u8| it.is_ascii_whitespace() || matches!(it, b'(' | b')' | b'|' | b'"');
                let length = bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
                let atom = String::from_utf8_lossy(&bytes[at..at + length]).into_owned();
                at += length;
                Sexpr::Atom(atom)
            }
        };
        match open.last_mut() {
            Some(items) => items.push(item),
            None => return Ok(item),
        }
    }
    fail("the answer does not end")
}

/// Drops deep lists without recursion.
impl Drop for Sexpr {
    fn drop(&mut self) {
        let Sexpr::List(items) = self else { return };
        let mut work = std::mem::take(items);
        while let Some(mut item) = work.pop() {
            if let Sexpr::List(inner) = &mut item {
                work.append(inner);
            }
        }
    }
}

fn value(terms: &Terms, text: &Sexpr, sort: Sort) -> Result<Value, ParseError> {
    let understood = match sort {
        Sort::Bool => match text {
            Sexpr::Atom(it) if it == "true" => Some(Value::Bool(true)),
            Sexpr::Atom(it) if it == "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::BitVec(width) => bits(text)
            .filter(|it| it.bits() <= u64::from(width.bits()))
            .map(|it| Value::BitVec(BvValue::from_biguint(width, it))),
        Sort::Int => integer(text).map(Value::Int),
        Sort::Real => real(text).map(|it| Value::Real(Box::new(it))),
        Sort::Array(_) => return array(terms, text, sort, &mut Abbreviations::default(), 0),
        Sort::Uninterpreted(_) => match text {
            // z3 names elements `T!val!3`.
            Sexpr::Atom(it) => {
                it.trim_matches('|').rsplit('!').next().and_then(|it| it.parse().ok()).map(Value::Element)
            }
            Sexpr::List(_) => None,
        },
    };
    understood.ok_or_else(|| ParseError(format!("a value of sort {sort:?} was expected")))
}

fn bits(text: &Sexpr) -> Option<BigUint> {
    match text {
        Sexpr::Atom(it) => match it.get(..2)? {
            "#x" => BigUint::parse_bytes(&it.as_bytes()[2..], 16),
            "#b" => BigUint::parse_bytes(&it.as_bytes()[2..], 2),
            _ => None,
        },
        Sexpr::List(items) => match &items[..] {
            [Sexpr::Atom(underscore), Sexpr::Atom(number), Sexpr::Atom(_)] if underscore == "_" => {
                BigUint::parse_bytes(number.strip_prefix("bv")?.as_bytes(), 10)
            }
            _ => None,
        },
    }
}

fn integer(text: &Sexpr) -> Option<BigInt> {
    match text {
        Sexpr::Atom(it) => BigInt::parse_bytes(it.as_bytes(), 10),
        Sexpr::List(items) => match &items[..] {
            [Sexpr::Atom(minus), Sexpr::Atom(number)] if minus == "-" => {
                BigInt::parse_bytes(number.as_bytes(), 10).map(|it| -it)
            }
            _ => None,
        },
    }
}

/// `1.5`, `2`, `(- r)` or `(/ r s)`; nested at most so deep.
fn real(text: &Sexpr) -> Option<BigRational> {
    fn nested(text: &Sexpr, depth: u32) -> Option<BigRational> {
        let depth = depth.checked_sub(1)?;
        match text {
            Sexpr::Atom(it) => {
                let (whole, part) = it.split_once('.').unwrap_or((it, ""));
                // Ten to a power that somebody else wrote.
                let digits = u32::try_from(part.len()).ok().filter(|it| *it <= 10_000)?;
                let amount = BigInt::parse_bytes(format!("{whole}{part}").as_bytes(), 10)?;
                Some(BigRational::new(amount, BigInt::from(10).pow(digits)))
            }
            Sexpr::List(items) => match &items[..] {
                [Sexpr::Atom(op), a] if op == "-" => Some(-nested(a, depth)?),
                [Sexpr::Atom(op), a, b] if op == "/" => {
                    let divisor = nested(b, depth)?;
                    if divisor.is_zero() { None } else { Some(nested(a, depth)? / divisor) }
                }
                _ => None,
            },
        }
    }
    nested(text, 4)
}

/// What `let` abbreviates in an answer.
type Abbreviations<'a> = FxHashMap<&'a str, &'a Sexpr>;

/// A value, or the abbreviation of one.
fn meant<'a>(text: &'a Sexpr, names: &Abbreviations<'a>) -> &'a Sexpr {
    match text {
        Sexpr::Atom(name) => names.get(name.as_str()).copied().unwrap_or(text),
        Sexpr::List(_) => text,
    }
}

/// `(store (store ((as const ...) d) i v) j w)`, with parts abbreviated by `let`.
fn array<'a>(
    terms: &Terms,
    text: &'a Sexpr,
    sort: Sort,
    names: &mut Abbreviations<'a>,
    depth: u32,
) -> Result<Value, ParseError> {
    let fail = |what: &str| ParseError(what.to_owned());
    let Sort::Array(parts) = sort else { return Err(fail("an array was expected")) };
    if depth > MOST_NESTED {
        return Err(fail("arrays nest too deep"));
    }
    let (index_sort, element_sort) = terms.array_parts(parts);
    let part = |text: &'a Sexpr, sort: Sort, names: &mut Abbreviations<'a>| match sort {
        Sort::Array(_) => array(terms, text, sort, names, depth + 1),
        _ => value(terms, meant(text, names), sort),
    };
    let mut stores = Vec::new();
    let mut text = text;
    // An abbreviation that stands for itself has no end.
    let mut resolved = 0;
    let default = loop {
        let items = match text {
            Sexpr::List(items) => items,
            Sexpr::Atom(name) => {
                resolved += 1;
                match names.get(name.as_str()) {
                    Some(it) if resolved <= MOST_DEPTH => text = it,
                    _ => return Err(fail("an array in another form")),
                }
                continue;
            }
        };
        match &items[..] {
            [Sexpr::Atom(word), Sexpr::List(pairs), body] if word == "let" => {
                for pair in pairs {
                    let Sexpr::List(pair) = pair else { return Err(fail("an abbreviation in another form")) };
                    let [Sexpr::Atom(name), it] = &pair[..] else {
                        return Err(fail("an abbreviation in another form"));
                    };
                    names.insert(name, it);
                }
                text = body;
            }
            [Sexpr::Atom(store), below, index, element] if store == "store" => {
                resolved += 1;
                if resolved > MOST_DEPTH {
                    return Err(fail("an array of too many elements"));
                }
                stores.push((part(index, index_sort, names)?, part(element, element_sort, names)?));
                text = below;
            }
            [Sexpr::List(constant), element] if matches!(constant.get(1), Some(Sexpr::Atom(it)) if it == "const") => {
                break part(element, element_sort, names)?;
            }
            _ => return Err(fail("an array in another form")),
        }
    };
    let mut array = ArrayValue { default, entries: Default::default() };
    for (index, element) in stores.into_iter().rev() {
        if element == array.default {
            array.entries.remove(&index);
        } else {
            array.entries.insert(index, element);
        }
    }
    Ok(Value::Array(Arc::new(array)))
}
