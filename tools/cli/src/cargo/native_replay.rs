//! `--replay`: the test of each path, run by the native program.
//!
//! Knows: what a harness in a native test program reads and writes (`embed/harness/src/replay.rs`). Never: how a path was
//! found.
//!
//! All tests are run in one process, by the thousand. A process that dies at one of them is started again for those
//! behind it.

use super::Harness;
use super::build::{BuiltTarget, TargetId};
use crate::Failure;
use effigy_report::test_case::{Expectation, Test};
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

/// A test of a path: of which harness, and what must come of it.
#[derive(Clone, Debug)]
struct PathTest {
    target: TargetId,
    harness: String,
    /// The values in hexadecimal, a comma between them.
    values: String,
    /// The text of the panic that must come, if one must.
    panics: Option<String>,
}

/// How the native program ended on a test.
#[derive(Clone, PartialEq, Eq, Debug)]
enum NativeEnd {
    Ends,
    Panics(String),
    /// The process was gone.
    Dies,
}

/// What came of all tests.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Replayed {
    /// Tests that ended as predicted.
    pub(super) as_predicted: usize,
    /// Tests that ended otherwise, a sentence each.
    pub(super) different: Vec<String>,
    /// Tests of which a native run shows nothing: bugs that are no panics, and paths that rest on assumptions.
    pub(super) not_comparable: usize,
}

/// How the text of a panic begins that the walk reports.
const PANICS: &str = "the program panics: ";

/// Runs the tests of all paths natively, with these native test programs.
pub(super) fn replay(targets: &[BuiltTarget], harnesses: &[Harness]) -> Result<Replayed, Failure> {
    let mut res = Replayed::default();
    let mut tests = BTreeMap::new();
    for harness in harnesses {
        read(harness, &mut tests, &mut res)?;
    }
    let mut ends = BTreeMap::new();
    for target in targets {
        run_all(target, &tests, &mut ends)?;
    }
    for (id, test) in &tests {
        let values = &test.values;
        match (ends.get(id), &test.panics) {
            (Some(NativeEnd::Ends), None) => res.as_predicted += 1,
            (Some(NativeEnd::Panics(text)), Some(expected)) if text == expected => res.as_predicted += 1,
            (Some(end), expected) => {
                let end = match end {
                    NativeEnd::Ends => "it ends".to_owned(),
                    NativeEnd::Panics(text) => format!("it panics: {text}"),
                    NativeEnd::Dies => "its process dies".to_owned(),
                };
                let expected = expected.as_ref().map_or("its end".to_owned(), |it| format!("the panic: {it}"));
                let harness = &test.harness;
                res.different.push(format!("{harness} on {values}: {end}; what was predicted is {expected}"));
            }
            (None, _) => res.different.push(format!("{} on {values}: no native program has it", test.harness)),
        }
    }
    Ok(res)
}

/// Reads the tests of a harness.
fn read(harness: &Harness, tests: &mut BTreeMap<usize, PathTest>, res: &mut Replayed) -> Result<(), Failure> {
    let folder = harness.output_folder().join("tests");
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(()) };
    let mut paths: Vec<_> = entries.flatten().map(|it| it.path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "json"));
    paths.sort();
    for path in paths {
        let failed = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", path.display()));
        let bytes = std::fs::read(&path).map_err(|it| failed(&it))?;
        let test = Test::parse(&bytes).map_err(|it| failed(&it.what))?;
        let panics = match &test.expect {
            _ if test.assumed => {
                res.not_comparable += 1;
                continue;
            }
            Expectation::Exit(_) => None,
            Expectation::Bug(bug) if bug.kind == "panic" && bug.message.starts_with(PANICS) => {
                Some(bug.message[PANICS.len()..].to_owned())
            }
            Expectation::Bug(_) | Expectation::Cut(_) => {
                res.not_comparable += 1;
                continue;
            }
        };
        let values: Vec<&str> = test.inputs.iter().map(|it| it.bytes.as_str()).collect();
        let (target, name) = (harness.target.clone(), harness.name.clone());
        let test = PathTest { target, harness: name, values: values.join(","), panics };
        tests.insert(tests.len(), test);
    }
    Ok(())
}

/// Runs the tests whose harnesses are those of this target.
fn run_all(
    target: &BuiltTarget,
    tests: &BTreeMap<usize, PathTest>,
    ends: &mut BTreeMap<usize, NativeEnd>,
) -> Result<(), Failure> {
    let (program, id) = (target.executable(), target.id());
    let beside = program.with_extension("effigy-replay");
    let (runs, results) = (beside.join("runs"), beside.join("results"));
    let io = |error: std::io::Error| Failure(format!("{}: {error}", beside.display()));
    std::fs::create_dir_all(&beside).map_err(io)?;
    loop {
        let line = |(id, it): (&usize, &PathTest)| format!("{}\t{id}\t{}\n", it.harness, it.values);
        let left: String = tests.iter().filter(|it| it.1.target == id && !ends.contains_key(it.0)).map(line).collect();
        std::fs::write(&runs, left).map_err(io)?;
        std::fs::write(&results, "").map_err(io)?;
        let mut command = Command::new(program);
        command.args(["effigy_replay_", "--test-threads=1"]);
        command.env("EFFIGY_REPLAY", &runs).env("EFFIGY_REPLAY_RESULTS", &results);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().map_err(|it| Failure(format!("{}: {it}", program.display())))?;
        let text = std::fs::read_to_string(&results).map_err(io)?;
        let mut begun = None;
        for line in text.lines() {
            let mut parts = line.split('\t').skip(1);
            let Some(id) = parts.next().and_then(|it| it.parse().ok()) else { continue };
            begun = None;
            match (parts.next(), parts.next()) {
                (Some("begins"), _) => begun = Some(id),
                (Some("ends"), _) => drop(ends.insert(id, NativeEnd::Ends)),
                (Some("panics"), text) => drop(ends.insert(id, NativeEnd::Panics(unescaped(text.unwrap_or_default())))),
                _ => {}
            }
        }
        match begun {
            Some(id) if !status.success() => drop(ends.insert(id, NativeEnd::Dies)),
            _ => return Ok(()),
        }
    }
}

/// The text of which `str::escape_debug` has made this.
fn unescaped(text: &str) -> String {
    let mut res = String::new();
    let mut rest = text.chars();
    while let Some(it) = rest.next() {
        if it != '\\' {
            res.push(it);
            continue;
        }
        match rest.next() {
            Some('n') => res.push('\n'),
            Some('r') => res.push('\r'),
            Some('t') => res.push('\t'),
            Some('0') => res.push('\0'),
            Some('u') => {
                let digits: String = rest.by_ref().skip(1).take_while(|it| *it != '}').collect();
                res.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            Some(other) => res.push(other),
            None => {}
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn a_text_comes_back() {
        for text in ["", "a\tb\n", "\"quoted\" \\", "\u{7f}\0\u{301}é", "'"] {
            assert_eq!(unescaped(&text.escape_debug().to_string()), text);
        }
    }
}
