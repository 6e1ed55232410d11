//! The walk over all paths: a loop over the events of one path after the other.
//!
//! Knows: which paths wait, what each event means for them. Never: questions, nor the language behind them.

use crate::exploration::{Bug, End, Exploration, PathEnd, Progress, Sink};
use crate::searchers::{Search, Searcher};
use effigy_engine::{
    Asked, Budget, Context, Ended, Engine, Event, Feasibility, Forking, Forks, Inputs, Language, Limit, Meter,
    Observer, Outcome, Path, PathId, Place, Policy, RecentValuations, Trail, Valuation, Violated, Way, advance,
};
use effigy_solver::{Answer, QueryBudget, Solver, Statistics};
use effigy_term::{Model, Terms};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// How to explore.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which path goes on.
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
    let mut timed = Timed { solver, time: Duration::ZERO };
    let mut walk = Walk {
        language,
        terms,
        solver: &mut timed,
        config,
        observer,
        sink,
        searcher: config.search.searcher(config.seed),
        pending: FxHashMap::default(),
        recent: RecentValuations::default(),
        next_id: 1,
        meter: Meter::start(config.budget.clone()),
        shown: Instant::now(),
        res: Exploration::default(),
    };
    walk.run();
    let mut res = walk.res;
    res.steps = walk.meter.steps;
    res.time = walk.meter.elapsed();
    res.solver_time = timed.time;
    res
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

struct Walk<'a, 's, L: Language> {
    language: &'a L,
    terms: &'a Terms,
    solver: &'a mut Timed<'s>,
    config: &'a Config,
    observer: &'a mut dyn Observer<L::State>,
    sink: &'a mut dyn Sink<L::State>,
    searcher: Box<dyn Searcher>,
    pending: FxHashMap<PathId, Path<L::State>>,
    recent: RecentValuations,
    next_id: u64,
    meter: Meter,
    shown: Instant,
    res: Exploration,
}

impl<L: Language> Walk<'_, '_, L> {
    fn run(&mut self) {
        let inputs = Inputs::Symbolic;
        let mut ctx = Context::new(self.terms, &inputs, &mut self.res.coverage, &mut self.res.notes);
        let state = self.language.start(&mut ctx);
        self.wait(Path { id: PathId(0), state, trail: Trail::new() }, true);
        while let Some(id) = self.searcher.select() {
            let Some(path) = self.pending.remove(&id) else { continue };
            if let Some(limit) = self.exceeded() {
                self.res.stopped = Some(limit);
                self.pending.insert(id, path);
                break;
            }
            self.advance(path);
            self.show();
        }
        // What was still to be explored is cut, each by the limit that stopped the walk.
        if let Some(limit) = self.res.stopped {
            *self.res.paths.cut.entry(limit).or_insert(0) += self.pending.len() as u64;
            let mut cut: Vec<&Path<L::State>> = self.pending.values().collect();
            cut.sort_by_key(|it| it.id);
            for path in cut {
                self.observer.ended(path.id, &path.state, &path.trail, Ended::Cut);
            }
        }
    }

    fn exceeded(&mut self) -> Option<Limit> {
        self.meter.exceeded().or_else(|| {
            self.config.budget.memory?;
            self.meter.check_memory(self.sink.resident_memory()?)
        })
    }

    fn show(&mut self) {
        if self.shown.elapsed() < SHOW {
            return;
        }
        self.shown = Instant::now();
        self.sink.progress(&Progress {
            paths: self.meter.paths,
            pending: self.pending.len() as u64,
            bugs: self.res.bugs.len() as u64,
            sites: self.res.coverage.count() as u64,
            time: self.meter.elapsed(),
            solver: self.solver.time,
        });
    }

    fn wait(&mut self, path: Path<L::State>, fresh: bool) {
        let id = path.id;
        self.recent.waits(&path.trail);
        self.pending.insert(id, path);
        self.searcher.add(id, fresh);
    }

