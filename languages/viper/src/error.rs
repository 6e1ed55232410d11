//! What is wrong with a file, under the ids that Viper's users know.
//!
//! Knows: ids, places, texts. Never: how an error is shown.

use effigy_contracts::Span;

/// An error of the reader or checker.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ReadError {
    /// The stage of reading that found the error.
    pub kind: ReadErrorKind,
    /// Where; [`Span::file`] counts the files in the order in which they were read, the first one is 0.
    pub span: Span,
    /// What is wrong, one sentence.
    pub message: String,
}

/// The stage of reading that found an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ReadErrorKind {
    /// Reading the syntax, following imports, expanding macros.
    Parser,
    /// The same, and no error.
    ParserWarning,
    /// Resolving names and checking types.
    Typechecker,
    /// What is well-typed and still means nothing.
    Consistency,
}

impl ReadErrorKind {
    /// The id, as annotations and JSON write it.
    pub fn id(self) -> &'static str {
        match self {
            ReadErrorKind::Parser => "parser.error",
            ReadErrorKind::ParserWarning => "parser.warning",
            ReadErrorKind::Typechecker => "typechecker.error",
            ReadErrorKind::Consistency => "consistency.error",
        }
    }
}

impl ReadError {
    /// An error of syntax, imports or macros.
    pub fn parser(span: Span, message: impl Into<String>) -> ReadError {
        ReadError { kind: ReadErrorKind::Parser, span, message: message.into() }
    }

    /// A warning of the parser: unusual, but not wrong.
    pub fn parser_warning(span: Span, message: impl Into<String>) -> ReadError {
        ReadError { kind: ReadErrorKind::ParserWarning, span, message: message.into() }
    }

    /// A name or type error.
    pub fn typechecker(span: Span, message: impl Into<String>) -> ReadError {
        ReadError { kind: ReadErrorKind::Typechecker, span, message: message.into() }
    }

    /// An error of the consistency check.
    pub fn consistency(span: Span, message: impl Into<String>) -> ReadError {
        ReadError { kind: ReadErrorKind::Consistency, span, message: message.into() }
    }
}
