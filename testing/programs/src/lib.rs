//! Random programs of each language, mutants of programs with contracts, and what is to be expected of both; for tests
//! and fuzz targets of languages, analyses and tools.
//!
//! Knows: the texts of programs, and what they mean, computed without terms; how a verification is tested.
//! Never: the readers of the languages. Generators read bytes, so that any shrinker of byte strings shrinks programs.

pub mod c;
pub mod c_floats;
pub mod c_lives;
pub mod c_memory;
pub mod c_merge;
pub mod c_threads;
pub mod concolic;
pub mod cpp_exceptions;
pub mod cpp_objects;
pub mod hand_walks;
pub mod mutants;
pub mod mutation;
pub mod pli;
pub mod verification;
pub mod viper;
pub mod walks;

pub use effigy_testing::{cases, grammar_mutation, is_campaign, merging, reader_trial};
