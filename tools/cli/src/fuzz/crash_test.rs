//! The test of a bug that `effigy fuzz` found, for `effigy replay`.
//!
//! Knows: what each kind of input is called in a test. Never: how it was found.

use effigy_concolic::ByteParts;
use effigy_engine::Worth;
use effigy_engine::{Input, InputData, PathName};
use effigy_fuzz::{Bug, Kind, NamedInput};
use effigy_llvm::BUG_KINDS;
use effigy_llvm::surroundings::{Argument, File, Surroundings};
use effigy_report::test_case::{Expectation, FORMAT, Test, TestBug, TestInput, TestPlace};
use std::collections::BTreeMap;

/// The name of the file that a program reads.
const FILE: &str = "input";

/// A program whose argument names a file.
pub(super) fn one_file(most: u64) -> Surroundings {
    Surroundings {
        arguments: vec![Argument::Text(FILE.to_owned())],
        files: vec![File { name: FILE.to_owned(), size: most }],
        ..Surroundings::default()
    }
}

/// The test of a bug.
pub(super) fn test(id: u64, bug: &Bug, kind: Kind) -> Test {
    let stack = stack(bug);
    Test {
        format: FORMAT,
        id,
        expect: Expectation::Bug(TestBug {
            kind: bug.report.kind.to_owned(),
            message: bug.report.message.clone(),
            place: stack.first().cloned().unwrap_or_default(),
            stack,
            possible: !bug.confirmed,
        }),
        inputs: inputs(bug, kind),
        output: String::new(),
        output_text: None,
        // What only the time or the memory has shown is no class of bugs that a replay looks for.
        replayable: bug.confirmed && BUG_KINDS.iter().any(|it| it.0.0 == bug.report.kind),
        assumed: false,
        schedule: Vec::new(),
        unlocks_are_turns: false,
        gap: 0,
        path_condition: Vec::new(),
        decisions: PathName::default(),
    }
}

/// A file as the user has named it: relative to the current directory.
pub(super) fn as_named(file: &str) -> String {
    let here = std::env::current_dir().map(|it| format!("{}/", it.display())).unwrap_or_default();
    file.strip_prefix(&*here).unwrap_or(file).to_owned()
}

/// The calls that lead to a bug.
pub(super) fn stack(bug: &Bug) -> Vec<TestPlace> {
    let place = |it: &effigy_fuzz::Frame| TestPlace {
        file: as_named(&it.file),
        line: it.line,
        column: it.column,
        function: it.function.clone(),
    };
    bug.report.frames.iter().map(place).collect()
}

/// What the program asks for, by name.
fn inputs(bug: &Bug, kind: Kind) -> Vec<TestInput> {
    let one = |name: &str, bytes: &[u8], element: u32| {
        let data = InputData::Bytes { bytes: bytes.to_vec(), element, signed: false };
        TestInput::from(&Input::new(name.to_owned(), data))
    };
    match kind {
        Kind::Target => {
            let size = u32::try_from(bug.input.len()).unwrap_or(u32::MAX);
            vec![one("size", &size.to_le_bytes(), 4), one("data", &bug.input, 1)]
        }
        Kind::Stdin => vec![one("stdin", &bug.input, 1)],
        Kind::FileArgument => vec![one(&format!("./{FILE}"), &bug.input, 1)],
        Kind::Marks | Kind::Entry => {
            let parts = parts(&bug.asked, effigy_fuzz::MOST_INPUT);
            let given = parts.given(&bug.input);
            let mut res = Vec::new();
            for (name, size) in &parts.0 {
                if let Some(Worth::Bytes(bytes)) = given.get(name) {
                    res.push(one(name, bytes, if matches!(size, 2 | 4 | 8) { *size as u32 } else { 1 }));
                }
            }
            res
        }
    }
}

/// The parts in which a program has asked for its input: what it asks for a second time has a number.
pub(super) fn parts(asked: &[NamedInput], most: usize) -> ByteParts {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut res, mut left) = (Vec::new(), most);
    for it in asked {
        let times = seen.entry(&it.name).or_default();
        *times += 1;
        let name = if *times == 1 { it.name.clone() } else { format!("{}#{times}", it.name) };
        let size = it.size.min(left);
        left -= size;
        res.push((name, size));
    }
    ByteParts(res)
}
