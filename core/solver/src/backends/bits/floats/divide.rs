//! Quotients of floats.
//!
//! Knows: long division of significands, a bit at a time. Never: the division of integers, which has another divisor zero.

use super::super::circuits::Word;
use super::super::gates::{Bit, Gates};
use super::round::{Mode, Special, Unrounded};
use super::words::integer;
use effigy_term::float::Format;

impl Gates {
    /// `a / b`, rounded.
    pub(super) fn float_quotient(&mut self, format: Format, mode: Mode, a: &[Bit], b: &[Bit]) -> Word {
        let (a, b) = (self.unpacked_normal(format, a), self.unpacked_normal(format, b));
        let bits = format.significand_bits() as usize;
        // The quotient is in (1/2, 2): a bit more than the rounder looks at, and one for what remains.
        let mut quotient = vec![Bit::FALSE; bits + 3];
        let mut rest = [a.significand.as_slice(), &[Bit::FALSE]].concat();
        for at in (1..quotient.len()).rev() {
            let (fits, difference) = self.division_step(&rest, &b.significand);
            quotient[at] = fits;
            rest = [&[Bit::FALSE], &difference[..bits]].concat();
        }
        quotient[0] = self.any(&rest);
        let large = quotient[bits + 2];
        let moved: Word = [&[Bit::FALSE], &quotient[..bits + 2]].concat();
        let significand = self.mux_word(large, &quotient, &moved);
        // a - b + bias, and one less where the first bit is zero.
        let inverted = self.not_word(&b.exponent);
        let exponent = self.add_signed(&a.exponent, &inverted, large);
        let exponent = self.add_signed(&exponent, &integer(format.bias()), Bit::FALSE);

        let nan = self.or(a.nan, b.nan);
        let first = self.and(a.infinite, b.infinite);
        let second = self.and(a.zero, b.zero);
        let undefined = self.or(first, second);
        let special = Special {
            nan: self.or(nan, undefined),
            infinite: self.or(a.infinite, b.zero),
            zero: self.or(a.zero, b.infinite),
        };
        let negative = self.xor(a.negative, b.negative);
        self.rounded(format, mode, Unrounded { negative, exponent, significand, overflows: true, special })
    }

    /// Whether a rest, which has one bit more than the divisor, is at least the divisor, and what is left of it.
    pub(super) fn division_step(&mut self, rest: &[Bit], divisor: &[Bit]) -> (Bit, Word) {
        let mut inverted = self.not_word(divisor);
        inverted.push(Bit::TRUE);
        let (difference, fits) = self.add_with_carry(rest, &inverted, Bit::TRUE);
        (fits, self.mux_word(fits, &difference, rest))
    }
}
