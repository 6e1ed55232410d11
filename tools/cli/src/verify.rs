//! `effigy verify`: every member of a program against its contract.
//!
//! Source: Smans, Jacobs, Piessens, "Symbolic Execution for Implicit Dynamic Frames" (2010).

mod cache;
mod flag_effects;
pub(crate) mod read;
mod solver_version;
mod sources;
mod suite;
mod work;

use crate::args::{InferenceArgs, VerifyArgs};
use crate::cache_folder::cache_folder;
use crate::progress::{ProgressLine, colours, say, say_json, warn};
use crate::{Code, Failure};
use cache::Cache;
use clap::ArgMatches;
use effigy_report::bugs::Style;
use effigy_report::failures::Detail;
use effigy_report::verify::html::html;
use effigy_report::verify::json::json;
use effigy_report::verify::sarif::sarif;
use effigy_report::verify::{Counts, FileReport, MemberReport, MemberVerdict, head, text};
use effigy_solver::prover::ProverConfig;
use effigy_verify::{Config, Inference, Member, MemberOutcome, UnprovedRecursion, members};
use read::{Input, Language};
use solver_version::solver_version;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) fn run(args: &VerifyArgs, matches: &ArgMatches, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    if args.suite.expect_annotations {
        return suite::run(args);
    }
    let paths = read::files(&args.files, &|it| Language::of(it).is_some())?;
    let languages: Vec<Language> = paths.iter().filter_map(|it| Language::of(it)).collect();
    flag_effects::check(&languages, matches)?;
    if let Some(time) = args.max_time {
        stop_after(time, interrupt);
    }
    let mut inputs: Vec<Input> = paths.iter().map(|it| read::read(it, &args.library.import_path)).collect();
    check_names(args, &inputs)?;
    let mut show = Show::new(args, inputs.len());
    verify_all(args, interrupt, &mut inputs, &mut show)?;
    let reports: Vec<FileReport> = inputs.into_iter().map(|it| it.report).collect();
    let counts = Counts::of(&reports);
    match args.json {
        true => say_json(&json(&reports, args.stats))?,
        false => show.summary(&counts)?,
    }
    if let Some(path) = &args.sarif {
        let text = serde_json::to_string_pretty(&sarif(&reports, env!("CARGO_PKG_VERSION"))).map_err(Failure::of)?;
        write(path, &(text + "\n"))?;
    }
    if let Some(path) = &args.html {
        write(path, &html(&reports))?;
    }
    if counts.members + counts.input_errors + counts.unsupported + counts.crashed == 0 {
        warn("there is nothing to verify: no method, function or predicate");
    }
    Ok(code(&counts))
}

/// What is wrong with the input comes before what could not be proved: a file was not verified at all.
fn code(counts: &Counts) -> Code {
    if counts.crashed > 0 {
        Code::Internal
    } else if counts.input_errors > 0 {
        Code::Input
    } else if counts.failed > 0 {
        Code::Found
    } else if counts.undecided + counts.unsupported > 0 {
        Code::Cut
    } else {
        Code::Nothing
    }
}

/// Which ghost statements are inferred.
pub(crate) fn inference(it: &InferenceArgs, language: Language) -> Inference {
    match language {
        Language::Viper => Inference { contracts: false, close: 0, open: false, functions: true },
        Language::Oo => Inference {
            contracts: !it.no_infer && !it.no_infer_contracts,
            close: if it.no_infer || it.no_infer_close { 0 } else { it.close_bound },
            open: !it.no_infer && !it.no_infer_open,
            functions: !it.no_infer && !it.no_infer_use,
        },
    }
}

/// How the members of a file are verified.
fn config(args: &VerifyArgs, language: Language, interrupt: &Arc<AtomicBool>) -> Config {
    Config {
        prover: ProverConfig {
            smt: args.prover.smt.clone(),
            steps: args.prover.solver_steps,
            local: !args.prover.no_local,
            interrupt: Arc::clone(interrupt),
        },
        errors: args.errors.unwrap_or(1),
        steps: args.max_steps,
        time: args.timeout,
        // The page shows the states, whether or not the terminal does.
        trace: args.trace || args.html.is_some(),
        counterexample: args.counterexample,
        inference: inference(&args.inference, language),
        merge_after: args.merge.after(),
        search: args.search,
        seed: args.seed,
    }
}

/// Sets the flag after some time.
fn stop_after(time: Duration, interrupt: &Arc<AtomicBool>) {
    let flag = Arc::clone(interrupt);
    let wait = move || {
        std::thread::sleep(time);
        flag.store(true, Ordering::Relaxed);
    };
    if let Err(error) = std::thread::Builder::new().spawn(wait) {
        tracing::warn!(%error, "--max-time is not kept");
    }
}

/// A name that nothing has is a mistake. Where a file could not be read, it may have been meant.
fn check_names(args: &VerifyArgs, inputs: &[Input]) -> Result<(), Failure> {
    if inputs.iter().any(|it| it.program.is_none()) {
        return Ok(());
    }
    for name in &args.entry {
        let has = |it: &Input| {
            it.program.as_ref().is_some_and(|it| members(it).iter().any(|&member| *head(it, member).1 == **name))
        };
        if !inputs.iter().any(has) {
            let programs = inputs.iter().filter_map(|it| it.program.as_ref());
            let all = programs.flat_map(|program| members(program).into_iter().map(move |it| head(program, it).1));
            let names = crate::names::listed(all);
            return Err(Failure(format!("--entry: there is no member {name}; the members are: {names}")));
        }
    }
    Ok(())
}

