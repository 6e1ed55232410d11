//! `effigy fuzz`: a program runs inputs until one of them is a bug.
//!
//! Knows: how a program is built for it, what is told of it. Never: how inputs are found (`effigy_fuzz`).

mod chart;
mod crash_test;
mod fleet;
mod report;
mod reproduce;
mod symbolic;

use crate::args::{FuzzArgs, MaxTime};
use crate::progress::{say_json, warn};
use crate::run_manifest::RunManifest;
use crate::{Code, Failure, project};
use effigy_fuzz::{Config, Kind, Pace, RUNTIME, Single};
use effigy_llvm::driver::project::ProjectProgram;
use effigy_llvm::driver::{self, CompileUnit, Driven, FuzzProgram, Fuzzed, Offers, Scratch};
use effigy_llvm::entry::Wishes;
use effigy_report::folder::Folder;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A program, and how it is given its input.
struct Subject {
    kind: Kind,
    driven: Option<Driven>,
    /// The files, each with its flags.
    units: Vec<CompileUnit>,
    /// What a replay needs beside the program.
    mark: RunManifest,
    /// Names and texts of LLVM IR.
    modules: Vec<(String, Vec<u8>)>,
}

pub(crate) fn fuzz(args: &FuzzArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    let mut seeds = Vec::new();
    for path in &args.seeds {
        let read = effigy_fuzz::inputs_of(path);
        seeds.extend(read.map_err(|error| Failure(format!("{}: {error}", path.display())))?);
    }
    let subject = subject(args)?;
    let folder = folder(&args.output, &subject.mark)?;
    let scratch = Scratch::new().map_err(Failure::of)?;
    let build = |sanitized| {
        let (units, link, driven) = (&subject.units[..], &subject.mark.link[..], subject.driven.as_ref());
        driver::fuzzed(&Fuzzed { units, link, driven, runtime: RUNTIME, sanitized }, &scratch).map_err(Failure::of)
    };
    let built = std::thread::scope(|scope| {
        let sanitized = scope.spawn(|| build(true));
        (build(false), sanitized.join().unwrap_or_else(|_| Err(Failure("the build panicked".to_owned()))))
    });
    let (FuzzProgram { program, assumptions }, FuzzProgram { program: sanitized, .. }) = (built.0?, built.1?);
    if interrupt.load(Ordering::Relaxed) {
        warn("interrupted while the program was built: nothing was run");
        return Ok(Code::Cut);
    }
    let fleet = fleet::open(args, &subject.modules, subject.kind)?;
    let pace = Arc::new(Pace::new(args.jobs));
    let (mut symbolic, mut halves) = (Vec::new(), Vec::new());
    let opened = match args.no_symbolic {
        true => Err("--no-symbolic".to_owned()),
        false => {
            symbolic::SymbolicTarget::new(&subject.modules, subject.kind, args.max_len, &subject.mark.surroundings)
        }
    };
    if let Ok(opened) = &opened {
        for at in 0..args.jobs {
            let room = scratch.path().join(format!("asks{at}"));
            std::fs::create_dir_all(&room).map_err(Failure::of)?;
            let timeout = args.timeout.max(Duration::from_secs(2));
            let alone = Single { program: program.clone(), kind: subject.kind, room, timeout, memory: args.max_memory };
            let (port, half) = opened.start(fleet.another().map_err(Failure::of)?, alone, &pace).map_err(Failure)?;
            symbolic.push(port);
            halves.push(half);
        }
    }
    let halves = opened.map(|_| halves);
    let config = Config {
        program,
        sanitized,
        kind: subject.kind,
        isolate: args.isolate,
        most: args.max_len,
        timeout: args.timeout,
        memory: args.max_memory,
        // Workers of a fleet shall not all do the same.
        seed: if args.shared.fleet.is_some() { fleet::own_seed(args.seed) } else { args.seed },
        scratch: scratch.path().to_owned(),
        output: folder.path().to_owned(),
        seeds,
        sync: args.sync.clone(),
        max_time: match args.max_time {
            MaxTime::Of(time) => Some(time),
            MaxTime::None => None,
        },
        max_runs: args.max_runs,
        stop_at_first_bug: args.stop_at_first_bug,
        interrupt: Arc::clone(interrupt),
        jobs: args.jobs,
        symbolic,
        pace,
        others: args.shared.fleet.is_some(),
    };
    let replays = subject.units.iter().all(|it| it.file.extension().is_none_or(|it| it != "rs"));
    let mut told = report::CampaignReporter::new(!args.json && !args.quiet, &folder, subject.kind, replays);
    let account = effigy_fuzz::fuzz(&config, fleet, &mut told).map_err(Failure::of)?;
    let document = told.finish(&account, args, &halves, &assumptions)?;
    let text = serde_json::to_string_pretty(&document).map_err(Failure::of)?;
    folder.write("summary.json", text.as_bytes()).map_err(Failure::of)?;
    folder.write("report.html", chart::page(&document).as_bytes()).map_err(Failure::of)?;
    if args.json {
        say_json(&document)?;
    } else {
        report::say_all(&document, args.quiet)?;
    }
    let status = &account.status;
    // A crash that nobody has looked at may be a bug, and one that is not repeated is one of some kind.
    // Behind an assumption that never held nothing was run; nor was anything if the user has stopped it before.
    let is_open = status.board.runs == 0
        || status.waiting > 0
        || status.unkept > 0
        || !account.unrepeated.is_empty()
        || !document.assumptions_never_held.is_empty();
    Ok(match account.bugs.is_empty() {
        false => Code::Found,
        true if is_open => Code::Cut,
        true => Code::Nothing,
    })
}

