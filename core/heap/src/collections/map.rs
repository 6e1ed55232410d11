//! Maps: operations, simplified where the result is certain.
//!
//! Knows: that membership and cardinality of a map are those of its domain. Never: axioms.

use super::{CollectionKind, Collections, FUEL};
use effigy_term::{Term, Terms};

/// The kind of a map's domain.
pub(super) fn keys(kind: CollectionKind) -> CollectionKind {
    match kind {
        CollectionKind::Map(key, _) => CollectionKind::Set(key),
        _ => panic!("only maps have keys, not {kind:?}"),
    }
}

/// The kind of a map's range.
pub(super) fn values(kind: CollectionKind) -> CollectionKind {
    match kind {
        CollectionKind::Map(_, value) => CollectionKind::Set(value),
        _ => panic!("only maps have values, not {kind:?}"),
    }
}

impl Collections {
    /// Later entries hide earlier ones with the same key.
    pub(super) fn map_literal(&mut self, terms: &Terms, kind: CollectionKind, entries: &[Term]) -> Term {
        let empty = self.build(terms, kind, "empty", &[]);
        let (entries, rest) = entries.as_chunks::<2>();
        assert!(rest.is_empty(), "keys and values alternate");
        entries.iter().fold(empty, |res, &[key, value]| self.map_update(terms, kind, res, key, value))
    }

    pub(super) fn map_cardinality(&mut self, terms: &Terms, kind: CollectionKind, m: Term) -> Term {
        let domain = self.map_domain(terms, kind, m);
        self.set_cardinality(terms, keys(kind), domain)
    }

    pub(super) fn map_contains(&mut self, terms: &Terms, kind: CollectionKind, k: Term, m: Term) -> Term {
        let domain = self.map_domain(terms, kind, m);
        self.set_contains(terms, keys(kind), k, domain)
    }

    /// match: m[k := v][k]   result: v
    /// match: m[j := w][k] where j certainly differs from k and m[k] is known   result: m[k]
    pub(super) fn map_lookup(&mut self, terms: &Terms, kind: CollectionKind, m: Term, k: Term) -> Term {
        match self.decide_lookup(terms, m, k) {
            Some(known) => known,
            None => self.build(terms, kind, "lookup", &[m, k]),
        }
    }

    /// match: m[k := v][k := w]   result: m[k := w]
    pub(super) fn map_update(&mut self, terms: &Terms, kind: CollectionKind, m: Term, k: Term, v: Term) -> Term {
        let below = match self.view(terms, m) {
            ("update", &[below, key, _]) if self.decide_equal(terms, key, k) == Some(true) => below,
            _ => m,
        };
        self.build(terms, kind, "update", &[below, k, v])
    }

    /// match: domain(empty)   result: empty
    /// match: domain(m[k := v])   result: domain(m) with k
    pub(super) fn map_domain(&mut self, terms: &Terms, kind: CollectionKind, m: Term) -> Term {
        let (mut below, mut added) = (m, Vec::new());
        while let ("update", &[rest, key, _]) = self.view(terms, below)
            && added.len() < FUEL
        {
            added.push(key);
            below = rest;
        }
        let base = if self.is_empty(below) {
            self.build(terms, keys(kind), "empty", &[])
        } else {
            self.build(terms, kind, "domain", &[below])
        };
        added.into_iter().rev().fold(base, |res, key| self.set_add(terms, keys(kind), res, key))
    }

    /// The set of the values of a map.
    /// match: range(empty)   result: empty
    pub(super) fn map_range(&mut self, terms: &Terms, kind: CollectionKind, m: Term) -> Term {
        if self.is_empty(m) {
            return self.build(terms, values(kind), "empty", &[]);
        }
        self.build(terms, kind, "range", &[m])
    }

    fn decide_lookup(&self, terms: &Terms, m: Term, k: Term) -> Option<Term> {
        let (mut m, mut fuel) = (m, FUEL);
        loop {
            fuel = fuel.checked_sub(1)?;
            let ("update", &[below, key, value]) = self.view(terms, m) else { return None };
            if self.decide_equal_within(terms, key, k, &mut fuel)? {
                return Some(value);
            }
            m = below;
        }
    }
}
