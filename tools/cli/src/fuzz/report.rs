//! Reports a campaign: a status line while it runs, bugs when they are found, and the report at the end.
//!
//! Knows: the wording, and the document of `--json`. Never: how inputs are made.

use super::symbolic::{Done, Half, words};
use super::{crash_test, reproduce};
use crate::Failure;
use crate::args::FuzzArgs;
use crate::progress::{ProgressLine, say, to_terminal};
use effigy_concolic::Why;
use effigy_fuzz::{Account, Bug, Kind, STAGES, Status, UnrepeatedEnd, Watcher};
use effigy_llvm::driver::AssumptionPlace;
use effigy_report::document::Writer;
use effigy_report::folder::Folder;
use effigy_report::test_case::TestPlace;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Plain lines come so often where nobody sees a status line.
const PLAIN: Duration = Duration::from_secs(10);

/// Calls of a stack that are shown: as many as tell two failures apart.
const STACK: usize = 6;

/// Prints the progress of a campaign, its bugs and its report.
pub(super) struct CampaignReporter<'a> {
    line: ProgressLine,
    shown: bool,
    /// Nobody sees a line that changes.
    plain: bool,
    last: Instant,
    folder: &'a Folder,
    kind: Kind,
    /// `effigy replay` runs such programs.
    replays: bool,
    /// The tests of bugs, in their order; none where `effigy replay` would skip it.
    tests: Vec<Option<String>>,
    failed: Option<Failure>,
}

/// The account, as `--json` and `summary.json` have it.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    pub(super) effigy: Writer,
    pub(super) command: &'static str,
    pub(super) program: Vec<String>,
    pub(super) seconds: f64,
    pub(super) runs: u64,
    pub(super) runs_per_second: f64,
    /// Of the runs, those that try to make a compare hold, which is what the loop does beside chance.
    pub(super) runs_on_compares: u64,
    pub(super) edges: EdgeCoverage,
    pub(super) queue: usize,
    /// Inputs of the queue by what found them.
    pub(super) found_by: BTreeMap<&'static str, u64>,
    pub(super) crashes: u64,
    pub(super) timeouts: u64,
    pub(super) out_of_memory: u64,
    pub(super) workers: u64,
    pub(super) unstable: u64,
    /// Bad ends that a process of its own did not repeat.
    pub(super) not_repeated: Vec<EndSection>,
    /// Bad ends for whose inputs there was no room.
    pub(super) not_kept: u64,
    /// Assumptions that were reached and never held.
    pub(super) assumptions_never_held: Vec<TestPlace>,
    /// Runs that ended because the program called exit.
    pub(super) exits: u64,
    pub(super) not_looked_at: usize,
    pub(super) under_sanitizers: u64,
    pub(super) synced: u64,
    pub(super) jobs: u32,
    pub(super) fleet: Option<FleetSection>,
    pub(super) symbolic: SymbolicSection,
    pub(super) bugs: Vec<BugSection>,
    pub(super) coverage: Vec<Point>,
    pub(super) output: String,
}

/// How far the whole fleet is.
#[derive(Debug, Serialize)]
pub(super) struct FleetSection {
    pub(super) waiting: u64,
    pub(super) leased: u64,
    pub(super) done: u64,
    pub(super) given_up: u64,
    pub(super) expired: u64,
    /// Edges and classes of their counts.
    pub(super) covered: u64,
    pub(super) finds: u64,
    /// What the others have found, and is in this folder now.
    pub(super) heard: u64,
    /// What this worker could not tell them.
    pub(super) untold: usize,
}

/// The symbolic half of the campaign, in the document.
#[derive(Debug, Serialize)]
pub(super) struct SymbolicSection {
    /// In a sentence: what came of it, or why nothing did.
    pub(super) words: String,
    /// A count for each reason.
    pub(super) why: Option<Why>,
    /// Inputs that it gave to the native half.
    pub(super) given: u64,
}

