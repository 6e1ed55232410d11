//! The effigy command: it wires one language to one analysis to its reports.
//!
//! Knows: arguments, the terminal, exit codes. Never: what a program means.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this crate alone talks to the terminal")]

mod args;
mod debug;
mod heap;
mod hurry;
mod leaves;
mod oo;
mod pli;
mod progress;
mod replay;
mod run;
mod tree;
mod verify;

use clap::Parser;
use std::process::ExitCode;

/// The exit codes, as `effigy --help` lists them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    Nothing = 0,
    Found = 1,
    Input = 2,
    Cut = 3,
    Internal = 70,
}

/// Why a command could not do its work: its message, for people.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Failure(pub(crate) String);

impl Failure {
    pub(crate) fn of(error: impl std::fmt::Display) -> Failure {
        Failure(error.to_string())
    }
}

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { Code::Input as u8 } else { 0 });
        }
    };
    let filter = tracing_subscriber::EnvFilter::try_from_env("EFFIGY_LOG");
    if let Ok(filter) = filter {
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    }
    // Deep programs make deep terms; their handling is iterative, but clones and drops get room to spare.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || match args.command {
        args::Command::Run(args) if pli::is_pli(&args.files) => pli::run::run(&args),
        args::Command::Run(args) if oo::is_oo(&args.files) => oo::run::run(&args),
        args::Command::Run(args) => run::run(&args),
        args::Command::Tree(args) => tree::tree(&args),
        args::Command::Prove(args) => pli::prove::run(&args),
        args::Command::Verify(args) => verify::run(&args),
        args::Command::Debug(args) => debug::debug(&args),
        args::Command::Replay(args) => replay::replay(&args),
        args::Command::Bugs(args) => {
            run::list_bugs(args.json)?;
            Ok(Code::Nothing)
        }
    });
    let code = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => code,
        Ok(Ok(Err(failure))) => {
            eprintln!("effigy: {failure}");
            Code::Input
        }
        Ok(Err(_)) => {
            eprintln!(
                "effigy: internal error; this is a bug in effigy, and what was found so far is in the output folder"
            );
            Code::Internal
        }
        Err(error) => {
            eprintln!("effigy: {error}");
            Code::Internal
        }
    };
    ExitCode::from(code as u8)
}
