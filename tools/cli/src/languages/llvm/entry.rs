//! The flags that say which arguments `--entry` calls a C function with.
//!
//! Knows: names and help of these flags, where the program that calls it is written. Never: how it is made up.

use crate::Failure;
use clap::Args;
use effigy_llvm::driver::Driven;
use effigy_llvm::entry::Wishes;
use std::io::Write;
use std::path::{Path, PathBuf};

/// How arguments are made up.
#[derive(Debug, Args)]
pub(super) struct EntryArgs {
    /// Bytes behind each pointer argument of --entry that does not point to a structure; the maximum size of the input of
    /// LLVMFuzzerTestOneInput [default: 8]
    #[arg(long, value_name = "N")]
    buffer: Option<u64>,
    /// The parameter A of --entry points to as many elements as its parameter N says; both take at most --buffer bytes
    /// (repeatable)
    #[arg(long, value_name = "A:N")]
    array: Vec<String>,
    /// The parameter S of --entry is a string of at most N characters [default: --buffer] (repeatable)
    #[arg(long, value_name = "S[:N]")]
    string: Vec<String>,
    /// The pointer P of --entry may also be null: a parameter, or a member such as list->next (repeatable)
    #[arg(long, value_name = "P")]
    null: Vec<String>,
    /// Write the C program that calls --entry to this new file, for you to edit, then stop
    #[arg(long, value_name = "FILE", requires = "entry")]
    pub(super) write_harness: Option<PathBuf>,
}

impl EntryArgs {
    /// The bytes behind a pointer argument, and the most of a libFuzzer target's input.
    pub(super) fn buffer(&self) -> u64 {
        self.buffer.unwrap_or(8)
    }

    /// Whether --buffer was typed.
    pub(super) fn names_buffer(&self) -> bool {
        self.buffer.is_some()
    }

    pub(super) fn wishes(&self) -> Result<Wishes, Failure> {
        let mut wishes = Wishes { buffer: self.buffer(), null: self.null.clone(), ..Wishes::default() };
        for array in &self.array {
            match array.split_once(':') {
                Some((array, length)) if !array.is_empty() && !length.is_empty() => {
                    wishes.arrays.push((array.to_owned(), length.to_owned()));
                }
                _ => return Err(Failure(format!("--array {array}: the names of two parameters, A:N, were expected"))),
            }
        }
        for string in &self.string {
            let (name, most) = match string.split_once(':') {
                Some((name, most)) => match most.parse::<u64>() {
                    Ok(most) => (name, Some(most)),
                    Err(_) => return Err(Failure(format!("--string {string}: `{most}` is no number of characters"))),
                },
                None => (&**string, None),
            };
            wishes.strings.push((name.to_owned(), most));
        }
        Ok(wishes)
    }
}

/// Writes the program that calls the entry; nothing is overwritten.
pub(super) fn write(path: &Path, driven: &Driven) -> Result<(), Failure> {
    let failed = |it: std::io::Error| Failure(format!("{}: {it}", path.display()));
    let mut file = std::fs::File::create_new(path).map_err(|it| match it.kind() {
        std::io::ErrorKind::AlreadyExists => Failure(format!("{}: this file exists, and is kept", path.display())),
        _ => failed(it),
    })?;
    file.write_all(driven.written().as_bytes()).map_err(failed)
}
