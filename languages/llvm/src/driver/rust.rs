//! rustc, and how much of a program it leaves for us to see.
//!
//! Knows: the flags that decide which bugs are still there. Never: clang.

use super::{DriverError, ending_with_us, io};
use std::path::Path;
use std::process::Command;

/// What makes a whole program of a crate: one module with the bodies of all that it uses of the standard library and of
/// other crates. LLVM's optimiser takes away what is undefined (a use after free, a double free, an uninitialised read):
/// it does not run. At level 0 rustc would not say which values a `bool` or an enumeration has.
pub const WHOLE_PROGRAM: [&str; 8] = [
    "-g",
    "-Copt-level=1",
    "-Clto=fat",
    "-Cembed-bitcode=yes",
    "-Ccodegen-units=1",
    "-Cpanic=abort",
    "-Coverflow-checks=on",
    "-Cdebug-assertions=on",
];

/// LLVM's optimiser does not run.
pub const NO_LLVM_PASSES: &str = "-Cno-prepopulate-passes";

/// No machine code is made, and nothing linked: the text is there before.
pub const NO_CODE: [&str; 2] = ["-Cllvm-args=-stop-before=atomic-expand", "-Clinker=true"];

/// Compiles a file and what it uses of the standard library, with all of rustc's checks on, and without an optimiser
/// unless the user asks for a level.
pub(super) fn run_rustc(file: &Path, flags: &[String], output: &Path) -> Result<(), DriverError> {
    // What rustc writes on its way is called after the crate: each compilation has a folder of its own.
    let folder = output.with_extension("rustc");
    std::fs::create_dir_all(&folder).map_err(io(&folder))?;
    let mut command = Command::new("rustc");
    command.arg(crate_type(file)?).args(["--crate-name=program", "--edition=2024", "-Awarnings"]).args(NO_CODE);
    command.args(WHOLE_PROGRAM);
    if RustLevel::of(flags).optimised.is_none() {
        command.arg(NO_LLVM_PASSES);
    }
    command.arg("--emit=llvm-ir,link").arg("--out-dir").arg(&folder);
    run_compiler_of_rust(command.args(flags).arg(file))?;
    let written = folder.join("program.ll");
    std::fs::rename(&written, output).map_err(io(&written))
}

/// A program has a `main`; a library has functions with names for the linker, of which others would not be kept.
fn crate_type(file: &Path) -> Result<&'static str, DriverError> {
    let text = std::fs::read_to_string(file).map_err(io(file))?;
    let has_main = text.lines().any(|it| it.trim_start().starts_with("fn main("));
    let is_program = has_main && !text.contains("no_mangle");
    Ok(if is_program { "--crate-type=bin" } else { "--crate-type=cdylib" })
}

pub(super) fn run_compiler_of_rust(command: &mut Command) -> Result<(), DriverError> {
    let result = ending_with_us(command).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => DriverError::NoRustc,
        _ => DriverError::Compile(format!("rustc could not be started: {error}")),
    })?;
    if result.status.success() {
        return Ok(());
    }
    Err(DriverError::Compile(String::from_utf8_lossy(&result.stderr).trim_end().to_owned()))
}

/// What of a Rust program is there to be looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RustLevel {
    /// The user's own level, at which LLVM's optimiser ran: `-Copt-level=3`.
    pub optimised: Option<String>,
    /// A sum that overflows panics.
    pub overflow_checks: bool,
    /// `debug_assert!` and the standard library's checks of what `unsafe` code promises.
    pub debug_assertions: bool,
}

impl RustLevel {
    /// What the user's flags leave of it: the last word counts.
    pub fn of(flags: &[String]) -> RustLevel {
        let mut res = RustLevel { optimised: None, overflow_checks: true, debug_assertions: true };
        let mut flags = flags.iter().map(String::as_str);
        while let Some(flag) = flags.next() {
            let codegen = match flag.strip_prefix("-C").or_else(|| flag.strip_prefix("--codegen=")) {
                Some("") => flags.next(),
                None if flag == "--codegen" => flags.next(),
                other => other,
            };
            let (name, value) = match codegen.map(|it| it.split_once('=').unwrap_or((it, "yes"))) {
                None if flag == "-O" => ("opt-level", "3"),
                None => continue,
                Some(it) => it,
            };
            let is_on = matches!(value, "y" | "yes" | "on" | "true");
            match name.replace('_', "-").as_str() {
                "opt-level" => res.optimised = (value != "0").then(|| format!("-Copt-level={value}")),
                "overflow-checks" => res.overflow_checks = is_on,
                "debug-assertions" => res.debug_assertions = is_on,
                _ => {}
            }
        }
        res
    }

    /// It in a sentence.
    pub fn remark(&self) -> String {
        let mut res = match &self.optimised {
            None => "compiled by rustc without LLVM's optimiser".to_owned(),
            Some(level) => {
                format!("compiled by rustc with {level}: a bug in what the optimiser has removed is not found")
            }
        };
        let without = [("overflow checks", self.overflow_checks), ("debug assertions", self.debug_assertions)];
        let without: Vec<&str> = without.iter().filter(|it| !it.1).map(|it| it.0).collect();
        res.push_str(match (self.optimised.is_some(), without.is_empty()) {
            (false, true) => ", with overflow checks and debug assertions",
            (true, true) => "; overflow checks and debug assertions are on",
            (_, false) => "",
        });
        if !without.is_empty() {
            res.push_str(&format!("; {} are off, and what they find is not found", without.join(" and ")));
        }
        res
    }
}

#[cfg(test)]
mod tests {
    use super::RustLevel;

    fn remark(flags: &str) -> String {
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        RustLevel::of(&flags).remark()
    }

    #[test]
    fn the_users_flags_decide_what_is_told() {
        let usual = "compiled by rustc without LLVM's optimiser, with overflow checks and debug assertions";
        assert_eq!(remark(""), usual);
        assert_eq!(remark("-Copt-level=3 -C opt-level=0"), usual);
        let removed = "a bug in what the optimiser has removed is not found";
        let on = "overflow checks and debug assertions are on";
        for flags in ["-O", "-Copt-level=3", "-C opt-level=3", "--codegen opt_level=3", "--codegen=opt-level=3"] {
            assert_eq!(remark(flags), format!("compiled by rustc with -Copt-level=3: {removed}; {on}"), "{flags}");
        }
        assert_eq!(
            remark("-C overflow-checks=off -Cdebug-assertions=no"),
            "compiled by rustc without LLVM's optimiser; overflow checks and debug assertions are off, and what they find \
             is not found"
        );
    }
}
