//! What comes of a statement that has no result.
//!
//! Knows: statements and places in them. Never: how a program is told.

use sqlparser::tokenizer::Span;
use thiserror::Error;

/// A statement that is not in the subset, or that is no statement; the path ends as unsupported.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{what}, at {line}:{column} of {sql}")]
pub struct Refusal {
    /// The part of the statement that is not supported.
    pub what: String,
    /// The line of the place, from one.
    pub line: u64,
    /// The column of the place, from one.
    pub column: u64,
    /// The text of the statement.
    pub sql: String,
}

impl Refusal {
    pub(crate) fn at(what: impl Into<String>, span: Span, sql: &str) -> Refusal {
        // What has no place of its own is said of the whole statement.
        let (line, column) = (span.start.line.max(1), span.start.column.max(1));
        Refusal { what: what.into(), line, column, sql: shortened(sql) }
    }
}

/// Somebody may send us megabytes.
fn shortened(sql: &str) -> String {
    const LONGEST: usize = 2_000;
    match sql.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &sql[..at]),
        None => sql.to_owned(),
    }
}

/// A constraint that a statement violates; the program receives it as an error, as from SQLite.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Violation {
    /// UNIQUE, or the primary key.
    #[error("UNIQUE constraint failed: {}", .0.join(", "))]
    Unique(Vec<String>),
    /// A row that is referred to does not exist, or a row that is deleted is referred to.
    #[error("FOREIGN KEY constraint failed")]
    ForeignKey,
    /// A column that is NOT NULL would be null.
    #[error("NOT NULL constraint failed: {0}")]
    NotNull(String),
    /// A CHECK constraint would be false for a row.
    #[error("CHECK constraint failed: {0}")]
    Check(String),
}

/// Why a statement has no result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SqlError {
    /// It is not in the subset.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A constraint does not allow it.
    #[error(transparent)]
    Violated(#[from] Violation),
}
