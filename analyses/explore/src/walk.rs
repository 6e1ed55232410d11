//! The walk over all paths: a loop over the events of one path after the other.
//!
//! Knows: which paths wait, what each event means for them. Never: questions, nor the language behind them.

use crate::path_end::{End, PathEnd, Sink};
use effigy_engine::{
    Asked, Budget, Context, Decisions, Ended, Engine, Event, Feasibility, Forking, Forks, Inputs, Job, Language, Limit,
    Meter, Notes, Observer, Outcome, Path, PathId, PathOutcome, Place, Policy, RecentValuations, ReplayError, Trail,
    Valuation, Violated, advance,
};
use effigy_solver::{Answer, PathCondition, QueryBudget, Solver, Statistics};
use effigy_term::{Model, Terms};
use effigy_walk::{
    Child, Delta, EndedPath, Ending, Endless, Exchange, Exploration, Frontier, LoopDetector, Mark, Progress, Search,
    SingleWorker, WalkEvent, Worker,
};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// The order, the limits and the questions of an exploration.
#[derive(Clone, Debug)]
pub struct Config {
    /// The order in which paths go on.
    pub search: Search,
    /// Where the random searchers start.
    pub seed: u64,
    /// What the walk may spend.
    pub budget: Budget,
    /// What one query may spend.
    pub query: QueryBudget,
    /// When it is asked whether a path exists.
    pub feasibility: Feasibility,
    /// So many values of one term are followed; the others are cut.
    pub values: u32,
}

/// So many transitions are made before limits are looked at again.
const SLICE: u64 = 200_000;

/// A query gets so much, even when the walk's time is over.
const LAST: Duration = Duration::from_millis(200);

/// A path that waits is come to again within so many transitions.
const LONGEST_JOB: u64 = 1 << 40;

/// With fewer paths that wait none is given away: what comes of them is likely to be short, and coming to it again is not.
const WORTH_GIVING: usize = 4;

/// So many paths are given away at once, at most.
const MOST_GIVEN: usize = 8;

/// A path that is asked and does not fork is looked at after so many questions.
const MANY_ANSWERS: u32 = 64;

/// Memory is looked at so often: a walk cannot fill much of it in between, and to ask costs as much as a short path.
const WEIGH: Duration = Duration::from_millis(5);

/// Progress is shown so often.
const SHOW: Duration = Duration::from_millis(100);

/// Explores every feasible path of `language`.
pub fn explore<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    config: &Config,
    observer: &mut dyn Observer<L::State>,
    sink: &mut dyn Sink<L::State>,
) -> Exploration {
    let meter = Meter::start(config.budget.clone());
    let tools = Tools { terms, solver, known: &PathCondition::new(), config, meter: &meter };
    explore_with(language, tools, observer, sink)
}

/// As [`explore`], with these tools.
pub fn explore_with<L: Language>(
    language: &L,
    tools: Tools<'_>,
    observer: &mut dyn Observer<L::State>,
    sink: &mut dyn Sink<L::State>,
) -> Exploration {
    let meter = tools.meter;
    let mut res = walk(language, tools, observer, sink, &mut SingleWorker::new());
    res.time = meter.elapsed();
    res
}

/// Explores as one worker of several, until no paths are left; `meter` is that of all. What was found was told.
pub fn explore_as<L: Language, T, A>(
    worker: &mut Worker<'_, T, A>,
    language: &L,
    tools: Tools<'_>,
    observer: &mut dyn Observer<L::State>,
    sink: &mut dyn Sink<L::State, T>,
) {
    let done = walk(language, tools, observer, sink, worker);
    if let Some(limit) = done.stopped {
        worker.stop(limit, done.endless);
    }
}

/// What a walk works with.
pub struct Tools<'a> {
    /// The arena of the terms of this worker.
    pub terms: &'a Terms,
    /// The chain of layers, of the same arena.
    pub solver: &'a mut dyn Solver,
    /// An empty path condition, which shares with those of all paths what is found out about terms.
    pub known: &'a PathCondition,
    /// The order, the limits and the questions.
    pub config: &'a Config,
    /// What was spent of the limits so far.
    pub meter: &'a Meter,
}

