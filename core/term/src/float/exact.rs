//! Floats as exact numbers, and exact numbers rounded to floats.
//!
//! Each operation of IEEE 754 is the exact result rounded once (IEEE 754-2019, 5.1). An exact result that has no end is
//! cut off after more places than any format keeps, with a last bit that says that something was cut.

use super::format::Format;
use super::rounding::Rounding;
use crate::bv::BvValue;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// What a float is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// Not a number.
    Nan,
    /// Infinite, and whether negative.
    Infinite(bool),
    /// A finite number; zero has a sign, too.
    Finite(Exact),
}

/// `(-1)^negative · significand · 2^exponent`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// The sign.
    pub negative: bool,
    /// The digits; zero for a zero.
    pub significand: BigUint,
    /// The place of the last digit.
    pub exponent: i64,
}

impl Number {
    /// What these bits are in a format of their width.
    pub fn of_bits(format: Format, bits: &BvValue) -> Number {
        assert_eq!(bits.width(), format.width(), "a number has the width of its format");
        let (fraction_bits, width) = (format.fraction_bits(), format.width().bits());
        let negative = bits.bit(width - 1);
        let fraction = bits.extract(fraction_bits - 1, 0).to_biguint();
        let exponent = bits.extract(width - 2, fraction_bits).to_u64().unwrap_or(0);
        match exponent {
            _ if exponent == format.exponent_of_infinity() && fraction.is_zero() => Number::Infinite(negative),
            _ if exponent == format.exponent_of_infinity() => Number::Nan,
            0 => Number::Finite(Exact { negative, significand: fraction, exponent: format.min_place() }),
            _ => {
                let significand = fraction + (BigUint::one() << fraction_bits);
                let place = exponent as i64 - format.bias() - i64::from(fraction_bits);
                Number::Finite(Exact { negative, significand, exponent: place })
            }
        }
    }

    /// Whether the sign is minus; that of a NaN is not looked at.
    pub fn is_negative(&self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite(negative) => *negative,
            Number::Finite(it) => it.negative,
        }
    }

    /// The float of a format that is nearest by a rounding mode.
    pub fn rounded(&self, format: Format, rounding: Rounding) -> BvValue {
        match self {
            Number::Nan => format.nan(),
            Number::Infinite(negative) => format.infinity(*negative),
            Number::Finite(it) => it.rounded(format, rounding),
        }
    }

    /// How two numbers compare; `None` where one is a NaN.
    pub fn compare(&self, other: &Number) -> Option<Ordering> {
        let end = |negative: bool| if negative { Ordering::Less } else { Ordering::Greater };
        Some(match (self, other) {
            (Number::Nan, _) | (_, Number::Nan) => return None,
            (Number::Infinite(a), Number::Infinite(b)) => b.cmp(a),
            (Number::Infinite(a), _) => end(*a),
            (_, Number::Infinite(b)) => end(!*b),
            (Number::Finite(a), Number::Finite(b)) => a.compare(b),
        })
    }
}

impl Exact {
    /// An integer.
    pub fn of_integer(value: &BigInt) -> Exact {
        Exact { negative: value.sign() == Sign::Minus, significand: value.magnitude().clone(), exponent: 0 }
    }

    /// A fraction, cut off after what rounding to `format` takes.
    pub fn of_fraction(value: &BigRational, format: Format) -> Exact {
        let (numerator, denominator) = (value.numer(), value.denom().magnitude().clone());
        let denominator = Exact { negative: false, significand: denominator, exponent: 0 };
        Exact::of_integer(numerator).quotient(&denominator, format)
    }

    /// Whether this is zero, of either sign.
    pub fn is_zero(&self) -> bool {
        self.significand.is_zero()
    }

    /// The place above the first digit.
    fn end(&self) -> i64 {
        self.exponent + self.significand.bits() as i64
    }

    /// The digits when the last of them stands at `place`, which is not above the exponent.
    fn digits_from(&self, place: i64) -> BigUint {
        &self.significand << (self.exponent - place) as u64
    }

