//! Arithmetic as circuits; words are bits from the lowest.
//!
//! Knows: adders, multipliers, dividers, shifters, comparators. Never: terms.

use super::gates::{Bit, Gates};

pub(super) type Word = Vec<Bit>;

impl Gates {
    pub(super) fn not_word(&self, a: &[Bit]) -> Word {
        a.iter().map(|&it| !it).collect()
    }

    pub(super) fn mux_word(&mut self, cond: Bit, then: &[Bit], other: &[Bit]) -> Word {
        then.iter().zip(other).map(|(&x, &y)| self.mux(cond, x, y)).collect()
    }

    /// `a + b + carry`, modulo 2^width.
    pub(super) fn add_word(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> Word {
        self.add_with_carry(a, b, carry).0
    }

    fn add_with_carry(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Word, Bit) {
        let mut res = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            res.push(self.xor(half, carry));
            let both = self.and(x, y);
            let through = self.and(half, carry);
            carry = self.or(both, through);
        }
        (res, carry)
    }

    pub(super) fn negate(&mut self, a: &[Bit]) -> Word {
        let zero = vec![Bit::FALSE; a.len()];
        let inverted = self.not_word(a);
        self.add_word(&zero, &inverted, Bit::TRUE)
    }

    pub(super) fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let inverted = self.not_word(b);
        self.add_word(a, &inverted, Bit::TRUE)
    }

    pub(super) fn multiply(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let width = a.len();
        // Rows for the word with more constant bits: a constant zero costs nothing.
        let constants = |it: &[Bit]| it.iter().filter(|&&bit| bit == Bit::FALSE || bit == Bit::TRUE).count();
        let (rows, columns) = if constants(a) > constants(b) { (a, b) } else { (b, a) };
        let mut res = vec![Bit::FALSE; width];
        for (shift, &row) in rows.iter().enumerate() {
            if row == Bit::FALSE {
                continue;
            }
            let part: Word = columns[..width - shift].iter().map(|&it| self.and(row, it)).collect();
            let sum = self.add_word(&res[shift..], &part, Bit::FALSE);
            res.splice(shift.., sum);
        }
        res
    }

    /// Unsigned quotient and remainder; for divisor zero all ones and the dividend.
    pub(super) fn divide(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let width = a.len();
        let mut divisor = b.to_vec();
        divisor.push(Bit::FALSE);
        let mut rest = vec![Bit::FALSE; width + 1];
        let mut quotient = vec![Bit::FALSE; width];
        for at in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[at]);
            let below = self.unsigned_less(&rest, &divisor);
            let difference = self.subtract(&rest, &divisor);
            rest = self.mux_word(below, &rest, &difference);
            quotient[at] = !below;
        }
        rest.truncate(width);
        (quotient, rest)
    }

    pub(super) fn equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut res = Bit::TRUE;
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            res = self.and(res, !differ);
        }
        res
    }

    pub(super) fn unsigned_less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut less = Bit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            less = self.mux(differ, y, less);
        }
        less
    }

    pub(super) fn signed_less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let flip = |it: &[Bit]| {
            let mut res = it.to_vec();
            if let Some(sign) = res.last_mut() {
                *sign = !*sign;
            }
            res
        };
        self.unsigned_less(&flip(a), &flip(b))
    }

    /// Shifts toward higher bits (`left`) or lower ones, filling with `fill`; amounts of the width or more fill all.
    pub(super) fn shift(&mut self, a: &[Bit], amount: &[Bit], left: bool, fill: Bit) -> Word {
        let width = a.len();
        let mut res = a.to_vec();
        let mut too_large = Bit::FALSE;
        for (stage, &bit) in amount.iter().enumerate() {
            let distance = 1usize.checked_shl(stage as u32).filter(|&it| it < width);
            let Some(distance) = distance else {
                too_large = self.or(too_large, bit);
                continue;
            };
            let moved: Word = (0..width)
                .map(|at| {
                    let from = if left { at.checked_sub(distance) } else { Some(at + distance) };
                    from.and_then(|it| res.get(it).copied()).unwrap_or(fill)
                })
                .collect();
            res = self.mux_word(bit, &moved, &res);
        }
        let filled = vec![fill; width];
        self.mux_word(too_large, &filled, &res)
    }
}
