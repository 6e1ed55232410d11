//! King's verifier: what is proved, and what is refuted with a run that really fails.
//!
//! Every file of `corpus/pli/proved` is proved, every file of `corpus/pli/mutants` is one of them with one mistake and is
//! refuted; a new case is a new file. Values are not compared: they are the solver's choice.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the tree")
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("the corpus").flatten();
    let mut res: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    res.retain(|it| it.extension().is_some_and(|it| it == "pli"));
    res.sort();
    res
}

/// The exit code and what is printed as JSON.
fn prove(path: &Path, flags: &[&str]) -> (Option<i32>, serde_json::Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .args(["prove", "--json"])
        .args(flags)
        .arg(path)
        .output()
        .expect("effigy starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let json = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{}: {error}\n{text}{}", path.display(), String::from_utf8_lossy(&output.stderr))
    });
    (output.status.code(), json)
}

#[test]
fn correct_programs_are_proved() {
    let programs = programs("corpus/pli/proved");
    assert!(programs.len() >= 7);
    for path in programs {
        let (code, json) = prove(&path, &[]);
        assert_eq!(code, Some(0), "{}: {json:#}", path.display());
        let procedure = &json["procedures"][0];
        assert_eq!(procedure["verdict"], "proved");
        let conditions = procedure["conditions"].as_array().expect("conditions");
        assert!(!conditions.is_empty(), "{} has nothing to prove", path.display());
    }
}

#[test]
fn mutants_are_refuted_by_a_run_that_fails() {
    let programs = programs("corpus/pli/mutants");
    assert!(programs.len() >= 10);
    for path in programs {
        let (code, json) = prove(&path, &[]);
        assert_eq!(code, Some(1), "{}: {json:#}", path.display());
        let procedure = &json["procedures"][0];
        assert_eq!(procedure["verdict"], "refuted");
        let refuted = |it: &serde_json::Value| it["verdict"] == "refuted" && it["counterexample"].is_object();
        assert!(procedure["conditions"].as_array().expect("conditions").iter().any(refuted));
        assert!(procedure["failing_run"]["error"].is_string(), "{}: no failing run", path.display());
    }
}

#[test]
fn a_loop_without_an_assertion_is_told() {
    let (code, json) = prove(&root().join("corpus/pli/power.pli"), &["--procedure", "POWER"]);
    assert_eq!(code, Some(3));
    assert_eq!(json["procedures"][0]["verdict"], "unknown");
    assert_eq!(json["procedures"][0]["uncut_loops"][0], 4, "the IF at LAB");
}

#[test]
fn machine_integers_overflow_in_what_is_correct_over_all_integers() {
    let (code, json) = prove(&root().join("corpus/pli/proved/sum.pli"), &["--width", "8"]);
    assert_eq!(code, Some(1), "{json:#}");
    let kinds = json["procedures"][0]["conditions"].as_array().expect("conditions").iter();
    assert!(kinds.filter(|it| it["verdict"] == "refuted").all(|it| it["kind"] == "signed-overflow"));
}
