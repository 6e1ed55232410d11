//! The languages: the one list of them, and how a program finds its own.
//!
//! Knows: the names of the files in `languages/`. Never: what is in them.
//! To add a language: its file there, a `mod` line and an entry in [`LANGUAGES`].

mod contracts;
mod llvm;
mod oo;
mod pli;

use crate::args::ProveArgs;
use crate::files::has_extension;
use crate::frontend::{Frontend, OpenProgram, Purpose, Request};
use crate::{Code, Failure};
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// All of them. Of two that claim a file, the first has it.
pub(crate) const LANGUAGES: &[&dyn Frontend] = &[&llvm::Llvm, &pli::Pli, &oo::Oo, &contracts::ContractLanguages];

/// Opens a program in the language that claims it.
pub(crate) fn open(request: &Request<'_>) -> Result<Box<dyn OpenProgram>, Failure> {
    of(request)?.open(request)
}

/// The language that claims a program.
pub(crate) fn of(request: &Request<'_>) -> Result<&'static dyn Frontend, Failure> {
    match LANGUAGES.iter().find(|it| it.claims(request)) {
        Some(language) => Ok(*language),
        None => {
            let takes = format!("`effigy {}` takes {}", request.purpose.name(), files(request.purpose));
            Err(crate::files::unknown(&request.start.files, &takes))
        }
    }
}

/// Proves the program of a file in the language that can.
pub(crate) fn prove(args: &ProveArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    let files = std::slice::from_ref(&args.file);
    let claims = |it: &&&dyn Frontend| has_extension(files, it.extensions());
    let proved = LANGUAGES.iter().filter(claims).find_map(|it| it.prove(args, interrupt));
    proved.unwrap_or_else(|| {
        let file = args.file.display();
        Err(Failure(format!("{file}: `effigy prove` takes a PL/I file (.pli); `effigy verify` .vpr and .oo files")))
    })
}

/// The words of a command, with the flags that have another spelling elsewhere. What is for the compiler stays.
pub(crate) fn respelled(words: Vec<OsString>) -> Vec<OsString> {
    let own = words.iter().position(|it| it == "--").unwrap_or(words.len());
    let respelled = |(at, word): (usize, OsString)| match word.to_str().and_then(llvm::respelled) {
        Some(other) if at < own => other.into(),
        _ => word,
    };
    words.into_iter().enumerate().map(respelled).collect()
}

/// What a command takes, as help says it.
pub(crate) fn files(purpose: Purpose) -> String {
    LANGUAGES.iter().filter_map(|it| it.files(purpose)).collect::<Vec<_>>().join("; ")
}

/// The commands with the flags of all languages.
pub(crate) fn with_options(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|it| {
        let Some(purpose) = Purpose::ALL.into_iter().find(|purpose| purpose.name() == it.get_name()) else { return it };
        let described = |arg: clap::Arg| match arg.get_id() == "files" {
            // What goes on is the program of its folder.
            true if purpose == Purpose::Run => {
                arg.help(files(purpose)).required(false).required_unless_present_any(["resume", "project"])
            }
            true => arg.help(files(purpose)).required(false).required_unless_present("project"),
            false => arg,
        };
        // Groups of flags bring sentences of their own, which are not about the command.
        let about = it.get_about().cloned().unwrap_or_default();
        let it = LANGUAGES.iter().fold(it.mut_args(described), |it, language| language.options(purpose, it));
        it.about(about).long_about(clap::builder::Resettable::Reset)
    })
}
