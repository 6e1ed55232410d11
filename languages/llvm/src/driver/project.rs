//! Programs of a build: which of its files make one program, each compiled with its own flags in its own directory.
//!
//! Knows: what a build tells of its files (a compilation database, records of `effigy cc`), which files define and need
//! which names. Never: how the program is walked.
//!
//! A compilation database does not say which objects are linked together. A program is the file with its `main` (or the
//! function that it starts at) and all files of that file's target, if the build system names one, as a linker takes all
//! objects; and of the other files those that define what is missing, as a linker takes members of an archive.

mod archive;
mod compiler_check;
mod database;
mod flags;
mod record;
mod selection;
mod shell_words;
mod symbols;

pub use archive::{ArchiveMember, is_archive, members};
pub use database::{BuildTarget, CompileCommand, LARGEST_DATABASE, build_target, expanded, read_database};
pub use flags::{KeptFlags, kept_flags, takes_value};
pub use record::{LinkRecord, RecordedSource, read_record};
pub use selection::{ProjectProgram, Selection};
pub use shell_words::shell_words;
pub(super) use symbols::LinkerSymbols;

use super::unit::{from, normalized};
use super::{CompileUnit, Kind, clang};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Why no program was found in a build.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProjectError {
    /// The description of the build cannot be read.
    #[error("{path}:{what}")]
    Unreadable {
        /// The file with the description.
        path: PathBuf,
        /// The place in it, and what is wrong there.
        what: String,
    },
    /// The build compiles nothing in C or C++.
    #[error("{0}: no entry is of a C or C++ file")]
    NoSources(PathBuf),
    /// Several programs could be meant.
    #[error("{what}; choose one with --target:\n{}", listed(candidates))]
    Several {
        /// What several files have.
        what: String,
        /// The values for `--target`, each with its file.
        candidates: Vec<(String, PathBuf)>,
    },
    /// Nothing has the name of the wanted target.
    #[error("--target {name}: nothing in the project is called so{}", hint(candidates))]
    NoTarget {
        /// The name that was asked for.
        name: String,
        /// The values for `--target`, each with its file.
        candidates: Vec<(String, PathBuf)>,
    },
    /// The target has files, and none of them has a `main`.
    #[error("no file of {what} defines main; start at one of its functions with --entry{}", hint(candidates))]
    NoMain {
        /// The target or the project.
        what: String,
        /// The values for `--target` that have one, each with its file.
        candidates: Vec<(String, PathBuf)>,
    },
    /// No file defines the function.
    #[error("--entry {name}: no file of the project defines this function{why}")]
    NoEntry {
        /// The function that was asked for.
        name: String,
        /// A file that could not be compiled, where there is one.
        why: String,
    },
    /// A file that belongs to the program cannot be compiled.
    #[error("{file}: this file of the program cannot be compiled with the flags of its build:\n{said}")]
    Uncompiled {
        /// The file that was compiled.
        file: PathBuf,
        /// What the compiler said, or why it did not run.
        said: String,
    },
}

/// The candidates for `--target`, a line each.
fn listed(candidates: &[(String, PathBuf)]) -> String {
    /// More are not shown. Chosen without measuring.
    const MOST: usize = 30;
    let width = candidates.iter().take(MOST).map(|it| it.0.chars().count()).max().unwrap_or(0);
    let line = |it: &(String, PathBuf)| {
        let line = format!("  --target {:width$}  {}", it.0, it.1.display());
        line.trim_end().to_owned()
    };
    let mut lines: Vec<String> = candidates.iter().take(MOST).map(line).collect();
    if candidates.len() > MOST {
        lines.push(format!("  and {} more", candidates.len() - MOST));
    }
    lines.join("\n")
}

fn hint(candidates: &[(String, PathBuf)]) -> String {
    if candidates.is_empty() { String::new() } else { format!("; programs of the project:\n{}", listed(candidates)) }
}

/// What a linker does with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// It may be part of a program: which one is not known.
    Unknown,
    /// It is an object of the program.
    Object,
    /// It is a member of a library of the program, and part of it if something else needs it.
    Member,
}

/// A file of a build.
#[derive(Clone, Debug)]
struct ProjectFile {
    unit: CompileUnit,
    target: Option<BuildTarget>,
    role: Role,
    /// Flags of the build that were left out.
    dropped: Vec<String>,
}

