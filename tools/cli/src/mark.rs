//! What a run notes in its folder, so that `effigy replay` can build the program again.
//!
//! Knows: how the program was built and called. Never: what came of the run.

use crate::args::StartArgs;
use crate::frontend::About;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What a run notes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// The name of the language.
    #[serde(default)]
    pub(crate) language: String,
    /// The files of the program, absolute.
    pub(crate) files: Vec<PathBuf>,
    /// Flags for clang.
    pub(crate) flags: Vec<String>,
    /// The arguments of main.
    pub(crate) args: Vec<String>,
    /// Where the compiler ran.
    pub(crate) directory: PathBuf,
    /// The C program that calls the entry, if it is not main.
    pub(crate) harness: Option<String>,
}

impl Mark {
    pub(crate) fn new(start: &StartArgs, about: &About) -> Mark {
        let absolute = |it: &PathBuf| std::path::absolute(it).unwrap_or_else(|_| it.clone());
        let native = about.native.clone().unwrap_or_default();
        Mark {
            language: about.language.to_owned(),
            files: start.files.iter().map(absolute).collect(),
            flags: native.flags,
            args: native.args,
            directory: std::env::current_dir().unwrap_or_default(),
            harness: native.harness,
        }
    }
}
