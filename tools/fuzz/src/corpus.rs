//! The corpus folder: `queue`, `crashes` and `hangs`, an input a file, as AFL++ and libFuzzer have them.
//!
//! Knows: names, the order of writing: under a temporary name first, so that a file is whole or not there. What is read
//! may be anything, and is bounded. Never: what an input does.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The bytes of an input; the loop in C has the same bound.
pub const MOST_INPUT: usize = 1 << 20;

/// So many files of a folder are read.
const MOST_FILES: usize = 1 << 16;

/// So many bytes of a folder are read.
const MOST_BYTES: usize = 1 << 30;

/// The depth to which nested folders are read.
const MOST_DEPTH: u32 = 8;

/// The folder in which inputs are kept.
#[derive(Clone, Debug)]
pub(crate) struct Corpus {
    root: PathBuf,
}

/// The subfolders of the corpus folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shelf {
    Queue,
    Crashes,
    Hangs,
}

impl Shelf {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shelf::Queue => "queue",
            Shelf::Crashes => "crashes",
            Shelf::Hangs => "hangs",
        }
    }
}

impl Corpus {
    pub(crate) fn open(root: &Path) -> io::Result<Corpus> {
        for shelf in [Shelf::Queue, Shelf::Crashes, Shelf::Hangs] {
            fs::create_dir_all(root.join(shelf.name()))?;
        }
        Ok(Corpus { root: root.to_owned() })
    }

    /// The inputs that an earlier campaign has left, in their order: names and bytes.
    pub(crate) fn left(&self, shelf: Shelf) -> io::Result<Vec<(String, Vec<u8>)>> {
        Ok(files_of(&self.root.join(shelf.name()), 0)?
            .into_iter()
            .filter_map(|(path, bytes)| Some((path.file_name()?.to_string_lossy().into_owned(), bytes)))
            .collect())
    }

    /// Writes an input: whole, or not at all.
    pub(crate) fn write(&self, shelf: Shelf, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let partial = self.root.join(format!(".{}.part", shelf.name()));
        let path = self.root.join(shelf.name()).join(name);
        fs::write(&partial, bytes)?;
        fs::rename(&partial, &path)?;
        Ok(path)
    }
}

/// The number in a name `id:000012,...`.
pub(crate) fn number(name: &str) -> Option<u64> {
    name.strip_prefix("id:")?.split(',').next()?.parse().ok()
}

/// The inputs of a file or folder, for a beginning: folders in it, too. Names that begin with a point are not inputs.
///
/// # Errors
/// When it cannot be read.
pub fn inputs_of(path: &Path) -> io::Result<Vec<Vec<u8>>> {
    if path.is_file() {
        return Ok(vec![read(path)?]);
    }
    Ok(files_of(path, MOST_DEPTH)?.into_iter().map(|it| it.1).collect())
}

fn files_of(folder: &Path, depth: u32) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut res = Vec::new();
    let mut total = 0;
    let mut folders = vec![(folder.to_owned(), depth)];
    while let Some((folder, depth)) = folders.pop() {
        let mut entries: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let hidden = path.file_name().is_none_or(|it| it.to_string_lossy().starts_with('.'));
            if !hidden && entries.len() < 4 * MOST_FILES {
                entries.push(path);
            }
        }
        entries.sort();
        for path in entries {
            // A link may lead anywhere, a pipe never ends.
            let Ok(about) = fs::symlink_metadata(&path) else { continue };
            if about.is_dir() && depth > 0 {
                folders.push((path, depth - 1));
            } else if about.is_file() && res.len() < MOST_FILES && total < MOST_BYTES {
                // AFL++ writes such a file among its crashes.
                if path.file_name().is_some_and(|it| it == "README.txt") {
                    continue;
                }
                let bytes = read(&path)?;
                total += bytes.len();
                res.push((path, bytes));
            }
        }
    }
    Ok(res)
}

/// The beginning of a file, as much as an input has.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut res = Vec::new();
    fs::File::open(path)?.take(MOST_INPUT as u64).read_to_end(&mut res)?;
    Ok(res)
}
