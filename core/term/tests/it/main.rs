//! The integration tests of this crate, in one program: it is linked once.

mod comparisons;
mod construction;
mod fingerprints;
mod floats;
mod laws;
mod plain;
mod plain_conjuncts;
mod printed;
mod ranges;
mod reals;
mod send;
