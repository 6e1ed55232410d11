//! The one input of a concolic run, as the user writes it: values by name, a test, or a file of bytes.
//!
//! Knows: the forms that are read. Never: which inputs the program asks for.

use crate::Failure;
use crate::frontend::About;
use effigy_concolic::ByteLayout;
use effigy_engine::Given;
use effigy_report::ktest;
use effigy_report::test_case::{Test, unhex};
use effigy_term::Value;
use std::path::Path;

/// The input that the user gives for a concolic run.
#[derive(Debug)]
pub(super) struct UserInput {
    pub(super) values: Given,
    /// The names were typed: one that the run does not ask for is a mistake. A test of another path has others.
    pub(super) by_name: bool,
}

/// What `text` gives: a file, or `x=3,name="text"`.
pub(super) fn given(text: &str, about: &About) -> Result<UserInput, Failure> {
    let path = Path::new(text);
    match path.is_file() {
        true => Ok(UserInput { values: of_file(text, path, about)?, by_name: false }),
        false if text.contains('=') => Ok(UserInput { values: pairs(text)?, by_name: true }),
        false if text.is_empty() => Ok(UserInput { values: Given::new(), by_name: true }),
        false => Err(Failure(format!("{text}: there is no such file; an input is a file, or x=3,name=\"text\""))),
    }
}

fn of_file(text: &str, path: &Path, about: &About) -> Result<Given, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure(format!("{text}: {error}")))?;
    if let Some(test) = ktest::read(&bytes) {
        return Ok(named(test.objects.into_iter()));
    }
    let is_called = |wanted: &str| path.extension().is_some_and(|it| it == wanted);
    if is_called("ktest") || ktest::is_marked(&bytes) {
        let what = "a whole test of KLEE was expected";
        return Err(Failure(format!("{text}: {what}")));
    }
    if is_called("json") {
        let test = Test::parse(&bytes)
            .map_err(|error| Failure(format!("{text}:{error}; for a file of bytes, take another name")))?;
        return of_test(&test).ok_or_else(|| Failure(format!("{text}: its inputs are not hexadecimal")));
    }
    let layout = about.bytes.as_ref().ok_or_else(|| {
        Failure(format!("{text}: this program reads no bytes; give its inputs by name: x=3,name=\"text\""))
    })?;
    of_bytes(text, &bytes, layout)
}

fn of_bytes(text: &str, bytes: &[u8], layout: &ByteLayout) -> Result<Given, Failure> {
    if bytes.len() > layout.most {
        let (memory, most, count) = (&layout.memory, layout.most, bytes.len());
        let what =
            format!("{text}: {count} bytes, and {memory} has at most {most}; --sym-stdin, --sym-file or --buffer");
        return Err(Failure(format!("{what} says how many")));
    }
    Ok(layout.given(bytes))
}

/// Memory by name. What is a file has a size, too.
fn named(objects: impl Iterator<Item = (String, Vec<u8>)>) -> Given {
    let mut res = Given::new();
    let mut sizes = Vec::new();
    for (name, bytes) in objects {
        sizes.push((format!("{name}_size"), bytes.len() as u64));
        res.give_bytes(&name, bytes);
    }
    for (name, size) in sizes {
        if res.get(&name).is_none() {
            res.give(&name, Value::of_bytes(&size.to_le_bytes()));
        }
    }
    res
}

fn of_test(test: &Test) -> Option<Given> {
    let mut objects = Vec::new();
    let mut scalars = Vec::new();
    for input in &test.inputs {
        match input.element {
            0 => scalars.push((&input.name, scalar(&input.bytes)?)),
            _ => objects.push((input.name.clone(), input.to_bytes()?)),
        }
    }
    let mut res = named(objects.into_iter());
    scalars.into_iter().for_each(|(name, value)| res.give(name, value));
    Some(res)
}

