//! What arrays are made of: stores, conditionals, constants and symbols.
//!
//! Knows: terms. Never: words, gates.

use effigy_term::{BvValue, Node, Term, Terms};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Fewer stores at constant indices, one behind the other, are looked at one by one.
const SHORTEST_RUN: usize = 4;

/// A part of an array, by the terms in it that are no arrays.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    /// An index and an element.
    Store(Term, Term),
    /// A conditional array, with this condition.
    Choice(Term),
    /// The element of a constant array.
    Everywhere(Term),
    Symbol,
    /// What no circuit is made of.
    Other,
}

impl Piece {
    /// The terms that the piece contains.
    pub(super) fn terms(self) -> impl Iterator<Item = Term> {
        let (first, second) = match self {
            Piece::Store(index, element) => (Some(index), Some(element)),
            Piece::Choice(it) | Piece::Everywhere(it) => (Some(it), None),
            Piece::Symbol | Piece::Other => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// Tells the parts of an array, but those that were seen.
pub(super) fn each_piece(terms: &Terms, array: Term, seen: &mut FxHashSet<Term>, mut piece: impl FnMut(Piece)) {
    let mut arrays = vec![array];
    while let Some(array) = arrays.pop() {
        if !seen.insert(array) {
            continue;
        }
        piece(match *terms.node(array) {
            Node::Store(below, index, element) => {
                arrays.push(below);
                Piece::Store(index, element)
            }
            Node::Ite(cond, then, other) => {
                arrays.extend([then, other]);
                Piece::Choice(cond)
            }
            Node::ConstArray(_, element) => Piece::Everywhere(element),
            Node::Symbol(_) => Piece::Symbol,
            _ => Piece::Other,
        });
    }
}

/// Stores at constant indices, one behind the other.
#[derive(Debug)]
pub(super) struct Run {
    /// The terms of the index and the element of each, the last store to an index counting.
    pub(super) entries: BTreeMap<u64, (Term, Term)>,
    pub(super) below: Term,
}

/// The stores at constant indices that an array ends with, where they are enough.
pub(super) fn run(terms: &Terms, array: Term) -> Option<Run> {
    let (mut res, mut length) = (Run { entries: BTreeMap::new(), below: array }, 0);
    while let Node::Store(below, at, element) = *terms.node(res.below) {
        let Some(index) = terms.as_bv(at).and_then(BvValue::to_u64) else { break };
        res.entries.entry(index).or_insert((at, element));
        res.below = below;
        length += 1;
    }
    (length >= SHORTEST_RUN).then_some(res)
}
