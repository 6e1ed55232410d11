//! LLVM IR as a symbolic transition system: C, C++ and Rust programs.

pub mod ir;
pub mod memory;
pub mod reader;
pub mod value;
