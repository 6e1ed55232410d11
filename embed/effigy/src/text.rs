//! Texts of symbolic characters, up to a bound.
//!
//! Knows: what a text is made of, comparisons and searches, each without asking where it can be. Never: encodings
//! (`bytes`), numbers (`parse`).
//!
//! A method has the name and the meaning that it has for `String`. How many characters there are is decided when a text
//! is made up; which they are is asked only where a path depends on it.
#![expect(
    clippy::partialeq_ne_impl,
    reason = "by the method that core provides, a question would have a line of core's"
)]

mod bytes;
mod change;
mod parse;

use crate::exp::Exp;
use crate::expect::Same;
use crate::merge::ReadOnly;
use crate::rewritten::{Resolve, Test};
use crate::sym::{Repr, Sym};
use crate::symbolic::{Expression, Symbolic, list};
use crate::written::{Style, style};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A text whose characters are symbolic; its length is decided when it is made up.
#[derive(Clone, Default)]
pub struct SymStr {
    pub(crate) chars: Vec<Sym<char>>,
}

impl ReadOnly for SymStr {}

/// What a text can be compared with, or searched for.
pub trait Text {
    /// The characters of the text, in order.
    fn parts(&self) -> Vec<Sym<char>>;
}

impl Text for str {
    fn parts(&self) -> Vec<Sym<char>> {
        self.chars().map(Sym::plain).collect()
    }
}

impl Text for String {
    fn parts(&self) -> Vec<Sym<char>> {
        self.as_str().parts()
    }
}

impl Text for char {
    fn parts(&self) -> Vec<Sym<char>> {
        vec![Sym::plain(*self)]
    }
}

impl Text for Sym<char> {
    fn parts(&self) -> Vec<Sym<char>> {
        vec![*self]
    }
}

impl Text for SymStr {
    fn parts(&self) -> Vec<Sym<char>> {
        self.chars.clone()
    }
}

impl<T: Text + ?Sized> Text for &T {
    fn parts(&self) -> Vec<Sym<char>> {
        T::parts(self)
    }
}

/// Whether these characters are those, from the start on.
#[track_caller]
fn begins(chars: &[Sym<char>], with: &[Sym<char>]) -> Sym<bool> {
    if chars.len() < with.len() {
        return Sym::plain(false);
    }
    chars.iter().zip(with).fold(Sym::plain(true), |all, (a, b)| all & a.equals(*b))
}

impl SymStr {
    /// The text that has no characters.
    pub fn new() -> SymStr {
        SymStr::default()
    }

    /// The characters of the text, in order.
    pub fn chars(&self) -> std::iter::Copied<std::slice::Iter<'_, Sym<char>>> {
        self.chars.iter().copied()
    }

    /// Whether the text has no characters.
    pub fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// Itself, for words that are also about `String`.
    pub fn as_str(&self) -> &SymStr {
        self
    }

    /// One of its values; each is followed.
    #[track_caller]
    pub fn value(&self) -> String {
        self.chars.iter().map(|it| it.value()).collect()
    }

    /// Whether it is this text, without asking.
    #[track_caller]
    pub fn equals(&self, other: impl Text) -> Sym<bool> {
        let other = other.parts();
        if other.len() == self.chars.len() { begins(&self.chars, &other) } else { Sym::plain(false) }
    }

    /// Whether it comes before this text, without asking.
    #[track_caller]
    pub fn less(&self, other: impl Text) -> Sym<bool> {
        let other = other.parts();
        let common = self.chars.iter().zip(&other).rev();
        common.fold(Sym::plain(self.chars.len() < other.len()), |rest, (a, b)| a.less(*b) | (a.equals(*b) & rest))
    }

    /// Whether it begins with this text, without asking.
    #[track_caller]
    pub fn starts_with(&self, start: impl Text) -> Sym<bool> {
        begins(&self.chars, &start.parts())
    }

    /// Whether it ends with this text, without asking.
    #[track_caller]
    pub fn ends_with(&self, end: impl Text) -> Sym<bool> {
        let end = end.parts();
        match self.chars.len().checked_sub(end.len()) {
            Some(from) => begins(&self.chars[from..], &end),
            None => Sym::plain(false),
        }
    }

    /// Whether this text is in it, without asking.
    #[track_caller]
    pub fn contains(&self, part: impl Text) -> Sym<bool> {
        let part = part.parts();
        (0..=self.chars.len()).fold(Sym::plain(false), |any, at| any | begins(&self.chars[at..], &part))
    }

    /// Whether it is this text but for the case of ASCII letters, without asking.
    #[track_caller]
    pub fn eq_ignore_ascii_case(&self, other: impl Text) -> Sym<bool> {
        let other = SymStr { chars: other.parts() };
        self.to_ascii_lowercase().equals(other.to_ascii_lowercase())
    }

    /// The first character at which this text begins; asks at each.
    #[track_caller]
    fn position(&self, part: &[Sym<char>]) -> Option<usize> {
        (0..=self.chars.len()).find(|&at| begins(&self.chars[at..], part).holds())
    }

    /// At which byte this text is in it first; asks where.
    #[track_caller]
    pub fn find(&self, part: impl Text) -> Option<Sym<usize>> {
        let at = self.position(&part.parts())?;
        Some(bytes::length(&self.chars[..at]))
    }
}

