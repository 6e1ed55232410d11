//! The build: cargo's own, with a whole program for each target that has tests.
//!
//! Knows: cargo's command line and messages. Never: rustc's (`compiler`).

use super::Harness;
use super::compiler::{NATIVE, VARIABLE};
use super::harness_crates::{self, Values};
use crate::Failure;
use crate::args::CargoSelection;
use effigy_llvm::harnesses::{self, HarnessKind, HarnessRecord};
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// The profile under which crates are built, as `--config` gives it: that of development, with all checks, and bodies that
/// are kept for the whole program.
const PROFILE: [&str; 10] = [
    "profile.effigy.inherits=\"dev\"",
    "profile.effigy.opt-level=0",
    "profile.effigy.package.\"*\".opt-level=0",
    "profile.effigy.lto=\"fat\"",
    "profile.effigy.codegen-units=1",
    "profile.effigy.debug=2",
    "profile.effigy.overflow-checks=true",
    "profile.effigy.debug-assertions=true",
    "profile.effigy.incremental=false",
    "profile.effigy.strip=\"none\"",
];

/// The folder of a package, the name of a crate, and whether that is the library.
pub(super) type TargetId = (PathBuf, String, bool);

/// A target with tests, which was built.
#[derive(Debug)]
pub(super) struct BuiltTarget {
    /// Its executable, as cargo calls it: beside it is its whole program.
    executable: PathBuf,
    /// The package's folder.
    folder: PathBuf,
    /// Whether it is the library.
    is_library: bool,
    /// The name of its crate.
    name: String,
}

