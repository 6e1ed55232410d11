//! Formats of floating-point numbers.

use crate::bv::BvValue;
use crate::sort::Width;
use num_bigint::BigUint;
use num_traits::One;
use std::fmt;

/// A binary format: how many bits the exponent takes, and how many the significand with its first bit, which is not
/// stored (`eb` and `sb` of SMT-LIB).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Format {
    exponent: u8,
    significand: u16,
}

impl Format {
    /// 16 bits.
    pub const HALF: Format = Format { exponent: 5, significand: 11 };
    /// 16 bits with the exponents of [`Format::SINGLE`].
    pub const BFLOAT16: Format = Format { exponent: 8, significand: 8 };
    /// 32 bits: C's `float`, Rust's `f32`.
    pub const SINGLE: Format = Format { exponent: 8, significand: 24 };
    /// 64 bits: C's `double`, Rust's `f64`.
    pub const DOUBLE: Format = Format { exponent: 11, significand: 53 };
    /// The numbers of the x87: 79 bits here, since the first bit of the significand is not stored; 80 in memory.
    pub const EXTENDED: Format = Format { exponent: 15, significand: 64 };
    /// 128 bits.
    pub const QUAD: Format = Format { exponent: 15, significand: 113 };

    /// The most bits of an exponent: that of a product is an `i64`, with room.
    pub const MOST_EXPONENT: u32 = 30;
    /// The most bits of a significand.
    pub const MOST_SIGNIFICAND: u32 = 4096;

    /// The format of these many bits; `None` for fewer than two of either, or more than there is room for.
    pub const fn new(exponent: u32, significand: u32) -> Option<Format> {
        if exponent < 2 || exponent > Format::MOST_EXPONENT || significand < 2 || significand > Format::MOST_SIGNIFICAND
        {
            return None;
        }
        Some(Format { exponent: exponent as u8, significand: significand as u16 })
    }

    /// The number of bits of the exponent.
    pub const fn exponent_bits(self) -> u32 {
        self.exponent as u32
    }

    /// The number of bits of the significand with its first, which is not stored.
    pub const fn significand_bits(self) -> u32 {
        self.significand as u32
    }

    /// The number of bits that are stored of the significand.
    pub const fn fraction_bits(self) -> u32 {
        self.significand as u32 - 1
    }

    /// The width of an encoded number: sign, exponent and fraction.
    pub const fn width(self) -> Width {
        Width::of(self.exponent as u32 + self.significand as u32)
    }

    /// What is added to an exponent when it is stored; also the largest exponent of a finite number.
    pub const fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the smallest normal number.
    pub const fn min_exponent(self) -> i64 {
        1 - self.bias()
    }

    /// The exponent of the last place of subnormal numbers.
    pub const fn min_place(self) -> i64 {
        self.min_exponent() - self.fraction_bits() as i64
    }

    /// The bits of a number of this sign, stored exponent and fraction.
    pub(super) fn encoded(self, negative: bool, exponent: u64, fraction: BigUint) -> BvValue {
        let sign = BigUint::from(u8::from(negative)) << (self.exponent_bits() + self.fraction_bits());
        let bits = sign + (BigUint::from(exponent) << self.fraction_bits()) + fraction;
        BvValue::from_biguint(self.width(), bits)
    }

    /// The stored exponent of infinities and NaNs.
    pub(super) const fn exponent_of_infinity(self) -> u64 {
        (1 << self.exponent) - 1
    }

    /// The NaN that operations make: quiet, without payload, and negative, as x86 makes it ("real indefinite").
    pub fn nan(self) -> BvValue {
        let quiet = BigUint::one() << (self.fraction_bits() - 1);
        self.encoded(true, self.exponent_of_infinity(), quiet)
    }

    /// Infinity.
    pub fn infinity(self, negative: bool) -> BvValue {
        self.encoded(negative, self.exponent_of_infinity(), BigUint::default())
    }

    /// Zero.
    pub fn zero(self, negative: bool) -> BvValue {
        self.encoded(negative, 0, BigUint::default())
    }

    /// One.
    pub fn one(self) -> BvValue {
        self.encoded(false, self.bias() as u64, BigUint::default())
    }

    /// The finite number that is farthest from zero.
    pub fn largest(self, negative: bool) -> BvValue {
        let fraction = (BigUint::one() << self.fraction_bits()) - 1u32;
        self.encoded(negative, self.exponent_of_infinity() - 1, fraction)
    }

    /// The number with only its sign bit: minus zero.
    pub fn sign_bit(self) -> BvValue {
        self.zero(true)
    }

    /// All bits but the sign.
    pub fn magnitude_bits(self) -> BvValue {
        self.zero(true).not()
    }
}

impl fmt::Display for Format {
    /// `f64` for [`Format::DOUBLE`]; `float(6, 5)` for a format without a name.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Format::HALF => to.write_str("f16"),
            Format::BFLOAT16 => to.write_str("bf16"),
            Format::SINGLE => to.write_str("f32"),
            Format::DOUBLE => to.write_str("f64"),
            Format::EXTENDED => to.write_str("f80"),
            Format::QUAD => to.write_str("f128"),
            _ => write!(to, "float({}, {})", self.exponent, self.significand),
        }
    }
}
