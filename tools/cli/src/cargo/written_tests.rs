//! `--write-tests`: counterexamples as tests in the files of their harnesses.
//!
//! Knows: where a test stands: behind its harness. Never: what is in it (`counterexample`).

use super::Harness;
use super::counterexample::Counterexample;
use super::harness_run::{HarnessRun, Verdict};
use crate::Failure;
use std::path::{Path, PathBuf};

/// Adds the tests of the harnesses that have failed; what was done, a line each. A test that is there is not written again.
pub(super) fn write(harnesses: &[Harness], runs: &[HarnessRun]) -> Result<Vec<String>, Failure> {
    let mut failed: Vec<(&Harness, &Counterexample)> = Vec::new();
    for (harness, run) in harnesses.iter().zip(runs).filter(|it| it.1.verdict == Verdict::Failed) {
        failed.extend(run.counterexamples.iter().filter(|it| it.is_certain).map(|it| (harness, it)));
    }
    // From the end of a file to its beginning: the lines of what is left stay where they are.
    failed.sort_by_key(|it| std::cmp::Reverse(it.0.line));
    let mut notes = Vec::new();
    for (harness, counterexample) in failed {
        let path = file(harness);
        let io = |error: std::io::Error| Failure(format!("{}: {error}", path.display()));
        let mut text = std::fs::read_to_string(&path).map_err(io)?;
        let test_name = counterexample.test_name(&harness.name);
        if text.contains(&format!("fn {test_name}(")) {
            continue;
        }
        let name = harness.name.rsplit("::").next().unwrap_or(&harness.name);
        let Some((at, indent)) = end_of_function(&text, harness.line, name) else {
            notes.push(format!("{}: no end of `{name}` was found; its test is not written\n", path.display()));
            continue;
        };
        let test = counterexample.test(&harness.name, harness.library);
        let test: String = test.lines().map(|it| format!("{indent}{it}\n")).collect();
        let before = if text[..at].ends_with('\n') { "\n" } else { "\n\n" };
        text.insert_str(at, &format!("{before}{test}"));
        replace(&path, &text).map_err(io)?;
        notes.push(format!("{}: wrote the test {test_name}\n", path.display()));
    }
    notes.sort();
    Ok(notes)
}

/// The file of a harness: rustc is given it from the workspace's or the package's folder.
fn file(harness: &Harness) -> PathBuf {
    let found = harness.target.0.ancestors().map(|it| it.join(&harness.file)).find(|it| it.is_file());
    let path = found.unwrap_or_else(|| PathBuf::from(&harness.file));
    // What a link leads to is the file; the link stays.
    path.canonicalize().unwrap_or(path)
}

/// The text takes the file's place at once: who is killed leaves one of the two.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("rs.effigy");
    std::fs::write(&beside, text)?;
    std::fs::set_permissions(&beside, std::fs::metadata(path)?.permissions())?;
    std::fs::rename(&beside, path)
}

