//! Notes: what a language approximated or did not know on its way, each with a place and a counter.
//!
//! Knows: that an answer may rest on it. Never: how it is shown.

use crate::outcome::Place;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One approximation. A summary lists each once.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct Note {
    /// Its class, by a stable name (`unknown-external`, `symbolic-float`).
    pub kind: Cow<'static, str>,
    /// The thing that is approximated, by name (that of a function).
    pub what: String,
    /// Whether behaviours of the program may have been missed because of it. Where it is false, only more
    /// behaviours than the program has may have been explored.
    pub incomplete: bool,
}

impl Note {
    /// The class of what is assumed of inputs.
    pub const ASSUMED: &'static str = "assumed";
    /// The class of places that the program asks to be reached (`cover!`), and that were.
    pub const COVERED: &'static str = "covered";
    /// The class of what never ends.
    pub const ENDLESS: &'static str = "endless";
    /// The class of the note that runs with a bug of a class that is not looked for are not followed.
    pub const NOT_LOOKED_FOR: &'static str = "not-looked-for";
}

/// The notes of a walk.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    notes: BTreeMap<Note, (Place, u64)>,
    total: u64,
}

impl Notes {
    /// Counts a note; the place of its first occurrence is kept.
    pub fn add(&mut self, note: Note, place: impl FnOnce() -> Place) {
        self.notes.entry(note).or_insert_with(|| (place(), 0)).1 += 1;
        self.total += 1;
    }

    /// Adds a note that another walk has made, so many times.
    pub fn add_many(&mut self, note: &Note, place: &Place, count: u64) {
        let known = self.notes.entry(note.clone()).or_insert_with(|| (place.clone(), 0));
        known.1 += count;
        self.total += count;
        // The first place does not depend on who came first.
        if *place < known.0 {
            known.0 = place.clone();
        }
    }

    /// The notes of one class.
    pub fn of<'n>(&'n self, kind: &'n str) -> impl Iterator<Item = (&'n Note, &'n Place)> {
        self.iter().filter(move |it| it.0.kind == kind).map(|it| (it.0, it.1))
    }

    /// What was noted since `before`, a state of these notes.
    pub fn since(&self, before: &Notes) -> Notes {
        let more = self.notes.iter().filter_map(|(note, (place, count))| {
            let known = before.notes.get(note).map_or(0, |it| it.1);
            (*count > known).then(|| (note.clone(), (place.clone(), count - known)))
        });
        let notes: BTreeMap<Note, (Place, u64)> = more.collect();
        let total = notes.values().map(|it| it.1).sum();
        Notes { notes, total }
    }

    /// The number of notes, each counted as often as it was made.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Adds the notes of a path that was replayed: those that are known are not counted again.
    pub fn merge_again(&mut self, other: &Notes) {
        for (note, known) in &other.notes {
            if !self.notes.contains_key(note) {
                self.notes.insert(note.clone(), known.clone());
                self.total += known.1;
            }
        }
    }

    /// The notes with first place and count, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (&Note, &Place, u64)> {
        self.notes.iter().map(|(note, (place, count))| (note, place, *count))
    }
}
