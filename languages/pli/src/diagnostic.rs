//! Errors in a source file, each with its place.
//!
//! Knows: how an excerpt with a caret is written. Never: where it is printed.

use crate::syntax::Span;
use std::fmt::Write;

/// One error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What was expected, or what is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// All errors of a file, with the text that they are about.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", render(file, text, errors))]
pub struct Diagnostics {
    /// The file's name.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The errors, in the order of the source.
    pub errors: Vec<Diagnostic>,
}

/// More errors of one file are counted, not shown.
const MOST_SHOWN: usize = 50;

/// Longer lines are cut around the error.
const LONGEST_EXCERPT: usize = 120;

fn render(file: &str, source: &str, errors: &[Diagnostic]) -> String {
    let lines = Lines::new(source);
    let mut res = String::new();
    for (at, error) in errors.iter().take(MOST_SHOWN).enumerate() {
        let (line, column) = lines.position(error.span.start);
        let text = lines.text(line);
        let separator = if at == 0 { "" } else { "\n" };
        let _ = write!(res, "{separator}{file}:{line}:{column}: {}", error.message);
        // A window of the line that holds the error.
        let before = (column as usize - 1).min(LONGEST_EXCERPT / 2);
        let skip = column as usize - 1 - before;
        let excerpt: String =
            text.chars().skip(skip).take(LONGEST_EXCERPT).map(|it| if it.is_control() { ' ' } else { it }).collect();
        let marked = source.get(error.span.start as usize..error.span.end as usize).unwrap_or("");
        let width = marked.lines().next().map_or(1, |it| it.chars().count()).clamp(1, LONGEST_EXCERPT - before);
        let _ = write!(res, "\n  {excerpt}\n  {}{}", " ".repeat(before), "^".repeat(width));
    }
    if errors.len() > MOST_SHOWN {
        let _ = write!(res, "\nand {} more errors", errors.len() - MOST_SHOWN);
    }
    res
}

/// Where lines begin.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    source: &'a str,
    starts: Vec<u32>,
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub fn new(source: &'a str) -> Lines<'a> {
        let ends = source.bytes().enumerate().filter(|it| it.1 == b'\n').map(|it| it.0 as u32 + 1);
        Lines { source, starts: std::iter::once(0).chain(ends).collect() }
    }

    /// The line of a byte, counted from 1.
    pub fn line(&self, at: u32) -> u32 {
        self.starts.partition_point(|&it| it <= at) as u32
    }

    /// Line and column (in characters), counted from 1.
    pub fn position(&self, at: u32) -> (u32, u32) {
        let line = self.line(at);
        let start = self.starts[line as usize - 1] as usize;
        let column = self.source.get(start..at as usize).map_or(0, |it| it.chars().count());
        (line, column as u32 + 1)
    }

    /// The text of a line without its end.
    pub fn text(&self, line: u32) -> &'a str {
        let start = self.starts[line as usize - 1] as usize;
        let end = self.starts.get(line as usize).map_or(self.source.len(), |&it| it as usize);
        self.source[start..end].trim_end_matches(['\n', '\r'])
    }
}
