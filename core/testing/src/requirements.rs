//! Programs that a test needs and that a machine may lack.
//!
//! Knows: names of programs, the environment. Never: what a test does with them.
//!
//! A missing program never makes a test pass in silence: where `EFFIGY_REQUIRE` is `all` (as in CI) or lists the
//! program, the test fails; elsewhere it says `skipped: no NAME` and leaves a line in the file that `EFFIGY_SKIPPED`
//! names, which `make test` counts.

use std::io::Write;
use std::process::{Command, Stdio};

/// Whether `program` is installed. A test that gets `false` returns at once.
///
/// # Panics
/// Where the program is missing and `EFFIGY_REQUIRE` asks for it.
#[must_use]
pub fn has(program: &str) -> bool {
    let starts = || {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok()
    };
    has_with(program, starts)
}

/// As [`has`], for what is no program: `is_there` finds out.
///
/// # Panics
/// As [`has`].
pub fn has_with(name: &str, is_there: impl FnOnce() -> bool) -> bool {
    if is_there() {
        return true;
    }
    let required = std::env::var("EFFIGY_REQUIRE").unwrap_or_default();
    let asked = required.split(',').any(|it| it == "all" || it == name);
    assert!(!asked, "{name} is missing, and EFFIGY_REQUIRE={required} asks for it; `make setup-tests` installs it");
    // Not by `eprintln!`, which the harness keeps to itself where a test passes.
    let _ = writeln!(std::io::stderr(), "skipped: no {name}");
    if let Some(file) = std::env::var_os("EFFIGY_SKIPPED") {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(file);
        let _ = file.and_then(|mut it| writeln!(it, "{name}"));
    }
    false
}

/// Ends the test where a program is missing, as [`has`] says it: `require!("z3");`.
#[macro_export]
macro_rules! require {
    ($program:literal) => {
        if !$crate::requirements::has($program) {
            return;
        }
    };
}
