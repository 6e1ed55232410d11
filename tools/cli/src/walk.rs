//! The worker's half of a walk: explores a program of any language, and tells each path that ends as data.
//!
//! Knows: states, trails, terms and the solver, which stay in its thread. Never: folders, the terminal.
//! What it hands out ([`Leaf`], [`Account`], [`Tail`]) is owned, so that whoever collects may be another thread.

use crate::Failure;
use crate::args::ConditionForm;
use crate::frontend::{Layout, ReportHooks};
use crate::limits::resident_memory;
use crate::solver::SharedSolver;
use crate::test_files::TestFiles;
use crate::time_allowance::{DeadlineSolver, TimeAllowance};
use effigy_engine::readable::paired;
use effigy_engine::{Context, Coverage, Engine, Inputs, Language, Meter, Notes, Observer, VariableValue, Violation};
use effigy_explore::{Config, End, PathEnd, Sink, Tools, explore_as, explore_with};
use effigy_report::document::Sizes;
use effigy_report::leaf::{Leaf, LeafEnd};
use effigy_report::record::{Recorder, value_text};
use effigy_report::test_case::TestBug;
use effigy_report::tree::{StateDetail, Tree};
use effigy_solver::{PathCondition, QueryBudget, Solver, SolverConfig, Statistics, chain};
use effigy_term::print::PathBounds;
use effigy_term::{Term, Terms};
use effigy_walk::{Exploration, Progress};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use std::time::Duration;

/// A query for a shorter formula gets so much.
const BRIEF: Duration = Duration::from_millis(100);

/// Who collects what a walk tells.
pub(crate) trait Receiver {
    /// A path ended.
    fn leaf(&mut self, leaf: Leaf);

    /// Called now and then.
    fn progress(&mut self, progress: &Progress);
}

/// What a walk is to tell.
pub(crate) struct LeafOptions<'a> {
    pub(crate) layout: Layout,
    pub(crate) pc: ConditionForm,
    /// Whether leaves are reported one by one; otherwise only counts and the tree are.
    pub(crate) leaves: bool,
    /// The tree of it is recorded, which takes a while; this is its heading, and what of it will be shown.
    pub(crate) tree: Option<(&'a str, StateDetail)>,
    pub(crate) patience: &'a TimeAllowance,
    pub(crate) tests: &'a TestFiles,
}

/// What is known when a walk has ended.
pub(crate) struct Account {
    pub(crate) exploration: Exploration,
    pub(crate) tail: Tail,
    /// So many workers have shared it.
    pub(crate) workers: u32,
}

/// What one worker knows at its end beside what was found.
#[derive(Default)]
pub(crate) struct Tail {
    pub(crate) statistics: Statistics,
    pub(crate) tree: Option<Tree>,
    pub(crate) sizes: Option<Sizes>,
}

impl Tail {
    /// What another worker of the same walk knows, too.
    pub(crate) fn merge(mut self, other: Tail) -> Tail {
        self.statistics.merge(&other.statistics);
        self.sizes = match (self.sizes, other.sizes) {
            (Some(a), Some(b)) => Some(Sizes {
                largest_path_condition: a.largest_path_condition.max(b.largest_path_condition),
                path_conditions: a.path_conditions + b.path_conditions,
            }),
            (a, b) => a.or(b),
        };
        self.tree = self.tree.or(other.tree);
        self
    }
}

/// Walks a program in this thread.
pub(crate) fn walk<L: ReportHooks>(
    language: &L,
    solver: &SolverConfig,
    config: &Config,
    telling: &LeafOptions<'_>,
    to: &mut dyn Receiver,
) -> Account {
    let (exploration, tail) = with_tools(language, solver, config, telling, |tools, observer, teller| {
        explore_with(language, tools, observer, &mut Direct { teller, to })
    });
    Account { exploration, tail, workers: 1 }
}

/// Walks a program as one of several workers.
pub(crate) fn work<L: ReportHooks>(
    worker: &mut effigy_walk::Worker<'_, Leaf, Result<Tail, Failure>>,
    language: &L,
    solver: &SolverConfig,
    config: &Config,
    meter: &Meter,
    telling: &LeafOptions<'_>,
) -> Tail {
    let ((), tail) = with_tools(language, solver, config, telling, |tools, observer, teller| {
        let Tools { terms, solver, known, config, .. } = tools;
        explore_as(worker, language, Tools { terms, solver, known, config, meter }, observer, teller);
    });
    tail
}

