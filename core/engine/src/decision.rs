//! Decisions and their sequences: what is saved, replayed, sent to another worker and printed of a path.
//!
//! Knows: which answer was given to which question, and how a sequence is written. Never: states.
//!
//! A sequence names every path: those that end, in a bug or otherwise, and those that wait. What has no alternative in
//! the program (a requirement or an assumption that holds) is not recorded; a branch always is, whatever a solver can
//! tell of its other sides, so that a name does not depend on a solver and is replayed without one.

use effigy_term::{BvValue, Sort, Value, Width};
use num_bigint::BigInt;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// The answer to one question, as it is recorded.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Decision {
    /// This alternative of a branch.
    Alternative(u32),
    /// The term has this value. It replaces what was said before of values that the term does not have.
    Is(Value),
    /// The term does not have this value: the question is asked again.
    Not(Value),
    /// A condition does not hold: the path ends in the violation of a requirement, or is dropped by an assumption. Of
    /// the conditions that were asked for since the last decision it is the one with this number, from zero.
    Fails(u32),
}

/// What a language is told of its question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resolution {
    /// The condition of a requirement or of an assumption holds: it is now part of φ.
    Granted,
    /// This alternative of a branch.
    Alternative(u32),
    /// This value of a term.
    Value(Value),
}

/// A persistent sequence of decisions. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    last: Option<Rc<Entry>>,
    /// Conditions that were granted since the last decision.
    granted: u32,
}

#[derive(Debug)]
struct Entry {
    decision: Decision,
    count: usize,
    before: Option<Rc<Entry>>,
}

impl Decisions {
    /// The empty sequence: the start of every path.
    pub fn new() -> Decisions {
        Decisions::default()
    }

    /// The number of decisions: the depth of the path.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |it| it.count)
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Adds a decision. A value that a term has makes what it was said not to be superfluous, so that the name of a
    /// path does not depend on the order in which values were found.
    pub fn push(&mut self, decision: Decision) {
        if matches!(decision, Decision::Is(_)) {
            while let Some(last) = &self.last
                && matches!(last.decision, Decision::Not(_))
            {
                self.last = last.before.clone();
            }
        }
        self.last = Some(Rc::new(Entry { decision, count: self.len() + 1, before: self.last.take() }));
        self.granted = 0;
    }

    /// The condition that is asked for holds: not recorded, but counted, so that a later one that fails has a number.
    pub(crate) fn grant(&mut self) {
        self.granted += 1;
    }

    /// The decision that the condition that is asked for does not hold.
    pub(crate) fn failing(&self) -> Decision {
        Decision::Fails(self.granted)
    }

    /// The last decision.
    pub fn last(&self) -> Option<&Decision> {
        Some(&self.last.as_ref()?.decision)
    }

    /// The values that the term of the question where the path stands is known not to have, the newest first.
    pub fn excluded(&self) -> impl Iterator<Item = &Value> {
        self.backwards().map_while(|it| match it {
            Decision::Not(value) => Some(value),
            _ => None,
        })
    }

    /// The decisions, last to first.
    pub fn backwards(&self) -> impl Iterator<Item = &Decision> {
        std::iter::successors(self.last.as_deref(), |it| it.before.as_deref()).map(|it| &it.decision)
    }

    /// The first `count` decisions. Costs what is left out.
    pub fn first(&self, count: usize) -> Decisions {
        let mut last = &self.last;
        while let Some(it) = last
            && it.count > count
        {
            last = &it.before;
        }
        Decisions { last: last.clone(), granted: 0 }
    }

    /// How many decisions this sequence shares with `other`, from which it has been extended, and those after.
    /// Costs what they do not share.
    pub fn since(&self, other: &Decisions) -> (usize, PathName) {
        let (mut here, mut there) = (&self.last, &other.last);
        let mut after = Vec::new();
        let count = |it: &Option<Rc<Entry>>| it.as_ref().map_or(0, |it| it.count);
        let same = |a: &Option<Rc<Entry>>, b: &Option<Rc<Entry>>| match (a, b) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        while !same(here, there) {
            if count(here) >= count(there)
                && let Some(it) = here
            {
                after.push(it.decision.clone());
                here = &it.before;
            } else if let Some(it) = there {
                there = &it.before;
            }
        }
        after.reverse();
        (count(here), PathName(after))
    }

    /// The decisions, first to last.
    pub fn to_vec(&self) -> Vec<Decision> {
        let mut res: Vec<Decision> = self.backwards().cloned().collect();
        res.reverse();
        res
    }
}

impl Drop for Decisions {
    /// Frees a long unshared chain in a loop: the derived recursion would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(it) = next {
            match Rc::try_unwrap(it) {
                Ok(mut entry) => next = entry.before.take(),
                Err(_) => break,
            }
        }
    }
}

impl FromIterator<Decision> for Decisions {
    fn from_iter<I: IntoIterator<Item = Decision>>(iter: I) -> Decisions {
        let mut res = Decisions::new();
        for decision in iter {
            res.push(decision);
        }
        res
    }
}

impl fmt::Display for Decisions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PathName::from(self).fmt(f)
    }
}

