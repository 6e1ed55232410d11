//! The value of an array.
//!
//! Knows: contents and bounds as terms, and which elements have a value. Never: what is asked about a subscript (`step`).
//! Source: King 1976, section 9, on variable storage-referencing.

use effigy_term::{Node, Sort, Term, Terms};

/// An array as a value. The contents are a chain of stores over a symbolic array, or over nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// From Int to Int.
    pub content: Term,
    /// From Int to Bool: the elements that have a value; `None` when all have.
    pub defined: Option<Term>,
    /// The content before the program stored anything.
    pub base: Term,
    /// The lower bound.
    pub lower: Term,
    /// The upper bound; `None` for an array of the caller whose extent is not known: its subscripts are assumed to be
    /// within its bounds.
    pub upper: Option<Term>,
}

/// The sort of contents.
pub fn content_sort(terms: &Terms) -> Sort {
    terms.array_sort(Sort::Int, Sort::Int)
}

impl Array {
    /// An array without values.
    pub fn uninitialised(terms: &Terms, lower: Term, upper: Term) -> Array {
        let content = terms.const_array(content_sort(terms), terms.int(0));
        let defined = terms.const_array(terms.array_sort(Sort::Int, Sort::Bool), terms.bool(false));
        Array { content, defined: Some(defined), base: content, lower, upper: Some(upper) }
    }

    /// An array whose elements are inputs.
    pub fn symbolic(content: Term, lower: Term, upper: Option<Term>) -> Array {
        Array { content, defined: None, base: content, lower, upper }
    }

    /// Whether the element at `at` has a value.
    pub fn is_defined(&self, terms: &Terms, at: Term) -> Term {
        self.defined.map_or_else(|| terms.bool(true), |it| terms.select(it, at))
    }

    /// Stores an element.
    pub fn store(&mut self, terms: &Terms, at: Term, value: Term) {
        self.content = terms.store(self.content, at, value);
        self.defined = self.defined.map(|it| terms.store(it, at, terms.bool(true)));
    }

    /// The stores since the beginning, the last first.
    pub fn stores(&self, terms: &Terms) -> Vec<(Term, Term)> {
        stores(terms, self.content, self.base)
    }
}

/// The stores in `content` over `base`, the last first.
pub fn stores(terms: &Terms, content: Term, base: Term) -> Vec<(Term, Term)> {
    let mut res = Vec::new();
    let mut next = content;
    while next != base
        && let Node::Store(inner, at, value) = *terms.node(next)
    {
        res.push((at, value));
        next = inner;
    }
    res
}
