//! What is wrong with a script, and where.
//!
//! Knows: places, kinds of mistakes. Never: how they are shown.

use std::fmt;

/// A place in a script; both count from 1, the column in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The line number, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
}

impl Position {
    /// The beginning of a text.
    pub const START: Position = Position { line: 1, column: 1 };

    /// The place after these bytes.
    pub(crate) fn after(self, bytes: &[u8]) -> Position {
        let lines = bytes.iter().filter(|it| **it == b'\n').count();
        match bytes.iter().rposition(|it| *it == b'\n') {
            Some(last) => Position { line: self.line + lines, column: bytes.len() - last },
            None => Position { line: self.line, column: self.column + bytes.len() },
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A mistake in a script.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ScriptError {
    /// Where the script is wrong.
    pub place: Position,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a script.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// Something else was expected here.
    #[error("{expected} was expected, not {found}")]
    Expected {
        /// What the grammar allows here.
        expected: String,
        /// The text that was found instead.
        found: String,
    },
    /// The text ends within a command.
    #[error("the script ends within a command")]
    Unfinished,
    /// Nothing of this name is in scope.
    #[error("nothing is called `{0}` here")]
    Unknown(String),
    /// The name has a meaning already.
    #[error("`{0}` has a meaning already")]
    Taken(String),
    /// An operator on arguments that it does not have.
    #[error("`{operator}` takes {expected}, not {found}")]
    Arguments {
        /// The operator as it was written.
        operator: String,
        /// The arguments that the operator takes, in words.
        expected: String,
        /// The sorts that it was given.
        found: String,
    },
    /// A term of another sort.
    #[error("a term of sort {expected} was expected, not {found}")]
    Sort {
        /// The sort that is due.
        expected: String,
        /// The sort that it has.
        found: String,
    },
    /// Part of the standard that is not here.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// A limit of the reader is exceeded.
    #[error("the limit is {0}")]
    Limit(String),
    /// A command that has no sense now.
    #[error("{0}")]
    Now(&'static str),
    /// The reader was stopped from outside.
    #[error("{0}")]
    Stopped(&'static str),
}

impl Problem {
    pub(crate) fn expected(expected: impl Into<String>, found: impl Into<String>) -> Problem {
        Problem::Expected { expected: expected.into(), found: found.into() }
    }
}
