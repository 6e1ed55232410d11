//! Floats taken apart.
//!
//! Knows: which bits are what, and what special numbers are. Never: operations.
//!
//! The exponent is biased, and 1 for subnormal numbers, whose significand begins with zero: then it means the same for
//! them as for normal ones, and takes no adder.

use super::super::circuits::{Word, sign_extended};
use super::super::gates::{Bit, Gates};
use super::words::integer;
use effigy_term::float::Format;

/// The parts of a float.
pub(super) struct Unpacked {
    pub(super) nan: Bit,
    pub(super) infinite: Bit,
    pub(super) zero: Bit,
    pub(super) negative: Bit,
    /// Biased, with sign.
    pub(super) exponent: Word,
    /// The first bit stands for one.
    pub(super) significand: Word,
}

impl Gates {
    /// The parts of a float; the significand of a subnormal number begins with zeros.
    pub(super) fn unpacked(&mut self, format: Format, a: &[Bit]) -> Unpacked {
        let (fraction, rest) = a.split_at(format.fraction_bits() as usize);
        let (stored, sign) = rest.split_at(format.exponent_bits() as usize);
        let some = self.any(fraction);
        let normal = self.any(stored);
        let last = self.all(stored);
        let mut exponent = stored.to_vec();
        exponent[0] = self.or(exponent[0], !normal);
        exponent.push(Bit::FALSE);
        let mut significand = fraction.to_vec();
        significand.push(normal);
        Unpacked {
            nan: self.and(last, some),
            infinite: self.and(last, !some),
            zero: self.and(!normal, !some),
            negative: sign[0],
            exponent,
            significand,
        }
    }

    /// The parts of a float; the significand begins with a one. That of zero has no meaning.
    pub(super) fn unpacked_normal(&mut self, format: Format, a: &[Bit]) -> Unpacked {
        let mut res = self.unpacked(format, a);
        let normal = res.significand[res.significand.len() - 1];
        let (mut significand, zeros) = self.normalised(&res.significand);
        if let Some(first) = significand.last_mut() {
            *first = Bit::TRUE;
        }
        let zeros = [zeros, vec![Bit::FALSE]].concat();
        // 1 - zeros: of a normal number, 1.
        let subnormal = self.subtract_signed(&integer(1), &zeros);
        let width = subnormal.len().max(res.exponent.len());
        let (exponent, subnormal) = (sign_extended(res.exponent, width), sign_extended(subnormal, width));
        // Above its last bit, the one is zero wherever the other is not.
        res.exponent = exponent.iter().zip(&subnormal).map(|(&x, &y)| self.or(x, y)).collect();
        res.exponent[0] = self.mux(normal, exponent[0], subnormal[0]);
        res.significand = significand;
        res
    }
}
