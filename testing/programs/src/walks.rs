//! Paths that travel: whatever waits or has ended is come to again by its name alone; several workers, and walks that
//! are stopped again and again, find what one walk finds.
//!
//! Knows: explorations, replays, crews. Never: which language it is, which programs are tried.

use effigy_engine::{
    Budget, Context, Coverage, Decision, Decisions, Ended, Feasibility, Guide, Inputs, Inspect, Job, Language, Meter,
    Notes, Observer, Outcome, Path, PathId, PathName, PathOutcome, Policy, Statement, Trail, Until, Variable, advance,
    replay,
};
use effigy_explore::{Config, End, PathEnd, Sink, Tools, explore, explore_as};
use effigy_solver::{PathCondition, QueryBudget, Solver, SolverConfig, chain};
use effigy_term::eval::Evaluator;
use effigy_term::{BvValue, Model, Sort, Term, Terms, Value};
use effigy_walk::{Crew, Ending, Exploration, Listener, Search, Start, WalkEvent, Worker, walk_together};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How far a program is walked.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Transitions on any one path.
    pub path_steps: u64,
    /// Paths of one walk; pending paths are checked, too.
    pub paths: u64,
    /// Forks on any one path.
    pub depth: Option<u64>,
}

/// What was seen, so that a test can say that it has tested something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WalkTally {
    /// Ends that were reached again by their names.
    pub ends: usize,
    /// Of them in a bug.
    pub bugs: usize,
    /// Pending paths that were reached again by their names.
    pub waiting: usize,
    /// Of them with a witness that travelled.
    pub witnesses: usize,
    /// Programs that crews have walked.
    pub crews: usize,
    /// Of them with more than one path.
    pub forked: usize,
}

/// The step limit for replaying the name of a path.
const LONGEST: u64 = 1 << 30;

/// So many requirements a path may pass in one transition.
const MOST_PASSED: usize = 8;

/// No process is started, and no clock asked: what is found does not depend on the machine.
fn solver() -> Box<dyn Solver> {
    chain(&SolverConfig { smt: "false".to_owned(), ..SolverConfig::default() })
}

fn config(search: Search, budget: Budget) -> Config {
    let query = QueryBudget { steps: Some(2_000), time: None };
    Config { search, seed: 7, budget, query, values: 4, feasibility: Feasibility::Branch }
}

/// A path where the walk left it.
struct Stand<S> {
    id: PathId,
    state: S,
    trail: Trail,
    /// How it ended; nothing where it waits.
    end: Option<End>,
}

struct Ends<S>(Vec<Stand<S>>);

impl<S: Clone> Sink<S> for Ends<S> {
    fn ended(&mut self, end: &PathEnd<'_, S>) {
        let (id, state, trail) = (end.id, end.state.clone(), end.trail.clone());
        self.0.push(Stand { id, state, trail, end: Some(end.end.clone()) });
    }
}

/// Collects what a limit has cut: it waits.
struct Waiting<S>(Vec<Stand<S>>);

impl<S: Clone> Observer<S> for Waiting<S> {
    fn ended(&mut self, id: PathId, state: &S, trail: &Trail, end: Ended<'_>) {
        if end == Ended::Cut {
            self.0.push(Stand { id, state: state.clone(), trail: trail.clone(), end: None });
        }
    }
}

fn with_context<R>(terms: &Terms, body: impl FnOnce(&mut Context<'_>) -> R) -> R {
    let (mut coverage, mut notes, inputs) = (Coverage::default(), Notes::default(), Inputs::Symbolic);
    body(&mut Context::new(terms, &inputs, &mut coverage, &mut notes))
}

/// What a person sees of a state.
#[derive(PartialEq, Debug)]
struct Look {
    statement: Statement,
    clock: u64,
    depth: usize,
    variables: Vec<Variable>,
    results: Vec<Variable>,
}

fn look<L: Inspect>(language: &L, terms: &Terms, state: &L::State, exited: bool) -> Look {
    with_context(terms, |ctx| Look {
        statement: language.statement(state),
        clock: language.clock(state),
        depth: language.depth(state),
        variables: language.variables(ctx, state),
        results: if exited { language.results(ctx, state) } else { Vec::new() },
    })
}

/// What formulas are on some inputs, which are told by their names: how a formula is written depends on its arena.
fn values(terms: &Terms, formulas: &[Term]) -> Vec<String> {
    let on = |seed: u64| {
        let mut model = Model::new();
        for &symbol in formulas.iter().flat_map(|it| terms.symbols(*it)) {
            let info = terms.symbol_info(symbol);
            let mix = |it: u64, byte: u8| it.wrapping_mul(0x100_0000_01b3) ^ u64::from(byte);
            let number = info.name.bytes().fold(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), mix) >> 7;
            match info.sort {
                Sort::Bool => model.set(symbol, Value::Bool(number % 2 == 1)),
                Sort::Int => model.set(symbol, Value::Int((number % 30).into())),
                Sort::BitVec(width) => model.set(symbol, Value::BitVec(BvValue::from_u64(width, number))),
                _ => {}
            }
        }
        let mut evaluator = Evaluator::new(terms, &model);
        format!("{:?}", formulas.iter().map(|it| evaluator.value(*it)).collect::<Vec<_>>())
    };
    (0..4).map(on).collect()
}

