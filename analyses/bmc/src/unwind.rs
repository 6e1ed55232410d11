//! The walk of all paths at once: loops up to a bound, then the question what needs more.
//!
//! Knows: which path goes on, what is asked when. Never: what a state is.

use crate::account::{Account, Needs, Verdict, Words};
use crate::confirm;
use crate::obligations::Obligations;
use crate::paths::{Merges, Path, Waiting, merged};
use effigy_engine::{
    Budget, Common, Context, Coverage, Guard, Inputs, Limit, Merge, Meter, Notes, Origin, Outcome, Place, Resolution,
    Step, TurnId, Turning,
};
use effigy_solver::{Answer, PathCondition, Query, QueryBudget, Solver};
use effigy_term::eval::Evaluator;
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{Model, Node, Sort, Term, Terms, Value};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How to check.
pub struct Config<'a> {
    /// The bound that the user gives for a loop or a recursive function; without one it grows as is needed.
    pub bound: &'a dyn Fn(&Turning) -> Option<u32>,
    /// What the check may spend.
    pub budget: Budget,
    /// What one query may spend.
    pub query: QueryBudget,
    /// So many values of one term are followed.
    pub values: u32,
    /// Shown now and then.
    pub progress: &'a dyn Fn(&Progress),
}

/// Where a check stands.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Places where paths wait.
    pub waiting: usize,
    /// Loops that wait for more rounds.
    pub parked: usize,
    /// Properties that do not hold.
    pub bugs: usize,
    /// Transitions made.
    pub steps: u64,
    /// The time of all.
    pub time: Duration,
}

/// The rounds of a loop before it is asked whether it needs more.
const FIRST_BOUND: u32 = 2;

/// So many transitions are made before limits are looked at again.
const SLICE: u64 = 200_000;

/// Conflicts after which what was asked together is asked in halves: alone each is often easy.
const TOGETHER: u64 = 2_000;

/// Conflicts after which one question is asked anew, of what its guard leaves: that shares nothing with others.
const ALONE: u64 = 20_000;

/// So many conjuncts of a guard, the last ones, are looked at for a contradiction.
const MOST_CONJUNCTS: usize = 64;

/// So many terms are looked at for what a guard decides in one condition.
const MOST_TERMS: usize = 1_000_000;

/// After so many requirements without a place where paths meet it is asked whether they can hold together: what reads
/// on until it finds an end need not come to one.
const PATIENCE: usize = 32;

/// Progress is shown so often.
const SHOW: Duration = Duration::from_millis(100);

/// Paths that wait for more rounds of a loop.
struct Parked<S> {
    paths: Vec<(u32, Path<S>)>,
    bound: u32,
}

struct Unwinding<'a, 's, L: Merge> {
    language: &'a L,
    terms: &'a Terms,
    solver: &'s mut dyn Solver,
    config: &'a Config<'a>,
    meter: Meter,
    waiting: Waiting<L::State>,
    parked: BTreeMap<TurnId, Parked<L::State>>,
    obligations: Obligations,
    /// What is not walked, and when it is reached: if a run comes there, nothing is known of what follows.
    gaps: BTreeMap<Words, Term>,
    merges: Merges,
    /// What terms can be whatever the path.
    ranges: Ranges<'a>,
    tables: &'a TruthTables,
    common: Common,
    coverage: Coverage,
    notes: Notes,
    ways: f64,
    steps: u64,
    queries: u64,
    solving: Duration,
    shown: Instant,
}

/// Checks all that must hold in a program.
pub fn check<L: Merge>(language: &L, terms: &Terms, solver: &mut dyn Solver, config: &Config<'_>) -> Account {
    let tables = TruthTables::new();
    let mut unwinding = Unwinding {
        language,
        terms,
        solver,
        config,
        meter: Meter::start(config.budget.clone()),
        waiting: Waiting::new(),
        parked: BTreeMap::new(),
        obligations: Obligations::default(),
        gaps: BTreeMap::new(),
        merges: Merges::default(),
        ranges: Ranges::with_limit(terms, &tables, usize::MAX),
        tables: &tables,
        common: Common::default(),
        coverage: Coverage::default(),
        notes: Notes::default(),
        ways: 0.0,
        steps: 0,
        queries: 0,
        solving: Duration::ZERO,
        shown: Instant::now(),
    };
    unwinding.start();
    unwinding.run()
}

