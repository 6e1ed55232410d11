//! What clang made of sources of ours, cached on disk for later processes.
//!
//! Knows: where an entry is, when it may be used, how much the cache may hold. Never: how a source is compiled, what the
//! text means.
//!
//! The name of an entry is the SHA-256 of all that clang was given: the source, its flags, the variables of the
//! environment that it reads, clang itself. The entry lists the headers that were read, and has a SHA-256 of its content. A
//! header that has changed, a damaged entry, or none: the source is compiled again. The text that is taken from the
//! cache is read as strictly as any other. Nothing here ever fails a run.

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The first line of an entry, up to the hash of what follows it; its number is that of the format.
const HEAD: &str = "; effigy-library 1 ";

/// What begins a line about a file that was read for an entry.
const READ: &str = "; read ";

/// The entries together have at most so many bytes: all of the library for some twenty sets of flags.
const MOST_BYTES: u64 = 256 << 20;

/// An entry has at most so many bytes; a larger file is none. The largest is a thirtieth of that.
const MOST_BYTES_OF_ENTRY: u64 = 128 << 20;

/// Variables of the environment that change what clang reads or does.
const VARIABLES: &[&str] = &[
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "CCC_OVERRIDE_OPTIONS",
    "CLANG_CONFIG_FILE_SYSTEM_DIR",
    "CLANG_CONFIG_FILE_USER_DIR",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
];

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// From now on this process keeps in `folder` what it compiles of effigy's own library, and takes from there what earlier
/// processes kept. Without a call nothing is kept.
pub fn keep_library_in(folder: PathBuf) {
    let _ = FOLDER.set(folder);
}

/// An entry of the cache, whether it is there or not.
pub(super) struct CachedModule {
    path: PathBuf,
    asked: SystemTime,
}

impl CachedModule {
    /// The entry of a text that `clang` compiles with these arguments. `None` where nothing is kept.
    pub(super) fn of(text: &str, arguments: &[String], clang: &OsStr) -> Option<CachedModule> {
        Some(CachedModule::within(FOLDER.get()?, text, arguments, clang))
    }

    fn within(folder: &Path, text: &str, arguments: &[String], clang: &OsStr) -> CachedModule {
        let mut hash = Sha256::new();
        // Each part with its length: two lists never have the same bytes.
        let mut add = |part: &[u8]| {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        add(HEAD.as_bytes());
        add(env!("CARGO_PKG_VERSION").as_bytes());
        add(text.as_bytes());
        add(&(arguments.len() as u64).to_le_bytes());
        arguments.iter().for_each(|it| add(it.as_bytes()));
        for name in VARIABLES {
            let value = std::env::var_os(name);
            add(&[u8::from(value.is_some())]);
            add(value.unwrap_or_default().as_encoded_bytes());
        }
        add(compiler(clang).as_bytes());
        let path = folder.join(format!("{}.ll", hex(&hash.finalize())));
        CachedModule { path, asked: SystemTime::now() }
    }

    /// The text that was kept, if it is whole and no file has changed that clang read for it.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        let described = fs::metadata(&self.path).ok()?;
        if !described.is_file() || described.len() > MOST_BYTES_OF_ENTRY {
            return None;
        }
        let mut bytes = fs::read(&self.path).ok()?;
        let at = text_of(&bytes)?;
        // The oldest entries are dropped first: those that nobody has used for the longest time.
        let _ = fs::File::open(&self.path).and_then(|it| it.set_modified(SystemTime::now()));
        Some(bytes.split_off(at))
    }

    /// Keeps a text, for which clang has read the files that `dependencies` lists (as `-MD` writes it; the source itself
    /// is one of them, in the folder `scratch`).
    pub(super) fn write(&self, text: &[u8], dependencies: &Path, scratch: &Path) {
        let written = || -> Option<()> {
            let listed = fs::read(dependencies).ok()?;
            let content = content(text, &listed, scratch, self.asked)?;
            let folder = self.path.parent()?;
            fs::create_dir_all(folder).ok()?;
            static COUNT: AtomicU64 = AtomicU64::new(0);
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let partial = self.path.with_extension(format!("{}-{count}.part", std::process::id()));
            let res = fs::write(&partial, content).and_then(|()| fs::rename(&partial, &self.path));
            if res.is_err() {
                let _ = fs::remove_file(&partial);
            }
            res.ok()?;
            bound(folder, MOST_BYTES);
            Some(())
        };
        if written().is_none() {
            tracing::debug!(path = %self.path.display(), "a module of the library is not kept");
        }
    }
}