/// A look in which no arena shows.
fn without_terms(terms: &Terms, look: &Look) -> String {
    let values = look.variables.iter().chain(&look.results).map(|it| {
        let text = it.value.text(|term| values(terms, &[term]).concat());
        format!("{} {text:?}", it.name)
    });
    let values: Vec<String> = values.collect();
    format!("{:?} {} {} {values:?}", look.statement, look.clock, look.depth)
}

/// Whether the name leads to the end that was seen.
fn same_end(end: &End, outcome: Option<&PathOutcome>) -> bool {
    match (end, outcome) {
        (End::Exit { .. }, Some(Ok(Outcome::Exit { .. }))) | (End::Silent, Some(Ok(Outcome::Silent))) => true,
        (End::Bug(one), Some(Ok(Outcome::Violation(other)))) => one == other,
        (End::GaveUp(one), Some(Err(other))) => one == other,
        _ => false,
    }
}

/// Every path of a walk, whether it ended or waits, is come to again by its name: in the same arena to an equal state,
/// in another one to a state that looks the same.
///
/// # Errors
/// What is different.
pub fn names_lead_back<L: Inspect>(build: &dyn Fn() -> L, bounds: Bounds, seen: &mut WalkTally) -> Result<(), String> {
    let (language, terms) = (build(), Terms::new());
    let budget = Budget {
        path_steps: Some(bounds.path_steps),
        paths: Some(bounds.paths),
        depth: bounds.depth,
        ..Budget::default()
    };
    let (mut ends, mut waiting) = (Ends(Vec::new()), Waiting(Vec::new()));
    let config = config(Search::Bfs, budget);
    explore(&language, &terms, &mut *solver(), &config, &mut waiting, &mut ends);
    let mut names = BTreeSet::new();
    let ended = ends.0.into_iter().filter(|it| !matches!(it.end, Some(End::Cut(_))));
    for stand in ended.chain(waiting.0) {
        let name = stand.trail.name();
        if !names.insert(name.clone()) {
            return Err(format!("two paths are called {name}"));
        }
        if matches!(stand.end, Some(End::Infeasible | End::Undecided { .. })) {
            continue;
        }
        leads_back(build, &language, &terms, &stand, seen).map_err(|it| format!("{name} {:?}: {it}", stand.end))?;
    }
    Ok(())
}

fn leads_back<L: Inspect>(
    build: &dyn Fn() -> L,
    language: &L,
    terms: &Terms,
    stand: &Stand<L::State>,
    seen: &mut WalkTally,
) -> Result<(), String> {
    let Stand { id, state, trail, end } = stand;
    let name: PathName = trail.name().text().parse().map_err(|it| format!("its name is not read: {it}"))?;
    let until = if end.is_some() { Until::End } else { Until::Since(trail.since_decided()) };
    let replayed = with_context(terms, |ctx| replay(language, ctx, &name, until, LONGEST));
    let replayed = replayed.map_err(|it| it.to_string())?;
    // What came after the last path that was wanted is cut, though it had ended.
    let same = end.as_ref().is_none_or(|it| same_end(it, replayed.outcome.as_ref()));
    let again = &replayed.path.trail;
    let stands = end.is_some() || again.since_decided() == trail.since_decided();
    if !same || !stands || again.name() != name {
        return Err(format!("again: {:?} {} after {}", replayed.outcome, again.name(), again.since_decided()));
    }
    let exited = matches!(end, Some(End::Exit { .. }));
    let (before, after) = (look(language, terms, state, exited), look(language, terms, &replayed.path.state, exited));
    // A path that waits may have passed requirements since, which are no transitions: it is asked for them again.
    let (mut further, mut there) = (replayed.path.clone(), look(language, terms, &replayed.path.state, exited));
    for _ in 0..MOST_PASSED {
        if end.is_some() || there == before {
            break;
        }
        let mut guide = Guide::along(&PathName::default());
        with_context(terms, |ctx| advance(language, ctx, &mut further, &mut Policy::Follow(&mut guide), &mut 1));
        there = look(language, terms, &further.state, exited);
    }
    if before != there {
        return Err(format!("{before:?}, again: {after:?}"));
    }
    seen.ends += usize::from(end.is_some());
    seen.bugs += usize::from(matches!(end, Some(End::Bug(_))));
    if end.is_some() || replayed.outcome.is_some() {
        return Ok(());
    }
    seen.waiting += 1;
    let job = Job::of(terms, &Path { id: *id, state: state.clone(), trail: trail.clone() });
    let (other, far) = (build(), Terms::new());
    let path = with_context(&far, |ctx| job.path(&other, ctx, Trail::new(), LONGEST, &mut || true))
        .map_err(|it| format!("elsewhere: {it}"))?;
    let (here, there) = (values(terms, &again.condition.conjuncts()), values(&far, &path.trail.condition.conjuncts()));
    if here != there {
        return Err(format!("its condition is {here:?}, elsewhere {there:?}"));
    }
    let (here, there) = (without_terms(terms, &after), without_terms(&far, &look(&other, &far, &path.state, false)));
    if here != there {
        return Err(format!("{here}, elsewhere: {there}"));
    }
    seen.witnesses += usize::from(path.trail.witness.is_some());
    let same = Job { witness: None, turns: None, ..Job::of(&far, &path) } == Job { witness: None, turns: None, ..job };
    if same { Ok(()) } else { Err("it is another job elsewhere".to_owned()) }
}

