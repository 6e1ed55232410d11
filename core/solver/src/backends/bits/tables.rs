//! Tables as circuits: a choice for each bit of the index, so that equal parts are one.
//!
//! Knows: words by constant indices. Never: terms.

use super::circuits::Word;
use super::gates::{Bit, Gates};
use std::rc::Rc;

/// A constant index and the word there.
pub(super) type Entry = (u64, Rc<Word>);

impl Gates {
    /// The word of the entry at `index`, or `default`. The entries ascend by their indices, which fit the index.
    pub(super) fn look_up(&mut self, index: &[Bit], entries: &[Entry], default: &[Bit]) -> Word {
        let Some((&highest, below)) = index.split_last() else {
            return entries.first().map_or_else(|| default.to_vec(), |it| (*it.1).clone());
        };
        if entries.is_empty() {
            return default.to_vec();
        }
        let weight = 1u64.checked_shl(below.len() as u32).unwrap_or(0);
        let cut = entries.partition_point(|it| weight == 0 || it.0 & weight == 0);
        let (low, high) = entries.split_at(cut);
        match highest.constant() {
            Some(true) => self.look_up(below, high, default),
            Some(false) => self.look_up(below, low, default),
            None => {
                let (low, high) = (self.look_up(below, low, default), self.look_up(below, high, default));
                self.mux_word(highest, &high, &low)
            }
        }
    }
}
