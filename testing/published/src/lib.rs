//! Crates that nobody here wrote, with the attribute of the library and the alias of a type.
//!
//! Knows: which type of theirs is symbolic. Never: what they do: their source is read where cargo has put it (`build.rs`).

#![allow(missing_docs, missing_debug_implementations, clippy::all, unused_imports, reason = "the source is theirs")]

/// What is symbolic in them: their bytes.
pub mod symbolic {
    #[allow(non_camel_case_types, reason = "the name that the source uses")]
    pub type u8 = effigy::Sym<core::primitive::u8>;
}

#[cfg(source_found)]
include!(concat!(env!("OUT_DIR"), "/utf8parse.rs"));

/// Whether cargo has the sources where it unpacks them. It has not in a vendored tree: then there is nothing to test.
pub const SOURCE_FOUND: bool = cfg!(source_found);
