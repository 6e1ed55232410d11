//! Texts from texts: parts, other letters, longer ones.
//!
//! Knows: which parts of a text there are depends on its characters, which is asked. Never: how texts are compared.

use super::{SymStr, Text};
use crate::sym::Sym;
use std::ops::{Add, AddAssign};

impl Sym<char> {
    /// The character with this number, which is one.
    fn of_code(code: Sym<u32>) -> Sym<char> {
        match (code.as_plain(), code.session()) {
            (None, Some(session)) => Sym::of(&session, code.term(&session)),
            (plain, _) => Sym::plain(plain.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)),
        }
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn to_ascii_uppercase(self) -> Sym<char> {
        let small = self.at_least('a') & self.at_most('z');
        small.select(Sym::of_code(self.code().wrapping_sub(32)), self)
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn to_ascii_lowercase(self) -> Sym<char> {
        let large = self.at_least('A') & self.at_most('Z');
        large.select(Sym::of_code(self.code().wrapping_add(32)), self)
    }

    /// As the method of the type; a truth value that is not asked.
    #[track_caller]
    pub fn is_ascii_alphanumeric(self) -> Sym<bool> {
        self.is_ascii_alphabetic() | self.is_ascii_digit()
    }

    /// As the method of the type; a truth value that is not asked.
    #[track_caller]
    pub fn is_whitespace(self) -> Sym<bool> {
        const SPACES: [(char, char); 10] = [
            ('\t', '\r'),
            (' ', ' '),
            ('\u{85}', '\u{85}'),
            ('\u{a0}', '\u{a0}'),
            ('\u{1680}', '\u{1680}'),
            ('\u{2000}', '\u{200a}'),
            ('\u{2028}', '\u{2029}'),
            ('\u{202f}', '\u{202f}'),
            ('\u{205f}', '\u{205f}'),
            ('\u{3000}', '\u{3000}'),
        ];
        let within = |(low, high)| self.at_least(low) & self.at_most(high);
        SPACES.into_iter().fold(Sym::plain(false), |any, it| any | within(it))
    }
}

impl SymStr {
    fn of(chars: &[Sym<char>]) -> SymStr {
        SymStr { chars: chars.to_vec() }
    }

    /// One more character at its end.
    pub fn push(&mut self, it: impl Into<Sym<char>>) {
        self.chars.push(it.into());
    }

    /// A text at its end.
    pub fn push_str(&mut self, text: impl Text) {
        self.chars.extend(text.parts());
    }

    /// Its last character is taken off.
    pub fn pop(&mut self) -> Option<Sym<char>> {
        self.chars.pop()
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn to_ascii_uppercase(&self) -> SymStr {
        self.chars().map(Sym::<char>::to_ascii_uppercase).collect()
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn to_ascii_lowercase(&self) -> SymStr {
        self.chars().map(Sym::<char>::to_ascii_lowercase).collect()
    }

    /// What follows this text; asks whether it begins so.
    #[track_caller]
    pub fn strip_prefix(&self, start: impl Text) -> Option<SymStr> {
        let start = start.parts();
        self.starts_with(SymStr::of(&start)).holds().then(|| SymStr::of(&self.chars[start.len()..]))
    }

    /// What this text follows; asks whether it ends so.
    #[track_caller]
    pub fn strip_suffix(&self, end: impl Text) -> Option<SymStr> {
        let end = end.parts();
        self.ends_with(SymStr::of(&end)).holds().then(|| SymStr::of(&self.chars[..self.chars.len() - end.len()]))
    }

    /// Without white space at its start; asks where that ends.
    #[track_caller]
    pub fn trim_start(&self) -> SymStr {
        let first = self.chars.iter().position(|it| !it.is_whitespace().holds());
        SymStr::of(&self.chars[first.unwrap_or(self.chars.len())..])
    }

    /// Without white space at its end; asks where that begins.
    #[track_caller]
    pub fn trim_end(&self) -> SymStr {
        let last = self.chars.iter().rposition(|it| !it.is_whitespace().holds());
        SymStr::of(&self.chars[..last.map_or(0, |it| it + 1)])
    }

    /// Without white space on both sides.
    #[track_caller]
    pub fn trim(&self) -> SymStr {
        self.trim_start().trim_end()
    }

    /// What stands before and after the first place of this text; asks where that is.
    #[track_caller]
    pub fn split_once(&self, at: impl Text) -> Option<(SymStr, SymStr)> {
        let part = at.parts();
        let at = self.position(&part)?;
        Some((SymStr::of(&self.chars[..at]), SymStr::of(&self.chars[at + part.len()..])))
    }

    /// The parts between these characters; asks of each character whether it is one.
    #[track_caller]
    pub fn split(&self, at: char) -> std::vec::IntoIter<SymStr> {
        let mut res = vec![SymStr::new()];
        for it in self.chars() {
            match (it.equals(at).holds(), res.last_mut()) {
                (false, Some(last)) => last.push(it),
                _ => res.push(SymStr::new()),
            }
        }
        res.into_iter()
    }
}

impl<T: Text> Add<T> for SymStr {
    type Output = SymStr;

    fn add(mut self, other: T) -> SymStr {
        self.push_str(other);
        self
    }
}

impl<T: Text> AddAssign<T> for SymStr {
    fn add_assign(&mut self, other: T) {
        self.push_str(other);
    }
}

impl Extend<Sym<char>> for SymStr {
    fn extend<I: IntoIterator<Item = Sym<char>>>(&mut self, iter: I) {
        self.chars.extend(iter);
    }
}
