//! Viper's language: from the text of a `.vpr` file to a checked [`effigy_contracts::Program`].
//!
//! Knows: silver's grammar, its macros, imports, types and consistency rules.
//! Never: terms, verification, files (the caller hands over what an import names), the terminal.
//!
//! [`read`] does it all: [`parse`], follow imports, expand macros, check.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "texts may be anything: a reader reports, it does not panic"
)]

pub mod ast;
pub mod check;
pub mod error;
mod imports;
mod lexer;
mod macros;
mod parser;
mod standard;

pub use error::{ReadError, ReadErrorKind};
pub use standard::standard;

use std::collections::BTreeSet;
use std::sync::Arc;

/// Gets the text that an import names; this crate reads no files.
pub trait Loader {
    /// The file that `path` names in the file `from` (a name that [`read`] or an earlier [`SourceFile::name`] gave), or what
    /// is wrong. A `standard` path is relative to Viper's own library instead, without regard to `from`.
    fn load(&mut self, path: &str, standard: bool, from: &str) -> Result<SourceFile, String>;
}

/// A file that was imported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Its name, normalized: the same file has the same name, and is read once.
    pub name: Arc<str>,
    /// The whole text of the file.
    pub text: String,
}

/// Only the standard library can be imported: for files that stand alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoImports;

impl Loader for NoImports {
    fn load(&mut self, path: &str, is_standard: bool, _: &str) -> Result<SourceFile, String> {
        match standard(path).filter(|_| is_standard) {
            Some(text) => Ok(SourceFile { name: format!("<{path}>").into(), text: text.to_owned() }),
            None => Err(format!("{path} cannot be imported here")),
        }
    }
}

/// Reads and checks a file and what it imports.
pub fn read(name: &str, text: &str, loader: &mut dyn Loader) -> Result<effigy_contracts::Program, Vec<ReadError>> {
    let program = expand(name, text, loader)?;
    let orders = match program.has_measures() {
        true => check::missing_orders(&program),
        false => BTreeSet::new(),
    };
    match orders.is_empty() {
        true => check::check(&program),
        false => check::check(&expand_with(name, text, &orders, loader)?),
    }
}

/// Reads a file and what it imports, macros expanded, nothing checked.
pub fn expand(name: &str, text: &str, loader: &mut dyn Loader) -> Result<ast::Program, Vec<ReadError>> {
    expand_with(name, text, &BTreeSet::new(), loader)
}

/// The same with more files of the standard library.
fn expand_with(
    name: &str,
    text: &str,
    standard: &BTreeSet<&str>,
    loader: &mut dyn Loader,
) -> Result<ast::Program, Vec<ReadError>> {
    let expanded = imports::follow(name, text, standard, loader).and_then(|program| {
        let (items, warnings) = macros::expand(program.items)?;
        Ok(ast::Program { files: program.files, items, warnings })
    });
    expanded.map_err(|mut errors| {
        errors.sort_by_key(|it| it.span);
        errors
    })
}

/// Reads one file: imports are not followed, macros not expanded.
pub fn parse(name: &str, text: &str) -> Result<ast::Program, Vec<ReadError>> {
    let (items, errors) = parser::parse(text, 0);
    if errors.is_empty() {
        Ok(ast::Program { files: vec![name.into()], items, warnings: Vec::new() })
    } else {
        Err(errors)
    }
}
