//! King's language: PL/I-style procedures over integers and arrays, as a symbolic transition system.
//!
//! Knows: the reader, the store, statements, assertions, the notation of formulas. Never: φ, a solver, the terminal.
//! Source: King 1976, sections 2, 3, 6, 8 and 9.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "texts may be anything: a reader reports, it does not panic"
)]

mod array;
mod bugs;
mod code;
mod diagnostic;
mod evaluate;
mod flow;
mod inspect;
mod language;
mod lower;
mod merge;
mod options;
mod print;
mod program;
mod proof;
mod reader;
mod state;
mod step;
mod syntax;

pub use array::Array;
pub use bugs::{
    ASSERTION, BUG_KINDS, DIVISION_BY_ZERO, NEGATIVE_EXPONENT, NO_VALUE, OVERFLOW, SUBSCRIPT, UNINITIALISED,
};
pub use code::{Code, Procedure};
pub use diagnostic::{Diagnostic, Diagnostics, LocatedError};
pub use language::value_text;
pub use options::{Arrays, Asserts, Options};
pub use program::{Program, any_call, call_of, compile};
pub use state::State;
