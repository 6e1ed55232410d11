//! `--write-tests`: counterexamples as tests in the files of their harnesses.
//!
//! Knows: where a test stands: behind its harness. Never: what is in it (`counterexample`).

use super::Harness;
use super::harness_run::{HarnessRun, Verdict};
use crate::Failure;
use std::path::{Path, PathBuf};

/// Adds the tests of the harnesses that have failed; what was done, a line each. A test that is there is not written again.
pub(super) fn write(harnesses: &[Harness], runs: &[HarnessRun]) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    for (harness, run) in harnesses.iter().zip(runs).filter(|it| it.1.verdict == Verdict::Failed) {
        let path = file(harness);
        let io = |error: std::io::Error| Failure(format!("{}: {error}", path.display()));
        for counterexample in run.counterexamples.iter().filter(|it| it.is_certain) {
            let mut text = std::fs::read_to_string(&path).map_err(io)?;
            let name = harness.name.rsplit("::").next().unwrap_or(&harness.name);
            let test_name = counterexample.test_name(name);
            if text.contains(&test_name) {
                continue;
            }
            let Some((at, indent)) = end_of_function(&text, harness.line, name) else {
                notes.push(format!("{}: no end of `{name}` was found; its test is not written\n", path.display()));
                break;
            };
            let test = counterexample.test(name, library(&text, harness.line));
            let test: String = test.lines().map(|it| format!("{indent}{it}\n")).collect();
            text.insert_str(at, &format!("\n{test}"));
            replace(&path, &text).map_err(io)?;
            notes.push(format!("{}: wrote the test {test_name}\n", path.display()));
        }
    }
    Ok(notes)
}

/// The file of a harness: rustc is given it from the workspace's or the package's folder.
fn file(harness: &Harness) -> PathBuf {
    let ancestors = harness.folder.ancestors().map(|it| it.join(&harness.file));
    ancestors.into_iter().find(|it| it.is_file()).unwrap_or_else(|| PathBuf::from(&harness.file))
}

/// The text takes the file's place at once: who is killed leaves one of the two.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("rs.effigy");
    std::fs::write(&beside, text)?;
    std::fs::set_permissions(&beside, std::fs::metadata(path)?.permissions())?;
    std::fs::rename(&beside, path)
}

/// The crate that the attributes of a harness name.
fn library(text: &str, line: u32) -> &'static str {
    let attribute = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    if attribute.contains("effigy_harness") { "effigy_harness" } else { "kani" }
}

/// The byte behind the function `name`, whose attribute stands in this line, and how far its lines are indented. The
/// function ends with the first brace that is indented like its head.
fn end_of_function<'t>(text: &'t str, line: u32, name: &str) -> Option<(usize, &'t str)> {
    let mut at = 0;
    let mut indent = None;
    let head = format!("fn {name}(");
    for (number, text) in (1..).zip(text.split_inclusive('\n')) {
        at += text.len();
        if number < line {
            continue;
        }
        let bare = text.trim();
        let own = &text[..text.len() - text.trim_start().len()];
        if indent.is_none() && bare.contains(&head) {
            indent = Some(own);
            if bare.ends_with('}') {
                return Some((at, own));
            }
        } else if bare == "}" && indent == Some(own) {
            return Some((at, own));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::end_of_function;

    #[test]
    fn a_test_stands_behind_its_harness() {
        let text = "mod m {\n    #[kani::proof]\n    fn a() {\n        if x {\n        }\n    }\n    fn b() {}\n}\n";
        let (at, indent) = end_of_function(text, 2, "a").expect("an end");
        assert_eq!((&text[at..], indent), ("    fn b() {}\n}\n", "    "));
        assert_eq!(end_of_function(text, 7, "b").map(|it| &text[it.0..]), Some("}\n"));
        assert_eq!(end_of_function(text, 7, "c"), None);
    }
}
