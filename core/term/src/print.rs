//! Printing of terms: mathematical for people, SMT-LIB 2 for solvers.
//!
//! Knows: notation. Never: where the text goes.

mod floats;
mod machine;
mod math;
mod names;
mod quantified;
mod shape;
mod smtlib;

pub use machine::{Dialect, PathBounds, machine, machine_on};
pub use math::{absolute, is_between, math};
pub use names::{sort_text, sort_text_by, symbol_name};
pub use smtlib::SmtPrinter;
