//! Runs that are killed at any moment and go on, and runs with several workers, find what one run finds.
//!
//! A run is killed when its journal has so many lines, or later, or never, if it is faster than who kills it: what comes
//! of it must be the same.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const C: (&str, &str) = (
    "many.c",
    "#include <effigy.h>
int main(void) {
  unsigned char text[8];
  effigy_symbolic(text, sizeof text, \"text\");
  int n = 0;
  for (int i = 0; i < 8; i++)
    if (text[i] > 'a' + i) n += i + 1;
  return (100 / (n - 9)) & 3;
}
",
);

const PLI: (&str, &str) = (
    "many.pli",
    "P: PROC (A, B, C, D, E, F, R);
  DCL (A, B, C, D, E, F, R, S) INTEGER;
  S = 0;
  IF A > 0 THEN S = S + 1;
  IF B > A THEN S = S + 1;
  IF C > B THEN S = S + 1;
  IF D > C THEN S = S + 1;
  IF E > 5 THEN S = S + 1;
  IF F > 7 THEN S = S + 1;
  R = 100 / (S - 3);
END;
",
);

const OO: (&str, &str) = (
    "many.oo",
    "int a, b, c, d, e, f;
int n := 0;
if a > 0 { n := n + 1 } { skip };
if b > a { n := n + 1 } { skip };
if c > b { n := n + 1 } { skip };
if d > c { n := n + 1 } { skip };
if e > 5 { n := n + 1 } { skip };
if f > 7 { n := n + 1 } { skip };
assert n != 3
",
);

