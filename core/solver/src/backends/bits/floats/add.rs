//! Sums of floats.
//!
//! Knows: one swap by magnitude, one shift to align, one to normalise. Never: the rounder's inside.

use super::super::circuits::Word;
use super::super::gates::{Bit, Gates};
use super::round::{Mode, Special, Unrounded};
use effigy_term::float::Format;

impl Gates {
    /// `a + b`, rounded.
    ///
    /// A sum that is subnormal is exact, so that it is enough to stop the normalisation at the least exponent.
    pub(super) fn float_sum(&mut self, format: Format, mode: Mode, a: &[Bit], b: &[Bit]) -> Word {
        let magnitude = a.len() - 1;
        let (a_magnitude, b_magnitude) = (&a[..magnitude], &b[..magnitude]);
        let swap = self.unsigned_less(a_magnitude, b_magnitude);
        let same = self.equal(a_magnitude, b_magnitude);
        let (a, b) = (self.unpacked(format, a), self.unpacked(format, b));
        let subtract = self.xor(a.negative, b.negative);
        let exponent = self.mux_word(swap, &b.exponent, &a.exponent);
        let other_exponent = self.mux_word(swap, &a.exponent, &b.exponent);
        let large = self.mux_word(swap, &b.significand, &a.significand);
        let small = self.mux_word(swap, &a.significand, &b.significand);

        let mut distance = self.subtract(&exponent, &other_exponent);
        distance.pop();
        // Two bits below, and one for the rest: where more than one bit is lost, at most one is cancelled.
        let nonzero = self.any(&small);
        let sum = self.aligned_sum(&large, &small, &distance, subtract, nonzero, 2);
        let limit = self.at_least(&exponent, sum.len() + 1);
        let (significand, zeros) = self.normalised_within(&sum, limit);
        let zeros = [zeros, vec![Bit::FALSE]].concat();
        let exponent = self.subtract_signed(&exponent, &zeros);
        let exponent = self.add_signed(&exponent, &[Bit::FALSE], Bit::TRUE);

        let cancels = self.and(subtract, same);
        let negative = self.mux(swap, b.negative, a.negative);
        let negative = self.mux(cancels, mode.down, negative);
        let nan = self.or(a.nan, b.nan);
        let infinite = self.or(a.infinite, b.infinite);
        let both = self.and(a.infinite, b.infinite);
        let opposite = self.and(both, subtract);
        let special = Special { nan: self.or(nan, opposite), infinite, zero: Bit::FALSE };
        self.rounded_in_place(format, mode, Unrounded { negative, exponent, significand, overflows: true, special })
    }

    /// `large ± small / 2^distance` where it is not negative, with a bit for the carry above it, and below it `guards` more
    /// and one that stands for the rest. `nonzero` is whether the small one is to be seen where all of it is lost.
    pub(super) fn aligned_sum(
        &mut self,
        large: &[Bit],
        small: &[Bit],
        distance: &[Bit],
        subtract: Bit,
        nonzero: Bit,
        guards: usize,
    ) -> Word {
        let below = vec![Bit::FALSE; guards + 1];
        let (large, small) = ([&below, large].concat(), [&below, small].concat());
        let small = self.shift_with_sticky(&small, distance, nonzero);
        let small: Word = small.into_iter().map(|it| self.xor(it, subtract)).collect();
        let (mut sum, carry) = self.add_with_carry(&large, &small, subtract);
        sum.push(self.and(carry, !subtract));
        sum
    }
}
