//! The rounder: exact numbers, or all that matters of them, to floats.
//!
//! Knows: rounding modes, subnormal results, overflow. Never: how a number came to be.
//!
//! Exponent and fraction of the result are one word to the incrementer: a carry out of the fraction is what makes the next
//! exponent, of subnormal numbers the first normal one, and of the largest number infinity.

use super::super::circuits::{Word, sign_extended};
use super::super::gates::{Bit, Gates};
use super::words::integer;
use effigy_term::float::Format;

/// A rounding mode.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    nearest: Bit,
    ties_away: Bit,
    up: Bit,
    /// Toward negative infinity; the zero of a sum that cancels is negative then.
    pub(super) down: Bit,
}

impl Mode {
    /// Cuts off; also for what is exact.
    pub(super) const TOWARD_ZERO: Mode =
        Mode { nearest: Bit::FALSE, ties_away: Bit::FALSE, up: Bit::FALSE, down: Bit::FALSE };

    /// The mode of a number of three bits; from four on, it is toward zero.
    pub(super) fn new(gates: &mut Gates, number: &[Bit]) -> Mode {
        let directed = gates.and(!number[2], number[1]);
        Mode {
            nearest: gates.and(!number[2], !number[1]),
            ties_away: number[0],
            up: gates.and(directed, !number[0]),
            down: gates.and(directed, number[0]),
        }
    }

    /// Whether what lies between two neighbours becomes the one farther from zero, however near it is to the other.
    fn away(self, gates: &mut Gates, negative: Bit) -> Bit {
        gates.mux(negative, self.down, self.up)
    }

    /// Whether a number moves away from zero: by its last bit, the one after it, and whether there is more.
    pub(super) fn moves(self, gates: &mut Gates, negative: Bit, odd: Bit, guard: Bit, sticky: Bit) -> Bit {
        let more = gates.or(odd, sticky);
        let more = gates.or(more, self.ties_away);
        let nearest = gates.and(self.nearest, guard);
        let nearest = gates.and(nearest, more);
        let away = self.away(gates, negative);
        let inexact = gates.or(guard, sticky);
        let away = gates.and(away, inexact);
        gates.or(nearest, away)
    }
}

/// A number to be rounded.
pub(super) struct Unrounded {
    pub(super) negative: Bit,
    /// Biased, with sign.
    pub(super) exponent: Word,
    /// The first bit stands for one. The last may stand for any ones below it.
    pub(super) significand: Word,
    /// Whether the exponent may be beyond those of the format, before it is rounded.
    pub(super) overflows: bool,
    pub(super) special: Special,
}

/// What the result is whatever the number is; the first that holds, but the sign is that of the number.
pub(super) struct Special {
    pub(super) nan: Bit,
    pub(super) infinite: Bit,
    pub(super) zero: Bit,
}

impl Gates {
    /// The float of a number whose significand begins with a one.
    pub(super) fn rounded(&mut self, format: Format, mode: Mode, mut number: Unrounded) -> Word {
        let width = format.significand_bits() as usize + 2;
        let significand = self.reduced(&number.significand, width);
        // A subnormal number has the exponent 1 and zeros before its first one.
        let mut amount = self.subtract_signed(&integer(1), &number.exponent);
        let normal = amount.pop().unwrap_or(Bit::TRUE);
        let amount: Word = amount.into_iter().map(|it| self.and(it, !normal)).collect();
        number.significand = self.shift_with_sticky(&significand, &amount, Bit::TRUE);
        self.rounded_in_place(format, mode, number)
    }

    /// The float of a number whose significand begins with a one, or which is subnormal and has the exponent 1, or an
    /// exponent below that.
    pub(super) fn rounded_in_place(&mut self, format: Format, mode: Mode, number: Unrounded) -> Word {
        let Unrounded { negative, exponent, significand, overflows, special } = number;
        let exponent_bits = format.exponent_bits() as usize;
        let significand = self.reduced(&significand, format.significand_bits() as usize + 2);
        let (below, significand) = significand.split_at(2);
        let (&normal, fraction) = significand.split_last().unwrap_or((&Bit::FALSE, &[]));
        let moves = mode.moves(self, negative, significand[0], below[1], below[0]);

        let width = exponent.len().max(exponent_bits + 1);
        let exponent = sign_extended(exponent, width);
        let (field, above) = exponent.split_at(exponent_bits);
        let stored = field.iter().map(|&it| self.and(it, normal));
        let encoded: Word = fraction.iter().copied().chain(stored).collect();
        let encoded = self.incremented(&encoded, moves);

        let too_large = if overflows { self.too_large(field, above) } else { Bit::FALSE };
        let too_large = self.and(too_large, normal);
        let end = self.or(special.nan, special.infinite);
        let clear = self.or(end, special.zero);
        let too_large = self.and(too_large, !clear);
        let away = mode.away(self, negative);
        let away = self.or(mode.nearest, away);
        let largest = self.and(too_large, !away);
        let clear = self.or(clear, too_large);
        let infinite = self.or(end, too_large);

        let last = fraction.len();
        let mut res: Word = Vec::with_capacity(encoded.len() + 1);
        for (at, &it) in encoded.iter().enumerate() {
            let kept = self.and(it, !clear);
            let set = match at {
                // The last bit of the exponent is all that the largest number does not have of infinity.
                _ if at == last => self.and(infinite, !largest),
                _ if at > last => infinite,
                _ if at + 1 == last => self.or(largest, special.nan),
                _ => largest,
            };
            res.push(self.or(kept, set));
        }
        res.push(self.or(negative, special.nan));
        res
    }

    /// `a + carry`, modulo 2^width.
    pub(super) fn incremented(&mut self, a: &[Bit], carry: Bit) -> Word {
        let zero = vec![Bit::FALSE; a.len()];
        self.add_with_carry(a, &zero, carry).0
    }

    /// Whether an exponent is beyond those of finite numbers: by the bits that are stored and those above with the sign.
    fn too_large(&mut self, field: &[Bit], above: &[Bit]) -> Bit {
        let (&sign, above) = above.split_last().unwrap_or((&Bit::FALSE, &[]));
        let last = self.all(field);
        let above = self.any(above);
        let beyond = self.or(last, above);
        self.and(beyond, !sign)
    }
}
