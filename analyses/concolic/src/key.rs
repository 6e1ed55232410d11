//! Numbers that tell beginnings of paths apart, for sets of what was asked already.
//!
//! Knows: decisions as they are written. Never: terms, so that another process has the same numbers.

use effigy_engine::passed::Onward;
use effigy_engine::{Decision, PathName};

/// A beginning of a path: its decisions, and how it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key(pub u128);

// The parameters of FNV-1a for 128 bits.
const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const TIMES: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl Key {
    /// The start of the program.
    pub const START: Key = Key(START);

    fn text(self, kind: u8, text: &str) -> Key {
        let bytes = std::iter::once(kind).chain(text.bytes());
        Key(bytes.fold(self.0, |sum, byte| (sum ^ u128::from(byte)).wrapping_mul(TIMES)))
    }

    /// This beginning and one more decision.
    pub fn decided(self, decision: &Decision) -> Key {
        match decision {
            Decision::Alternative(index) => self.text(b'a', &index.to_string()),
            _ => self.text(b'd', &PathName(vec![decision.clone()]).to_string()),
        }
    }

    /// This beginning, going on in this way.
    pub fn onward(self, onward: &Onward) -> Key {
        match onward {
            Onward::Decided(decision) => self.decided(decision),
            Onward::Past(fails) => self.decided(fails).text(b'p', ""),
        }
    }
}
