//! Multisets: operations, simplified where the result is certain.
//!
//! Knows: the shape of multisets that are put together. Never: axioms.

use super::{CollectionKind, Collections, FUEL};
use effigy_term::{Term, Terms};

impl Collections {
    pub(super) fn multiset_literal(&mut self, terms: &Terms, kind: CollectionKind, elements: &[Term]) -> Term {
        let empty = self.build(terms, kind, "empty", &[]);
        elements.iter().fold(empty, |res, &it| self.build(terms, kind, "add", &[res, it]))
    }

    /// match: |s with x|   result: |s| + 1
    /// match: |s union t|   result: |s| + |t|
    pub(super) fn multiset_cardinality(&mut self, terms: &Terms, kind: CollectionKind, s: Term) -> Term {
        let (mut others, mut known, mut work, mut fuel) = (Vec::new(), 0, vec![s], FUEL);
        while let Some(next) = work.pop() {
            let Some(rest) = fuel.checked_sub(1) else { return self.build(terms, kind, "cardinality", &[s]) };
            fuel = rest;
            match self.view(terms, next) {
                ("empty", _) => {}
                ("add", &[rest, _]) => {
                    known += 1;
                    work.push(rest);
                }
                ("union", &[left, right]) => work.extend([right, left]),
                _ => others.push(next),
            }
        }
        others.into_iter().fold(terms.int(known), |sum, it| {
            let cardinality = self.build(terms, kind, "cardinality", &[it]);
            terms.int_add(sum, cardinality)
        })
    }

    /// match: x in Multiset(a, ...) where it is certain which elements equal x   result: their number
    pub(super) fn multiset_count(&mut self, terms: &Terms, kind: CollectionKind, x: Term, s: Term) -> Term {
        match self.decide_count(terms, x, s) {
            Some(number) => terms.int(number),
            None => self.build(terms, kind, "count", &[x, s]),
        }
    }

    /// match: s union empty   result: s
    pub(super) fn multiset_union(&mut self, terms: &Terms, kind: CollectionKind, s: Term, t: Term) -> Term {
        match (self.is_empty(s), self.is_empty(t)) {
            (true, _) => t,
            (_, true) => s,
            _ => self.build(terms, kind, "union", &[s, t]),
        }
    }

    /// match: s intersection s   result: s
    /// match: s intersection empty   result: empty
    pub(super) fn multiset_intersection(&mut self, terms: &Terms, kind: CollectionKind, s: Term, t: Term) -> Term {
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
    pub(super) fn multiset_difference(&mut self, terms: &Terms, kind: CollectionKind, s: Term, t: Term) -> Term {
        if s == t {
            return self.build(terms, kind, "empty", &[]);
        }
        if self.is_empty(s) || self.is_empty(t) {
            return s;
        }
        self.build(terms, kind, "difference", &[s, t])
    }

    /// match: s subset s   result: true
    /// match: empty subset s   result: true
    pub(super) fn multiset_subset(&mut self, terms: &Terms, kind: CollectionKind, s: Term, t: Term) -> Term {
        if s == t || self.is_empty(s) {
            return terms.bool(true);
        }
        self.build(terms, kind, "subset", &[s, t])
    }

    fn decide_count(&self, terms: &Terms, x: Term, s: Term) -> Option<usize> {
        let (mut s, mut count, mut fuel) = (s, 0, FUEL);
        loop {
            fuel = fuel.checked_sub(1)?;
            match self.view(terms, s) {
                ("empty", _) => return Some(count),
                ("add", &[rest, it]) => {
                    count += usize::from(self.decide_equal_within(terms, it, x, &mut fuel)?);
                    s = rest;
                }
                _ => return None,
            }
        }
    }
}
