//! Tests: one JSON file for each path.
//!
//! Knows: the schema. The bytes of an input are what counts; its numbers are for readers.

use crate::checksum;
use crate::damage::{Damage, parse_json};
use effigy_engine::{Input, InputData, PathName, Place, ThreadTurn, Violation};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The version of the schema.
pub const FORMAT: u32 = 1;

/// A test case: inputs with the end that they lead to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Test {
    /// The version of the file's format: [`FORMAT`].
    pub format: u32,
    /// The number of the path.
    pub id: u64,
    /// How the program ends on these inputs.
    pub expect: Expectation,
    /// The inputs in the order in which the program asks for them.
    pub inputs: Vec<TestInput>,
    /// What the program writes to standard output, in hexadecimal.
    pub output: String,
    /// The same as text, where it is text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output_text: Option<String>,
    /// Whether a native run must do the same; not so where the path rests on results of unknown functions.
    pub replayable: bool,
    /// The path rests on results of functions that are not known.
    #[serde(default)]
    pub assumed: bool,
    /// The thread that moves at each scheduling point; empty while the program has one thread.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub schedule: Vec<ScheduledTurn>,
    /// Whether threads take turns before they unlock, too.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unlocks_are_turns: bool,
    /// For a bug that is an access outside of an object: the number of bytes between the object and the access. A
    /// sanitizer does not see an access that is far enough away to meet another object.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub gap: u64,
    /// The conjuncts of the path condition.
    pub path_condition: Vec<Arc<str>>,
    /// The decisions that lead here.
    pub decisions: PathName,
}

/// Whether a number needs no place in a file.
pub(crate) fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Test {
    /// Reads a test.
    ///
    /// # Errors
    /// Where the text is none, or one of another format.
    pub fn parse(bytes: &[u8]) -> Result<Test, Damage> {
        let test: Test = parse_json(bytes)?;
        checksum::check(bytes)?;
        match test.format {
            FORMAT => Ok(test),
            other => Err(Damage { at: None, what: format!("a test of format {FORMAT} was expected, not {other}") }),
        }
    }
}

/// One entry of a schedule: a thread runs from here to its next scheduling point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScheduledTurn {
    /// The number of the thread, in the order of creation; 0 is the main thread.
    pub thread: u32,
    /// The place where the thread goes on.
    pub place: TestPlace,
    /// The action that it makes there (`lock`, `atomic`, `join`); empty in tests of builds that did not say it.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub action: String,
    /// The thread that the action wakes, where several waited for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wakes: Option<u32>,
}

impl From<&ThreadTurn> for ScheduledTurn {
    fn from(turn: &ThreadTurn) -> ScheduledTurn {
        let ThreadTurn { thread, place, action, wakes } = turn;
        ScheduledTurn { thread: *thread, place: place.into(), action: (*action).to_owned(), wakes: *wakes }
    }
}

/// How the program must end on a test's inputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// By itself, with this exit code.
    Exit(i32),
    /// The program ends in this bug.
    Bug(TestBug),
    /// It was not followed to its end.
    Cut(String),
}

/// A bug with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestBug {
    /// The class of the bug, as `effigy bugs` lists it.
    pub kind: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where the bug shows itself.
    pub place: TestPlace,
    /// The calls that lead there, innermost first.
    pub stack: Vec<TestPlace>,
    /// It rests on what was made up of the world outside of the program: nobody has shown that it can happen.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub possible: bool,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct TestPlace {
    /// The name of the file.
    pub file: String,
    /// The line number, from 1; 0 where it is not known.
    pub line: u32,
    /// The column, from 1; 0 where it is not known.
    pub column: u32,
    /// The function that the place is in.
    pub function: String,
}

/// `parse.c:12:5`, `parse.c:12` or `parse.c`: as much of it as is known.
impl fmt::Display for TestPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TestPlace { file, line, column, .. } = self;
        match (line, column) {
            (0, _) => write!(f, "{file}"),
            (_, 0) => write!(f, "{file}:{line}"),
            _ => write!(f, "{file}:{line}:{column}"),
        }
    }
}

