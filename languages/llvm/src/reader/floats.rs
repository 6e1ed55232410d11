//! Floating-point constants.
//!
//! Knows: their notations, the bits that they stand for. Never: arithmetic.
//! Source: LLVM Language Reference, "Simple Constants"; the notations with words (`+inf`, `f0x...`) are of LLVM 23.

use super::{Reader, Result};
use crate::ir::{ConstId, Constant, FloatKind};
use effigy_term::{BvValue, Width};
use num_bigint::BigUint;

/// The bits of an exponent and of a fraction.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
}

/// The interchange formats of at most 64 bits.
fn format(kind: FloatKind) -> Option<Format> {
    let (exponent, fraction) = match kind {
        FloatKind::Half => (5, 10),
        FloatKind::BFloat => (8, 7),
        FloatKind::Single => (8, 23),
        FloatKind::Double => (11, 52),
        FloatKind::X86Fp80 | FloatKind::Quad => return None,
    };
    Some(Format { exponent, fraction })
}

impl Reader<'_> {
    /// `1.5e+00`, `0x3FF8000000000000`, `0xK...`, `f0x...`, `+inf`.
    pub(super) fn float(&mut self, kind: FloatKind) -> Result<ConstId> {
        let start = self.cursor.position();
        let bits = if self.cursor.take(b"0x") {
            self.hexadecimal(kind)
        } else if self.cursor.take(b"f0x") {
            // The bits as they are.
            hex(self.cursor.word())
        } else {
            self.decimal(kind)
        };
        let width = Width::of(kind.bits());
        match bits {
            Some(bits) if bits.bits() <= u64::from(width.bits()) => {
                Ok(self.add_constant(Constant::Bits(BvValue::from_biguint(width, bits))))
            }
            _ if format(kind).is_none() && self.cursor.position() > start => {
                Ok(self.add_constant(Constant::Unsupported("a constant of this float type in this notation".into())))
            }
            _ => Err(self.cursor.error_at(start, "a floating-point number was expected".to_owned())),
        }
    }

    /// What follows `0x`: for most types the bits of the double of the same value, else a letter and the bits.
    fn hexadecimal(&mut self, kind: FloatKind) -> Option<BigUint> {
        let digits = self.cursor.word();
        let (bits, is_double) = match (digits, kind) {
            ([b'H', digits @ ..], FloatKind::Half)
            | ([b'R', digits @ ..], FloatKind::BFloat)
            | ([b'K', digits @ ..], FloatKind::X86Fp80) => (hex(digits)?, false),
            // The halves of a quad are written low first.
            ([b'L', digits @ ..], FloatKind::Quad) => {
                let (low, high) = digits.split_at_checked(16)?;
                ((hex(high)? << 64u32) | hex(low)?, false)
            }
            _ => (hex(digits)?, true),
        };
        if !is_double {
            return Some(bits);
        }
        let double = u64::try_from(bits).ok()?;
        Some(convert(f64::from_bits(double), format(kind)?).into())
    }

    fn decimal(&mut self, kind: FloatKind) -> Option<BigUint> {
        if let Some(special) = self.special(kind) {
            return special;
        }
        let text = std::str::from_utf8(self.cursor.float_text()).ok()?;
        if kind == FloatKind::Single {
            // Rounded once, where going through a double may round twice.
            return Some(text.parse::<f32>().ok()?.to_bits().into());
        }
        Some(convert(text.parse().ok()?, format(kind)?).into())
    }

    /// `+inf`, `-qnan`, `+nan(0x1)`, `+snan(0x1)`.
    fn special(&mut self, kind: FloatKind) -> Option<Option<BigUint>> {
        let negative = match self.cursor.peek() {
            Some(b'+') => false,
            Some(b'-') => true,
            _ => return None,
        };
        let start = self.cursor.position();
        self.cursor.advance(1);
        let word = match self.cursor.peek() {
            Some(b'a'..=b'z') => self.cursor.word(),
            _ => {
                self.cursor.rewind(start);
                return None;
            }
        };
        let payload = if self.cursor.take(b"(0x") { hex(self.cursor.word()).map(u64::try_from) } else { None };
        if payload.is_some() {
            self.cursor.take(b")");
        }
        Some(format(kind).and_then(|it| {
            let quiet = 1 << (it.fraction - 1);
            let payload = payload.and_then(std::result::Result::ok);
            let fraction = match (word, payload) {
                (b"inf", None) => 0,
                (b"qnan", None) => quiet,
                (b"nan", Some(payload)) => payload | quiet,
                (b"snan", Some(payload)) if payload != 0 => payload,
                _ => return None,
            };
            (fraction >> it.fraction == 0).then(|| pack(it, negative, exponent_mask(it), fraction).into())
        }))
    }
}

fn hex(digits: &[u8]) -> Option<BigUint> {
    if digits.len() > 32 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    BigUint::parse_bytes(digits, 16)
}

fn exponent_mask(format: Format) -> u64 {
    (1 << format.exponent) - 1
}

fn pack(format: Format, negative: bool, exponent: u64, fraction: u64) -> u64 {
    (u64::from(negative) << (format.exponent + format.fraction)) | (exponent << format.fraction) | fraction
}

/// The bits of the number of a format that is nearest to a double, ties to even. NaNs keep the top of their payload.
fn convert(value: f64, format: Format) -> u64 {
    let bits = value.to_bits();
    if format.fraction == 52 {
        return bits;
    }
    let negative = value.is_sign_negative();
    let fraction = bits & ((1 << 52) - 1);
    let all_ones = exponent_mask(format);
    if value.is_nan() {
        let top = fraction >> (52 - format.fraction);
        // A payload that lies below what is kept must not become an infinity.
        return pack(format, negative, all_ones, if top == 0 { 1 } else { top });
    }
    if value.is_infinite() {
        return pack(format, negative, all_ones, 0);
    }
    let bias = (all_ones >> 1) as i64;
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1023 + bias;
    // Subnormal doubles are far below the least number of every shorter format.
    let significand = fraction | if (bits >> 52) & 0x7ff == 0 { 0 } else { 1 << 52 };
    // How many bits are dropped; numbers below the normal ones lose more.
    let dropped = i64::from(52 - format.fraction) + (1 - exponent).max(0);
    if dropped > 54 {
        return pack(format, negative, 0, 0);
    }
    let kept = significand >> dropped;
    let rest = significand & ((1 << dropped) - 1);
    let half = 1u64 << (dropped - 1);
    let rounded = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
    // A carry out of the fraction goes on into the exponent, up to infinity.
    let magnitude = if exponent >= 1 { (((exponent - 1) as u64) << format.fraction) + rounded } else { rounded };
    let infinity = all_ones << format.fraction;
    pack(format, negative, 0, 0) | magnitude.min(infinity)
}
