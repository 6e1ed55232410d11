//! LLVM IR as a symbolic transition system: C, C++ and Rust programs.
//!
//! Knows: textual LLVM IR, its memory, its instructions, libc.
//! Never: φ, which path goes on, the terminal.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "texts may be anything: a reader reports, it does not panic"
)]

pub mod call_frame;
pub mod checks;
pub mod code;
mod content;
pub mod driver;
pub mod entry;
mod extent;
pub mod files;
mod floats;
mod flow;
pub mod format;
mod frames;
mod harness;
pub mod harnesses;
mod havoc;
mod ideal;
mod inspect;
pub mod ir;
mod language;
mod leaks;
mod libc;
pub mod library;
mod lower;
mod machine;
pub mod memory;
mod merge;
mod names;
mod options;
mod panic_text;
mod placement;
pub mod process;
mod program;
pub mod reachable;
pub mod reader;
mod start;
pub mod state;
mod statements;
mod step;
pub mod surroundings;
mod text_writer;
pub mod threads;
pub mod value;

pub use checks::{BUG_KINDS, Checks};
pub use code::{SiteInfo, SiteKind};
pub use libc::Standing;
pub use lower::LinkError;
pub use options::{Externals, Integers, Options, Uninitialised};
pub use program::{External, LoadError, Program, load};
pub use reader::ReadError;
