//! The value of an array.
//!
//! Knows: contents and bounds as terms, and which elements have a value. Never: what is asked about a subscript (`step`).
//! Source: King 1976, section 9, on variable storage-referencing.

use effigy_term::{Node, Sort, Term, Terms};

/// An array as a value. The contents are a chain of stores over a symbolic array, or over nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// The elements, of sort Array Int Int.
    pub content: Term,
    /// From Int to Bool: the elements that have a value; `None` when all have.
    pub defined: Option<Term>,
    /// The content before the program stored anything.
    pub base: Term,
    /// The lower bound, of sort Int.
    pub lower: Term,
    /// The upper bound; `None` for an array of the caller whose extent is not known: its subscripts are assumed to be
    /// within its bounds.
    pub upper: Option<Term>,
}

/// The sort of [`Array::content`]: arrays from Int to Int.
pub fn content_sort(terms: &Terms) -> Sort {
    terms.array_sort(Sort::Int, Sort::Int)
}

impl Array {
    /// An array with these bounds, in which no element has a value.
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

    /// Stores `value` in the element at `at`, which has a value from here on.
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

// Merging.

impl Array {
    /// The array that is this one where `cond` holds, and `other` elsewhere; `None` where their extents are known in
    /// different ways.
    pub fn merge(&self, other: &Array, terms: &Terms, cond: Term) -> Option<Array> {
        let either = |a: Term, b: Term| terms.either(cond, a, b);
        if self.base != other.base {
            return None;
        }
        Some(Array {
            content: merged(terms, cond, self.content, other.content),
            defined: match (self.defined, other.defined) {
                (Some(a), Some(b)) => Some(merged(terms, cond, a, b)),
                (None, None) => None,
                _ => return None,
            },
            base: self.base,
            lower: either(self.lower, other.lower),
            upper: match (self.upper, other.upper) {
                (Some(a), Some(b)) => Some(either(a, b)),
                (None, None) => None,
                _ => return None,
            },
        })
    }
}

/// A store, the last one first.
type Stores = Vec<(Term, Term)>;

/// The array that is `a` where `cond` holds, and `b` elsewhere: what was stored in either since they were one becomes
/// stores of conditional values, so that no array is copied.
fn merged(terms: &Terms, cond: Term, a: Term, b: Term) -> Term {
    if a == b {
        return a;
    }
    let Some((common, mine, theirs)) = since_common(terms, a, b) else { return terms.ite(cond, a, b) };
    let mut res = common;
    // The element before, where it is not stored on this side.
    let mut store = |at: Term, mine: Option<Term>, theirs: Option<Term>| {
        let before = terms.select(res, at);
        let value = terms.either(cond, mine.unwrap_or(before), theirs.unwrap_or(before));
        res = terms.store(res, at, value);
    };
    if mine.iter().chain(&theirs).all(|it| terms.is_constant(it.0)) {
        let last = |of: &Stores, at: Term| of.iter().find(|it| it.0 == at).map(|it| it.1);
        let mut done: Vec<Term> = Vec::new();
        for &(at, _) in mine.iter().rev().chain(theirs.iter().rev()) {
            if !done.contains(&at) {
                done.push(at);
                store(at, last(&mine, at), last(&theirs, at));
            }
        }
        return res;
    }
    mine.iter().rev().for_each(|&(at, value)| store(at, Some(value), None));
    theirs.iter().rev().for_each(|&(at, value)| store(at, None, Some(value)));
    res
}

/// What two arrays were when they were one, and what was stored in each since. Costs what was stored since.
fn since_common(terms: &Terms, a: Term, b: Term) -> Option<(Term, Stores, Stores)> {
    let mut chains = [(vec![a], Vec::new()), (vec![b], Vec::new())];
    let mut goes_on = true;
    while std::mem::take(&mut goes_on) {
        for side in 0..2 {
            let [first, second] = &mut chains;
            let (mine, theirs) = if side == 0 { (first, second) } else { (second, first) };
            let &last = mine.0.last()?;
            if let Some(at) = theirs.0.iter().position(|it| *it == last) {
                theirs.1.truncate(at);
                let [(_, a), (_, b)] = chains;
                return Some((last, a, b));
            }
            if let Node::Store(inner, at, value) = *terms.node(last) {
                mine.1.push((at, value));
                mine.0.push(inner);
                goes_on = true;
            }
        }
    }
    None
}