fn walk<L: Language, T>(
    language: &L,
    tools: Tools<'_>,
    observer: &mut dyn Observer<L::State>,
    sink: &mut dyn Sink<L::State, T>,
    exchange: &mut dyn Exchange<T>,
) -> Exploration {
    let Tools { terms, solver, known, config, meter } = tools;
    let mut timed = Timed { solver, time: Duration::ZERO };
    let mut walk = Walk {
        language,
        terms,
        solver: &mut timed,
        config,
        observer,
        sink,
        exchange,
        frontier: Frontier::new(config.search, config.seed),
        loops: LoopDetector::default(),
        heard: FxHashMap::default(),
        told: Mark::default(),
        recent: RecentValuations::default(),
        known,
        meter,
        now: Instant::now(),
        shown: Instant::now(),
        weighed: None,
        res: Exploration::default(),
    };
    walk.run();
    walk.res
}

/// A solver and the time that it takes.
struct Timed<'a> {
    solver: &'a mut dyn Solver,
    time: Duration,
}

impl Solver for Timed<'_> {
    fn check(&mut self, terms: &Terms, query: &effigy_solver::Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.solver.check(terms, query);
        self.time += start.elapsed();
        answer
    }

    fn statistics(&self, into: &mut Statistics) {
        self.solver.statistics(into);
    }
}

struct Walk<'a, 's, L: Language, T> {
    language: &'a L,
    terms: &'a Terms,
    solver: &'a mut Timed<'s>,
    config: &'a Config,
    observer: &'a mut dyn Observer<L::State>,
    sink: &'a mut dyn Sink<L::State, T>,
    exchange: &'a mut dyn Exchange<T>,
    /// Paths are large: what is moved from here to there is where they are.
    frontier: Frontier<Box<Path<L::State>>>,
    loops: LoopDetector<L::State>,
    /// What others know of the names of waiting paths.
    heard: FxHashMap<PathId, Decisions>,
    /// Up to where it was told what was found.
    told: Mark,
    recent: RecentValuations,
    known: &'a PathCondition,
    meter: &'a Meter,
    /// The time when a path waited or ended last.
    now: Instant,
    shown: Instant,
    /// When memory was looked at last.
    weighed: Option<Instant>,
    res: Exploration,
}

impl<L: Language, T> Walk<'_, '_, L, T> {
    fn run(&mut self) {
        while self.res.stopped.is_none() {
            let job = match self.frontier.is_empty() {
                true => self.exchange.next(),
                false => self.exchange.another(),
            };
            match job {
                Some(job) => self.begin(&job),
                None if self.frontier.is_empty() => break,
                None => {}
            }
            let Some((id, path)) = self.frontier.select() else { continue };
            if let Some(limit) = self.exceeded() {
                self.res.stopped = Some(limit);
                self.frontier.add(id, path, false);
                break;
            }
            self.exchange.runs(id);
            self.advance(path);
            if self.exchange.is_wanted() {
                self.give();
            }
            self.show();
        }
        self.res.solver_time = self.solver.time;
        if self.exchange.is_heard() {
            let delta = self.delta();
            self.exchange.tell(WalkEvent::Found(delta));
        }
        // What was still to be explored is cut, each by the limit that stopped the walk.
        if let Some(limit) = self.res.stopped {
            self.res.endless = self.endless();
            *self.res.paths.cut.entry(limit).or_insert(0) += self.frontier.len() as u64;
            let mut cut: Vec<&Path<L::State>> = self.frontier.iter().map(|it| &**it.1).collect();
            cut.sort_by_key(|it| it.id);
            for path in cut {
                self.observer.ended(path.id, &path.state, &path.trail, Ended::Cut);
            }
        }
    }

