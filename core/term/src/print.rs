//! Printing of terms: mathematical for people, SMT-LIB 2 for solvers.
//!
//! Knows: notation. Never: where the text goes.

mod math;
mod quantified;
mod smtlib;

pub use math::math;
pub use smtlib::{SmtPrinter, name_of, sort_text};