/// A folder of its own, removed at the end.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let path = std::env::temp_dir().join(format!("effigy-resume-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Room(path)
    }

    fn with(name: &str, (file, text): (&str, &str)) -> Room {
        let room = Room::new(name);
        fs::write(room.0.join(file), text).expect("a program");
        room
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
        command.args(args).current_dir(&self.0).env("EFFIGY_JOBS", "1");
        command
    }

    /// Exit code, standard output, standard error.
    fn effigy(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let output = self.command(args).output().expect("effigy starts");
        let text = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    fn json(&self, args: &[&str]) -> Value {
        let (code, text, errors) = self.effigy(args);
        serde_json::from_str(&text).unwrap_or_else(|it| panic!("{args:?} ends with {code:?}, {it}: {text}{errors}"))
    }

    /// Begins a run and kills it when its journal has so many lines.
    fn killed(&self, args: &[&str], out: &str, lines: usize) {
        let mut child = self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("effigy starts");
        let journal = self.0.join(out).join("walk.jsonl");
        let written = || fs::read(&journal).map_or(0, |it| it.iter().filter(|it| **it == b'\n').count());
        while lines > 0 && written() < lines && matches!(child.try_wait(), Ok(None)) {
            std::thread::yield_now();
        }
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
    }

    /// The names of the paths that have a test, each once.
    fn tests(&self, out: &str) -> BTreeSet<String> {
        let mut res = BTreeSet::new();
        for entry in fs::read_dir(self.0.join(out).join("tests")).expect("tests").flatten() {
            if entry.path().extension().is_none_or(|it| it != "json") {
                continue;
            }
            let text = fs::read_to_string(entry.path()).expect("a test");
            let test: Value = serde_json::from_str(&text).expect("a test is JSON");
            let name = test["decisions"].as_str().expect("a test names its path").to_owned();
            assert!(res.insert(name.clone()), "two tests of {name}");
        }
        res
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What does not depend on which input a solver chose, who came first, and how long it took.
fn essence(document: &Value) -> Value {
    let mut res = document.clone();
    let object = res.as_object_mut().expect("an object");
    for name in ["time", "solver", "steps", "peak_memory", "sizes", "folder"] {
        object.remove(name);
    }
    for list in ["leaves", "bugs"] {
        for it in object.get_mut(list).and_then(Value::as_array_mut).expect("a list") {
            let it = it.as_object_mut().expect("an object");
            // The exit code of a path may depend on its input.
            ["test", "inputs", "code", "steps"].iter().for_each(|name| drop(it.remove(*name)));
        }
    }
    res
}

fn goes_on(program: (&str, &str)) {
    let file = program.0;
    let room = Room::with(&format!("kill-{file}"), program);
    let whole = room.json(&["run", file, "--json", "--out", "whole"]);
    let tests = room.tests("whole");
    assert!(tests.len() > 40 && !whole["bugs"].as_array().expect("bugs").is_empty(), "{whole}");
    for (lines, jobs) in [(0, "1"), (20, "1"), (90, "3")] {
        let out = format!("killed{lines}");
        room.killed(&["run", file, "--json", "--out", &out], &out, lines);
        // Killed again as it goes on.
        room.killed(&["run", "--resume", &out, "--jobs", jobs], &out, lines + 30);
        let begun = room.0.join(&out).join("effigy.json").is_file();
        let again: &[&str] = &["run", "--resume", &out, "--json", "--jobs", jobs];
        let anew: &[&str] = &["run", file, "--json", "--out", &out];
        let found = room.json(if begun { again } else { anew });
        assert_eq!(essence(&found), essence(&whole), "{file}, killed after {lines} lines");
        assert_eq!(room.tests(&out), tests, "{file}, killed after {lines} lines");
    }
}

#[test]
fn a_c_program_goes_on() {
    goes_on(C);
}

#[test]
fn a_pli_program_goes_on() {
    goes_on(PLI);
}

#[test]
fn an_oo_program_goes_on() {
    goes_on(OO);
}

#[test]
fn three_workers_report_what_one_does() {
    for program in [C, PLI, OO] {
        let room = Room::with(&format!("jobs-{}", program.0), program);
        let one = room.json(&["run", program.0, "--json", "--out", "one", "--jobs", "1"]);
        let three = room.json(&["run", program.0, "--json", "--out", "three", "--jobs", "3"]);
        assert_eq!(essence(&one), essence(&three));
        assert_eq!(room.tests("one"), room.tests("three"));
    }
}

#[test]
fn forks_are_counted_by_all_sessions_and_workers() {
    for program in [C, PLI, OO] {
        let room = Room::with(&format!("depth-{}", program.0), program);
        let args = ["run", program.0, "--json", "--max-depth", "4", "--out"];
        let whole = room.json(&[&args[..], &["whole"]].concat());
        let three = room.json(&[&args[..], &["three", "--jobs", "3"]].concat());
        assert_eq!(essence(&three), essence(&whole), "{}", program.0);
        // As if it was killed after a few events.
        let journal = room.0.join("whole/walk.jsonl");
        let text = fs::read_to_string(&journal).expect("a journal");
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        fs::write(&journal, lines[..8].concat()).expect("written");
        let resumed = room.json(&["run", "--resume", "whole", "--json"]);
        assert_eq!(essence(&resumed), essence(&whole), "{}", program.0);
    }
}

fn finished(name: &str) -> (Room, Value) {
    let room = Room::with(name, PLI);
    let whole = room.json(&["run", PLI.0, "--json", "--out", "out"]);
    (room, whole)
}

#[test]
fn a_finished_run_is_reported_again() {
    let (room, whole) = finished("finished");
    let again = room.json(&["run", "--resume", "out", "--json"]);
    assert_eq!(essence(&again), essence(&whole));
    assert_eq!(again["leaves"], whole["leaves"]);
    assert_eq!(again["steps"], whole["steps"]);
}

#[test]
fn another_program_is_refused() {
    let (room, _) = finished("changed");
    fs::write(room.0.join(PLI.0), PLI.1.replace("S - 3", "S - 2")).expect("written");
    let (code, output, errors) = room.effigy(&["run", "--resume", "out"]);
    assert_eq!((code, output.as_str()), (Some(2), ""), "{errors}");
    assert!(errors.contains("has changed"), "{errors}");
}

#[test]
fn a_journal_is_read_up_to_a_line_that_was_cut_off() {
    let (room, whole) = finished("cut");
    let journal = room.0.join("out/walk.jsonl");
    let bytes = fs::read(&journal).expect("a journal");
    for length in [0, 1, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&journal, &bytes[..length]).expect("written");
        let again = room.json(&["run", "--resume", "out", "--json"]);
        assert_eq!(essence(&again), essence(&whole), "{length} bytes");
    }
}

#[test]
fn what_is_no_journal_is_refused_with_its_line() {
    let (room, _) = finished("garbage");
    let journal = room.0.join("out/walk.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&journal, format!("{}\n{}\nnonsense\n{}\n", lines[0], lines[1], lines[2])).expect("written");
    let (code, output, errors) = room.effigy(&["run", "--resume", "out"]);
    assert_eq!((code, output.as_str()), (Some(2), ""), "{errors}");
    assert!(errors.contains("walk.jsonl:3: "), "{errors}");
}

#[test]
fn what_was_killed_before_its_journal_was_there_begins() {
    let (room, whole) = finished("early");
    fs::remove_file(room.0.join("out/walk.jsonl")).expect("removed");
    fs::remove_dir_all(room.0.join("out/tests")).expect("removed");
    assert_eq!(essence(&room.json(&["run", "--resume", "out", "--json"])), essence(&whole));
}

#[test]
fn a_folder_of_no_run_is_refused() {
    let room = Room::new("none");
    fs::create_dir(room.0.join("empty")).expect("a folder");
    for folder in ["empty", "nowhere"] {
        let (code, output, errors) = room.effigy(&["run", "--resume", folder]);
        assert_eq!((code, output.as_str()), (Some(2), ""), "{errors}");
        assert!(errors.contains(folder), "{errors}");
    }
    assert!(!Path::new(&room.0.join("nowhere")).exists());
}