    /// A job becomes a path that waits.
    fn begin(&mut self, job: &Job) {
        self.exchange.runs(job.id);
        let inputs = Inputs::Symbolic;
        let mut notes = Notes::default();
        let mut ctx = Context::new(self.terms, &inputs, &mut self.res.coverage, &mut notes);
        let start = Trail::of(self.known.clone());
        let path = job.path(self.language, &mut ctx, start, LONGEST_JOB, &mut || self.meter.exceeded().is_none());
        // The way was noted when it was gone first, unless that was lost.
        self.res.notes.merge_again(&notes);
        match path {
            Ok(path) => {
                if self.exchange.is_heard() {
                    self.heard.insert(path.id, path.trail.decisions.clone());
                }
                if let Some((place, count)) = &job.turns {
                    self.loops.resume(path.id, place.clone(), *count);
                }
                self.wait(Box::new(path), true);
            }
            // Whoever hears the walk knows of it; alone there is nothing to come to again.
            Err(ReplayError::Stopped) => self.res.stopped = self.meter.exceeded().or(Some(Limit::Interrupt)),
            Err(error) => {
                let what = format!("a path that could not be come to again ({error})");
                let ending = Ending::Undecided(what, Place::default());
                self.res.count(&ending);
                if self.exchange.is_heard() {
                    self.exchange.tell(WalkEvent::Lost(job.id, ending));
                }
            }
        }
    }

    /// Paths that wait go to another worker: of those with few decisions, since much is likely to be below them, every
    /// other one. Several at once, so that one that is soon over does not send its worker back at once.
    fn give(&mut self) {
        if self.frontier.len() < WORTH_GIVING {
            return;
        }
        let mut shallow: Vec<(usize, PathId)> =
            self.frontier.iter().map(|(id, it)| (it.trail.decisions.len(), id)).collect();
        let considered = shallow.len().min(2 * MOST_GIVEN);
        if considered < shallow.len() {
            shallow.select_nth_unstable(considered);
        }
        shallow.truncate(considered);
        shallow.sort_unstable();
        let jobs = shallow.into_iter().step_by(2).filter_map(|it| self.given(it.1)).collect();
        self.exchange.give(jobs);
    }

    /// A path that waits becomes a job of others.
    fn given(&mut self, id: PathId) -> Option<Job> {
        let path = self.frontier.remove(id)?;
        // It is done again by its whole name.
        let children = vec![self.child_of(path.id, &path)];
        self.heard.remove(&path.id);
        let turns = self.loops.give(path.id);
        self.exchange.tell(WalkEvent::Forked { parent: path.id, children });
        Some(Job { turns, ..Job::of(self.terms, &path) })
    }

    /// What others do not know of the name of `path`, which came of `parent`.
    fn child_of(&self, parent: PathId, path: &Path<L::State>) -> Child {
        let root = Decisions::new();
        let (kept, after) = path.trail.decisions.since(self.heard.get(&parent).unwrap_or(&root));
        Child { path: path.id, kept, after, forks: path.trail.forks }
    }

    fn delta(&mut self) -> Delta {
        self.res.solver_time = self.solver.time;
        let delta = self.res.since(&self.told);
        self.told = self.res.mark();
        delta
    }

    /// A path that waits and has no end in sight.
    fn endless(&self) -> Option<Endless> {
        let pending = self.frontier.iter().map(|(id, it)| (id, it.trail.steps));
        let stands = |of: PathId| {
            let (_, path) = self.frontier.iter().find(|it| it.0 == of)?;
            Some(self.language.place(&path.state))
        };
        self.loops.endless(pending, stands)
    }

    /// Whether a path that has not forked for long has come to a state again.
    fn repeats_state(&mut self, path: &Path<L::State>) -> bool {
        let inputs = Inputs::Symbolic;
        let mut ctx = Context::new(self.terms, &inputs, &mut self.res.coverage, &mut self.res.notes);
        let language = self.language;
        self.loops.repeats_state(path.id, &path.state, |before, now| language.comes_again(&mut ctx, before, now))
    }

    fn exceeded(&mut self) -> Option<Limit> {
        self.meter.exceeded().or_else(|| {
            self.config.budget.memory?;
            if self.weighed.is_some_and(|it| self.now.duration_since(it) < WEIGH) {
                return None;
            }
            self.weighed = Some(self.now);
            self.meter.check_memory(self.sink.resident_memory()?)
        })
    }

