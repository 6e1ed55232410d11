//! A cursor over the text: bytes, words, names, strings, numbers.
//!
//! Knows: lexical rules. Never: the grammar.

use super::names::Name;
use super::{ReadError, Result};
use std::borrow::Cow;

#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

/// The longest excerpt of an error, in bytes.
const MAX_EXCERPT: usize = 200;

/// A byte that continues an unquoted name.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-') || byte >= 0x80
}

/// The first bytes of `text` that satisfy `part`.
fn run(text: &[u8], part: impl Fn(u8) -> bool) -> &[u8] {
    let length = text.iter().position(|&it| !part(it)).unwrap_or(text.len());
    text.get(..length).unwrap_or_default()
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    /// The text from here on.
    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text from `start` to here.
    pub(super) fn since(&self, start: usize) -> &'a [u8] {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Skips `count` bytes.
    pub(super) fn advance(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.text.len());
    }

    /// The next byte, spaces not skipped.
    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The next byte after spaces, which are skipped.
    #[inline]
    pub(super) fn peek_token(&mut self) -> Option<u8> {
        self.skip_space();
        self.peek()
    }

    pub(super) fn starts_with(&self, prefix: &[u8]) -> bool {
        self.rest().starts_with(prefix)
    }

    /// Skips white space and comments.
    #[inline]
    pub(super) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                b';' => self.skip_line(),
                _ => break,
            }
        }
    }

    /// Skips to the next line.
    pub(super) fn skip_line(&mut self) {
        self.at = match memchr::memchr(b'\n', self.rest()) {
            Some(length) => self.at + length + 1,
            None => self.text.len(),
        };
    }

    /// Whether nothing but spaces and a comment is left on the line; the spaces are skipped.
    pub(super) fn at_line_end(&mut self) -> bool {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        matches!(self.peek(), None | Some(b'\n' | b'\r' | b';'))
    }

    /// Takes `token` if it is next; otherwise stays, so that the end of a line is still seen.
    #[inline]
    pub(super) fn take(&mut self, token: &[u8]) -> bool {
        let start = self.at;
        self.skip_space();
        let found = self.starts_with(token);
        self.at = if found { self.at + token.len() } else { start };
        found
    }

    /// Takes the whole word `word` if it is next.
    pub(super) fn take_word(&mut self, word: &[u8]) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    pub(super) fn expect(&mut self, token: &[u8]) -> Result<()> {
        if self.take(token) {
            return Ok(());
        }
        Err(self.error(&format!("`{}`", String::from_utf8_lossy(token))))
    }

    pub(super) fn expect_word(&mut self, word: &[u8]) -> Result<()> {
        if self.take_word(word) {
            return Ok(());
        }
        Err(self.error(&format!("`{}`", String::from_utf8_lossy(word))))
    }

    /// The next word of letters, digits, `_` and `.`; empty if there is none.
    #[inline]
    pub(super) fn word(&mut self) -> &'a [u8] {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// The word that comes next, not taken.
    #[inline]
    pub(super) fn peek_word(&mut self) -> &'a [u8] {
        self.skip_space();
        run(self.rest(), |it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.'))
    }

    /// A name after `%` or `@`: unquoted or a string.
    pub(super) fn name(&mut self) -> Result<Name<'a>> {
        if self.peek() == Some(b'"') {
            return Ok(Name::Text(self.string()?));
        }
        let name = run(self.rest(), is_name);
        if name.is_empty() {
            return Err(self.error("a name"));
        }
        self.at += name.len();
        Ok(Name::unquoted(name))
    }

    /// A string in double quotes, its escapes (`\0A`) resolved.
    pub(super) fn string(&mut self) -> Result<Cow<'a, [u8]>> {
        self.expect(b"\"")?;
        let rest = self.rest();
        let Some(raw) = memchr::memchr(b'"', rest).and_then(|length| rest.get(..length)) else {
            return Err(self.error("the end of a string"));
        };
        self.at += raw.len() + 1;
        Ok(unescaped(raw))
    }

    /// The characters of a decimal floating-point number.
    pub(super) fn float_text(&mut self) -> &'a [u8] {
        let text = run(self.rest(), |it| it.is_ascii_digit() || matches!(it, b'+' | b'-' | b'.' | b'e' | b'E'));
        self.at += text.len();
        text
    }

    /// A decimal number that fits.
    pub(super) fn number(&mut self) -> Result<u64> {
        self.skip_space();
        let start = self.at;
        let mut res: u64 = 0;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            res = match res.checked_mul(10).and_then(|it| it.checked_add(u64::from(digit - b'0'))) {
                Some(it) => it,
                None => {
                    return Err(self.error_at(start, "a number of at most 64 bits was expected".to_owned()));
                }
            };
            self.at += 1;
        }
        if self.at == start {
            return Err(self.error("a number"));
        }
        Ok(res)
    }

    /// A decimal number that fits 32 bits.
    pub(super) fn number_u32(&mut self) -> Result<u32> {
        let start = self.at;
        let number = self.number()?;
        u32::try_from(number).map_err(|_| self.error_at(start, "a number of at most 32 bits was expected".to_owned()))
    }

    /// Skips a parenthesised group if one is next; otherwise stays.
    pub(super) fn skip_parentheses(&mut self) -> Result<()> {
        let start = self.at;
        if self.peek_token() == Some(b'(') {
            return self.skip_group();
        }
        self.at = start;
        Ok(())
    }

    /// Skips a group in brackets of any kind, with what is nested and quoted in it.
    pub(super) fn skip_group(&mut self) -> Result<()> {
        let start = self.at;
        let mut depth = 0u32;
        while let Some(byte) = self.peek() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.at += 1;
                        return Ok(());
                    }
                }
                b'"' => {
                    self.string()?;
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        Err(self.error_at(start, "this group is not closed".to_owned()))
    }

    /// An error: `expected` was expected here.
    pub(super) fn error(&mut self, expected: &str) -> ReadError {
        self.skip_space();
        let word = run(self.rest(), |it| !it.is_ascii_whitespace());
        let found = match String::from_utf8_lossy(word.get(..30).unwrap_or(word)) {
            it if it.is_empty() => "the end of the text".to_owned(),
            it => format!("`{it}`"),
        };
        self.error_here(format!("{expected} was expected, not {found}"))
    }

    pub(super) fn error_here(&self, message: String) -> ReadError {
        self.error_at(self.at, message)
    }

    pub(super) fn error_at(&self, at: usize, message: String) -> ReadError {
        // An error at the end of the text is shown on its last line.
        let end = self.text.trim_ascii_end().len();
        let at = at.min(end);
        let before = self.text.get(..at).unwrap_or_default();
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |it| it + 1);
        let line = run(self.text.get(line_start..).unwrap_or_default(), |it| it != b'\n' && it != b'\r');
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        ReadError {
            line: count(memchr::memchr_iter(b'\n', before).count()).saturating_add(1),
            column: count(at - line_start).saturating_add(1),
            message,
            excerpt: String::from_utf8_lossy(line.get(..MAX_EXCERPT).unwrap_or(line)).into_owned(),
        }
    }
}

/// The bytes that a string spells: `\22` is a quote, `\\` a backslash.
pub(super) fn unescaped(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let hex = |byte: u8| (byte as char).to_digit(16).map(|it| it as u8);
    let mut res = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let [byte, tail @ ..] = rest {
        let (byte, tail) = match rest {
            [b'\\', b'\\', tail @ ..] => (b'\\', tail),
            [b'\\', high, low, tail @ ..] => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => (high * 16 + low, tail),
                _ => (*byte, rest.get(1..).unwrap_or_default()),
            },
            _ => (*byte, tail),
        };
        res.push(byte);
        rest = tail;
    }
    Cow::Owned(res)
}