/// The edges covered, of all edges.
#[derive(Debug, Serialize)]
pub(super) struct EdgeCoverage {
    pub(super) covered: u64,
    pub(super) all: u64,
}

/// A bug, as the document has it.
#[derive(Debug, Serialize)]
pub(super) struct BugSection {
    pub(super) kind: &'static str,
    pub(super) message: String,
    pub(super) stack: Vec<TestPlace>,
    pub(super) confirmed: bool,
    pub(super) seconds: f64,
    pub(super) bytes: usize,
    pub(super) file: String,
    /// Files of other inputs that end there.
    pub(super) others: Vec<String>,
    pub(super) reproduce: String,
}

/// A bad end that was seen, and that a process of its own did not repeat.
#[derive(Debug, Serialize)]
pub(super) struct EndSection {
    pub(super) how: String,
    pub(super) file: Option<String>,
    pub(super) seconds: f64,
}

impl EndSection {
    fn of(end: &UnrepeatedEnd) -> EndSection {
        let file = end.file.as_ref().map(|it| it.display().to_string());
        EndSection { how: end.how.clone(), file, seconds: end.time.as_secs_f64() }
    }
}

/// A point of the chart.
#[derive(Debug, Serialize)]
pub(super) struct Point {
    pub(super) seconds: f64,
    pub(super) runs: u64,
    pub(super) edges: u64,
    pub(super) queue: usize,
    pub(super) bugs: usize,
}

impl<'a> CampaignReporter<'a> {
    pub(super) fn new(shown: bool, folder: &'a Folder, kind: Kind, replays: bool) -> CampaignReporter<'a> {
        let (plain, line) = (shown && !to_terminal(), ProgressLine::new(shown));
        CampaignReporter {
            line,
            shown,
            plain,
            last: Instant::now(),
            folder,
            kind,
            replays,
            tests: Vec::new(),
            failed: None,
        }
    }

    /// The account of all of it.
    pub(super) fn finish(
        mut self,
        account: &Account,
        args: &FuzzArgs,
        halves: &Result<Vec<Half>, String>,
        assumptions: &[AssumptionPlace],
    ) -> Result<Document, Failure> {
        self.line.clear();
        if let Some(failure) = self.failed.take() {
            return Err(failure);
        }
        let status = &account.status;
        let board = &status.board;
        let seconds = status.time.as_secs_f64();
        let bugs = account.bugs.iter().zip(&self.tests).map(|(bug, test)| BugSection {
            kind: bug.report.kind,
            message: bug.report.message.clone(),
            stack: crash_test::stack(bug),
            confirmed: bug.confirmed,
            seconds: bug.time.as_secs_f64(),
            bytes: bug.input.len(),
            file: bug.path.display().to_string(),
            others: bug.others.iter().map(|it| it.display().to_string()).collect(),
            reproduce: match test {
                Some(test) => format!("effigy replay {}", self.folder.path().join(test).display()),
                None => reproduce::command(args, &bug.path),
            },
        });
        Ok(Document {
            effigy: Writer::default(),
            command: "fuzz",
            program: args.files.iter().chain(&args.project).map(|it| it.display().to_string()).collect(),
            seconds,
            runs: board.runs,
            runs_per_second: if seconds > 0.0 { board.runs as f64 / seconds } else { 0.0 },
            runs_on_compares: board.solve_runs,
            edges: EdgeCoverage { covered: board.edges_seen, all: board.edges },
            queue: status.queue,
            found_by: STAGES.iter().copied().zip(status.found_by).filter(|it| it.1 > 0).collect(),
            crashes: board.crashes,
            timeouts: board.hangs,
            out_of_memory: board.memory,
            workers: board.workers,
            unstable: board.unstable,
            not_repeated: account.unrepeated.iter().map(EndSection::of).collect(),
            not_kept: status.unkept,
            assumptions_never_held: never_held(account, assumptions),
            exits: board.exits,
            not_looked_at: status.waiting,
            under_sanitizers: status.looked_at,
            synced: status.synced,
            jobs: args.jobs,
            fleet: args.shared.fleet.is_some().then_some(FleetSection {
                waiting: status.fleet.waiting,
                leased: status.fleet.leased,
                done: status.fleet.done,
                given_up: status.fleet.given_up,
                expired: status.fleet.expired,
                covered: status.fleet.covered,
                finds: status.fleet.finds,
                heard: status.heard,
                untold: status.untold,
            }),
            symbolic: match halves {
                Ok(halves) => {
                    let mut done = Done::default();
                    halves.iter().for_each(|it| done += it.done());
                    SymbolicSection { words: words(&done), why: Some(done.why), given: status.solved }
                }
                Err(reason) => SymbolicSection { words: format!("none: {reason}"), why: None, given: 0 },
            },
            bugs: bugs.collect(),
            coverage: account
                .samples
                .iter()
                .map(|it| Point {
                    seconds: it.time.as_secs_f64(),
                    runs: it.runs,
                    edges: it.edges,
                    queue: it.queue,
                    bugs: it.bugs,
                })
                .collect(),
            output: self.folder.path().display().to_string(),
        })
    }

    fn keep(&mut self, bug: &Bug) -> Result<(), Failure> {
        let number = self.tests.len() as u64 + 1;
        let name = format!("tests/test{number:06}.json");
        let mut test = crash_test::test(number, bug, self.kind);
        test.replayable &= self.replays;
        let text = serde_json::to_string_pretty(&test).map_err(Failure::of)?;
        self.folder.write(&name, text.as_bytes()).map_err(Failure::of)?;
        self.tests.push(test.replayable.then_some(name));
        Ok(())
    }
}

/// The assumptions that were reached and never held. Where the place is not known it is empty.
fn never_held(account: &Account, assumptions: &[AssumptionPlace]) -> Vec<TestPlace> {
    let place = |number: &usize| {
        let it = assumptions.get(*number).cloned().unwrap_or_default();
        TestPlace { file: crash_test::as_named(&it.file), line: it.line, column: it.column, function: it.function }
    };
    account.never_held.iter().map(place).collect()
}

impl Watcher for CampaignReporter<'_> {
    fn status(&mut self, status: &Status) {
        let text = line(status);
        if self.plain && self.last.elapsed() >= PLAIN {
            self.last = Instant::now();
            self.line.above(&text);
        }
        self.line.line(&text);
    }

