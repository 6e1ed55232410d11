//! A program that is opened once and walked by several command lines, in this process: what a test harness needs.
//!
//! Knows: which commands walk a program. Never: the terminal, exit codes of a process.

use crate::args::Command;
use crate::frontend::{OpenProgram, Purpose, Request};
use crate::{Failure, arguments, languages};
use clap::ArgMatches;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Deep programs make deep terms: a thread that walks one needs a stack of so many bytes, as the command gives it.
pub const STACK: usize = 256 << 20;

/// A program that was read and compiled once.
pub struct Case {
    opened: Box<dyn OpenProgram>,
    interrupt: Arc<AtomicBool>,
}

/// What a command line printed to standard output, and the exit code that its process would have.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code that the process would have.
    pub code: u8,
    /// Standard output; where the command could not do its work, the reason.
    pub output: String,
}

impl Case {
    /// Opens the program of `words`, a command line of `effigy run` without the name of the program.
    ///
    /// # Errors
    /// The message of the command where the words are wrong or the program cannot be read.
    pub fn open(words: &[&str]) -> Result<Case, String> {
        let (args, matches) = parsed(words)?;
        let Command::Run(run) = &args.command else { return Err("a command line of `run` was expected".to_owned()) };
        let interrupt = Arc::new(AtomicBool::new(false));
        let request = Request {
            purpose: Purpose::Run,
            every_walk: true,
            start: &run.start,
            smt: &run.solver.smt,
            interrupt: &interrupt,
            matches: flags(&matches),
        };
        let opened = languages::open(&request).map_err(|it| it.to_string())?;
        Ok(Case { opened, interrupt })
    }

    /// Walks the program as the command line `words` of `run`, `bmc` or `feasible` says. What these words say of the
    /// program itself (its files, flags for its compiler, its entry) was said to [`Case::open`] and counts no more.
    #[must_use]
    pub fn walk(&self, words: &[&str]) -> Outcome {
        let (args, _) = match parsed(words) {
            Ok(both) => both,
            Err(output) => return Outcome { code: crate::Code::Input as u8, output },
        };
        let (result, output) = crate::progress::captured(|| match &args.command {
            Command::Run(args) => self.opened.run(args, &self.interrupt),
            Command::Bmc(args) => self.opened.bmc(args, &self.interrupt),
            Command::Feasible(args) => self.opened.feasible(args, &self.interrupt),
            _ => Err(Failure("run, bmc or feasible was expected".to_owned())),
        });
        match result {
            Ok(code) => Outcome { code: code as u8, output: String::from_utf8_lossy(&output).into_owned() },
            Err(failure) => Outcome { code: crate::Code::Input as u8, output: failure.to_string() },
        }
    }
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case").finish_non_exhaustive()
    }
}

fn parsed(words: &[&str]) -> Result<(crate::args::Args, ArgMatches), String> {
    let words = std::iter::once("effigy").chain(words.iter().copied()).map(OsString::from).collect();
    arguments(words).map_err(|it| it.to_string())
}

/// The flags of a subcommand.
fn flags(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |it| it.1)
}
