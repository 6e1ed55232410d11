//! The corpus: every file of `corpus/llvm` is explored, compared with its comments, and its tests are replayed.
//!
//! A case is a file. `//~ bug: KIND` says which bug is found on its line, `//~ possible: KIND` which may be there; without
//! one there is none.
//! `//@ paths: N` says how many paths are completed, `//@ entry: NAME` where to start, `//@ flags: ...` what is said on
//! the command line. Every case is explored to its end, unless `//@ incomplete: WHAT` names what was missed; any searcher
//! finds the same (the others take turns from case to case, but in a campaign), and every test that is written does natively what was predicted, unless `//@ replay: WHY`
//! says why not. What paths that are merged cannot decide says why by `//@ apart: WHY`.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the command; exit code and standard output.
pub fn effigy(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(args).output().expect("effigy starts");
    let text = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/llvm");
    let mut res = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the corpus can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "c" || it == "cc" || it == "rs" || it == "ll") {
                res.push(path);
            }
        }
    }
    res.sort();
    assert!(res.len() > 30, "the corpus is where it should be");
    res
}

/// What `//@ NAME: ...` says in a file.
fn directive<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|it| it.strip_prefix("//@ ")?.strip_prefix(name)?.strip_prefix(": ").map(str::trim))
}

/// The bugs that a file announces: kind and line.
fn announced(text: &str) -> Vec<(String, u64)> {
    let lines = text.lines().enumerate();
    let bugs = lines.filter_map(|(at, line)| {
        let (certain, possible) = (line.split("//~ bug: ").nth(1), line.split("//~ possible: ").nth(1));
        let kind = certain.map(str::trim).map(str::to_owned).or(possible.map(|it| format!("possible {}", it.trim())));
        Some((kind?, at as u64 + 1))
    });
    bugs.collect()
}

fn found(json: &Value) -> Vec<(String, u64)> {
    let bugs = json["bugs"].as_array().expect("a list of bugs").iter();
    let mut bugs: Vec<(String, u64)> = bugs
        .map(|it| {
            let kind = it["kind"].as_str().unwrap_or("").to_owned();
            let kind = if it["possible"] == Value::Bool(true) { format!("possible {kind}") } else { kind };
            (kind, it["place"]["line"].as_u64().unwrap_or(0))
        })
        .collect();
    bugs.sort_by_key(|it| it.1);
    bugs
}

