//! Products and sums of floats that are rounded once.
//!
//! Knows: the sum of a product, in full, and a float. Never: the rounder's inside.

use super::super::circuits::{Word, sign_extended};
use super::super::gates::{Bit, Gates};
use super::round::{Mode, Special, Unrounded};
use effigy_term::float::Format;

impl Gates {
    /// `a · b + c`, rounded.
    pub(super) fn float_multiply_add(&mut self, format: Format, mode: Mode, arguments: [&[Bit]; 3]) -> Word {
        let [a, b, c] = arguments.map(|it| self.unpacked_normal(format, it));
        let bits = format.significand_bits() as usize;
        let product = self.exact_product(format, &a, &b, 2 * bits);
        let significand = [vec![Bit::FALSE; bits], c.significand].concat();
        let width = product.exponent.len().max(c.exponent.len());
        let exponents = [product.exponent, c.exponent].map(|it| sign_extended(it, width));

        // In the order of magnitude, and a zero, whose parts have no meaning, below all others.
        let keys = [(&product.significand, &exponents[0]), (&significand, &exponents[1])].map(|(digits, exponent)| {
            let mut res = [digits.as_slice(), exponent].concat();
            if let Some(sign) = res.last_mut() {
                *sign = !*sign;
            }
            res
        });
        let less = self.unsigned_less(&keys[0], &keys[1]);
        let swap = self.or(less, product.special.zero);
        let swap = self.and(swap, !c.zero);
        let exponent = self.mux_word(swap, &exponents[1], &exponents[0]);
        let other_exponent = self.mux_word(swap, &exponents[0], &exponents[1]);
        let large = self.mux_word(swap, &significand, &product.significand);
        let small = self.mux_word(swap, &product.significand, &significand);
        let subtract = self.xor(product.negative, c.negative);

        let mut distance = self.subtract_signed(&exponent, &other_exponent);
        distance.pop();
        // The digits of the product are enough: of what is moved by one, the bit for the rest is the only one, and where more
        // is lost, at most one digit is cancelled.
        let some_zero = self.or(product.special.zero, c.zero);
        let distance = self.or_far(distance, some_zero, 2 * bits + 1);
        let sum = self.aligned_sum(&large, &small, &distance, subtract, !some_zero, 0);
        let (significand, zeros) = self.normalised(&sum);
        let nonzero = significand.last().copied().unwrap_or(Bit::FALSE);
        let zeros = [zeros, vec![Bit::FALSE]].concat();
        let exponent = self.subtract_signed(&exponent, &zeros);
        let exponent = self.add_signed(&exponent, &[Bit::FALSE], Bit::TRUE);

        let infinite = self.or(product.special.infinite, c.infinite);
        let both_zero = self.and(product.special.zero, c.zero);
        let zero = self.or(both_zero, !nonzero);
        let cancels = self.and(zero, subtract);
        let negative = self.mux(swap, c.negative, product.negative);
        let negative = self.mux(cancels, mode.down, negative);
        let of_infinity = self.mux(c.infinite, c.negative, product.negative);
        let negative = self.mux(infinite, of_infinity, negative);
        let nan = self.or(product.special.nan, c.nan);
        let both = self.and(product.special.infinite, c.infinite);
        let opposite = self.and(both, subtract);
        let special = Special { nan: self.or(nan, opposite), infinite, zero };
        self.rounded(format, mode, Unrounded { negative, exponent, significand, overflows: true, special })
    }
}
