//! The walk: run a path to its question, put the question to the engine, go on.
//!
//! Knows: what each answer means for the paths. Never: the language behind them.

use crate::exploration::{Bug, End, Exploration, PathEnd, Progress, Sink};
use crate::searchers::{Search, Searcher};
use effigy_engine::{
    Budget, Context, Decision, Ended, Engine, Forks, Inputs, Language, Limit, Meter, Observer, Outcome, Path, PathId,
    Place, Step, Trail, ValueForks, Violation,
};
use effigy_solver::{Answer, QueryBudget, Reason, Solver, Statistics};
use effigy_term::{Model, Term, Terms};
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
    pending: FxHashMap<PathId, Waiting<L::State>>,
    next_id: u64,
    meter: Meter,
    shown: Instant,
    res: Exploration,
}

struct Waiting<S> {
    path: Path<S>,
    /// Values that were followed already at the question where the path stands.
    values: u32,
}

impl<L: Language> Walk<'_, '_, L> {
    fn run(&mut self) {
        let inputs = Inputs::Symbolic;
        let mut ctx = Context {
            terms: self.terms,
            inputs: &inputs,
            coverage: &mut self.res.coverage,
            notes: &mut self.res.notes,
        };
        let state = self.language.start(&mut ctx);
        let path = Path { id: PathId(0), state, trail: Trail::new() };
        self.wait(path, true, 0);
        while let Some(id) = self.searcher.select() {
            let Some(waiting) = self.pending.remove(&id) else { continue };
            if let Some(limit) = self.exceeded() {
                self.res.stopped = Some(limit);
                self.pending.insert(id, waiting);
                break;
            }
            self.advance(waiting);
            self.show();
        }
        // What was still to be explored is cut, each by the limit that stopped the walk.
        if let Some(limit) = self.res.stopped {
            *self.res.paths.cut.entry(limit).or_insert(0) += self.pending.len() as u64;
            let mut cut: Vec<&Waiting<L::State>> = self.pending.values().collect();
            cut.sort_by_key(|it| it.path.id);
            for Waiting { path, .. } in cut {
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

    fn wait(&mut self, path: Path<L::State>, fresh: bool, values: u32) {
        let id = path.id;
        self.pending.insert(id, Waiting { path, values });
        self.searcher.add(id, fresh);
    }

    /// Runs a path to its next question, or for a slice, and deals with what comes.
    fn advance(&mut self, waiting: Waiting<L::State>) {
        let Waiting { mut path, values } = waiting;
        let covered = self.res.coverage.count();
        let inputs = Inputs::Symbolic;
        loop {
            if let Some(limit) = self.meter.path_exceeded(path.trail.steps) {
                return self.end(path, End::Cut(limit));
            }
            // A path of many questions is long in coming to its next fork; the walk stops before it goes on.
            if self.meter.exceeded().is_some() {
                return self.wait(path, false, values);
            }
            let slice = if self.observer.follows_steps() { 1 } else { SLICE };
            let budget = self.config.budget.path_steps.map_or(slice, |it| slice.min(it - path.trail.steps));
            if slice == 1 {
                self.observer.stepping(path.id, &path.state, &path.trail);
            }
            let mut fuel = budget;
            let mut ctx = Context {
                terms: self.terms,
                inputs: &inputs,
                coverage: &mut self.res.coverage,
                notes: &mut self.res.notes,
            };
            let step = self.language.step(&mut ctx, &mut path.state, &mut fuel);
            self.meter.steps += budget - fuel;
            path.trail.steps += budget - fuel;
            let fresh = self.res.coverage.count() > covered;
            match step {
                Step::Next if slice == 1 => {}
                Step::Next => return self.wait(path, fresh, values),
                Step::Exit(outcome) => return self.exit(path, outcome),
                Step::Assume(cond) => match self.engine().assume(&path.trail, cond) {
                    Some(trail) => {
                        path.trail = trail;
                        self.language.answer(&mut path.state, Decision::Granted);
                    }
                    None => return self.end(path, End::Silent),
                },
                Step::Require { cond, violation } => match self.require(&mut path, cond, *violation) {
                    true => self.language.answer(&mut path.state, Decision::Granted),
                    false => return,
                },
                Step::Branch(alternatives) => {
                    let mut forks = self.engine().fork(&path.trail, &alternatives);
                    if forks.len() > 1 || forks.is_empty() {
                        return self.fork(path, forks, fresh);
                    }
                    // Only one side is feasible: the path goes on as it is.
                    if let Some(fork) = forks.pop() {
                        path.trail = fork.trail;
                        self.language.answer(&mut path.state, fork.decision);
                    }
                }
                Step::Value(term) => return self.fork_value(path, term, fresh, values),
            }
        }
    }

    fn engine(&mut self) -> Engine<'_> {
        let mut budget = self.config.query;
        // No query outlasts the walk by much.
        if let Some(remaining) = self.meter.remaining() {
            let remaining = remaining.max(LAST);
            budget.time = Some(budget.time.map_or(remaining, |it| it.min(remaining)));
        }
        Engine { terms: self.terms, solver: self.solver, budget }
    }

    /// Reports the violation where it is feasible; whether the path goes on.
    fn require(&mut self, path: &mut Path<L::State>, cond: Term, violation: Violation) -> bool {
        let requirement = self.engine().require(&path.trail, cond);
        if let Some(trail) = requirement.violated {
            let id = PathId(self.next_id);
            self.next_id += 1;
            let side = Path { id, state: path.state.clone(), trail };
            self.observer.forked(path.id, id, &Decision::Granted, self.terms.not(cond));
            self.bug(side, violation);
        }
        match requirement.holds {
            Some(trail) => {
                path.trail = trail;
                true
            }
            None => {
                // Every input of this path runs into the violation.
                self.searcher.ended(path.id);
                false
            }
        }
    }

    fn fork(&mut self, path: Path<L::State>, forks: Forks, fresh: bool) {
        let Path { id, state, trail } = path;
        let count = forks.len();
        if count == 0 {
            // φ itself is unsatisfiable, which only an earlier unknown can hide.
            let place = self.language.place(&state);
            let reason =
                trail.undecided.clone().unwrap_or(Reason::GaveUp("no side of a branch is feasible".to_owned()));
            let end = End::Undecided { what: "a path".to_owned(), reason, place };
            return self.end(Path { id, state, trail }, end);
        }
        if count > 1 && !self.meter.may_fork(trail.forks) {
            return self.end(Path { id, state, trail }, End::Cut(Limit::Depth));
        }
        let ids: Vec<PathId> = (0..count).map(|at| if at == 0 { id } else { self.fresh_id() }).collect();
        if count > 1 {
            self.res.forks += 1;
            self.searcher.split(id, &ids);
        }
        let mut state = Some(state);
        let mut paths = Vec::with_capacity(count);
        for (at, mut fork) in forks.into_iter().enumerate() {
            fork.trail.forks += u64::from(count > 1);
            let last = at + 1 == count;
            let own = if last { state.take() } else { state.clone() };
            let Some(mut own) = own else { continue };
            self.observer.forked(id, ids[at], &fork.decision, fork.cond);
            self.language.answer(&mut own, fork.decision);
            paths.push(Path { id: ids[at], state: own, trail: fork.trail });
        }
        // Depth first takes what is added last: the first side.
        for path in paths.into_iter().rev() {
            self.wait(path, fresh, 0);
        }
    }

    fn fresh_id(&mut self) -> PathId {
        self.next_id += 1;
        PathId(self.next_id - 1)
    }

    fn fork_value(&mut self, path: Path<L::State>, term: Term, fresh: bool, values: u32) {
        let forks = self.engine().fork_value(&path.trail, term);
        let Path { id, state, trail } = path;
        let (mut chosen, mut rest) = match forks {
            ValueForks::Decided { rest: Some(_), .. } if !self.meter.may_fork(trail.forks) => {
                return self.end(Path { id, state, trail }, End::Cut(Limit::Depth));
            }
            ValueForks::Decided { chosen, rest } => (chosen, rest),
            ValueForks::Undecided => {
                let place = self.language.place(&state);
                let reason = trail.undecided.clone().unwrap_or(Reason::GaveUp("no value was found".to_owned()));
                let end = End::Undecided { what: "the value of a term".to_owned(), reason, place };
                return self.end(Path { id, state, trail }, end);
            }
        };
        if let Some(rest) = &mut rest {
            rest.forks += 1;
            chosen.trail.forks += 1;
        }
        let mut own = state.clone();
        let cond = chosen.cond;
        self.observer.forked(id, id, &chosen.decision, cond);
        self.language.answer(&mut own, chosen.decision);
        let chosen = Path { id, state: own, trail: chosen.trail };
        let Some(rest) = rest else { return self.wait(chosen, fresh, 0) };
        let other = self.fresh_id();
        self.res.forks += 1;
        self.observer.forked(id, other, &Decision::Granted, self.terms.not(cond));
        self.searcher.split(id, &[id, other]);
        let rest = Path { id: other, state, trail: *rest };
        if values + 1 >= self.config.values {
            self.end(rest, End::Cut(Limit::Values));
        } else {
            self.wait(rest, false, values + 1);
        }
        self.wait(chosen, fresh, 0);
    }

    // Ends.

    fn exit(&mut self, path: Path<L::State>, outcome: Outcome) {
        match outcome {
            Outcome::Exit { code } => self.end(path, End::Exit { code }),
            Outcome::Silent => self.end(path, End::Silent),
            Outcome::Unsupported { what, place } => self.end(path, End::Unsupported { what, place }),
            Outcome::Violation(violation) => {
                self.searcher.ended(path.id);
                self.bug(path, *violation);
            }
        }
    }

    /// A path into a bug. It is one only if a model shows that the path exists.
    fn bug(&mut self, mut path: Path<L::State>, violation: Violation) {
        if path.trail.witness.is_none() {
            match self.engine().satisfiable(&path.trail) {
                Answer::Sat(model) => path.trail.witness = Some(model),
                Answer::Unsat => return,
                Answer::Unknown(reason) => {
                    let what = format!("{}: {}", violation.kind.0, violation.message);
                    return self.finish(&path, End::Undecided { what, reason, place: violation.place });
                }
            }
        }
        self.finish(&path, End::Bug(Box::new(violation)));
    }

    fn end(&mut self, mut path: Path<L::State>, end: End) {
        self.searcher.ended(path.id);
        let mut end = end;
        if path.trail.witness.is_none() && !matches!(end, End::Undecided { .. } | End::Silent) {
            match self.engine().satisfiable(&path.trail) {
                Answer::Sat(model) => path.trail.witness = Some(model),
                Answer::Unsat => return,
                Answer::Unknown(reason) => {
                    let place = self.language.place(&path.state);
                    end = End::Undecided { what: "a path".to_owned(), reason, place };
                }
            }
        }
        self.finish(&path, end);
    }

    fn finish(&mut self, path: &Path<L::State>, end: End) {
        self.meter.paths += 1;
        let counts = &mut self.res.paths;
        match &end {
            End::Exit { .. } => counts.completed += 1,
            End::Silent => counts.silent += 1,
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
            End::Silent | End::Cut(_) | End::Undecided { .. } => Outcome::Silent,
        };
        let ended = match &end {
            End::Cut(_) => Ended::Cut,
            End::Undecided { .. } => Ended::Undecided,
            _ => Ended::By(&outcome),
        };
        self.observer.ended(path.id, &path.state, &path.trail, ended);
        let inputs = Inputs::Symbolic;
        let ctx = Context {
            terms: self.terms,
            inputs: &inputs,
            coverage: &mut self.res.coverage,
            notes: &mut self.res.notes,
        };
        let certain = path.trail.witness.is_some();
        let model = path.trail.witness.clone().unwrap_or_else(Model::new);
        let witness = self.language.witness(&ctx, &path.state, &model);
        let end = match end {
            End::Exit { code: None } => End::Exit { code: witness.exit },
            end => end,
        };
        self.sink.ended(&PathEnd { id: path.id, state: &path.state, trail: &path.trail, end, witness, certain });
    }
}

fn count(into: &mut std::collections::BTreeMap<String, (Place, u64)>, what: &str, place: &Place) {
    into.entry(what.to_owned()).or_insert_with(|| (place.clone(), 0)).1 += 1;
}
