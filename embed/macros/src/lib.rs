//! `#[effigy::test]`, `#[effigy::symbolic]`, `#[derive(Symbolic)]` and `#[derive(ReadOnly)]`.
//!
//! Knows: Rust's syntax. Never: types, values, sessions: what is written here names the library by its paths.

mod derive;
mod merging;
mod rewrite;
mod test;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemFn, parse_macro_input};

/// A test whose parameters are every value of their types. `paths`, `decisions`, `values`, `failures`,
/// `silence` and `bound` (of lists) are its limits.
#[proc_macro_attribute]
pub fn test(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attribute as test::Options);
    let function = parse_macro_input!(item as ItemFn);
    test::expand(&options, function).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// A function whose literal `match` and bare `if` are also of symbolic values; of an `impl` block, a trait or a module, each
/// function within it. With `merge` both sides of a conditional are run, and what they assign is conditional (functions
/// only). With `casts` so is `as` between numbers, and an enum cannot be cast there. Constants stay what they are: where
/// `u8` is an alias of something symbolic, that of a constant is the plain one.
#[proc_macro_attribute]
pub fn symbolic(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mode = parse_macro_input!(attribute as rewrite::Mode);
    let item = parse_macro_input!(item as syn::Item);
    rewrite::expand(&mode, item).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Any value of a struct (each field) or of an enum (each variant, on paths of its own).
#[proc_macro_derive(Symbolic)]
pub fn derive_symbolic(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    derive::expand(&item).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// A type through whose values nothing can be written that they share: each field is such itself.
#[proc_macro_derive(ReadOnly)]
pub fn derive_read_only(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    derive::read_only(&item).unwrap_or_else(syn::Error::into_compile_error).into()
}
