//! JSON for people, as serde_json writes it, in fewer pieces: a walk writes it for tens of thousands of paths.
//!
//! Knows: where a line begins and how far in. Never: what is written.

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// `,`, the end of a line, and room before the next.
const LINE: &str = ",\n                                                                ";

/// Two bytes for each level.
const STEP: usize = 2;

#[derive(Default)]
struct Pretty {
    level: usize,
    has_value: bool,
}

impl Pretty {
    fn begins<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.level += 1;
        self.has_value = false;
        out.write_all(bracket)
    }

    /// A new line, behind a comma where something stands before it.
    fn line<W: ?Sized + Write>(&self, out: &mut W, first: bool) -> io::Result<()> {
        let (start, room) = (usize::from(first), 2 + STEP * self.level);
        if let Some(line) = LINE.get(start..room) {
            return out.write_all(line.as_bytes());
        }
        out.write_all(&LINE.as_bytes()[start..])?;
        (LINE.len()..room).try_for_each(|_| out.write_all(b" "))
    }

    fn ends<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.level -= 1;
        if self.has_value {
            self.line(out, true)?;
        }
        out.write_all(bracket)
    }
}

impl Formatter for Pretty {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begins(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.ends(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.line(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begins(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.ends(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.line(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

/// Writes a value.
///
/// # Errors
/// When it cannot be written, or is none of JSON.
pub fn to_writer(out: impl Write, value: &impl Serialize) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Pretty::default()))
}

/// A value as bytes.
///
/// # Errors
/// When it is none of JSON.
pub fn to_vec(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut res = Vec::with_capacity(2048);
    to_writer(&mut res, value)?;
    Ok(res)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 40, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".{0,4}", inner, 0..4)
                    .prop_map(|it| Value::Object(it.into_iter().collect())),
            ]
        })
    }

    fn is_the_same(value: &Value) {
        let ours = String::from_utf8(to_vec(value).expect("JSON")).expect("UTF-8");
        assert_eq!(ours, serde_json::to_string_pretty(value).expect("JSON"));
    }

    proptest! {
        #[test]
        fn it_is_what_serde_json_writes(value in values()) {
            is_the_same(&value);
        }
    }

    #[test]
    fn what_is_far_in_is_written_as_well() {
        is_the_same(&(0..80).fold(json!({ "a": 1, "b": [] }), |inner, _| json!([inner, {}])));
    }
}
