//! A test as the rest of the house shows programs: its execution tree, its account as JSON, its coverage.
//!
//! Knows: the walk of the session as a language, the folder of a test. Never: how a tree is drawn (`effigy-report`).
//!
//! The pictures are of a walk of their own, by the engine, which runs the test once for each question of each path: they
//! show every path, also where the test itself stops at its first failure.

use crate::spec;
use crate::symbolic::set_bound;
use crate::verify::{Options, Report};
use effigy_engine::{Budget, Engine};
use effigy_explore::{Config, End, PathEnd, Sink, explore};
use effigy_report::coverage::{Coverage, CoverageSite, coverage, lcov};
use effigy_report::document::{
    CoverageSummary, Cut, Document, FoundBug, Incomplete, LeafSection, Limits, Paths, ProgramSection,
};
use effigy_report::folder::{Folder, FolderError};
use effigy_report::leaf::{Leaf, LeafEnd, in_tree_order, simplest_first};
use effigy_report::record::Recorder;
use effigy_report::test_case::TestBug;
use effigy_report::tree::{self, StateDetail, Tree};
use effigy_session::{Program, Terms, Verdict};
use effigy_solver::{QueryBudget, SolverConfig, chain};
use effigy_term::Term;
use effigy_term::print::{Dialect, machine_on};
use effigy_walk::{Exploration, Search};
use std::path::{Path, PathBuf};

/// What is shown of a test.
#[derive(Clone, Debug)]
pub struct Pictures {
    /// Where the test stands: its module, and its name.
    pub name: String,
    /// The execution tree: a node for each question.
    pub tree: Tree,
    /// The account for programs, of the shape that `effigy run --json` has.
    pub document: Document,
    /// The lines on which the test asks, and which answers there were.
    pub coverage: Coverage,
}

/// Walks a closure whose inputs are [`crate::input`]s, to show it.
pub fn pictures(name: &str, options: &Options, mut body: impl FnMut()) -> Pictures {
    let limits = &options.limits;
    let program = Program::new(limits, || {
        crate::verify::begin();
        body();
    })
    .named(name.rsplit("::").next().unwrap_or(name));
    let terms = program.terms();
    let mut solver = chain(&SolverConfig::default());
    let query = QueryBudget { steps: Some(limits.solver_steps), time: None };
    let config = Config {
        search: Search::Dfs,
        seed: 1,
        budget: Budget {
            paths: Some(limits.paths),
            // A path comes to a question by one step and asks it by the next.
            path_steps: Some(limits.decisions.saturating_mul(2)),
            ..Budget::default()
        },
        query,
        feasibility: Default::default(),
        values: u32::try_from(limits.values).unwrap_or(u32::MAX),
    };
    let before = set_bound(options.bound);
    let mut ends = Ends { terms, leaves: Vec::new() };
    let mut recorder = Recorder::new(&program, terms, StateDetail::Statements);
    let exploration = explore(&program, terms, &mut *solver, &config, &mut recorder, &mut ends);
    let tree = recorder.tree(&mut Engine { terms, solver: &mut *solver, budget: query }, name);
    set_bound(before);
    // They are those of the test itself.
    spec::concluded();
    let site = |(number, it): (usize, effigy_session::QuestionSite)| CoverageSite {
        lines: vec![(it.place.file.to_string(), it.place.line)],
        branch: it.branch,
        reached: exploration.coverage.contains(effigy_engine::Site(number as u32)),
    };
    let coverage = coverage(program.sites().into_iter().enumerate().map(site));
    let document = document(name, &config, &exploration, ends.leaves, &coverage);
    Pictures { name: name.to_owned(), tree, document, coverage }
}

/// Hears the ends of paths.
struct Ends<'a> {
    terms: &'a Terms,
    leaves: Vec<Leaf>,
}

impl<S> Sink<S> for Ends<'_> {
    fn ended(&mut self, end: &PathEnd<'_, S>) {
        let how = match &end.end {
            // A test has no exit code.
            End::Exit { .. } => LeafEnd::Exit(None),
            End::Bug(violation) => LeafEnd::Bug(TestBug::from(&**violation)),
            End::Silent | End::Infeasible => LeafEnd::Dropped,
            End::GaveUp(it) => it.into(),
            End::Undecided { what, reason, place } => {
                LeafEnd::Undecided { what: what.clone(), reason: reason.to_string(), place: place.into() }
            }
            End::Cut(limit) => LeafEnd::Cut(limit.to_string()),
        };
        let mut leaf = Leaf { certain: end.certain, ..Leaf::new(end.name(), how, end.trail.steps) };
        leaf = leaf.with_witness(&end.witness);
        let (conjuncts, bounds) = (end.trail.condition.readable(self.terms), end.trail.bounds(self.terms));
        let text = |it: &Term| machine_on(self.terms, Dialect::Rust, *it, &bounds).into();
        leaf.path_condition = conjuncts.iter().map(text).collect();
        self.leaves.push(leaf);
    }
}

