//! `effigy bmc`: every path at once, unwound up to a bound, merged.
//!
//! Knows: how it is asked for and told. Never: a language, how paths are merged.

mod board;
mod dump;
mod merged;
pub(crate) mod property;
mod report;
mod steps;
mod witness;
mod workers;

pub(crate) use merged::run as merged;

use crate::args::{BmcArgs, MaxTime};
use crate::collect::{Collector, CollectorConfig, Live};
use crate::frontend::{About, Layout, Plan, ReportHooks};
use crate::progress::{ProgressLine, say, say_json};
use crate::run_manifest::RunManifest;
use crate::solver::of_one_question;
use crate::test_files::TestFiles;
use crate::walk::Receiver;
use crate::{Code, Failure, baseline, limits};
use effigy_bmc::{Account, Config, EncodedFormula, Found, Others, Progress, Verdict};
use effigy_engine::{Budget, Context, Coverage, Inputs, Joins, Notes, Outcome, PathId, Trail, Turning, follow};
use effigy_report::leaf::{Leaf, LeafEnd};
use effigy_report::plural::counted;
use effigy_report::test_case::TestBug;
use effigy_solver::{QueryBudget, chain};
use effigy_term::Terms;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) fn bmc<P: Plan>(plan: &P, args: &BmcArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    // That it cannot be written is known before hours have gone by.
    baseline::check(&args.baseline)?;
    args.witness.as_deref().map_or(Ok(()), witness::may_be_written)?;
    args.dump.as_deref().map_or(Ok(()), dump::may_be_written)?;
    let language = plan.merging_language()?;
    let about = plan.about(&language);
    let is_c = about.program.files.iter().all(|it| it.ends_with(".c"));
    if !is_c && (args.witness.is_some() || args.property.is_some()) {
        return Err(Failure("--witness and --property are of programs in C".to_owned()));
    }
    check_bounds(args, &language.turnings())?;
    let memory = limits::watch_memory(limits::most_memory(args.max_memory), interrupt);
    let solver = of_one_question(&args.solver, interrupt)?;
    let (terms, mut solver) = (solver.terms(), chain(&solver));
    let bound = |it: &Turning| bound(args, it);
    let line = RefCell::new(ProgressLine::new(!args.json));
    let progress = |it: &Progress| line.borrow_mut().line(&told(it));
    let formula = RefCell::new(None);
    // Where nothing is open at a bound, what was asked at the one before is worth more than `false`.
    let dump = |terms: &Terms, open: &EncodedFormula| {
        if terms.as_bool(open.goal) != Some(false) || formula.borrow().is_none() {
            *formula.borrow_mut() = Some(dump::text(args, terms, open));
        }
    };
    let own = Config {
        bound: &bound,
        dump: args.dump.is_some().then_some(&dump),
        progress: &progress,
        ..config(args, &about, interrupt)
    };
    let query = own.query;
    let check = |others: Option<&dyn Others>| language.check_bounded(&terms, &mut *solver, &Config { others, ..own });
    let Some(mut account) = workers::together(plan, args, check)? else {
        return Err(Failure("`effigy bmc` does not take programs of this language yet".to_owned()));
    };
    account.stopped = memory.limit(account.stopped);
    line.borrow_mut().clear();
    if let (Some(file), Some(text)) = (&args.dump, formula.take()) {
        dump::write(file, &text?)?;
    }
    let collected = collected(plan, args, &about, &language, &terms, &account)?;
    let mut document = report::document(&about, &account, &collected);
    let mut told = |it: &Found| steps::told(&language, &terms, &mut *solver, query, it);
    if args.trace {
        document.runs = account.bugs().filter_map(&mut told).collect();
    }
    if let Some(path) = &args.witness {
        // A bug that is only possible has no run that others could follow.
        let bug = account.bugs().find(|it| !it.witness.made_up);
        let specification = match &args.property {
            Some(file) => property::read(file)?.specification,
            None => property::against(bug.map(|it| it.violation.kind.0)).to_owned(),
        };
        let task = witness::Task { about: &about, flags: &args.start.flags, specification: &specification };
        let text = match (bug, document.verdict) {
            (Some(bug), _) => told(bug).map(|it| witness::of_bug(&task, &it)).transpose()?,
            (None, "correct") => Some(witness::of_correct(&task, &account.invariants)?),
            _ => None,
        };
        document.witness = text.as_ref().map(|_| path.display().to_string());
        text.map_or(Ok(()), |it| witness::write(path, &it))?;
    }
    document.baseline = baseline::mark(&args.baseline, &mut document.bugs)?;
    if args.json {
        say_json(&document)?;
    } else {
        say(&report::text(&document, args))?;
    }
    Ok(match account.verdict() {
        _ if document.has_new_bugs() => Code::Found,
        Verdict::Correct => Code::Nothing,
        _ if document.bugs.iter().any(|it| it.known) && document.is_known_otherwise() => Code::Nothing,
        _ => Code::Cut,
    })
}

