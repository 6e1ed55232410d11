//! The collector's half of a walk: tests, bugs once each, the order of the tree, the account.
//!
//! Knows: leaves as data, the output folder, the terminal's standard error. Never: terms, states, a language.

use crate::Failure;
use crate::frontend::{About, Layout, SiteLines};
use crate::limits::{USUAL_TIME, flag, peak_memory};
use crate::progress::ProgressLine;
use crate::solver;
use crate::test_files::{BugKey, TestFiles, test_file};
use crate::walk::{Account, Receiver, Tail};
use effigy_engine::{Limit, PathName};
use effigy_explore::Config;
use effigy_report::coverage::{Coverage, CoverageSite, coverage};
use effigy_report::document::{
    CoverageSummary, Cut, Document, FoundBug, Incomplete, LeafRecord, LeafSection, Limits, Paths,
};
use effigy_report::folder::Folder;
use effigy_report::leaf::{BriefLeaf, Leaf, LeafEnd, in_tree_order, simplest_first, written_in_tree_order};
use effigy_report::place_words::at;
use effigy_report::test_case::TestBug;
use effigy_walk::{Endless, Exploration, Progress};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of leaves per second that a person can read on a terminal, at most.
const BETWEEN_LINES: Duration = Duration::from_millis(50);

/// Whether leaves are printed when they are reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Live {
    No,
    /// Those that can be read.
    Some,
    All,
}

/// What is done with leaves.
pub(crate) struct CollectorConfig {
    pub(crate) tests: Arc<TestFiles>,
    pub(crate) live: Live,
    pub(crate) progress: ProgressLine,
    /// Leaves are shown with conditions and results.
    pub(crate) layout: Layout,
}

/// Collects leaves, from one worker or from several.
pub(crate) struct Collector {
    wanted: CollectorConfig,
    shown: Option<Instant>,
    written: u64,
    bugs: HashMap<BugKey, BugPaths>,
    leaves: Vec<StoredLeaf>,
    /// The names of inputs of leaves in brief.
    names: HashSet<Arc<str>>,
    /// Paths that do what others do.
    redundant: u64,
    /// What comes was told before: its tests are there.
    again: bool,
    /// A worker has died: it may have written tests of which it did not tell.
    died: bool,
}

/// A path that ended, as far as it is needed once it was told.
enum StoredLeaf {
    Brief(Arc<BriefLeaf>),
    Whole(Box<Leaf>),
}

impl StoredLeaf {
    fn test(&self) -> Option<u64> {
        match self {
            StoredLeaf::Brief(it) => it.test,
            StoredLeaf::Whole(it) => it.test,
        }
    }

    fn whole(&self) -> Option<&Leaf> {
        match self {
            StoredLeaf::Brief(_) => None,
            StoredLeaf::Whole(it) => Some(it),
        }
    }

    fn whole_mut(&mut self) -> Option<&mut Leaf> {
        match self {
            StoredLeaf::Brief(_) => None,
            StoredLeaf::Whole(it) => Some(it),
        }
    }

    /// The order of the tree.
    fn before(&self, other: &StoredLeaf) -> Ordering {
        match (self, other) {
            (StoredLeaf::Brief(a), StoredLeaf::Brief(b)) => written_in_tree_order(&a.name, &b.name),
            (StoredLeaf::Brief(a), StoredLeaf::Whole(b)) => written_in_tree_order(&a.name, &b.decisions.text()),
            (StoredLeaf::Whole(a), StoredLeaf::Brief(b)) => written_in_tree_order(&a.decisions.text(), &b.name),
            (StoredLeaf::Whole(a), StoredLeaf::Whole(b)) => in_tree_order(&a.decisions, &b.decisions),
        }
    }

    fn told(&self, brief: bool) -> LeafRecord {
        match self {
            StoredLeaf::Brief(it) => LeafRecord::Brief(Arc::clone(it), test_file),
            StoredLeaf::Whole(it) => LeafRecord::Whole(Box::new(LeafSection::new(it, it.test.map(test_file), brief))),
        }
    }
}

/// A bug: the simplest path into it.
struct BugPaths {
    leaf: Leaf,
    paths: u64,
    test: Option<u64>,
}

impl Collector {
    pub(crate) fn new(wanted: CollectorConfig) -> Collector {
        Collector {
            wanted,
            shown: None,
            written: 0,
            bugs: HashMap::new(),
            leaves: Vec::new(),
            names: HashSet::new(),
            redundant: 0,
            again: false,
            died: false,
        }
    }

