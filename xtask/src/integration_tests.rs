//! Every file of an integration test program is a module of it: a file that no `mod` line names is never compiled, and
//! its tests pass by not being there.
//!
//! Knows: folders `tests/*` with a `main.rs`, lines `mod NAME;`, `#[path = "…"]`. Never: modules written in place.

use crate::tests::{root, tracked_files};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Folders below a program whose files are read, not compiled with it.
const DATA: [&str; 1] = ["languages/llvm/tests/it/reader_corpus/programs/"];

/// The folder and the last part of a path.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The files that may be meant by the `mod` lines of `file`.
fn declared(file: &str, text: &str) -> Vec<String> {
    let (folder, name) = split(file);
    let own_folder = match name {
        "main.rs" | "mod.rs" => folder.to_owned(),
        _ => joined(folder, name.trim_end_matches(".rs")),
    };
    let mut given_path = None;
    let mut res = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(path) = line.strip_prefix("#[path = \"").and_then(|it| it.strip_suffix("\"]")) {
            given_path = Some(joined(folder, path));
            continue;
        }
        let line = line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub ")).unwrap_or(line);
        let Some(module) = line.strip_prefix("mod ").and_then(|it| it.strip_suffix(';')) else { continue };
        match given_path.take() {
            Some(path) => res.push(path),
            None => {
                res.push(joined(&own_folder, &format!("{module}.rs")));
                res.push(joined(&own_folder, &format!("{module}/mod.rs")));
            }
        }
    }
    res
}

/// The files of a program, by their paths below the folder of its `main.rs`, that no `mod` line leads to.
fn unlisted(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut reached = BTreeSet::new();
    let mut pending = vec!["main.rs".to_owned()];
    while let Some(it) = pending.pop() {
        if let Some(text) = files.get(&it).filter(|_| reached.insert(it.clone())) {
            pending.extend(declared(&it, text));
        }
    }
    files.keys().filter(|it| !reached.contains(*it)).cloned().collect()
}

#[test]
fn every_file_of_a_test_program_is_listed_in_it() {
    let tracked = tracked_files();
    let folders: Vec<&str> =
        tracked.iter().filter_map(|it| it.strip_suffix("/main.rs")).filter(|it| it.contains("/tests/")).collect();
    assert!(folders.iter().any(|it| it.ends_with("/tests/it")), "no folder tests/it is found");
    let mut found = Vec::new();
    for folder in folders {
        let files = tracked.iter().filter(|it| it.ends_with(".rs") && !DATA.iter().any(|data| it.starts_with(data)));
        let files = files.filter_map(|path| {
            let inner = path.strip_prefix(folder)?.strip_prefix('/')?;
            Some((inner.to_owned(), fs::read_to_string(root().join(path)).ok()?))
        });
        found.extend(unlisted(&files.collect()).iter().map(|it| format!("{folder}/{it}")));
    }
    assert!(found.is_empty(), "no `mod` line leads to these, so that they are not tested:\n{}", found.join("\n"));
}

#[test]
fn a_program_beside_the_folder_is_refused() {
    let tracked = tracked_files();
    let second: Vec<&String> = tracked.iter().filter(|it| is_second_program(&tracked, it)).collect();
    assert!(second.is_empty(), "a crate has one program, tests/it, which is linked once: {second:?}");
}

/// Whether `path` is a test program of its own, in a crate that has a folder `tests/it`.
fn is_second_program(tracked: &[String], path: &str) -> bool {
    let (folder, name) = split(path);
    name.ends_with(".rs") && folder.ends_with("/tests") && tracked.contains(&format!("{folder}/it/main.rs"))
}

#[test]
fn planted_files_are_found() {
    let files = [
        ("main.rs", "//! It.\n\nmod listed;\npub mod folder;\nmod nested;\n// mod commented;\nfn it() {}\n"),
        ("listed.rs", "mod inner;\n#[path = \"odd/place.rs\"]\nmod renamed;\n"),
        ("listed/inner.rs", ""),
        ("odd/place.rs", ""),
        ("folder/mod.rs", "mod part;\n"),
        ("folder/part.rs", ""),
        ("nested.rs", ""),
        ("nested/forgotten.rs", ""),
        ("commented.rs", "mod also_lost;\n"),
        ("also_lost.rs", ""),
    ];
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    assert_eq!(unlisted(&files), ["also_lost.rs", "commented.rs", "nested/forgotten.rs"]);

    let tracked = ["a/tests/it/main.rs", "a/tests/more.rs", "b/tests/only.rs"].map(str::to_owned);
    let second: Vec<&String> = tracked.iter().filter(|it| is_second_program(&tracked, it)).collect();
    assert_eq!(second, ["a/tests/more.rs"]);
}
