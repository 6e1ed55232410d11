//! The integration tests of this crate, in one program: it is linked once.

mod concolic;
mod library;
mod merged;
mod mutated_builds;
mod printed;
mod reader;
mod reader_corpus;
mod replayed;
