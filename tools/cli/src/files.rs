//! Files as the user names them: their extensions, the text of one.
//!
//! Knows: names, UTF-8. Never: a language.

use crate::Failure;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// Whether any of the files has one of these extensions.
pub(crate) fn has_extension(files: &[PathBuf], extensions: &[&str]) -> bool {
    files
        .iter()
        .filter_map(|it| it.extension()?.to_str())
        .any(|own| extensions.iter().any(|it| own.eq_ignore_ascii_case(it)))
}

/// Files that no language takes: why, for the first of them.
pub(crate) fn unknown(files: &[PathBuf], takes: &str) -> Failure {
    let Some(file) = files.first() else { return Failure(takes.to_owned()) };
    let name = file.display();
    if let Err(error) = std::fs::metadata(file) {
        return Failure(format!("{name}: {error}"));
    }
    let extension = file.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let hint = match extension {
        _ if file.is_dir() => "this is a folder; name the files of one program".to_owned(),
        "bc" => format!("this is LLVM bitcode; `llvm-dis {name}` writes it as text (.ll), which is taken"),
        "o" | "a" | "so" => {
            "this is object code; build it with `effigy cc`, which notes its sources, or name the sources".to_owned()
        }
        "json" if file.file_name().is_some_and(|it| it == "compile_commands.json") => {
            format!("this is a compilation database, which `--project {name}` takes")
        }
        _ => return Failure(format!("{name}: {takes}")),
    };
    Failure(format!("{name}: {hint}; {takes}"))
}

/// The one file of a language whose programs stand in one, with its text.
pub(crate) fn one_file(files: &[PathBuf], expected: &str) -> Result<(String, String), Failure> {
    let [file] = files else { return Err(Failure(expected.to_owned())) };
    let name = file.display().to_string();
    let bytes = std::fs::read(file).map_err(|error| Failure(format!("{name}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|it| **it == b'\n').count();
        Failure(format!("{name}:{line}: UTF-8 text was expected"))
    })?;
    Ok((name, text))
}

/// A number that differs where the texts do.
pub(crate) fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut hasher = FxHasher::default();
    texts.into_iter().for_each(|it| it.hash(&mut hasher));
    hasher.finish()
}
