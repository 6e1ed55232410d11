//! The manifest `effigy.json` in the folder of a run, from which `effigy replay` builds the program again.
//!
//! Knows: how the program was built and called. Never: what came of the run.

use crate::Failure;
use crate::args::StartArgs;
use crate::frontend::About;
use effigy_llvm::driver::{CompileUnit, Driven};
use effigy_llvm::surroundings::Surroundings;
use effigy_report::checksum;
use effigy_report::damage::parse_json;
use effigy_report::folder::Folder;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How the program of a run was built and called.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunManifest {
    /// The name of the language.
    #[serde(default)]
    pub(crate) language: String,
    /// The files of the program, absolute.
    pub(crate) files: Vec<PathBuf>,
    /// The flags that clang is given for each of them, where they were named on the command line.
    pub(crate) flags: Vec<String>,
    /// The files of a project, absolute, each with its own flags and directory; empty where they were named on the command
    /// line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) units: Vec<CompileUnit>,
    /// Flags for the linker of a project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) link: Vec<String>,
    /// What it is started with.
    #[serde(default)]
    pub(crate) surroundings: Surroundings,
    /// The directory in which the compiler ran.
    pub(crate) directory: PathBuf,
    /// The C program that calls the entry, if it is not main.
    pub(crate) harness: Option<String>,
    /// The program that calls the entry in the place of a file.
    #[serde(default)]
    pub(crate) driven: Option<Driven>,
    /// The arguments of the command, for a resumed run; none if they are not text.
    #[serde(default)]
    pub(crate) command: Vec<String>,
    /// The fingerprint of the program's source.
    #[serde(default)]
    pub(crate) fingerprint: Option<u64>,
    /// The build of effigy ([`crate::build_identity`]), for a run that another session can resume.
    #[serde(default)]
    pub(crate) build: Option<String>,
}

impl RunManifest {
    /// The mark of a folder.
    pub(crate) fn read(folder: &Path) -> Result<RunManifest, Failure> {
        let text = Folder::mark(folder).map_err(Failure::of)?;
        let read = checksum::check(text.as_bytes()).and_then(|()| parse_json(text.as_bytes()));
        read.map_err(|error| Failure(format!("{}/effigy.json:{error}", folder.display())))
    }

    /// The folder of a run: `out`, where the user says one; else a new one, to which `effigy-out` leads.
    pub(crate) fn folder(&self, out: Option<&Path>) -> Result<Folder, Failure> {
        let text = checksum::sealed(serde_json::to_vec_pretty(self).map_err(Failure::of)?);
        let text = String::from_utf8(text).map_err(Failure::of)?;
        let folder = match out {
            Some(path) => Folder::create(path, &text),
            None => Folder::create_next(Path::new(""), &text),
        };
        folder.map_err(Failure::of)
    }

    /// The files of the program, each with its flags.
    pub(crate) fn units(&self) -> Vec<CompileUnit> {
        if self.units.is_empty() { CompileUnit::all(&self.files, &self.flags) } else { self.units.clone() }
    }

    pub(crate) fn new(start: &StartArgs, about: &About, fingerprint: u64) -> RunManifest {
        let absolute = |it: &PathBuf| std::path::absolute(it).unwrap_or_else(|_| it.clone());
        let native = about.native.clone().unwrap_or_default();
        let mut files: Vec<PathBuf> = start.files.iter().map(absolute).collect();
        let mut flags = start.flags.clone();
        let mut units: Vec<CompileUnit> = native.units.iter().map(CompileUnit::absolute).collect();
        if units.iter().any(|it| it.directory.is_some()) {
            files = units.iter().map(|it| it.file.clone()).collect();
            // They are among those of each file.
            flags.clear();
        } else {
            units.clear();
        }
        RunManifest {
            language: about.language.to_owned(),
            files,
            flags,
            units,
            link: native.link,
            surroundings: native.surroundings,
            directory: std::env::current_dir().unwrap_or_default(),
            harness: native.harness,
            driven: native.driven,
            command: std::env::args_os()
                .skip(1)
                .map(|it| it.into_string())
                .collect::<Result<_, _>>()
                .unwrap_or_default(),
            fingerprint: Some(fingerprint),
            build: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_testing::reader_trial::try_reader;

    /// The mark of a folder, without its checksum.
    const MARK: &str = r#"{
  "language": "llvm",
  "files": ["/work/a.c"],
  "flags": ["-O0"],
  "units": [{"file": "/work/a.c", "flags": ["-DX"], "directory": "/work/build"}],
  "link": ["-lz"],
  "surroundings": {"arguments": [{"Text": "a"}, {"Symbolic": 3}], "stdin": 4, "files": [], "variables": [], "exact": true},
  "directory": "/work",
  "harness": null,
  "driven": null,
  "command": ["run", "a.c", "--jobs", "1"],
  "fingerprint": 7,
  "build": "575ef8d"
}"#;

    #[test]
    fn mutants_of_the_mark_are_read_or_refused_with_its_name() {
        let folder = std::env::temp_dir().join(format!("effigy-mark-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let own = folder.clone();
        try_reader("mark", [MARK], &["null", "true", "{}", "[]", "\\u0000"], move |text| {
            std::fs::write(own.join("effigy.json"), text).expect("a file can be written");
            if let Err(error) = RunManifest::read(&own) {
                assert!(error.0.contains("effigy.json"), "{}", error.0);
            }
        });
        let _ = std::fs::remove_dir_all(folder);
    }
}
