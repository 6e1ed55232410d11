//! What a specification says: a condition, and its words.
//!
//! Knows: terms and texts. Never: where values are from.

use effigy_relations::Val;
use effigy_relations::logic::{Compare, compare};
use effigy_term::{Term, Terms};
use std::ops::{BitAnd, BitOr, Not};
use std::rc::Rc;

/// A condition with its words.
#[derive(Clone, Debug)]
pub struct Formula {
    pub(crate) terms: Rc<Terms>,
    pub(crate) term: Term,
    text: String,
    /// How strongly its words bind: 3 an atom, 2 `and`, 1 `or`, 0 `implies`.
    binds: u8,
}

impl Formula {
    pub(crate) fn atom(terms: &Rc<Terms>, term: Term, text: String) -> Formula {
        Formula { terms: Rc::clone(terms), term, text, binds: 3 }
    }

    /// Wherever this holds, the other one does.
    pub fn implies(self, other: Formula) -> Formula {
        let term = self.terms.implies(self.term, other.term);
        let text = format!("{} implies {}", self.within(1), other.within(1));
        Formula { term, text, binds: 0, ..self }
    }

    fn joined(self, other: Formula, word: &str, binds: u8, term: Term) -> Formula {
        let text = format!("{} {word} {}", self.within(binds), other.within(binds));
        Formula { term, text, binds, ..self }
    }

    fn within(&self, binds: u8) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The formula as a person would write it.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl BitAnd for Formula {
    type Output = Formula;

    fn bitand(self, other: Formula) -> Formula {
        let term = self.terms.and(self.term, other.term);
        self.joined(other, "and", 2, term)
    }
}

impl BitOr for Formula {
    type Output = Formula;

    fn bitor(self, other: Formula) -> Formula {
        let term = self.terms.or(self.term, other.term);
        self.joined(other, "or", 1, term)
    }
}

impl Not for Formula {
    type Output = Formula;

    fn not(self) -> Formula {
        let term = self.terms.not(self.term);
        Formula { term, text: format!("not ({})", self.text), binds: 3, ..self }
    }
}

/// A value of a row with its words.
#[derive(Clone, Debug)]
pub struct Field {
    pub(crate) terms: Rc<Terms>,
    pub(crate) value: Val,
    pub(crate) text: String,
}

impl Field {
    /// Both are the same, and not null.
    ///
    /// # Panics
    /// Where the values are of kinds that are not compared.
    pub fn equals(&self, other: &Field) -> Formula {
        let same = compare(&self.terms, Compare::Equal, &self.value, &other.value);
        let Ok(same) = same else { panic!("{} and {} are not compared", self.text, other.text) };
        Formula::atom(&self.terms, same.yes, format!("{} = {}", self.text, other.text))
    }

    /// They are not the same.
    pub fn differs(&self, other: &Field) -> Formula {
        let same = self.equals(other);
        Formula::atom(&self.terms, self.terms.not(same.term), format!("{} != {}", self.text, other.text))
    }

    /// The formula that the value is true.
    pub fn holds(&self) -> Formula {
        match effigy_relations::logic::Tri::of(&self.value, &self.terms) {
            Ok(it) => Formula::atom(&self.terms, it.yes, self.text.clone()),
            Err(_) => panic!("{} is no truth value", self.text),
        }
    }

    /// The formula that the value is null.
    pub fn is_null(&self) -> Formula {
        Formula::atom(&self.terms, self.value.null, format!("{} is null", self.text))
    }
}