/// The configuration of each worker's check.
fn config<'a>(args: &BmcArgs, about: &About, interrupt: &Arc<AtomicBool>) -> Config<'a> {
    Config {
        bound: &|_| None,
        budget: Budget {
            time: match args.max_time {
                MaxTime::Of(time) => Some(time),
                MaxTime::None => None,
            },
            steps: args.max_steps,
            path_steps: Some(about.path_steps.map_or(args.max_path_steps, |it| it.min(args.max_path_steps))),
            bugs: args.stop_at_first_bug.then_some(1),
            interrupt: Arc::clone(interrupt),
            ..Budget::default()
        },
        query: QueryBudget { steps: args.solver_steps, time: Some(args.solver_timeout) },
        values: args.max_values.max(1),
        induction: args.k_induction || args.unwind.is_none() && !args.no_k_induction,
        invariants: args.witness.is_some(),
        joins: Joins::Always,
        encoding: args.encoding,
        ends: false,
        dump: None,
        others: None,
        progress: &|_| {},
    }
}

fn bound(args: &BmcArgs, turning: &Turning) -> Option<u32> {
    let named =
        args.unwindset.iter().rev().find(|it| *it.function == *turning.place.function && it.index == turning.index);
    named.map(|it| it.bound).or(args.unwind)
}

/// A bound for a loop that the program does not have is a mistake.
fn check_bounds(args: &BmcArgs, turnings: &[Turning]) -> Result<(), Failure> {
    for it in &args.unwindset {
        let is_it = |has: &Turning| *has.place.function == *it.function && has.index == it.index;
        if turnings.iter().any(is_it) {
            continue;
        }
        let called = |has: &Turning| match has.index {
            Some(index) => format!("{}.{index}", has.place.function),
            None => has.place.function.to_string(),
        };
        let (what, has) = match it.index {
            Some(index) => (format!("loop {}.{index}", it.function), "loops"),
            None => (format!("function {}", it.function), "functions"),
        };
        let of_its_kind = turnings.iter().filter(|has| has.index.is_some() == it.index.is_some());
        let names = crate::names::listed(of_its_kind.map(called));
        return Err(Failure(format!("--unwindset: there is no {what} in the program; its {has}: {names}")));
    }
    Ok(())
}

fn told(progress: &Progress) -> String {
    format!(
        "{:.0} s  {} waiting  {} at their bound  {}  {}",
        progress.time.as_secs_f64(),
        counted(progress.waiting as u64, "place"),
        counted(progress.parked as u64, "loop"),
        counted(progress.bugs as u64, "bug"),
        counted(progress.steps, "instruction")
    )
}

/// The bugs with their tests.
fn collected<P: Plan>(
    plan: &P,
    args: &BmcArgs,
    about: &About,
    language: &P::Language<'_>,
    terms: &Terms,
    account: &Account,
) -> Result<crate::collect::WalkOutcome, Failure> {
    let folder = match (account.bugs().next().is_none(), &args.out) {
        // Without a bug there is no test to write.
        (true, None) => None,
        // Where there is no native run, what is on the terminal says it all.
        (false, None) if about.layout == Layout::Table => None,
        (_, out) => Some(RunManifest::new(&args.start, about, plan.fingerprint()).folder(out.as_deref())?),
    };
    let replayable = about.native.as_ref().is_some_and(|it| it.replayable);
    let tests = Arc::new(TestFiles::new(folder, args.ktest, replayable, language.words_distinguish_bugs()));
    bugs_collected(language, terms, account, about, &tests, args.max_path_steps).finish()
}

/// A collector that has heard of the bugs, and their tests.
fn bugs_collected<L: ReportHooks>(
    language: &L,
    terms: &Terms,
    account: &Account,
    about: &About,
    tests: &Arc<TestFiles>,
    most_steps: u64,
) -> Collector {
    let mut res = Collector::new(CollectorConfig {
        tests: Arc::clone(tests),
        live: Live::No,
        progress: ProgressLine::new(false),
        layout: about.layout,
    });
    for found in account.bugs() {
        let mut leaf = leaf(language, terms, found, most_steps);
        tests.is_simplest(&mut leaf);
        res.leaf(leaf);
    }
    res
}

/// The end of the run into a bug. Its name is that of the path alone.
fn leaf<L: ReportHooks>(language: &L, terms: &Terms, found: &Found, most_steps: u64) -> Leaf {
    let bug = TestBug { possible: found.witness.made_up, ..TestBug::from(&found.violation) };
    let alone = alone(language, terms, found, most_steps);
    // A path that asks nothing of its inputs is that of every run.
    let every_run = alone.as_ref().is_some_and(|it| it.condition.conjuncts().is_empty());
    let trail = alone.unwrap_or_default();
    // The inputs say it all: on one run, each check is a condition, and the path condition is not told.
    let leaf = Leaf::new(trail.name(), LeafEnd::Bug(bug), trail.steps).with_witness(&found.witness);
    Leaf { every_run, ..leaf }
}

/// The path into a bug, followed by its inputs. `None` where inputs alone do not lead there.
fn alone<L: ReportHooks>(language: &L, terms: &Terms, found: &Found, most_steps: u64) -> Option<Trail> {
    let inputs = Inputs::Symbolic;
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
    let trail = Trail { witness: Some(found.model.clone().into()), ..Trail::new() };
    let mut path = effigy_engine::Path { id: PathId(0), state: language.start(&mut ctx), trail };
    match follow(language, &mut ctx, &mut path, most_steps) {
        Some(Ok(Outcome::Violation(it))) if it.place == found.violation.place => Some(path.trail),
        _ => None,
    }
}
