//! What is installed beside the command: completion scripts and manual pages.
//!
//! Knows: the description of all arguments. Never: what a command does.

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::build_identity::version;
use crate::{Code, Failure, languages};
use clap::CommandFactory;
use std::io::Write;

/// The arguments of all commands, those of the languages included.
fn described() -> clap::Command {
    languages::with_options(Args::command())
}

/// Prints the completion script of a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Code, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut described(), "effigy", &mut script);
    // Who reads it may stop reading.
    let _ = std::io::stdout().write_all(&script);
    Ok(Code::Nothing)
}

/// Writes a manual page for the command and one for each subcommand.
pub(crate) fn man(args: &ManArgs) -> Result<Code, Failure> {
    let folder = &args.folder;
    let failed = |error: std::io::Error| Failure(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    // A page names the version, not the build: the same sources make the same pages.
    clap_mangen::generate_to(described().version(version()), folder).map_err(failed)?;
    Ok(Code::Nothing)
}
