//! Names after `%` and `@`, and labels.
//!
//! Knows: when two are the same. Never: what they stand for.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A name. `%1` and `%"1"` are different: the first is a number, the second a text.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Name<'a> {
    Number(u32),
    Text(Cow<'a, [u8]>),
}

impl<'a> Name<'a> {
    /// The name that stands without quotes.
    pub(super) fn unquoted(text: &'a [u8]) -> Name<'a> {
        let number = text.iter().try_fold(0u32, |number, &digit| {
            let digit = (digit as char).to_digit(10)?;
            number.checked_mul(10)?.checked_add(digit)
        });
        number.map_or(Name::Text(Cow::Borrowed(text)), Name::Number)
    }

    /// A text that no other name of the function has: numbers are no names in quotes.
    pub(super) fn key(&self) -> Arc<str> {
        match self {
            Name::Number(number) => format!("#{number}").into(),
            Name::Text(text) => printable(text),
        }
    }

    /// The text of a name that is not only a number.
    pub(super) fn text(&self) -> Option<Arc<str>> {
        match self {
            Name::Number(_) => None,
            Name::Text(text) => Some(printable(text)),
        }
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Number(number) => write!(out, "{number}"),
            Name::Text(text) => out.write_str(&String::from_utf8_lossy(text)),
        }
    }
}

/// Bytes as text. What is no UTF-8 is escaped as LLVM does (`\FF`), so that different names stay different.
pub(super) fn printable(bytes: &[u8]) -> Arc<str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.into();
    }
    let mut res = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        res.push_str(chunk.valid());
        for byte in chunk.invalid() {
            res.push_str(&format!("\\{byte:02X}"));
        }
    }
    res.into()
}
