//! LLVM IR as a symbolic transition system: C, C++ and Rust programs.
//!
//! Knows: textual LLVM IR, its memory, its instructions, libc.
//! Never: φ, which path goes on, the terminal.

pub mod driver;
pub mod ir;
pub mod reader;
pub mod code;
mod lower;
pub mod value;
pub mod memory;
pub mod checks;
pub mod state;
mod program;
mod step;
pub mod libc;

pub use checks::{BUG_KINDS, Checks};
pub use code::{SiteInfo, SiteKind};
pub use lower::LinkError;
pub use program::{LoadError, Options, Program, load};
pub use reader::ReadError;
