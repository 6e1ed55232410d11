//! `effigy run`: explore a program of any language, report bugs, write tests.
//!
//! Knows: which reports there are, whether the walk is shared. Never: a language.

mod fleet;
mod fleet_results;

use crate::args::{OutputArgs, RunArgs};
use crate::build_identity::{build_identity, hex, shown};
use crate::collect::{Collector, CollectorConfig, Extras, Live, WalkOutcome, reached};
use crate::frontend::{About, Layout, Plan, ReportHooks};
use crate::progress::{ProgressLine, colours, is_shown, say, say_json, say_json_of, to_terminal};
use crate::run_manifest::RunManifest;
use crate::solver::solver_config;
use crate::test_files::TestFiles;
use crate::time_allowance::TimeAllowance;
use crate::walk::LeafOptions;
use crate::workers::{WorkerSetup, crew};
use crate::{Code, Failure, baseline, limits};
use effigy_fleet::{Build, MOST_BITS};
use effigy_report::bugs::{self, Style};
use effigy_report::coverage::{Coverage, lcov};
use effigy_report::document::Document;
use effigy_report::folder::Folder;
use effigy_report::journal::{self, Journal, ResumedWalk};
use effigy_report::leaf::Leaf;
use effigy_report::pretty;
use effigy_report::tree::StateDetail;
use effigy_report::{summary, trace};
use effigy_walk::Start;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) fn run<P: Plan>(plan: &P, args: &RunArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    baseline::check(&args.output.baseline)?;
    let language = plan.language()?;
    let about = plan.about(&language);
    let (time, usual_time) = limits::time(&args.limits, !args.output.json && is_shown());
    let config = limits::of_run(&args.limits, time, &about, interrupt);
    let patience = TimeAllowance::of_run(config.budget.time);
    let solver = solver_config(&args.solver, interrupt)?;
    let RunOutput { folder, journal, resumed } = match &args.resume {
        Some(path) => reopened(path, plan)?,
        None => created(args, &about, plan)?,
    };
    let replayable = about.native.as_ref().is_some_and(|it| it.replayable);
    let words = language.words_distinguish_bugs();
    let tests = Arc::new(TestFiles::new(folder, args.output.ktest, replayable, words));
    // What is shared is written when all of it is there.
    let own_tests = match args.shared.fleet {
        Some(_) => Arc::new(TestFiles::new(None, false, replayable, words)),
        None => Arc::clone(&tests),
    };
    let telling = LeafOptions {
        layout: about.layout,
        pc: args.output.pc,
        leaves: true,
        tree: args.output.trace.then_some((about.title.as_str(), StateDetail::Statements)),
        patience: &patience,
        tests: &own_tests,
    };
    let mut collector = Collector::new(wanted(args, &about, Arc::clone(&tests)));
    let start = match resumed {
        Some(ResumedWalk { start, leaves, .. }) => {
            collector.told_before(leaves);
            start
        }
        None => Start::of_program(),
    };
    let work = WorkerSetup { plan, solver: &solver, config: &config, telling: &telling };
    let crew = crew(args.jobs, telling.tree.is_some());
    let account = match args.shared.fleet {
        Some(_) => fleet::shared(&work, &language, campaign(args, plan)?, crew.workers, &mut collector)?,
        None => work.together(&language, crew, start, &mut collector, journal)?,
    };
    let collected = collector.finish()?;
    let coverage = reached(language.sites(), &account.exploration);
    let mut remarks = language.remarks(&account.exploration);
    if patience.is_out() {
        remarks.push("some formulas are longer than they need be: making them shorter takes too long".to_owned());
    }
    let extras = Extras {
        coverage: coverage.as_ref(),
        remarks,
        telling: patience.spent(),
        usual_time,
        rules: args.output.stats,
    };
    let mut document = collected.document("run", &about, &config, account, extras);
    conclude(args, &about, &mut document, &collected, coverage.as_ref())
}

/// The campaign of workers that walk the same program in the same way.
fn campaign<P: Plan>(args: &RunArgs, plan: &P) -> Result<Box<dyn effigy_fleet::Fleet>, Failure> {
    if args.output.trace {
        return Err(Failure("--trace is recorded by one worker: it does not go with --fleet".to_owned()));
    }
    let mut hash = Sha256::new();
    hash.update(build_identity()?);
    hash.update(plan.fingerprint().to_le_bytes());
    hash.update(&args.identity);
    crate::fleet::join(&args.shared, Build { hash: hex(&hash.finalize()), bits: MOST_BITS })
}

/// Writes and prints the account of a run.
pub(crate) fn conclude(
    args: &RunArgs,
    about: &About,
    document: &mut Document,
    collected: &WalkOutcome,
    coverage: Option<&Coverage>,
) -> Result<Code, Failure> {
    if let Some(remark) = baseline::mark(&args.output.baseline, &mut document.bugs)? {
        document.remarks.push(remark);
    }
    let document = &*document;
    if let Some(folder) = &collected.folder {
        write(folder, document, coverage)?;
    }
    print(&args.output, about.layout, document, collected)?;
    Ok(match (document.bugs.iter().all(|it| it.bug.possible || it.known), document.complete) {
        (false, _) => Code::Found,
        (true, true) => Code::Nothing,
        (true, false) => Code::Cut,
    })
}