    /// Advances a path from event to event, until it waits or ends.
    fn advance(&mut self, mut path: Path<L::State>) {
        let covered = self.res.coverage.count();
        let inputs = Inputs::Symbolic;
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
            let mut engine = Engine { terms: self.terms, solver: self.solver, budget: query(self.config, &self.meter) };
            let mut ctx = Context::new(self.terms, &inputs, &mut self.res.coverage, &mut self.res.notes);
            let requirements = engine.budget;
            let feasibility = self.config.feasibility;
            let mut policy = Policy::Fork(Forking { engine: &mut engine, feasibility, requirements });
            let event = advance(self.language, &mut ctx, &mut path, &mut policy, &mut fuel);
            self.meter.steps += budget - fuel;
            let fresh = self.res.coverage.count() > covered;
            match event {
                Event::Moved if slice > 1 => return self.wait(path, fresh),
                Event::Moved | Event::Answered | Event::Held(_) => {}
                Event::Forked(forks) => return self.fork(path, forks, fresh),
                Event::Violated(violated) => match self.violated(&path, *violated) {
                    Some(past) => path.grant(self.language, past),
                    // Every input of this path runs into the violation.
                    None => return self.searcher.ended(path.id),
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
        Engine { terms: self.terms, budget: query(self.config, &self.meter), solver: self.solver }
    }

    /// Reports the violation where it is feasible; the trail past it, if there is one.
    fn violated(&mut self, path: &Path<L::State>, violated: Violated) -> Option<Trail> {
        let side = Path { id: self.fresh_id(), state: path.state.clone(), trail: violated.into };
        if let Some(decision) = side.trail.decisions.last() {
            self.observer.forked(path.id, side.id, decision, self.terms.not(violated.cond));
        }
        self.leaf(side, End::Bug(violated.violation));
        violated.past
    }

    fn fork(&mut self, path: Path<L::State>, forks: Forks, fresh: bool) {
        if !self.meter.may_fork(path.trail.forks) {
            return self.end(path, End::Cut(Limit::Depth));
        }
        let Path { id, state, .. } = path;
        let Forks { asked, ways } = forks;
        let ids: Vec<PathId> = ways.iter().enumerate().map(|it| if it.0 == 0 { id } else { self.fresh_id() }).collect();
        self.res.forks += 1;
        self.searcher.split(id, &ids);
        for (way, child) in ways.iter().zip(&ids) {
            self.observer.forked(id, *child, &way.decision, way.cond);
        }
        // Depth first takes what is added last: the first side. The last one has the state for itself.
        let mut state = Some(state);
        let mut paths: Vec<Path<L::State>> = Vec::with_capacity(ways.len());
        let last = ways.len() - 1;
        for (at, (way, id)) in ways.into_iter().zip(ids).enumerate() {
            let own = if at == last { state.take() } else { state.clone() };
            let Some(state) = own else { continue };
            paths.push(self.child(id, state, way));
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

    fn child(&self, id: PathId, state: L::State, way: Way) -> Path<L::State> {
        let mut res = Path { id, state, trail: Trail::default() };
        res.take(self.language, way);
        res
    }

    fn fresh_id(&mut self) -> PathId {
        self.next_id += 1;
        PathId(self.next_id - 1)
    }

    // Ends.

    fn exit(&mut self, path: Path<L::State>, outcome: Outcome) {
        match outcome {
            Outcome::Exit { code } => self.end(path, End::Exit { code }),
            Outcome::Silent => self.end(path, End::Silent),
            Outcome::Unsupported { what, place } => self.end(path, End::Unsupported { what, place }),
            Outcome::Violation(violation) => self.end(path, End::Bug(violation)),
        }
    }

    /// A path that was searched has ended.
    fn end(&mut self, path: Path<L::State>, end: End) {
        self.searcher.ended(path.id);
        self.leaf(path, end);
    }

    /// A path has ended. It is something that is told of only if a model shows that it exists.
    fn leaf(&mut self, mut path: Path<L::State>, mut end: End) {
        if path.trail.witness.is_none() && !matches!(end, End::Undecided { .. } | End::Silent) {
            match self.engine().satisfiable(&path.trail) {
                Answer::Sat(model) => path.trail.witness = Some(model.into()),
                Answer::Unsat => end = End::Infeasible,
                Answer::Unknown(reason) => {
                    end = match end {
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
        self.finish(&path, end);
    }

    fn finish(&mut self, path: &Path<L::State>, end: End) {
        // A path that no input takes is none.
        self.meter.paths += u64::from(end != End::Infeasible);
        let counts = &mut self.res.paths;
        match &end {
            End::Exit { .. } => counts.completed += 1,
            End::Silent => counts.silent += 1,
            End::Infeasible => counts.infeasible += 1,
            End::Unsupported { what, place } => {
                counts.unsupported += 1;
                count(&mut self.res.unsupported, what, place);
            }
            End::Cut(limit) => *counts.cut.entry(*limit).or_insert(0) += 1,
            End::Undecided { what, reason, place } => {
                counts.undecided += 1;
                count(&mut self.res.undecided, &format!("{what} ({reason})"), place);
            }
            End::Bug(violation) => {
                counts.errored += 1;
                let key = (violation.kind, violation.place.clone());
                let new = || Bug { violation: (**violation).clone(), path: path.id, count: 0 };
                self.res.bugs.entry(key).or_insert_with(new).count += 1;
            }
        }
        let outcome = match &end {
            End::Bug(violation) => Outcome::Violation(violation.clone()),
            End::Exit { code } => Outcome::Exit { code: *code },
            End::Unsupported { what, place } => Outcome::Unsupported { what: what.clone(), place: place.clone() },
            End::Silent | End::Infeasible | End::Cut(_) | End::Undecided { .. } => Outcome::Silent,
        };
        let ended = match &end {
            End::Cut(_) => Ended::Cut,
            End::Undecided { .. } => Ended::Undecided,
            _ => Ended::By(&outcome),
        };
        self.observer.ended(path.id, &path.state, &path.trail, ended);
        let inputs = Inputs::Symbolic;
        let ctx = Context::new(self.terms, &inputs, &mut self.res.coverage, &mut self.res.notes);
        let certain = path.trail.witness.is_some();
        let model = path.trail.witness.clone().map_or_else(Model::new, Valuation::into_model);
        let witness = self.language.witness(&ctx, &path.state, &model);
        let end = match end {
            End::Exit { code: None } => End::Exit { code: witness.exit },
            end => end,
        };
        self.sink.ended(&PathEnd { id: path.id, state: &path.state, trail: &path.trail, end, witness, certain });
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

fn count(into: &mut std::collections::BTreeMap<String, (Place, u64)>, what: &str, place: &Place) {
    into.entry(what.to_owned()).or_insert_with(|| (place.clone(), 0)).1 += 1;
}
