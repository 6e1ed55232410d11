//! Ways of looking at a walk: tests, coverage, bug reports, the summary.
//!
//! Knows: what an analysis hands out, and the formats of reports. Never: the terminal, an analysis's inside.

pub mod bugs;
pub mod checksum;
pub mod concolic;
pub mod coverage;
pub mod damage;
pub mod document;
pub mod excerpt;
pub mod failures;
pub mod folder;
pub mod generations;
pub mod journal;
pub mod ktest;
pub mod leaf;
pub mod place_words;
pub mod plural;
pub mod pretty;
pub mod record;
pub mod style;
pub mod summary;
pub mod table;
pub mod test_case;
pub mod trace;
pub mod tree;
pub mod verify;
