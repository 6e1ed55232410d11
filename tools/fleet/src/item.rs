//! Items, finds and what a worker reports: data that travels, and what is refused of it.
//!
//! Knows: sizes, the bytes that travel, that whoever can write to the server may have written anything. Never: what an
//! input means.

use sha2::{Digest, Sha256};
use std::fmt;

/// The most bytes that an input may have.
pub const MOST_INPUT: usize = 1 << 20;

/// Bytes of one answer of a server: 16 news with inputs of the greatest size fit; chosen without measuring.
pub(crate) const MOST_ANSWER: usize = 64 << 20;

/// The most bytes that a note may have.
pub const MOST_NOTE: usize = 256;

/// Bits of the coverage of a program: eight classes for each of two million edges.
pub const MOST_BITS: u32 = 1 << 24;

/// The most items that one report may carry.
pub const MOST_ITEMS: usize = 1024;

/// The most finds that one report may carry.
pub const MOST_FINDS: usize = 64;

/// Bytes of the name of a find.
const MOST_KEY: usize = 128;

/// The name of an item: the first half of the SHA-256 of its input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(pub [u8; 16]);

impl ItemId {
    /// The id of an input, by its hash.
    pub fn of(input: &[u8]) -> ItemId {
        let hash = Sha256::digest(input);
        let mut res = [0; 16];
        res.copy_from_slice(&hash[..16]);
        ItemId(res)
    }

    /// Reads an id from its 32 hexadecimal digits.
    pub fn parse(text: &[u8]) -> Option<ItemId> {
        let text = std::str::from_utf8(text).ok().filter(|it| it.len() == 32 && it.is_ascii())?;
        let mut res = [0; 16];
        for (at, byte) in res.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(ItemId(res)).filter(|it| it.to_string() == text)
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|it| write!(to, "{it:02x}"))
    }
}

impl fmt::Debug for ItemId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{self}")
    }
}

/// Something to be worked on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What it is; two items with the same input are one.
    pub input: Vec<u8>,
    /// What who works on it is to know.
    pub note: Vec<u8>,
    /// The highest is taken first; what the item covers that was not covered is added to it.
    pub score: u32,
    /// The bits of the coverage that the input sets.
    pub bits: Vec<u32>,
}

/// An item that a worker holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeasedItem {
    /// By this it is renewed and finished.
    pub ticket: Ticket,
    /// The input that is to be worked on.
    pub input: Vec<u8>,
    /// What is to be known of it.
    pub note: Vec<u8>,
}

/// The right to an item: another lease of it is another ticket.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ticket {
    /// The id of the item that was leased.
    pub id: ItemId,
    /// The number of its lease.
    pub lease: u32,
}

/// A find, which is reported once however many workers make it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Find {
    /// The key by which equal finds are recognised.
    pub key: Vec<u8>,
    /// The input that shows it.
    pub input: Vec<u8>,
}

/// What a worker hands to the others after some work.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// New items for the work list.
    pub items: Vec<Item>,
    /// Bits of the coverage that none of the items has.
    pub bits: Vec<u32>,
    /// What the worker found, each with its key.
    pub finds: Vec<Find>,
}

