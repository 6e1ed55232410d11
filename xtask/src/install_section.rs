//! The README's section "Install" names every program that `xtask/setup` looks for, and `xtask/setup` looks for every
//! program that the section names: a reader who installs what it says can run what it promises.
//!
//! Knows: lines `need PROGRAM PACKAGE` of the script, words between backticks of the section. Never: how they are
//! installed.

use crate::tests::read;
use std::collections::BTreeSet;

/// What is there before `make` can run the script.
const BEFORE: [&str; 3] = ["cargo", "git", "make"];

/// The programs that the script looks for; of a path, the name.
fn looked_for(script: &str) -> BTreeSet<&str> {
    let words = script.lines().filter_map(|it| it.trim().strip_prefix("need ")?.split(' ').next());
    words.filter_map(|it| it.rsplit('/').next()).collect()
}

/// The programs of the table of the section: the words between backticks in the first column.
fn named(readme: &str) -> BTreeSet<&str> {
    let section = readme.split("\n## Install").nth(1).and_then(|it| it.split("\n## ").next()).unwrap_or_default();
    let rows = section.lines().filter_map(|it| it.strip_prefix("| ")?.split(" | ").next());
    rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

/// Programs that only one of the two names.
fn difference<'a>(readme: &'a str, script: &'a str) -> Vec<&'a str> {
    let looked_for: BTreeSet<&str> = looked_for(script).into_iter().chain(BEFORE).collect();
    named(readme).symmetric_difference(&looked_for).copied().collect()
}

#[test]
fn the_readme_names_what_setup_looks_for() {
    let (readme, script) = (read("README.md"), read("xtask/setup"));
    assert!(looked_for(&script).contains("z3"), "the script looks for programs by lines `need PROGRAM PACKAGE`");
    let found = difference(&readme, &script);
    assert!(found.is_empty(), "named by only one of README.md (Install) and xtask/setup: {found:?}");
}

#[test]
fn a_planted_difference_is_found() {
    let readme = "\n## Install\n\n| program | for |\n|---|---|\n| `cargo`, `make`, `git` | all |\n| `z3` | tests |\n\n## More\n\n| `perl` | x |\n";
    assert!(difference(readme, "need z3 z3\n").is_empty());
    assert_eq!(difference(readme, "need z3 z3\nif x; then\n  need /bin/openssl openssl\nfi\n"), ["openssl"]);
    assert_eq!(difference(readme, ""), ["z3"]);
}
