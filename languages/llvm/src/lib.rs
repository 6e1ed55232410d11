//! LLVM IR as a symbolic transition system: C, C++ and Rust programs.