/// Larger than it may be, or not what it says.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is not what may travel")]
pub struct MalformedReport(pub &'static str);

impl Report {
    /// Whether the report may be sent in a campaign with this number of coverage bits.
    ///
    /// # Errors
    /// Names what may not.
    pub fn check(&self, most_bits: u32) -> Result<(), MalformedReport> {
        let all_bits = self.items.iter().map(|it| &it.bits).chain([&self.bits]);
        let refused = [
            (self.items.len() > MOST_ITEMS, "a report with so many items"),
            (self.finds.len() > MOST_FINDS, "a report with so many finds"),
            (self.items.iter().any(|it| it.input.len() > MOST_INPUT), "an input of this size"),
            (self.items.iter().any(|it| it.note.len() > MOST_NOTE), "a note of this size"),
            (self.finds.iter().any(|it| it.input.len() > MOST_INPUT), "a find of this size"),
            (self.finds.iter().any(|it| it.key.len() > MOST_KEY), "the name of a find of this size"),
            (all_bits.flatten().any(|it| *it >= most_bits.min(MOST_BITS)), "coverage that the program does not have"),
        ];
        refused.into_iter().find(|it| it.0).map_or(Ok(()), |it| Err(MalformedReport(it.1)))
    }
}

/// Note and input as they travel: the length of the note in two bytes, the note, the input.
pub(crate) fn payload(input: &[u8], note: &[u8]) -> Vec<u8> {
    let mut res = Vec::with_capacity(2 + note.len() + input.len());
    res.extend_from_slice(&u16::try_from(note.len()).unwrap_or(0).to_le_bytes());
    res.extend_from_slice(note);
    res.extend_from_slice(input);
    res
}

/// Note and input, if they are those of this item.
pub(crate) fn of_payload(id: Option<ItemId>, bytes: &[u8]) -> Result<(Vec<u8>, Vec<u8>), MalformedReport> {
    let (length, rest) = bytes.split_at_checked(2).ok_or(MalformedReport("an item without a head"))?;
    let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
    if length > MOST_NOTE {
        return Err(MalformedReport("a note of this size"));
    }
    let (note, input) = rest.split_at_checked(length).ok_or(MalformedReport("an item that ends in its note"))?;
    if input.len() > MOST_INPUT {
        return Err(MalformedReport("an input of this size"));
    }
    if id.is_some_and(|it| it != ItemId::of(input)) {
        return Err(MalformedReport("an item under the name of another one"));
    }
    Ok((input.to_vec(), note.to_vec()))
}

/// Bits as they travel: four bytes each, the lowest first.
pub(crate) fn packed(bits: &[u32]) -> Vec<u8> {
    bits.iter().flat_map(|it| it.to_le_bytes()).collect()
}

/// Reads coverage bits from the bytes that were sent.
pub(crate) fn unpacked(bytes: &[u8], most_bits: u32) -> Result<Vec<u32>, MalformedReport> {
    if !bytes.len().is_multiple_of(4) || bytes.len() / 4 > MOST_BITS as usize {
        return Err(MalformedReport("coverage of this size"));
    }
    let bits: Vec<u32> = bytes.chunks_exact(4).map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]])).collect();
    match bits.iter().all(|it| *it < most_bits) {
        true => Ok(bits),
        false => Err(MalformedReport("coverage that the program does not have")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn anything_may_travel_to_us(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = of_payload(None, &bytes);
            let _ = of_payload(Some(ItemId::of(b"")), &bytes);
            let _ = unpacked(&bytes, 100);
            let _ = ItemId::parse(&bytes);
        }

        #[test]
        fn what_travels_arrives(
            input in proptest::collection::vec(any::<u8>(), 0..80),
            note in proptest::collection::vec(any::<u8>(), 0..20),
            bits in proptest::collection::vec(0u32..100, 0..20),
        ) {
            let id = ItemId::of(&input);
            prop_assert_eq!(ItemId::parse(id.to_string().as_bytes()), Some(id));
            prop_assert_eq!(of_payload(Some(id), &payload(&input, &note)), Ok((input, note)));
            prop_assert_eq!(unpacked(&packed(&bits), 100), Ok(bits));
        }
    }

    #[test]
    fn what_lies_is_refused() {
        assert!(of_payload(Some(ItemId::of(b"a")), &payload(b"b", b"")).is_err());
        assert!(of_payload(None, &payload(&vec![0; MOST_INPUT + 1], b"")).is_err());
        assert!(of_payload(None, &[255, 255, 0]).is_err());
        assert!(unpacked(&[100, 0, 0, 0], 100).is_err());
        assert!(unpacked(&[1, 0, 0], 100).is_err());
        let item = |bits| Item { input: Vec::new(), note: Vec::new(), score: 0, bits };
        assert!(Report { items: vec![item(vec![100])], ..Report::default() }.check(100).is_err());
        assert!(Report { items: vec![item(vec![99])], ..Report::default() }.check(100).is_ok());
    }
}
