//! Files that are not what was written: where, and what is wrong.
//!
//! Knows: how errors of JSON are told. Never: what is in a file.

use serde::de::DeserializeOwned;
use std::fmt;

/// What is wrong with the text of a file, and where. It is shown behind the name of the file and a colon.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Damage {
    /// Line and column, from one, where there is a place.
    pub at: Option<(usize, usize)>,
    /// What is wrong, in one sentence.
    pub what: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(to, "{line}:{column}: {}", self.what),
            None => write!(to, " {}", self.what),
        }
    }
}

impl From<serde_json::Error> for Damage {
    fn from(error: serde_json::Error) -> Damage {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        // The place is told once, before the message.
        let what = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
        // An error at the beginning of a line is told with column 0.
        Damage { at: (line > 0).then_some((line, column.max(1))), what: what.to_owned() }
    }
}

/// The value that a JSON text stands for.
///
/// # Errors
/// Where it is none.
pub fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Damage> {
    serde_json::from_slice(bytes).map_err(Damage::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_told_once() {
        let error = parse_json::<serde_json::Value>(b"{\"version\": ").expect_err("it is cut off");
        assert_eq!(error.to_string(), "1:12: EOF while parsing a value");
    }
}
