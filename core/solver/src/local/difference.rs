//! When two terms are certainly different, and in which bounds a number lies.
//!
//! Knows: disequalities that are assumed, constants, births, bounds, injections with different arguments.
//! Never: what follows only by search.

use super::Local;
use super::bounds::{Bounds, KeyedDifference, Sum, is_number, minus};
use super::classes::Id;
use effigy_term::{Node, Term, Terms};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

/// Injections are looked into so deep.
const MOST_DEPTH: u32 = 4;

impl Local {
    /// Whether two members certainly have different values.
    pub(super) fn differ(&self, terms: &Terms, a: Id, b: Id) -> bool {
        self.differ_below(terms, a, b, 0)
    }

    fn differ_below(&self, terms: &Terms, a: Id, b: Id, depth: u32) -> bool {
        let (a, b) = (self.classes.of(a), self.classes.of(b));
        if a == b {
            return false;
        }
        let (left, right) = (self.classes.canonical(a), self.classes.canonical(b));
        if (terms.is_constant(left) && terms.is_constant(right))
            || self.classes.traits(a).excludes(self.classes.traits(b))
            || self.differ_explicitly(a, b)
        {
            return true;
        }
        if is_number(terms.sort(left)) {
            return self.interval(terms, minus(terms, left, right)).exclude_zero();
        }
        depth < MOST_DEPTH && self.parts_differ(terms, a, b, depth + 1)
    }

    /// Whether it was assumed of these classes.
    pub(super) fn differ_explicitly(&self, a: Id, b: Id) -> bool {
        let (x, y) = (&self.classes.class(a).different, &self.classes.class(b).different);
        let (fewer, other) = if x.len() < y.len() { (x, b) } else { (y, a) };
        fewer.iter().any(|&it| self.classes.of(it) == other)
    }

    /// match: injection(x...), injection(y...) with x_i and y_i different   result: they are different
    fn parts_differ(&self, terms: &Terms, a: Id, b: Id, depth: u32) -> bool {
        let parts = |it: Id| match terms.node(self.classes.term(it)) {
            Node::Apply(_, parts) => &parts[..],
            _ => &[],
        };
        self.classes.class(a).built.iter().any(|&(injection, one)| {
            self.classes.class(b).built.iter().any(|&(other, another)| {
                injection == other
                    && parts(one).iter().zip(parts(another)).any(|(&x, &y)| {
                        self.classes
                            .find(x)
                            .zip(self.classes.find(y))
                            .is_some_and(|(x, y)| self.differ_below(terms, x, y, depth))
                    })
            })
        })
    }

    /// The bounds of a number, by those of its class and of its parts.
    pub(super) fn interval(&self, terms: &Terms, number: Term) -> Bounds {
        let zero = BigRational::zero();
        let mut sum = Sum::of(terms, number);
        if sum.parts.is_empty() {
            return Bounds::exactly(sum.constant);
        }
        let mut res = Bounds::exactly(std::mem::take(&mut sum.constant));
        for (factor, part) in &sum.parts {
            let bounds = match part {
                Some((atom, 1)) => self.known_bounds(terms, *atom),
                // match: x^2n   result: not negative
                Some((_, exponent)) if exponent % 2 == 0 => Bounds::above(zero.clone(), false),
                _ => Bounds::default(),
            };
            res = res.plus(&bounds.scaled(factor, &zero));
        }
        if (sum.parts.len() > 1 || matches!(sum.parts[..], [(_, None | Some((_, 2..)))]))
            && let Some(KeyedDifference { key, factor, constant }) = KeyedDifference::of(terms, number)
        {
            res = res.intersected(&self.known_bounds(terms, key).scaled(&factor, &constant));
        }
        res
    }

    /// The bounds of a class; a remainder has some of its own.
    fn known_bounds(&self, terms: &Terms, term: Term) -> Bounds {
        let Some(id) = self.classes.find(term) else { return Bounds::default() };
        let canonical = self.classes.canonical(id);
        let value = match terms.node(canonical) {
            Node::Int(value) => Some(BigRational::from(value.clone())),
            Node::Real(value) => Some((**value).clone()),
            _ => None,
        };
        if let Some(value) = value {
            return Bounds::exactly(value);
        }
        let known = self.classes.traits(self.classes.of(id)).bounds.clone();
        match *terms.node(term) {
            // match: (mod x c)   result: 0 <= it <= |c| - 1
            Node::IntMod(_, divisor) if terms.as_int(divisor).is_some_and(|it| !it.is_zero()) => {
                let most = terms.as_int(divisor).map(|it| BigRational::from(BigInt::from(it.magnitude().clone()) - 1));
                let below = Bounds { lower: None, upper: Bounds::exactly(most.unwrap_or_default()).upper };
                known.intersected(&below).intersected(&Bounds::above(BigRational::zero(), false))
            }
            _ => known,
        }
    }
}
