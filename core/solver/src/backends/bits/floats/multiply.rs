//! Products of floats.
//!
//! Knows: that a product of significands is in [1, 4). Never: how integers are multiplied (`products`).

use super::super::circuits::{Word, zero_extended};
use super::super::gates::{Bit, Gates};
use super::round::{Mode, Special, Unrounded};
use super::unpacked::Unpacked;
use super::words::integer;
use effigy_term::float::Format;

impl Gates {
    /// `a · b`, rounded.
    pub(super) fn float_product(&mut self, format: Format, mode: Mode, a: &[Bit], b: &[Bit]) -> Word {
        let (a, b) = (self.unpacked_normal(format, a), self.unpacked_normal(format, b));
        // One more than the rounder looks at, since the first may be zero.
        let product = self.exact_product(format, &a, &b, format.significand_bits() as usize + 3);
        self.rounded(format, mode, product)
    }

    /// The product of two floats whose significands begin with a one, to `width` bits of which the last may stand for more.
    pub(super) fn exact_product(&mut self, format: Format, a: &Unpacked, b: &Unpacked, width: usize) -> Unrounded {
        let room = a.significand.len() + b.significand.len();
        let factors = [&a.significand, &b.significand].map(|it| zero_extended(it.clone(), room));
        let product = self.multiply(&factors[0], &factors[1]);
        let product = self.reduced(&product, width);
        let large = product.last().copied().unwrap_or(Bit::FALSE);
        let moved: Word = [&[Bit::FALSE], &product[..product.len() - 1]].concat();
        let significand = self.mux_word(large, &product, &moved);
        let exponent = self.add_signed(&a.exponent, &b.exponent, large);
        let exponent = self.add_signed(&exponent, &integer(-format.bias()), Bit::FALSE);

        let nan = self.or(a.nan, b.nan);
        let first = self.and(a.infinite, b.zero);
        let second = self.and(a.zero, b.infinite);
        let undefined = self.or(first, second);
        let special = Special {
            nan: self.or(nan, undefined),
            infinite: self.or(a.infinite, b.infinite),
            zero: self.or(a.zero, b.zero),
        };
        let negative = self.xor(a.negative, b.negative);
        Unrounded { negative, exponent, significand, overflows: true, special }
    }
}
