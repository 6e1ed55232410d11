//! Bitvector values and their arithmetic, of any width, modulo 2^width.
//!
//! Knows: two's complement. Never: terms.
//! Source: SMT-LIB theory FixedSizeBitVectors, logic QF_BV (division by zero as there).

use crate::sort::Width;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A bitvector of fixed width. Widths up to 64 need no allocation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BvValue {
    width: Width,
    bits: Bits,
}

/// Invariant: `Small` exactly when the width is at most 64; no bit at or above the width is set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Bits {
    Small(u64),
    Big(Box<BigUint>),
}

fn mask(width: Width) -> u64 {
    u64::MAX >> (64 - width.bits())
}

macro_rules! binary {
    ($(#[$doc:meta])* $name:ident, |$w:ident, $a:ident, $b:ident| $small:expr, |$v:ident, $x:ident, $y:ident| $big:expr) => {
        $(#[$doc])*
        pub fn $name(&self, other: &BvValue) -> BvValue {
            debug_assert_eq!(self.width, other.width);
            match (&self.bits, &other.bits) {
                (&Bits::Small($a), &Bits::Small($b)) => {
                    let $w = self.width;
                    BvValue::from_u64(self.width, $small)
                }
                _ => {
                    let $v = self.width;
                    let ($x, $y) = (self.to_biguint(), other.to_biguint());
                    BvValue::from_biguint(self.width, $big)
                }
            }
        }
    };
}

impl BvValue {
    /// The low `width` bits of `value`.
    pub fn from_u64(width: Width, value: u64) -> BvValue {
        let bits = if width.bits() <= 64 {
            Bits::Small(value & mask(width))
        } else {
            Bits::Big(Box::new(BigUint::from(value)))
        };
        BvValue { width, bits }
    }

    /// The low `width` bits of `value`, sign-extended to larger widths.
    pub fn from_i64(width: Width, value: i64) -> BvValue {
        if width.bits() <= 64 {
            BvValue::from_u64(width, value as u64)
        } else {
            BvValue::from_bigint(width, &BigInt::from(value))
        }
    }

    /// The low `width` bits of `value`.
    pub fn from_u128(width: Width, value: u128) -> BvValue {
        if width.bits() <= 64 {
            BvValue::from_u64(width, value as u64)
        } else {
            BvValue::from_biguint(width, BigUint::from(value))
        }
    }

    /// `value` modulo 2^width.
    pub fn from_biguint(width: Width, value: BigUint) -> BvValue {
        if width.bits() <= 64 {
            let low = value.iter_u64_digits().next().unwrap_or(0);
            return BvValue::from_u64(width, low);
        }
        let value =
            if value.bits() > u64::from(width.bits()) { value % (BigUint::one() << width.bits()) } else { value };
        BvValue { width, bits: Bits::Big(Box::new(value)) }
    }

    /// `value` modulo 2^width (the result is the representative in two's complement).
    pub fn from_bigint(width: Width, value: &BigInt) -> BvValue {
        let modulus = BigInt::one() << width.bits();
        let (_, magnitude) = value.mod_floor(&modulus).into_parts();
        BvValue::from_biguint(width, magnitude)
    }

    /// Zero.
    pub fn zero(width: Width) -> BvValue {
        BvValue::from_u64(width, 0)
    }

    /// One.
    pub fn one(width: Width) -> BvValue {
        BvValue::from_u64(width, 1)
    }

    /// All bits set: −1 in two's complement.
    pub fn ones(width: Width) -> BvValue {
        BvValue::zero(width).not()
    }

    /// Only the sign bit set: the smallest signed value.
    pub fn min_signed(width: Width) -> BvValue {
        BvValue::one(width).shl_bits(width.bits() - 1)
    }

    /// The width in bits.
    pub fn width(&self) -> Width {
        self.width
    }

    /// The unsigned value, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(bits) => Some(*bits),
            Bits::Big(bits) => bits.to_u64(),
        }
    }

    /// The unsigned value, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.bits {
            Bits::Small(bits) => Some(u128::from(*bits)),
            Bits::Big(bits) => bits.to_u128(),
        }
    }

    /// The signed value, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.bits {
            Bits::Small(bits) => {
                let shift = 64 - self.width.bits();
                Some(((bits << shift) as i64) >> shift)
            }
            Bits::Big(_) => self.to_bigint_signed().to_i64(),
        }
    }

    /// The unsigned value.
    pub fn to_biguint(&self) -> BigUint {
        match &self.bits {
            Bits::Small(bits) => BigUint::from(*bits),
            Bits::Big(bits) => (**bits).clone(),
        }
    }

    /// The value in two's complement.
    pub fn to_bigint_signed(&self) -> BigInt {
        let magnitude = BigInt::from_biguint(Sign::Plus, self.to_biguint());
        if self.is_negative() { magnitude - (BigInt::one() << self.width.bits()) } else { magnitude }
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(bits) => *bits == 0,
            Bits::Big(bits) => bits.is_zero(),
        }
    }

    /// Whether it is one.
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }

    /// Whether all bits are one.
    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Bits::Small(bits) => *bits == mask(self.width),
            Bits::Big(bits) => bits.count_ones() == u64::from(self.width.bits()),
        }
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width.bits() - 1)
    }

    /// Bit `index`, counted from the lowest; false beyond the width.
    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(bits) => index < 64 && (bits >> index) & 1 == 1,
            Bits::Big(bits) => bits.bit(u64::from(index)),
        }
    }

    /// The exponent, if this is a power of two.
    pub fn power_of_two(&self) -> Option<u32> {
        match &self.bits {
            Bits::Small(bits) => bits.is_power_of_two().then(|| bits.trailing_zeros()),
            Bits::Big(bits) => (bits.count_ones() == 1).then(|| bits.trailing_zeros().unwrap_or(0) as u32),
        }
    }

    binary!(/// Sum.
        add, |_w, a, b| a.wrapping_add(b), |_w, a, b| a + b);
    binary!(/// Difference.
        sub, |_w, a, b| a.wrapping_sub(b), |w, a, b| a + (BigUint::one() << w.bits()) - b);
    binary!(/// Product.
        mul, |_w, a, b| a.wrapping_mul(b), |_w, a, b| a * b);
    binary!(/// Unsigned quotient; all ones for divisor zero.
        udiv, |_w, a, b| a.checked_div(b).unwrap_or(u64::MAX),
        |w, a, b| if b.is_zero() { (BigUint::one() << w.bits()) - 1u32 } else { a / b });
    binary!(/// Unsigned remainder; the dividend for divisor zero.
        urem, |_w, a, b| a.checked_rem(b).unwrap_or(a), |_w, a, b| if b.is_zero() { a } else { a % b });
    binary!(/// Bitwise and.
        and, |_w, a, b| a & b, |_w, a, b| a & b);
    binary!(/// Bitwise or.
        or, |_w, a, b| a | b, |_w, a, b| a | b);
    binary!(/// Bitwise exclusive or.
        xor, |_w, a, b| a ^ b, |_w, a, b| a ^ b);

    /// Signed quotient, truncated (SMT-LIB `bvsdiv`).
    pub fn sdiv(&self, other: &BvValue) -> BvValue {
        let res = self.abs().udiv(&other.abs());
        if self.is_negative() == other.is_negative() { res } else { res.neg() }
    }

    /// Signed remainder with the sign of the dividend (SMT-LIB `bvsrem`).
    pub fn srem(&self, other: &BvValue) -> BvValue {
        let res = self.abs().urem(&other.abs());
        if self.is_negative() { res.neg() } else { res }
    }

    /// Two's complement negation.
    pub fn neg(&self) -> BvValue {
        BvValue::zero(self.width).sub(self)
    }

    /// The absolute value; the smallest signed value is its own.
    pub fn abs(&self) -> BvValue {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Bitwise complement.
    pub fn not(&self) -> BvValue {
        match &self.bits {
            Bits::Small(bits) => BvValue::from_u64(self.width, !bits),
            Bits::Big(bits) => {
                let ones = (BigUint::one() << self.width.bits()) - 1u32;
                BvValue::from_biguint(self.width, ones - &**bits)
            }
        }
    }

    /// The shift amount in `other`, capped at the width.
    fn shift_amount(&self, other: &BvValue) -> u32 {
        let width = self.width.bits();
        other.to_u64().map_or(width, |it| it.min(u64::from(width)) as u32)
    }

    /// Shift left by the unsigned value of `other`.
    pub fn shl(&self, other: &BvValue) -> BvValue {
        self.shl_bits(self.shift_amount(other))
    }

    /// Shift left by `amount` bits.
    pub fn shl_bits(&self, amount: u32) -> BvValue {
        if amount >= self.width.bits() {
            return BvValue::zero(self.width);
        }
        match &self.bits {
            Bits::Small(bits) => BvValue::from_u64(self.width, bits << amount),
            Bits::Big(bits) => BvValue::from_biguint(self.width, &**bits << amount),
        }
    }

    /// Logical shift right by the unsigned value of `other`.
    pub fn lshr(&self, other: &BvValue) -> BvValue {
        let amount = self.shift_amount(other);
        if amount >= self.width.bits() {
            return BvValue::zero(self.width);
        }
        match &self.bits {
            Bits::Small(bits) => BvValue::from_u64(self.width, bits >> amount),
            Bits::Big(bits) => BvValue::from_biguint(self.width, &**bits >> amount),
        }
    }

    /// Arithmetic shift right by the unsigned value of `other`.
    pub fn ashr(&self, other: &BvValue) -> BvValue {
        let amount = BvValue::from_u64(self.width, u64::from(self.shift_amount(other)));
        if !self.is_negative() {
            return self.lshr(other);
        }
        // The capped amount may not fit narrow widths (a shift by 2 of width 2 wraps), so the full case is apart.
        if self.shift_amount(other) >= self.width.bits() {
            return BvValue::ones(self.width);
        }
        self.not().lshr(&amount).not()
    }

    /// Bits `low ..= high`.
    ///
    /// # Panics
    /// When `low > high` or `high` is not below the width: a sort error of the caller.
    pub fn extract(&self, high: u32, low: u32) -> BvValue {
        assert!(low <= high && high < self.width.bits());
        let width = Width::of(high - low + 1);
        match &self.bits {
            Bits::Small(bits) => BvValue::from_u64(width, bits >> low),
            Bits::Big(bits) => BvValue::from_biguint(width, &**bits >> low),
        }
    }

    /// This value in the high bits, `low` in the low bits.
    pub fn concat(&self, low: &BvValue) -> BvValue {
        let width = Width::of(self.width.bits() + low.width.bits());
        match (&self.bits, &low.bits) {
            (&Bits::Small(a), &Bits::Small(b)) if width.bits() <= 64 => {
                BvValue::from_u64(width, (a << low.width.bits()) | b)
            }
            _ => BvValue::from_biguint(width, (self.to_biguint() << low.width.bits()) | low.to_biguint()),
        }
    }

    /// Extended with zeros, or the same when the width is the same.
    pub fn zero_extend(&self, width: Width) -> BvValue {
        debug_assert!(width >= self.width);
        match &self.bits {
            Bits::Small(bits) => BvValue::from_u64(width, *bits),
            Bits::Big(bits) => BvValue::from_biguint(width, (**bits).clone()),
        }
    }

    /// Extended with the sign, or the same when the width is the same.
    pub fn sign_extend(&self, width: Width) -> BvValue {
        debug_assert!(width >= self.width);
        if self.is_negative() { self.not().zero_extend(width).not() } else { self.zero_extend(width) }
    }

    /// Unsigned comparison.
    pub fn ucmp(&self, other: &BvValue) -> Ordering {
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => a.cmp(b),
            _ => self.to_biguint().cmp(&other.to_biguint()),
        }
    }

    /// Signed comparison.
    pub fn scmp(&self, other: &BvValue) -> Ordering {
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.ucmp(other))
    }
}

impl fmt::Display for BvValue {
    /// Unsigned decimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.bits {
            Bits::Small(bits) => write!(f, "{bits}"),
            Bits::Big(bits) => write!(f, "{bits}"),
        }
    }
}

impl fmt::Debug for BvValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}#{}", self.width.bits())
    }
}
