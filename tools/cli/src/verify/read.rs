//! From file names to programs: folders, extensions.
//!
//! Knows: files. Never: what a program means.

use super::sources::{Files, text};
use crate::Failure;
use effigy_report::failures::{Source, Sources};
use effigy_report::verify::{CRASHED, FileReport, INPUT, Problem};
use effigy_verify::{Program, Span};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders within folders; more are a loop.
const DEEPEST: usize = 64;

/// The language of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    Viper,
    Oo,
}

impl Language {
    /// The language of a file, by its extension.
    pub(crate) fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "vpr" => Some(Language::Viper),
            "oo" => Some(Language::Oo),
            _ => None,
        }
    }
}

/// A file that was read, with its program if it is one.
pub(crate) struct Input {
    pub(crate) language: Language,
    pub(crate) program: Option<Program>,
    pub(crate) report: FileReport,
}

/// The files that the user means, folders being all files below them that `wanted` accepts, in order of their names.
pub(crate) fn files(named: &[PathBuf], wanted: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Failure> {
    let mut res = Vec::new();
    for path in named {
        if path.is_dir() {
            let before = res.len();
            below(path, wanted, 0, &mut res)?;
            if res.len() == before {
                return Err(Failure(format!("{}: there is no .vpr or .oo file below this folder", path.display())));
            }
        } else {
            res.push(path.clone());
        }
    }
    Ok(res)
}

fn below(folder: &Path, wanted: &dyn Fn(&Path) -> bool, depth: usize, into: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if depth > DEEPEST {
        return Err(Failure(format!("{}: folders are nested too deeply", folder.display())));
    }
    let failed = |error: std::io::Error| Failure(format!("{}: {error}", folder.display()));
    let mut entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a folder may lead back here.
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        if is_folder {
            below(&path, wanted, depth + 1, into)?;
        } else if wanted(&path) && path.is_file() {
            into.push(path);
        }
    }
    Ok(())
}

/// Reads and checks one file and what it imports; `library` are the user's folders of `import <path>`.
pub(crate) fn read(path: &Path, library: &[PathBuf]) -> Input {
    let name = path.display().to_string();
    let mut report = FileReport { name: name.clone(), ..FileReport::default() };
    let broken = |report: FileReport, language, message: String| {
        let problem = Problem { id: INPUT.into(), message, span: None };
        Input { language, program: None, report: FileReport { problems: vec![problem], ..report } }
    };
    let Some(language) = Language::of(path) else {
        let message = match fs::metadata(path) {
            Err(error) => format!("{name}: {error}"),
            Ok(_) => format!("{name}: a file with the extension .vpr or .oo was expected"),
        };
        return broken(report, Language::Viper, message);
    };
    let text = match text(path) {
        Ok(text) => text,
        Err(error) => return broken(report, language, format!("{name}: {error}")),
    };
    let mut files = Files::new(Source::new(&name, &text), library);
    // A reader that panics is our bug, and no reason to leave the other files alone.
    let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match language {
        Language::Viper => read_viper(&name, &text, &mut files),
        Language::Oo => read_oo(&name, &text),
    }));
    report.sources = Sources(files.read);
    let program = match answer {
        Ok(Ok(program)) => {
            // Places count the files as the program lists them.
            report.sources = in_order(&program, report.sources);
            Some(program)
        }
        Ok(Err(errors)) => {
            let problem =
                |(id, span, message): (&str, Span, String)| Problem { id: id.into(), message, span: Some(span) };
            report.problems = errors.into_iter().map(problem).collect();
            if report.problems.is_empty() {
                let message = "the reader refused this file without a reason".to_owned();
                report.problems.push(Problem { id: CRASHED.into(), message, span: None });
            }
            None
        }
        Err(panic) => {
            report.problems = vec![Problem { id: CRASHED.into(), message: panic_text(&*panic), span: None }];
            None
        }
    };
    Input { language, program, report }
}

/// A program and the calls that nobody has checked, or the id, place and text of each error.
type Answer = Result<Program, Vec<(&'static str, Span, String)>>;

fn read_viper(name: &str, text: &str, files: &mut Files<'_>) -> Answer {
    match effigy_viper::read(name, text, files) {
        Ok(program) => Ok(program),
        Err(errors) => Err(errors.into_iter().map(|it| (it.kind.id(), it.span, it.message)).collect()),
    }
}

fn read_oo(name: &str, text: &str) -> Answer {
    match effigy_oo::read(name, text) {
        Ok(reading) => Ok(reading.program),
        Err(errors) => Err(errors.into_iter().map(|it| (it.id.id(), it.span, it.message)).collect()),
    }
}

/// The sources as [`Program::files`] orders them; those that it does not list follow.
fn in_order(program: &Program, sources: Sources) -> Sources {
    let mut rest = sources.0;
    let mut res = Vec::new();
    for name in &program.files {
        match rest.iter().position(|it| it.name == *name) {
            Some(at) => res.push(rest.remove(at)),
            None => res.push(Source::new(name, "")),
        }
    }
    res.append(&mut rest);
    Sources(res)
}

/// The message that a panic carries.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}
