//! `effigy.toml`: what `effigy run` and `effigy bmc` take where no file is named.
//!
//! Knows: the keys of the file, and the flags that they stand for. Never: what a flag does.

use crate::Failure;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The name of the file, in the current directory or one above it.
const NAME: &str = "effigy.toml";

/// A configuration has no more bytes. Chosen without measuring.
const LARGEST: u64 = 1 << 20;

/// The whole file. Paths are relative to its folder.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ProjectConfig {
    /// The build, as `--project` names it.
    project: Option<PathBuf>,
    /// Flags for the compiler.
    flags: Vec<String>,
    /// The file of known bugs, as `--baseline` names it.
    baseline: Option<PathBuf>,
    limits: ConfiguredLimits,
    /// What can be run, by the names for `--target`.
    target: BTreeMap<String, ConfiguredTarget>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ConfiguredLimits {
    max_time: Option<String>,
    max_memory: Option<u64>,
    solver_timeout: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ConfiguredTarget {
    /// The files of the program, where it is not one of the project.
    files: Vec<PathBuf>,
    /// A program of the project, as `--target` names it there.
    program: Option<String>,
    /// Functions to start at, one after the other.
    entry: Vec<String>,
    /// More flags for the compiler.
    flags: Vec<String>,
    /// More flags of effigy, as they are typed.
    options: Vec<String>,
}

/// The words of a command without files, with what the configuration says. `None` where there is no configuration.
///
/// # Errors
/// When it cannot be read, or has no such target.
pub(crate) fn expanded(words: &[OsString]) -> Result<Option<Vec<OsString>>, Failure> {
    let Some(command @ ("run" | "bmc")) = words.get(1).and_then(|it| it.to_str()) else { return Ok(None) };
    let Ok(here) = std::env::current_dir() else { return Ok(None) };
    let Some(folder) = here.ancestors().find(|it| it.join(NAME).is_file()) else { return Ok(None) };
    let path = folder.join(NAME);
    // Below the folder a path begins with `..`, so that reports name files as the user does.
    let up: PathBuf = here.strip_prefix(folder).unwrap_or(Path::new("")).components().map(|_| "..").collect();
    let config = read(&path, &up.join(NAME))?;
    config.words(command, &words[2..], &up).map(|it| Some([&words[..2], &it[..]].concat()))
}

fn read(path: &Path, shown: &Path) -> Result<ProjectConfig, Failure> {
    use std::io::Read;
    let failed = |what: &dyn std::fmt::Display| Failure(format!("{}: {what}", shown.display()));
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| failed(&error))?;
    file.take(LARGEST).read_to_string(&mut text).map_err(|error| failed(&error))?;
    toml::from_str(&text).map_err(|error| failed(&error.to_string().trim_end()))
}

impl ProjectConfig {
    /// The typed words after the command, with those of the configuration among them. What is typed wins.
    fn words(&self, command: &str, typed: &[OsString], up: &Path) -> Result<Vec<OsString>, Failure> {
        let end = typed.iter().position(|it| it == "--").unwrap_or(typed.len());
        let (own, flags) = typed.split_at(end);
        let (name, mut res) = without_target(own);
        let target = self.target(command, name.as_deref())?;
        let is_typed = |flag: &str| {
            let rest = |it: &OsString| it.to_str().and_then(|it| it.strip_prefix(flag)).map(str::to_owned);
            own.iter().filter_map(rest).any(|it| it.is_empty() || it.starts_with('='))
        };
        let mut add = |flag: &str, value: Option<OsString>| {
            if let Some(value) = value.filter(|_| !is_typed(flag)) {
                res.extend([OsString::from(flag), value]);
            }
        };
        let limits = &self.limits;
        add("--max-time", limits.max_time.as_ref().map(Into::into));
        add("--max-memory", limits.max_memory.map(|it| it.to_string().into()));
        add("--solver-timeout", limits.solver_timeout.as_ref().map(Into::into));
        add("--baseline", self.baseline.as_ref().map(|it| up.join(it).into()));
        match target.files.is_empty() {
            true => {
                add("--project", self.project.as_ref().map(|it| up.join(it).into()));
                // The typed name was taken out of the words: it may name a target of the configuration.
                let program = target.program.as_ref().or(name.as_ref().filter(|_| self.target.is_empty()));
                program.iter().for_each(|it| res.extend(["--target".into(), OsString::from(it)]));
            }
            false => res.extend(target.files.iter().map(|it| up.join(it).into())),
        }
        if !is_typed("--entry") && !is_typed("--entries") {
            target.entry.iter().for_each(|it| res.extend(["--entry".into(), OsString::from(it)]));
        }
        res.extend(target.options.iter().map(Into::into));
        let all: Vec<&String> = self.flags.iter().chain(&target.flags).collect();
        if !all.is_empty() || !flags.is_empty() {
            res.push("--".into());
            res.extend(all.into_iter().map(Into::into));
            res.extend(flags.iter().skip(1).cloned());
        }
        Ok(res)
    }

