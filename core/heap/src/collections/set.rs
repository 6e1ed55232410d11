//! Sets: operations, simplified where the result is certain.
//!
//! Knows: the shape of sets that are put together. Never: axioms.

use super::{CollectionKind, Collections, FUEL};
use effigy_term::{Term, Terms};

impl Collections {
    pub(super) fn set_literal(&mut self, terms: &Terms, kind: CollectionKind, elements: &[Term]) -> Term {
        let empty = self.build(terms, kind, "empty", &[]);
        elements.iter().fold(empty, |res, &it| self.set_add(terms, kind, res, it))
    }

    /// match: s with x, where x is certainly in s   result: s
    pub(super) fn set_add(&mut self, terms: &Terms, kind: CollectionKind, s: Term, x: Term) -> Term {
        match self.decide_in_set(terms, x, s, &mut FUEL.clone()) {
            Some(true) => s,
            _ => self.build(terms, kind, "add", &[s, x]),
        }
    }

    /// match: |Set(a, ...)| where the elements certainly differ   result: their number
    pub(super) fn set_cardinality(&mut self, terms: &Terms, kind: CollectionKind, s: Term) -> Term {
        match self.distinct_elements(terms, s) {
            Some(number) => terms.int(number),
            None => self.build(terms, kind, "cardinality", &[s]),
        }
    }

    /// match: x in s, where that is certain either way   result: its truth
    pub(super) fn set_contains(&mut self, terms: &Terms, kind: CollectionKind, x: Term, s: Term) -> Term {
        match self.decide_in_set(terms, x, s, &mut FUEL.clone()) {
            Some(known) => terms.bool(known),
            None => self.build(terms, kind, "contains", &[x, s]),
        }
    }

    /// match: s union s   result: s
    /// match: s union empty   result: s
    pub(super) fn set_union(&mut self, terms: &Terms, kind: CollectionKind, s: Term, t: Term) -> Term {
        if s == t || self.is_empty(t) {
            return s;
        }
        if self.is_empty(s) {
            return t;
        }
        self.build(terms, kind, "union", &[s, t])
    }

    /// match: s intersection s   result: s
    /// match: s intersection empty   result: empty
    pub(super) fn set_intersection(&mut self, terms: &Terms, kind: CollectionKind, s: Term, t: Term) -> Term {
        if s == t || self.is_empty(s) {
            return s;
        }
        if self.is_empty(t) {
            return t;
        }
        self.build(terms, kind, "intersection", &[s, t])
    }

    /// match: s setminus s   result: empty
    /// match: s setminus empty   result: s
    pub(super) fn set_difference(&mut self, terms: &Terms, kind: CollectionKind, s: Term, t: Term) -> Term {
        if s == t {
            return self.build(terms, kind, "empty", &[]);
        }
        if self.is_empty(s) || self.is_empty(t) {
            return s;
        }
        self.build(terms, kind, "difference", &[s, t])
    }

    /// match: s subset s   result: true
    /// match: Set(a, ...) subset t, where each membership is certain   result: its truth
    pub(super) fn set_subset(&mut self, terms: &Terms, kind: CollectionKind, s: Term, t: Term) -> Term {
        match self.decide_subset(terms, s, t) {
            Some(known) => terms.bool(known),
            None => self.build(terms, kind, "subset", &[s, t]),
        }
    }

    fn decide_subset(&self, terms: &Terms, s: Term, t: Term) -> Option<bool> {
        if s == t {
            return Some(true);
        }
        let mut fuel = FUEL;
        let mut all = Some(true);
        for it in self.set_elements(terms, s)? {
            match self.decide_in_set(terms, it, t, &mut fuel) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// Whether `x` is certainly in `s`, or certainly not.
    fn decide_in_set(&self, terms: &Terms, x: Term, s: Term, fuel: &mut usize) -> Option<bool> {
        let mut s = s;
        let mut unsure = false;
        loop {
            *fuel = fuel.checked_sub(1)?;
            match self.view(terms, s) {
                ("empty", _) => return (!unsure).then_some(false),
                ("add", &[rest, it]) => {
                    match self.decide_equal_within(terms, it, x, fuel) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => unsure = true,
                    }
                    s = rest;
                }
                _ => return None,
            }
        }
    }

    /// The elements of a literal, as they were written.
    fn set_elements(&self, terms: &Terms, s: Term) -> Option<Vec<Term>> {
        let (mut s, mut res) = (s, Vec::new());
        loop {
            match self.view(terms, s) {
                ("empty", _) => return Some(res),
                ("add", &[rest, it]) if res.len() < FUEL => {
                    res.push(it);
                    s = rest;
                }
                _ => return None,
            }
        }
    }

    /// How many elements a literal has, if it is certain which of them differ.
    fn distinct_elements(&self, terms: &Terms, s: Term) -> Option<usize> {
        let elements = self.set_elements(terms, s)?;
        let mut fuel = 16 * FUEL;
        for (at, &x) in elements.iter().enumerate() {
            for &y in &elements[..at] {
                fuel = fuel.checked_sub(1)?;
                if self.decide_equal(terms, x, y) != Some(false) {
                    return None;
                }
            }
        }
        Some(elements.len())
    }
}
