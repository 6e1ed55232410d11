//! What a compiled program compares: its own comparisons of values that stand for terms.
//!
//! Knows: operands as a compiler's hooks give them, values that the program was sent ([`effigy_session::Pin`]). Never: which
//! program it is, where it compares.
//! Source: LLVM's SanitizerCoverage (`-sanitizer-coverage-trace-compares`), whose hooks are called with the operands.
//!
//! A number is recognised by its value, a text by its first bytes, its length where it was just read. What is recognised
//! splits what the run stands for ([`effigy_session::Session::compared`]); a number that only happens to be the same costs
//! a path. Comparisons are those of signed numbers of the width of the term. Not seen: arithmetic on a value before it is
//! compared, hashes, the end of a text, what a library compares that was compiled before.

mod operands;

#[cfg(watched)]
mod hooks;

pub use operands::{bytes, entered, number, switch};

/// Whether the program under test was compiled to tell what it compares (`cargo effigy test`).
pub fn is_on() -> bool {
    cfg!(watched)
}
