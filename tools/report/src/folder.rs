//! The output folder: made by us, never in the way of what the user made.
//!
//! Knows: names and the order of writing. Never: what is in the files.

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::retry_on_intr;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file that marks a folder as ours.
const MARK: &str = "effigy.json";

/// What is heard of the walk, line by line.
const JOURNAL: &str = "walk.jsonl";

/// Why there is no output folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The folder has files that we did not make.
    #[error("{0} is not empty and was not made by effigy; choose another folder, or empty it")]
    NotOurs(PathBuf),
    /// Another run writes there.
    #[error("another effigy is at work in {0}; wait for it, or choose another folder")]
    Busy(PathBuf),
    /// It could not be made or written.
    #[error("{path}: {error}")]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |error| FolderError::Io { path, error }
}

/// An output folder.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// The folder itself: what is in it is found from here, not from the root each time.
    root: Arc<fs::File>,
    /// Held as long as the folder is written to.
    _lock: Arc<fs::File>,
}

/// The file that is locked by whoever is at work in a folder.
const LOCK: &str = "effigy.lock";

/// Takes the lock of a folder.
fn lock(path: &Path) -> Result<Arc<fs::File>, FolderError> {
    let name = path.join(LOCK);
    let file = fs::OpenOptions::new().create(true).append(true).open(&name).map_err(failed(&name))?;
    match file.try_lock() {
        Ok(()) => Ok(Arc::new(file)),
        Err(fs::TryLockError::WouldBlock) => Err(FolderError::Busy(path.to_owned())),
        // Some file systems have no locks.
        Err(fs::TryLockError::Error(_)) => Ok(Arc::new(file)),
    }
}

impl Folder {
    /// The folder `path`, new or emptied of what an earlier run left there; `mark` is written to its mark.
    ///
    /// # Errors
    /// When it holds what is not ours, or cannot be written.
    pub fn create(path: &Path, mark: &str) -> Result<Folder, FolderError> {
        let mut ours = false;
        match fs::read_dir(path) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    if !path.join(MARK).is_file() {
                        return Err(FolderError::NotOurs(path.to_owned()));
                    }
                    ours = true;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(failed(path))?;
            }
            Err(error) => return Err(failed(path)(error)),
        }
        let folder = Folder::opened(path)?;
        if ours {
            remove_ours(path)?;
        }
        folder.write(MARK, mark.as_bytes())?;
        let tests = path.join("tests");
        fs::create_dir_all(&tests).map_err(failed(&tests))?;
        Ok(folder)
    }

    /// The folder of an earlier run, with all that it left there.
    ///
    /// # Errors
    /// When no run has made it.
    pub fn reopen(path: &Path) -> Result<Folder, FolderError> {
        Folder::mark(path)?;
        // It may have been killed before they were there.
        let tests = path.join("tests");
        fs::create_dir_all(&tests).map_err(failed(&tests))?;
        Folder::opened(path)
    }

    fn opened(path: &Path) -> Result<Folder, FolderError> {
        let lock = lock(path)?;
        let root = Arc::new(fs::File::open(path).map_err(failed(path))?);
        Ok(Folder { path: path.to_owned(), root, _lock: lock })
    }

    /// Removes all tests but those with these numbers: a run that was killed had written others before it said so, and
    /// writes them again.
    ///
    /// # Errors
    /// When they cannot be removed.
    pub fn keep_tests(&self, kept: &BTreeSet<u64>) -> Result<(), FolderError> {
        let tests = self.path.join("tests");
        for entry in fs::read_dir(&tests).map_err(failed(&tests))?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let number = name.strip_prefix("test").and_then(|it| it.split('.').next()?.parse::<u64>().ok());
            if number.is_some_and(|it| !kept.contains(&it)) {
                fs::remove_file(entry.path()).map_err(failed(&entry.path()))?;
            }
        }
        Ok(())
    }

    /// Where its journal is, or would be.
    pub fn journal(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file: whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        self.write_by(name, |file| file.write_all(bytes))
    }

    /// Writes a file that nobody knows of yet, in one piece. Whoever ends us in the middle of it leaves an empty one: what
    /// is told of only when it is there needs no more, and a walk writes tens of thousands.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_new(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
        let file = retry_on_intr(|| openat(&self.root, name, flags, Mode::from_raw_mode(0o666)));
        let written = file.map_err(io::Error::from).and_then(|file| fs::File::from(file).write_all(bytes));
        written.map_err(|error| FolderError::Io { path: self.path.join(name), error })
    }

    /// As [`Folder::write`], for what is large: as it comes, not from memory.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_by(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FolderError> {
        let path = self.path.join(name);
        let partial = self.path.join(format!("{name}.part"));
        let mut file = io::BufWriter::new(fs::File::create(&partial).map_err(failed(&path))?);
        write(&mut file).and_then(|()| file.flush()).map_err(failed(&path))?;
        fs::rename(&partial, &path).map_err(failed(&path))
    }

    /// What the run that made a folder wrote to its mark.
    ///
    /// # Errors
    /// When there is no mark.
    pub fn mark(path: &Path) -> Result<String, FolderError> {
        let mark = path.join(MARK);
        fs::read_to_string(&mark).map_err(failed(&mark))
    }
}

/// Removes what a run leaves: by its names, so that a file that the user put there stays.
fn remove_ours(path: &Path) -> Result<(), FolderError> {
    // The journal first: it says that tests are there.
    for name in [JOURNAL, "summary.json", "summary.txt", "coverage.json", "coverage.info"] {
        match fs::remove_file(path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&path.join(name))(error)),
            _ => {}
        }
    }
    let tests = path.join("tests");
    let ours =
        |name: &str| name.starts_with("test") && [".json", ".ktest", ".part"].iter().any(|it| name.ends_with(it));
    if let Ok(entries) = fs::read_dir(&tests) {
        for entry in entries.flatten() {
            if ours(&entry.file_name().to_string_lossy()) {
                fs::remove_file(entry.path()).map_err(failed(&entry.path()))?;
            }
        }
    }
    Ok(())
}
