//! The summary of a run: one object for programs, a few lines for people.
//!
//! Knows: the schema of `--json`. Never: how the numbers came about.

use crate::tests::{TestBug, TestInput, TestPlace};
use serde::Serialize;
use std::collections::BTreeMap;

/// The summary.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Paths by their ends.
    pub paths: Paths,
    /// Each bug once.
    pub bugs: Vec<FoundBug>,
    /// Line and branch coverage.
    pub coverage: CoverageSummary,
    /// The solver's share.
    pub solver: SolverSummary,
    /// Transitions over all paths.
    pub instructions: u64,
    /// Seconds.
    pub time: f64,
    /// Whether every path was followed to its end and nothing was approximated away.
    pub complete: bool,
    /// Why the run stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// What rests on approximations, or was not executed.
    pub incomplete: Vec<Incomplete>,
    /// Where tests and reports are.
    pub folder: String,
    /// How many tests were written.
    pub tests: u64,
}

/// Paths by their ends.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Paths {
    /// By themselves.
    pub completed: u64,
    /// At a limit.
    pub cut: u64,
    /// In a bug.
    pub errored: u64,
    /// Dropped by the program (an assumption that cannot hold, a silent exit).
    pub silent: u64,
    /// At something that is not executed.
    pub unsupported: u64,
    /// Not known to exist.
    pub undecided: u64,
    /// Cut paths by limit.
    pub cut_by: BTreeMap<String, u64>,
}

/// A bug, once.
#[derive(Clone, Debug, Serialize)]
pub struct FoundBug {
    /// What and where.
    #[serde(flatten)]
    pub bug: TestBug,
    /// How many paths end in it.
    pub paths: u64,
    /// The test that shows it.
    pub test: String,
    /// The inputs of that test.
    pub inputs: Vec<TestInput>,
    /// The path condition of that test.
    pub path_condition: Vec<String>,
    /// It rests on results of functions that are not known.
    pub assumed: bool,
}

/// Coverage in numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CoverageSummary {
    /// Lines executed.
    pub lines_covered: usize,
    /// Lines that could be.
    pub lines_total: usize,
    /// Ways on from branches taken.
    pub branches_covered: usize,
    /// Ways on from branches.
    pub branches_total: usize,
}

/// The solver's share.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SolverSummary {
    /// Seconds.
    pub time: f64,
    /// Layers from the top of the chain down.
    pub layers: Vec<Layer>,
}

/// One layer.
#[derive(Clone, Debug, Serialize)]
pub struct Layer {
    /// Its name, as in its flag.
    pub name: String,
    /// Queries that came in.
    pub queries: u64,
    /// Queries that it answered.
    pub answered: u64,
    /// Seconds in it, those below not included.
    pub time: f64,
}

/// Something that a result may rest on.
#[derive(Clone, Debug, Serialize)]
pub struct Incomplete {
    /// Its class.
    pub kind: String,
    /// What, by name.
    pub what: String,
    /// Where first.
    pub place: TestPlace,
    /// How often.
    pub count: u64,
    /// Whether behaviours may have been missed.
    pub missed: bool,
}

/// The summary for people. `timing` shows what differs from run to run.
pub fn text(summary: &Summary, timing: bool, statistics: bool) -> String {
    let mut res = String::new();
    let paths = &summary.paths;
    let mut ends = vec![format!("{} completed", paths.completed), format!("{} in a bug", paths.errored)];
    let rest = [
        (paths.cut, "cut"),
        (paths.silent, "dropped by the program"),
        (paths.unsupported, "unsupported"),
        (paths.undecided, "undecided"),
    ];
    ends.extend(rest.iter().filter(|it| it.0 > 0).map(|it| format!("{} {}", it.0, it.1)));
    res.push_str(&format!("paths     {}\n", ends.join(", ")));
    res.push_str(&format!("bugs      {}\n", summary.bugs.len()));
    let coverage = &summary.coverage;
    if coverage.lines_total > 0 {
        res.push_str(&format!(
            "coverage  {} of {} lines, {} of {} branches\n",
            coverage.lines_covered, coverage.lines_total, coverage.branches_covered, coverage.branches_total
        ));
    }
    res.push_str(&format!("tests     {} in {}\n", summary.tests, summary.folder));
    if timing {
        let share = if summary.time > 0.0 { 100.0 * summary.solver.time / summary.time } else { 0.0 };
        res.push_str(&format!(
            "time      {:.2} s, {share:.0} % of it in the solver; {} instructions\n",
            summary.time, summary.instructions
        ));
    }
    for (limit, count) in &paths.cut_by {
        let paths = if *count == 1 { "path" } else { "paths" };
        res.push_str(&format!("cut       {count} {paths} by the {limit}\n"));
    }
    for it in &summary.incomplete {
        let label = if it.missed { "missed" } else { "note" };
        let place = if it.place.line > 0 { format!(" ({}:{})", it.place.file, it.place.line) } else { String::new() };
        let times = if it.count > 1 { format!(", {} times", it.count) } else { String::new() };
        res.push_str(&format!("{label:<9} {}: {}{place}{times}\n", it.kind, it.what));
    }
    if statistics {
        res.push_str("layer            queries   answered");
        res.push_str(if timing { "   seconds\n" } else { "\n" });
        for layer in &summary.solver.layers {
            res.push_str(&format!("{:<14} {:>9}  {:>9}", layer.name, layer.queries, layer.answered));
            res.push_str(&if timing { format!("  {:>8.3}\n", layer.time) } else { "\n".to_owned() });
        }
    }
    let verdict = match (summary.bugs.is_empty(), summary.complete) {
        (_, true) => "every path was explored to its end",
        (_, false) => "not every path was explored: nothing follows for the rest",
    };
    res.push_str(&format!("verdict   {verdict}\n"));
    res
}
