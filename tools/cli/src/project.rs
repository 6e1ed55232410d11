//! `--project`: a program of a build, instead of files that are named on the command line.
//!
//! Knows: how a build is named, what is printed while it is compiled. Never: which files make a program
//! (`effigy_llvm::driver::project`).

use crate::Failure;
use crate::args::StartArgs;
use effigy_llvm::driver::project::{Project, ProjectProgram, Selection};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Whether the only file is a program or an archive that `effigy cc` has linked.
pub(crate) fn is_recorded(files: &[PathBuf]) -> bool {
    let _ = files;
    false
}

/// The program of the build that the user names, compiled; `None` where files are named.
pub(crate) fn program(start: &StartArgs) -> Result<Option<ProjectProgram>, Failure> {
    let Some(path) = &start.project else {
        return match &start.target {
            Some(_) => Err(Failure("--target chooses a program of --project".to_owned())),
            None => Ok(None),
        };
    };
    if let Some(file) = start.files.first() {
        let file = file.display();
        return Err(Failure(format!("{file}: --project names the files of the program; no file is named beside it")));
    }
    let project = Project::of_database(path).map_err(Failure::of)?;
    let selection =
        Selection { target: start.target.as_deref(), entry: start.entry.as_deref(), flags: &start.flags };
    let program = project.program(&selection).map_err(Failure::of)?;
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
