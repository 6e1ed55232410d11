//! Notes: what a language approximated or did not know on its way, each with a place and a counter.
//!
//! Knows: that an answer may rest on it. Never: how it is shown.

use crate::outcome::Place;
use std::collections::BTreeMap;

/// One approximation. A summary lists each once.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Note {
    /// Its class, by a stable name (`unknown-external`, `symbolic-float`).
    pub kind: &'static str,
    /// What, by name (the function's name).
    pub what: String,
    /// Whether behaviours of the program may have been missed because of it. Where it is false, only more
    /// behaviours than the program has may have been explored.
    pub incomplete: bool,
}

/// The notes of a walk.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    notes: BTreeMap<Note, (Place, u64)>,
}

impl Notes {
    /// Counts a note; the place of its first occurrence is kept.
    pub fn add(&mut self, note: Note, place: impl FnOnce() -> Place) {
        self.notes.entry(note).or_insert_with(|| (place(), 0)).1 += 1;
    }

    /// The notes with first place and count, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (&Note, &Place, u64)> {
        self.notes.iter().map(|(note, (place, count))| (note, place, *count))
    }
}
