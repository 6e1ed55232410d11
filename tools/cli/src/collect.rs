//! The collector's half of a walk: tests, bugs once each, the order of the tree, the account.
//!
//! Knows: leaves as data, the output folder, the terminal's standard error. Never: terms, states, a language.

use crate::Failure;
use crate::frontend::{About, Layout, SiteLines};
use crate::limits::{peak_memory, told};
use crate::progress::ProgressLine;
use crate::solver;
use crate::walk::{Account, BugKey, Receiver, Tail};
use effigy_explore::{Config, Exploration, Progress};
use effigy_report::coverage::{Coverage, CoverageSite, coverage};
use effigy_report::document::{CoverageSummary, Cut, Document, FoundBug, Incomplete, LeafSection, Paths};
use effigy_report::folder::Folder;
use effigy_report::ktest::{self, KTest};
use effigy_report::leaf::{Leaf, LeafEnd, in_tree_order, simplest_first};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// On a terminal so many leaves a second can be read, if that.
const BETWEEN_LINES: Duration = Duration::from_millis(50);

/// Whether leaves are told as they come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Live {
    No,
    /// Those that can be read.
    Some,
    All,
}

/// What is done with leaves.
pub(crate) struct Wanted {
    /// Where tests are written.
    pub(crate) folder: Option<Folder>,
    pub(crate) ktest: bool,
    pub(crate) live: Live,
    pub(crate) progress: ProgressLine,
    /// Leaves are shown with conditions and results.
    pub(crate) layout: Layout,
    /// Whether a native run must do what is predicted.
    pub(crate) replayable: bool,
    /// See `Reported::words_distinguish_bugs`.
    pub(crate) words_distinguish_bugs: bool,
}

/// Collects leaves, from one worker or from several.
pub(crate) struct Collector {
    wanted: Wanted,
    shown: Option<Instant>,
    written: u64,
    bugs: HashMap<BugKey, Found>,
    /// Each with its test.
    leaves: Vec<(Leaf, Option<u64>)>,
    /// Paths that do what others do.
    redundant: u64,
    /// Why tests could not be written.
    failure: Option<Failure>,
    /// What comes was told before: its tests are there.
    again: bool,
}

/// A bug: the simplest path into it.
struct Found {
    leaf: Leaf,
    paths: u64,
    test: Option<u64>,
}

fn test_name(id: u64) -> String {
    format!("tests/test{id:06}")
}

fn test_file(id: u64) -> String {
    format!("{}.json", test_name(id))
}

impl Collector {
    pub(crate) fn new(wanted: Wanted) -> Collector {
        Collector {
            wanted,
            shown: None,
            written: 0,
            bugs: HashMap::new(),
            leaves: Vec::new(),
            redundant: 0,
            failure: None,
            again: false,
        }
    }

    /// What an earlier session of the same run has told: its tests are there, under the same numbers.
    pub(crate) fn told_before(&mut self, leaves: Vec<Leaf>) {
        self.again = true;
        leaves.into_iter().for_each(|it| self.leaf(it));
        self.again = false;
        if let Some(folder) = &self.wanted.folder
            && let Err(error) = folder.forget_tests_after(self.written)
        {
            self.failure = Some(Failure::of(error));
        }
    }

    /// Writes the test of a leaf under a number of its own, or `over` an earlier one; its number if it is one.
    fn write(&mut self, leaf: &Leaf, over: Option<u64>) -> Result<Option<u64>, Failure> {
        let id = over.unwrap_or(self.written + 1);
        let (Some(folder), Some(test)) = (&self.wanted.folder, leaf.test(id, self.wanted.replayable)) else {
            return Ok(over);
        };
        self.written = self.written.max(id);
        if self.again {
            return Ok(Some(id));
        }
        let json = serde_json::to_vec_pretty(&test).map_err(Failure::of)?;
        let name = test_name(id);
        folder.write(&test_file(id), &json).map_err(Failure::of)?;
        if self.wanted.ktest {
            let objects = test.inputs.iter().map(|it| (it.name.clone(), it.to_bytes().unwrap_or_default()));
            let ktest = KTest { arguments: vec!["program".to_owned()], objects: objects.collect() };
            folder.write(&format!("{name}.ktest"), &ktest::write(&ktest)).map_err(Failure::of)?;
        }
        Ok(Some(id))
    }

