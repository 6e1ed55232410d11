//! Comparisons as an order of which nothing else is known: a circuit that more assignments satisfy than the query.
//!
//! Knows: that a number is less than another, not how its bits say so. What contradicts itself in any order does so in
//! that of the numbers; what does not says nothing. Never: a model.
//!
//! The maximum of many numbers is a chain of conditionals. That none of them is larger needs, in circuits over bits, a
//! proof that goes through all bits of each link. Here a conditional is compared leaf by leaf, and each three leaves that
//! are compared with one another are ordered: a few clauses on a few variables.

use super::gates::{Bit, Gates};
use effigy_term::{Node, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Two conditional values are compared leaf by leaf where their nodes make no more pairs than this.
const MOST_PAIRS: usize = 4_096;

/// A leaf is brought into an order with so many others.
const MOST_NEIGHBOURS: usize = 48;

/// How numbers of one width are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Order {
    Unsigned,
    Signed,
}

/// Whether the first is less than the second.
pub(super) type Pair = (Order, Term, Term);

/// What was compared so far.
#[derive(Default)]
pub(super) struct Orders {
    less: FxHashMap<Pair, Bit>,
    /// The leaves that one was compared with.
    neighbours: FxHashMap<(Order, Term), Vec<Term>>,
    /// How often three leaves were ordered.
    pub(super) triples: usize,
}

/// What a comparison is made of.
pub(super) enum Parts {
    /// Of those of what a conditional can be, under its condition.
    Choice(Term, Pair, Pair),
    /// Of two that are no conditionals.
    Leaves,
}

/// What `pair` is made of.
pub(super) fn parts(terms: &Terms, (order, a, b): Pair) -> Parts {
    match (terms.node(a), terms.node(b)) {
        (&Node::Ite(cond, then, other), _) => Parts::Choice(cond, (order, then, b), (order, other, b)),
        (_, &Node::Ite(cond, then, other)) => Parts::Choice(cond, (order, a, then), (order, a, other)),
        _ => Parts::Leaves,
    }
}

/// Whether two values are few enough to be compared leaf by leaf.
pub(super) fn are_few(terms: &Terms, a: Term, b: Term) -> bool {
    let size = |of: Term| {
        let (mut work, mut seen) = (vec![of], FxHashSet::default());
        while let Some(next) = work.pop() {
            if seen.len() <= MOST_PAIRS
                && seen.insert(next)
                && let &Node::Ite(_, then, other) = terms.node(next)
            {
                work.extend([then, other]);
            }
        }
        seen.len()
    };
    size(a).saturating_mul(size(b)) <= MOST_PAIRS
}

impl Orders {
    pub(super) fn known(&self, pair: Pair) -> Option<Bit> {
        self.less.get(&pair).copied()
    }

    pub(super) fn insert(&mut self, pair: Pair, less: Bit) {
        self.less.insert(pair, less);
    }

    /// Whether the first of two leaves, not both of them constants, is less than the second, with what must hold then;
    /// `None` where it was compared with too many. `constants` tells it of two constants.
    pub(super) fn leaves(
        &mut self,
        gates: &mut Gates,
        (order, a, b): Pair,
        constants: impl Fn(Term, Term) -> Option<bool>,
    ) -> Option<(Bit, Vec<Bit>)> {
        if a == b {
            return Some((Bit::FALSE, Vec::new()));
        }
        let of = |it: Term| self.neighbours.get(&(order, it)).map_or(&[][..], Vec::as_slice);
        let (of_a, of_b) = (of(a), of(b));
        if of_a.len().max(of_b.len()) >= MOST_NEIGHBOURS {
            return None;
        }
        let with_b = of_a.iter().filter(|&&it| of_b.contains(&it) || constants(it, b).is_some());
        let with_a = of_b.iter().filter(|&&it| constants(it, a).is_some());
        let thirds: Vec<Term> = with_b.chain(with_a).copied().collect();
        let (forth, back) = (gates.input(), gates.input());
        self.insert((order, a, b), forth);
        self.insert((order, b, a), back);
        self.neighbours.entry((order, a)).or_default().push(b);
        self.neighbours.entry((order, b)).or_default().push(a);
        let mut axioms = vec![!gates.and(forth, back)];
        self.triples += thirds.len();
        for third in thirds {
            let less = |a: Term, b: Term| match constants(a, b) {
                Some(less) => Bit::of(less),
                None => self.less[&(order, a, b)],
            };
            for [a, b, c] in [[a, b, third], [a, third, b], [b, a, third], [b, third, a], [third, a, b], [third, b, a]]
            {
                let through = gates.and(less(a, b), less(b, c));
                axioms.push(gates.or(!through, less(a, c)));
                let either = gates.or(less(a, b), less(b, c));
                axioms.push(gates.or(!less(a, c), either));
            }
        }
        Some((forth, axioms))
    }
}
