//! Viper's language: from the text of a `.vpr` file to a checked [`effigy_heap::Program`].
//!
//! Knows: silver's grammar, its macros, imports, types and consistency rules.
//! Never: terms, verification, files (the caller hands over what an import names), the terminal.
