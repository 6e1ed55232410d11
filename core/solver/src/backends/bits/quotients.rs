//! Quotients and remainders as circuits.
//!
//! Knows: long division, no wider than the numbers are; what SMT-LIB says of a divisor zero. Never: terms.

use super::circuits::{Word, sign_extended, signed_width, unsigned_width, zero_extended};
use super::gates::{Bit, Gates};

impl Gates {
    /// Unsigned quotient and remainder; for divisor zero all ones and the dividend.
    pub(super) fn divide(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let (quotient, rest) = self.divide_by_positive(a, b);
        let zero = self.is_zero(b);
        let ones = vec![Bit::TRUE; a.len()];
        (self.mux_word(zero, &ones, &quotient), self.mux_word(zero, a, &rest))
    }

    /// Signed quotient, rounded toward zero; for divisor zero -1, or 1 where the dividend is negative.
    pub(super) fn divide_signed(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let (quotient, _, zero, sign) = self.divide_magnitudes(a, b);
        let other_sign = b.last().copied().unwrap_or(Bit::FALSE);
        let negative = self.xor(sign, other_sign);
        let quotient = sign_extended(self.negate_if(negative, &quotient), a.len());
        let mut by_zero = vec![!sign; a.len()];
        if let Some(lowest) = by_zero.first_mut() {
            *lowest = Bit::TRUE;
        }
        self.mux_word(zero, &by_zero, &quotient)
    }

    /// The remainder with the sign of the dividend; for divisor zero the dividend.
    pub(super) fn remainder_signed(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let (_, rest, zero, sign) = self.divide_magnitudes(a, b);
        let rest = sign_extended(self.negate_if(sign, &rest), a.len());
        self.mux_word(zero, a, &rest)
    }

    /// Quotient and remainder of the absolute values, with room for a sign; whether the divisor is zero; the sign of
    /// the dividend.
    fn divide_magnitudes(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word, Bit, Bit) {
        let needed = signed_width(a).max(signed_width(b));
        let sign = a.last().copied().unwrap_or(Bit::FALSE);
        let other_sign = b.last().copied().unwrap_or(Bit::FALSE);
        let (x, y) = (self.negate_if(sign, &a[..needed]), self.negate_if(other_sign, &b[..needed]));
        let (quotient, rest) = self.divide_by_positive(&x, &y);
        let room = (needed + 1).min(a.len());
        (zero_extended(quotient, room), zero_extended(rest, room), self.is_zero(&y), sign)
    }

    fn is_zero(&mut self, a: &[Bit]) -> Bit {
        if a.contains(&Bit::TRUE) {
            return Bit::FALSE;
        }
        !a.iter().fold(Bit::FALSE, |res, &it| self.or(res, it))
    }

    /// Unsigned quotient and remainder of a divisor that is not zero; without meaning for zero.
    ///
    /// The remainder fits the bits of the divisor, and the carry of the subtraction says whether the divisor fits.
    fn divide_by_positive(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let bits = unsigned_width(b);
        let mut inverted = self.not_word(&b[..bits]);
        inverted.push(Bit::TRUE);
        let mut rest = vec![Bit::FALSE; bits];
        let mut quotient = vec![Bit::FALSE; a.len()];
        for at in (0..unsigned_width(a)).rev() {
            rest.insert(0, a[at]);
            let (difference, fits) = self.add_with_carry(&rest, &inverted, Bit::TRUE);
            rest = self.mux_word(fits, &difference, &rest);
            rest.truncate(bits);
            quotient[at] = fits;
        }
        (quotient, zero_extended(rest, a.len()))
    }
}
