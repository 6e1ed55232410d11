//! `corpus/llvm`: a file is explored in every way, compared with its comments, and its tests are replayed.
//!
//! `//~ bug: KIND` says which bug is found on its line, `//~ possible: KIND` which may be there; without one there is
//! none. `//@ paths: N` says how many paths are completed, `//@ entry: NAME` where to start, `//@ flags: ...` what is
//! said on the command line. Every case is explored to its end, unless `//@ incomplete: WHAT` names what was missed; any
//! searcher finds the same (a case has one of them beside the usual one, all in a campaign), and every test that is
//! written does natively what was predicted, unless `//@ replay: WHY` says why not. What merged paths cannot decide says
//! why by `//@ apart: WHY`.

use super::case::{directive, files, trial, walk};
use effigy_cli::Case;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The searchers beside the usual one.
const SEARCHES: [&str; 5] = ["dfs", "bfs", "random-path", "random-state", "covnew"];

/// All layers of the solver that can be switched off.
const NO_LAYERS: [&str; 6] =
    ["--no-syntactic", "--no-witness", "--no-independence", "--no-domains", "--no-ranges", "--no-cache"];

/// Flags that end a walk before its end, or say how it goes.
const OF_RUN: [&str; 5] = ["--max-depth", "--max-paths", "--max-steps", "--max-path-steps", "--search"];

pub fn trials() -> Vec<Trial> {
    let cases = files("corpus/llvm", &["c", "cc", "rs", "ll"]);
    assert!(cases.len() > 200, "the corpus is where it should be");
    let numbered = cases.into_iter().enumerate();
    numbered.map(|(number, file)| trial(file, move |file, folder| check(file, folder, number))).collect()
}

/// A bug's kind and line.
type Bug = (String, u64);

/// The bugs that a file announces.
fn announced(text: &str) -> Vec<Bug> {
    let lines = text.lines().enumerate();
    let bugs = lines.filter_map(|(at, line)| {
        let (certain, possible) = (line.split("//~ bug: ").nth(1), line.split("//~ possible: ").nth(1));
        let kind = certain.map(str::trim).map(str::to_owned).or(possible.map(|it| format!("possible {}", it.trim())));
        Some((kind?, at as u64 + 1))
    });
    bugs.collect()
}

/// The bugs of a report.
fn found(json: &Value) -> Result<Vec<Bug>, String> {
    let bugs = json["bugs"].as_array().ok_or("no list of bugs")?;
    let mut bugs: Vec<Bug> = bugs
        .iter()
        .map(|it| {
            let kind = it["kind"].as_str().unwrap_or("").to_owned();
            let kind = if it["possible"] == Value::Bool(true) { format!("possible {kind}") } else { kind };
            (kind, it["place"]["line"].as_u64().unwrap_or(0))
        })
        .collect();
    bugs.sort_by_key(|it| it.1);
    Ok(bugs)
}

/// Walks a file in every way. `number` chooses the searcher beside the usual one.
fn check(file: &Path, folder: &Path, number: usize) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|it| it.to_string())?;
    let name = file.to_string_lossy();
    let mut words = vec![&*name, "--json"];
    if let Some(entry) = directive(&text, "entry") {
        words.extend(["--entry", entry]);
    }
    let flags: Vec<&str> = directive(&text, "flags").unwrap_or_default().split_whitespace().collect();
    words.extend(&flags);
    let case = Case::open(&[&["run"], &words[..]].concat())?;

    let mut failures = Vec::new();
    let mut explore = |way: &str, more: &[&str], replay: bool| {
        let out = folder.join(way).to_string_lossy().into_owned();
        // What stands behind `--` is the compiler's.
        let words = [&["run", "--search", way, "--out", &out], more, &words[..]].concat();
        if let Err(what) = explored(&case, &words, &text, (replay && has_replay(file, &text)).then_some(&out)) {
            failures.push(format!("{way} {}: {what}", more.join(" ")));
        }
    };
    explore("interleaved", &[], true);
    match effigy_programs::is_campaign() {
        true => SEARCHES.iter().for_each(|it| explore(it, &["--seed", "7"], false)),
        false => explore(SEARCHES[number % SEARCHES.len()], &["--seed", "7"], false),
    }
    explore("dfs", &NO_LAYERS, false);

    if !flags.iter().any(|it| OF_RUN.contains(it)) && directive(&text, "apart").is_none() {
        let mut ways = vec![vec!["bmc"], vec!["run", "--merge", "heuristic"]];
        if effigy_programs::is_campaign() {
            ways.extend([vec!["run", "--merge", "always"], vec!["run", "--merge", "marked"]]);
        }
        for way in ways {
            let out = folder.join(way.join("-")).to_string_lossy().into_owned();
            // No case comes near to these: a busy machine is no failure.
            let limits = ["--max-time", "1h", "--solver-timeout", "1h", "--out", &out];
            if let Err(what) = merged(&case, &[&way[..], &limits, &words].concat(), &text) {
                failures.push(format!("{}: {what}", way.join(" ")));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Rust programs are not replayed yet.
fn has_replay(file: &Path, text: &str) -> bool {
    directive(text, "replay").is_none() && file.extension().is_some_and(|it| it != "rs")
}

/// Paths one after the other; the tests of the folder `replayed` are run natively.
fn explored(case: &Case, words: &[&str], text: &str, replayed: Option<&String>) -> Result<(), String> {
    let (json, _) = walk(case, words)?;
    let (announced, found) = (announced(text), found(&json)?);
    if announced != found {
        return Err(format!("bugs: {announced:?} announced, {found:?} found"));
    }
    let missed = directive(text, "incomplete");
    let complete = json["complete"] == Value::Bool(true);
    let incomplete = format!("{}, {}", json["incomplete"], json["cut"]);
    match missed {
        Some(what) if complete || !incomplete.contains(what) => {
            return Err(format!("{what} is missed, the report says {incomplete}"));
        }
        None if !complete => return Err(format!("not explored to its end: {incomplete}")),
        _ => {}
    }
    let paths = directive(text, "paths").and_then(|it| it.parse::<u64>().ok());
    if paths.is_some_and(|it| json["paths"]["completed"].as_u64() != Some(it)) {
        return Err(format!("paths: {paths:?} announced, {} completed", json["paths"]["completed"]));
    }
    let Some(folder) = replayed else { return Ok(()) };
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(["replay", folder]).output();
    let output = output.map_err(|it| it.to_string())?;
    let texts = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    if output.status.success() { Ok(()) } else { Err(format!("the replay differs: {}", texts.concat())) }
}

/// Paths that are merged: the same bugs, and what has none is correct.
fn merged(case: &Case, words: &[&str], text: &str) -> Result<(), String> {
    let (json, _) = walk(case, words)?;
    let certain =
        |bugs: Vec<Bug>| -> BTreeSet<Bug> { bugs.into_iter().filter(|it| !it.0.starts_with("possible ")).collect() };
    let (announced, found) = (certain(announced(text)), certain(found(&json)?));
    if announced != found {
        return Err(format!("bugs: {announced:?} announced, {found:?} found"));
    }
    let is_open = directive(text, "incomplete").is_some();
    if words[0] == "run" {
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