    fn show(&mut self) {
        self.now = Instant::now();
        if self.now.duration_since(self.shown) < SHOW {
            return;
        }
        self.shown = self.now;
        let endless = self.endless();
        self.exchange.turns(endless.clone());
        self.sink.progress(&Progress {
            paths: self.meter.paths(),
            pending: self.frontier.len() as u64,
            bugs: self.res.bugs.len() as u64,
            sites: self.res.coverage.count() as u64,
            time: self.meter.elapsed(),
            solver: self.solver.time,
            endless,
        });
    }

    fn wait(&mut self, path: Box<Path<L::State>>, fresh: bool) {
        let id = path.id;
        self.recent.waits(&path.trail);
        self.frontier.add(id, path, fresh);
    }

    /// Advances a path from event to event, until it waits or ends.
    fn advance(&mut self, mut path: Box<Path<L::State>>) {
        let covered = self.res.coverage.count();
        let inputs = Inputs::Symbolic;
        let mut answers = 0;
        loop {
            if let Some(limit) = self.meter.path_exceeded(path.trail.steps) {
                return self.end(path, End::Cut(limit));
            }
            // A path of many questions is long in coming to its next fork; the walk stops before it goes on.
            if self.meter.exceeded().is_some() {
                return self.wait(path, false);
            }
            let slice = if self.observer.follows_steps() { 1 } else { SLICE };
            let budget = self.config.budget.path_steps.map_or(slice, |it| slice.min(it - path.trail.steps));
            if slice == 1 {
                self.observer.stepping(path.id, &path.state, &path.trail);
            }
            let mut fuel = budget;
            let mut engine = Engine { terms: self.terms, solver: self.solver, budget: query(self.config, self.meter) };
            let mut ctx = Context::new(self.terms, &inputs, &mut self.res.coverage, &mut self.res.notes);
            let requirements = engine.budget;
            let feasibility = self.config.feasibility;
            let mut policy = Policy::Fork(Forking { engine: &mut engine, feasibility, requirements });
            let event = advance(self.language, &mut ctx, &mut path, &mut policy, &mut fuel);
            self.meter.add_steps(budget - fuel);
            self.res.steps += budget - fuel;
            let fresh = self.res.coverage.count() > covered;
            match event {
                Event::Moved if slice > 1 && fuel == 0 && self.repeats_state(&path) => {
                    return self.end(path, End::Cut(Limit::Repeats));
                }
                Event::Moved if slice > 1 => return self.wait(path, fresh),
                // It has gone on: who hears the walk does it again from where it was heard of last.
                Event::Answered if self.exchange.is_heard() && self.is_cut_short([&path.trail].into_iter()) => {
                    self.res.stopped = self.meter.exceeded();
                    return self.forget(path.id);
                }
                Event::Answered | Event::Held(_) => {
                    answers += 1;
                    if answers % MANY_ANSWERS == 0 && self.repeats_state(&path) {
                        return self.end(path, End::Cut(Limit::Repeats));
                    }
                }
                Event::Moved => {}
                Event::Forked(forks) if self.is_cut_short(forks.ways.iter().map(|it| &it.trail)) => {
                    return self.wait(path, fresh);
                }
                Event::Violated(it) if self.is_cut_short([&it.into].into_iter().chain(&it.past)) => {
                    return self.wait(path, fresh);
                }
                Event::Forked(forks) => return self.fork(path, forks, fresh),
                Event::Violated(violated) => match self.violated(&path, *violated) {
                    (_, Some(past)) => path.grant(self.language, past),
                    // Every input of this path runs into the violation.
                    (true, None) => return self.gone(path.id),
                    (false, None) => return self.forget(path.id),
                },
                Event::Ended(outcome) => return self.exit(path, outcome),
                Event::Undecided(stuck, reason) => {
                    let place = self.language.place(&path.state);
                    return self.end(path, End::Undecided { what: stuck.to_string(), reason, place });
                }
                // Only a path that follows a name comes to its end, or leaves it.
                Event::Waits | Event::DoesNotFit => return self.wait(path, fresh),
            }
        }
    }