/// Where a run writes, and what an earlier session has written there.
#[derive(Default)]
pub(crate) struct RunOutput {
    pub(crate) folder: Option<Folder>,
    journal: Option<Journal>,
    resumed: Option<ResumedWalk>,
}

/// A new folder, where one is wanted.
pub(crate) fn created<P: Plan>(args: &RunArgs, about: &About, plan: &P) -> Result<RunOutput, Failure> {
    let out = args.output.out.as_deref();
    if about.layout != Layout::Counts && out.is_none() {
        return Ok(RunOutput::default());
    }
    let build = build_identity()?.to_owned();
    let mark = RunManifest { build: Some(build), ..RunManifest::new(&args.start, about, plan.fingerprint()) };
    let folder = mark.folder(out)?;
    // A walk that is shared goes on from the server.
    let journal = match args.shared.fleet {
        Some(_) => None,
        None => Some(Journal::create(&folder.journal()).map_err(Failure::of)?),
    };
    Ok(RunOutput { folder: Some(folder), journal, resumed: None })
}

/// The folder of a run to be resumed.
fn reopened<P: Plan>(path: &Path, plan: &P) -> Result<RunOutput, Failure> {
    let mark = RunManifest::read(path)?;
    let changed = |what: &str| Failure(format!("{}: {what} since this run; begin it anew", path.display()));
    let (then, now) = (mark.build.as_deref(), build_identity()?);
    if then != Some(now) {
        let then = then.map_or("a build without an identity", shown);
        return Err(changed(&format!("effigy has changed (it was {then}, this is {})", shown(now))));
    }
    if mark.fingerprint != Some(plan.fingerprint()) {
        return Err(changed("the program has changed"));
    }
    let folder = Folder::reopen(path).map_err(Failure::of)?;
    // A run that was killed before it began has no journal.
    if !folder.journal().exists() {
        let journal = Journal::create(&folder.journal()).map_err(Failure::of)?;
        return Ok(RunOutput { folder: Some(folder), journal: Some(journal), resumed: None });
    }
    let resumed = journal::read(&folder.journal()).map_err(Failure::of)?;
    let journal = Journal::append(&folder.journal(), &resumed).map_err(Failure::of)?;
    Ok(RunOutput { folder: Some(folder), journal: Some(journal), resumed: Some(resumed) })
}

fn wanted(args: &RunArgs, about: &About, tests: Arc<TestFiles>) -> CollectorConfig {
    let output = &args.output;
    let talks = !output.json && !output.quiet;
    CollectorConfig {
        tests,
        live: match (output.live, talks && to_terminal()) {
            (true, _) => Live::All,
            (false, true) => Live::Some,
            (false, false) => Live::No,
        },
        progress: ProgressLine::new(talks),
        layout: about.layout,
    }
}

/// What `--json` says, in the folder of a run.
const SUMMARY: &str = "summary.json";

fn write(folder: &Folder, document: &Document, coverage: Option<&Coverage>) -> Result<(), Failure> {
    let put = |name: &str, bytes: &[u8]| folder.write(name, bytes).map_err(Failure::of);
    // It has a section for each path: it is written as it is made.
    let json = |out: &mut dyn std::io::Write| Ok(pretty::to_writer(out, document)?);
    folder.write_by(SUMMARY, json).map_err(Failure::of)?;
    put("summary.txt", summary::counts(document, true).as_bytes())?;
    if let Some(coverage) = coverage {
        put("coverage.json", &serde_json::to_vec_pretty(coverage).map_err(Failure::of)?)?;
        put("coverage.info", lcov(coverage).as_bytes())?;
    }
    Ok(())
}

fn print(args: &OutputArgs, layout: Layout, document: &Document, collected: &WalkOutcome) -> Result<(), Failure> {
    if args.json {
        return match &collected.folder {
            Some(folder) => say_json_of(&folder.path().join(SUMMARY)),
            None => say_json(document),
        };
    }
    let mut text = String::new();
    for (at, leaf) in collected.leaves().enumerate() {
        if let Some(explained) = &leaf.explained {
            let _ = write!(text, "path {}\n{}\n", at + 1, explained.text);
        }
    }
    if let Some(tree) = &document.tree {
        text.push_str(&trace::render(tree));
    }
    let leaves: Vec<&Leaf> = collected.leaves().collect();
    if layout == Layout::Table && document.tree.is_none() && document.paths.completed > 0 {
        let _ = writeln!(text, "{}", summary::table(&leaves).render_within(crate::tree::width()));
    }
    let style = Style { colour: colours() };
    for bug in document.bugs.iter().filter(|it| !it.known) {
        let _ = writeln!(text, "{}", bugs::render(bug, style, &source_line));
    }
    if layout == Layout::Table {
        text.push_str(&summary::unknown(&leaves));
    }
    if !args.quiet {
        match layout {
            Layout::Counts => text.push_str(&summary::counts(document, args.stats)),
            Layout::Table => {
                text.push_str(&summary::tally(document));
                if args.stats {
                    text.push_str(&summary::layers(document));
                }
            }
        }
    }
    say(&text)
}

/// A line of a file, if it is there.
fn source_line(file: &str, line: u32) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
}