    /// One test for each bug, not for each path into it: that of the simplest path.
    fn bug(&mut self, leaf: &Leaf) -> Result<Option<u64>, Failure> {
        let LeafEnd::Bug(bug) = &leaf.end else { return Ok(None) };
        let key = BugKey::new(bug, self.wanted.words_distinguish_bugs);
        let before = match self.bugs.get_mut(&key) {
            None => None,
            Some(known) => {
                known.paths += 1;
                if simplest_first(&leaf.decisions, &known.leaf.decisions) != Ordering::Less {
                    return Ok(None);
                }
                Some((known.paths, known.test))
            }
        };
        let (paths, over) = before.unwrap_or((1, None));
        let test = self.write(leaf, over)?;
        if let Some(over) = over {
            // The path that had it has none any more.
            self.leaves.iter_mut().filter(|it| it.1 == Some(over)).for_each(|it| it.1 = None);
        }
        self.bugs.insert(key, Found { leaf: leaf.clone(), paths, test });
        Ok(test)
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
    pub(crate) fn finish(mut self) -> Result<Collected, Failure> {
        self.wanted.progress.clear();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        // Only the simplest path into a bug has its condition told: which others had it depends on who came first.
        for (leaf, _) in &mut self.leaves {
            let LeafEnd::Bug(bug) = &leaf.end else { continue };
            let simplest = self.bugs.get(&BugKey::new(bug, self.wanted.words_distinguish_bugs));
            if simplest.is_none_or(|it| it.leaf.decisions != leaf.decisions) {
                leaf.path_condition = Vec::new();
            }
        }
        // The sort is stable: of paths with one name the first stays first.
        self.leaves.sort_by(|a, b| in_tree_order(&a.0.decisions, &b.0.decisions));
        let mut bugs: Vec<Found> = self.bugs.into_values().collect();
        let order = |it: &Found| match &it.leaf.end {
            LeafEnd::Bug(bug) => (bug.place.clone(), bug.kind.clone(), bug.message.clone()),
            _ => Default::default(),
        };
        bugs.sort_by(|a, b| simplest_first(&a.leaf.decisions, &b.leaf.decisions).then_with(|| order(a).cmp(&order(b))));
        let bug = |it: Found| {
            let LeafEnd::Bug(bug) = it.leaf.end else { return None };
            Some(FoundBug {
                bug,
                paths: it.paths,
                test: it.test.map(test_file).unwrap_or_default(),
                inputs: it.leaf.inputs,
                path_condition: it.leaf.path_condition,
                assumed: it.leaf.assumed,
            })
        };
        Ok(Collected {
            folder: self.wanted.folder,
            layout: self.wanted.layout,
            tests: self.written,
            bugs: bugs.into_iter().filter_map(bug).collect(),
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
        if self.failure.is_some() {
            return;
        }
        let test = match &leaf.end {
            LeafEnd::Bug(_) => self.bug(&leaf),
            _ => self.write(&leaf, None),
        };
        let test = test.unwrap_or_else(|failure| {
            self.failure = Some(failure);
            None
        });
        self.show(&leaf);
        if self.wanted.layout == Layout::Counts {
            // They are in the test.
            leaf.output = Vec::new();
            leaf.path_condition = Vec::new();
        }
        self.leaves.push((leaf, test));
    }

    fn progress(&mut self, progress: &Progress) {
        self.wanted.progress.show(progress);
    }
}

/// What the account of a walk says that no leaf does.
pub(crate) struct Extras<'a> {
    pub(crate) coverage: Option<&'a Coverage>,
    /// What the language remarks.
    pub(crate) remarks: Vec<String>,
    /// The time that was taken for telling leaves.
    pub(crate) telling: Duration,
}

/// What came of a walk.
pub(crate) struct Collected {
    pub(crate) folder: Option<Folder>,
    layout: Layout,
    tests: u64,
    bugs: Vec<FoundBug>,
    leaves: Vec<(Leaf, Option<u64>)>,
    redundant: u64,
}

impl Collected {
    /// The leaves in the order of the tree.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.leaves.iter().map(|it| &it.0)
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
        let Extras { coverage, mut remarks, telling } = extras;
        let Account { exploration, tail: Tail { statistics, tree, sizes } } = account;
        let arrays: BTreeSet<&str> = self.leaves().flat_map(|it| &it.assumed_within).map(String::as_str).collect();
        if !arrays.is_empty() {
            let names: Vec<&str> = arrays.into_iter().collect();
            remarks.insert(0, format!("assuming that the subscripts of {} are at least 1", names.join(", ")));
        }
        if let Some((place, turns)) = &exploration.endless {
            remarks.push(format!(
                "no end in sight: one path has forked {turns} times at {}:{} and goes on; --max-depth N bounds it",
                place.file, place.line
            ));
        }
        Document {
            command: command.to_owned(),
            language: about.language.to_owned(),
            program: about.program.clone(),
            paths: self.paths(&exploration),
            leaves: self
                .leaves
                .iter()
                .map(|(leaf, test)| LeafSection::new(leaf, test.map(test_file), self.layout == Layout::Counts))
                .collect(),
            bugs: self.bugs.clone(),
            cut: cut(&exploration),
            incomplete: incomplete(&exploration),
            remarks,
            limits: told(config),
            // What a language reads off a dropped path may be undecided, too.
            complete: exploration.is_complete() && !self.leaves().any(|it| matches!(it.end, LeafEnd::Undecided { .. })),
            stopped: exploration.stopped.map(|it| it.to_string()),
            coverage: coverage.map(|it| CoverageSummary {
                lines_covered: it.lines_covered,
                lines_total: it.lines_total,
                branches_covered: it.branches_covered,
                branches_total: it.branches_total,
            }),
            solver: solver::summary(&statistics, exploration.solver_time),
            steps: exploration.steps,
            time: exploration.time.saturating_sub(telling).as_secs_f64(),
            peak_memory: peak_memory(),
            sizes,
            folder: self.folder.as_ref().map(|it| it.path().display().to_string()),
            tests: self.tests,
            tree,
            ..Document::default()
        }
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

fn cut(exploration: &Exploration) -> Vec<Cut> {
    let cut = exploration.paths.cut.iter();
    cut.map(|(limit, count)| Cut { limit: limit.to_string(), paths: *count }).collect()
}

fn incomplete(exploration: &Exploration) -> Vec<Incomplete> {
    let mut res = Vec::new();
    let mut add = |kind: &str, what: &str, place: &effigy_engine::Place, count: u64, missed: bool| {
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