    /// What an earlier session of the same run has told: its tests are there, under the same numbers.
    pub(crate) fn told_before(&mut self, leaves: Vec<Leaf>) {
        self.again = true;
        leaves.into_iter().for_each(|it| self.leaf(it));
        self.again = false;
        self.wanted.tests.go_on(&self.tests(), self.simplest());
    }

    /// The simplest path into each bug, and the number of its test.
    fn simplest(&self) -> impl Iterator<Item = (BugKey, PathName, Option<u64>)> {
        // One that another worker was to test, and did not come to, is none: the next path into the bug has the test.
        let tested = self.bugs.iter().filter(|it| it.1.test.is_some());
        tested.map(|(key, it)| (key.clone(), it.leaf.decisions.clone(), it.test))
    }

    /// The numbers of the tests.
    fn tests(&self) -> BTreeSet<u64> {
        self.leaves.iter().filter_map(StoredLeaf::test).collect()
    }

    /// A path that ended elsewhere, and has no test here yet.
    pub(crate) fn heard(&mut self, mut leaf: Leaf) {
        match leaf.end {
            LeafEnd::Exit(_) => self.wanted.tests.add(&mut leaf),
            _ => drop(self.wanted.tests.is_simplest(&mut leaf)),
        }
        self.leaf(leaf);
    }

    /// Records that a worker has died.
    pub(crate) fn died(&mut self) {
        self.died = true;
        self.wanted.tests.told(self.simplest());
    }

    /// Whether a test could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.wanted.tests.has_failed()
    }

    /// One test for each bug, not for each path into it: that of the simplest path.
    fn bug(&mut self, leaf: &mut Leaf) {
        let Some(key) = self.wanted.tests.key(leaf) else { return };
        let (paths, over) = match self.bugs.get_mut(&key) {
            None => (1, None),
            Some(known) => {
                known.paths += 1;
                let first_test = known.test.is_none() && leaf.test.is_some();
                if !first_test && simplest_first(&leaf.decisions, &known.leaf.decisions) != Ordering::Less {
                    leaf.test = None;
                    return;
                }
                (known.paths, known.test)
            }
        };
        if !self.again {
            self.wanted.tests.write(leaf);
        }
        if let Some(over) = over
            && leaf.test.is_some()
        {
            // The path that had it has none any more.
            let whole = self.leaves.iter_mut().filter_map(StoredLeaf::whole_mut);
            whole.filter(|it| it.test == Some(over)).for_each(|it| it.test = None);
        }
        let test = leaf.test.or(over);
        self.written += u64::from(over.is_none() && test.is_some());
        self.bugs.insert(key, BugPaths { leaf: leaf.clone(), paths, test });
    }

    fn show(&mut self, leaf: &Leaf) {
        if self.again {
            return;
        }
        let now = Instant::now();
        let late = self.shown.is_none_or(|it| now.duration_since(it) >= BETWEEN_LINES);
        if self.wanted.live == Live::All || self.wanted.live == Live::Some && late {
            self.shown = Some(now);
            self.wanted.progress.above(&leaf.line());
        }
    }

    /// What came of the walk, in the order of the tree.
    pub(crate) fn finish(mut self) -> Result<WalkOutcome, Failure> {
        self.wanted.progress.clear();
        if self.died {
            self.wanted.tests.keep(&self.tests());
        }
        if let Some(failure) = self.wanted.tests.failure() {
            return Err(failure);
        }
        // Only the simplest path into a bug has its condition told: which others had it depends on who came first.
        for leaf in self.leaves.iter_mut().filter_map(StoredLeaf::whole_mut) {
            let Some(key) = self.wanted.tests.key(leaf) else { continue };
            let simplest = self.bugs.get(&key);
            if simplest.is_none_or(|it| it.leaf.decisions != leaf.decisions) {
                leaf.path_condition = Vec::new();
            }
        }
        // The sort is stable: of paths with one name the first stays first.
        self.leaves.sort_by(StoredLeaf::before);
        let mut bugs: Vec<BugPaths> = self.bugs.into_values().collect();
        let order = |it: &BugPaths| match &it.leaf.end {
            LeafEnd::Bug(bug) => (bug.place.clone(), bug.kind.clone(), bug.message.clone()),
            _ => Default::default(),
        };
        let is_possible = |it: &BugPaths| matches!(&it.leaf.end, LeafEnd::Bug(bug) if bug.possible);
        bugs.sort_by(|a, b| {
            let simpler = || simplest_first(&a.leaf.decisions, &b.leaf.decisions);
            is_possible(a).cmp(&is_possible(b)).then_with(simpler).then_with(|| order(a).cmp(&order(b)))
        });
        let bug = |it: BugPaths| {
            let LeafEnd::Bug(bug) = it.leaf.end else { return None };
            Some(FoundBug {
                bug,
                paths: it.paths,
                test: it.test.map(test_file).unwrap_or_default(),
                inputs: it.leaf.inputs,
                path_condition: it.leaf.path_condition,
                schedule: it.leaf.schedule,
                every_run: it.leaf.every_run,
                assumed: it.leaf.assumed,
                known: false,
            })
        };
        Ok(WalkOutcome {
            folder: self.wanted.tests.folder().cloned(),
            layout: self.wanted.layout,
            tests: self.written,
            bugs: without_doubles(bugs.into_iter().filter_map(bug).collect()),
            leaves: self.leaves,
            redundant: self.redundant,
        })
    }
}

