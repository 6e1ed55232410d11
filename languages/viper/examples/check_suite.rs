//! Compares the reader's and checker's errors with the annotations of Viper's tests.
//!
//! Usage: `cargo run --example check_suite -- DIR [LIBRARIES...]`, for example silver's `src/test/resources`,
//! `src/main/resources/import` and `src/test/resources/import`. For every `.vpr` file, the errors `parser.error`, `typechecker.error` and
//! `consistency.error` (and warnings beside errors) that we give have to be exactly those that the file expects, by id and line: each expectation is
//! met at least once, and there is no other error. A file that expects none has to check.
//! Annotations that excuse another tool (`/silicon/...`) are not for us; those that excuse `/silver/...` are, and files
//! that silver's own suites ignore are left out.
#![expect(clippy::print_stdout, reason = "a command")]

use effigy_viper::{Loader, ReadError, SourceFile};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const IDS: [&str; 4] = ["parser.error", "parser.warning", "typechecker.error", "consistency.error"];

/// An id and a line.
type Place = (String, u32);

#[derive(Default)]
struct Expected {
    required: BTreeSet<Place>,
    allowed: BTreeSet<Place>,
    /// Lines on which anything may be reported.
    free: BTreeSet<u32>,
    ignored: bool,
}

struct Files {
    libraries: Vec<PathBuf>,
}

impl Loader for Files {
    fn load(&mut self, path: &str, standard: bool, from: &str) -> Result<SourceFile, String> {
        let beside = [Path::new(from).parent().unwrap_or(Path::new(".")).to_path_buf()];
        let folders = if standard { &self.libraries[..] } else { &beside };
        let found = folders.iter().find_map(|it| it.join(path).canonicalize().ok());
        let file = found.ok_or_else(|| format!("no such file in {folders:?}"))?;
        let text = std::fs::read_to_string(&file).map_err(|it| it.to_string())?;
        Ok(SourceFile { name: file.display().to_string().into(), text })
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(folder) = args.next() else { return println!("check_suite DIR [LIBRARIES...]") };
    let mut loader = Files { libraries: args.map(PathBuf::from).collect() };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &files {
        let shown = file.strip_prefix(&folder).unwrap_or(file).display();
        let bytes = std::fs::read(file).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let expected = Expected::of(&text);
        if expected.ignored {
            *counts.entry("ignored").or_default() += 1;
            continue;
        }
        let name: Arc<str> = file.display().to_string().into();
        let errors = effigy_viper::read(&name, &text, &mut loader).err().unwrap_or_default();
        let complaints = expected.compare(&errors);
        let front_end = if expected.required.is_empty() { "without" } else { "with" };
        let verdict = match (front_end, complaints.is_empty()) {
            ("with", true) => "expects errors: agrees",
            ("with", false) => "expects errors: DIFFERS",
            (_, true) => "expects none: checks",
            (_, false) => "expects none: REJECTED",
        };
        *counts.entry(verdict).or_default() += 1;
        if !complaints.is_empty() {
            println!("{shown}: {verdict}");
            complaints.iter().take(6).for_each(|it| println!("    {it}"));
        }
    }
    println!("{} files", files.len());
    counts.iter().for_each(|(verdict, count)| println!("{count:5} {verdict}"));
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|it| it == "vpr") {
            out.push(path);
        }
    }
}

impl Expected {
    fn of(text: &str) -> Expected {
        let mut res = Expected::default();
        let mut pending: Vec<&str> = Vec::new();
        for (idx, line) in text.lines().enumerate() {
            let line = line.trim();
            if let Some(annotation) = line.strip_prefix("//:: ") {
                pending.push(annotation.trim());
            } else if !line.starts_with("//") {
                pending.drain(..).for_each(|it| res.annotation(it, idx as u32 + 1));
            }
        }
        pending.into_iter().for_each(|it| res.annotation(it, 0));
        let missing: Vec<Place> = res.required.intersection(&res.allowed).cloned().collect();
        res.required.retain(|it| !missing.contains(it));
        res
    }

    fn annotation(&mut self, annotation: &str, line: u32) {
        let Some((kind, rest)) = annotation.split_once('(') else {
            if annotation == "IgnoreOthers" {
                self.free.insert(line);
            }
            return;
        };
        let (id, project) = rest.trim_end_matches(')').split_once(',').unwrap_or((rest.trim_end_matches(')'), ""));
        let ours = project.trim().to_lowercase().starts_with("/silver/");
        let front_end = IDS.contains(&id);
        match kind {
            "ExpectedOutput" if front_end => {
                self.required.insert((id.to_owned(), line));
            }
            // Silver is known to report this, or not to report what is expected: either is fine.
            "UnexpectedOutput" | "MissingOutput" if front_end && ours => {
                self.allowed.insert((id.to_owned(), line));
            }
            "IgnoreFile" | "IgnoreFileList" if id.to_lowercase().starts_with("/silver/") => self.ignored = true,
            _ => {}
        }
    }

    fn compare(&self, errors: &[ReadError]) -> Vec<String> {
        let actual: BTreeMap<Place, &ReadError> =
            errors.iter().map(|it| ((it.kind.id().to_owned(), it.span.line), it)).collect();
        let missing = self.required.iter().filter(|it| !actual.contains_key(it));
        let mut res: Vec<String> = missing.map(|(id, line)| format!("missing {line}: {id}")).collect();
        let fine = |it: &Place| self.required.contains(it) || self.allowed.contains(it) || self.free.contains(&it.1);
        for (place, error) in actual.iter().filter(|(it, _)| !fine(it)) {
            res.push(format!("found   {}: {}: {}", place.1, place.0, error.message));
        }
        res
    }
}
