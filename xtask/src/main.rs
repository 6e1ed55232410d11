//! Files that are generated for a release: `cargo run -p xtask -- notices`.
//!
//! Knows: names of tasks. Never: how their files come about.

use std::process::ExitCode;
use xtask::licences;

const USAGE: &str = "usage: cargo run -p xtask -- notices    writes THIRD-PARTY-NOTICES.md";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["notices"] => match std::fs::write(licences::root().join("THIRD-PARTY-NOTICES.md"), licences::notices()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => said(&format!("THIRD-PARTY-NOTICES.md: {error}")),
        },
        _ => said(USAGE),
    }
}

#[expect(clippy::print_stderr, reason = "a task talks to the terminal")]
fn said(text: &str) -> ExitCode {
    eprintln!("{text}");
    ExitCode::from(2)
}
