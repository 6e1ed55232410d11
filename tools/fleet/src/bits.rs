//! Coverage as a bitmap: a bit once set stays, and setting it says whether it was new.
//!
//! Knows: bits. Never: what they stand for (an edge and a class of its count).

/// A set of numbers below a bound.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    count: u64,
}

impl Bits {
    /// Sets a bit; whether it was not set.
    pub fn set(&mut self, bit: u32) -> bool {
        let (at, mask) = (bit as usize / 64, 1 << (bit % 64));
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        let is_new = self.words[at] & mask == 0;
        self.words[at] |= mask;
        self.count += u64::from(is_new);
        is_new
    }

    /// Whether a bit is set.
    pub fn has(&self, bit: u32) -> bool {
        self.words.get(bit as usize / 64).is_some_and(|it| it & 1 << (bit % 64) != 0)
    }

    /// Sets bits; how many were not set.
    pub fn merge(&mut self, bits: &[u32]) -> u64 {
        bits.iter().map(|it| u64::from(self.set(*it))).sum()
    }

    /// The number of bits that are set.
    pub fn count(&self) -> u64 {
        self.count
    }
}
