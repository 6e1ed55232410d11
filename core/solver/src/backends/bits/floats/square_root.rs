//! Square roots of floats.
//!
//! Knows: the root of an integer, a bit at a time, as by hand. Never: approximations.

use super::super::circuits::{Word, sign_extended};
use super::super::gates::{Bit, Gates};
use super::round::{Mode, Special, Unrounded};
use super::words::integer;
use effigy_term::float::Format;

impl Gates {
    /// The square root, rounded.
    pub(super) fn float_square_root(&mut self, format: Format, mode: Mode, a: &[Bit]) -> Word {
        let a = self.unpacked_normal(format, a);
        // The exponent is e + bias; that of the root is half of e, rounded down, + bias, where an odd e leaves a factor two.
        let sum = self.add_signed(&a.exponent, &integer(format.bias()), Bit::FALSE);
        // Not without a bit beside the lowest, even where it is constant.
        let sum = match sum.len() {
            1 => sign_extended(sum, 2),
            _ => sum,
        };
        let (odd, exponent) = (sum[0], sum[1..].to_vec());
        let once = [a.significand.as_slice(), &[Bit::FALSE]].concat();
        let twice = [&[Bit::FALSE], a.significand.as_slice()].concat();
        let square = self.mux_word(odd, &twice, &once);
        let significand = self.integer_root(&square);

        let negative = self.and(a.negative, !a.zero);
        let special = Special { nan: self.or(a.nan, negative), infinite: a.infinite, zero: a.zero };
        let number = Unrounded { negative: a.negative, exponent, significand, overflows: false, special };
        // Half of an exponent is rarely below those of normal numbers.
        match format.min_place() >= 2 * format.min_exponent() {
            true => self.rounded_in_place(format, mode, number),
            false => self.rounded(format, mode, number),
        }
    }

    /// The root of a number in [1, 4), which has two bits before its point: as many bits as it has, and one that says whether
    /// there are more.
    fn integer_root(&mut self, square: &[Bit]) -> Word {
        let count = square.len();
        let mut pairs = [vec![Bit::FALSE; count].as_slice(), square].concat();
        let (mut root, mut rest): (Word, Word) = (Vec::new(), Vec::new());
        for _ in 0..count {
            // What is left takes one bit more than the root.
            let pair = pairs.split_off(pairs.len() - 2);
            let bits = root.len() + 3;
            let mut next = [pair, rest].concat();
            next.resize(bits, Bit::FALSE);
            // Taken away is 4 · root + 1.
            let mut trial = [&[Bit::TRUE, Bit::FALSE], root.as_slice()].concat();
            trial.resize(bits, Bit::FALSE);
            let inverted = self.not_word(&trial);
            let (difference, fits) = self.add_with_carry(&next, &inverted, Bit::TRUE);
            rest = self.mux_word(fits, &difference, &next);
            rest.truncate(bits - 1);
            root.insert(0, fits);
        }
        let more = self.any(&rest);
        root.insert(0, more);
        root
    }
}