    fn engine(&mut self) -> Engine<'_> {
        Engine { terms: self.terms, budget: query(self.config, self.meter), solver: self.solver }
    }

    /// Reports the violation where it is feasible: whether it was told, and the trail past it, if there is one.
    fn violated(&mut self, path: &Path<L::State>, violated: Violated) -> (bool, Option<Trail>) {
        let side = Box::new(Path { id: self.exchange.fresh_id(), state: path.state.clone(), trail: violated.into });
        if let Some(decision) = side.trail.decisions.last() {
            self.observer.forked(path.id, side.id, decision, self.terms.not(violated.cond));
        }
        let told = self.leaf(side, End::Bug(violated.violation), true);
        (told, violated.past)
    }

    /// This worker has the path no more.
    fn forget(&mut self, path: PathId) {
        self.frontier.end(path);
        self.heard.remove(&path);
        self.loops.forget(path);
    }

    /// A path is over, and its end was told as that of another.
    fn gone(&mut self, path: PathId) {
        self.forget(path);
        if self.exchange.is_heard() {
            self.exchange.tell(WalkEvent::Gone(path));
        }
    }

    fn fork(&mut self, path: Box<Path<L::State>>, forks: Forks, fresh: bool) {
        if !self.meter.may_fork(path.trail.forks) {
            return self.end(path, End::Cut(Limit::Depth));
        }
        let (place, steps) = (self.language.place(&path.state), path.trail.steps);
        let Path { id, state, .. } = *path;
        let Forks { asked, ways } = forks;
        let ids = ways.iter().enumerate().map(|it| if it.0 == 0 { id } else { self.exchange.fresh_id() });
        let ids: Vec<PathId> = ids.collect();
        self.res.forks += 1;
        self.frontier.split(id, &ids);
        self.loops.fork(id, &ids, place, steps);
        for (way, child) in ways.iter().zip(&ids) {
            self.observer.forked(id, *child, &way.decision, way.cond);
        }
        // Depth first takes what is added last: the first side. The last one has the state for itself.
        let mut state = Some(state);
        let mut paths: Vec<Box<Path<L::State>>> = Vec::with_capacity(ways.len());
        let last = ways.len() - 1;
        for (at, (way, id)) in ways.into_iter().zip(ids).enumerate() {
            let own = if at == last { state.take() } else { state.clone() };
            let Some(state) = own else { continue };
            paths.push(Box::new(Path::of_way(self.language, id, state, way)));
        }
        if self.exchange.is_heard() {
            let children = paths.iter().map(|it| self.child_of(id, it)).collect();
            self.heard.remove(&id);
            self.heard.extend(paths.iter().map(|it| (it.id, it.trail.decisions.clone())));
            self.exchange.tell(WalkEvent::Forked { parent: id, children });
        }
        for path in paths.into_iter().rev() {
            let excluded = path.trail.decisions.excluded().count();
            match asked {
                Asked::Value(_) if excluded >= self.config.values as usize => self.end(path, End::Cut(Limit::Values)),
                // What is asked again has reached nothing.
                Asked::Value(_) => self.wait(path, fresh && excluded == 0),
                Asked::Branch => self.wait(path, fresh),
            }
        }
    }

    // Ends.

    fn exit(&mut self, path: Box<Path<L::State>>, outcome: PathOutcome) {
        let end = match outcome {
            Ok(Outcome::Exit { code }) => End::Exit { code },
            Ok(Outcome::Silent) => End::Silent,
            Ok(Outcome::Violation(violation)) => End::Bug(violation),
            Err(it) => End::GaveUp(it),
        };
        self.end(path, end);
    }

    /// A path that was searched has ended.
    fn end(&mut self, path: Box<Path<L::State>>, end: End) {
        self.forget(path.id);
        self.leaf(path, end, false);
    }

    /// A path has ended. It is something that is told of only if a model shows that it exists.
    fn leaf(&mut self, mut path: Box<Path<L::State>>, mut end: End, beside: bool) -> bool {
        if path.trail.witness.is_none() && !matches!(end, End::Undecided { .. }) {
            match self.engine().satisfiable(&path.trail) {
                Answer::Sat(model) => path.trail.witness = Some(model.into()),
                Answer::Unsat => end = End::Infeasible,
                Answer::Unknown(reason) => {
                    end = match end {
                        // It is told to nobody as something that exists.
                        End::Silent => End::Silent,
                        End::Bug(it) => {
                            End::Undecided { what: format!("{}: {}", it.kind.0, it.message), reason, place: it.place }
                        }
                        _ => {
                            let place = self.language.place(&path.state);
                            End::Undecided { what: "a path".to_owned(), reason, place }
                        }
                    }
                }
            }
        }
        self.finish(&path, end, beside)
    }

    /// Tells of the end of a path; false where a limit of the whole walk has cut it short. Whoever hears the walk then
    /// knows of a path that waits, and does it again.
    fn finish(&mut self, path: &Path<L::State>, mut end: End, beside: bool) -> bool {
        // What was not decided in no time may be decided in more. A path that no input takes is none.
        let cut = match &end {
            End::Undecided { .. } => self.meter.exceeded(),
            _ => None,
        };
        let cut = cut.or_else(|| (end != End::Infeasible && !self.meter.add_path()).then_some(Limit::Paths));
        if let Some(limit) = cut {
            end = End::Cut(limit);
            self.res.stopped = Some(limit);
        }
        let mut ending = Ending::from(&end);
        if let Ending::Cut(_, place) = &mut ending {
            *place = self.language.place(&path.state);
        }
        self.res.count(&ending);
        let outcome = match &end {
            End::Bug(violation) => Outcome::Violation(violation.clone()),
            End::Exit { code } => Outcome::Exit { code: *code },
            _ => Outcome::Silent,
        };
        let ended = match &end {
            End::Cut(_) => Ended::Cut,
            End::Undecided { .. } => Ended::Undecided,
            End::GaveUp(it) => Ended::GaveUp(it),
            End::Bug(_) | End::Exit { .. } | End::Silent | End::Infeasible => Ended::By(&outcome),
        };
        self.observer.ended(path.id, &path.state, &path.trail, ended);
        if cut.is_some() && self.exchange.is_heard() {
            return false;
        }
        let inputs = Inputs::Symbolic;
        let ctx = Context::new(self.terms, &inputs, &mut self.res.coverage, &mut self.res.notes);
        let certain = path.trail.witness.is_some();
        let mut model = path.trail.witness.clone().map_or_else(Model::new, Valuation::into_model);
        if certain && matches!(end, End::Bug(_)) {
            // Somebody will read it.
            model = path.trail.condition.minimize_model(self.terms, model);
        }
        let witness = self.language.witness(&ctx, &path.state, &model);
        if matches!(end, End::Bug(_)) && certain && !witness.made_up {
            self.meter.add_bug();
        }
        let end = match end {
            End::Exit { code: None } => End::Exit { code: witness.exit },
            End::Bug(violation) => End::Bug(Box::new(violation.with_message(witness.message.as_deref()))),
            end => end,
        };
        let ended = PathEnd { id: path.id, state: &path.state, trail: &path.trail, end, witness, certain };
        let told = self.sink.ended(&ended);
        if self.exchange.is_heard() {
            let beside = beside.then(|| path.trail.name());
            let ended = EndedPath { path: path.id, beside, ending, delta: self.delta(), told };
            self.exchange.tell(WalkEvent::Ended(Box::new(ended)));
        }
        true
    }

    /// Whether the walk was stopped while it was asked for these: an answer that was cut short is not used.
    fn is_cut_short<'t>(&self, mut trails: impl Iterator<Item = &'t Trail>) -> bool {
        trails.any(|it| it.undecided.is_some()) && self.meter.exceeded().is_some()
    }
}

/// What one query may spend: no query outlasts the walk by much.
fn query(config: &Config, meter: &Meter) -> QueryBudget {
    let mut budget = config.query;
    if let Some(remaining) = meter.remaining() {
        let remaining = remaining.max(LAST);
        budget.time = Some(budget.time.map_or(remaining, |it| it.min(remaining)));
    }
    budget
}
