//! The integration tests of this crate, in one program: it is linked once.

mod formatting;
mod lambda;
mod library;
mod merging;
mod native;
mod paper;
mod pictures;
mod real_code;
mod rewriting;
mod silence;
mod texts;
mod tutorial;