/// Cargo's `test` for what is selected, with the crates of harnesses. `build` says for what.
fn cargo_test(selection: &CargoSelection, values: Values) -> Result<Command, Failure> {
    if let Some(other) = std::env::var_os(WRAPPER) {
        return Err(Failure(format!("{WRAPPER} is set to {}: only one can be", other.display())));
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let folder = match &selection.target_dir {
        Some(it) => std::path::absolute(it).map_err(Failure::of)?,
        None => target_folder(&cargo, selection)?.join("effigy"),
    };
    std::fs::create_dir_all(&folder).map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    let version = rustc_version()?;
    let host = || version.lines().find_map(|it| it.strip_prefix("host: "));
    let target = selection.target.as_deref().or_else(host);
    let target = target.ok_or_else(|| Failure("`rustc -vV` names no host: say --target".to_owned()))?;
    let crates = harness_crates::compiled(&folder, (target, &version), values)?;
    if values == Values::Any {
        // Where cargo puts what it builds for this target under this profile.
        forget_other_builds(&folder.join(target).join("effigy"), &crates)?;
    }
    let own = std::env::current_exe().map_err(|error| Failure(format!("effigy does not find itself: {error}")))?;
    let mut command = Command::new(cargo);
    command.args(["test", "--target", target, "--target-dir"]);
    match values {
        Values::Any => command.arg(&folder),
        Values::Recorded => command.arg(folder.join("native")).env(NATIVE, "1"),
        Values::OfTests => command.arg(folder.join("playback")).env(NATIVE, "1"),
    };
    command.args(selection.words()).env(WRAPPER, own).env(VARIABLE, &crates).stdin(Stdio::null());
    if !selection.lib && selection.test.is_empty() && selection.bin.is_empty() {
        command.arg("--tests");
    }
    Ok(command)
}

/// Cargo does not know with which flags this command calls rustc: what another version of it has built in this folder
/// is built again.
fn forget_other_builds(folder: &Path, crates: &Path) -> Result<(), Failure> {
    let io = |error: std::io::Error| Failure(format!("{}: {error}", folder.display()));
    let mark = folder.join("built-with");
    let own = crates.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match std::fs::read_to_string(&mark) {
        Ok(built_with) if built_with == own => return Ok(()),
        // What has no mark is not ours to remove.
        Ok(_) => std::fs::remove_dir_all(folder).map_err(io)?,
        Err(_) => {}
    }
    std::fs::create_dir_all(folder).map_err(io)?;
    std::fs::write(&mark, own).map_err(io)
}

/// Runs a `cargo test` that is to build only, and hears of the targets with tests, libraries first. `None` where the
/// build fails: cargo has said why.
fn built(mut command: Command, quiet: bool) -> Result<Option<Vec<BuiltTarget>>, Failure> {
    command.args(["--no-run", "--message-format=json-render-diagnostics"]).stdout(Stdio::piped());
    if quiet {
        command.arg("--quiet");
    }
    let mut child = command.spawn().map_err(|error| Failure(format!("cargo could not be started: {error}")))?;
    let mut targets = Vec::new();
    if let Some(messages) = child.stdout.take() {
        for line in BufReader::new(messages).lines() {
            let line = line.map_err(|error| Failure(format!("cargo's messages: {error}")))?;
            targets.extend(BuiltTarget::of_message(&line));
        }
    }
    let status = child.wait().map_err(|error| Failure(format!("cargo: {error}")))?;
    targets.sort_by_key(|it| !it.is_library);
    Ok(status.success().then_some(targets))
}

/// Builds what is selected as whole programs.
pub(super) fn build(selection: &CargoSelection, quiet: bool) -> Result<Option<Vec<BuiltTarget>>, Failure> {
    let mut command = cargo_test(selection, Values::Any)?;
    command.arg("--profile=effigy");
    for setting in PROFILE {
        command.args(["--config", setting]);
    }
    built(command, quiet)
}

/// Builds what is selected as native tests.
pub(super) fn build_native(selection: &CargoSelection, quiet: bool) -> Result<Option<Vec<BuiltTarget>>, Failure> {
    built(cargo_test(selection, Values::Recorded)?, quiet)
}

/// `cargo test` with the crates of harnesses, so that counterexamples which were written as tests are run.
pub(super) fn playback(selection: &CargoSelection, words: &[String]) -> Result<std::process::ExitStatus, Failure> {
    let mut command = cargo_test(selection, Values::OfTests)?;
    command.arg("--").args(words);
    command.status().map_err(|error| Failure(format!("cargo could not be started: {error}")))
}

impl BuiltTarget {
    /// The target of which a line of cargo's messages says that it was built.
    fn of_message(line: &str) -> Option<BuiltTarget> {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
            return None;
        }
        let executable = PathBuf::from(message["executable"].as_str()?);
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
        let kinds = message["target"]["kind"].as_array()?;
        let is_library = kinds.iter().any(|it| it.as_str().is_some_and(|it| it.ends_with("lib")));
        let name = message["target"]["name"].as_str()?.replace('-', "_");
        Some(BuiltTarget { executable, folder, is_library, name })
    }

    /// The native test program.
    pub(super) fn executable(&self) -> &Path {
        &self.executable
    }

    /// Which target of which package it is: the same in each build.
    pub(super) fn id(&self) -> TargetId {
        (self.folder.clone(), self.name.clone(), self.is_library)
    }

    /// The harnesses of the target. What they use of its program is written beside it, as far as it is older.
    pub(super) fn harnesses(&self) -> Result<Vec<Harness>, Failure> {
        let path = &self.executable.with_extension("ll");
        if !path.is_file() {
            // A macro, or a target that brings what runs its tests.
            return Ok(Vec::new());
        }
        let io = |error: std::io::Error| Failure(format!("{}: {error}", path.display()));
        let name = path.display().to_string();
        let records = |text: &[u8]| harnesses::find(&name, text).map_err(Failure::of);
        let used = path.with_extension("harnesses.ll");
        let modified = |path: &Path| std::fs::metadata(path).and_then(|it| it.modified()).ok();
        let is_new = modified(&used).zip(modified(path)).is_some_and(|(used, whole)| used > whole);
        let found = if is_new {
            records(&std::fs::read(&used).map_err(io)?)?
        } else {
            let text = std::fs::read(path).map_err(io)?;
            let found = records(&text)?;
            let wanted = found.iter().flat_map(|it| [it.symbol.as_str(), it.record.as_str()]).collect();
            std::fs::write(&used, effigy_llvm::reachable::from(&text, &wanted)).map_err(io)?;
            found
        };
        let mut res: Vec<Harness> = Vec::new();
        // The harnesses of other crates belong to these.
        let is_own = |it: &HarnessRecord| it.name.split("::").next() == Some(&*self.name);
        for record in found.into_iter().filter(is_own) {
            let known = res.iter_mut().find(|it| it.symbol == record.symbol);
            let harness = match known {
                Some(it) => it,
                None => {
                    res.push(Harness {
                        name: record.name,
                        library: record.library,
                        file: record.file,
                        line: record.line,
                        should_panic: false,
                        refused: None,
                        symbol: record.symbol,
                        program: used.clone(),
                        target: self.id(),
                    });
                    let last = res.len() - 1;
                    &mut res[last]
                }
            };
            match record.kind {
                HarnessKind::Proof => {}
                HarnessKind::ShouldPanic => harness.should_panic = true,
                HarnessKind::Refused(what) => harness.refused = Some(what),
            }
        }
        Ok(res)
    }
}

/// What `rustc -vV` says: a compiler is another one when that is another text.
fn rustc_version() -> Result<String, Failure> {
    let output = Command::new(harness_crates::rustc()).arg("-vV").output();
    let output = output.map_err(|error| Failure(format!("rustc could not be started: {error}")))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The folder into which cargo builds.
fn target_folder(cargo: &OsString, selection: &CargoSelection) -> Result<PathBuf, Failure> {
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version=1", "--no-deps"]);
    if let Some(path) = &selection.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    let output = command.output().map_err(|error| Failure(format!("cargo could not be started: {error}")))?;
    if !output.status.success() {
        return Err(Failure(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(Failure::of)?;
    let folder = metadata["target_directory"].as_str();
    folder.map(PathBuf::from).ok_or_else(|| Failure("`cargo metadata` names no target folder".to_owned()))
}
