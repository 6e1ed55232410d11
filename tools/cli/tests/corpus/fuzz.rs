//! `corpus/fuzz/campaigns`: short campaigns, each a file that says how it must end.
//!
//! | line | meaning |
//! |---|---|
//! | `//@ exit: N` | the exit code |
//! | `//@ seeds: A B` | inputs to begin with, a word each |
//! | `//@ runs: N` | the campaign ends after so many runs; 20,000 where nothing is said |
//! | `//@ flags: ...` | more flags of `effigy fuzz` |
//! | `//@ crashes: N`, `//@ hangs: N` | the folder has at least so many inputs there, whatever they are grouped to |
//! | `//@ replay: TEXT` | the last line of `effigy replay` of the folder |
//! | `//@ says: TEXT`, `//@ silent: TEXT` | what the account has, or has not; several of each |
//! | `//~ bug: KIND` | a bug of this kind is reported at this line; no other bugs are reported |
//! | `//@ bug: KIND` | the same, without a place |
//!
//! Nothing depends on time: a campaign ends by its number of runs.

use super::case::{directive, files, root, trial};
use libtest_mimic::Trial;
use std::path::Path;
use std::process::Command;

pub fn trials() -> Vec<Trial> {
    let cases = files("corpus/fuzz/campaigns", &["c", "cc"]);
    assert!(cases.len() > 5, "the campaigns are where they should be");
    cases.into_iter().map(|it| trial(it, check)).collect()
}

/// All values of the lines `//@ NAME: VALUE`.
fn directives<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    text.lines().filter_map(|it| directive(it, name)).collect()
}

/// The command with these words, run from the root of the tree: its exit code and what it prints.
fn effigy(words: &[&str]) -> Result<(Option<i32>, String), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(words).current_dir(root()).output();
    let output = output.map_err(|it| it.to_string())?;
    let text = [output.stdout, output.stderr].concat();
    Ok((output.status.code(), String::from_utf8_lossy(&text).into_owned()))
}

fn number_of_files(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

fn check(file: &Path, folder: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|it| it.to_string())?;
    let (seeds, output) = (folder.join("seeds"), folder.join("out"));
    std::fs::create_dir_all(&seeds).map_err(|it| it.to_string())?;
    for word in directive(&text, "seeds").unwrap_or_default().split_whitespace() {
        std::fs::write(seeds.join(word), word).map_err(|it| it.to_string())?;
    }
    let name = file.strip_prefix(root()).unwrap_or(file).to_string_lossy().into_owned();
    let (seeds, out) = (seeds.to_string_lossy(), output.to_string_lossy());
    let mut words = vec!["fuzz", &name, "--output", &out, "--max-time", "none"];
    words.extend(["--max-runs", directive(&text, "runs").unwrap_or("20000")]);
    if directive(&text, "seeds").is_some() {
        words.extend(["--seeds", &seeds]);
    }
    words.extend(directive(&text, "flags").unwrap_or_default().split_whitespace());
    let (code, said) = effigy(&words)?;
    let fails = |what: &str| Err(format!("{what}; exit {code:?}, and it says:\n{said}"));

    let due = directive(&text, "exit").ok_or("a case has a line `//@ exit: N`")?;
    if code.map(|it| it.to_string()).as_deref() != Some(due) {
        return fails(&format!("exit {due} was due"));
    }
    if let Some(it) = directives(&text, "says").into_iter().find(|it| !said.contains(it)) {
        return fails(&format!("`{it}` is not said"));
    }
    if let Some(it) = directives(&text, "silent").into_iter().find(|it| said.contains(it)) {
        return fails(&format!("`{it}` is said"));
    }
    for shelf in ["crashes", "hangs"] {
        let least: usize = directive(&text, shelf).unwrap_or("0").parse().map_err(|_| "a number of files")?;
        let count = number_of_files(&output.join(shelf));
        if count < least {
            return fails(&format!("{least} files were due in {shelf}/, there are {count}"));
        }
    }
    let bugs = bugs_of(&text);
    if due != "2" {
        let mut reported = reported(&output)?;
        reported.sort();
        if reported != bugs {
            return fails(&format!("the bugs {bugs:?} were due, not {reported:?}"));
        }
    }
    if let Some(last) = directive(&text, "replay") {
        let (_, said) = effigy(&["replay", &out])?;
        if said.lines().last() != Some(last) {
            return Err(format!("`{last}` was due, not:\n{said}"));
        }
    }
    Ok(())
}

/// The bugs that a case announces, by line; those without a place have none.
fn bugs_of(text: &str) -> Vec<(u64, String)> {
    let mut res: Vec<(u64, String)> = directives(text, "bug").into_iter().map(|it| (0, it.to_owned())).collect();
    for (at, line) in (1..).zip(text.lines()) {
        res.extend(line.split("//~ bug: ").skip(1).map(|it| (at, it.trim().to_owned())));
    }
    res
}

/// The bugs of a campaign: the line of each, zero where none is known, and its kind.
fn reported(output: &Path) -> Result<Vec<(u64, String)>, String> {
    let text = std::fs::read_to_string(output.join("summary.json")).map_err(|it| it.to_string())?;
    let summary: serde_json::Value = serde_json::from_str(&text).map_err(|it| it.to_string())?;
    let bugs = summary["bugs"].as_array().cloned().unwrap_or_default();
    let one = |it: &serde_json::Value| {
        (it["stack"][0]["line"].as_u64().unwrap_or(0), it["kind"].as_str().unwrap_or_default().to_owned())
    };
    Ok(bugs.iter().map(one).collect())
}
