//! No text tells to install a Python package outside of an environment: Debian 12 refuses that (PEP 668). What works is
//! `~/NAME/bin/pip install` of a virtual environment, or `pipx install`.
//!
//! Knows: lines of tracked files. Never: which packages exist.

use crate::tests::{root, tracked_files};
use std::fs;

/// Lines that tell to install by a `pip` that is not one of an environment.
fn refused_installs(path: &str, text: &str) -> Vec<String> {
    let tells = |line: &str| {
        let mut before = line.match_indices("pip install").map(|(at, _)| &line[..at]);
        before.any(|it| !it.ends_with("/bin/"))
    };
    let lines = text.lines().enumerate().filter(|(_, line)| tells(line) || line.contains("-m pip install"));
    lines.map(|(number, line)| format!("{path}:{}: {}", number + 1, line.trim())).collect()
}

#[test]
fn no_text_tells_to_install_outside_of_an_environment() {
    let mut found = Vec::new();
    // The changelog tells what was; this file says what it looks for.
    for path in tracked_files().iter().filter(|it| *it != "CHANGELOG.md" && *it != "xtask/src/python_packages.rs") {
        let Ok(bytes) = fs::read(root().join(path)) else { continue };
        found.extend(refused_installs(path, &String::from_utf8_lossy(&bytes)));
    }
    assert!(found.is_empty(), "Debian 12 refuses these:\n{}", found.join("\n"));
}

#[test]
fn planted_installs_are_found() {
    let count = |line: &str| refused_installs("a.md", line).len();
    assert_eq!(refused_installs("a.md", "one\n  `pip install x`\n"), ["a.md:2: `pip install x`"]);
    assert_eq!(count("python3 -m pip install x") + count("(~/a/bin/pip install x, or pip install x)"), 2);
    assert_eq!(count("python3 -m venv ~/a && ~/a/bin/pip install x, or pipx install x"), 0);
}
