//! What a loop keeps in every round, as the program says it.
//!
//! Knows: the variables that a program names, what says more of them. Never: what is kept (`every_round.rs`), how it is
//! written down.

use crate::guesses::{Bound, Guess};
use effigy_engine::{Havoc, IntegerVariable, Merged, TurnId};
use effigy_term::{BvValue, Term, Terms, Width};
use std::collections::BTreeMap;

/// The most visits to the header of a loop of which invariants are reported.
pub(crate) const MOST_VISITS: usize = 256;

/// An invariant at a loop header, over variables that the program can name there.
#[derive(Clone, PartialEq, Debug)]
pub enum Invariant {
    /// The variable is within a limit, which has its width.
    Within(IntegerVariable, Bound, BvValue),
    /// The first less the second is always the same number, of their width, modulo 2 to that.
    Difference(IntegerVariable, IntegerVariable, BvValue),
    /// The sum of the two is always the same number, of their width, modulo 2 to that.
    Sum(IntegerVariable, IntegerVariable, BvValue),
    /// The variable has one of these values.
    Among(IntegerVariable, Vec<BvValue>),
}

/// A loop that was closed from where a path waited: what it keeps from there on.
pub(crate) struct Closing<L: Havoc> {
    pub(crate) id: TurnId,
    pub(crate) start: Merged<L::State>,
    pub(crate) changes: L::Changes,
    pub(crate) kept: Vec<Guess>,
    /// The numbers of the path that the loop changes, before it.
    pub(crate) before: Vec<Option<Term>>,
}

/// The paths that have come to the headers of loops and were walked on from there.
pub(crate) struct Visits<S> {
    pub(crate) at: BTreeMap<TurnId, Vec<Merged<S>>>,
}

impl<S> Default for Visits<S> {
    fn default() -> Visits<S> {
        Visits { at: BTreeMap::new() }
    }
}

impl<S: Clone> Visits<S> {
    pub(crate) fn add(&mut self, of: TurnId, path: &Merged<S>) {
        let known = self.at.entry(of).or_default();
        if known.len() <= MOST_VISITS {
            known.push(path.clone());
        }
    }
}

/// A candidate over variables of the program; `None` where it has none for a number.
pub(crate) fn said(
    terms: &Terms,
    guess: &Guess,
    variables: &[Option<IntegerVariable>],
    before: &[Option<Term>],
) -> Option<Invariant> {
    let variable = |at: usize| variables.get(at)?.clone();
    let was = |at: usize| before.get(at).copied().flatten();
    let number = |it: Term| terms.as_bv(it).cloned();
    match guess {
        Guess::Start(..) | Guess::Limit(..) => {
            let (at, bound, limit) = guess.constant(terms, before)?;
            Some(Invariant::Within(variable(at)?, bound, number(limit)?))
        }
        Guess::Difference(a, b) => {
            let (first, second) = (variable(*a)?, variable(*b)?);
            Some(Invariant::Difference(first, second, number(terms.bv_sub(was(*a)?, was(*b)?))?))
        }
        Guess::Sum(a, b) => {
            let (first, second) = (variable(*a)?, variable(*b)?);
            Some(Invariant::Sum(first, second, number(terms.bv_add(was(*a)?, was(*b)?))?))
        }
        Guess::Among(at, values) => {
            let values: Option<Vec<BvValue>> = values.iter().map(|it| number(*it)).collect();
            Some(Invariant::Among(variable(*at)?, values?))
        }
    }
}

/// Without what is always so, and what others say more of.
pub(crate) fn narrowest(all: Vec<Invariant>) -> Vec<Invariant> {
    let mut res: Vec<Invariant> = Vec::new();
    for it in &all {
        if !res.contains(it) && !says_nothing(it, &all) {
            res.push(it.clone());
        }
    }
    res
}

fn says_nothing(it: &Invariant, all: &[Invariant]) -> bool {
    let Invariant::Within(of, bound, limit) = it else { return false };
    let says_more = |other: &Invariant| match other {
        Invariant::Within(same, as_well, narrower) => {
            (same, as_well) == (of, bound) && bound.is_narrower(narrower, limit)
        }
        Invariant::Among(same, values) => same == of && values.iter().all(|it| bound.admits(it, limit)),
        _ => false,
    };
    let follows = bound.is_signed() != of.signed
        && interval(of, all).is_some_and(|(low, high)| bound.admits(&low, limit) && bound.admits(&high, limit));
    bound.admits_all(limit) || follows || all.iter().any(says_more)
}

/// Between which numbers a variable is, compared as its own type does, where these are all on one side of the sign: both
/// orders are the same there.
fn interval(of: &IntegerVariable, all: &[Invariant]) -> Option<(BvValue, BvValue)> {
    let narrowest = |wanted: Bound| {
        let limits = all.iter().filter_map(|it| match it {
            Invariant::Within(same, bound, limit) if (same, *bound) == (of, wanted) => Some(limit),
            _ => None,
        });
        limits.cloned().reduce(|one, other| if wanted.is_narrower(&other, &one) { other } else { one })
    };
    let width = Width::new(of.bits)?;
    let (low, high) = if of.signed {
        let least = BvValue::min_signed(width);
        (narrowest(Bound::Least).unwrap_or(least.clone()), narrowest(Bound::Most).unwrap_or(least.not()))
    } else {
        let low = narrowest(Bound::LeastUnsigned).unwrap_or(BvValue::zero(width));
        (low, narrowest(Bound::MostUnsigned).unwrap_or(BvValue::ones(width)))
    };
    (low.is_negative() == high.is_negative()).then_some((low, high))
}
