//! What the paper calls a heap, and what is kept in it.
//!
//! Knows: chunks with permissions, snapshots, the words in which a program is spoken of in terms, the theories of
//! collections. Never: how a heap changes (the rules are the verifier's), source text, files, a solver's process.
//! Source: Smans, Jacobs, Piessens, "Symbolic Execution for Implicit Dynamic Frames" (2010), sections 3.1 and 3.2.

pub mod collections;
pub mod heap;
pub mod snapshot;
pub mod triggers;
pub mod vocabulary;
