//! Texts of symbolic characters, up to a bound.
//!
//! Knows: comparisons and searches of texts, each without asking. Never: encodings.

use crate::expect::Same;
use crate::sym::Sym;
use crate::symbolic::{Expression, Symbolic, list};

/// A text whose characters are symbolic; its length is decided when it is made up.
#[derive(Clone, Debug, Default)]
pub struct SymStr {
    chars: Vec<Sym<char>>,
}

impl SymStr {
    /// The characters.
    pub fn chars(&self) -> &[Sym<char>] {
        &self.chars
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.chars.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// Whether it is this text, without asking.
    #[track_caller]
    pub fn equals(&self, other: &str) -> Sym<bool> {
        match other.chars().count() == self.len() {
            true => self.starts_with(other),
            false => Sym::plain(false),
        }
    }

    /// Whether it begins with this text, without asking.
    #[track_caller]
    pub fn starts_with(&self, start: &str) -> Sym<bool> {
        self.has_at(0, start)
    }

    /// Whether this text is in it, without asking.
    #[track_caller]
    pub fn contains(&self, part: &str) -> Sym<bool> {
        (0..=self.len()).fold(Sym::plain(false), |any, at| any | self.has_at(at, part))
    }

    #[track_caller]
    fn has_at(&self, at: usize, part: &str) -> Sym<bool> {
        let mut res = Sym::plain(true);
        for (offset, it) in part.chars().enumerate() {
            match self.chars.get(at + offset) {
                Some(own) => res = res & own.equals(it),
                None => return Sym::plain(false),
            }
        }
        res
    }
}

impl From<&str> for SymStr {
    fn from(text: &str) -> SymStr {
        SymStr { chars: text.chars().map(Sym::plain).collect() }
    }
}

impl FromIterator<Sym<char>> for SymStr {
    fn from_iter<I: IntoIterator<Item = Sym<char>>>(iter: I) -> SymStr {
        SymStr { chars: iter.into_iter().collect() }
    }
}

/// Asks.
impl PartialEq<str> for SymStr {
    #[track_caller]
    fn eq(&self, other: &str) -> bool {
        self.equals(other).holds()
    }
}

/// Asks.
impl PartialEq<&str> for SymStr {
    #[track_caller]
    fn eq(&self, other: &&str) -> bool {
        self.equals(other).holds()
    }
}

/// Asks.
impl PartialEq for SymStr {
    #[track_caller]
    fn eq(&self, other: &SymStr) -> bool {
        self.chars.same(&other.chars).holds()
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
