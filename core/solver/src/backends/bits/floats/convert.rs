//! Conversions: between formats, and between floats and integers.
//!
//! Knows: which of them are exact, and which need no normalisation. Never: arithmetic.

use super::super::circuits::{Word, sign_extended, zero_extended};
use super::super::gates::{Bit, Gates};
use super::round::{Mode, Special, Unrounded};
use super::words::integer;
use effigy_term::float::Format;

impl Gates {
    /// A float in another format, rounded. Where the other has all numbers of this one, the rounder folds away, since all
    /// that it looks at is constant.
    pub(super) fn float_converted(&mut self, from: Format, to: Format, mode: Mode, a: &[Bit]) -> Word {
        let same_exponents = from.exponent_bits() == to.exponent_bits();
        // Less than half of the least number that the other has.
        let subnormals_vanish = from.min_exponent() < to.min_place();
        let parts = match same_exponents || subnormals_vanish {
            true => self.unpacked(from, a),
            false => self.unpacked_normal(from, a),
        };
        let exponent = self.add_signed(&parts.exponent, &integer(to.bias() - from.bias()), Bit::FALSE);
        let special = Special { nan: parts.nan, infinite: parts.infinite, zero: parts.zero };
        let overflows = from.bias() > to.bias();
        let (negative, significand) = (parts.negative, parts.significand);
        let number = Unrounded { negative, exponent, significand, overflows, special };
        match same_exponents || from.min_place() >= to.min_exponent() {
            true => self.rounded_in_place(to, mode, number),
            false => self.rounded(to, mode, number),
        }
    }

    /// An integer as a float, rounded. None but zero is below the normal numbers.
    pub(super) fn float_of_integer(&mut self, signed: bool, to: Format, mode: Mode, a: &[Bit]) -> Word {
        let negative = if signed { a.last().copied().unwrap_or(Bit::FALSE) } else { Bit::FALSE };
        let magnitude = self.negate_if(negative, a);
        let (significand, zeros) = self.normalised(&magnitude);
        let nonzero = significand.last().copied().unwrap_or(Bit::FALSE);
        let zeros = [zeros, vec![Bit::FALSE]].concat();
        let exponent = self.subtract_signed(&integer(to.bias() + a.len() as i64 - 1), &zeros);
        let special = Special { nan: Bit::FALSE, infinite: Bit::FALSE, zero: !nonzero };
        let overflows = a.len() as i64 > to.bias() + 1;
        self.rounded_in_place(to, mode, Unrounded { negative, exponent, significand, overflows, special })
    }

    /// The integer of `width` bits that is nearest to a float; zero where it does not fit.
    pub(super) fn integer_of_float(&mut self, signed: bool, from: Format, width: usize, mode: Mode, a: &[Bit]) -> Word {
        let parts = self.unpacked(from, a);
        // The place of the first bit before it is moved to where it belongs: there is no larger one that fits.
        let top = from.bias().min(width as i64 - 1);
        let integer_bits = top as usize + 1;
        let placed = self.reduced(&parts.significand, integer_bits + 2);
        let mut amount = self.subtract_signed(&integer(top + from.bias()), &parts.exponent);
        let too_large = amount.pop().unwrap_or(Bit::FALSE);
        let placed = self.shift_with_sticky(&placed, &amount, !parts.zero);
        let (below, magnitude) = placed.split_at(2);
        let moves = mode.moves(self, parts.negative, magnitude[0], below[1], below[0]);

        // -(m + 1) is the inverse of m: the sign and the carry are one addition.
        let magnitude = zero_extended(magnitude.to_vec(), integer_bits + 2);
        let inverted: Word = magnitude.into_iter().map(|it| self.xor(it, parts.negative)).collect();
        let carry = self.xor(moves, parts.negative);
        let exact = self.incremented(&inverted, carry);
        let exact = sign_extended(exact, integer_bits.max(width) + 2);
        let (res, above) = exact.split_at(width);
        let sign = if signed { res[width - 1] } else { Bit::FALSE };
        let lost: Word = above.iter().map(|&it| self.xor(it, sign)).collect();
        let lost = self.any(&lost);
        let special = self.or(parts.nan, parts.infinite);
        let bad = self.or(special, too_large);
        let bad = self.or(bad, lost);
        res.iter().map(|&it| self.and(it, !bad)).collect()
    }
}