impl<L: Merge> Unwinding<'_, '_, L> {
    fn start(&mut self) {
        let inputs = Inputs::Symbolic;
        let ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut self.notes);
        let state = self.language.start(&mut ctx.merging(&mut self.common));
        let mut path = Path {
            state,
            guard: Guard::default(),
            origin: Origin::default(),
            steps: 0,
            ways: 1.0,
            asked: Vec::new(),
            granted: Vec::new(),
        };
        self.hear(&mut path);
        self.wait(path);
    }

    /// Walks, asks for bugs, asks what needs more, and walks on.
    fn run(mut self) -> Account {
        let mut needs = Vec::new();
        let mut stopped;
        loop {
            stopped = self.walk();
            if stopped.is_none() {
                stopped = self.decide();
            }
            if stopped.is_some() {
                break;
            }
            match self.deepen() {
                Ok(true) => {}
                Ok(false) => break,
                Err(needed) => {
                    needs = needed;
                    break;
                }
            }
        }
        if let Some(limit) = stopped {
            // What was found so far stays; whether a loop was to go on is not asked any more.
            if limit != Limit::Interrupt {
                tracing::debug!(%limit, "stopped");
            }
        }
        self.obligations.give_up();
        let missed = self.missed();
        let rest = match (missed.is_empty() && stopped.is_none(), needs.is_empty()) {
            (false, _) => Verdict::Unknown,
            (true, false) => Verdict::Bounded,
            (true, true) => Verdict::Correct,
        };
        let bounds = self.parked.iter().map(|(id, it)| (self.language.turning(*id), it.bound)).collect();
        Account {
            properties: self.obligations.properties(&rest),
            needs,
            missed,
            stopped,
            bounds,
            coverage: self.coverage,
            notes: self.notes,
            steps: self.steps,
            merged: self.merges.merged,
            apart: self.merges.apart,
            ways: self.ways,
            queries: self.queries,
            solver: self.solving,
            time: self.meter.elapsed(),
        }
    }

    /// Walks until no path is left that may go on.
    fn walk(&mut self) -> Option<Limit> {
        while let Some(paths) = self.waiting.next() {
            if let Some(limit) = self.meter.exceeded() {
                return Some(limit);
            }
            self.show();
            let inputs = Inputs::Symbolic;
            let ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut self.notes);
            let mut ctx = ctx.merging(&mut self.common);
            for path in merged(self.language, &mut ctx, paths, &mut self.merges) {
                if let Some(limit) = self.advance_or_park(path) {
                    return Some(limit);
                }
            }
        }
        None
    }

    fn advance_or_park(&mut self, path: Path<L::State>) -> Option<Limit> {
        if let Some(round) = self.language.round(&path.state) {
            if self.contradicts(&path.guard) {
                return None;
            }
            let (language, config) = (self.language, self.config);
            let parked = self.parked.entry(round.of).or_insert_with(|| {
                let given = (config.bound)(&language.turning(round.of));
                Parked { paths: Vec::new(), bound: given.unwrap_or(FIRST_BOUND) }
            });
            if round.count >= parked.bound {
                parked.paths.push((round.count, path));
                return None;
            }
        }
        self.advance(path)
    }

    /// Walks a path, and all that it becomes, to where they can meet others.
    fn advance(&mut self, path: Path<L::State>) -> Option<Limit> {
        let inputs = Inputs::Symbolic;
        let mut work = vec![path];
        while let Some(mut path) = work.pop() {
            loop {
                if let Some(limit) = self.meter.exceeded() {
                    return Some(limit);
                }
                if self.config.budget.path_steps.is_some_and(|it| path.steps >= it) {
                    let words = Words {
                        what: "a path of more instructions than --depth allows".to_owned(),
                        place: self.language.place(&path.state),
                    };
                    self.gap(&path, words);
                    break;
                }
                let slice = self.config.budget.path_steps.map_or(SLICE, |it| SLICE.min(it - path.steps));
                let mut fuel = slice;
                let mut notes = Notes::default();
                let ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut notes);
                let step = self.language.step(&mut ctx.merging(&mut self.common), &mut path.state, &mut fuel);
                self.note(&path, &notes);
                path.steps += slice - fuel;
                self.steps += slice - fuel;
                self.meter.add_steps(slice - fuel);
                self.hear(&mut path);
                match step {
                    Step::Next if fuel == 0 => {}
                    Step::Next => {
                        self.wait(path);
                        break;
                    }
                    Step::Branch(alternatives) => {
                        let sides = alternatives.iter().enumerate().filter_map(|(index, it)| {
                            let possible = self.ranges.truth(it.cond) != Some(false);
                            possible.then_some((index as u32, it.cond))
                        });
                        let sides: Vec<(u32, Term)> = sides.collect();
                        for &(index, cond) in &sides {
                            let mut side = path.clone();
                            side.guard.assume(self.terms, cond);
                            // What the path knows to be false word for word is no way on.
                            if self.terms.as_bool(side.guard.term(self.terms)) == Some(false) {
                                continue;
                            }
                            self.language.answer(&mut side.state, Resolution::Alternative(index));
                            work.push(side);
                        }
                        break;
                    }
                    Step::Value(term) => {
                        work.extend(self.values(path, term));
                        break;
                    }
                    Step::Require { cond, violation } => {
                        let never = self.ranges.truth(cond) == Some(true);
                        let fails = if never { self.terms.bool(false) } else { self.terms.not(cond) };
                        self.obligations.add(self.terms, &path.guard, fails, *violation, &path.origin);
                        self.language.answer(&mut path.state, Resolution::Granted);
                        path.granted.push(cond);
                        if path.granted.len().is_multiple_of(PATIENCE) && self.is_over(&path) {
                            break;
                        }
                    }
                    Step::Assume(cond) => {
                        path.guard.assume(self.terms, cond);
                        if self.terms.as_bool(path.guard.term(self.terms)) == Some(false) {
                            break;
                        }
                        self.language.answer(&mut path.state, Resolution::Granted);
                    }
                    Step::Exit(outcome) => {
                        self.end(&path, outcome);
                        break;
                    }
                }
            }
        }
        None
    }

    /// Whether a path is taken by no run on which all holds that was required of it of late.
    fn is_over(&mut self, path: &Path<L::State>) -> bool {
        let granted = self.terms.and_all(path.granted.iter().copied());
        let goal = self.terms.and(path.guard.term(self.terms), granted);
        self.ask(goal) == Answer::Unsat
    }

    fn end(&mut self, path: &Path<L::State>, outcome: Outcome) {
        self.ways += path.ways;
        match outcome {
            Outcome::Exit { .. } | Outcome::Silent => {}
            Outcome::Violation(violation) => {
                let always = self.terms.bool(true);
                self.obligations.add(self.terms, &path.guard, always, *violation, &path.origin);
            }
            Outcome::Unsupported { what, place } => self.gap(path, Words { what, place }),
        }
    }

    /// What a language notes on a path matters if a run takes it.
    fn note(&mut self, path: &Path<L::State>, notes: &Notes) {
        for (note, place, count) in notes.iter() {
            if note.incomplete {
                self.gap(path, Words { what: format!("{}: {}", note.kind, note.what), place: place.clone() });
            }
            self.notes.add_many(note, place, count);
        }
    }

    fn gap(&mut self, path: &Path<L::State>, words: Words) {
        let reached = path.guard.term(self.terms);
        let known = self.gaps.entry(words).or_insert_with(|| self.terms.bool(false));
        *known = self.terms.or(*known, reached);
    }

    /// The paths on which a term has one value each, as far as the solver finds them.
    fn values(&mut self, path: Path<L::State>, term: Term) -> Vec<Path<L::State>> {
        let mut res = Vec::new();
        let mut rest = path.guard.clone();
        let place = self.language.place(&path.state);
        for _ in 0..self.config.values {
            let model = match self.ask(rest.term(self.terms)) {
                Answer::Unsat => return res,
                Answer::Sat(model) => model,
                Answer::Unknown(reason) => {
                    self.gap(&Path { guard: rest, ..path }, Words { what: reason.to_string(), place });
                    return res;
                }
            };
            let Some(value) = Evaluator::new(self.terms, &model).value(term) else { break };
            let is = self.terms.eq(term, self.terms.of_value(self.terms.sort(term), &value));
            let mut side = path.clone();
            side.guard = rest.clone();
            side.guard.assume(self.terms, is);
            self.language.answer(&mut side.state, Resolution::Value(value));
            res.push(side);
            rest.assume(self.terms, self.terms.not(is));
        }
        let what = format!("more than {} values of an address or a size (--max-values)", self.config.values);
        self.gap(&Path { guard: rest, ..path }, Words { what, place });
        res
    }

    /// Keeps the inputs that the last step has asked for.
    fn hear(&mut self, path: &mut Path<L::State>) {
        let asked = std::mem::take(self.common.asked.get_mut());
        let mut again = asked.clone();
        again.sort_unstable();
        again.dedup();
        let mut new = asked;
        new.retain(|it| !path.asked.contains(it));
        let mut heard = Vec::new();
        for symbol in new {
            if !heard.contains(&symbol) {
                heard.push(symbol);
                path.origin.asks(symbol);
            }
        }
        path.asked = again;
    }

    fn wait(&mut self, mut path: Path<L::State>) {
        path.granted.clear();
        self.waiting.add(self.language.meeting(&path.state), path);
    }

    /// Whether the conjuncts of a guard contradict each other, as far as ranges tell: often it does where a loop has
    /// made all its rounds.
    fn contradicts(&self, guard: &Guard) -> bool {
        let mut ranges = Ranges::new(self.terms, self.tables);
        let conjuncts: Vec<Term> = guard.conjuncts().take(MOST_CONJUNCTS).collect();
        conjuncts.iter().for_each(|&it| self.assume(&mut ranges, it));
        conjuncts.iter().any(|&it| ranges.truth(it) == Some(false))
    }

    /// A guard and a condition, of which nothing is left that the guard decides: of what was merged on the way there, only
    /// what the path can have come by.
    fn under_guard(&self, guard: &Guard, cond: Term) -> Term {
        let mut ranges = Ranges::with_limit(self.terms, self.tables, MOST_TERMS);
        guard.conjuncts().for_each(|it| self.assume(&mut ranges, it));
        let cond = self.terms.rewrite(cond, &mut |it| {
            let is_truth = self.terms.sort(it) == Sort::Bool && self.terms.as_bool(it).is_none();
            is_truth.then(|| ranges.truth(it)).flatten().map(|it| self.terms.bool(it))
        });
        self.terms.and(guard.term(self.terms), cond)
    }

    fn assume(&self, ranges: &mut Ranges<'_>, cond: Term) {
        match self.terms.node(cond) {
            Node::And(parts) => parts.iter().for_each(|&it| ranges.assume(it)),
            _ => ranges.assume(cond),
        }
    }

    fn ask(&mut self, goal: Term) -> Answer {
        self.ask_within(goal, self.config.query)
    }

    fn ask_within(&mut self, goal: Term, budget: QueryBudget) -> Answer {
        let start = Instant::now();
        let mut facts = PathCondition::new();
        self.obligations.facts.iter().for_each(|it| facts.assume(self.terms, *it));
        let query = Query { only: None, path: &facts, goal, witness: None, tried: false, budget };
        let answer = self.solver.check(self.terms, &query);
        self.queries += 1;
        self.solving += start.elapsed();
        tracing::debug!(time = ?start.elapsed(), answer = %match &answer {
            Answer::Sat(_) => "sat".to_owned(),
            Answer::Unsat => "unsat".to_owned(),
            Answer::Unknown(reason) => reason.to_string(),
        }, "query");
        answer
    }

    /// Asks which of what must hold does not, until all that is open is decided.
    fn decide(&mut self) -> Option<Limit> {
        let mut later = Vec::new();
        loop {
            if self.obligations.is_empty() {
                match later.pop() {
                    Some(obligations) => self.obligations.put_back(obligations),
                    None => return None,
                }
                continue;
            }
            if let Some(limit) = self.meter.exceeded() {
                later.into_iter().for_each(|it| self.obligations.put_back(it));
                return Some(limit);
            }
            let answer = match self.obligations.only() {
                Some(only) => {
                    let (fails, guard, happens) = (only.fails, only.guard.clone(), only.happens);
                    match self.ask_within(fails, QueryBudget { steps: Some(ALONE), ..self.config.query }) {
                        Answer::Unknown(_) => self.ask(self.under_guard(&guard, happens)),
                        answer => answer,
                    }
                }
                None => {
                    let goal = self.obligations.some_fails(self.terms);
                    self.ask_within(goal, QueryBudget { steps: Some(TOGETHER), ..self.config.query })
                }
            };
            match answer {
                Answer::Unsat => self.obligations.hold(),
                Answer::Sat(model) => self.follow(&model),
                // Together they are too hard: each half for itself.
                Answer::Unknown(_) if self.obligations.len() > 1 => later.push(self.obligations.split()),
                Answer::Unknown(reason) => {
                    tracing::debug!(%reason, "undecided");
                    self.obligations.give_up();
                }
            }
            if self.config.budget.bugs.is_some_and(|it| self.obligations.bugs() as u64 >= it) {
                later.into_iter().for_each(|it| self.obligations.put_back(it));
                return Some(Limit::Bugs);
            }
        }
    }

    /// Makes the run of a model: it comes to a bug, or the model was not one of the program.
    fn follow(&mut self, model: &Model) {
        let Some(first) = self.obligations.first(self.terms, model) else {
            return self.obligations.give_up();
        };
        let inputs: Option<Vec<Value>> = self.obligations.get(first).origin.inputs(self.terms, model);
        let most = self.config.budget.path_steps.unwrap_or(u64::MAX);
        let found =
            inputs.and_then(|it| confirm::run(self.language, self.terms, self.solver, self.config.query, it, most));
        match found {
            Some(found) => {
                let before = self.obligations.len();
                self.obligations.found(self.terms, found);
                if self.obligations.len() == before {
                    // The run has another bug than the formula: that is ours.
                    self.differs();
                    self.obligations.unknown(first);
                }
            }
            None => {
                self.differs();
                self.obligations.unknown(first);
            }
        }
    }

    fn differs(&mut self) {
        let what = "internal: the run of a model does not come to the bug that the formula has".to_owned();
        self.gaps.insert(Words { what, place: Place::default() }, self.terms.bool(true));
    }

    /// Lets go on what the solver says needs more rounds. False if nothing does.
    ///
    /// # Errors
    /// What needs more than the user allows, or nobody knows whether it does.
    fn deepen(&mut self) -> Result<bool, Vec<Needs>> {
        loop {
            let waits = self.parked.values().flat_map(|it| &it.paths).map(|it| it.1.guard.term(self.terms));
            let goal = self.terms.or_all(waits.collect::<Vec<_>>());
            if self.terms.as_bool(goal) == Some(false) {
                return Ok(false);
            }
            let model = match self.ask(goal) {
                Answer::Unsat => {
                    self.parked.values_mut().for_each(|it| it.paths.clear());
                    return Ok(false);
                }
                Answer::Sat(model) => Some(model),
                Answer::Unknown(_) => None,
            };
            let mut evaluator = model.as_ref().map(|it| Evaluator::new(self.terms, it));
            let mut needed: Vec<TurnId> = Vec::new();
            for (id, parked) in &self.parked {
                let mut is_needed = |path: &Path<L::State>| match &mut evaluator {
                    Some(evaluator) => evaluator.truth(path.guard.term(self.terms)) == Some(true),
                    None => true,
                };
                if parked.paths.iter().any(|it| is_needed(&it.1)) {
                    needed.push(*id);
                }
            }
            let needs =
                |id: &TurnId, bound: u32| Needs { turning: self.language.turning(*id), bound, inputs: model.clone() };
            let fixed = |id: &TurnId| (self.config.bound)(&self.language.turning(*id)).is_some();
            let (fixed, free): (Vec<TurnId>, Vec<TurnId>) = needed.into_iter().partition(fixed);
            if free.is_empty() || model.is_none() {
                let all = fixed.iter().chain(&free);
                return Err(all.map(|it| needs(it, self.parked[it].bound)).collect());
            }
            for id in free {
                let Some(parked) = self.parked.get_mut(&id) else { continue };
                parked.bound = parked.bound.saturating_mul(2);
                let bound = parked.bound;
                let (go_on, stay) = std::mem::take(&mut parked.paths).into_iter().partition(|it| it.0 < bound);
                parked.paths = stay;
                let go_on: Vec<(u32, Path<L::State>)> = go_on;
                for (_, path) in go_on {
                    self.wait(path);
                }
            }
            return Ok(true);
        }
    }

    /// Why something may have been missed.
    fn missed(&mut self) -> Vec<Words> {
        let mut res: Vec<Words> = Vec::new();
        for (words, reached) in std::mem::take(&mut self.gaps) {
            if self.ask(reached) != Answer::Unsat {
                res.push(words);
            }
        }
        res
    }

    fn show(&mut self) {
        if self.shown.elapsed() < SHOW {
            return;
        }
        self.shown = Instant::now();
        (self.config.progress)(&Progress {
            waiting: self.waiting.len(),
            parked: self.parked.values().filter(|it| !it.paths.is_empty()).count(),
            bugs: self.obligations.bugs(),
            steps: self.steps,
            time: self.meter.elapsed(),
        });
    }
}
