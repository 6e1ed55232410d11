//! Exact fractions of 128-bit numbers.
//!
//! Knows: arithmetic that says `None` where a number would not fit. Never: constraints.

use std::cmp::Ordering;

/// A reduced fraction; the denominator is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rational {
    numerator: i128,
    denominator: i128,
}

/// The greatest common divisor, never negative.
pub(super) fn gcd(a: i128, b: i128) -> Option<i128> {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        // Division of 64-bit numbers is many times as fast.
        (a, b) = match (u64::try_from(a), u64::try_from(b)) {
            (Ok(x), Ok(y)) => (u128::from(y), u128::from(x % y)),
            _ => (b, a % b),
        };
    }
    i128::try_from(a).ok()
}

impl Rational {
    pub(super) const ZERO: Rational = Rational::of(0);
    pub(super) const ONE: Rational = Rational::of(1);

    /// The integer `value` as a fraction.
    pub(super) const fn of(value: i128) -> Rational {
        Rational { numerator: value, denominator: 1 }
    }

    fn reduced(numerator: i128, denominator: i128) -> Option<Rational> {
        let common = gcd(numerator, denominator)?;
        let sign = if denominator < 0 { -1 } else { 1 };
        let common = common.checked_mul(sign)?;
        Some(Rational { numerator: numerator.checked_div(common)?, denominator: denominator.checked_div(common)? })
    }

    pub(super) fn add(self, other: Rational) -> Option<Rational> {
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Rational::of(self.numerator.checked_add(other.numerator)?));
        }
        let common = gcd(self.denominator, other.denominator)?;
        let (left, right) = (other.denominator / common, self.denominator / common);
        let numerator = self.numerator.checked_mul(left)?.checked_add(other.numerator.checked_mul(right)?)?;
        Rational::reduced(numerator, self.denominator.checked_mul(left)?)
    }

    pub(super) fn sub(self, other: Rational) -> Option<Rational> {
        self.add(other.neg()?)
    }

    pub(super) fn neg(self) -> Option<Rational> {
        Some(Rational { numerator: self.numerator.checked_neg()?, denominator: self.denominator })
    }

    pub(super) fn mul(self, other: Rational) -> Option<Rational> {
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Rational::of(self.numerator.checked_mul(other.numerator)?));
        }
        let left = Rational::reduced(self.numerator, other.denominator)?;
        let right = Rational::reduced(other.numerator, self.denominator)?;
        Some(Rational {
            numerator: left.numerator.checked_mul(right.numerator)?,
            denominator: left.denominator.checked_mul(right.denominator)?,
        })
    }

    /// One divided by it; `None` for zero.
    pub(super) fn inverse(self) -> Option<Rational> {
        if self.numerator == 0 { None } else { Rational::reduced(self.denominator, self.numerator) }
    }

    /// The order of the fraction and an integer; `None` on overflow.
    pub(super) fn compare(self, other: i128) -> Option<Ordering> {
        Some(self.numerator.cmp(&other.checked_mul(self.denominator)?))
    }

    pub(super) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(super) fn is_positive(self) -> bool {
        self.numerator > 0
    }

    /// The value, if it is an integer.
    pub(super) fn integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// The nearest integer; `None` on overflow.
    pub(super) fn nearest(self) -> Option<i128> {
        let half = self.denominator / 2;
        Some(self.numerator.checked_add(half)?.div_euclid(self.denominator))
    }

    /// The largest integer that is not greater.
    pub(super) fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }
}
