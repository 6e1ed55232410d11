//! Arithmetic as circuits; words are bits from the lowest.
//!
//! Knows: adders, shifters, comparators; and which bits of a word are copies of the one below, or zero, so that a
//! small number in a wide word costs what a small number costs. Never: terms.

use super::gates::{Bit, Gates};

pub(super) type Word = Vec<Bit>;

/// How many bits the word needs when it is read with sign: all above are copies of the last of them.
pub(super) fn signed_width(a: &[Bit]) -> usize {
    let Some((&sign, below)) = a.split_last() else { return 0 };
    below.iter().rposition(|&it| it != sign).map_or(1, |it| it + 2)
}

/// How many bits the word needs when it is read without sign: all above are zero.
pub(super) fn unsigned_width(a: &[Bit]) -> usize {
    a.iter().rposition(|&it| it != Bit::FALSE).map_or(0, |it| it + 1)
}

/// The word with copies of its last bit, up to `width` bits; what is beyond is cut.
pub(super) fn sign_extended(mut a: Word, width: usize) -> Word {
    let sign = a.last().copied().unwrap_or(Bit::FALSE);
    a.resize(width, sign);
    a
}

/// The word with zeros up to `width` bits; what is beyond is cut.
pub(super) fn zero_extended(mut a: Word, width: usize) -> Word {
    a.resize(width, Bit::FALSE);
    a
}

impl Gates {
    pub(super) fn not_word(&self, a: &[Bit]) -> Word {
        a.iter().map(|&it| !it).collect()
    }

    pub(super) fn mux_word(&mut self, cond: Bit, then: &[Bit], other: &[Bit]) -> Word {
        then.iter().zip(other).map(|(&x, &y)| self.mux(cond, x, y)).collect()
    }

    /// `a + b + carry`, modulo 2^width. Built no wider than the sum of the numbers is.
    pub(super) fn add_word(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> Word {
        let needed = (signed_width(a).max(signed_width(b)) + 1).min(a.len());
        let sum = self.add_with_carry(&a[..needed], &b[..needed], carry).0;
        sign_extended(sum, a.len())
    }

    /// The sum, and the carry out of its last bit.
    pub(super) fn add_with_carry(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Word, Bit) {
        let mut res = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            res.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        (res, carry)
    }

    pub(super) fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let inverted = self.not_word(b);
        self.add_word(a, &inverted, Bit::TRUE)
    }

    /// `-a` where `cond` holds, else `a`, modulo 2^width.
    pub(super) fn negate_if(&mut self, cond: Bit, a: &[Bit]) -> Word {
        let flipped: Word = a.iter().map(|&it| self.xor(it, cond)).collect();
        let zero = vec![Bit::FALSE; a.len()];
        self.add_with_carry(&flipped, &zero, cond).0
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
        let mut before = None;
        for pair in a.iter().copied().zip(b.iter().copied()) {
            // Copies of the bits below, as above the sign, say nothing new.
            if before != Some(pair) {
                let differ = self.xor(pair.0, pair.1);
                less = self.mux(differ, pair.1, less);
            }
            before = Some(pair);
        }
        less
    }

    pub(super) fn signed_less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let needed = signed_width(a).max(signed_width(b));
        let flip = |it: &[Bit]| {
            let mut res = it[..needed].to_vec();
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