impl Receiver for Collector {
    fn leaf(&mut self, mut leaf: Leaf) {
        if leaf.end == LeafEnd::Redundant {
            self.redundant += 1;
            return;
        }
        if matches!(leaf.end, LeafEnd::Bug(_)) {
            self.bug(&mut leaf);
        } else {
            self.written += u64::from(leaf.test.is_some());
        }
        self.show(&leaf);
        if self.wanted.layout == Layout::Counts {
            // They are in the test.
            leaf.output = Vec::new();
            leaf.path_condition = Vec::new();
            let shared = |name: &str| match self.names.get(name) {
                Some(it) => Arc::clone(it),
                None => {
                    let it: Arc<str> = name.into();
                    self.names.insert(Arc::clone(&it));
                    it
                }
            };
            if let Some(brief) = BriefLeaf::of(&leaf, shared) {
                return self.leaves.push(StoredLeaf::Brief(Arc::new(brief)));
            }
        }
        self.leaves.push(StoredLeaf::Whole(Box::new(leaf)));
    }

    fn progress(&mut self, progress: &Progress) {
        self.wanted.progress.show(progress);
    }
}

/// What the account of a walk says that no leaf does.
pub(crate) struct Extras<'a> {
    pub(crate) coverage: Option<&'a Coverage>,
    /// Remarks of the language about the walk.
    pub(crate) remarks: Vec<String>,
    /// The time that all workers took for telling leaves.
    pub(crate) telling: Duration,
    /// The limit of time is the one that is usual at a terminal.
    pub(crate) usual_time: bool,
    /// The simplification rules that were used are listed.
    pub(crate) rules: bool,
}

/// What came of a walk.
pub(crate) struct WalkOutcome {
    pub(crate) folder: Option<Folder>,
    layout: Layout,
    tests: u64,
    bugs: Vec<FoundBug>,
    leaves: Vec<StoredLeaf>,
    redundant: u64,
}

