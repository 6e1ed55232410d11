//! `--project`: a program of a build, instead of files that are named on the command line.
//!
//! Knows: how a build is named, what is printed while it is compiled. Never: which files make a program
//! (`effigy_llvm::driver::project`).

use crate::Failure;
use crate::args::{FuzzArgs, StartArgs};
use crate::build_records;
use effigy_llvm::driver::project::{LinkRecord, Project, ProjectProgram, Selection};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Whether all files are objects, archives or programs that were built with `effigy cc`.
pub(crate) fn is_recorded(files: &[PathBuf]) -> bool {
    !files.is_empty() && files.iter().all(|it| build_records::exists(it))
}

/// What a command line says of its program.
pub(crate) struct NamedProgram<'a> {
    files: &'a [PathBuf],
    flags: &'a [String],
    project: Option<&'a Path>,
    target: Option<&'a str>,
    entry: Option<&'a str>,
}

impl<'a> From<&'a StartArgs> for NamedProgram<'a> {
    fn from(it: &'a StartArgs) -> NamedProgram<'a> {
        let StartArgs { files, flags, .. } = it;
        NamedProgram { files, flags, project: it.project.as_deref(), target: it.target.as_deref(), entry: it.entry() }
    }
}

impl<'a> From<&'a FuzzArgs> for NamedProgram<'a> {
    fn from(it: &'a FuzzArgs) -> NamedProgram<'a> {
        let FuzzArgs { files, flags, .. } = it;
        let (project, target, entry) = (it.project.as_deref(), it.target.as_deref(), it.entry.as_deref());
        NamedProgram { files, flags, project, target, entry }
    }
}

/// The program of the build that the user names, compiled; `None` where files are named.
pub(crate) fn program<'a>(named: impl Into<NamedProgram<'a>>) -> Result<Option<ProjectProgram>, Failure> {
    let NamedProgram { files, flags, project, target, entry } = named.into();
    let project = match (project, files) {
        (Some(_), [file, ..]) => {
            let file = file.display();
            let what = format!("{file}: --project names the files of the program; no file is named beside it");
            return Err(Failure(what));
        }
        (Some(path), []) => Project::of_database(path),
        (None, _) if target.is_some() => {
            return Err(Failure("--target chooses a program of --project".to_owned()));
        }
        (None, files) if is_recorded(files) => {
            let mut all = LinkRecord::new(Vec::new());
            for file in files {
                let LinkRecord { sources, link, unknown, .. } = build_records::read(file).map_err(Failure)?;
                all.sources.extend(sources);
                all.link.extend(link);
                all.unknown.extend(unknown);
            }
            Project::of_record(&files[0], &all)
        }
        (None, _) => return Ok(None),
    };
    let selection = Selection { target, entry, flags };
    let program = project.map_err(Failure::of)?.program(&selection).map_err(Failure::of)?;
    say_warnings(&program);
    Ok(Some(program))
}

/// Prints what the compiler warned of. A header that many files include is warned of once.
fn say_warnings(program: &ProjectProgram) {
    let mut said = BTreeSet::new();
    for warning in &program.warnings {
        if said.insert(warning) {
            eprintln!("{warning}");
        }
    }
}
