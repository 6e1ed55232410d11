//! What `effigy bmc` says that loops keep (`--witness`, of a program that is correct), beside the program itself: it is
//! asked in each round of native runs with random inputs.
//!
//! An invariant is put into the source text where a reader of witnesses puts it: before the condition of the `while` or
//! `for` in its line.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs of each program.
const RUNS: &str = "300";

/// The status of a run that went on for long, as of `bench/bmc.d/inputs.c`; and of one that an invariant does not hold in.
const PRELUDE: &str = "
#include <unistd.h>
static int program_rounds;
static void program_asks(int holds) {
  if (!holds) _exit(99);
  if (++program_rounds > 20000) _exit(78);
}
";

struct Invariant {
    line: usize,
    says: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The correct programs of the category.
fn programs() -> Vec<PathBuf> {
    let folder = root().join("corpus/bmc/loops");
    let entries = std::fs::read_dir(folder).expect("the corpus can be read").flatten();
    let mut res: Vec<PathBuf> =
        entries.map(|it| it.path()).filter(|it| it.to_string_lossy().ends_with(".ok.c")).collect();
    res.sort();
    res
}

/// The loop invariants of the witness that is written for a program.
fn invariants(program: &Path, folder: &Path) -> Vec<Invariant> {
    let witness = folder.join("witness.yml");
    let _ = std::fs::remove_file(&witness);
    let output = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .args(["bmc", "--k-induction", "--unwind", "16", "--witness"])
        .arg(&witness)
        .arg(program)
        .output()
        .expect("the command runs");
    let text = std::fs::read_to_string(&witness).unwrap_or_default();
    assert!(output.status.code() != Some(0) || !text.is_empty(), "{}: a witness", program.display());
    let mut line = 0;
    let mut res = Vec::new();
    for told in text.lines().map(str::trim) {
        if let Some(location) = told.strip_prefix("location: ") {
            let after = location.split("line: ").nth(1).and_then(|it| it.split(',').next());
            line = after.and_then(|it| it.parse().ok()).expect("a location has a line");
        } else if let Some(value) = told.strip_prefix("value: ") {
            res.push(Invariant { line, says: value.trim_matches('"').to_owned() });
        }
    }
    res
}

/// The program that asks for each of these in each round.
fn asking(text: &str, all: &[Invariant], asked: impl Fn(&str) -> String) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for it in all {
        let line = &mut lines[it.line - 1];
        let ask = format!("program_asks({})", asked(&it.says));
        let (before, after) = match line.trim_start().starts_with("for") {
            true => line.split_once(';').map(|(before, after)| (format!("{before};"), after.to_owned())),
            false => line.split_once('(').map(|(before, after)| (format!("{before}("), after.to_owned())),
        }
        .unwrap_or_else(|| panic!("a loop begins in line {}: {line}", it.line));
        let holds = if after.trim_start().starts_with(';') { ", 1" } else { ", " };
        *line = format!("{before}{ask}{holds}{after}");
    }
    format!("{PRELUDE}#line 1\n{}\n", lines.join("\n"))
}

/// How the runs of a program end: 0, or the status of the first that does not end well.
fn run(text: &str, folder: &Path) -> i32 {
    let (source, binary) = (folder.join("asks.c"), folder.join("asks"));
    std::fs::write(&source, text).expect("a file can be written");
    let compiled = Command::new("clang")
        .args(["-w", "-g0", "-O1", "-Dmain=program_main", "-c", "-o"])
        .args([&folder.join("asks.o"), &source])
        .status()
        .expect("clang runs");
    assert!(compiled.success(), "what an invariant says is C:\n{text}");
    let linked = Command::new("clang")
        .args(["-w", "-o"])
        .args([&binary, &folder.join("asks.o"), &root().join("bench/bmc.d/inputs.c")])
        .status()
        .expect("clang runs");
    assert!(linked.success(), "the environment of a program is C");
    let ended = Command::new(&binary).args(["random", "0", RUNS]).output().expect("the program runs");
    ended.status.code().unwrap_or(-1)
}

fn folder(name: &str) -> PathBuf {
    let res = std::env::temp_dir().join(format!("effigy-invariants-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&res).expect("a folder can be made");
    res
}

#[test]
fn native_runs_keep_what_a_witness_says() {
    let folder = folder("kept");
    let (mut programs_with, mut told) = (0, 0);
    for program in programs() {
        let all = invariants(&program, &folder);
        if all.is_empty() {
            continue;
        }
        programs_with += 1;
        told += all.len();
        let text = std::fs::read_to_string(&program).expect("a program can be read");
        let status = run(&asking(&text, &all, str::to_owned), &folder);
        assert_eq!(status, 0, "{}: some run does not keep an invariant", program.display());
        // What the harness cannot see is not shown by it: the opposite of each fails.
        for it in all {
            let status = run(&asking(&text, &[it], |it| format!("!({it})")), &folder);
            assert_eq!(status, 99, "{}: each round is asked", program.display());
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(programs_with >= 4 && told >= 20, "{programs_with} programs with {told} invariants");
}
