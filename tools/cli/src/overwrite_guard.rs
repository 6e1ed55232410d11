//! Overwrites only files that effigy wrote: a file that the user made is never replaced.
//!
//! Knows: the first words of a file that effigy wrote. Never: the rest of its content.

use crate::Failure;
use std::io::Read;
use std::path::Path;

/// Whether there is no file at a place, or one that begins with these words.
pub(crate) fn may_be_written(path: &Path, head: &str) -> Result<(), Failure> {
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|it| it.take(head.len() as u64).read_to_end(&mut start));
    match read {
        Ok(_) if start != head.as_bytes() => {
            Err(Failure(format!("{}: this file exists and was not written by effigy; it is kept", path.display())))
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure(format!("{}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Writes a file that begins with these words.
pub(crate) fn write(path: &Path, head: &str, text: &str) -> Result<(), Failure> {
    may_be_written(path, head)?;
    std::fs::write(path, text).map_err(|error| Failure(format!("{}: {error}", path.display())))
}