/// An input with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestInput {
    /// The name under which the program asks for it.
    pub name: String,
    /// Its bytes in hexadecimal, in memory order; for languages without bytes the value itself.
    pub bytes: String,
    /// The width of its numbers in bytes.
    pub element: u32,
    /// Its numbers: signed, unless the program takes them as unsigned.
    #[serde(serialize_with = "small_first")]
    pub values: Vec<i128>,
    /// The same as text, for bytes that are printable.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// Its type as the program calls it, where the program says it.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    pub ty: Option<String>,
}

impl From<&Place> for TestPlace {
    fn from(place: &Place) -> TestPlace {
        TestPlace {
            file: place.file.to_string(),
            line: place.line,
            column: place.column,
            function: place.function.to_string(),
        }
    }
}

impl From<&Violation> for TestBug {
    fn from(violation: &Violation) -> TestBug {
        TestBug {
            kind: violation.kind.0.to_owned(),
            message: violation.message.clone(),
            place: (&violation.place).into(),
            stack: violation.stack.iter().map(Into::into).collect(),
            possible: false,
        }
    }
}

impl From<&Input> for TestInput {
    fn from(input: &Input) -> TestInput {
        match &input.data {
            InputData::Bytes { bytes, element, signed } => TestInput {
                name: input.name.clone(),
                bytes: hex(bytes),
                element: *element,
                values: numbers(bytes, *element, *signed),
                text: (*element == 1).then(|| printable(bytes)).flatten(),
                ty: input.ty.clone(),
            },
            InputData::Scalar(value) => TestInput {
                name: input.name.clone(),
                bytes: value.clone(),
                element: 0,
                values: Vec::new(),
                text: None,
                ty: input.ty.clone(),
            },
        }
    }
}

/// So many numbers of an input are shown on its line.
const MOST_SHOWN: usize = 32;

/// Most numbers are written in so many bytes, with what stands between them.
const DIGITS: usize = 6;

impl TestInput {
    /// The bytes of the input, in memory order; `None` if they are no hexadecimal.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        unhex(&self.bytes)
    }

    /// Its value on one line: a number, numbers, or a string.
    pub fn display(&self) -> String {
        if self.element == 0 {
            return self.bytes.clone();
        }
        if let Some(value) = self.ty.as_deref().and_then(|it| rust_value(it, &self.to_bytes()?)) {
            return value;
        }
        let is_array = self.ty.as_ref().is_some_and(|it| it.starts_with('['));
        match (&self.text, &self.values[..]) {
            // Numbers of more than 64 bits are told in parts, which are no elements.
            (_, values) if is_array && self.element <= 8 => format!("{values:?}"),
            (_, [only]) => only.to_string(),
            (Some(text), _) => format!("{text:?}"),
            (None, values) => {
                let mut res = String::with_capacity(2 + DIGITS * values.len().min(MOST_SHOWN));
                res.push('{');
                let mut digits = itoa::Buffer::new();
                for (at, value) in values.iter().take(MOST_SHOWN).enumerate() {
                    res.push_str(if at == 0 { "" } else { ", " });
                    // Most are small, and these are written sooner.
                    match i64::try_from(*value) {
                        Ok(value) => res.push_str(digits.format(value)),
                        Err(_) => res.push_str(digits.format(*value)),
                    }
                }
                res.push_str(if values.len() > MOST_SHOWN { ", …}" } else { "}" });
                res
            }
        }
    }
}

