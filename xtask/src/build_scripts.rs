//! No build script of the tree starts a process: what a plain `cargo build` has not brought may be missing on a fresh
//! machine, cargo itself may be locked by the build, and the answer may be another one tomorrow.
//!
//! Knows: the tokens of `build.rs`, or of the file that a manifest names. Never: the build scripts of dependencies.

use crate::circles::tokens;
use crate::tests::{root, tracked_files};
use std::fs;

/// The build script of a package, relative to its folder; `None` where the manifest has none.
fn named_in(manifest: &str) -> Option<String> {
    let package = manifest.split("[package]").nth(1)?.split("\n[").next()?;
    let value = package.lines().find_map(|it| it.strip_prefix("build")?.trim_start().strip_prefix('='))?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// Whether a source text names the type that starts processes, outside of comments and strings.
fn starts_processes(text: &str) -> bool {
    tokens(text).contains(&"Command")
}

#[test]
fn no_build_script_starts_a_process() {
    let tracked = tracked_files();
    let mut scripts = Vec::new();
    for manifest in tracked.iter().filter(|it| it.rsplit('/').next() == Some("Cargo.toml")) {
        let folder = manifest.trim_end_matches("Cargo.toml");
        let Ok(text) = fs::read_to_string(root().join(manifest)) else { continue };
        let script = format!("{folder}{}", named_in(&text).unwrap_or_else(|| "build.rs".to_owned()));
        // A script may have modules in a folder beside it.
        let modules = format!("{}/", script.trim_end_matches(".rs"));
        scripts.extend(tracked.iter().filter(|it| **it == script || it.starts_with(&modules)));
    }
    assert!(scripts.iter().any(|it| it.ends_with("/build.rs")), "no build script is found");
    let found: Vec<_> = scripts
        .into_iter()
        .filter(|it| starts_processes(&fs::read_to_string(root().join(it)).unwrap_or_else(|_| panic!("{it}"))))
        .collect();
    assert!(found.is_empty(), "these build scripts start processes: {found:?}");
}

#[test]
fn planted_processes_are_found() {
    assert!(starts_processes("fn main() { std::process::Command::new(\"cargo\").status(); }"));
    assert!(starts_processes("use std::process::{Command as Run, exit};"));
    assert!(!starts_processes("// Command::new\nfn main() { println!(\"Command\"); std::process::exit(1) }"));
    assert_eq!(named_in("[package]\nname = \"a\"\nbuild = \"src/make.rs\"\n").as_deref(), Some("src/make.rs"));
    assert_eq!(named_in("[package]\nname = \"a\"\n\n[build-dependencies]\nbuild = \"1\"\n"), None);
}