    fn bug(&mut self, bug: &Bug) {
        if let Err(failure) = self.keep(bug) {
            self.failed.get_or_insert(failure);
        }
        if self.shown {
            let place = bug.report.frames.first().map_or(String::new(), |it| {
                let line = if it.line > 0 { format!(":{}", it.line) } else { String::new() };
                format!(" at {}{line}", it.file)
            });
            self.line.above(&format!("{:.1} s  {}{place}", bug.time.as_secs_f64(), bug.report.kind));
        }
    }
}

fn line(status: &Status) -> String {
    let board = &status.board;
    let fleet = match status.fleet {
        it if it.done + it.waiting + it.leased == 0 => String::new(),
        it => format!("  {} items done, {} left", it.done, it.waiting + it.leased),
    };
    format!(
        "{:.0} s  {} runs ({}/s)  {} of {} edges  {} inputs  {} bugs{fleet}",
        status.time.as_secs_f64(),
        large(board.runs),
        large(status.rate as u64),
        board.edges_seen,
        board.edges,
        status.queue,
        status.bugs,
    )
}

/// The number with separators: 1,234,567.
pub(super) fn large(number: u64) -> String {
    let digits = number.to_string();
    let mut res = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            res.push(',');
        }
        res.push(digit);
    }
    res
}