impl WalkOutcome {
    /// The leaves in the order of the tree, without those that are reported in brief.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.leaves.iter().filter_map(StoredLeaf::whole)
    }

    /// The bugs, each listed once.
    pub(crate) fn bugs(&self) -> &[FoundBug] {
        &self.bugs
    }

    /// The account of the walk.
    pub(crate) fn document(
        &self,
        command: &str,
        about: &About,
        config: &Config,
        account: Account,
        extras: Extras<'_>,
    ) -> Document {
        let Extras { coverage, mut remarks, telling, usual_time, rules } = extras;
        let Account { exploration, tail: Tail { mut statistics, tree, sizes }, workers } = account;
        if !rules {
            statistics.rules.clear();
        }
        let arrays: BTreeSet<&str> = self.leaves().flat_map(|it| &it.assumed_within).map(String::as_str).collect();
        if !arrays.is_empty() {
            let names: Vec<&str> = arrays.into_iter().collect();
            remarks.insert(0, format!("assuming that the subscripts of {} are at least 1", names.join(", ")));
        }
        match &exploration.endless {
            Some(Endless::Forks(times, place)) => remarks.push(format!(
                "no end in sight: one path has forked {times} times{} and goes on; --max-depth N bounds it",
                at(&place.file, place.line)
            )),
            Some(Endless::Straight(steps, place)) => remarks.push(format!(
                "no end in sight: one path has made {steps} transitions without a fork, the last at {}:{}; \
                 --max-path-steps N bounds it",
                place.file, place.line
            )),
            None => {}
        }
        Document {
            command: command.to_owned(),
            language: about.language.to_owned(),
            program: about.program.clone(),
            paths: self.paths(&exploration),
            leaves: self.leaves.iter().map(|it| it.told(self.layout == Layout::Counts)).collect(),
            bugs: self.bugs.clone(),
            cut: cut(&exploration, usual_time),
            incomplete: Incomplete::all(&exploration),
            vacuous: self.is_vacuous(&exploration),
            remarks,
            limits: Limits::of(config),
            // What a language reads off a dropped path may be undecided, too.
            complete: exploration.is_complete()
                && !self.is_vacuous(&exploration)
                && !self.leaves().any(|it| matches!(it.end, LeafEnd::Undecided { .. })),
            stopped: exploration.stopped.map(|it| it.to_string()),
            coverage: coverage.map(|it| CoverageSummary {
                lines_covered: it.lines_covered,
                lines_total: it.lines_total,
                branches_covered: it.branches_covered,
                branches_total: it.branches_total,
            }),
            solver: solver::summary(&statistics, exploration.solver_time),
            steps: exploration.steps,
            time: exploration.time.saturating_sub(telling / workers).as_secs_f64(),
            peak_memory: peak_memory(),
            sizes,
            folder: self.folder.as_ref().map(|it| it.path().display().to_string()),
            tests: self.tests,
            tree,
            ..Document::default()
        }
    }

    /// Whether the program itself dropped every path: what is said of every path is said of none.
    fn is_vacuous(&self, exploration: &Exploration) -> bool {
        let paths = self.paths(exploration);
        self.layout == Layout::Counts
            && paths.completed + paths.errored + paths.unsupported + paths.undecided + paths.cut == 0
            && exploration.stopped.is_none()
    }

    fn paths(&self, exploration: &Exploration) -> Paths {
        let counts = &exploration.paths;
        // What the language dropped may be an error, or be told on another path.
        let errored: u64 = self.bugs.iter().map(|it| it.paths).sum();
        let wrong = errored.saturating_sub(counts.errored);
        Paths {
            completed: counts.completed,
            errored: counts.errored + wrong,
            dropped: (counts.silent + counts.infeasible).saturating_sub(wrong + self.redundant),
            unsupported: counts.unsupported,
            undecided: counts.undecided,
            cut: counts.total_cut(),
        }
    }
}

/// Bugs, the certain ones first: what is certain need not be told as possible.
fn without_doubles(bugs: Vec<FoundBug>) -> Vec<FoundBug> {
    let mut res: Vec<FoundBug> = Vec::with_capacity(bugs.len());
    for bug in bugs {
        let same = |it: &&mut FoundBug| {
            let TestBug { kind, place, message, possible, .. } = &it.bug;
            !possible
                && *kind == bug.bug.kind
                && *place == bug.bug.place
                && (place.line > 0 || *message == bug.bug.message)
        };
        match res.iter_mut().find(same) {
            Some(certain) if bug.bug.possible => certain.paths += bug.paths,
            _ => res.push(bug),
        }
    }
    res
}

fn cut(exploration: &Exploration, usual_time: bool) -> Vec<Cut> {
    let cut = exploration.paths.cut.iter();
    let told = |(limit, count): (&Limit, &u64)| {
        let of_path = matches!(limit, Limit::Values | Limit::Depth | Limit::PathSteps | Limit::Repeats);
        let place = exploration.cut_at.get(limit).filter(|it| of_path && it.line > 0);
        let usual = match limit {
            Limit::Time if usual_time => {
                format!(" (the usual one at a terminal, {} minutes)", USUAL_TIME.as_secs() / 60)
            }
            _ => String::new(),
        };
        Cut { limit: format!("{limit}{usual}"), paths: *count, place: place.map(Into::into), flag: flag(*limit) }
    };
    cut.map(told).collect()
}

/// Which of these sites were reached.
pub(crate) fn reached(sites: Vec<SiteLines>, exploration: &Exploration) -> Option<Coverage> {
    if sites.is_empty() {
        return None;
    }
    Some(coverage(sites.into_iter().enumerate().map(|(index, site)| CoverageSite {
        lines: site.lines,
        branch: site.branch,
        reached: exploration.coverage.contains(effigy_engine::Site(index as u32)),
    })))
}
