//! `--project`: a program of a build, instead of files that are named on the command line.
//!
//! Knows: how a build is named, what is printed while it is compiled. Never: which files make a program
//! (`effigy_llvm::driver::project`).

use crate::Failure;
use crate::args::StartArgs;
use crate::build_records;
use effigy_llvm::driver::project::{Project, ProjectProgram, Selection};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Whether the only file is a program or an archive that was built with `effigy cc`.
pub(crate) fn is_recorded(files: &[PathBuf]) -> bool {
    matches!(files, [file] if build_records::exists(file))
}

/// The program of the build that the user names, compiled; `None` where files are named.
pub(crate) fn program(start: &StartArgs) -> Result<Option<ProjectProgram>, Failure> {
    let project = match (&start.project, &start.files[..]) {
        (Some(_), [file, ..]) => {
            let file = file.display();
            let what = format!("{file}: --project names the files of the program; no file is named beside it");
            return Err(Failure(what));
        }
        (Some(path), []) => Project::of_database(path),
        (None, _) if start.target.is_some() => {
            return Err(Failure("--target chooses a program of --project".to_owned()));
        }
        (None, files) if is_recorded(files) => {
            let file = &files[0];
            let record = build_records::read(file).map_err(Failure)?;
            Project::of_record(file, &record)
        }
        (None, _) => return Ok(None),
    };
    let selection = Selection { target: start.target.as_deref(), entry: start.entry.as_deref(), flags: &start.flags };
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
