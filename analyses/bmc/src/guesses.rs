//! Candidate invariants of a loop, over the integers that it modifies.
//!
//! Knows: bounds, sums, differences, few values. Never: which of them a loop keeps (`houdini.rs`).

use effigy_term::{BvValue, Sort, SymbolKind, Term, Terms};

/// The most characters of an invariant for people; a longer one is not shown.
const MOST_TOLD: usize = 80;

/// A comparison with a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// No less than it, as signed numbers.
    Least,
    /// No more than it, as signed numbers.
    Most,
    /// No less than it, as unsigned numbers.
    LeastUnsigned,
    /// No more than it, as unsigned numbers.
    MostUnsigned,
}

impl Bound {
    /// The bounds that numbers of this sort can have; integers have only signed ones.
    pub(crate) fn of(sort: Sort) -> &'static [Bound] {
        match sort {
            Sort::BitVec(_) => &[Bound::Least, Bound::Most, Bound::LeastUnsigned, Bound::MostUnsigned],
            Sort::Int => &[Bound::Least, Bound::Most],
            _ => &[],
        }
    }

    /// Whether numbers are compared as signed ones.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Bound::Least | Bound::Most)
    }

    /// Whether a number is within a limit.
    pub(crate) fn admits(self, number: &BvValue, limit: &BvValue) -> bool {
        number == limit || self.is_narrower(number, limit)
    }

    /// Whether every number of the limit's width is within it.
    pub(crate) fn admits_all(self, limit: &BvValue) -> bool {
        match self {
            Bound::Least => *limit == BvValue::min_signed(limit.width()),
            Bound::Most => *limit == BvValue::min_signed(limit.width()).not(),
            Bound::LeastUnsigned => limit.is_zero(),
            Bound::MostUnsigned => limit.is_ones(),
        }
    }

    /// Whether the first limit leaves fewer numbers than the second.
    pub(crate) fn is_narrower(self, first: &BvValue, second: &BvValue) -> bool {
        match self {
            Bound::Least => first.to_bigint_signed() > second.to_bigint_signed(),
            Bound::Most => first.to_bigint_signed() < second.to_bigint_signed(),
            Bound::LeastUnsigned => first.to_biguint() > second.to_biguint(),
            Bound::MostUnsigned => first.to_biguint() < second.to_biguint(),
        }
    }
}

/// A candidate invariant, at the loop head, over the integers that the loop modifies. Numbers are named by their index.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Guess {
    /// The number is bounded by its value when the path came to wait at the loop head.
    Start(usize, Bound),
    /// The number is bounded by a term that the loop does not change.
    Limit(usize, Term, Bound),
    /// The difference of the first number and the second stays as it was.
    Difference(usize, usize),
    /// The sum of the two numbers stays as it was.
    Sum(usize, usize),
    /// The number is one of these values.
    Among(usize, Vec<Term>),
}

impl Guess {
    pub(crate) fn can_be_said(&self, of: &[Option<Term>]) -> bool {
        let known = |at: usize| of.get(at).is_some_and(Option::is_some);
        match *self {
            Guess::Start(at, _) | Guess::Limit(at, ..) | Guess::Among(at, _) => known(at),
            Guess::Difference(a, b) | Guess::Sum(a, b) => known(a) && known(b),
        }
    }

    /// The invariant as a term of sort Bool over the numbers `of`, which were `before` when the path came to wait. True
    /// where it cannot be stated.
    pub(crate) fn of(&self, terms: &Terms, before: &[Option<Term>], of: &[Option<Term>]) -> Term {
        let pair = |at: usize| Some((before.get(at).copied().flatten()?, of.get(at).copied().flatten()?));
        let are_integers = |it: Term| terms.sort(it) == Sort::Int;
        let bounded = |bound: Bound, it: Term, limit: Term| match bound {
            Bound::Least if are_integers(it) => terms.int_le(limit, it),
            Bound::Most if are_integers(it) => terms.int_le(it, limit),
            Bound::Least => terms.bv_sle(limit, it),
            Bound::Most => terms.bv_sle(it, limit),
            Bound::LeastUnsigned => terms.bv_ule(limit, it),
            Bound::MostUnsigned => terms.bv_ule(it, limit),
        };
        let less = |a: Term, b: Term| if are_integers(a) { terms.int_sub(a, b) } else { terms.bv_sub(a, b) };
        let sum = |a: Term, b: Term| if are_integers(a) { terms.int_add(a, b) } else { terms.bv_add(a, b) };
        let said = match self {
            Guess::Start(at, bound) => pair(*at).map(|(was, is)| bounded(*bound, is, was)),
            Guess::Limit(at, limit, bound) => pair(*at).map(|(_, is)| bounded(*bound, is, *limit)),
            Guess::Difference(a, b) => {
                pair(*a).zip(pair(*b)).map(|((was_a, a), (was_b, b))| terms.eq(less(a, b), less(was_a, was_b)))
            }
            Guess::Sum(a, b) => {
                pair(*a).zip(pair(*b)).map(|((was_a, a), (was_b, b))| terms.eq(sum(a, b), sum(was_a, was_b)))
            }
            Guess::Among(at, values) => {
                pair(*at).map(|(_, is)| terms.or_all(values.iter().map(|it| terms.eq(is, *it))))
            }
        };
        // What cannot be said is not assumed.
        said.filter(|it| terms.sort(*it) == Sort::Bool).unwrap_or_else(|| terms.bool(true))
    }

    /// The number that a bound is, with what is bounded.
    pub(crate) fn constant(&self, terms: &Terms, before: &[Option<Term>]) -> Option<(usize, Bound, Term)> {
        let (at, bound, limit) = match *self {
            Guess::Start(at, bound) => (at, bound, before.get(at).copied().flatten()?),
            Guess::Limit(at, limit, bound) => (at, bound, limit),
            _ => return None,
        };
        let is_number = terms.as_bv(limit).is_some() || terms.as_int(limit).is_some();
        is_number.then_some((at, bound, limit))
    }
}

/// What is kept, for people: of bounds that are numbers the narrowest, of what has a name only, nothing that is long.
pub(crate) fn told(
    terms: &Terms,
    kept: &[Guess],
    names: &[Option<String>],
    before: &[Option<Term>],
    now: &[Option<Term>],
) -> Vec<String> {
    let named = |(at, term): (usize, &Option<Term>)| {
        let (sort, name) = (terms.sort((*term)?), names.get(at)?.as_ref()?);
        Some(terms.of_symbol(terms.symbol(name, sort, SymbolKind::Fresh)))
    };
    let called: Vec<Option<Term>> = now.iter().enumerate().map(named).collect();
    let is_narrower = |bound: Bound, a: Term, b: Term| match (terms.as_int(a), terms.as_int(b)) {
        (Some(a), Some(b)) => {
            if bound == Bound::Least {
                a > b
            } else {
                a < b
            }
        }
        _ => terms.as_bv(a).zip(terms.as_bv(b)).is_some_and(|(a, b)| bound.is_narrower(a, b)),
    };
    let is_weaker = |it: &Guess| {
        let Some((at, bound, limit)) = it.constant(terms, before) else { return false };
        kept.iter()
            .filter_map(|other| other.constant(terms, before))
            .any(|(other, same, narrower)| (at, bound) == (other, same) && is_narrower(bound, narrower, limit))
    };
    let texts = kept.iter().filter(|it| !is_weaker(it)).map(|it| it.of(terms, before, &called));
    let texts = texts.filter(|it| terms.as_bool(*it).is_none()).map(|it| effigy_term::print::math(terms, it));
    texts.filter(|it| it.chars().count() <= MOST_TOLD).collect()
}