    fn compare(&self, other: &Exact) -> Ordering {
        let signed = |it: Ordering, negative: bool| if negative { it.reverse() } else { it };
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => signed(Ordering::Less, other.negative),
            (false, true) => signed(Ordering::Greater, self.negative),
            _ if self.negative != other.negative => other.negative.cmp(&self.negative),
            _ => signed(self.compare_magnitude(other), self.negative),
        }
    }

    /// How the absolute values of two numbers compare that are not zero.
    fn compare_magnitude(&self, other: &Exact) -> Ordering {
        let place = self.exponent.min(other.exponent);
        let by_end = self.end().cmp(&other.end());
        by_end.then_with(|| self.digits_from(place).cmp(&other.digits_from(place)))
    }

    /// The float of a format that is nearest by a rounding mode. A zero keeps its sign.
    pub fn rounded(&self, format: Format, rounding: Rounding) -> BvValue {
        if self.is_zero() {
            return format.zero(self.negative);
        }
        let precision = i64::from(format.significand_bits());
        let place = (self.end() - precision).max(format.min_place());
        let (digits, place) = self.cut_at(place, rounding);
        // All ones have become a one and zeros.
        let (digits, place) = match digits.bits() as i64 > precision {
            true => (digits >> 1u32, place + 1),
            false => (digits, place),
        };
        if place + precision - 1 > format.bias() && digits.bits() as i64 == precision {
            let stays = match rounding {
                Rounding::NearestEven | Rounding::NearestAway => false,
                Rounding::TowardZero => true,
                Rounding::Up => self.negative,
                Rounding::Down => !self.negative,
            };
            return if stays { format.largest(self.negative) } else { format.infinity(self.negative) };
        }
        match (digits.bits() as i64) < precision {
            true => format.encoded(self.negative, 0, digits),
            false => {
                let exponent = (place + precision - 1 + format.bias()) as u64;
                let first = BigUint::one() << format.fraction_bits();
                format.encoded(self.negative, exponent, digits - first)
            }
        }
    }

    /// The digits from a place on, rounded there; the place itself where there were none below it.
    fn cut_at(&self, place: i64, rounding: Rounding) -> (BigUint, i64) {
        if place <= self.exponent {
            return (self.digits_from(place), place);
        }
        let below = (place - self.exponent) as u64;
        // All is less than half of the place.
        if below > self.significand.bits() {
            let moves = !self.is_zero() && rounding.moves_away(self.negative, false, Ordering::Less);
            return (BigUint::from(u8::from(moves)), place);
        }
        let digits = &self.significand >> below;
        let cut = &self.significand - (&digits << below);
        if cut.is_zero() {
            return (digits, place);
        }
        let half = cut.cmp(&(BigUint::one() << (below - 1)));
        let moves = rounding.moves_away(self.negative, digits.is_odd(), half);
        (digits + u32::from(moves), place)
    }

    /// The integer that is nearest by a rounding mode; `None` for one of more than `most_bits` bits.
    pub fn to_integer(&self, rounding: Rounding, most_bits: u64) -> Option<BigInt> {
        if self.end() > most_bits as i64 + 1 {
            return None;
        }
        let (digits, _) = self.cut_at(0, rounding);
        let sign = if self.negative { Sign::Minus } else { Sign::Plus };
        Some(BigInt::from_biguint(sign, digits))
    }

    /// The float that is an integer and nearest by a rounding mode.
    pub(super) fn to_integral(&self, format: Format, rounding: Rounding) -> BvValue {
        if self.exponent >= 0 || self.is_zero() {
            return self.rounded(format, rounding);
        }
        let (significand, exponent) = self.cut_at(0, rounding);
        Exact { negative: self.negative, significand, exponent }.rounded(format, rounding)
    }

    /// The sum, cut off below what rounding to `format` looks at. Two numbers whose sum is zero make the zero of this mode.
    pub(super) fn sum(&self, other: &Exact, format: Format, rounding: Rounding) -> Exact {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => {
                let negative = match self.negative == other.negative {
                    true => self.negative,
                    false => rounding == Rounding::Down,
                };
                return Exact { negative, ..self.clone() };
            }
            (true, false) => return other.clone(),
            (false, true) => return self.clone(),
            _ => {}
        }
        let (large, small) = if self.end() >= other.end() { (self, other) } else { (other, self) };
        // Whatever lies below this place is as good as one bit at it.
        let room = i64::from(format.significand_bits()) + 4;
        let lowest = large.exponent.min(large.end() - room) - 2;
        let small = match small.end() <= lowest {
            true => Exact { negative: small.negative, significand: BigUint::one(), exponent: lowest },
            false => small.clone(),
        };
        let place = large.exponent.min(small.exponent);
        let signed = |it: &Exact| {
            let sign = if it.negative { Sign::Minus } else { Sign::Plus };
            BigInt::from_biguint(sign, it.digits_from(place))
        };
        let sum = signed(large) + signed(&small);
        match sum.is_zero() {
            true => Exact { negative: rounding == Rounding::Down, significand: BigUint::zero(), exponent: place },
            false => Exact { exponent: place, ..Exact::of_integer(&sum) },
        }
    }

    /// The product, in full.
    pub(super) fn product(&self, other: &Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            significand: &self.significand * &other.significand,
            exponent: self.exponent + other.exponent,
        }
    }

    /// The quotient by a number that is not zero, cut off below what rounding to `format` looks at.
    pub(super) fn quotient(&self, other: &Exact, format: Format) -> Exact {
        let negative = self.negative != other.negative;
        let needed = u64::from(format.significand_bits()) + 4 + other.significand.bits();
        let shift = needed.saturating_sub(self.significand.bits());
        let (quotient, rest) = (&self.significand << shift).div_rem(&other.significand);
        let exponent = self.exponent - other.exponent - shift as i64;
        Exact::cut(negative, quotient, !rest.is_zero(), exponent)
    }

    /// The square root of a number that is not negative, cut off below what rounding to `format` looks at.
    pub(super) fn square_root(&self, format: Format) -> Exact {
        let needed = 2 * (u64::from(format.significand_bits()) + 4);
        let shift = needed.saturating_sub(self.significand.bits());
        // The place of a root is half of that of its square.
        let shift = shift + (shift as i64 - self.exponent).rem_euclid(2) as u64;
        let square = &self.significand << shift;
        let root = square.sqrt();
        let is_cut = &root * &root != square;
        Exact::cut(self.negative, root, is_cut, (self.exponent - shift as i64) / 2)
    }

    /// Digits after which something was cut off or not: one bit says it.
    fn cut(negative: bool, digits: BigUint, is_cut: bool, exponent: i64) -> Exact {
        Exact { negative, significand: (digits << 1u32) + u32::from(is_cut), exponent: exponent - 1 }
    }

    /// The remainder by a number that is not zero: of the quotient that is nearest, of two the even one, or of that which is
    /// cut off (`fmod`).
    pub(super) fn remainder(&self, other: &Exact, nearest: bool) -> Exact {
        // Less than half of the divisor.
        if self.is_zero() || self.end() < other.end() - 1 {
            return self.clone();
        }
        let place = self.exponent.min(other.exponent);
        let divisor = other.digits_from(place);
        // Modulo twice the divisor, the quotient's last bit is seen.
        let twice = &divisor << 1u32;
        let power = BigUint::from(2u32).modpow(&BigUint::from((self.exponent - place) as u64), &twice);
        let mut rest = (&self.significand * power) % &twice;
        let odd = rest >= divisor;
        if odd {
            rest -= &divisor;
        }
        let half = (&rest << 1u32).cmp(&divisor);
        if nearest && (half.is_gt() || (half.is_eq() && odd)) {
            let negative = !self.negative;
            return Exact { negative, significand: divisor - rest, exponent: place };
        }
        Exact { negative: self.negative, significand: rest, exponent: place }
    }
}
