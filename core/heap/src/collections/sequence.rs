//! Sequences: operations, simplified where the result is certain.
//!
//! Knows: the shape of sequences that are put together. Never: axioms.

use super::{CollectionKind, Collections, FUEL};
use effigy_term::{Term, Terms};
use num_traits::{Signed, ToPrimitive};

/// How a sequence is put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequenceShape {
    /// The sequence that has no elements.
    Empty,
    /// The sequence of this one element.
    Singleton(Term),
    /// Two sequences, one after the other.
    Append(Term, Term),
}

/// A part of a sequence, in the order of the parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Segment {
    /// A sequence of this one element.
    Element(Term),
    /// A sequence of which nothing is known here.
    Other(Term),
}

impl Collections {
    pub(super) fn seq_literal(&mut self, terms: &Terms, kind: CollectionKind, elements: &[Term]) -> Term {
        let Some((&first, rest)) = elements.split_first() else { return self.build(terms, kind, "empty", &[]) };
        let first = self.build(terms, kind, "singleton", &[first]);
        rest.iter().fold(first, |res, &it| {
            let it = self.build(terms, kind, "singleton", &[it]);
            self.build(terms, kind, "append", &[res, it])
        })
    }

    /// How this sequence is put together, if it says so itself.
    pub fn composed(&self, terms: &Terms, sequence: Term) -> Option<SequenceShape> {
        match self.view(terms, sequence) {
            ("empty", _) => Some(SequenceShape::Empty),
            ("singleton", &[it]) => Some(SequenceShape::Singleton(it)),
            ("append", &[left, right]) => Some(SequenceShape::Append(left, right)),
            _ => None,
        }
    }

    /// match: [a..b) where a >= b   result: empty
    pub(super) fn seq_range(&mut self, terms: &Terms, kind: CollectionKind, low: Term, high: Term) -> Term {
        if terms.as_bool(terms.int_le(high, low)) == Some(true) {
            return self.build(terms, kind, "empty", &[]);
        }
        self.build(terms, kind, "range", &[low, high])
    }

    /// match: |s ++ t|   result: |s| + |t|
    /// match: |Seq(x)|   result: 1
    /// match: |s[i := v]|   result: |s|
    pub(super) fn seq_length(&mut self, terms: &Terms, kind: CollectionKind, s: Term) -> Term {
        let Some(segments) = self.segments(terms, s) else { return self.build(terms, kind, "length", &[s]) };
        segments.into_iter().fold(terms.int(0), |sum, it| {
            let length = match it {
                Segment::Element(_) => terms.int(1),
                Segment::Other(it) => self.length_of_part(terms, kind, it),
            };
            terms.int_add(sum, length)
        })
    }

    /// The length of a sequence that is not put together from others.
    fn length_of_part(&mut self, terms: &Terms, kind: CollectionKind, s: Term) -> Term {
        let mut s = s;
        for _ in 0..FUEL {
            match self.view(terms, s) {
                ("update", &[inner, ..]) => s = inner,
                ("range", &[low, high]) if terms.as_bool(terms.int_le(low, high)) == Some(true) => {
                    return terms.int_sub(high, low);
                }
                _ => break,
            }
        }
        self.build(terms, kind, "length", &[s])
    }

    /// match: s[n] where the first n + 1 elements of s are known   result: the last of them
    pub(super) fn seq_index(&mut self, terms: &Terms, kind: CollectionKind, s: Term, i: Term) -> Term {
        if let Some(at) = terms.as_int(i) {
            if let Some(known) = at.to_usize().and_then(|at| self.prefix(terms, s, at + 1)?.last().copied()) {
                return known;
            }
            if let ("range", &[low, high]) = self.view(terms, s) {
                let element = terms.int_add(low, i);
                if !at.is_negative() && terms.as_bool(terms.int_lt(element, high)) == Some(true) {
                    return element;
                }
            }
        }
        self.build(terms, kind, "index", &[s, i])
    }

    /// match: Seq(a, b, ...)[n := v]   result: the literal with v at n
    /// match: s[n := v] where n is certainly out of range   result: s
    pub(super) fn seq_update(&mut self, terms: &Terms, kind: CollectionKind, s: Term, i: Term, v: Term) -> Term {
        if let Some(at) = terms.as_int(i) {
            if at.is_negative() {
                return s;
            }
            if let Some(mut elements) = self.elements(terms, s) {
                let Some(place) = at.to_usize().and_then(|at| elements.get_mut(at)) else { return s };
                *place = v;
                return self.seq_literal(terms, kind, &elements);
            }
        }
        self.build(terms, kind, "update", &[s, i, v])
    }

    /// match: s[..n] where n <= 0   result: empty
    /// match: s[..|s|]   result: s
    /// match: (s ++ t)[..|s|]   result: s
    /// match: s[..n] where the first n elements are known, or all   result: the literal of them
    pub(super) fn seq_take(&mut self, terms: &Terms, kind: CollectionKind, s: Term, n: Term) -> Term {
        if let Some(count) = terms.as_int(n) {
            if !count.is_positive() {
                return self.build(terms, kind, "empty", &[]);
            }
            if let Some(elements) = self.elements(terms, s) {
                let count = count.to_usize().unwrap_or(usize::MAX).min(elements.len());
                return self.seq_literal(terms, kind, &elements[..count]);
            }
            if let Some(elements) = count.to_usize().and_then(|count| self.prefix(terms, s, count)) {
                return self.seq_literal(terms, kind, &elements);
            }
        }
        if self.seq_length(terms, kind, s) == n {
            return s;
        }
        if let ("append", &[left, _]) = self.view(terms, s)
            && self.seq_length(terms, kind, left) == n
        {
            return left;
        }
        self.build(terms, kind, "take", &[s, n])
    }

