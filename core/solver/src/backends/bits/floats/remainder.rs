//! Remainders of floats.
//!
//! Knows: long division with a step for each difference of exponents; all is exact. Never: formats in which these are many.

use super::super::circuit::Result;
use super::super::circuits::{Word, sign_extended};
use super::super::gates::{Bit, Gates};
use super::round::{Mode, Special, Unrounded};
use effigy_term::float::Format;

/// A circuit of more steps is one that no search gets through.
const MOST_STEPS: usize = 500;

/// The number of differences of exponents from zero on, with those of subnormal numbers; `None` for too many.
pub(super) fn steps(format: Format) -> Option<usize> {
    let exponents = (1usize << format.exponent_bits()) - 2;
    let res = exponents + format.fraction_bits() as usize;
    (res <= MOST_STEPS).then_some(res)
}

impl Gates {
    /// `a - b · n`, where `n` is `a / b` rounded to the nearest integer, or cut off.
    pub(super) fn float_remainder(&mut self, format: Format, a: &[Bit], b: &[Bit], nearest: bool) -> Result<Word> {
        let Some(steps) = steps(format) else {
            return Err(format!("remainders of floats of {} bits", format.width().bits()));
        };
        let (a, b) = (self.unpacked_normal(format, a), self.unpacked_normal(format, b));
        let bits = format.significand_bits() as usize;
        let mut distance = self.subtract_signed(&a.exponent, &b.exponent);
        let below = distance.last().copied().unwrap_or(Bit::FALSE);
        let just_below = self.all(&distance);
        distance.pop();
        let at_least = self.at_least(&distance, steps);

        // Begins at the step of the distance, and is moved by one in each after that.
        let mut rest = [a.significand.as_slice(), &[Bit::FALSE]].concat();
        let mut odd = Bit::FALSE;
        for step in (0..steps).rev() {
            let (fits, difference) = self.division_step(&rest, &b.significand);
            odd = fits;
            if step > 0 {
                let moved: Word = [&[Bit::FALSE], &difference[..bits]].concat();
                rest = self.mux_word(at_least[step], &moved, &rest);
            } else {
                rest = difference;
            }
        }
        rest.truncate(bits);

        let infinite = b.infinite;
        let kept = self.or(below, infinite);
        // The parts of the result, with a bit below those of the divisor; `a` itself where it is less.
        let doubled = [&[Bit::FALSE], rest.as_slice()].concat();
        let unchanged = [&[Bit::FALSE], a.significand.as_slice()].concat();
        let mut magnitude = self.mux_word(kept, &unchanged, &doubled);
        let mut exponent = self.mux_exponent(kept, &a.exponent, &b.exponent);
        let mut negative = a.negative;
        if nearest {
            // Of a number just below the divisor, twice the rest is its significand.
            let just_below = self.and(just_below, !infinite);
            let near = [a.significand.as_slice(), &[Bit::FALSE]].concat();
            let twice = self.mux_word(just_below, &near, &doubled);
            let odd = self.and(odd, !below);
            // Is it more than the divisor, or the same for an odd quotient?
            let divisor = [b.significand.as_slice(), &[Bit::FALSE]].concat();
            let left = [&[Bit::FALSE], divisor.as_slice()].concat();
            let right = [&[odd], twice.as_slice()].concat();
            let more = self.unsigned_less(&left, &right);
            let applies = self.or(!below, just_below);
            let applies = self.and(applies, !infinite);
            let up = self.and(more, applies);
            let whole = [&[Bit::FALSE], b.significand.as_slice()].concat();
            let other = self.subtract(&whole, &twice);
            magnitude = self.mux_word(up, &other, &magnitude);
            exponent = self.mux_exponent(up, &b.exponent, &exponent);
            negative = self.xor(negative, up);
        }

        let (significand, zeros) = self.normalised(&magnitude);
        let nonzero = significand.last().copied().unwrap_or(Bit::FALSE);
        let zeros = [zeros, vec![Bit::FALSE]].concat();
        let exponent = self.subtract_signed(&exponent, &zeros);
        let nan = self.or(a.nan, b.nan);
        let undefined = self.or(a.infinite, b.zero);
        let nan = self.or(nan, undefined);
        let zero = self.or(a.zero, !nonzero);
        // What is not zero may have been turned; a zero has not.
        let negative = self.mux(a.zero, a.negative, negative);
        let special = Special { nan, infinite: Bit::FALSE, zero };
        let number = Unrounded { negative, exponent, significand, overflows: false, special };
        Ok(self.rounded(format, Mode::TOWARD_ZERO, number))
    }

    fn mux_exponent(&mut self, cond: Bit, then: &[Bit], other: &[Bit]) -> Word {
        let width = then.len().max(other.len());
        let [then, other] = [then, other].map(|it| sign_extended(it.to_vec(), width));
        self.mux_word(cond, &then, &other)
    }
}
