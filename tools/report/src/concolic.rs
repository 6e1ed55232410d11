//! The account of a concolic run: what it passed, with the sides that it did not take.
//!
//! Knows: text and numbers. Never: terms, how a run is made.

use crate::document::{ProgramSection, Writer};
use crate::leaf::LeafEnd;
use crate::table::Table;
use crate::test_case::{TestInput, TestPlace};
use effigy_engine::PathName;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// One run, real and symbolic at once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ConcolicRun {
    /// The build of effigy that wrote the report.
    pub effigy: Writer,
    /// The language of the program.
    pub language: &'static str,
    /// The program that was run.
    pub program: ProgramSection,
    /// The inputs that were asked for, with their values.
    pub inputs: Vec<TestInput>,
    /// Given, and not asked for.
    pub unasked: Vec<String>,
    /// The name of the path.
    pub decisions: PathName,
    /// How the run ended, with its bug if it has one.
    pub end: LeafEnd,
    /// What it wrote to standard output, where that is text.
    pub output: String,
    /// The number of transitions that the run made.
    pub steps: u64,
    /// What it passed: the path condition.
    pub conditions: Vec<Condition>,
    /// Values that could not be followed, by place.
    pub pinned: Vec<PinnedValue>,
    /// Conditions that depend on uninitialised storage, which the run takes as zero.
    pub undefined: u64,
    /// What was approximated: how often, by class and name.
    pub notes: BTreeMap<String, u64>,
}

/// A conjunct of the path condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Condition {
    /// Where it was asked for.
    pub place: TestPlace,
    /// The question that asked for it: `branch`, `value`, `required`, `assumed`.
    pub kind: &'static str,
    /// The side that was taken.
    pub side: String,
    /// The condition that the run satisfies, as text.
    pub holds: String,
    /// The decisions that were taken before.
    pub decided: usize,
    /// The sides that were not taken.
    pub others: Vec<Side>,
}

/// A side that was not taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Side {
    /// The label of the side, as the question has it.
    pub side: String,
    /// The condition of the side, as text.
    pub holds: String,
}

/// A value that could not be followed: the run goes on with the one that it has, under the condition that it is so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PinnedValue {
    /// Where the value was met.
    pub place: TestPlace,
    /// How often a value was pinned at this place.
    pub count: u64,
}

/// How a run ended, on one line.
pub fn ended(end: &LeafEnd) -> String {
    match end {
        LeafEnd::Exit(Some(code)) => format!("exit {code}"),
        LeafEnd::Exit(None) => "end of the program".to_owned(),
        // `abort: abort is called` says it twice.
        LeafEnd::Bug(bug) if bug.message.starts_with(&bug.kind) => bug.message.clone(),
        LeafEnd::Bug(bug) => format!("{}: {}", bug.kind, bug.message),
        LeafEnd::Dropped => "dropped by the program".to_owned(),
        LeafEnd::Redundant => "as another".to_owned(),
        LeafEnd::Unsupported { what, .. } => format!("not executed: {what}"),
        LeafEnd::Undecided { what, reason, .. } => format!("not decided: {what}: {reason}"),
        LeafEnd::Cut(limit) => format!("stopped: {limit}"),
    }
}

/// A place, as short as it is clear.
pub fn at(place: &TestPlace) -> String {
    match (place.line, place.file.is_empty(), place.function.is_empty()) {
        (0, _, true) => "?".to_owned(),
        (0, _, false) => place.function.clone(),
        (line, true, true) => line.to_string(),
        (line, true, false) => format!("{}:{line}", place.function),
        (line, false, _) => format!("{}:{line}", place.file),
    }
}

/// The inputs, on one line.
pub fn inputs(inputs: &[TestInput]) -> String {
    let told = inputs.iter().map(|it| format!("{} = {}", it.name, it.display()));
    let res = told.collect::<Vec<_>>().join(", ");
    if res.is_empty() { "no input".to_owned() } else { res }
}

/// A column of the sides that were not taken is this wide; chosen without measuring.
const MOST_SIDES: usize = 40;

/// The sides that were not taken, as many as fit a column.
fn other_sides(sides: &[Side]) -> String {
    let mut res = String::new();
    for (at, it) in sides.iter().enumerate() {
        if at > 0 && res.chars().count() + it.side.chars().count() > MOST_SIDES {
            let _ = write!(res, ", … {} more", sides.len() - at);
            break;
        }
        res.push_str(if at > 0 { ", " } else { "" });
        res.push_str(&it.side);
    }
    res
}

/// The run for a terminal.
pub fn render(run: &ConcolicRun) -> String {
    let mut res = format!("{}\n", inputs(&run.inputs));
    for name in &run.unasked {
        let _ = writeln!(res, "{name} is given, and not asked for");
    }
    if !run.conditions.is_empty() {
        let words = ["", "place", "", "side", "not taken", "holds"];
        let mut table = Table { head: words.map(str::to_owned).to_vec(), rows: Vec::new() };
        for (number, it) in run.conditions.iter().enumerate() {
            table.rows.push(vec![
                number.to_string(),
                at(&it.place),
                it.kind.to_owned(),
                it.side.clone(),
                other_sides(&it.others),
                it.holds.clone(),
            ]);
        }
        let _ = write!(res, "\n{}\n", table.render());
    }
    let _ = writeln!(res, "path {}: {}", run.decisions, ended(&run.end));
    if !run.output.is_empty() {
        let _ = writeln!(res, "output {:?}", run.output);
    }
    for it in &run.pinned {
        let times = if it.count == 1 { "once".to_owned() } else { format!("{} times", it.count) };
        let _ = writeln!(res, "a value was kept as it is at {}, {times}", at(&it.place));
    }
    if run.undefined > 0 {
        let _ = writeln!(res, "uninitialised storage was taken as zero: {}", run.undefined);
    }
    for (note, count) in &run.notes {
        let _ = writeln!(res, "{note}: {count}");
    }
    let conditions = if run.conditions.len() == 1 { "condition" } else { "conditions" };
    let _ = writeln!(res, "{} {conditions}, {} steps, no question to the solver", run.conditions.len(), run.steps);
    res
}
