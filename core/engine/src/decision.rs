//! Decisions and their sequences: what is saved, replayed, sent to another worker and printed of a path.
//!
//! Knows: which answer was given to which question, and how a sequence is written. Never: states.
//!
//! A sequence names every path: those that end, in a bug or otherwise, and those that wait. What has no alternative in
//! the program (a requirement or an assumption that holds) is not recorded; a branch always is, whatever a solver can
//! tell of its other sides, so that a name does not depend on a solver and is replayed without one.

use effigy_term::{PersistentList, Sort, Value};
use std::fmt;
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

/// The answer to a question, as [`crate::Language::answer`] gives it to the language.
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
    list: PersistentList<Decision>,
    /// Conditions that were granted since the last decision.
    granted: u32,
}

impl Decisions {
    /// The empty sequence: the start of every path.
    pub fn new() -> Decisions {
        Decisions::default()
    }

    /// The number of decisions: the depth of the path.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the sequence is empty: nothing was decided yet.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds a decision. A value that a term has makes what it was said not to be superfluous, so that the name of a
    /// path does not depend on the order in which values were found.
    pub fn push(&mut self, decision: Decision) {
        if matches!(decision, Decision::Is(_)) {
            while matches!(self.list.last(), Some(Decision::Not(_))) {
                self.list.pop();
            }
        }
        self.list.push(decision);
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

    /// The decision that was taken last; `None` at the start.
    pub fn last(&self) -> Option<&Decision> {
        self.list.last()
    }

    /// The values that the term of the question where the path stands is known not to have, the newest first.
    pub fn excluded(&self) -> impl Iterator<Item = &Value> {
        self.list.iter_back().map_while(|it| match it {
            Decision::Not(value) => Some(value),
            _ => None,
        })
    }

    /// The first `count` decisions. Costs what is left out.
    pub fn first(&self, count: usize) -> Decisions {
        Decisions { list: self.list.first(count), granted: 0 }
    }

    /// How many decisions this sequence shares with `other`, from which it has been extended, and those after.
    /// Costs what they do not share.
    pub fn since(&self, other: &Decisions) -> (usize, PathName) {
        let shared = self.list.shared_with(&other.list);
        let mut after: Vec<Decision> = self.list.iter_back().take(self.len() - shared).cloned().collect();
        after.reverse();
        (shared, PathName(after))
    }

    /// The decisions, first to last.
    pub fn to_vec(&self) -> Vec<Decision> {
        self.list.to_vec()
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
        self.len() == other.len() && self.list.iter_back().eq(other.list.iter_back())
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

impl PathName {
    /// The name as text, which [`PathName::from_str`] parses. Most decisions are one character, and names are written
    /// often: no formatter is asked.
    pub fn text(&self) -> String {
        let mut res = String::with_capacity(self.0.len() + 8);
        // No language asks for values of other sorts; what cannot be written is not read again.
        let value = |it: &Value| it.text().unwrap_or_else(|| "?".to_owned());
        for decision in &self.0 {
            match decision {
                Decision::Alternative(index @ 0..=9) => res.push((b'0' + *index as u8) as char),
                Decision::Alternative(index) => res.push_str(&format!("({index})")),
                Decision::Is(it) => res.push_str(&format!("={};", value(it))),
                Decision::Not(it) => res.push_str(&format!("!{};", value(it))),
                Decision::Fails(0) => res.push('x'),
                Decision::Fails(number) => res.push_str(&format!("x({number})")),
            }
        }
        res
    }
}

impl fmt::Display for PathName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// Why a text is not the name of a path.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("character {at}: {expected} was expected")]
pub struct PathNameError {
    /// The place in the text, in bytes from one.
    pub at: usize,
    /// What the grammar expects at that place, for the message.
    pub expected: &'static str,
}

/// The most characters of a number or value in a name: longer ones are no values that a program has.
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
                b'=' => Decision::Is(Value::of_text(until(&mut at, b';', "a value and `;`")?).ok_or(error("a value"))?),
                b'!' => {
                    Decision::Not(Value::of_text(until(&mut at, b';', "a value and `;`")?).ok_or(error("a value"))?)
                }
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

impl serde::Serialize for PathName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> serde::Deserialize<'de> for PathName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<PathName, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Whether a value is one of the sort.
pub fn fits(sort: Sort, value: &Value) -> bool {
    match (sort, value) {
        (Sort::Bool, Value::Bool(_)) | (Sort::Int, Value::Int(_)) | (Sort::Real, Value::Real(_)) => true,
        (Sort::BitVec(width), Value::BitVec(it)) => it.width() == width,
        _ => false,
    }
}