/// The byte behind the line in which the function `name` ends, whose attribute stands in this line, and how far its head
/// is indented. `None` where the function is not written there (a macro makes it), or what follows it on its last line
/// is no comment.
fn end_of_function<'t>(text: &'t str, line: u32, name: &str) -> Option<(usize, &'t str)> {
    let from: usize = text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
    let mut tokens = Tokens { text, at: from };
    // Attributes and words of the head.
    let head = loop {
        match tokens.next()? {
            (at, "fn") => break at,
            (_, "{" | "}" | ";") => return None,
            _ => {}
        }
    };
    if tokens.next()?.1 != name {
        return None;
    }
    while tokens.next()?.1 != "{" {}
    let mut depth = 1;
    while depth > 0 {
        match tokens.next()?.1 {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
    }
    let rest = &text[tokens.at..];
    let (behind, length) = rest.split_once('\n').map_or((rest, rest.len()), |it| (it.0, it.0.len() + 1));
    let is_comment = behind.trim().is_empty() || behind.trim_start().starts_with("//");
    let begin = text[..head].rfind('\n').map_or(0, |it| it + 1);
    let indent = &text[begin..begin + (text[begin..].len() - text[begin..].trim_start_matches([' ', '\t']).len())];
    is_comment.then_some((tokens.at + length, indent))
}

/// The words and signs of a text of Rust, without comments; a literal with quotation marks is one token.
struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Tokens<'t> {
    /// Where a token begins, and its text.
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<(usize, &'t str)> {
        loop {
            let rest = &self.text[self.at..];
            let space = rest.len() - rest.trim_start().len();
            if space > 0 {
                self.at += space;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += end_of_comment(rest)?;
            } else {
                break;
            }
        }
        let (from, rest) = (self.at, &self.text[self.at..]);
        let first = rest.chars().next()?;
        let word = rest.find(|it: char| !(it.is_alphanumeric() || it == '_')).unwrap_or(rest.len());
        let length = match (word, first) {
            (0, '"') => end_of_text(rest, 0, 0)?,
            (0, '\'') => end_of_character(rest),
            (0, _) => first.len_utf8(),
            // `b"…"`, `r#"…"#`, `cr"…"`, and `r#name`.
            _ => match &rest[..word] {
                "b" | "c" if rest[word..].starts_with('"') => end_of_text(rest, word, 0)?,
                "b" if rest[word..].starts_with('\'') => word + end_of_character(&rest[word..]),
                "r" | "br" | "cr" => {
                    let marks = rest[word..].bytes().take_while(|it| *it == b'#').count();
                    match rest[word + marks..].starts_with('"') {
                        true => end_of_raw_text(rest, word + marks, marks)?,
                        false => word,
                    }
                }
                _ => word,
            },
        };
        self.at += length;
        Some((from, &self.text[from..self.at]))
    }
}

/// The length of a comment, in which others may be.
fn end_of_comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += rest.chars().next()?.len_utf8();
        }
    }
}

/// The length of a literal whose quotation mark stands at `quote`.
fn end_of_text(text: &str, quote: usize, marks: usize) -> Option<usize> {
    let mut escaped = false;
    for (at, it) in text[quote + 1..].char_indices() {
        match it {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(quote + 1 + at + 1 + marks),
            _ => {}
        }
    }
    None
}

/// The same of a raw one, which ends with a quotation mark and so many `#`.
fn end_of_raw_text(text: &str, quote: usize, marks: usize) -> Option<usize> {
    let end = format!("\"{}", "#".repeat(marks));
    text[quote + 1..].find(&end).map(|it| quote + 1 + it + end.len())
}

/// The length of a character, or of the quotation mark of a lifetime.
fn end_of_character(text: &str) -> usize {
    let mut rest = text.char_indices().skip(1);
    match rest.next() {
        Some((_, '\\')) => {
            // What is escaped is no end.
            rest.next();
            rest.find(|it| it.1 == '\'').map_or(1, |it| it.0 + 1)
        }
        Some(_) => rest.next().filter(|it| it.1 == '\'').map_or(1, |it| it.0 + 1),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::end_of_function;

    /// What follows the function in line `line`, and how far it is indented.
    fn behind<'t>(text: &'t str, line: u32, name: &str) -> Option<(&'t str, &'t str)> {
        end_of_function(text, line, name).map(|it| (&text[it.0..], it.1))
    }

    #[test]
    fn a_test_stands_behind_its_harness() {
        let text =
            "mod m {\n    #[kani::proof]\n    fn a() {\n        if x {\n        }\n    } // end\n    fn b() {}\n}\n";
        assert_eq!(behind(text, 2, "a"), Some(("    fn b() {}\n}\n", "    ")));
        assert_eq!(behind(text, 7, "b"), Some(("}\n", "    ")));
        assert_eq!(behind(text, 7, "c"), None);
        assert_eq!(behind(text, 8, "b"), None);
        assert_eq!(behind("#[p] fn a() {} fn b() {}\n", 1, "a"), None);
    }

    #[test]
    fn braces_in_texts_and_comments_are_none() {
        for body in
            ["\"}\"", "r#\"\n}\n\"#", "b'}'", "'}'", "'\\''", "// }\n", "/* } /* } */ */", "'a: loop {}", "r#fn();"]
        {
            let text = format!("#[p]\nfn a() {{ {body}\n}}\nrest");
            assert_eq!(behind(&text, 1, "a"), Some(("rest", "")), "{body}");
        }
    }
}