/// Finds out how the program takes its input.
fn subject(args: &FuzzArgs) -> Result<Subject, Failure> {
    let ProjectProgram { units, mut modules, link, .. } = program(args)?;
    effigy_llvm::reachable::keep(&mut modules, args.entry.as_deref());
    let offers = Offers::of(&modules);
    let absolute: Vec<CompileUnit> = units.iter().map(CompileUnit::absolute).collect();
    let is_project = absolute.iter().any(|it| it.directory.is_some());
    let mut mark = RunManifest {
        language: "llvm".to_owned(),
        files: absolute.iter().map(|it| it.file.clone()).collect(),
        // Those of a project are among those of each file.
        flags: if is_project { Vec::new() } else { args.flags.clone() },
        units: if is_project { absolute } else { Vec::new() },
        link,
        surroundings: Default::default(),
        directory: std::env::current_dir().unwrap_or_default(),
        harness: None,
        driven: None,
        command: vec!["fuzz".to_owned()],
        fingerprint: None,
        build: None,
    };
    let needs_main = |flag: &str| match offers.main {
        true => Ok(()),
        false => Err(Failure(format!("{flag}: the program has no main"))),
    };
    let mut driven = None;
    let kind = if let Some(entry) = &args.entry {
        let wishes = Wishes { buffer: args.buffer, ..Wishes::default() };
        let found = Driven::find(&mut modules, &units, entry, &wishes).map_err(Failure::of)?;
        let found = found.ok_or_else(|| Failure(format!("--entry {entry}: no C file defines this function")))?;
        mark.driven = Some(found.clone());
        driven = Some(found);
        Kind::Entry
    } else if args.stdin {
        needs_main("--stdin")?;
        mark.surroundings.stdin = Some(args.max_len.into());
        Kind::Stdin
    } else if args.file_arg {
        needs_main("--file-arg")?;
        mark.surroundings = crash_test::one_file(args.max_len.into());
        Kind::FileArgument
    } else if offers.target {
        mark.harness = driver::fuzzer(&modules, args.max_len.into());
        Kind::Target
    } else if offers.main && offers.marks {
        mark.harness = nondeterminism(&modules)?;
        Kind::Marks
    } else {
        return Err(Failure(
            "nothing takes an input: define LLVMFuzzerTestOneInput, or say --stdin, --file-arg or --entry FUNCTION"
                .to_owned(),
        ));
    };
    Ok(Subject { kind, driven, units, mark, modules })
}

/// The program that is named, compiled.
fn program(args: &FuzzArgs) -> Result<ProjectProgram, Failure> {
    if let Some(program) = project::program(args)? {
        return Ok(program);
    }
    let units = CompileUnit::all(&args.files, &args.flags);
    let modules = driver::modules_heard(&units, &mut |it| eprintln!("{it}")).map_err(Failure::of)?;
    Ok(ProjectProgram { units, modules, ..ProjectProgram::default() })
}

/// The functions without a body that a replay has to define: `__VERIFIER_nondet_int`.
fn nondeterminism(modules: &[(String, Vec<u8>)]) -> Result<Option<String>, Failure> {
    Ok(effigy_llvm::load(modules, effigy_llvm::Options::default()).map_err(Failure::of)?.harness())
}

/// The folder of the campaign: a new one, or that of the campaign to resume.
fn folder(path: &Path, mark: &RunManifest) -> Result<Folder, Failure> {
    let is_ours = path.join("effigy.json").is_file();
    if !is_ours {
        let mark = serde_json::to_string_pretty(mark).map_err(Failure::of)?;
        return Folder::create(path, &mark).map_err(Failure::of);
    }
    let old = RunManifest::read(path)?;
    if old.command.first().map(String::as_str) != Some("fuzz") {
        let path = path.display();
        return Err(Failure(format!("{path} was not made by `effigy fuzz`; choose another folder with --out")));
    }
    if old.files != mark.files {
        let path = path.display();
        return Err(Failure(format!("{path} is the folder of another program; choose another with --out")));
    }
    let folder = Folder::reopen(path).map_err(Failure::of)?;
    // The flags may have changed, and the length of inputs.
    let mark = serde_json::to_string_pretty(mark).map_err(Failure::of)?;
    folder.write("effigy.json", mark.as_bytes()).map_err(Failure::of)?;
    Ok(folder)
}
