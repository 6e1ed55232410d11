//! The rules of the house, as tests: `cargo test -p xtask`.
//!
//! Knows: files of the tree. Never: what they compute.

#![deny(clippy::iter_over_hash_type, reason = "a failure is the same in every run")]

#[cfg(test)]
mod circles;
#[cfg(test)]
mod tests;