/// An entry: its hash, the files with their states, the text. `None` if a file has changed since `asked`, or has a name
/// that stands on no line.
fn content(text: &[u8], listed: &[u8], scratch: &Path, asked: SystemTime) -> Option<Vec<u8>> {
    let mut res = Vec::new();
    for path in watched(&dependencies(listed)?, scratch) {
        let described = fs::metadata(&path).ok()?;
        if described.modified().ok()? >= asked {
            return None;
        }
        let path = path.to_str().filter(|it| !it.contains('\n'))?;
        res.extend_from_slice(format!("{READ}{} {path}\n", state(&described)?).as_bytes());
    }
    res.extend_from_slice(b"\n");
    res.extend_from_slice(text);
    let hash = hex(&Sha256::digest(&res));
    Some([HEAD.as_bytes(), hash.as_bytes(), b"\n", &res].concat())
}

/// Where the text begins in an entry that is whole and of today's headers.
fn text_of(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(HEAD.as_bytes())?;
    let length = memchr::memchr(b'\n', rest)?;
    let (hash, mut rest) = (&rest[..length], &rest[length + 1..]);
    if hex(&Sha256::digest(rest)).as_bytes() != hash {
        return None;
    }
    while let Some(line) = rest.strip_prefix(READ.as_bytes()) {
        let length = memchr::memchr(b'\n', line)?;
        let (known, path) = std::str::from_utf8(&line[..length]).ok()?.split_once(' ')?;
        if state(&fs::metadata(path).ok()?)? != known {
            return None;
        }
        rest = &line[length + 1..];
    }
    let text = rest.strip_prefix(b"\n")?;
    Some(bytes.len() - text.len())
}

/// By what a file is known again: its size and the nanosecond of its last change.
fn state(described: &Metadata) -> Option<String> {
    let changed = described.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let size = if described.is_dir() { 0 } else { described.len() };
    Some(format!("{size}:{}", changed.as_nanos()))
}

/// What an entry depends on: the files outside of `scratch`, and each folder of versions on their way (`/usr/include/c++`
/// of `/usr/include/c++/12/string`), in which another version may be installed.
fn watched(files: &[PathBuf], scratch: &Path) -> BTreeSet<PathBuf> {
    let mut res = BTreeSet::new();
    for file in files.iter().filter(|it| !it.starts_with(scratch)) {
        let mut way = PathBuf::new();
        for part in file.components() {
            if part.as_os_str().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit)
                && !way.as_os_str().is_empty()
            {
                res.insert(way.clone());
            }
            way.push(part);
        }
        res.insert(way);
    }
    res
}

/// The files of a rule of make, `target: file file \`, behind its target. `None` for what is none.
fn dependencies(rule: &[u8]) -> Option<Vec<PathBuf>> {
    let rule = std::str::from_utf8(rule).ok()?;
    let (_, files) = rule.split_once(": ")?;
    let mut res = Vec::new();
    let mut word = String::new();
    let mut rest = files.chars().peekable();
    while let Some(sign) = rest.next() {
        match (sign, rest.peek()) {
            ('\\', Some(' ' | '#' | '\\')) | ('$', Some('$')) => word.extend(rest.next()),
            // The end of a line that goes on.
            ('\\', Some('\n')) => {}
            (' ' | '\n', _) => {
                if !word.is_empty() {
                    res.push(PathBuf::from(std::mem::take(&mut word)));
                }
            }
            _ => word.push(sign),
        }
    }
    if !word.is_empty() {
        res.push(PathBuf::from(word));
    }
    Some(res)
}

/// Which clang it is: its words about its version, its file, and the state of that. Two compilers that agree in all of
/// these are one.
fn compiler(clang: &OsStr) -> String {
    let file = executable(clang);
    let described = file.as_ref().and_then(|it| state(&fs::metadata(it).ok()?));
    let file = file.unwrap_or_default();
    format!("{}\n{}\n{}", super::version_of(clang), file.display(), described.unwrap_or_default())
}

/// The file of a command, as a shell finds it, without symbolic links.
fn executable(command: &OsStr) -> Option<PathBuf> {
    if Path::new(command).components().count() > 1 {
        return fs::canonicalize(command).ok();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|it| it.join(command)).find(|it| it.is_file())?;
    fs::canonicalize(found).ok()
}

/// Drops the oldest files of a folder until the rest has at most so many bytes.
fn bound(folder: &Path, most: u64) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let described = entries.flatten().filter_map(|it| {
        let described = it.metadata().ok().filter(Metadata::is_file)?;
        Some((described.modified().ok()?, it.path(), described.len()))
    });
    let mut files: Vec<(SystemTime, PathBuf, u64)> = described.collect();
    files.sort();
    let mut all: u64 = files.iter().map(|it| it.2).sum();
    for (_, path, size) in files {
        if all <= most {
            return;
        }
        if fs::remove_file(&path).is_ok() {
            all -= size;
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

#[cfg(test)]
mod tests;