fn check(case: &Path, search: &str, flags: &[&str], replay: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(case).map_err(|it| it.to_string())?;
    let folder = std::env::temp_dir().join(format!("effigy-corpus-{}-{search}", std::process::id()));
    let out = folder.to_string_lossy().into_owned();
    let file = case.to_string_lossy().into_owned();
    let mut args = vec!["run", &file, "--json", "--search", search, "--out", &out];
    args.extend(flags);
    if let Some(entry) = directive(&text, "entry") {
        args.extend(["--entry", entry]);
    }
    args.extend(directive(&text, "flags").unwrap_or_default().split_whitespace());
    let (_, output, errors) = effigy(&args);
    let json: Value = serde_json::from_str(&output).map_err(|_| format!("no JSON, but: {errors}"))?;
    let (announced, found) = (announced(&text), found(&json));
    if announced != found {
        return Err(format!("bugs: {announced:?} announced, {found:?} found"));
    }
    let missed = directive(&text, "incomplete");
    let complete = json["complete"] == Value::Bool(true);
    let incomplete = format!("{}, {}", json["incomplete"], json["cut"]);
    match missed {
        Some(what) if complete || !incomplete.contains(what) => {
            return Err(format!("{what} is missed, the report says {incomplete}"));
        }
        None if !complete => return Err(format!("not explored to its end: {incomplete}")),
        _ => {}
    }
    let paths = directive(&text, "paths").and_then(|it| it.parse::<u64>().ok());
    if paths.is_some_and(|it| json["paths"]["completed"].as_u64() != Some(it)) {
        return Err(format!("paths: {paths:?} announced, {} completed", json["paths"]["completed"]));
    }
    // Rust programs are not replayed yet.
    if replay && directive(&text, "replay").is_none() && case.extension().is_some_and(|it| it != "rs") {
        let (code, output, errors) = effigy(&["replay", &out]);
        if code != 0 {
            return Err(format!("the replay differs: {output}{errors}"));
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    Ok(())
}

/// Checks all cases, each with the next of `searches`.
fn check_all(searches: &[&str], flags: &[&str], replay: bool) {
    let mut failures = Vec::new();
    for (case, search) in cases().iter().zip(searches.iter().cycle()) {
        if let Err(what) = check(case, search, flags, replay) {
            failures.push(format!("{} ({search}): {what}", case.display()));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn every_case_finds_what_it_announces_and_replays() {
    check_all(&["interleaved"], &[], true);
}

/// Flags that end a walk before its end, or say how it goes.
const OF_RUN: [&str; 5] = ["--max-depth", "--max-paths", "--max-steps", "--max-path-steps", "--search"];

/// Paths that are merged, by `command`: the same bugs, and what has none is correct.
fn check_merged(case: &Path, command: &[&str]) -> Result<(), String> {
    let text = std::fs::read_to_string(case).map_err(|it| it.to_string())?;
    let flags: Vec<&str> = directive(&text, "flags").unwrap_or_default().split_whitespace().collect();
    if flags.iter().any(|it| OF_RUN.contains(it)) || directive(&text, "apart").is_some() {
        return Ok(());
    }
    let out = std::env::temp_dir().join(format!("effigy-merged-{}-{}", command.concat(), std::process::id()));
    let (file, folder) = (case.to_string_lossy().into_owned(), out.to_string_lossy().into_owned());
    // No case comes near to these: a busy machine is no failure.
    let limits = ["--max-time", "1h", "--solver-timeout", "1h"];
    let mut args = [command, &[&file, "--json", "--out", &folder], &limits].concat();
    if let Some(entry) = directive(&text, "entry") {
        args.extend(["--entry", entry]);
    }
    args.extend(flags);
    let (code, output, errors) = effigy(&args);
    let _ = std::fs::remove_dir_all(out);
    let json: Value = serde_json::from_str(&output).map_err(|_| format!("no JSON, but {code}: {errors}"))?;
    let certain = |bugs: Vec<(String, u64)>| -> BTreeSet<(String, u64)> {
        bugs.into_iter().filter(|it| !it.0.starts_with("possible ")).collect()
    };
    let (announced, found) = (certain(announced(&text)), certain(found(&json)));
    if announced != found {
        return Err(format!("bugs: {announced:?} announced, {found:?} found"));
    }
    let is_open = directive(&text, "incomplete").is_some();
    if command[0] == "run" {
        return match json["complete"] == Value::Bool(!is_open) {
            true => Ok(()),
            false => Err(format!("complete: {}, {}, {}", json["complete"], json["cut"], json["incomplete"])),
        };
    }
    match json["verdict"].as_str() {
        Some("unknown") if is_open => Ok(()),
        Some("bug") if !json["bugs"].as_array().is_none_or(Vec::is_empty) => Ok(()),
        Some("correct") if !is_open => Ok(()),
        verdict => Err(format!("{verdict:?}, missed: {}, {}", json["missed"], json["stopped"])),
    }
}

fn check_all_merged(command: &[&str]) {
    let failure = |case: &PathBuf| Some(format!("{}: {}", case.display(), check_merged(case, command).err()?));
    let failures: Vec<String> = cases().iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn merged_paths_have_the_same_bugs() {
    check_all_merged(&["bmc"]);
}

#[test]
fn paths_that_are_merged_here_and_there_have_the_same_bugs() {
    check_all_merged(&["run", "--merge", "heuristic"]);
    if effigy_programs::is_campaign() {
        check_all_merged(&["run", "--merge", "always"]);
        check_all_merged(&["run", "--merge", "marked"]);
    }
}

#[test]
fn each_searcher_finds_the_same() {
    const SEARCHES: [&str; 5] = ["dfs", "bfs", "random-path", "random-state", "covnew"];
    if effigy_programs::is_campaign() {
        SEARCHES.iter().for_each(|it| check_all(&[it], &["--seed", "7"], false));
    } else {
        check_all(&SEARCHES, &["--seed", "7"], false);
    }
}

#[test]
fn no_layer_changes_an_answer() {
    check_all(
        &["dfs"],
        &["--no-syntactic", "--no-witness", "--no-independence", "--no-domains", "--no-ranges", "--no-cache"],
        false,
    );
}
