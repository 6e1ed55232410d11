//! The language as a whole program that is executed: its statements, its concrete semantics, and the two models of
//! symbolic execution.
//!
//! Knows: nothing of contracts; ghost statements and specifications have no effect here.
//! Source: de Boer and Bonsangue 2021.

mod check;
pub mod program;

pub use check::{read, read_expression};