impl From<&str> for SymStr {
    fn from(text: &str) -> SymStr {
        SymStr { chars: text.parts() }
    }
}

impl From<String> for SymStr {
    fn from(text: String) -> SymStr {
        SymStr { chars: text.parts() }
    }
}

impl FromIterator<Sym<char>> for SymStr {
    fn from_iter<I: IntoIterator<Item = Sym<char>>>(iter: I) -> SymStr {
        SymStr { chars: iter.into_iter().collect() }
    }
}

/// `==` asks, so that each answer is a path.
impl<T: Text + ?Sized> PartialEq<T> for SymStr {
    #[track_caller]
    fn eq(&self, other: &T) -> bool {
        self.equals(other).holds()
    }

    #[track_caller]
    fn ne(&self, other: &T) -> bool {
        !self.equals(other).holds()
    }
}

impl Eq for SymStr {}

/// A comparison asks, so that each answer is a path.
impl<T: Text + ?Sized> PartialOrd<T> for SymStr {
    #[track_caller]
    fn partial_cmp(&self, other: &T) -> Option<Ordering> {
        Some(if self.less(other).holds() {
            Ordering::Less
        } else if self.equals(other).holds() {
            Ordering::Equal
        } else {
            Ordering::Greater
        })
    }

    #[track_caller]
    fn lt(&self, other: &T) -> bool {
        self.less(other).holds()
    }

    #[track_caller]
    fn le(&self, other: &T) -> bool {
        (self.less(other) | self.equals(other)).holds()
    }

    #[track_caller]
    fn gt(&self, other: &T) -> bool {
        !self.le(other)
    }

    #[track_caller]
    fn ge(&self, other: &T) -> bool {
        !self.lt(other)
    }
}

impl Ord for SymStr {
    #[track_caller]
    fn cmp(&self, other: &SymStr) -> Ordering {
        if self.less(other).holds() {
            Ordering::Less
        } else if self.equals(other).holds() {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
}

/// A key of a hash table is one value; each is followed.
impl Hash for SymStr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let text: String = self.chars.iter().map(|it| it.value_for("a text that is hashed")).collect();
        text.hash(state);
    }
}

impl SymStr {
    /// The text that is written for it, or `None` where its symbols are named.
    fn for_text(&self) -> Option<String> {
        let session = self.chars.iter().find_map(|it| match it.repr {
            Repr::Plain(_) => None,
            Repr::Term(id, _) => Some(id),
        });
        match session.map(style) {
            None | Some(Style::Value) => {
                Some(self.chars.iter().map(|it| it.value_for("a text that is written")).collect())
            }
            Some(Style::Term(_) | Style::Unknown) => None,
        }
    }
}

/// As a number is written: one of its values, each on a path of its own.
impl fmt::Debug for SymStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.for_text() {
            Some(text) => fmt::Debug::fmt(&text, f),
            None => fmt::Debug::fmt(&self.chars, f),
        }
    }
}

/// As a number is written: one of its values, each on a path of its own.
impl fmt::Display for SymStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.for_text() {
            Some(text) => fmt::Display::fmt(&text, f),
            None => self.chars.iter().try_for_each(|it| match it.as_plain() {
                Some(plain) => write!(f, "{plain}"),
                None => write!(f, "{{{it:?}}}"),
            }),
        }
    }
}

impl<T: Text + fmt::Debug> Same<T> for SymStr {
    #[track_caller]
    fn same(&self, other: &T) -> Sym<bool> {
        self.equals(other)
    }

    fn both(&self, other: &T) -> (Exp, Exp) {
        (Exp::of_debug(self), Exp::of_debug(other))
    }
}

impl Symbolic for SymStr {
    fn symbolic(name: &str) -> SymStr {
        SymStr { chars: list(|at| Sym::any(&format!("{name}[{at}]"))) }
    }

    fn expression(&self) -> Expression {
        Expression::call("SymStr::from_iter([", self.chars.iter().map(Symbolic::expression), "])")
    }
}

/// A text in a `match`: asks after each literal in turn.
impl Resolve for SymStr {
    type Plain = &'static str;

    #[track_caller]
    fn resolve(&self, tests: &[Test<&'static str>]) -> &'static str {
        let literals = || tests.iter().filter_map(|it| if let Test::Is(it) = it { Some(*it) } else { None });
        // More than a match has literals: one of these is none of them.
        const OTHERS: [&str; 3] = ["\u{0}other", "\u{0}another", "\u{0}a third"];
        let other = || OTHERS.into_iter().find(|it| literals().all(|literal| literal != *it));
        let found = literals().find(|it| self.equals(*it).holds());
        match found.or_else(other) {
            Some(it) => it,
            None => effigy_session::Session::current().unsupported("a match with these literals"),
        }
    }
}