/// A value as Rust writes it, of a type whose values are more than integers, or numbers of such a type; `None` for others.
fn rust_value(ty: &str, bytes: &[u8]) -> Option<String> {
    if let Some(element) = ty.strip_prefix('[').map(|it| it.trim_end_matches(']')) {
        let element = element.split(';').next().unwrap_or(element);
        let size = match element {
            "f32" => 4,
            "f64" => 8,
            _ => return None,
        };
        let values: Option<Vec<String>> = bytes.chunks(size).map(|it| rust_value(element, it)).collect();
        return Some(format!("[{}]", values?.join(", ")));
    }
    match (ty, bytes) {
        ("bool", [byte]) => Some((*byte == 1).to_string()),
        ("u8", [byte]) if byte.is_ascii_graphic() => Some(format!("{byte} (b{:?})", char::from(*byte))),
        ("char", bytes) => Some(format!("{:?}", char::from_u32(u32::from_le_bytes(bytes.try_into().ok()?))?)),
        ("f32", bytes) => Some(format!("{:?}", f32::from_le_bytes(bytes.try_into().ok()?))),
        ("f64", bytes) => Some(format!("{:?}", f64::from_le_bytes(bytes.try_into().ok()?))),
        ("u128", bytes) => Some(u128::from_le_bytes(bytes.try_into().ok()?).to_string()),
        ("i128", bytes) => Some(i128::from_le_bytes(bytes.try_into().ok()?).to_string()),
        _ => None,
    }
}

/// Numbers as they are; most are small, and those are written sooner than the widest.
fn small_first<S: serde::Serializer>(values: &[i128], to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Number {
        Small(i64),
        Wide(i128),
    }
    to.collect_seq(values.iter().map(|it| i64::try_from(*it).map_or(Number::Wide(*it), Number::Small)))
}

/// The numbers of `element` bytes each, little-endian.
fn numbers(bytes: &[u8], element: u32, signed: bool) -> Vec<i128> {
    let width = (element as usize).clamp(1, 8);
    let number = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let shift = 64 - 8 * chunk.len() as u32;
        match signed {
            true => i128::from((i64::from_le_bytes(word) << shift) >> shift),
            false => i128::from(u64::from_le_bytes(word)),
        }
    };
    bytes.chunks(width).map(number).collect()
}

/// Bytes as text: printable, perhaps with an end of string and what is behind it all zero.
fn printable(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|it| *it == 0).unwrap_or(bytes.len());
    let (text, rest) = bytes.split_at(end);
    let plain = |it: &u8| (32..127).contains(it) || *it == b'\n' || *it == b'\t';
    (!text.is_empty() && text.iter().all(plain) && rest.iter().all(|it| *it == 0))
        .then(|| String::from_utf8_lossy(text).into_owned())
}

/// Writes bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |it: u8| char::from(DIGITS[usize::from(it)]);
    bytes.iter().flat_map(|it| [digit(it >> 4), digit(it & 15)]).collect()
}

/// Reads bytes from hexadecimal digits; `None` if the text is anything else.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.is_ascii() {
        return None;
    }
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()).collect()
}

#[cfg(test)]
mod as_written {
    use super::*;

    fn shown(values: Vec<i128>) -> String {
        TestInput { name: "x".into(), bytes: String::new(), element: 4, values, text: None, ty: None }.display()
    }

    #[test]
    fn numbers_stand_on_one_line() {
        assert_eq!(shown(vec![]), "{}");
        assert_eq!(shown(vec![-7]), "-7");
        assert_eq!(shown(vec![1, -2, u64::MAX.into()]), "{1, -2, 18446744073709551615}");
        assert!(shown(vec![0; 32]).ends_with("0, 0}") && shown(vec![0; 33]).ends_with("0, 0, …}"));
    }

    #[test]
    fn numbers_in_a_file_are_read_as_they_were_written() {
        let input = TestInput {
            name: "x".into(),
            bytes: "00".into(),
            element: 8,
            values: vec![0, i64::MIN.into(), u64::MAX.into()],
            text: None,
            ty: None,
        };
        let json = serde_json::to_string(&input).expect("JSON");
        assert!(json.contains("[0,-9223372036854775808,18446744073709551615]"), "{json}");
        assert_eq!(serde_json::from_str::<TestInput>(&json).expect("an input"), input);
    }
}