fn document(
    name: &str,
    config: &Config,
    exploration: &Exploration,
    mut leaves: Vec<Leaf>,
    coverage: &Coverage,
) -> Document {
    leaves.sort_by(|a, b| in_tree_order(&a.decisions, &b.decisions));
    let counts = &exploration.paths;
    let ended = counts.completed + counts.errored + counts.unsupported + counts.undecided + counts.total_cut();
    let files: Vec<String> = coverage.files.keys().cloned().collect();
    Document {
        command: "test".to_owned(),
        language: "session".to_owned(),
        program: ProgramSection { files, entry: Some(name.to_owned()), ..ProgramSection::default() },
        paths: Paths {
            completed: counts.completed,
            errored: counts.errored,
            dropped: counts.silent + counts.infeasible,
            unsupported: counts.unsupported,
            undecided: counts.undecided,
            cut: counts.total_cut(),
        },
        bugs: bugs(&leaves),
        leaves: leaves.iter().map(|it| LeafSection::new(it, None, false)).collect(),
        cut: counts
            .cut
            .iter()
            .map(|(limit, paths)| Cut {
                limit: limit.to_string(),
                paths: *paths,
                place: exploration.cut_at.get(limit).filter(|it| it.line > 0).map(Into::into),
                flag: None,
            })
            .collect(),
        incomplete: Incomplete::all(exploration),
        vacuous: ended == 0 && exploration.stopped.is_none(),
        limits: Limits::of(config),
        complete: exploration.is_complete() && ended > 0,
        stopped: exploration.stopped.map(|it| it.to_string()),
        coverage: Some(CoverageSummary {
            lines_covered: coverage.lines_covered,
            lines_total: coverage.lines_total,
            branches_covered: coverage.branches_covered,
            branches_total: coverage.branches_total,
        }),
        steps: exploration.steps,
        time: exploration.time.as_secs_f64(),
        ..Document::default()
    }
}

/// Each failure once, by its words and its place, on its simplest path.
fn bugs(leaves: &[Leaf]) -> Vec<FoundBug> {
    let mut by_path: Vec<&Leaf> = leaves.iter().collect();
    by_path.sort_by(|a, b| simplest_first(&a.decisions, &b.decisions));
    let mut res: Vec<FoundBug> = Vec::new();
    for leaf in by_path {
        let LeafEnd::Bug(bug) = &leaf.end else { continue };
        match res.iter_mut().find(|it| it.bug.message == bug.message && it.bug.place == bug.place) {
            Some(known) => known.paths += 1,
            None => res.push(FoundBug {
                bug: bug.clone(),
                paths: 1,
                test: String::new(),
                inputs: leaf.inputs.clone(),
                path_condition: leaf.path_condition.clone(),
                schedule: Vec::new(),
                every_run: false,
                assumed: false,
                known: false,
            }),
        }
    }
    res
}

impl Pictures {
    /// What the test itself said, as a remark of the account.
    pub fn with_verdict(mut self, report: &Report) -> Pictures {
        let verdict = report.account.verdict();
        if let Verdict::Witnessed(_) | Verdict::Compared { .. } = verdict {
            self.document.remarks.push("the test takes one value for all where the pictures follow each".to_owned());
        }
        self.document.remarks.push(format!("verdict of the test: {verdict}"));
        self
    }

    /// Writes the pictures to a folder of the test's own within this one: `tree.txt`, `tree.svg`, `tree.html`,
    /// `tree.dot`, `summary.json` with the tree in it, `coverage.json`, `coverage.info`. Returns that folder.
    ///
    /// # Errors
    /// When the folder holds what was not written so, or cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, FolderError> {
        let path = folder.join(self.name.replace("::", "."));
        let mark = serde_json::json!({ "language": "session", "test": self.name });
        let folder = Folder::create(&path, &mark.to_string())?;
        let json = |value: serde_json::Result<String>| value.unwrap_or_default() + "\n";
        let account = Document {
            tree: Some(self.tree.clone()),
            folder: Some(path.display().to_string()),
            ..self.document.clone()
        };
        folder.write("tree.txt", tree::text::render(&self.tree, tree::text::WIDTH).as_bytes())?;
        folder.write("tree.svg", tree::svg::render(&self.tree).as_bytes())?;
        folder.write("tree.html", tree::html::render(&self.tree).as_bytes())?;
        folder.write("tree.dot", tree::dot::render(&self.tree).as_bytes())?;
        folder.write("coverage.json", json(serde_json::to_string_pretty(&self.coverage)).as_bytes())?;
        folder.write("coverage.info", lcov(&self.coverage).as_bytes())?;
        // Last: where it is, all is.
        folder.write("summary.json", json(serde_json::to_string_pretty(&account)).as_bytes())?;
        Ok(path)
    }
}
