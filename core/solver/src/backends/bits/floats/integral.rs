//! Floats rounded to integers that are floats.
//!
//! Knows: which bits are below the point. Never: shifters; nothing is moved.
//!
//! The bits below the point are found by the exponent. All of them set, a carry from below goes to the first bit before the
//! point, and on into the exponent where that must be.

use super::super::circuits::Word;
use super::super::gates::{Bit, Gates};
use super::round::Mode;
use effigy_term::float::Format;

impl Gates {
    /// The nearest integer, as a float.
    pub(super) fn float_integral(&mut self, format: Format, mode: Mode, a: &[Bit]) -> Word {
        let fraction_bits = format.fraction_bits() as usize;
        let parts = self.unpacked(format, a);
        let (magnitude, sign) = a.split_at(a.len() - 1);
        let stored = &magnitude[fraction_bits..];

        // stored + 1 - 2^(bits - 1) is the exponent; negative where the first bit of stored + 1 is zero.
        let last = self.all(stored);
        let mut exponent = self.incremented(stored, Bit::TRUE);
        let reaches_one = exponent.pop().unwrap_or(Bit::FALSE);
        let reaches_one = self.or(reaches_one, last);
        // For infinity the exponent is wrong, but its fraction is zero as it is.
        let at_least = self.at_least(&exponent, fraction_bits + 1);
        // Of a number from one on, the bit at `k` is below the point where the exponent is less than `fraction_bits - k`.
        let below: Word = (0..fraction_bits).map(|it| !at_least[fraction_bits - it]).collect();

        let (mut guard, mut sticky, mut odd) = (Bit::FALSE, Bit::FALSE, Bit::FALSE);
        for at in 0..=fraction_bits {
            let digit = parts.significand[at];
            let this = below.get(at).copied().unwrap_or(Bit::FALSE);
            let next = below.get(at + 1).copied().unwrap_or(Bit::FALSE);
            let rest = self.and(digit, next);
            sticky = self.or(sticky, rest);
            let first = self.and(this, !next);
            let first = self.and(first, digit);
            guard = self.or(guard, first);
            let before = if at == 0 { Bit::TRUE } else { below[at - 1] };
            let lowest = self.and(before, !this);
            let lowest = self.and(lowest, digit);
            odd = self.or(odd, lowest);
        }

        // A number below one becomes zero or one.
        let (half, rest) = self.below_one(format, magnitude);
        let odd = self.and(odd, reaches_one);
        let guard = self.mux(reaches_one, guard, half);
        let sticky = self.mux(reaches_one, sticky, rest);
        let moves = mode.moves(self, parts.negative, odd, guard, sticky);
        let mut filled = magnitude.to_vec();
        for (it, &mask) in filled.iter_mut().zip(&below) {
            *it = self.or(*it, mask);
        }
        let mut res = self.incremented(&filled, moves);
        for (it, &mask) in res.iter_mut().zip(&below) {
            *it = self.and(*it, !mask);
        }
        let one = (0..res.len()).map(|at| at >= fraction_bits && at + 1 < res.len());
        let small: Word = one.map(|it| if it { moves } else { Bit::FALSE }).collect();
        let mut res = self.mux_word(reaches_one, &res, &small);

        for (at, it) in res.iter_mut().enumerate() {
            let set = if at + 1 >= fraction_bits { parts.nan } else { Bit::FALSE };
            let kept = self.and(*it, !parts.nan);
            *it = self.or(kept, set);
        }
        res.push(self.or(sign[0], parts.nan));
        res
    }

    /// Of a magnitude below one, whether it is at least a half, and whether it is neither zero nor a half.
    fn below_one(&mut self, format: Format, magnitude: &[Bit]) -> (Bit, Bit) {
        let (fraction, stored) = magnitude.split_at(format.fraction_bits() as usize);
        // With two bits, the half is subnormal: the first bit of the fraction.
        if let (2, Some((&half, rest))) = (stored.len(), fraction.split_last()) {
            return (half, self.any(rest));
        }
        // The stored exponent of a half has all bits but the first and the last.
        let last = stored.len() - 1;
        let half = self.all(&stored[1..last]);
        let half = self.and(half, !stored[0]);
        let fraction = self.any(fraction);
        let stored = self.any(stored);
        let smaller = self.and(stored, !half);
        (half, self.or(smaller, fraction))
    }
}
