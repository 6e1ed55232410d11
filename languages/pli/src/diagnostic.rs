//! Errors in a source file, each with its place.
//!
//! Knows: lines and columns. Never: where an error is shown, how an excerpt is drawn.

use crate::syntax::Span;

/// One error in the text of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What was expected, or what is wrong.
    pub message: String,
    /// The part of the text that is wrong.
    pub span: Span,
}

/// All errors of a file, with the text that they are about.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", render(self))]
pub struct Diagnostics {
    /// The name of the file that has the errors.
    pub file: String,
    /// The whole text of the file.
    pub text: String,
    /// The errors, in the order of the source.
    pub errors: Vec<Diagnostic>,
}

/// Further ones are not even counted.
const MOST_ERRORS: usize = 10_000;

/// Adds an error, unless there are too many already.
pub(crate) fn note(errors: &mut Vec<Diagnostic>, span: Span, message: String) {
    if errors.len() < MOST_ERRORS {
        errors.push(Diagnostic { message, span });
    }
}

/// More errors of one file are counted, not shown.
const MOST_SHOWN: usize = 50;

/// An error with its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocatedError<'a> {
    /// The message of the diagnostic.
    pub message: &'a str,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// The column behind it, on the same line.
    pub end: u32,
    /// The text of the line, without its end.
    pub text: &'a str,
}

impl Diagnostics {
    /// The errors that are shown, and how many there are beside them.
    pub fn located(&self) -> (Vec<LocatedError<'_>>, usize) {
        let lines = Lines::new(&self.text);
        let located = |it: &'_ Diagnostic| {
            let (line, column) = lines.position(it.span.start);
            let marked = self.text.get(it.span.start as usize..it.span.end as usize).unwrap_or("");
            let width = marked.lines().next().map_or(1, |it| it.chars().count()).max(1);
            (line, column, column.saturating_add(u32::try_from(width).unwrap_or(u32::MAX)))
        };
        let shown = self.errors.iter().take(MOST_SHOWN).map(|it| {
            let (line, column, end) = located(it);
            LocatedError { message: &it.message, line, column, end, text: lines.text(line) }
        });
        (shown.collect(), self.errors.len().saturating_sub(MOST_SHOWN))
    }
}

fn render(errors: &Diagnostics) -> String {
    let (shown, more) = errors.located();
    let told = shown.iter().map(|it| format!("{}:{}:{}: {}", errors.file, it.line, it.column, it.message));
    let more = (more > 0).then(|| format!("and {more} more errors"));
    told.chain(more).collect::<Vec<_>>().join("\n")
}

/// The characters that begin in a piece of UTF-8.
fn begun(text: &[u8]) -> u32 {
    text.iter().filter(|it| **it & 0xC0 != 0x80).count() as u32
}

/// The offsets at which the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    source: &'a str,
    starts: Vec<u32>,
    /// The characters before every so manieth byte.
    characters: Vec<u32>,
}

/// Long lines are not counted through for each statement on them.
const BLOCK: usize = 1024;

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub fn new(source: &'a str) -> Lines<'a> {
        let ends = source.bytes().enumerate().filter(|it| it.1 == b'\n').map(|it| it.0 as u32 + 1);
        let mut characters = vec![0];
        for block in source.as_bytes().chunks(BLOCK) {
            characters.push(characters[characters.len() - 1] + begun(block));
        }
        Lines { source, starts: std::iter::once(0).chain(ends).collect(), characters }
    }

    /// The line of a byte, counted from 1.
    pub fn line(&self, at: u32) -> u32 {
        self.starts.partition_point(|&it| it <= at) as u32
    }

    /// Line and column (in characters), counted from 1.
    pub fn position(&self, at: u32) -> (u32, u32) {
        let line = self.line(at);
        let start = self.starts[line as usize - 1];
        (line, self.characters_before(at) - self.characters_before(start) + 1)
    }

    fn characters_before(&self, at: u32) -> u32 {
        let at = (at as usize).min(self.source.len());
        let block = at / BLOCK;
        self.characters[block] + begun(&self.source.as_bytes()[block * BLOCK..at])
    }

    /// The text of a line without its end.
    pub fn text(&self, line: u32) -> &'a str {
        let start = self.starts[line as usize - 1] as usize;
        let end = self.starts.get(line as usize).map_or(self.source.len(), |&it| it as usize);
        self.source[start..end].trim_end_matches(['\n', '\r'])
    }
}
