//! The `effigy` command as a library: it wires one language to one analysis to its reports.
//!
//! Knows: arguments, the terminal, exit codes. Never: what a program means.
//!
//! [`run_command`] is all that the binary does. [`Case`] is for test harnesses, which open a program once and walk it in
//! several ways.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this crate alone talks to the terminal")]

mod args;
mod baseline;
mod bmc;
mod bugs;
mod build_identity;
mod build_records;
mod cache_folder;
mod cargo;
mod case;
mod cc;
mod collect;
mod concolic;
mod debug;
mod entries;
mod feasible;
mod files;
mod flag_effects;
mod fleet;
mod frontend;
mod fuzz;
mod languages;
mod limits;
mod names;
mod no_native;
mod open_program;
mod overwrite_guard;
mod progress;
mod project;
mod project_config;
mod replay;
mod resume;
mod run;
mod run_manifest;
mod shell;
mod short_help;
mod signals;
mod solve;
mod solver;
mod test_files;
mod time_allowance;
mod tree;
mod typed_flags;
mod usage_error;
mod verification;
mod verify;
mod walk;
mod workers;

pub use case::{Case, Outcome, STACK};

use args::{Args, Command, StartArgs};
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use frontend::{Purpose, Request};
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit codes, as `effigy --help` lists them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    Nothing = 0,
    Found = 1,
    Input = 2,
    Cut = 3,
    /// A harness of `effigy cargo` has not passed, or cargo has failed: as `cargo test` ends.
    Failed = 101,
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

/// The arguments, and the flags of the languages among them.
fn arguments(words: Vec<OsString>) -> Result<(Args, ArgMatches), clap::Error> {
    let mut command = commands(&words);
    let parsed = command.try_get_matches_from_mut(languages::respelled(words.clone()));
    let matches = match parsed {
        // No file is named: a project may say what is meant.
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            let words = project_config::expanded(&words).map_err(|it| command.error(ErrorKind::InvalidValue, it.0))?;
            command.try_get_matches_from_mut(languages::respelled(words.ok_or(error)?))?
        }
        other => other?,
    };
    let mut args = Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    if let Command::Run(run) = &mut args.command {
        run.identity = resume::identity(&matches);
    }
    Ok((args, matches))
}

/// The commands, as these words ask for them.
fn commands(words: &[OsString]) -> clap::Command {
    let commands = languages::with_options(Args::command());
    if short_help::is_asked_for(words) { short_help::shortened(commands) } else { commands }
}

fn execute(args: &Args, matches: &ArgMatches) -> Result<Code, Failure> {
    let interrupt = match args.command {
        // What is replayed has a time limit of its own, and a session has its own Ctrl-C.
        Command::Replay(_) | Command::Bugs(_) => Arc::new(AtomicBool::new(false)),
        _ => signals::interrupts(),
    };
    no_native::check(&args.command)?;
    if let Some(names) = entries::several(&args.command)? {
        return entries::run_each(&names, &args.command, &interrupt);
    }
    let open = |purpose: Purpose, start: &StartArgs, smt: &str, matches: &ArgMatches| {
        let matches = matches.subcommand().map_or(matches, |it| it.1);
        let request = Request { purpose, every_walk: false, start, smt, interrupt: &interrupt, matches };
        let language = languages::of(&request)?;
        flag_effects::check(purpose, language, matches)?;
        language.open(&request)
    };
    match &args.command {
        Command::Run(args) => {
            let resumed = args.resume.as_ref().map(|folder| resume::resumed(args, matches, folder)).transpose()?;
            let (args, matches) = resumed.as_ref().map_or((args, matches), |it| (&it.0, &it.1));
            open(Purpose::Run, &args.start, &args.solver.smt, matches)?.run(args, &interrupt)
        }
        Command::Bmc(args) => {
            let mut start = args.start.clone();
            if let Some(file) = &args.property {
                start.check = bmc::property::read(file)?.checks;
            }
            open(Purpose::Bmc, &start, &args.solver.smt, matches)?.bmc(args, &interrupt)
        }
        Command::Tree(args) => open(Purpose::Tree, &args.start, &args.solver.smt, matches)?.tree(args, &interrupt),
        Command::Debug(args) => open(Purpose::Debug, &args.start, &args.solver.smt, matches)?.debug(args, &interrupt),
        Command::Feasible(args) => {
            open(Purpose::Feasible, &args.start, &args.solver.smt, matches)?.feasible(args, &interrupt)
        }
        Command::Prove(args) => {
            flag_effects::check_layers("prove", matches)?;
            languages::prove(args, &interrupt)
        }
        Command::Verify(args) => verify::run(args, matches, &interrupt),
        Command::Replay(args) => replay::replay(args),
        Command::Bugs(args) => bugs::list(args),
        // A build calls it before the words are read (`cc::called_by_build`).
        Command::Cc(args) => Err(Failure(format!("effigy cc: {} arguments of a compiler", args.arguments.len()))),
        Command::Cargo(args) => cargo::cargo(args, &interrupt),
        Command::Fuzz(args) => fuzz::fuzz(args, &interrupt),
        Command::Solve(args) => {
            flag_effects::check_layers("solve", matches)?;
            solve::solve(args, &interrupt)
        }
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
    }
}

/// Runs the command that `words` spell, the name of the program first; the exit code of the process.
pub fn run_command(words: Vec<OsString>) -> ExitCode {
    if let Some(code) = cargo::compiler::called_by_cargo(&words) {
        return code;
    }
    if let Some(code) = cc::called_by_build(&words) {
        return code;
    }
    let as_json = usage_error::wants_json(&words);
    let (args, matches) = match arguments(words.clone()) {
        Ok(both) => both,
        // clap would have to be given the text before anyone asks for it.
        Err(error) if error.kind() == ErrorKind::DisplayVersion => {
            println!("{}", build_identity::version_line());
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let code = if error.use_stderr() { Code::Input as u8 } else { 0 };
            usage_error::tell_usage(error, &commands(&words), as_json);
            return ExitCode::from(code);
        }
    };
    let filter = tracing_subscriber::EnvFilter::try_from_env("EFFIGY_LOG");
    if let Ok(filter) = filter {
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    }
    if let Some(folder) = cache_folder::cache_folder() {
        effigy_llvm::driver::keep_library_in(folder.join("library"));
    }
    // The handling of terms is iterative, but clones and drops get room to spare.
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || execute(&args, &matches));
    let code = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => code,
        Ok(Ok(Err(failure))) => {
            usage_error::tell(&failure.0, Code::Input, as_json);
            Code::Input
        }
        Ok(Err(_)) => {
            let what = "internal error; this is a bug in effigy, and what was found so far is in the output folder";
            usage_error::tell(what, Code::Internal, as_json);
            Code::Internal
        }
        Err(error) => {
            usage_error::tell(&error.to_string(), Code::Internal, as_json);
            Code::Internal
        }
    };
    ExitCode::from(code as u8)
}
