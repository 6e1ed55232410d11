//! The language as a whole program that is executed: its statements, its concrete semantics, and the two models of
//! symbolic execution.
//!
//! Knows: nothing of contracts; ghost statements and specifications have no effect here.
//! Source: de Boer and Bonsangue 2021.

mod check;
pub mod concrete;
mod control;
pub mod forward;
mod inspect;
pub mod machine;
pub mod memory;
pub mod obligation;
mod print;
pub mod program;
mod query_count;
mod reduction;
pub mod traces;
pub mod vocabulary;
mod witness;

pub use check::{read, read_expression};