    /// The target of this name, or the only one.
    fn target(&self, command: &str, name: Option<&str>) -> Result<&ConfiguredTarget, Failure> {
        static OF_THE_PROJECT: ConfiguredTarget = ConfiguredTarget {
            files: Vec::new(),
            program: None,
            entry: Vec::new(),
            flags: Vec::new(),
            options: Vec::new(),
        };
        let names =
            || self.target.keys().map(|it| format!("  effigy {command} --target {it}")).collect::<Vec<_>>().join("\n");
        match (name, self.target.len()) {
            (_, 0) if self.project.is_some() => Ok(&OF_THE_PROJECT),
            (_, 0) => Err(Failure(format!("{NAME}: a `project` or a `[target.NAME]` with files was expected"))),
            (None, 1) => self.target.values().next().ok_or_else(|| Failure(format!("{NAME}: there is no target"))),
            (None, _) => Err(Failure(format!("{NAME} has {} targets; choose one:\n{}", self.target.len(), names()))),
            (Some(name), _) => {
                let found = self.target.get(name);
                found.ok_or_else(|| Failure(format!("{NAME}: there is no target `{name}`; there are:\n{}", names())))
            }
        }
    }
}

/// The value of `--target`, and the words without it.
fn without_target(words: &[OsString]) -> (Option<String>, Vec<OsString>) {
    const FLAG: &str = "--target";
    let (mut name, mut res) = (None, Vec::new());
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let joined = word.to_str().and_then(|it| it.strip_prefix(FLAG)?.strip_prefix('='));
        if word == OsStr::new(FLAG) {
            name = rest.next().and_then(|it| it.to_str()).map(str::to_owned);
        } else if let Some(joined) = joined {
            name = Some(joined.to_owned());
        } else {
            res.push(word.clone());
        }
    }
    (name, res)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(config: &str, typed: &str) -> Result<String, String> {
        let config: ProjectConfig = toml::from_str(config).map_err(|it| it.to_string())?;
        let typed: Vec<OsString> = typed.split_whitespace().map(Into::into).collect();
        let words = config.words("run", &typed, Path::new("..")).map_err(|it| it.0)?;
        Ok(words.iter().map(|it| it.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" "))
    }

    const TWO: &str = "flags = ['-DX']\nbaseline = 'known.json'\nlimits.max-time = '10s'\n\
                       [target.lex]\nfiles = ['lex.c']\nentry = ['lex', 'skip']\n\
                       [target.tool]\nprogram = 'tool'\noptions = ['--sym-stdin', '4']\nflags = ['-DY']\n";

    #[test]
    fn mutants_of_configurations_are_words_or_errors() {
        let project = "project = \"build\"\nlimits = { max-memory = 512, solver-timeout = '1s' }\n";
        let syntax = ["'''", "[[target.x]]", "#", "= {", "a.b.c", "1979-05-27", "\\u0000", "true"];
        effigy_testing::reader_trial::try_reader("effigy.toml", [TWO, project], &syntax, |text| {
            let Ok(text) = std::str::from_utf8(text) else { return };
            for typed in ["", "--target lex -- -DZ"] {
                if let Err(what) = words(text, typed) {
                    assert!(!what.is_empty());
                }
            }
        });
    }

    #[test]
    fn a_target_is_its_files_and_entries() {
        let expected = "--max-time 10s --baseline ../known.json ../lex.c --entry lex --entry skip -- -DX";
        assert_eq!(words(TWO, "--target lex").as_deref(), Ok(expected));
    }

    #[test]
    fn what_is_typed_wins() {
        let expected = "--max-time=1s --entry skip --baseline ../known.json ../lex.c -- -DX -DZ";
        assert_eq!(words(TWO, "--target=lex --max-time=1s --entry skip -- -DZ").as_deref(), Ok(expected));
        let project = format!("project = 'build'\n{TWO}");
        let expected =
            "--max-time 10s --baseline ../known.json --project ../build --target tool --sym-stdin 4 -- -DX -DY";
        assert_eq!(words(&project, "--target tool").as_deref(), Ok(expected));
    }

    #[test]
    fn a_project_needs_no_target() {
        assert_eq!(words("project = 'build'", "--target prog").as_deref(), Ok("--project ../build --target prog"));
    }

    #[test]
    fn errors_say_what_there_is() {
        assert!(words(TWO, "").is_err_and(|it| it.contains("--target lex") && it.contains("--target tool")));
        assert!(words(TWO, "--target x").is_err_and(|it| it.contains("no target `x`")));
        assert!(words("", "").is_err_and(|it| it.contains("`project`")));
        assert!(words("project = 3", "").is_err_and(|it| it.contains("line 1")));
        assert!(words("tagret = 3", "").is_err_and(|it| it.contains("tagret")));
    }
}