/// What a worker tells of an end: its name, and how it is counted.
type EndRecord = (PathName, Ending);

struct Tell;

impl<S> Sink<S, EndRecord> for Tell {
    fn ended(&mut self, end: &PathEnd<'_, S>) -> EndRecord {
        (end.name(), Ending::from(&end.end))
    }
}

/// Tells ends where nobody hears the worker.
#[derive(Default)]
struct EndCollector(Vec<EndRecord>);

impl<S> Sink<S> for EndCollector {
    fn ended(&mut self, end: &PathEnd<'_, S>) {
        self.0.push((end.name(), Ending::from(&end.end)));
    }
}

/// What is heard of a walk, as somebody who writes it down knows it.
#[derive(Default)]
struct Journal {
    waiting: BTreeMap<PathId, (PathName, u64)>,
    beside: Vec<PathName>,
    exploration: Exploration,
    ends: Vec<EndRecord>,
    next_id: u64,
    lost: bool,
}

impl Journal {
    fn begin() -> Journal {
        Journal { waiting: [(PathId(0), (PathName::default(), 0))].into(), next_id: 1, ..Journal::default() }
    }

    fn hear(&mut self, heard: WalkEvent<EndRecord>) {
        match heard {
            WalkEvent::Forked { parent, children } => {
                let (name, _) = self.waiting.remove(&parent).unwrap_or_default();
                let before: Decisions = name.0.into_iter().collect();
                for child in children {
                    self.next_id = self.next_id.max(child.path.0 + 1);
                    let name = PathName::from(&child.decisions(&before));
                    self.waiting.insert(child.path, (name, child.forks));
                }
            }
            WalkEvent::Ended(ended) => {
                self.waiting.remove(&ended.path);
                self.next_id = self.next_id.max(ended.path.0 + 1);
                self.beside.extend(ended.beside);
                self.exploration.add(&ended.delta);
                self.exploration.count(&ended.ending);
                self.ends.push(ended.told);
            }
            WalkEvent::Gone(path) => drop(self.waiting.remove(&path)),
            WalkEvent::Found(delta) => self.exploration.add(&delta),
            WalkEvent::Lost(..) | WalkEvent::Died { .. } => self.lost = true,
        }
    }

    fn start(&self) -> Start {
        let jobs = self.waiting.iter().map(|(id, (name, forks))| Job::named(*id, name.clone(), *forks));
        Start {
            jobs: jobs.collect(),
            next_id: self.next_id,
            exploration: self.exploration.clone(),
            beside: self.beside.iter().cloned().collect(),
        }
    }