/// A member of a file, and what is known of it.
struct Task {
    file: usize,
    number: usize,
    member: Member,
    known: Option<MemberOutcome>,
}

fn verify_all(
    args: &VerifyArgs,
    interrupt: &Arc<AtomicBool>,
    inputs: &mut [Input],
    show: &mut Show,
) -> Result<(), Failure> {
    let configs: Vec<Config> = inputs.iter().map(|it| config(args, it.language, interrupt)).collect();
    // A solver that does not tell its version may be another one tomorrow.
    let folder = if args.no_cache { None } else { cache_folder() };
    let kept_in = folder.and_then(|folder| Some((folder, solver_version(&args.prover.smt)?)));
    let mut caches = Vec::with_capacity(inputs.len());
    let mut tasks = Vec::new();
    for (file, (input, config)) in inputs.iter().zip(&configs).enumerate() {
        let Some(program) = &input.program else {
            caches.push(Cache::none());
            continue;
        };
        let cache = kept_in.as_ref().map_or_else(Cache::none, |(folder, solver)| {
            Cache::open(folder.clone(), &input.report.sources, config, solver)
        });
        for (number, member) in members(program).into_iter().enumerate() {
            let name = head(program, member).1;
            if args.entry.is_empty() || args.entry.iter().any(|it| **it == *name) {
                tasks.push(Task { file, number, member, known: cache.get(number, member) });
            }
        }
        caches.push(cache);
    }
    // The programs are shared while the reports grow.
    let (programs, mut reports): (Vec<_>, Vec<_>) = inputs.iter_mut().map(|it| (&it.program, &mut it.report)).unzip();
    let recursions: Vec<Option<UnprovedRecursion<'_>>> =
        programs.iter().map(|it| Option::as_ref(*it).map(UnprovedRecursion::new)).collect();
    let job = |it: &'_ Task| programs[it.file].as_ref().map(|program| (program, it.member));
    let jobs: Vec<work::Job<'_>> = tasks
        .iter()
        .filter_map(|it| {
            let (program, member) = job(it)?;
            Some(work::Job { program, member, config: &configs[it.file], known: it.known.as_ref() })
        })
        .collect();
    let threads = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let progress = std::cell::RefCell::new(ProgressLine::new(!args.json));
    let mut broken = Ok(());
    let mut next_file = 0;
    work::all(
        &jobs,
        threads,
        &mut |at, mut report, keep| {
            let task = &tasks[at];
            if let (MemberVerdict::Verified, Some(recursion)) = (&report.verdict, &recursions[task.file]) {
                report.rests_on = recursion.of(task.member);
            }
            if let Some(outcome) = &keep {
                caches[task.file].put(task.number, outcome);
            }
            progress.borrow_mut().clear();
            // Files before this one are finished, also those without members.
            while next_file < task.file && broken.is_ok() {
                broken = show.file(reports[next_file]);
                next_file += 1;
            }
            reports[task.file].members.push(report);
        },
        &mut |finished| progress.borrow_mut().line(&format!("{finished} of {} members", tasks.len())),
    )
    .map_err(Failure::of)?;
    progress.borrow_mut().clear();
    while next_file < reports.len() && broken.is_ok() {
        broken = show.file(reports[next_file]);
        next_file += 1;
    }
    caches.iter().for_each(Cache::write);
    broken
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure(format!("{}: {error}", path.display())))
}

/// What the terminal shows.
struct Show {
    on: bool,
    quiet: bool,
    headings: bool,
    statistics: bool,
    detail: Detail,
    style: Style,
}

impl Show {
    fn new(args: &VerifyArgs, files: usize) -> Show {
        Show {
            on: !args.json,
            quiet: args.quiet,
            headings: files > 1,
            statistics: args.stats,
            detail: Detail { trace: args.trace },
            style: Style { colour: colours() },
        }
    }

    fn file(&self, report: &FileReport) -> Result<(), Failure> {
        let is_verified = |it: &MemberReport| matches!(it.verdict, MemberVerdict::Verified);
        if !self.on || self.quiet && report.problems.is_empty() && report.members.iter().all(is_verified) {
            return Ok(());
        }
        let mut res = String::new();
        if self.headings {
            res.push_str(&format!("{}\n", self.style.strong(&report.name)));
        }
        let wanted = |it: &MemberReport| !self.quiet || !is_verified(it);
        res.push_str(&text::file(report, &wanted, self.detail, self.statistics, self.style));
        if self.headings || report.members.iter().any(has_errors) {
            res.push('\n');
        }
        say(&res)
    }

    fn summary(&self, counts: &Counts) -> Result<(), Failure> {
        if self.quiet {
            return Ok(());
        }
        say(&text::summary(counts))
    }
}

fn has_errors(member: &MemberReport) -> bool {
    matches!(member.verdict, MemberVerdict::Failed(_))
}
