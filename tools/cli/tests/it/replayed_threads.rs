//! Random C programs with two threads: each test that is written of them is held to its schedule natively, and does what
//! was predicted. A test that claims something else does not agree.
//!
//! Knows: `effigy_programs::c_threads` as a source of programs, no results of theirs.
//! EFFIGY_CASES_TIMES says how many times 20 are tried; EFFIGY_FIRST which is the first.

use super::native_oracle::source;
use effigy_programs::c_threads::ThreadProgram;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

fn effigy(words: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(words).output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text).unwrap_or_else(|it| panic!("{words:?}: {it}: {text}{errors}"))
}

/// The folder of a run of a program.
fn explored(text: &str, file: &Path) -> PathBuf {
    std::fs::write(file, text).unwrap();
    let out = file.with_extension("out");
    let _ = std::fs::remove_dir_all(&out);
    let (name, folder) = (file.to_string_lossy(), out.to_string_lossy());
    effigy(&["run", &name, "--json", "--jobs", "1", "--max-time", "60s", "--out", &folder]);
    out
}

fn replayed(path: &Path) -> Value {
    effigy(&["replay", "--json", &path.to_string_lossy()])
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn every_test_is_held_to_its_schedule() {
    let first = std::env::var("EFFIGY_FIRST").ok().and_then(|it| it.parse().ok()).unwrap_or(0u64);
    let folder = folder("replayed_threads");
    let (mut tests, mut ended_in_a_bug) = (0, 0);
    for number in first..first + u64::from(effigy_programs::cases(20)) {
        let mut bytes = source(number);
        bytes.resize(8 + number as usize % 3, 0);
        if number % 4 == 0 {
            // Two locks, each thread in its own order.
            let half = bytes.len() / 2;
            for (at, lock) in [(0, 0), (2, 10), (half, 10), (half + 2, 0)] {
                bytes[at] = lock;
            }
        }
        let program = ThreadProgram::new(&bytes);
        let out = explored(&program.text(), &folder.join(format!("program{number}.c")));
        let report = replayed(&out);
        let all = report["tests"].as_u64().unwrap();
        assert!(all > 0 && report["agree"] == all, "program {number}: {report:#}\n{}", program.text());
        tests += all;
        let results = report["results"].as_array().unwrap();
        ended_in_a_bug += results.iter().filter(|it| !it["predicted"].as_str().unwrap().starts_with("exit")).count();
    }
    assert!(tests > 60 && ended_in_a_bug > 3, "{tests} tests, {ended_in_a_bug} of bugs");
}

const ORDERED: &str = "#include <pthread.h>
#include <stdatomic.h>
static atomic_int last;
static void *store(void *number) { atomic_store(&last, (int)(long)number); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, store, (void *)1L);
  pthread_create(&b, 0, store, (void *)2L);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return last;
}
";

/// Changes a test, which has no checksum then, and replays it.
fn replayed_with(path: &Path, change: impl FnOnce(&mut Value)) -> Value {
    let mut test: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    test.as_object_mut().unwrap().remove("checksum");
    change(&mut test);
    let changed = path.with_file_name("test999999.json");
    std::fs::write(&changed, serde_json::to_vec(&test).unwrap()).unwrap();
    replayed(&changed)["results"][0].clone()
}

#[test]
fn another_order_or_another_end_does_not_agree() {
    let out = explored(ORDERED, &folder("replayed_orders").join("ordered.c"));
    assert_eq!(replayed(&out)["differ"], 0);
    for entry in std::fs::read_dir(out.join("tests")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "json") {
            continue;
        }
        // The stores the other way around: it ends with the other number, or the schedule cannot be made.
        let swapped = replayed_with(&path, |test| {
            for turn in test["schedule"].as_array_mut().unwrap() {
                let thread = turn["thread"].as_u64().unwrap();
                turn["thread"] = json!(if thread == 0 { 0 } else { 3 - thread });
            }
        });
        assert_ne!(swapped["agrees"], json!(true), "{swapped}");
        let cut = replayed_with(&path, |test| {
            test["schedule"].as_array_mut().unwrap().truncate(2);
        });
        assert_eq!(cut["agrees"], json!(false), "{cut}");
        let other = replayed_with(&path, |test| test["schedule"][2]["action"] = json!("lock"));
        assert_eq!(other["agrees"], Value::Null, "{other}");
        let unlikely = replayed_with(&path, |test| test["expect"] = json!({"exit": 0}));
        assert_eq!(unlikely["agrees"], json!(false), "{unlikely}");
        let race = json!({"kind": "data-race", "message": "", "place": {"file": "ordered.c", "line": 4, "column": 1, "function": "store"}, "stack": []});
        let raced = replayed_with(&path, |test| test["expect"] = json!({ "bug": race }));
        assert_eq!(raced["agrees"], json!(false), "{raced}");
    }
}

const FAILS: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stored;
static void *store(void *unused) { atomic_store(&stored, 1); return unused; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, store, 0);
  assert(!atomic_load(&stored));
  pthread_join(a, 0);
  return 0;
}
";

#[test]
fn a_bug_in_another_turn_does_not_agree() {
    let out = explored(FAILS, &folder("replayed_early").join("fails.c"));
    let report = replayed(&out);
    assert_eq!((&report["differ"], &report["skipped"]), (&json!(0), &json!(0)), "{report:#}");
    let tests = std::fs::read_dir(out.join("tests")).unwrap().map(|it| it.unwrap().path());
    let fails = |it: &PathBuf| std::fs::read_to_string(it).is_ok_and(|it| it.contains("assertion-failed"));
    let path = tests.filter(|it| it.extension().is_some_and(|it| it == "json")).find(fails).unwrap();
    let later = replayed_with(&path, |test| {
        let turns = test["schedule"].as_array_mut().unwrap();
        turns.push(turns[0].clone());
    });
    assert_eq!(later["agrees"], json!(false), "{later}");
}
