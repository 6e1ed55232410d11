//! Comparisons of floats, on their bits.
//!
//! Knows: that magnitudes are in the order of their bits. Never: parts of floats beyond what is special.

use super::super::gates::{Bit, Gates};
use effigy_term::float::Format;

impl Gates {
    /// Whether `a < b`, or `a <= b`.
    pub(super) fn float_less(&mut self, format: Format, a: &[Bit], b: &[Bit], or_equal: bool) -> Bit {
        let magnitude = a.len() - 1;
        let (x, y) = (self.unpacked(format, a), self.unpacked(format, b));
        // Of two negative numbers the one is less whose magnitude is not less or equal: a bit below the others, which is the
        // sign, decides between the two comparisons.
        let below = if or_equal { !x.negative } else { x.negative };
        let (left, right) = ([&[Bit::FALSE], &a[..magnitude]].concat(), [&[below], &b[..magnitude]].concat());
        let less = self.unsigned_less(&left, &right);
        let same_sign = self.xor(less, x.negative);
        let zeros = self.and(x.zero, y.zero);
        let other_sign = if or_equal { self.or(x.negative, zeros) } else { self.and(x.negative, !zeros) };
        let differ = self.xor(x.negative, y.negative);
        let res = self.mux(differ, other_sign, same_sign);
        let nan = self.or(x.nan, y.nan);
        self.and(res, !nan)
    }

    /// Whether two floats are the same number.
    pub(super) fn float_equal(&mut self, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
        let (x, y) = (self.unpacked(format, a), self.unpacked(format, b));
        let same = self.equal(a, b);
        // Of the same bits, both are a NaN or none is.
        let nan = if y.nan.constant().is_some() { y.nan } else { x.nan };
        if same == Bit::TRUE {
            return !nan;
        }
        let same = self.and(same, !nan);
        let zeros = self.and(x.zero, y.zero);
        self.or(same, zeros)
    }
}
