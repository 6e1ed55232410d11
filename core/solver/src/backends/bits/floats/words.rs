//! Circuits on words that only floats need.
//!
//! Knows: exponents as words with sign that grow as they must, shifts that keep what is lost as one bit, leading zeros.
//! Never: formats.

use super::super::circuits::{Word, sign_extended, signed_width};
use super::super::gates::{Bit, Gates};

/// The shortest word with sign that is this number.
pub(super) fn integer(value: i64) -> Word {
    let bits: Word = (0..i64::BITS).map(|it| Bit::of(value >> it & 1 == 1)).collect();
    let width = signed_width(&bits);
    bits[..width].to_vec()
}

/// The number of stages of a shifter that moves a word of `width` bits by any distance below its width.
fn stages(width: usize) -> usize {
    width.saturating_sub(1).checked_ilog2().map_or(0, |it| it as usize + 1)
}

impl Gates {
    pub(super) fn any(&mut self, bits: &[Bit]) -> Bit {
        bits.iter().fold(Bit::FALSE, |res, &it| self.or(res, it))
    }

    pub(super) fn all(&mut self, bits: &[Bit]) -> Bit {
        bits.iter().fold(Bit::TRUE, |res, &it| self.and(res, it))
    }

    /// `a + b + carry` of words with sign, as wide as it must be.
    pub(super) fn add_signed(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> Word {
        let width = a.len().max(b.len()) + 1;
        let (a, b) = (sign_extended(a.to_vec(), width), sign_extended(b.to_vec(), width));
        let mut res = self.add_word(&a, &b, carry);
        res.truncate(signed_width(&res));
        res
    }

    /// `a - b` of words with sign, as wide as it must be.
    pub(super) fn subtract_signed(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let inverted = self.not_word(b);
        self.add_signed(a, &inverted, Bit::TRUE)
    }

    /// The first `width` bits, the last of which also says whether there is a one below it. Zeros, where there are fewer.
    pub(super) fn reduced(&mut self, a: &[Bit], width: usize) -> Word {
        if a.len() <= width {
            return [vec![Bit::FALSE; width - a.len()].as_slice(), a].concat();
        }
        let (low, high) = a.split_at(a.len() - width);
        let mut res = high.to_vec();
        let below = self.any(low);
        res[0] = self.or(res[0], below);
        res
    }

    /// The word moved toward its lowest bit, which also says whether a one was moved beyond it; `nonzero` is whether the word
    /// has a one, or any bit where the result is not looked at if it has none.
    pub(super) fn shift_with_sticky(&mut self, a: &[Bit], amount: &[Bit], nonzero: Bit) -> Word {
        let width = a.len();
        let mut res = a.to_vec();
        let mut far = Bit::FALSE;
        for (stage, &bit) in amount.iter().enumerate() {
            let distance = 1usize.checked_shl(stage as u32).filter(|&it| it < width);
            let Some(distance) = distance else {
                far = self.or(far, bit);
                continue;
            };
            if bit == Bit::FALSE {
                continue;
            }
            let mut moved = vec![self.any(&res[..=distance])];
            moved.extend_from_slice(&res[distance + 1..]);
            moved.resize(width, Bit::FALSE);
            res = self.mux_word(bit, &moved, &res);
        }
        let lost = self.and(far, nonzero);
        for it in &mut res {
            *it = self.and(*it, !far);
        }
        res[0] = self.or(res[0], lost);
        res
    }

    /// An amount to shift a word of `width` bits by, or by more than its width where `far` holds.
    pub(super) fn or_far(&mut self, mut amount: Word, far: Bit, width: usize) -> Word {
        let room = amount.len().max(stages(width) + 1);
        amount.resize(room, Bit::FALSE);
        let last = room - 1;
        amount[last] = self.or(amount[last], far);
        amount
    }

    /// The word moved up until its highest bit is one, and by how many bits. Of zero, a number that has no meaning.
    pub(super) fn normalised(&mut self, a: &[Bit]) -> (Word, Word) {
        let limit = vec![Bit::TRUE; a.len() + 1];
        self.normalised_within(a, limit)
    }

    /// The word moved up until its highest bit is one, but by no more bits than a limit, of which `at_least[k]` says whether
    /// it is at least `k`; and by how many bits.
    pub(super) fn normalised_within(&mut self, a: &[Bit], mut at_least: Word) -> (Word, Word) {
        let width = a.len();
        let mut res = a.to_vec();
        let mut count = vec![Bit::FALSE; stages(width)];
        for stage in (0..count.len()).rev() {
            let distance = 1usize << stage;
            let occupied = self.any(&res[width - distance..]);
            let moves = self.and(!occupied, at_least[distance]);
            count[stage] = moves;
            let mut moved = vec![Bit::FALSE; distance];
            moved.extend_from_slice(&res[..width - distance]);
            res = self.mux_word(moves, &moved, &res);
            // What is left of the limit matters up to what can still be moved.
            for at in 1..distance {
                let left = at_least.get(at + distance).copied().unwrap_or(Bit::FALSE);
                at_least[at] = self.mux(moves, left, at_least[at]);
            }
        }
        (res, count)
    }

    /// For each number below `count`, whether a word without sign is at least that.
    pub(super) fn at_least(&mut self, a: &[Bit], count: usize) -> Word {
        let mut res = vec![Bit::TRUE];
        let mut above = Bit::FALSE;
        for &bit in a {
            if res.len() >= count {
                above = self.or(above, bit);
                continue;
            }
            let low: Word = res.iter().map(|&it| self.or(bit, it)).collect();
            let high: Word = res.iter().map(|&it| self.and(bit, it)).collect();
            res = [low, high].concat();
            res.truncate(count);
        }
        res.resize(count, Bit::FALSE);
        res.into_iter().map(|it| self.or(above, it)).collect()
    }
}
