//! The corpus: what should be read is read, what should not has its errors on the lines that say so.

use effigy_oo::{LoweredFile, ReadError, read};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/oo").join(folder);
    let mut res: Vec<PathBuf> =
        fs::read_dir(folder).expect("the corpus").map(|it| it.expect("a file").path()).collect();
    res.sort();
    res.into_iter().map(|it| (it.clone(), fs::read_to_string(it).expect("text"))).collect()
}

fn outcome(path: &Path, text: &str) -> Result<LoweredFile, Vec<ReadError>> {
    read(&path.file_name().expect("a name").to_string_lossy(), text)
}

/// The annotated lines with their ids: the next line that is neither annotation nor comment.
fn annotations(text: &str) -> BTreeSet<(u32, String)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut res = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(id) = line.strip_prefix("//:: ExpectedOutput(").and_then(|it| it.strip_suffix(')')) else { continue };
        let target = lines[at..].iter().position(|it| !it.starts_with("//")).expect("a line below");
        res.insert(((at + target + 1) as u32, id.to_owned()));
    }
    res
}

#[test]
fn every_verified_program_is_read() {
    for (path, text) in files("verified").into_iter().chain(files("fig9")) {
        if let Err(errors) = outcome(&path, &text) {
            let errors: Vec<String> = errors.iter().map(|it| it.to_string()).collect();
            panic!("{}:\n{}", path.display(), errors.join("\n"));
        }
    }
}

#[test]
fn errors_of_the_reader_stand_where_the_annotations_say() {
    for (path, text) in files("failing") {
        let expected: BTreeSet<(u32, String)> =
            annotations(&text).into_iter().filter(|it| it.1 == "parser.error" || it.1 == "typechecker.error").collect();
        let found: BTreeSet<(u32, String)> = match outcome(&path, &text) {
            Ok(_) => BTreeSet::new(),
            Err(errors) => errors.iter().map(|it| (it.span.line, it.id.id().to_owned())).collect(),
        };
        assert_eq!(found, expected, "{}: {:?}", path.display(), outcome(&path, &text).err());
    }
}

#[test]
fn every_failing_program_says_what_fails() {
    for (path, text) in files("failing") {
        assert!(!annotations(&text).is_empty(), "{}", path.display());
    }
}

#[test]
fn the_variants_of_figure_9_name_their_line() {
    for (path, text) in files("fig9") {
        let header = text.lines().nth(1).expect("a second line");
        let rest = header.strip_prefix("// Without inference: line ").expect("the line that fails");
        let line: usize = rest.split(' ').next().and_then(|it| it.parse().ok()).expect("a number");
        let named = text.lines().nth(line - 1).expect("the line exists").trim();
        let words = ["use ", "x := v;", "ensures ", "pure int getX"];
        assert!(words.iter().any(|it| named.starts_with(it)), "{}: {named}", path.display());
    }
}
