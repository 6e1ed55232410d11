//! `effigy run --resume`: the run of a folder, as it was called, with what the user wants otherwise now.
//!
//! Knows: which arguments belong to the run and which to this session. Never: what was found.

use crate::args::{Args, Command, RunArgs};
use crate::run_manifest::RunManifest;
use crate::{Failure, arguments};
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::path::Path;

/// The flags that are those of a session.
const OF_A_SESSION: &[&str] =
    &["resume", "jobs", "max_time", "max_paths", "max_steps", "max_memory", "json", "quiet", "stats", "live"];

/// The flags that do not change which paths there are, nor how they are named and told, beside those of a session.
const OF_A_WORKER: &[&str] = &[
    "files",
    "flags",
    "project",
    "target",
    "out",
    "ktest",
    "fleet",
    "campaign",
    "search",
    "seed",
    "stop_at_first_bug",
];

/// The flags that decide what a run walks, as they were typed: two workers with the same program and the same of these
/// have the same paths under the same names.
pub(crate) fn identity(given: &ArgMatches) -> String {
    let given = given.subcommand().map_or(given, |it| it.1);
    let decides = |it: &&str| {
        given.value_source(it) == Some(ValueSource::CommandLine)
            && !OF_A_SESSION.contains(it)
            && !OF_A_WORKER.contains(it)
    };
    // Groups of flags are no flags.
    let flags = given.ids().map(clap::Id::as_str).filter(|it| !it.ends_with("Args") && given.try_get_raw(it).is_ok());
    let mut flags: Vec<&str> = flags.filter(decides).collect();
    flags.sort_unstable();
    let values = |it: &str| given.get_raw(it).into_iter().flatten().map(|it| format!("{it:?}")).collect::<Vec<_>>();
    flags.into_iter().map(|it| format!("{it}={}\n", values(it).join(" "))).collect()
}

/// The arguments of the run that was made in `folder`.
pub(crate) fn resumed(now: &RunArgs, given: &ArgMatches, folder: &Path) -> Result<(Box<RunArgs>, ArgMatches), Failure> {
    let name = folder.display();
    if !now.start.files.is_empty() {
        return Err(Failure(format!("--resume goes on with the program of {name}; no file is named beside it")));
    }
    let given = given.subcommand().map_or(given, |it| it.1);
    let typed = |it: &str| given.value_source(it) == Some(ValueSource::CommandLine);
    let ids = given.ids().map(clap::Id::as_str);
    // Groups of flags are no flags.
    let mut flags = ids.filter(|it| !it.ends_with("Args") && given.try_get_raw(it).is_ok());
    if let Some(other) = flags.find(|it| typed(it) && !OF_A_SESSION.contains(it)) {
        let (other, own) = (other.replace('_', "-"), OF_A_SESSION[1..].join(", --").replace('_', "-"));
        return Err(Failure(format!("--{other} belongs to the run; beside --resume there may be --{own}")));
    }
    let mark = RunManifest::read(folder)?;
    if mark.command.is_empty() {
        return Err(Failure(format!("{name}: this run did not note how it was called; begin it anew")));
    }
    let path = std::path::absolute(folder).map_err(|error| Failure(format!("{name}: {error}")))?;
    std::env::set_current_dir(&mark.directory)
        .map_err(|error| Failure(format!("{}: {error}", mark.directory.display())))?;
    let command = std::iter::once("effigy".to_owned()).chain(mark.command).map(Into::into);
    let parsed = arguments(command.collect());
    let (Args { command: Command::Run(mut then) }, matches) = parsed.map_err(|error| {
        Failure(format!("{name}: the run was called in a way that this effigy does not know: {error}"))
    })?
    else {
        return Err(Failure(format!("{name}: this is not the folder of a run")));
    };
    then.resume = Some(path);
    then.jobs = now.jobs.or(then.jobs);
    // What bounds the whole run bounds a session.
    then.limits.max_time = now.limits.max_time;
    then.limits.max_paths = now.limits.max_paths;
    then.limits.max_steps = now.limits.max_steps;
    if typed("max_memory") {
        then.limits.max_memory = now.limits.max_memory;
    }
    let (output, other) = (&mut then.output, &now.output);
    (output.json, output.quiet, output.stats, output.live) = (other.json, other.quiet, other.stats, other.live);
    Ok((then, matches))
}
