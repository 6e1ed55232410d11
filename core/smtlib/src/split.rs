//! Bytes into commands: each from its parenthesis to the one that closes it, as soon as it is there.
//!
//! Knows: parentheses, comments, texts and quoted names. Never: what a command says.

use crate::error::{Position, Problem, ScriptError};

/// A longer command is not read: its tokens would take gigabytes.
const MOST_BYTES: usize = 256 << 20;

/// In what the next byte stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Plain,
    Comment,
    Text,
    Quoted,
}

/// Takes bytes as they come and gives commands.
#[derive(Debug)]
pub struct Splitter {
    buffer: Vec<u8>,
    /// The first byte that belongs to no command yet, and its place.
    start: usize,
    place: Position,
    /// The first byte that was not looked at, and how things stand there.
    seen: usize,
    depth: u32,
    mode: Mode,
}

/// A command as it was written.
#[derive(Clone, Copy, Debug)]
pub struct RawCommand<'a> {
    pub(crate) bytes: &'a [u8],
    /// The position of the command's first byte.
    pub place: Position,
}

impl Default for Splitter {
    fn default() -> Splitter {
        Splitter::new()
    }
}

impl Splitter {
    /// A splitter that was given no input yet.
    pub fn new() -> Splitter {
        Splitter { buffer: Vec::new(), start: 0, place: Position::START, seen: 0, depth: 0, mode: Mode::Plain }
    }

    /// Appends the next bytes of the script.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.seen -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next command that is complete.
    ///
    /// # Errors
    /// When something else than a command stands between commands, or a command is too long.
    pub fn next_command(&mut self) -> Result<Option<RawCommand<'_>>, ScriptError> {
        while let Some(&byte) = self.buffer.get(self.seen) {
            self.seen += 1;
            match (self.mode, byte) {
                (Mode::Comment, b'\n') | (Mode::Text, b'"') | (Mode::Quoted, b'|') => self.mode = Mode::Plain,
                (Mode::Plain, b';') => self.mode = Mode::Comment,
                (Mode::Plain, b'"') if self.depth > 0 => self.mode = Mode::Text,
                (Mode::Plain, b'|') if self.depth > 0 => self.mode = Mode::Quoted,
                (Mode::Plain, b'(') => {
                    if self.depth == 0 {
                        self.skip(self.seen - 1);
                    }
                    self.depth += 1;
                }
                (Mode::Plain, b')') if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        let (range, place) = (self.start..self.seen, self.place);
                        self.skip(self.seen);
                        return Ok(Some(RawCommand { bytes: &self.buffer[range], place }));
                    }
                }
                (Mode::Plain, it) if self.depth == 0 && !it.is_ascii_whitespace() => {
                    self.skip(self.seen - 1);
                    let found = format!("`{}`", char::from(it).escape_default());
                    return Err(self.error(Problem::expected("a command", found)));
                }
                _ => {}
            }
            if self.seen - self.start > MOST_BYTES {
                // What stands between commands is no command.
                if self.depth == 0 {
                    self.skip(self.seen);
                } else {
                    return Err(self.error(Problem::Limit(format!("{} MB for a command", MOST_BYTES >> 20))));
                }
            }
        }
        if self.depth == 0 {
            self.skip(self.seen);
        }
        Ok(None)
    }

    /// Whether the script may end here.
    ///
    /// # Errors
    /// When a command is not complete; its beginning is the place.
    pub fn finish(&self) -> Result<(), ScriptError> {
        if self.depth > 0 { Err(self.error(Problem::Unfinished)) } else { Ok(()) }
    }

    fn skip(&mut self, to: usize) {
        self.place = self.place.after(&self.buffer[self.start..to]);
        self.start = to;
    }

    fn error(&self, problem: Problem) -> ScriptError {
        ScriptError { place: self.place, problem }
    }
}
