//! The crates `effigy_harness` and `kani`, which are brought along and compiled once for each compiler.
//!
//! Knows: their sources, rustc. Never: what a harness asks of them.

use super::compiler::VARIABLE;
use crate::Failure;
use effigy_llvm::driver::{NO_CODE, NO_LLVM_PASSES, WHOLE_PROGRAM};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

macro_rules! sources {
    ($($folder:literal: $($file:literal)*;)*) => {
        [$($((concat!($folder, "/", $file), include_str!(concat!("../../harness/", $folder, "/", $file))),)*)*]
    };
}

/// The sources, by their paths in the folder where they are compiled.
const SOURCES: &[(&str, &str)] = &sources! {
    "library": "lib.rs" "arbitrary.rs" "bounded.rs" "harness.rs" "recorded.rs" "replay.rs" "slice.rs" "vec.rs";
    "macros": "lib.rs" "arbitrary.rs" "tokens.rs";
};

/// How the files of the crates are called in debug information: as parts of the library that reports do not show.
const SHOWN_AS: &str = "<library>/harness";

/// The compiler that cargo uses.
pub(super) fn rustc() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// The crates that give harnesses their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Values {
    /// A value stands for all values: for Effigy.
    Any,
    /// Values are recorded ones, and each harness is a test that runs on many of them.
    Recorded,
    /// Values are those that a test gives.
    OfTests,
}

/// The folder with the compiled crates, under `folder`; they are compiled if they are not there.
pub(super) fn compiled(folder: &Path, (target, version): (&str, &str), values: Values) -> Result<PathBuf, Failure> {
    let mut hash = Sha256::new();
    hash.update(version);
    hash.update(target);
    hash.update(format!("{values:?} {WHOLE_PROGRAM:?} {NO_CODE:?} {}", env!("CARGO_PKG_VERSION")));
    SOURCES.iter().for_each(|it| hash.update(it.1));
    let name: String = hash.finalize().iter().take(8).map(|it| format!("{it:02x}")).collect();
    let there = folder.join(format!("harness-{name}"));
    if there.is_dir() {
        return Ok(there);
    }
    // Another process may do the same: who is done first has done it.
    let own = folder.join(format!("harness-{name}.{}", std::process::id()));
    let io = |error: std::io::Error| Failure(format!("{}: {error}", own.display()));
    for (path, text) in SOURCES {
        let path = own.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(&own)).map_err(io)?;
        std::fs::write(&path, text).map_err(io)?;
    }
    let values: &[&str] = match values {
        Values::Any => &["--cfg", "effigy"],
        Values::Recorded => &["--cfg", "native_replay"],
        Values::OfTests => &[],
    };
    for (name, cfg) in [("effigy_harness", "own_crate"), ("kani", "kani_crate")] {
        // Both crates look for their macros under one name: what follows it tells them apart.
        let mut macros = Command::new(rustc());
        macros.args(["--crate-type=proc-macro", "--crate-name=effigy_harness_macros", "--extern=proc_macro"]);
        macros.args([format!("-Cmetadata={name}"), format!("-Cextra-filename=-{name}")]);
        macros.args(["--cfg", cfg]).args(values).arg("--out-dir").arg(&own).arg(own.join("macros/lib.rs"));
        run(&mut macros)?;
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let built = own.join(format!("{prefix}effigy_harness_macros-{name}{suffix}"));
        let mut library = Command::new(rustc());
        library.args(["--crate-type=rlib", &format!("--crate-name={name}"), "--target", target, "--cfg", cfg]);
        library.args(values);
        if values.contains(&"effigy") {
            library.args(WHOLE_PROGRAM.iter().filter(|it| !it.contains("lto"))).arg(NO_LLVM_PASSES);
        }
        let mut extern_macros = std::ffi::OsString::from("--extern=effigy_harness_macros=");
        extern_macros.push(built);
        let mut shown = std::ffi::OsString::from("--remap-path-prefix=");
        shown.push(own.join("library"));
        shown.push(format!("={SHOWN_AS}"));
        library.arg(extern_macros).arg(shown).arg("--out-dir").arg(&own).arg(own.join("library/lib.rs"));
        run(&mut library)?;
    }
    match std::fs::rename(&own, &there) {
        Err(error) if !there.is_dir() => return Err(io(error)),
        Err(_) => drop(std::fs::remove_dir_all(&own)),
        Ok(()) => {}
    }
    Ok(there)
}

fn run(command: &mut Command) -> Result<(), Failure> {
    let output = command.args(["--edition=2024", "-Awarnings"]).env_remove(VARIABLE).output();
    let output = output.map_err(|error| Failure(format!("rustc could not be started: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(Failure(format!("the crate of harnesses could not be compiled:\n{words}")))
}
