//! The records that `effigy cc` keeps beside objects, programs and libraries, and how those of an archive are found.
//!
//! Knows: where records lie. Never: how a compiler is called (`cc`), which files make a program.

use effigy_llvm::driver::project::{LinkRecord, RecordedSource, is_archive, members, read_record};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How deep below an archive the records of its members are looked for, and in how many files. Chosen without measuring.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 50_000;

/// A record is no longer than this: a larger one is none of ours.
const LARGEST: u64 = 256 << 20;

/// How the name of a record ends.
const ENDING: &str = ".effigy.json";

/// Where the record of an object, a program or a library lies: `.prog.effigy.json` beside `prog`.
pub(crate) fn beside(built: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(built.file_name().unwrap_or_default());
    name.push(ENDING);
    built.with_file_name(name)
}

/// The record of a file: beside it, or beside the file to which it leads.
fn place(built: &Path) -> Option<PathBuf> {
    let own = beside(built);
    if own.is_file() {
        return Some(own);
    }
    let real = beside(&std::fs::canonicalize(built).ok()?);
    real.is_file().then_some(real)
}

/// Whether a file was built with `effigy cc`: there is a record of it, or it is an archive with recorded members.
pub(crate) fn exists(built: &Path) -> bool {
    if !built.is_file() {
        return false;
    }
    place(built).is_some() || archive(built).is_some_and(|it| !it.sources.is_empty())
}

/// Reads the record of a program or a library.
///
/// # Errors
/// What is wrong with it, with the file and the place.
pub(crate) fn read(built: &Path) -> Result<LinkRecord, String> {
    match place(built) {
        Some(path) => parsed(&path),
        None => archive(built).ok_or_else(|| format!("{}: `effigy cc` has not built this file", built.display())),
    }
}

fn parsed(path: &Path) -> Result<LinkRecord, String> {
    let failed = |what: String| format!("{}:{what}", path.display());
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|it| failed(format!(" {it}")))?;
    file.take(LARGEST).read_to_end(&mut bytes).map_err(|it| failed(format!(" {it}")))?;
    read_record(&bytes).map_err(failed)
}

/// Writes a record beside what was built.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write(built: &Path, record: &LinkRecord) -> Result<(), String> {
    let path = beside(built);
    let text = serde_json::to_vec_pretty(record).map_err(|it| it.to_string())?;
    std::fs::write(&path, text).map_err(|it| format!("{}: {it}", path.display()))
}

/// The sources of an archive's members; `None` where a file is no archive. `ar` keeps only the names of objects: their
/// records are looked for below the archive's folder and the current one.
pub(crate) fn archive(path: &Path) -> Option<LinkRecord> {
    let mut magic = [0; 8];
    File::open(path).and_then(|mut it| it.read_exact(&mut magic)).ok()?;
    if !is_archive(&magic) {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let members = members(&bytes)?;
    let path = std::path::absolute(path).ok()?;
    let folder = path.parent()?;
    let mut nearby: BTreeMap<OsString, Vec<PathBuf>> = BTreeMap::new();
    let mut left = MOST_FILES;
    collect(folder, DEEPEST, &mut left, &mut nearby);
    if let Ok(here) = std::env::current_dir()
        && !here.starts_with(folder)
    {
        collect(&here, DEEPEST, &mut left, &mut nearby);
    }
    let mut res = LinkRecord::new(Vec::new());
    for member in members {
        let object = folder.join(&member.name);
        let candidates = member.name.file_name().and_then(|it| nearby.get(it)).map_or(&[][..], |it| it);
        let is_it = |it: &&PathBuf| match member.bytes {
            Some(bytes) => std::fs::read(it).is_ok_and(|it| it == bytes),
            None => **it == object,
        };
        let found = candidates.iter().find(is_it).or(match candidates {
            [one] => Some(one),
            _ => None,
        });
        match found.map(|it| parsed(&beside(it))) {
            Some(Ok(record)) => {
                let source = |it: RecordedSource| RecordedSource { is_member: true, ..it };
                res.sources.extend(record.sources.into_iter().map(source));
            }
            _ => res.unknown.push(object),
        }
    }
    Some(res)
}

/// Collects the objects with records below a folder, by their names. Links are not followed.
fn collect(folder: &Path, depth: usize, left: &mut usize, into: &mut BTreeMap<OsString, Vec<PathBuf>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut folders = Vec::new();
    for entry in entries.flatten() {
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        let name = entry.file_name();
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            folders.push(entry.path());
        } else if let Some(object) = name.to_str().and_then(|it| it.strip_prefix('.')?.strip_suffix(ENDING)) {
            into.entry(object.into()).or_default().push(folder.join(object));
        }
    }
    folders.sort();
    if depth > 0 {
        folders.iter().for_each(|it| collect(it, depth - 1, left, into));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_lies_beside_what_it_is_of() {
        assert_eq!(beside(Path::new("/b/prog")), Path::new("/b/.prog.effigy.json"));
        assert_eq!(beside(Path::new("a.o")), Path::new(".a.o.effigy.json"));
    }

    #[test]
    fn members_are_told_apart_by_their_bytes() {
        let folder = std::env::temp_dir().join(format!("effigy-records-{}", std::process::id()));
        for (sub, bytes) in [("one", "11"), ("two", "22")] {
            let object = folder.join(sub).join("a.o");
            std::fs::create_dir_all(folder.join(sub)).expect("a folder");
            std::fs::write(&object, bytes).expect("an object");
            let source = RecordedSource {
                directory: folder.clone(),
                file: folder.join(sub).join("a.c"),
                arguments: vec!["cc".to_owned()],
                output: Some(object.clone()),
                is_member: false,
            };
            write(&object, &LinkRecord::new(vec![source])).expect("a record");
        }
        let head = |name: &str| format!("{name:16}{:12}{:6}{:6}{:8}{:<10}`\n", 0, 0, 0, 644, 2);
        let library = folder.join("libt.a");
        std::fs::write(&library, format!("!<arch>\n{}22{}33", head("a.o/"), head("b.o/"))).expect("an archive");
        let record = archive(&library).expect("it is an archive");
        let files: Vec<PathBuf> = record.sources.iter().map(|it| it.file.clone()).collect();
        assert_eq!(files, [folder.join("two/a.c")]);
        assert_eq!(record.unknown, [folder.join("b.o")]);
        assert!(record.sources[0].is_member && exists(&library) && !exists(&folder.join("one/a.c")));
        assert_eq!(archive(&folder.join("one/a.o")), None);
        std::fs::remove_dir_all(folder).expect("it is removed");
    }
}
