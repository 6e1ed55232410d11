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
    /// Where the link to the newest run's folder has to be, there is something of the user's.
    #[error(
        "{0} is not the link to the newest run's folder that effigy makes, and is kept; \
         rename it, or choose a folder with --out"
    )]
    InTheWay(PathBuf),
    /// Only what effigy writes by itself is behind the link.
    #[error("{0} is the link to the newest run's folder; leave --out away, or name another folder")]
    Newest(PathBuf),
    /// No run has made it.
    #[error("{0} is not an output folder of effigy (it has no {MARK}); make one with `effigy run`")]
    Unmarked(PathBuf),
    /// Another process is writing to the folder.
    #[error("another effigy is at work in {0}; wait for it, or choose another folder")]
    Busy(PathBuf),
    /// It could not be made or written.
    #[error("{path}: {error}")]
    Io {
        /// The folder or file that was accessed.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
}

/// What the link to the folder of the newest run is called, of those that were not told where to write. The folders are
/// `effigy-out-0`, `effigy-out-1` and so on, as KLEE has `klee-last` and `klee-out-0`.
pub const NEWEST: &str = "effigy-out";

/// The number of a folder of this name, where it is one of those that the link leads to.
fn number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(NEWEST)?.strip_prefix('-')?;
    // There is a next number.
    let is_number = digits.len() < 19 && digits.bytes().all(|it| it.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

/// What the link to the newest run's folder leads to, if this path is that link.
fn newest(path: &Path) -> Option<PathBuf> {
    let target = fs::read_link(path).ok()?;
    let is_ours = path.file_name()? == NEWEST && number(target.to_str()?).is_some();
    is_ours.then(|| path.with_file_name(target))
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |error| FolderError::Io { path, error }
}

/// The output folder of a run.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// The folder itself: what is in it is found from here, not from the root each time.
    root: Arc<fs::File>,
    /// Held as long as the folder is written to.
    _lock: Arc<fs::File>,
}

/// The lock file of a folder, held by the process that writes to it.
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
    /// A new folder in `within`, with the next number, and the link [`NEWEST`] that leads to it.
    ///
    /// # Errors
    /// When something of the user's stands where the link has to be, or it cannot be written.
    pub fn create_next(within: &Path, mark: &str) -> Result<Folder, FolderError> {
        let link = within.join(NEWEST);
        if fs::symlink_metadata(&link).is_ok() && newest(&link).is_none() {
            return Err(FolderError::InTheWay(link));
        }
        let here = if within.as_os_str().is_empty() { Path::new(".") } else { within };
        let names = fs::read_dir(here).map_err(failed(here))?.flatten().map(|it| it.file_name());
        let taken = names.filter_map(|it| number(it.to_str()?)).max();
        let mut next = taken.map_or(0, |it| it + 1);
        loop {
            let path = within.join(format!("{NEWEST}-{next}"));
            match fs::create_dir(&path) {
                Ok(()) => {
                    let folder = Folder::create(&path, mark)?;
                    link_newest(within, next)?;
                    return Ok(folder);
                }
                // Another run began at the same time.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => next += 1,
                Err(error) => return Err(failed(&path)(error)),
            }
        }
    }

    /// The folder `path`, new or emptied of what an earlier run left there; `mark` is written to its mark.
    ///
    /// # Errors
    /// When it holds what is not ours, or cannot be written.
    pub fn create(path: &Path, mark: &str) -> Result<Folder, FolderError> {
        if newest(path).is_some() {
            return Err(FolderError::Newest(path.to_owned()));
        }
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
        // The link may lead elsewhere before the run is over.
        let path = &newest(path).unwrap_or_else(|| path.to_owned());
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
            let number = test_number(&entry.file_name().to_string_lossy());
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

    /// The path of the folder itself.
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
        fs::read_to_string(&mark).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FolderError::Unmarked(path.to_owned()),
            _ => failed(&mark)(error),
        })
    }
}

