//! A cursor over the text: bytes, words, names, strings, numbers.
//!
//! Knows: lexical rules. Never: the grammar.

use super::{ReadError, Result};
use std::borrow::Cow;

#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

/// A byte that continues an unquoted name.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-') || byte >= 0x80
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

    /// The text from `start` to here.
    pub(super) fn since(&self, start: usize) -> &'a [u8] {
        &self.text[start.min(self.at)..self.at]
    }

    /// Skips one byte.
    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.text.len());
    }

    /// The next byte, spaces not skipped.
    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(super) fn starts_with(&self, prefix: &[u8]) -> bool {
        self.text[self.at..].starts_with(prefix)
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

    pub(super) fn skip_line(&mut self) {
        self.at = match memchr::memchr(b'\n', &self.text[self.at..]) {
            Some(length) => self.at + length + 1,
            None => self.text.len(),
        };
    }

    /// Skips `^0 = ...`: a line.
    pub(super) fn skip_summary(&mut self) {
        self.skip_line();
    }

    /// Skips to the end of a line that may hold braces over several lines (`attributes #0 = { ... }`).
    pub(super) fn skip_balanced_line(&mut self) {
        self.skip_line();
    }

    /// Takes `token` if it is next; otherwise stays, so that the end of an instruction stays the end of its line.
    #[inline]
    pub(super) fn take(&mut self, token: &[u8]) -> bool {
        let start = self.at;
        self.skip_space();
        if !self.starts_with(token) {
            self.at = start;
            return false;
        }
        self.at += token.len();
        true
    }

    /// Takes the whole word `word` if it is next.
    pub(super) fn take_word(&mut self, word: &[u8]) -> bool {
        let start = self.at;
        if self.word() == word {
            return true;
        }
        self.at = start;
        false
    }

    pub(super) fn expect(&mut self, token: &[u8]) -> Result<()> {
        if self.take(token) {
            return Ok(());
        }
        Err(self.error(&format!("`{}`", String::from_utf8_lossy(token))))
    }

    /// The next word of letters, digits, `_` and `.`; empty if there is none.
    #[inline]
    pub(super) fn word(&mut self) -> &'a [u8] {
        self.skip_space();
        let rest = &self.text[self.at..];
        let length =
            rest.iter().position(|it| !(it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.'))).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// The word that comes next, not taken.
    pub(super) fn peek_word(&mut self) -> &'a [u8] {
        self.skip_space();
        let start = self.at;
        let word = self.word();
        self.at = start;
        word
    }

    /// A name after `%` or `@`: unquoted or a string.
    pub(super) fn name(&mut self) -> Result<Cow<'a, [u8]>> {
        if self.peek() == Some(b'"') {
            return self.string();
        }
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&it| !is_name(it)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error("a name"));
        }
        self.at += length;
        Ok(Cow::Borrowed(&rest[..length]))
    }

    /// A string in double quotes, its escapes (`\0A`) resolved.
    pub(super) fn string(&mut self) -> Result<Cow<'a, [u8]>> {
        self.expect(b"\"")?;
        let rest = &self.text[self.at..];
        let Some(length) = memchr::memchr(b'"', rest) else {
            return Err(self.error("the end of a string"));
        };
        let raw = &rest[..length];
        self.at += length + 1;
        if memchr::memchr(b'\\', raw).is_none() {
            return Ok(Cow::Borrowed(raw));
        }
        let mut res = Vec::with_capacity(raw.len());
        let mut at = 0;
        while let Some(&byte) = raw.get(at) {
            let digit = |offset: usize| raw.get(at + offset).and_then(|&it| (it as char).to_digit(16));
            match (byte, digit(1), digit(2)) {
                (b'\\', Some(high), Some(low)) => {
                    res.push((high * 16 + low) as u8);
                    at += 3;
                }
                (b'\\', ..) if raw.get(at + 1) == Some(&b'\\') => {
                    res.push(b'\\');
                    at += 2;
                }
                _ => {
                    res.push(byte);
                    at += 1;
                }
            }
        }
        Ok(Cow::Owned(res))
    }

    /// The characters of a decimal floating-point number.
    pub(super) fn float_text(&mut self) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let part = |it: &u8| it.is_ascii_digit() || matches!(it, b'+' | b'-' | b'.' | b'e' | b'E');
        let length = rest.iter().position(|it| !part(it)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A decimal number that fits.
    pub(super) fn number(&mut self) -> Result<u64> {
        self.skip_space();
        let start = self.at;
        let mut res: u64 = 0;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            res = match res.checked_mul(10).and_then(|it| it.checked_add(u64::from(digit - b'0'))) {
                Some(it) => it,
                None => return Err(self.error_at(start, "a number of at most 64 bits was expected".to_owned())),
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

    /// Skips a parenthesised group if one is next.
    pub(super) fn skip_parentheses(&mut self) -> Result<()> {
        self.skip_space();
        if self.peek() == Some(b'(') {
            self.skip_group()?;
        }
        Ok(())
    }

    /// Skips a group in brackets of any kind, with what is nested and quoted in it.
    pub(super) fn skip_group(&mut self) -> Result<()> {
        let start = self.at;
        let mut depth = 0u32;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                b'"' => {
                    self.at -= 1;
                    self.string()?;
                }
                _ => {}
            }
        }
        Err(self.error_at(start, "this group is not closed".to_owned()))
    }

    /// An error: `expected` was expected here.
    pub(super) fn error(&mut self, expected: &str) -> ReadError {
        self.skip_space();
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|it| it.is_ascii_whitespace()).unwrap_or(rest.len());
        let found = match String::from_utf8_lossy(&rest[..end.min(30)]) {
            it if it.is_empty() => "the end of the text".to_owned(),
            it => format!("`{it}`"),
        };
        self.error_here(format!("{expected} was expected, not {found}"))
    }

    pub(super) fn error_here(&self, message: String) -> ReadError {
        self.error_at(self.at, message)
    }

    pub(super) fn error_at(&self, at: usize, message: String) -> ReadError {
        let at = at.min(self.text.len());
        let before = &self.text[..at];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |it| it + 1);
        let rest = &self.text[line_start..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        ReadError {
            line: memchr::memchr_iter(b'\n', before).count() as u32 + 1,
            column: (at - line_start) as u32 + 1,
            message,
            excerpt: String::from_utf8_lossy(&rest[..end.min(200)]).into_owned(),
        }
    }
}