/// Makes what a walk works with, in this thread, and sees what is left of it.
fn with_tools<L: ReportHooks, R>(
    language: &L,
    solver: &SolverConfig,
    config: &Config,
    telling: &LeafOptions<'_>,
    walk: impl FnOnce(Tools<'_>, &mut dyn Observer<L::State>, &mut Teller<'_, L>) -> R,
) -> (R, Tail) {
    let terms = solver.terms();
    let shared: RefCell<Box<dyn Solver>> = RefCell::new(chain(solver));
    let brief = QueryBudget { steps: None, time: Some(config.query.time.map_or(BRIEF, |it| it.min(BRIEF))) };
    let mut teller = Teller {
        language,
        terms: &terms,
        solver: &shared,
        brief,
        telling,
        conditions: Vec::new(),
        largest: 0,
        written: RefCell::default(),
    };
    let showing = telling.tree.map_or(StateDetail::default(), |it| it.1);
    let mut recorder = Recorder::new(language, &terms, showing);
    let observer: &mut dyn Observer<L::State> = if telling.tree.is_some() { &mut recorder } else { &mut () };
    let meter = Meter::start(config.budget.clone());
    let known = PathCondition::of(solver.layers);
    let tools = Tools { terms: &terms, solver: &mut SharedSolver(&shared), known: &known, config, meter: &meter };
    let res = walk(tools, observer, &mut teller);
    let sizes = language.counts_sizes().then(|| Sizes {
        largest_path_condition: teller.largest,
        path_conditions: terms.shared_size(teller.conditions.iter().flat_map(PathCondition::conjuncts)),
    });
    let tree = telling.tree.map(|(title, _)| {
        let mut solver = SharedSolver(&shared);
        let mut hurried = DeadlineSolver::new(&mut solver, telling.patience);
        recorder.tree(&mut Engine { terms: &terms, solver: &mut hurried, budget: brief }, title)
    });
    let mut statistics = Statistics::default();
    known.statistics(&mut statistics);
    shared.borrow().statistics(&mut statistics);
    statistics.count_rules(&terms);
    (res, Tail { statistics, tree, sizes })
}

/// Turns the ends of paths into leaves.
struct Teller<'a, L: ReportHooks> {
    language: &'a L,
    terms: &'a Terms,
    solver: &'a RefCell<Box<dyn Solver>>,
    brief: QueryBudget,
    telling: &'a LeafOptions<'a>,
    /// The path conditions of leaves, where their sizes are counted.
    conditions: Vec<PathCondition>,
    largest: usize,
    /// Conjuncts as they are written: those of many paths are the same. Without those that are not written alike on
    /// each path.
    written: RefCell<FxHashMap<Term, Option<Arc<str>>>>,
}

/// So many conjuncts are remembered as they are written.
const MOST_WRITTEN: usize = 1 << 14;