/// The number of a test, by the name of one of its files: `test000001.json`.
fn test_number(name: &str) -> Option<u64> {
    name.strip_prefix("test")?.split('.').next()?.parse().ok()
}

/// Whether a file of this name is a test of ours.
pub fn is_test_file(name: &str) -> bool {
    test_number(name).is_some() && name.ends_with(".json")
}

/// Makes the link lead to the folder with this number: in one step, so that it always leads to one.
fn link_newest(within: &Path, number: u64) -> Result<(), FolderError> {
    let (link, partial) = (within.join(NEWEST), within.join(format!("{NEWEST}-{number}.part")));
    let target = format!("{NEWEST}-{number}");
    std::os::unix::fs::symlink(&target, &partial).map_err(failed(&partial))?;
    let linked = match fs::symlink_metadata(&link).is_ok() && newest(&link).is_none() {
        // The user has made it in the meantime.
        true => Err(FolderError::InTheWay(link)),
        false => fs::rename(&partial, &link).map_err(failed(&link)),
    };
    if linked.is_err() {
        let _ = fs::remove_file(&partial);
    }
    linked
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of a test's own.
    fn room(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("effigy-folder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        path
    }

    #[test]
    fn each_run_has_a_folder_of_its_own_and_the_link_leads_to_the_newest() {
        let room = room("next");
        for number in 0..3 {
            let folder = Folder::create_next(&room, "{}").expect("a folder");
            assert_eq!(folder.path(), room.join(format!("effigy-out-{number}")));
            folder.write("tests/test000001.json", b"{}").expect("a test");
            assert_eq!(fs::read_link(room.join(NEWEST)).expect("a link"), Path::new(&format!("effigy-out-{number}")));
        }
        assert!(room.join("effigy-out-0/tests/test000001.json").exists());
        // What was removed is not used again: the newest has the greatest number.
        fs::remove_dir_all(room.join("effigy-out-1")).expect("removed");
        assert_eq!(Folder::create_next(&room, "{}").expect("a folder").path(), room.join("effigy-out-3"));
        // A link that leads nowhere is ours all the same.
        for number in [0, 2, 3] {
            fs::remove_dir_all(room.join(format!("effigy-out-{number}"))).expect("removed");
        }
        assert_eq!(Folder::create_next(&room, "{}").expect("a folder").path(), room.join("effigy-out-0"));
        fs::remove_dir_all(&room).expect("removed");
    }

    #[test]
    fn what_the_user_called_so_is_kept() {
        let room = room("kept");
        let link = room.join(NEWEST);
        let refused = || matches!(Folder::create_next(&room, "{}"), Err(FolderError::InTheWay(_)));
        fs::write(&link, "mine").expect("a file");
        assert!(refused());
        assert_eq!(fs::read_to_string(&link).expect("the file"), "mine");
        fs::remove_file(&link).expect("removed");
        fs::create_dir(&link).expect("a folder");
        assert!(refused());
        fs::remove_dir(&link).expect("removed");
        std::os::unix::fs::symlink("elsewhere", &link).expect("a link");
        assert!(refused());
        assert_eq!(fs::read_link(&link).expect("the link"), Path::new("elsewhere"));
        assert_eq!(fs::read_dir(&room).expect("the folder").count(), 1);
        fs::remove_dir_all(&room).expect("removed");
    }

    #[test]
    fn nobody_writes_into_the_last_run_by_its_link() {
        let room = room("link");
        let folder = Folder::create_next(&room, "{}").expect("a folder");
        folder.write("summary.txt", b"all").expect("a file");
        drop(folder);
        assert!(matches!(Folder::create(&room.join(NEWEST), "{}"), Err(FolderError::Newest(_))));
        let again = Folder::reopen(&room.join(NEWEST)).expect("the folder");
        assert_eq!(again.path(), room.join("effigy-out-0"));
        assert!(again.path().join("summary.txt").exists());
        fs::remove_dir_all(&room).expect("removed");
    }
}