/// A number or a truth value.
fn scalar(text: &str) -> Option<Value> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |it| ("-", it));
    match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => match digits.strip_prefix("0x") {
            // As many digits as there are bytes.
            Some(digits) if !digits.is_empty() => {
                let padded = if digits.len().is_multiple_of(2) { digits.to_owned() } else { format!("0{digits}") };
                let mut bytes = unhex(&padded)?;
                bytes.reverse();
                match (Value::of_bytes(&bytes), sign) {
                    (Value::Int(it), "-") => Some(Value::Int(-it)),
                    (it, _) => Some(it),
                }
            }
            None if digits.bytes().all(|it| it.is_ascii_digit()) => Value::of_text(text),
            _ => None,
        },
    }
}

/// Reads inputs by name: `x=3,y=-4,name="text"`.
fn pairs(text: &str) -> Result<Given, Failure> {
    let mut res = Given::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let wrong = |what: &str| Failure(format!("{rest}: {what}; x=3,y=-4,name=\"text\" was expected"));
        let (name, after) = rest.split_once('=').ok_or_else(|| wrong("no value"))?;
        let (name, after) = (name.trim(), after.trim_start());
        if name.is_empty() {
            return Err(wrong("no name"));
        }
        let left = match after.strip_prefix('"') {
            Some(quoted) => {
                let (bytes, left) = quoted_bytes(quoted).ok_or_else(|| wrong("no end of the text"))?;
                res.give_bytes(name, bytes);
                left
            }
            None => {
                let end = after.find(',').unwrap_or(after.len());
                let value = scalar(after[..end].trim()).ok_or_else(|| wrong("no number"))?;
                res.give(name, value);
                &after[end..]
            }
        };
        let left = left.trim_start();
        rest = match left.strip_prefix(',') {
            Some(more) => more.trim_start(),
            None if left.is_empty() => left,
            None => return Err(Failure(format!("{left}: a comma was expected"))),
        };
    }
    Ok(res)
}

/// The bytes up to the closing quote, and what follows it. `\n`, `\t`, `\0`, `\\`, `\"`, `\x41` stand for one byte.
fn quoted_bytes(text: &str) -> Option<(Vec<u8>, &str)> {
    let mut res = Vec::new();
    let mut rest = text;
    loop {
        let first = rest.chars().next()?;
        let tail = &rest[first.len_utf8()..];
        match first {
            '"' => return Some((res, tail)),
            '\\' => {
                let kind = tail.chars().next()?;
                rest = &tail[kind.len_utf8()..];
                match kind {
                    'n' => res.push(b'\n'),
                    't' => res.push(b'\t'),
                    'r' => res.push(b'\r'),
                    '0' => res.push(0),
                    'x' => {
                        res.extend(unhex(rest.get(..2)?)?);
                        rest = &rest[2..];
                    }
                    other => res.extend(other.to_string().bytes()),
                }
            }
            other => {
                res.extend(other.to_string().bytes());
                rest = tail;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_engine::Worth;

    #[test]
    fn values_are_read_by_name() {
        let given = pairs("x=3, y=-4,s=\"a,\\x00\\\"\",big=0x1ff,b=true").unwrap_or_default();
        let number = |name: &str| match given.get(name) {
            Some(Worth::Value(it)) => it.text(),
            _ => None,
        };
        assert_eq!(number("x").as_deref(), Some("3"));
        assert_eq!(number("y").as_deref(), Some("-4"));
        assert_eq!(number("big").as_deref(), Some("511"));
        assert_eq!(number("b").as_deref(), Some("t"));
        assert_eq!(given.get("s"), Some(&Worth::Bytes(b"a,\0\"".to_vec())));
    }

    #[test]
    fn mutants_of_inputs_are_read_or_refused() {
        let texts = ["x=3, y=-4,s=\"a,\\x00\\\"\",big=0x1ff,b=true", "stdin=\"\\n\\t\",stdin_size=2"];
        effigy_testing::reader_trial::try_reader("inputs", texts, &["=", ",", "\"", "\\", "\\x", "0x", "-"], |text| {
            if let Err(error) = pairs(&String::from_utf8_lossy(text)) {
                assert!(!error.0.is_empty());
            }
        });
    }

    #[test]
    fn what_is_no_input_is_refused() {
        for text in ["x", "=3", "x=", "x=3 y=4", "x=\"open", "x=\"a\"b", "x=\"\\x4\"", "x=-", "x=0x"] {
            assert!(pairs(text).is_err(), "{text}");
        }
    }
}
