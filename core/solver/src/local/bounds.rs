//! Bounds of numbers.
//!
//! Knows: intervals of fractions, open or closed at either end, and their sums. Never: classes.

use effigy_term::{Node, Sort, Term, Terms};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

/// One end of an interval.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Bound {
    pub(super) at: BigRational,
    /// The end itself is no value.
    pub(super) strict: bool,
}

/// Both ends, where there are any.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Bounds {
    pub(super) lower: Option<Box<Bound>>,
    pub(super) upper: Option<Box<Bound>>,
}

impl Bounds {
    pub(super) fn exactly(value: BigRational) -> Bounds {
        let end = || Some(Box::new(Bound { at: value.clone(), strict: false }));
        Bounds { lower: end(), upper: end() }
    }

    pub(super) fn above(at: BigRational, strict: bool) -> Bounds {
        Bounds { lower: Some(Box::new(Bound { at, strict })), upper: None }
    }

    pub(super) fn intersected(&self, other: &Bounds) -> Bounds {
        let end = |a: &Option<Box<Bound>>, b: &Option<Box<Bound>>, better: Ordering| match (a, b) {
            (Some(x), Some(y)) => match y.at.cmp(&x.at) {
                Ordering::Equal => Some(if y.strict { y.clone() } else { x.clone() }),
                order => Some(if order == better { y.clone() } else { x.clone() }),
            },
            (x, y) => x.clone().or_else(|| y.clone()),
        };
        Bounds {
            lower: end(&self.lower, &other.lower, Ordering::Greater),
            upper: end(&self.upper, &other.upper, Ordering::Less),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let (Some(lower), Some(upper)) = (&self.lower, &self.upper) else { return false };
        lower.at > upper.at || (lower.at == upper.at && (lower.strict || upper.strict))
    }

    /// The only value within the bounds; `None` if there are several.
    pub(super) fn point(&self) -> Option<&BigRational> {
        let (lower, upper) = (self.lower.as_ref()?, self.upper.as_ref()?);
        (lower.at == upper.at && !lower.strict && !upper.strict).then_some(&lower.at)
    }

    /// The bounds of `factor · self + constant`.
    pub(super) fn scaled(&self, factor: &BigRational, constant: &BigRational) -> Bounds {
        if factor.is_zero() {
            return Bounds::exactly(constant.clone());
        }
        let end = |it: &Option<Box<Bound>>| {
            it.as_ref().map(|it| Box::new(Bound { at: &it.at * factor + constant, strict: it.strict }))
        };
        let (lower, upper) = (end(&self.lower), end(&self.upper));
        if factor.is_negative() { Bounds { lower: upper, upper: lower } } else { Bounds { lower, upper } }
    }

    /// The bounds of a sum.
    pub(super) fn plus(&self, other: &Bounds) -> Bounds {
        let end = |a: &Option<Box<Bound>>, b: &Option<Box<Bound>>| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            Some(Box::new(Bound { at: &a.at + &b.at, strict: a.strict || b.strict }))
        };
        Bounds { lower: end(&self.lower, &other.lower), upper: end(&self.upper, &other.upper) }
    }

    /// Whether `0 <= value`, if the bounds say so.
    pub(super) fn not_negative(&self) -> Option<bool> {
        if self.lower.as_ref().is_some_and(|it| !it.at.is_negative()) {
            return Some(true);
        }
        let below = |it: &Bound| it.at.is_negative() || (it.at.is_zero() && it.strict);
        self.upper.as_ref().is_some_and(|it| below(it)).then_some(false)
    }

    /// Whether zero is no value.
    pub(super) fn exclude_zero(&self) -> bool {
        self.intersected(&Bounds::exactly(BigRational::zero())).is_empty()
    }
}

/// A sum of products with its parts.
pub(super) struct Sum {
    pub(super) constant: BigRational,
    /// A coefficient with a factor and its exponent; `None` is a product of several.
    pub(super) parts: Vec<(BigRational, Option<(Term, u32)>)>,
}

impl Sum {
    /// The parts of a number.
    pub(super) fn of(terms: &Terms, term: Term) -> Sum {
        let factor = |monomial: &[(Term, u32)]| match monomial {
            [only] => Some(*only),
            _ => None,
        };
        match terms.node(term) {
            Node::Int(value) => Sum { constant: value.clone().into(), parts: Vec::new() },
            Node::Real(value) => Sum { constant: (**value).clone(), parts: Vec::new() },
            Node::IntPoly(poly) => Sum {
                constant: poly.constant.clone().into(),
                parts: poly.monomials.iter().map(|(k, it)| (k.clone().into(), factor(it))).collect(),
            },
            Node::RealPoly(poly) => Sum {
                constant: poly.constant.clone(),
                parts: poly.monomials.iter().map(|(k, it)| (k.clone(), factor(it))).collect(),
            },
            _ => Sum {
                constant: BigRational::zero(),
                parts: vec![(BigRational::from(BigInt::from(1)), Some((term, 1)))],
            },
        }
    }
}

/// `difference = factor · key + constant`: comparisons of one sum with different constants have one key.
pub(super) struct KeyedDifference {
    pub(super) key: Term,
    pub(super) factor: BigRational,
    pub(super) constant: BigRational,
}

impl KeyedDifference {
    /// The difference as a multiple of its key; `None` for a constant.
    pub(super) fn of(terms: &Terms, difference: Term) -> Option<KeyedDifference> {
        let sum = Sum::of(terms, difference);
        let negative = sum.parts.first()?.0.is_negative();
        let sort = terms.sort(difference);
        let without = minus(terms, difference, constant(terms, sort, &sum.constant)?);
        let key = if negative { minus(terms, constant(terms, sort, &BigRational::zero())?, without) } else { without };
        let factor = BigRational::from(BigInt::from(if negative { -1 } else { 1 }));
        Some(KeyedDifference { key, factor, constant: sum.constant })
    }
}

/// A constant of a sort of numbers.
pub(super) fn constant(terms: &Terms, sort: Sort, value: &BigRational) -> Option<Term> {
    match sort {
        Sort::Int => value.is_integer().then(|| terms.int(value.to_integer())),
        Sort::Real => Some(terms.real(value.clone())),
        _ => None,
    }
}

/// The difference of two numbers of one sort.
pub(super) fn minus(terms: &Terms, a: Term, b: Term) -> Term {
    match terms.sort(a) {
        Sort::Int => terms.int_sub(a, b),
        _ => terms.real_sub(a, b),
    }
}

/// Whether a sort is one of numbers.
pub(super) fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Real)
}