    /// Lets a crew go on from here, until so many events were heard. Whether it came to its end.
    fn go_on<L: Language>(
        &mut self,
        build: &(dyn Fn() -> L + Sync),
        bounds: Bounds,
        workers: usize,
        most: Option<usize>,
    ) -> Result<bool, String> {
        let interrupt: Arc<AtomicBool> = Arc::default();
        let budget = Budget {
            path_steps: Some(bounds.path_steps),
            depth: bounds.depth,
            interrupt: Arc::clone(&interrupt),
            ..Budget::default()
        };
        let meter = Meter::start(budget.clone());
        let crew = Crew { workers, after: Duration::ZERO, stack: 64 << 20 };
        let work = |worker: &mut Worker<'_, EndRecord, ()>| {
            let (language, terms, mut solver) = (build(), Terms::new(), solver());
            let config = config(Search::Interleaved, budget.clone());
            let known = PathCondition::new();
            let tools = Tools { terms: &terms, solver: &mut *solver, known: &known, config: &config, meter: &meter };
            explore_as(worker, &language, tools, &mut (), &mut Tell);
        };
        let start = self.start();
        let mut killed = KilledListener { journal: self, heard: 0, most, interrupt: &interrupt };
        let (account, _) = walk_together(crew, start, &meter, work, &work, &mut killed).map_err(|it| it.to_string())?;
        let done = account.stopped.is_none() && most.is_none_or(|most| killed.heard <= most);
        match () {
            () if self.lost => Err("a worker has died, or could not come to a path again".to_owned()),
            () if done && account.paths != self.exploration.paths => {
                Err(format!("{:?} is the account of {:?}", account.paths, self.exploration.paths))
            }
            () if done && !self.waiting.is_empty() => Err(format!("at the end {:?} wait", self.waiting)),
            () => Ok(done),
        }
    }
}

/// Simulates a kill: events after this number are not written to the journal.
struct KilledListener<'a> {
    journal: &'a mut Journal,
    heard: usize,
    most: Option<usize>,
    interrupt: &'a AtomicBool,
}

impl Listener<EndRecord> for KilledListener<'_> {
    fn hear(&mut self, heard: WalkEvent<EndRecord>) {
        self.heard += 1;
        match self.most {
            Some(most) if self.heard > most => self.interrupt.store(true, Ordering::Relaxed),
            _ => self.journal.hear(heard),
        }
    }
}

/// Names and ends, each once; `None` where what is found may depend on who comes first: an answer that a solver gives
/// or not, values of which some are cut.
fn set_of(ends: &[EndRecord]) -> Result<Option<BTreeSet<String>>, String> {
    let of_values = |name: &PathName| name.0.iter().any(|it| matches!(it, Decision::Is(_) | Decision::Not(_)));
    let depends = |(name, ending): &EndRecord| match ending {
        Ending::Undecided(..) => true,
        Ending::Cut(..) => of_values(name),
        _ => false,
    };
    if ends.iter().any(depends) {
        return Ok(None);
    }
    let mut res = BTreeSet::new();
    for (name, ending) in ends.iter().filter(|it| it.1 != Ending::Infeasible) {
        if !res.insert(format!("{name} {ending:?}")) {
            return Err(format!("{name} has ended twice"));
        }
    }
    Ok(Some(res))
}

/// One worker and three, never stopped and stopped after every few events, find what a walk alone finds. Programs with
/// more paths than `bounds` says are left out.
///
/// # Errors
/// What is different.
pub fn crews_agree<L: Language>(
    build: &(dyn Fn() -> L + Sync),
    bounds: Bounds,
    seen: &mut WalkTally,
) -> Result<(), String> {
    let budget = Budget {
        path_steps: Some(bounds.path_steps),
        paths: Some(bounds.paths),
        depth: bounds.depth,
        ..Budget::default()
    };
    let mut alone = EndCollector::default();
    let config = config(Search::Dfs, budget);
    let exploration = explore(&build(), &Terms::new(), &mut *solver(), &config, &mut (), &mut alone);
    let Some(expected) = set_of(&alone.0)?.filter(|_| exploration.stopped.is_none()) else { return Ok(()) };
    seen.crews += 1;
    seen.forked += usize::from(expected.len() > 1);
    for (workers, step) in [(1, None), (3, None), (1, Some(1)), (3, Some(2)), (1, Some(7))] {
        let mut journal = Journal::begin();
        let mut most = step.map(|_| 0);
        let how = |it: String| format!("{workers} workers, stopped after {step:?} more: {it}");
        while !journal.go_on(build, bounds, workers, most).map_err(how)? {
            most = most.zip(step).map(|(most, step)| most + step);
        }
        let Some(found) = set_of(&journal.ends).map_err(how)? else { continue };
        if found != expected {
            let (more, less): (Vec<&String>, Vec<&String>) =
                (found.difference(&expected).collect(), expected.difference(&found).collect());
            return Err(how(format!("too much: {more:#?}, missing: {less:#?}")));
        }
        if journal.exploration.paths.completed != exploration.paths.completed
            || journal.exploration.bugs != exploration.bugs
            || journal.exploration.coverage.count() != exploration.coverage.count()
        {
            return Err(how(format!("{:?}, not {:?}", journal.exploration, exploration)));
        }
    }
    Ok(())
}
