//! The account of a walk, one object for programs: the same for every language and every command that walks.
//!
//! Knows: the schema of `--json` (`book/src/json/walk.schema.json`). Never: how the numbers came about.

use crate::leaf::{BriefLeaf, Leaf, LeafEnd};
use crate::test_case::{ScheduledTurn, TestBug, TestInput, TestPlace};
use crate::tree::Tree;
use effigy_engine::Place;
use effigy_explore::Config;
use effigy_walk::Exploration;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The version of the schema. It rises when a member goes or changes its meaning, not when one comes.
pub const FORMAT: u32 = 2;

/// The account of a walk.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Document {
    /// The build of effigy that wrote the document.
    pub effigy: Writer,
    /// The command: `run`, `tree` or `prove`.
    pub command: String,
    /// The language, by its name in the schema.
    pub language: String,
    /// The program that was walked.
    pub program: ProgramSection,
    /// The number of paths by how they ended.
    pub paths: Paths,
    /// The paths that ended one by one, in the order of the tree.
    pub leaves: Leaves,
    /// Each bug once, the one on the simplest path first.
    pub bugs: Vec<FoundBug>,
    /// What was not followed to its end, by limit.
    pub cut: Vec<Cut>,
    /// What rests on approximations, or was not executed.
    pub incomplete: Vec<Incomplete>,
    /// The program itself dropped every path, by assumptions or by ending it in silence.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub vacuous: bool,
    /// What else is to be told, a sentence each.
    pub remarks: Vec<String>,
    /// What the walk was allowed.
    pub limits: Limits,
    /// Whether every path was followed to its end, or round for ever, and nothing was approximated away.
    pub complete: bool,
    /// The limit that stopped the walk before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Line and branch coverage, where the language has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageSummary>,
    /// The solver's part of the work: time, and queries by layer.
    pub solver: SolverSummary,
    /// The number of transitions over all paths.
    pub steps: u64,
    /// The wall time of the walk in seconds.
    pub time: f64,
    /// The most that the process took, in bytes, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
    /// How large path conditions became, where it is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// Where tests and reports are, if they are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// How many tests were written.
    pub tests: u64,
    /// The execution tree, from `tree` and `run --trace`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Tree>,
    /// What was proved, from `prove`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procedures: Option<Vec<serde_json::Value>>,
}

/// The build of effigy that wrote a document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Writer {
    /// The version of the command.
    pub version: String,
    /// The version of the document's format: [`FORMAT`].
    pub format: u32,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer { version: env!("CARGO_PKG_VERSION").to_owned(), format: FORMAT }
    }
}

/// The program that a document is about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ProgramSection {
    /// Its files as the user named them.
    pub files: Vec<String>,
    /// The function or member where it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The call that is executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The model of symbolic execution, where the language has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// The number of paths by how they ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Paths {
    /// Paths that reached the end of the program.
    pub completed: u64,
    /// Paths that ended in a bug.
    pub errored: u64,
    /// Dropped by the program (an assumption that cannot hold, a silent exit).
    pub dropped: u64,
    /// At something that is not executed.
    pub unsupported: u64,
    /// Paths of which it is not known whether they exist.
    pub undecided: u64,
    /// Paths that a limit stopped.
    pub cut: u64,
}

/// The paths that ended. Of those that are told in brief the section is made when it is asked for: there are many.
#[derive(Clone, Debug, Default)]
pub struct Leaves(Vec<LeafRecord>);

/// A path that ended, at length or in brief; the brief one with the file of its test.
#[derive(Clone, Debug)]
pub enum LeafRecord {
    /// The section itself, at length.
    Whole(Box<LeafSection>),
    /// What it is made of.
    Brief(Arc<BriefLeaf>, fn(u64) -> String),
}

impl Leaves {
    /// The sections of the leaves, in order; those told in brief are made on the way.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, LeafSection>> {
        self.0.iter().map(|it| match it {
            LeafRecord::Whole(it) => Cow::Borrowed(&**it),
            LeafRecord::Brief(it, file) => Cow::Owned(LeafSection::brief(it, *file)),
        })
    }
}

impl FromIterator<LeafRecord> for Leaves {
    fn from_iter<I: IntoIterator<Item = LeafRecord>>(iter: I) -> Leaves {
        Leaves(iter.into_iter().collect())
    }
}

impl FromIterator<LeafSection> for Leaves {
    fn from_iter<I: IntoIterator<Item = LeafSection>>(iter: I) -> Leaves {
        iter.into_iter().map(|it| LeafRecord::Whole(Box::new(it))).collect()
    }
}

impl Serialize for Leaves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// The section of a path that ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeafSection {
    /// The name of the path: its decisions.
    pub decisions: Arc<str>,
    /// How it ended: `exit`, `bug`, `dropped`, `unsupported`, `undecided`, `cut`.
    pub end: &'static str,
    /// The exit code, where the language has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// Inputs that take it, as text.
    pub inputs: BTreeMap<Arc<str>, Arc<str>>,
    /// The conjuncts of the path condition, where leaves are shown with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_condition: Option<Vec<Arc<str>>>,
    /// What came of it, where leaves are shown with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<BTreeMap<String, String>>,
    /// The number of transitions on the path.
    pub steps: u64,
    /// The test that takes it, if one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// Each transition, from `run --explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explained: Option<serde_json::Value>,
}