    /// match: s[n..] where n <= 0   result: s
    /// match: s[|s|..]   result: empty
    /// match: (s ++ t)[|s|..]   result: t
    /// match: Seq(a, b, ...)[n..]   result: the literal of the rest
    pub(super) fn seq_drop(&mut self, terms: &Terms, kind: CollectionKind, s: Term, n: Term) -> Term {
        if let Some(count) = terms.as_int(n) {
            if !count.is_positive() {
                return s;
            }
            if let Some(elements) = self.elements(terms, s) {
                let count = count.to_usize().unwrap_or(usize::MAX).min(elements.len());
                return self.seq_literal(terms, kind, &elements[count..]);
            }
        }
        if self.seq_length(terms, kind, s) == n {
            return self.build(terms, kind, "empty", &[]);
        }
        if let ("append", &[left, right]) = self.view(terms, s)
            && self.seq_length(terms, kind, left) == n
        {
            return right;
        }
        self.build(terms, kind, "drop", &[s, n])
    }

    /// match: s ++ empty   result: s
    /// match: empty ++ s   result: s
    pub(super) fn seq_append(&mut self, terms: &Terms, kind: CollectionKind, s: Term, t: Term) -> Term {
        match (self.is_empty(s), self.is_empty(t)) {
            (true, _) => t,
            (_, true) => s,
            _ => self.build(terms, kind, "append", &[s, t]),
        }
    }

    /// match: x in s where x is certainly one of the known elements   result: true
    /// match: x in Seq(a, ...) where x certainly differs from all   result: false
    pub(super) fn seq_contains(&mut self, terms: &Terms, kind: CollectionKind, x: Term, s: Term) -> Term {
        if let Some(segments) = self.segments(terms, s) {
            let mut all_differ = true;
            for it in segments {
                match it {
                    Segment::Element(it) => match self.decide_equal(terms, it, x) {
                        Some(true) => return terms.bool(true),
                        Some(false) => {}
                        None => all_differ = false,
                    },
                    Segment::Other(_) => all_differ = false,
                }
            }
            if all_differ {
                return terms.bool(false);
            }
        }
        self.build(terms, kind, "contains", &[x, s])
    }

    /// match: Seq(a, ...) = Seq(b, ...) of one length   result: a = b and ...
    pub(super) fn seq_equal_by_elements(
        &mut self,
        terms: &Terms,
        kind: CollectionKind,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        // Nested literals are left to the axioms: comparing all pairs could take time exponential in the depth.
        match kind {
            CollectionKind::Seq(element) if self.kind(element).is_none() => {}
            _ => return None,
        }
        let (left, right) = (self.elements(terms, a)?, self.elements(terms, b)?);
        let mut all = terms.bool(true);
        for (x, y) in left.into_iter().zip(right) {
            let same = self.equal(terms, x, y);
            all = terms.and(all, same);
        }
        Some(all)
    }

    /// Sequences are certainly equal if their parts are, one by one, and certainly different if their lengths are or
    /// an element at a known place is.
    pub(super) fn decide_equal_sequences(&self, terms: &Terms, a: Term, b: Term, fuel: &mut usize) -> Option<bool> {
        let (left, right) = (self.segments(terms, a)?, self.segments(terms, b)?);
        if left == right {
            return Some(true);
        }
        let known = |parts: &[Segment]| parts.iter().all(|it| matches!(it, Segment::Element(_)));
        let (left_known, right_known) = (known(&left), known(&right));
        let too_short = |all: &[Segment], parts: &[Segment]| {
            parts.iter().filter(|it| matches!(it, Segment::Element(_))).count() > all.len()
        };
        if (left_known && too_short(&left, &right)) || (right_known && too_short(&right, &left)) {
            return Some(false);
        }
        if left_known && right_known && left.len() != right.len() {
            return Some(false);
        }
        let mut all_equal = left_known && right_known;
        for pair in left.iter().zip(&right) {
            let (&Segment::Element(x), &Segment::Element(y)) = pair else { break };
            match self.decide_equal_within(terms, x, y, fuel) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => all_equal = false,
            }
        }
        all_equal.then_some(true)
    }

    /// The first `count` elements, if they are known.
    fn prefix(&self, terms: &Terms, s: Term, count: usize) -> Option<Vec<Term>> {
        let known = self.segments(terms, s)?;
        let known: Vec<Term> = known
            .into_iter()
            .map_while(|it| match it {
                Segment::Element(it) => Some(it),
                Segment::Other(_) => None,
            })
            .take(count)
            .collect();
        (known.len() == count).then_some(known)
    }

    /// All elements, if they are known.
    fn elements(&self, terms: &Terms, s: Term) -> Option<Vec<Term>> {
        let segments = self.segments(terms, s)?;
        let count = segments.len();
        self.prefix(terms, s, count)
    }

    /// The parts of which a sequence is put together; `None` if there are many.
    fn segments(&self, terms: &Terms, s: Term) -> Option<Vec<Segment>> {
        let (mut res, mut work, mut fuel) = (Vec::new(), vec![s], FUEL);
        while let Some(next) = work.pop() {
            fuel = fuel.checked_sub(1)?;
            match self.view(terms, next) {
                ("empty", _) => {}
                ("singleton", &[it]) => res.push(Segment::Element(it)),
                ("append", &[left, right]) => work.extend([right, left]),
                _ => res.push(Segment::Other(next)),
            }
        }
        Some(res)
    }
}
