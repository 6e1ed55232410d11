//! Reads every `.vpr` file below a directory (parse, imports, macros) and compares what is reported with the file's
//! `//:: ExpectedOutput(parser.error)` annotations: `parse_suite DIR [STANDARD_IMPORTS...]`.
//!
//! A file is right if the lines with parser errors (and, beside an error, warnings) are the annotated ones.

#![expect(clippy::print_stdout, reason = "an example talks to the terminal")]

use effigy_viper::{Loader, ReadError, SourceFile, expand};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// Imports from disk.
struct Disk {
    standard: Vec<PathBuf>,
}

impl Loader for Disk {
    fn load(&mut self, path: &str, standard: bool, from: &str) -> Result<SourceFile, String> {
        let places = match standard {
            true => self.standard.clone(),
            false => vec![Path::new(from).parent().unwrap_or(Path::new("")).to_path_buf()],
        };
        let mut res = Err("there is no such file".to_string());
        for file in places.iter().map(|it| normalized(&it.join(path))) {
            if let Ok(text) = std::fs::read_to_string(&file) {
                res = Ok(SourceFile { name: file.to_string_lossy().into(), text });
            }
        }
        res
    }
}

/// Without `.` and `..`.
fn normalized(path: &Path) -> PathBuf {
    let mut res = PathBuf::new();
    for it in path.components() {
        match it {
            Component::ParentDir => drop(res.pop()),
            Component::CurDir => {}
            _ => res.push(it),
        }
    }
    res
}

fn files(directory: &Path, res: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(directory).into_iter().flatten().flatten().map(|it| it.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, res);
        } else if path.extension().is_some_and(|it| it == "vpr") {
            res.push(path);
        }
    }
}

/// Ids and lines of what is expected of the reader, for a tool without known bugs.
fn expected(text: &str) -> BTreeSet<(String, u32)> {
    let mut res = BTreeSet::new();
    let mut pending = Vec::new();
    for (line, at) in text.lines().zip(1..) {
        let line = line.trim();
        if let Some(annotation) = line.strip_prefix("//:: ") {
            let id = annotation.strip_prefix("ExpectedOutput(").and_then(|it| it.strip_suffix(')'));
            pending.extend(id.filter(|it| it.starts_with("parser.")).map(str::to_string));
        } else if !line.starts_with("//") {
            res.extend(pending.drain(..).map(|it| (it, at)));
        }
    }
    res
}

fn main() {
    let mut args = std::env::args().skip(1);
    let directory = PathBuf::from(args.next().unwrap_or_default());
    let standard: Vec<PathBuf> = args.map(PathBuf::from).collect();
    let mut paths = Vec::new();
    files(&directory, &mut paths);
    let (mut right, mut wrong, mut ignored, mut not_text, mut time) = (0, 0, 0, 0, Duration::ZERO);
    let mut slowest = (Duration::ZERO, PathBuf::new());
    for path in &paths {
        let Ok(text) = std::fs::read_to_string(path) else {
            not_text += 1;
            continue;
        };
        let start = Instant::now();
        let res = expand(&normalized(path).to_string_lossy(), &text, &mut Disk { standard: standard.clone() });
        let taken = start.elapsed();
        time += taken;
        slowest = slowest.max((taken, path.clone()));
        let reported: Vec<ReadError> = match res {
            Ok(_) => Vec::new(),
            Err(errors) => errors,
        };
        let found: BTreeSet<(String, u32)> =
            reported.iter().map(|it| (it.kind.id().to_string(), it.span.line)).collect();
        let expected = expected(&text);
        if found == expected {
            right += 1;
            continue;
        }
        if text.lines().any(|it| it.trim().to_lowercase().starts_with("//:: ignorefile(/silver/")) {
            ignored += 1;
            continue;
        }
        wrong += 1;
        println!("{}", path.display());
        for (id, line) in expected.difference(&found) {
            println!("    missing    {line}: {id}");
        }
        for it in &reported {
            let mark =
                if expected.contains(&(it.kind.id().to_string(), it.span.line)) { "expected" } else { "UNEXPECTED" };
            println!("    {mark} {}:{}: {}: {}", it.span.line, it.span.column, it.kind.id(), it.message);
        }
    }
    println!(
        "{} files: {right} right, {wrong} wrong, {ignored} wrong but ignored by silver, {not_text} not UTF-8",
        paths.len()
    );
    println!("{:.0} files per second, {time:.2?} in all", (right + wrong + ignored) as f64 / time.as_secs_f64());
    println!("slowest: {} {:.2?}", slowest.1.display(), slowest.0);
}