impl LeafSection {
    /// A leaf; `brief` without what only a table shows.
    pub fn new(leaf: &Leaf, test: Option<String>, brief: bool) -> LeafSection {
        let full = !brief && matches!(leaf.end, LeafEnd::Exit(_) | LeafEnd::Bug(_));
        LeafSection {
            decisions: leaf.decisions.text().into(),
            end: leaf.end.word(),
            code: match leaf.end {
                LeafEnd::Exit(code) => code,
                _ => None,
            },
            inputs: leaf.inputs.iter().map(|it| (it.name.as_str().into(), it.display().into())).collect(),
            path_condition: full.then(|| leaf.path_condition.clone()),
            results: full.then(|| leaf.results.iter().cloned().collect()),
            steps: leaf.steps,
            test,
            explained: leaf.explained.as_ref().map(|it| it.json.clone()),
        }
    }

    fn brief(leaf: &BriefLeaf, file: fn(u64) -> String) -> LeafSection {
        LeafSection {
            decisions: Arc::clone(&leaf.name),
            end: LeafEnd::Exit(leaf.code).word(),
            code: leaf.code,
            inputs: leaf.inputs.iter().cloned().collect(),
            path_condition: None,
            results: None,
            steps: leaf.steps,
            test: leaf.test.map(file),
            explained: None,
        }
    }
}

/// A bug, listed once however many paths end in it.
#[derive(Clone, Debug, Serialize)]
pub struct FoundBug {
    /// The class, message and place of the bug.
    #[serde(flatten)]
    pub bug: TestBug,
    /// How many paths end in it.
    pub paths: u64,
    /// The test that shows it; empty if none was written.
    pub test: String,
    /// The inputs of that test.
    pub inputs: Vec<TestInput>,
    /// The path condition of that test.
    pub path_condition: Vec<Arc<str>>,
    /// The thread that moves at each scheduling point of the same path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<ScheduledTurn>,
    /// Each run comes to it, whatever its inputs are; not known if it does not say so.
    #[serde(skip)]
    pub every_run: bool,
    /// It rests on results of functions that are not known.
    pub assumed: bool,
    /// The project knows it already (`--baseline`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
}

/// Paths that a limit stopped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cut {
    /// By which limit, in words.
    pub limit: String,
    /// How many paths the limit stopped.
    pub paths: u64,
    /// Where one of them stood, if it was the path's own limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<TestPlace>,
    /// The flag that raises the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<&'static str>,
}

/// The totals of the coverage.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CoverageSummary {
    /// The number of lines that were executed.
    pub lines_covered: usize,
    /// The number of lines that have code.
    pub lines_total: usize,
    /// Ways on from branches taken.
    pub branches_covered: usize,
    /// The number of outcomes that all branches have.
    pub branches_total: usize,
}

/// The solver's part of a walk.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SolverSummary {
    /// Seconds spent in the solver, all layers together.
    pub time: f64,
    /// Layers from the top of the chain down.
    pub layers: Vec<Layer>,
    /// How often each simplification rule of terms was used, by its name; rules that were not used are left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, u64>,
}

/// The counters of one layer of the solver.
#[derive(Clone, Debug, Serialize)]
pub struct Layer {
    /// Its name, as in its flag.
    pub name: String,
    /// Queries that reached the layer.
    pub queries: u64,
    /// Queries that the layer answered itself.
    pub answered: u64,
    /// Seconds in it, those below not included.
    pub time: f64,
}

/// Something that a result may rest on.
#[derive(Clone, Debug, Serialize)]
pub struct Incomplete {
    /// The class of the note, such as `unsupported`.
    pub kind: String,
    /// What the note is about, by name.
    pub what: String,
    /// The place where it was met first.
    pub place: TestPlace,
    /// How often it was met.
    pub count: u64,
    /// Whether behaviours may have been missed.
    pub missed: bool,
}

impl Incomplete {
    /// All that a walk met of it.
    pub fn all(exploration: &Exploration) -> Vec<Incomplete> {
        let mut res = Vec::new();
        let mut add = |kind: &str, what: &str, place: &Place, count: u64, missed: bool| {
            res.push(Incomplete { kind: kind.to_owned(), what: what.to_owned(), place: place.into(), count, missed });
        };
        for (what, (place, count)) in &exploration.unsupported {
            add("unsupported", what, place, *count, true);
        }
        for (what, (place, count)) in &exploration.undecided {
            add("undecided", what, place, *count, true);
        }
        for (note, place, count) in exploration.notes.iter() {
            add(&note.kind, &note.what, place, count, note.incomplete);
        }
        res
    }
}

/// What a walk was allowed; what is missing is no limit. Times are in seconds, memory in bytes.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Limits {
    /// Seconds for the whole walk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Bytes that the process may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Paths that reach an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<u64>,
    /// Transitions over all paths together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Transitions on any one path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_steps: Option<u64>,
    /// Forks on any one path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// Values that are enumerated for one term.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<u32>,
    /// Seconds for any one query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_time: Option<f64>,
}

impl Limits {
    /// The limits that a walk is configured with.
    pub fn of(config: &Config) -> Limits {
        let budget = &config.budget;
        Limits {
            time: budget.time.map(|it| it.as_secs_f64()),
            memory: budget.memory,
            paths: budget.paths,
            steps: budget.steps,
            path_steps: budget.path_steps,
            depth: budget.depth,
            values: Some(config.values),
            query_time: config.query.time.map(|it| it.as_secs_f64()),
        }
    }
}

/// How large path conditions became, in nodes that are counted once where they are shared.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Sizes {
    /// The size of the path condition of the largest leaf.
    pub largest_path_condition: usize,
    /// The sizes of all leaves' path conditions, added up.
    pub path_conditions: usize,
}
