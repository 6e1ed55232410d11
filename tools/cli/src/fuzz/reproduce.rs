//! The command that runs an input again, for bugs that `effigy replay` has no check for: hangs, signals, Rust.
//!
//! Knows: the flags that decide how a program is built and called. Never: whether the bug shows again.

use crate::args::FuzzArgs;
use std::path::Path;

/// `effigy fuzz` with this input alone, in a folder of its own, where it stops at the first bug.
pub(super) fn command(args: &FuzzArgs, input: &Path) -> String {
    let mut words = vec!["effigy".to_owned(), "fuzz".to_owned()];
    words.extend(args.files.iter().map(|it| it.display().to_string()));
    let mut add = |more: &[&str]| words.extend(more.iter().map(|it| (*it).to_owned()));
    if let Some(project) = &args.project {
        add(&["--project", &project.display().to_string()]);
    }
    if let Some(target) = &args.target {
        add(&["--target", target]);
    }
    let switches = [(args.stdin, "--stdin"), (args.file_arg, "--file-arg"), (args.isolate, "--isolate")];
    switches.iter().filter(|it| it.0).for_each(|it| add(&[it.1]));
    if let Some(entry) = &args.entry {
        add(&["--entry", entry, "--buffer", &args.buffer.to_string()]);
    }
    add(&["--max-len", &args.max_len.to_string(), "--timeout", &format!("{}ms", args.timeout.as_millis())]);
    add(&["--max-memory", &args.max_memory.to_string(), "--stop-at-first-bug"]);
    let output = format!("{}.again", args.output.display());
    add(&["--out", &output, "--seeds", &input.display().to_string()]);
    if !args.flags.is_empty() {
        words.push("--".to_owned());
        words.extend(args.flags.iter().cloned());
    }
    words.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it, where it has what a shell would take for something else.
fn quoted(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_./:,=+".contains(it);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