impl ProjectFile {
    /// `None` for a file that is neither C nor C++.
    fn new(command: &CompileCommand, role: Role, here: &Path) -> Option<ProjectFile> {
        let arguments = expanded(&command.arguments, &command.directory);
        let file = normalized(&here.join(&command.file));
        let KeptFlags { kept, dropped } = kept_flags(&arguments, &file);
        let directory = normalized(&here.join(&command.directory));
        let unit = CompileUnit { file: from(here, &file), flags: kept, directory: Some(directory) };
        if !matches!(unit.kind(), Ok(Kind::C | Kind::Cpp)) {
            return None;
        }
        Some(ProjectFile { unit, target: command.output.as_deref().and_then(build_target), role, dropped })
    }
}

/// A build: its files in C and C++, and what is known of how they are linked.
#[derive(Clone, Debug)]
pub struct Project {
    /// The file that describes the build.
    path: PathBuf,
    files: Vec<ProjectFile>,
    /// Sources in other languages, of which nothing is compiled.
    foreign: Vec<PathBuf>,
    /// Flags for the linker of the native program.
    link: Vec<String>,
}

impl Project {
    /// The build that a compilation database describes: `path` is the database, or a folder with one in it or in its
    /// folder `build`.
    ///
    /// # Errors
    /// When there is no database, or it is damaged.
    pub fn of_database(path: &Path) -> Result<Project, ProjectError> {
        let unreadable = |path: &Path, what: String| ProjectError::Unreadable { path: path.to_owned(), what };
        let path = database_in(path).map_err(|what| unreadable(path, format!(" {what}")))?;
        let io = |error: std::io::Error| unreadable(&path, format!(" {error}"));
        // A device or a pipe has no length.
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&path).map_err(io)?;
        file.take(LARGEST_DATABASE + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > LARGEST_DATABASE {
            let most = LARGEST_DATABASE >> 20;
            return Err(unreadable(&path, format!(" a database has at most {most} MB, and this file has more")));
        }
        let here = std::env::current_dir().map_err(io)?;
        let folder = here.join(path.parent().unwrap_or(Path::new("")));
        let commands = read_database(&bytes, &folder).map_err(|what| unreadable(&path, what))?;
        let mut res = Project { path, files: Vec::new(), foreign: Vec::new(), link: Vec::new() };
        res.add(&commands, Role::Unknown, &here);
        res.checked()
    }

    /// The build of a program or an archive that `effigy cc` has linked, by the records that it wrote.
    ///
    /// # Errors
    /// When the record is damaged, or names no source.
    pub fn of_record(path: &Path, record: &LinkRecord) -> Result<Project, ProjectError> {
        let here = std::env::current_dir().unwrap_or_default();
        let mut res =
            Project { path: path.to_owned(), files: Vec::new(), foreign: Vec::new(), link: record.link.clone() };
        for source in &record.sources {
            let role = if source.is_member { Role::Member } else { Role::Object };
            res.add(std::slice::from_ref(&source.command()), role, &here);
        }
        res.checked()
    }

    fn add(&mut self, commands: &[CompileCommand], role: Role, here: &Path) {
        for command in commands {
            match ProjectFile::new(command, role, here) {
                Some(file) => self.files.push(file),
                None => self.foreign.push(from(here, &command.file)),
            }
        }
    }

    fn checked(self) -> Result<Project, ProjectError> {
        if self.files.is_empty() { Err(ProjectError::NoSources(self.path)) } else { Ok(self) }
    }
}

/// The database that a user means: the file itself, or the one of a folder.
fn database_in(path: &Path) -> Result<PathBuf, String> {
    const NAME: &str = "compile_commands.json";
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let places = [path.join(NAME), path.join("build").join(NAME)];
    let found = places.iter().find(|it| it.is_file());
    found.cloned().ok_or_else(|| {
        format!(
            "there is no {NAME} in this folder; `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `meson setup` and \
             `bear -- make` write one"
        )
    })
}

/// Makes a command of the user's own clang, for `effigy cc`.
///
/// # Errors
/// When there is none.
pub fn real_compiler(is_cpp: bool) -> Result<std::process::Command, super::DriverError> {
    let mut command = std::process::Command::new(clang()?);
    if is_cpp {
        command.arg("--driver-mode=g++");
    }
    Ok(command)
}
