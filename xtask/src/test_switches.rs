//! A member that switches the tests of its library off (`test = false`, `doctest = false` below `[lib]`, so that nothing
//! is linked for no test) has none: what is not compiled passes by not being there.
//!
//! Knows: the section `[lib]` of a manifest, `#[test]`, code in doc comments. Never: what a test says.

use crate::tests::{members, read, root, sources};

/// Whether `[lib]` of a manifest says `NAME = false`.
fn is_off(manifest: &str, name: &str) -> bool {
    let lines = manifest.lines().map(str::trim).skip_while(|it| *it != "[lib]").skip(1);
    lines.take_while(|it| !it.starts_with('[')).any(|it| it == format!("{name} = false"))
}

/// Whether a source file has a test of its own.
fn has_test(text: &str) -> bool {
    text.lines().map(str::trim).any(|it| it == "#[test]" || it.starts_with("proptest! {"))
}

/// Whether a doc comment has code that rustdoc would run.
fn has_code(text: &str) -> bool {
    let docs = text.lines().filter_map(|it| {
        let line = it.trim_start();
        line.strip_prefix("///").or(line.strip_prefix("//!")).map(str::trim)
    });
    let mut is_open = false;
    for fence in docs.filter_map(|it| it.strip_prefix("```")) {
        is_open = !is_open;
        if is_open && !["text", "ignore", "console", "toml", "c"].contains(&fence) {
            return true;
        }
    }
    false
}

fn faults(manifest: &str, texts: &[String]) -> Vec<&'static str> {
    let mut res = Vec::new();
    if is_off(manifest, "test") && texts.iter().any(|it| has_test(it)) {
        res.push("`test = false`, and there is a test");
    }
    if is_off(manifest, "doctest") && texts.iter().any(|it| has_code(it)) {
        res.push("`doctest = false`, and there is code in a doc comment");
    }
    res
}

#[test]
fn no_member_switches_off_a_test_that_it_has() {
    let mut found = Vec::new();
    for member in members().into_iter().filter(|it| root().join(it).join("src/lib.rs").is_file()) {
        let texts: Vec<String> = sources(&member).into_iter().map(|it| it.1).collect();
        let own = faults(&read(&format!("{member}/Cargo.toml")), &texts);
        found.extend(own.into_iter().map(|it| format!("{member}: {it}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_switch_above_a_test_is_found() {
    let manifest = "[package]\ntest = false\n[lib]\ntest = false\ndoctest = false\n\n[dependencies]\n";
    let tested = ["#[test]\nfn it() {}\n".to_owned()];
    let documented = ["/// ```\n/// assert!(true);\n/// ```\nfn it() {}\n".to_owned()];
    let plain = ["/// ```text\n/// a picture\n/// ```\nfn it() {}\n".to_owned()];
    assert_eq!(faults(manifest, &tested).len(), 1);
    assert_eq!(faults(manifest, &documented).len(), 1);
    assert!(faults(manifest, &plain).is_empty());
    assert!(faults("[package]\ntest = false\n[dependencies]\n", &tested).is_empty());
}
