//! `--baseline`: bugs that a project knows already. They are counted, and only new ones end the command with exit code 1.
//!
//! Knows: how a bug is recognised in a later version of the program. Never: how bugs are found or shown.

use crate::Failure;
use crate::args::BaselineArgs;
use effigy_report::document::FoundBug;
use effigy_report::test_case::TestBug;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The format of the file.
const FORMAT: u32 = 1;

/// A baseline has no more bytes. Chosen without measuring.
const LARGEST: u64 = 64 << 20;

/// A file of known bugs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    format: u32,
    bugs: Vec<KnownBug>,
}

/// What tells a bug from others and stays when the lines above it change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownBug {
    /// The class, as `effigy bugs` lists it.
    kind: String,
    /// The file, from the folder of the baseline where it lies below it.
    file: String,
    /// The function in which it happens.
    function: String,
    /// The text of the line, without the space around it; empty where the file cannot be read.
    line: String,
}

impl KnownBug {
    fn of(bug: &TestBug, folder: &Path) -> KnownBug {
        let place = &bug.place;
        let text = std::fs::read_to_string(&place.file).unwrap_or_default();
        let at = (place.line as usize).checked_sub(1);
        let line = at.and_then(|it| text.lines().nth(it)).unwrap_or_default().trim().to_owned();
        let file = real(Path::new(&place.file));
        let file = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        KnownBug { kind: bug.kind.clone(), file, function: place.function.clone(), line }
    }
}

/// A path without links and `..`; as it is, where nothing is there.
fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Marks the bugs that the baseline has; with `--update-baseline` they are written there first. What is to be said of those
/// that were not found again is returned.
///
/// # Errors
/// When the file cannot be read or written, or is no baseline.
pub(crate) fn mark(args: &BaselineArgs, bugs: &mut [FoundBug]) -> Result<Option<String>, Failure> {
    let Some(path) = &args.baseline else { return Ok(None) };
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = real(folder);
    if args.update_baseline {
        if path.exists() {
            // What is no baseline is somebody's own.
            read(path)?;
        }
        let mut known: Vec<KnownBug> = bugs.iter().map(|it| KnownBug::of(&it.bug, &folder)).collect();
        known.sort();
        let mut text = serde_json::to_vec_pretty(&Baseline { format: FORMAT, bugs: known }).map_err(Failure::of)?;
        text.push(b'\n');
        std::fs::write(path, text).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    }
    let mut left = read(path)?.bugs;
    for bug in bugs {
        // Each entry stands for one bug: a second one on an equal line is new.
        if let Some(at) = left.iter().position(|it| *it == KnownBug::of(&bug.bug, &folder)) {
            left.swap_remove(at);
            bug.known = true;
        }
    }
    Ok(match left.len() {
        0 => None,
        1 => Some(format!("1 bug of {} was not found; --update-baseline leaves it out", path.display())),
        gone => Some(format!("{gone} bugs of {} were not found; --update-baseline leaves them out", path.display())),
    })
}

/// Whether the file can be read, before hours of work rest on it.
///
/// # Errors
/// When it is no baseline.
pub(crate) fn check(args: &BaselineArgs) -> Result<(), Failure> {
    match &args.baseline {
        Some(path) if !args.update_baseline || path.exists() => read(path).map(drop),
        _ => Ok(()),
    }
}

fn read(path: &Path) -> Result<Baseline, Failure> {
    let failed = |what: &dyn std::fmt::Display| Failure(format!("--baseline {}: {what}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => failed(&"there is no such file; --update-baseline writes it"),
        _ => failed(&error),
    })?;
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    parsed(&bytes).map_err(|what| failed(&what))
}

fn parsed(bytes: &[u8]) -> Result<Baseline, String> {
    let res: Baseline = effigy_report::damage::parse_json(bytes).map_err(|damage| damage.to_string())?;
    match res.format {
        FORMAT => Ok(res),
        other => Err(format!("format {FORMAT} was expected, and this is {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_testing::reader_trial::try_reader;

    const FILE: &str = r#"{
  "format": 1,
  "bugs": [
    { "kind": "abort", "file": "src/a.c", "function": "main", "line": "abort();" },
    { "kind": "signed-overflow", "file": "src/\u00e4.c", "function": "f", "line": "return \"x\"[a + b];" }
  ]
}"#;

    #[test]
    fn the_place_of_damage_is_told_once() {
        assert_eq!(parsed(b"{\"format\": "), Err("1:11: EOF while parsing a value".to_owned()));
    }

    #[test]
    fn mutants_are_read_as_they_are_written_or_refused() {
        assert_eq!(parsed(FILE.as_bytes()).map(|it| it.bugs.len()), Ok(2));
        try_reader("baseline", [FILE], &["null", "true", "{}", "[]", "\\u0000", "\"bugs\""], |bytes| {
            match parsed(bytes) {
                Ok(baseline) => {
                    let text = serde_json::to_vec(&baseline).expect("it can be written");
                    assert_eq!(parsed(&text), Ok(baseline));
                }
                Err(what) => assert!(!what.is_empty()),
            }
        });
    }
}