/// Prints the whole report as text.
pub(super) fn say_all(document: &Document, quiet: bool) -> Result<(), Failure> {
    let mut text = String::new();
    for bug in &document.bugs {
        text.push_str(&format!("{}: {}\n", bug.kind, bug.message));
        for (at, place) in bug.stack.iter().take(STACK).enumerate() {
            let mark = if at == 0 { "-->" } else { "by " };
            text.push_str(&format!("  {mark} {place} in {}\n", place.function));
        }
        let unsure = if bug.confirmed { "" } else { ", natively only: sanitizers see nothing" };
        if !quiet {
            text.push_str(&format!("  {} bytes: {}{unsure}\n", bug.bytes, bug.file));
            if let Some(first) = bug.others.first() {
                let count = bug.others.len();
                let (noun, verb) = if count == 1 { ("input", "ends") } else { ("inputs", "end") };
                text.push_str(&format!("  {count} other {noun} {verb} there: {first}\n"));
            }
        }
        text.push_str(&format!("  {}\n\n", bug.reproduce));
    }
    for end in &document.not_repeated {
        let file = end.file.as_deref().unwrap_or("its input was not kept");
        text.push_str(&format!("not repeated by a process of its own: {}\n  {file}\n\n", end.how));
    }
    if quiet {
        return say(&text);
    }
    let hangs = document.bugs.iter().filter(|it| it.kind == "hang").count();
    text.push_str(&format!(
        "bugs      {} told apart ({hangs} hangs), of {} crashes and {} timeouts\n",
        document.bugs.len(),
        document.crashes,
        document.timeouts
    ));
    text.push_str(&format!("coverage  {} of {} edges\n", document.edges.covered, document.edges.all));
    let by: Vec<String> = document.found_by.iter().map(|(stage, count)| format!("{count} {stage}")).collect();
    text.push_str(&format!("queue     {} inputs ({})\n", document.queue, by.join(", ")));
    text.push_str(&format!(
        "runs      {}, {} each second; {} % to make compares hold\n",
        large(document.runs),
        large(document.runs_per_second as u64),
        document.runs_on_compares * 100 / document.runs.max(1)
    ));
    text.push_str(&format!("symbolic  {}\n", document.symbolic.words));
    if let Some(it) = &document.fleet {
        let given_up = if it.given_up > 0 { format!(", {} given up", it.given_up) } else { String::new() };
        let untold = if it.untold > 0 { format!("; {} could not be told", it.untold) } else { String::new() };
        text.push_str(&format!(
            "fleet     {} items done, {} left{given_up}; {} inputs heard of{untold}\n",
            it.done,
            it.waiting + it.leased,
            it.heard
        ));
    }
    if document.unstable > 0 || !document.not_repeated.is_empty() {
        text.push_str(&format!(
            "unstable  {} inputs did not do the same again, {} bad ends were not repeated: does the program keep \
             something from run to run, or depend on the time? `--isolate` gives each run a process\n",
            document.unstable,
            document.not_repeated.len()
        ));
    }
    if document.not_looked_at > 0 {
        text.push_str(&format!(
            "left      {} bad ends were not looked at yet; their inputs are in {}/crashes and {}/hangs\n",
            document.not_looked_at, document.output, document.output
        ));
    }
    if document.not_kept > 0 {
        text.push_str(&format!("not kept  {} inputs that ended badly: there are too many\n", document.not_kept));
    }
    for place in &document.assumptions_never_held {
        let at = match place.line {
            0 => "an assumption".to_owned(),
            line => format!("the assumption at {}:{line}:{} in {}", place.file, place.column, place.function),
        };
        text.push_str(&format!("assumed   no input passed {at}: nothing behind it was run\n"));
    }
    if document.exits > 0 {
        text.push_str(&format!(
            "exits     {} runs ended because the program called exit; each costs a process\n",
            large(document.exits)
        ));
    }
    text.push_str(&format!("output    {}, {}/report.html\n", document.output, document.output));
    text.push_str(&format!("time      {:.2} s\n", document.seconds));
    say(&text)
}