impl PartialEq for Decisions {
    fn eq(&self, other: &Decisions) -> bool {
        self.len() == other.len() && self.backwards().eq(other.backwards())
    }
}

/// The name of a path: decisions that can be sent, saved, compared and written.
///
/// Written: the number of each alternative (in parentheses from 10 on), `=v;` for a value, `!v;` for a value that is
/// excluded, `x` for a condition that fails (`x(2)` where two were granted before it since the last decision). A value is `t` or `f`, `5` (an integer) or `5:8` (a bitvector of 8 bits).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct PathName(pub Vec<Decision>);

impl From<&Decisions> for PathName {
    fn from(decisions: &Decisions) -> PathName {
        PathName(decisions.to_vec())
    }
}

impl fmt::Display for PathName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No language asks for values of other sorts; what cannot be written is not read again.
        let value = |f: &mut fmt::Formatter<'_>, sign: char, value: &Value| {
            write!(f, "{sign}{};", write_value(value).unwrap_or_else(|| "?".to_owned()))
        };
        for decision in &self.0 {
            match decision {
                Decision::Alternative(index @ 0..=9) => write!(f, "{index}")?,
                Decision::Alternative(index) => write!(f, "({index})")?,
                Decision::Is(it) => value(f, '=', it)?,
                Decision::Not(it) => value(f, '!', it)?,
                Decision::Fails(0) => f.write_str("x")?,
                Decision::Fails(number) => write!(f, "x({number})")?,
            }
        }
        Ok(())
    }
}

/// Why a text is not the name of a path.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("character {at}: {expected} was expected")]
pub struct PathNameError {
    /// The place in the text, in bytes from one.
    pub at: usize,
    /// What should stand there.
    pub expected: &'static str,
}

/// Longer numbers are no values that a program has; reading them takes quadratic time.
const MOST_DIGITS: usize = 2_000;

impl FromStr for PathName {
    type Err = PathNameError;

    fn from_str(text: &str) -> Result<PathName, PathNameError> {
        let mut res = Vec::new();
        let mut at = 0;
        let bytes = text.as_bytes();
        // What stands before the next `end`, which is passed.
        let until = |at: &mut usize, end: u8, expected: &'static str| {
            let error = PathNameError { at: *at + 1, expected };
            let length = bytes[*at..].iter().take(MOST_DIGITS).position(|it| *it == end).ok_or(error.clone())?;
            let part = text.get(*at..*at + length).ok_or(error)?;
            *at += length + 1;
            Ok(part)
        };
        while at < bytes.len() {
            let start = at;
            let error = |expected| PathNameError { at: start + 1, expected };
            at += 1;
            res.push(match bytes[start] {
                digit @ b'0'..=b'9' => Decision::Alternative(u32::from(digit - b'0')),
                b'(' => {
                    let number = until(&mut at, b')', "a number and `)`")?;
                    Decision::Alternative(number.parse().map_err(|_| error("a number in parentheses"))?)
                }
                b'=' => Decision::Is(read_value(until(&mut at, b';', "a value and `;`")?).ok_or(error("a value"))?),
                b'!' => Decision::Not(read_value(until(&mut at, b';', "a value and `;`")?).ok_or(error("a value"))?),
                b'x' if bytes.get(at) == Some(&b'(') => {
                    at += 1;
                    let number = until(&mut at, b')', "a number and `)`")?;
                    Decision::Fails(number.parse().map_err(|_| error("a number in parentheses"))?)
                }
                b'x' => Decision::Fails(0),
                _ => return Err(error("a digit, `(`, `=`, `!` or `x`")),
            });
        }
        Ok(PathName(res))
    }
}

/// A value as text, where it is no array, fraction or element.
pub(crate) fn write_value(value: &Value) -> Option<String> {
    match value {
        Value::Bool(it) => Some(if *it { "t" } else { "f" }.to_owned()),
        Value::Int(it) => Some(it.to_string()),
        Value::BitVec(it) => Some(format!("{}:{}", it.to_biguint(), it.width().bits())),
        Value::Real(_) | Value::Array(_) | Value::Element(_) => None,
    }
}

/// The value that a text writes.
pub(crate) fn read_value(text: &str) -> Option<Value> {
    if text.len() > MOST_DIGITS {
        return None;
    }
    match text.split_once(':') {
        None if text == "t" => Some(Value::Bool(true)),
        None if text == "f" => Some(Value::Bool(false)),
        None => text.parse::<BigInt>().ok().map(Value::Int),
        Some((number, width)) => {
            let width = Width::new(width.parse().ok().filter(|it| *it <= 1 << 16)?)?;
            Some(Value::BitVec(BvValue::from_bigint(width, &number.parse().ok()?)))
        }
    }
}

impl serde::Serialize for PathName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for PathName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<PathName, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Whether a value is one of the sort.
pub(crate) fn fits(sort: Sort, value: &Value) -> bool {
    match (sort, value) {
        (Sort::Bool, Value::Bool(_)) | (Sort::Int, Value::Int(_)) | (Sort::Real, Value::Real(_)) => true,
        (Sort::BitVec(width), Value::BitVec(it)) => it.width() == width,
        _ => false,
    }
}
