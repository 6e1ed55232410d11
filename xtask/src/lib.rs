//! The rules of the house, as tests: `cargo test -p xtask`.
//!
//! Knows: files of the tree. Never: what they compute.

pub mod licences;

#[cfg(test)]
mod circles;
#[cfg(test)]
mod releases;
#[cfg(test)]
mod tests;