impl<L: ReportHooks> Teller<'_, L> {
    fn end(&self, end: &PathEnd<'_, L::State>) -> LeafEnd {
        let possible = end.witness.made_up;
        let bug = |it: &Violation| LeafEnd::Bug(TestBug { possible, ..TestBug::from(it) });
        match &end.end {
            End::Exit { code } => LeafEnd::Exit(*code),
            End::Bug(violation) => bug(violation),
            End::Silent if self.language.is_redundant(end.state) => LeafEnd::Redundant,
            End::Infeasible => LeafEnd::Dropped,
            End::Silent => match self.language.dropped(end.state) {
                None => LeafEnd::Dropped,
                Some(it) if end.certain => bug(&it),
                Some(it) => LeafEnd::Undecided {
                    what: format!("{}: {}", it.kind.0, it.message),
                    reason: "no model shows that the path exists".to_owned(),
                    place: (&it.place).into(),
                },
            },
            End::GaveUp(it) => it.into(),
            End::Undecided { what, reason, place } => {
                LeafEnd::Undecided { what: what.clone(), reason: reason.to_string(), place: place.into() }
            }
            End::Cut(limit) => LeafEnd::Cut(limit.to_string()),
        }
    }

    fn leaf(&mut self, end: &PathEnd<'_, L::State>) -> Leaf {
        let mut leaf = Leaf { certain: end.certain, ..Leaf::new(end.name(), self.end(end), end.trail.steps) };
        if leaf.end == LeafEnd::Redundant {
            return leaf;
        }
        leaf = leaf.with_witness(&end.witness);
        leaf.assumed_within = self.language.assumed_within(end.state);
        leaf.explained = self.language.explained(self.terms, end);
        if self.is_told_in_full(&mut leaf) {
            self.tell(end, &mut leaf);
        }
        if self.language.counts_sizes() {
            let size = self.terms.shared_size(end.trail.condition.conjuncts());
            self.largest = self.largest.max(size);
            self.conditions.push(end.trail.condition.clone());
            leaf.size = Some(size);
        }
        if matches!(leaf.end, LeafEnd::Exit(_)) {
            self.telling.tests.add(&mut leaf);
        }
        leaf
    }

    /// Ends of the program, and the simplest path into each bug.
    fn is_told_in_full(&self, leaf: &mut Leaf) -> bool {
        matches!(leaf.end, LeafEnd::Exit(_)) || self.telling.tests.is_simplest(leaf)
    }

    /// A condition on a path, of which `bounds` are asked only where they make a difference.
    fn written(&self, cond: Term, bounds: &dyn Fn() -> PathBounds) -> Arc<str> {
        let (language, terms) = (self.language, self.terms);
        let mut known = self.written.borrow_mut();
        if known.len() >= MOST_WRITTEN {
            known.clear();
        }
        let same = known.entry(cond).or_insert_with(|| {
            let text = language.show(terms, cond);
            (text == language.show_on(terms, cond, &PathBounds::exact())).then(|| text.into())
        });
        same.as_ref().map_or_else(|| language.show_on(terms, cond, &bounds()).into(), Arc::clone)
    }

    /// The path condition and the results, for people.
    fn tell(&self, end: &PathEnd<'_, L::State>, leaf: &mut Leaf) {
        let (language, terms, trail) = (self.language, self.terms, end.trail);
        leaf.every_run = matches!(leaf.end, LeafEnd::Bug(_)) && trail.condition.conjuncts().is_empty();
        if self.telling.layout == Layout::Counts {
            // What ends well is in files, by the ten thousand: to say all of it as a person would takes longer than to
            // walk it. Of a bug only the simplest path is told.
            let conjuncts = match leaf.end {
                LeafEnd::Exit(_) => trail.condition.readable(terms),
                _ => {
                    let mut solver = SharedSolver(self.solver);
                    let mut hurried = DeadlineSolver::new(&mut solver, self.telling.patience);
                    let mut engine = Engine { terms, solver: &mut hurried, budget: self.brief };
                    paired(terms, &engine.readable(trail, &[]))
                }
            };
            let known = OnceCell::new();
            let bounds = || known.get_or_init(|| trail.bounds(terms)).clone();
            leaf.path_condition = conjuncts.into_iter().map(|it| self.written(it, &bounds)).collect();
            return;
        }
        let mut solver = SharedSolver(self.solver);
        let mut hurried = DeadlineSolver::new(&mut solver, self.telling.patience);
        let mut engine = Engine { terms, solver: &mut hurried, budget: self.brief };
        if matches!(leaf.end, LeafEnd::Exit(_)) {
            let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
            let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
            let results = language.results(&mut ctx, end.state);
            let mut text = |it: &VariableValue| value_text(&mut engine, language, trail, it);
            leaf.results = results.iter().map(|it| (it.name.to_string(), text(&it.value))).collect();
        }
        let conjuncts = match self.telling.pc {
            ConditionForm::Short => {
                paired(terms, &engine.readable_in(language, trail, &language.assumptions(end.state)))
            }
            ConditionForm::Full => trail.condition.conjuncts(),
        };
        let bounds = trail.bounds(terms);
        leaf.path_condition = conjuncts.into_iter().map(|it| language.show_on(terms, it, &bounds).into()).collect();
    }
}

impl<L: ReportHooks> Sink<<L as Language>::State, Leaf> for Teller<'_, L> {
    fn ended(&mut self, end: &PathEnd<'_, L::State>) -> Leaf {
        self.leaf(end)
    }

    fn resident_memory(&mut self) -> Option<u64> {
        resident_memory()
    }
}

/// Passes leaves to the receiver, in the thread that made them.
struct Direct<'a, 'b, L: ReportHooks> {
    teller: &'a mut Teller<'b, L>,
    to: &'a mut dyn Receiver,
}

impl<L: ReportHooks> Sink<<L as Language>::State> for Direct<'_, '_, L> {
    fn ended(&mut self, end: &PathEnd<'_, L::State>) {
        if self.teller.telling.leaves {
            let leaf = self.teller.leaf(end);
            self.to.leaf(leaf);
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.to.progress(progress);
    }

    fn resident_memory(&mut self) -> Option<u64> {
        resident_memory()
    }
}
