//! LLVM IR as a symbolic transition system: C, C++ and Rust programs.
//!
//! Knows: textual LLVM IR, its memory, its instructions, libc.
//! Never: φ, which path goes on, the terminal.

pub mod checks;
pub mod code;
pub mod driver;
mod inspect;
pub mod ir;
pub mod libc;
mod lower;
pub mod memory;
mod program;
pub mod reader;
pub mod state;
mod step;
pub mod value;

pub use checks::{BUG_KINDS, Checks};
pub use code::{SiteInfo, SiteKind};
pub use lower::LinkError;
pub use program::{LoadError, Options, Program, load};
pub use reader::ReadError;
