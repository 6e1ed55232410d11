//! What cargo calls in the place of rustc for the members of a workspace: rustc, with what makes a whole program of each
//! test target.
//!
//! Knows: rustc's command line as cargo writes it. Never: cargo's.
//! Build scripts and macros run on this machine: they are compiled as they are. With `--target`, which `build` always
//! gives, cargo names a target for all other crates and for these alone not.

use effigy_llvm::driver::{NO_CODE, NO_LLVM_PASSES, WHOLE_PROGRAM};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Set by `build` for cargo: the folder of the crates `effigy_harness` and `kani`.
pub(crate) const VARIABLE: &str = "EFFIGY_HARNESS_CRATES";

/// Set beside it for a native run: tests are compiled as cargo says.
pub(crate) const NATIVE: &str = "EFFIGY_HARNESS_NATIVE";

/// Runs rustc, where cargo has called this process for it; `None` where it was called by a user.
pub(crate) fn called_by_cargo(words: &[OsString]) -> Option<ExitCode> {
    let crates = std::env::var_os(VARIABLE)?;
    let [_, compiler, arguments @ ..] = words else { return None };
    let mut command = Command::new(compiler);
    match Compilation::of(arguments) {
        // Crates with harnesses for Kani, which has a nightly compiler, switch features on under `cfg(kani)`.
        Some(it) => command.args(it.rewritten(Path::new(&crates))).env("RUSTC_BOOTSTRAP", "1"),
        None => command.args(arguments),
    };
    let code = match command.status() {
        Ok(status) => status.code().and_then(|it| u8::try_from(it).ok()).unwrap_or(1),
        Err(error) => {
            eprintln!("{}: {error}", compiler.display());
            2
        }
    };
    Some(ExitCode::from(code))
}

/// A crate for the target that is compiled.
struct Compilation<'a> {
    arguments: &'a [OsString],
    /// It is a target with tests: a whole program is made of it.
    is_test: bool,
}

impl<'a> Compilation<'a> {
    /// `None` where rustc is asked for something else, or for what runs on this machine.
    fn of(arguments: &'a [OsString]) -> Option<Compilation<'a>> {
        let is_for_target = option(arguments, "--target").is_some();
        let is_macro = option(arguments, "--crate-type").is_some_and(|it| it == "proc-macro");
        let is_query = arguments.iter().any(|it| it.to_string_lossy().starts_with("--print"));
        let is_compiled = option(arguments, "--crate-name").is_some_and(|it| it != "___");
        let is_test = arguments.iter().any(|it| it == "--test");
        (is_compiled && is_for_target && !is_macro && !is_query).then_some(Compilation { arguments, is_test })
    }

    /// The arguments of rustc.
    fn rewritten(&self, crates: &Path) -> Vec<OsString> {
        let is_native = std::env::var_os(NATIVE).is_some();
        let mut res: Vec<OsString> = Vec::with_capacity(self.arguments.len() + 20);
        for argument in self.arguments {
            let text = argument.to_string_lossy();
            match &*text {
                // The functions that are tests are left out, and so is what runs them.
                _ if is_native => res.push(argument.clone()),
                "--test" => res.extend(["--cfg", "test", "--crate-type", "cdylib"].map(Into::into)),
                _ if self.is_test && text.starts_with("--emit=") => {
                    let mut emit = argument.clone();
                    emit.push(",llvm-ir");
                    res.push(emit);
                }
                _ => res.push(argument.clone()),
            }
        }
        if is_native {
            // A native program, with the user's own profile.
        } else if self.is_test {
            res.extend(WHOLE_PROGRAM.iter().map(Into::into));
            res.extend(NO_CODE.iter().map(Into::into));
            res.push(NO_LLVM_PASSES.into());
            self.leave_executable();
        } else {
            res.extend(WHOLE_PROGRAM.iter().filter(|it| !it.contains("lto")).map(Into::into));
            res.push(NO_LLVM_PASSES.into());
            if option(self.arguments, "--crate-type").is_some_and(|it| it == "bin") {
                // It would have functions that Effigy alone knows; integration tests only name it.
                res.extend(NO_CODE.iter().map(Into::into));
                self.leave_executable();
            }
        }
        for name in ["effigy_harness", "kani"] {
            // A dependency of that name is the user's own.
            let prefix = format!("{name}=");
            let is_given =
                self.arguments.windows(2).any(|it| it[0] == "--extern" && it[1].to_string_lossy().starts_with(&prefix));
            if !is_given {
                let mut library = OsString::from(prefix);
                library.push(crates.join(format!("lib{name}.rlib")));
                res.extend(["--extern".into(), library]);
            }
        }
        let mut folder = OsString::from("-Ldependency=");
        folder.push(crates);
        res.extend([folder, "--cap-lints=allow".into()]);
        res.extend(["--check-cfg=cfg(effigy)", "--check-cfg=cfg(kani)"].map(Into::into));
        res.extend(["--cfg", "effigy", "--cfg", "kani"].map(Into::into));
        res
    }

    /// Cargo compiles again what lacks its executable, and nobody makes one.
    fn leave_executable(&self) {
        let (name, folder) = (option(self.arguments, "--crate-name"), option(self.arguments, "--out-dir"));
        let (Some(name), Some(folder)) = (name, folder) else { return };
        let suffix =
            self.arguments.iter().find_map(|it| it.to_str()?.strip_prefix("extra-filename=").map(str::to_owned));
        let file = format!("{}{}", name.to_string_lossy(), suffix.unwrap_or_default());
        // Where that cannot be written, rustc will say so.
        let _ = std::fs::write(Path::new(folder).join(file), b"");
    }
}

/// The value of an option of rustc.
fn option<'a>(arguments: &'a [OsString], name: &str) -> Option<&'a OsStr> {
    let at = arguments.iter().position(|it| it == name)?;
    arguments.get(at + 1).map(OsString::as_os_str)
}
