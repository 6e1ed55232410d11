//! The walk of all paths at once: loops up to a bound, then the question what needs more.
//!
//! Knows: which path goes on, what is asked when. Never: what a state is.

use crate::account::{Account, Needs, Verdict, Words};
use crate::confirm;
use crate::induct::{Kept, Target};
use crate::obligations::Obligations;
use crate::paths::{Merges, Path, Waiting, merged};
use effigy_engine::{
    Budget, Common, Context, Coverage, Guard, Havoc, Inputs, Limit, Meter, Notes, Origin, Outcome, Place, Resolution,
    Step, TurnId, Turning,
};
use effigy_solver::{Answer, PathCondition, Query, QueryBudget, Solver};
use effigy_term::eval::Evaluator;
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{Model, Node, Sort, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
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
    /// Whether loops that need more rounds are closed by induction, where that is possible.
    pub induction: bool,
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

/// A query gets so much, even when the time is over.
const LAST: Duration = Duration::from_millis(200);

/// So many rounds that a program decides by itself count for one that it does not, where no bound is given.
const FREE: u32 = 1024;

/// The bounds at which induction is tried: a loop has made so many rounds before.
const INDUCTIONS: [u32; 2] = [2, 8];

/// Progress is shown so often.
const SHOW: Duration = Duration::from_millis(100);

/// Whether loops get more rounds.
enum Deepened {
    /// Some do, these needed them.
    Goes(Vec<Needs>),
    /// No run makes more.
    Closed,
    /// What needs more than the user allows, or nobody knows whether it does.
    Needs(Vec<Needs>),
}

/// A path that waits for another round.
pub(crate) struct Parking<S> {
    /// The rounds that it has made.
    count: u32,
    /// The obligations that it can have come to have smaller numbers.
    before: u64,
    pub(crate) path: Path<S>,
}

/// Paths that wait for more rounds of a loop.
pub(crate) struct Parked<S> {
    pub(crate) paths: Vec<Parking<S>>,
    bound: u32,
}

pub(crate) struct Unwinding<'a, 's, L: Havoc> {
    pub(crate) language: &'a L,
    pub(crate) terms: &'a Terms,
    solver: &'s mut dyn Solver,
    config: &'a Config<'a>,
    pub(crate) meter: Meter,
    pub(crate) waiting: Waiting<L::State>,
    pub(crate) parked: BTreeMap<TurnId, Parked<L::State>>,
    /// The loops that are being closed, the outermost first.
    pub(crate) targets: Vec<Target<L::State>>,
    /// The loops that were closed by induction, with what they keep.
    inductions: Vec<(TurnId, Kept)>,
    /// The bounds at which it was tried.
    tried: BTreeSet<(TurnId, u32)>,
    pub(crate) obligations: Obligations,
    /// What is not walked, and when it is reached: if a run comes there, nothing is known of what follows.
    pub(crate) gaps: BTreeMap<Words, Vec<(Term, u64)>>,
    merges: Merges,
    /// What terms can be whatever the path.
    ranges: Ranges<'a>,
    tables: &'a TruthTables,
    pub(crate) common: Common,
    pub(crate) coverage: Coverage,
    pub(crate) notes: Notes,
    ways: f64,
    steps: u64,
    queries: u64,
    solving: Duration,
    shown: Instant,
}

/// Checks all that must hold in a program.
pub fn check<L: Havoc>(language: &L, terms: &Terms, solver: &mut dyn Solver, config: &Config<'_>) -> Account {
    let tables = TruthTables::new();
    let mut unwinding = Unwinding {
        language,
        terms,
        solver,
        config,
        meter: Meter::start(config.budget.clone()),
        waiting: Waiting::new(),
        parked: BTreeMap::new(),
        targets: Vec::new(),
        inductions: Vec::new(),
        tried: BTreeSet::new(),
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

impl<L: Havoc> Unwinding<'_, '_, L> {
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
        // What needed more rounds when all of fewer rounds was decided last.
        let mut decided: Option<Vec<Needs>> = None;
        loop {
            stopped = self.walk();
            if stopped.is_none() {
                stopped = self.decide();
            }
            if stopped.is_some() {
                break;
            }
            match self.deepen() {
                Deepened::Goes(needed) => decided = Some(needed),
                Deepened::Closed => break,
                Deepened::Needs(needed) => {
                    needs = needed;
                    break;
                }
            }
        }
        match decided {
            // What was begun beyond the last bounds is left: up to them all is decided.
            Some(decided) if stopped.is_some() => {
                self.obligations.leave(true);
                needs = decided;
            }
            _ => self.obligations.leave(false),
        }
        let missed = self.missed();
        let rest = match (missed.is_empty() && (stopped.is_none() || !needs.is_empty()), needs.is_empty()) {
            (false, _) => Verdict::Unknown,
            (true, false) => Verdict::Bounded,
            (true, true) => Verdict::Correct,
        };
        let inductions = std::mem::take(&mut self.inductions);
        let inductions = inductions.into_iter().map(|(id, kept)| (self.language.turning(id), kept)).collect();
        let bounds = self.parked.iter().map(|(id, it)| (self.language.turning(*id), it.bound)).collect();
        Account {
            properties: self.obligations.properties(&rest),
            needs,
            missed,
            stopped,
            bounds,
            inductions,
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
    pub(crate) fn walk(&mut self) -> Option<Limit> {
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
        if self.arrives(&path) {
            return None;
        }
        if let Some(round) = self.language.round(&path.state) {
            if self.contradicts(&path.guard) {
                return None;
            }
            let (language, config) = (self.language, self.config);
            let given = (config.bound)(&language.turning(round.of));
            let first = || Parked { paths: Vec::new(), bound: given.unwrap_or(FIRST_BOUND) };
            let parked = self.parked.entry(round.of).or_insert_with(first);
            // Where the program decides each round by itself it may do so for ever: what was found is asked about before.
            let free = if given.is_some() { 0 } else { round.made / FREE };
            let count = round.count + free;
            if count >= parked.bound {
                let before = self.obligations.count();
                parked.paths.push(Parking { count, before, path });
                return None;
            }
        }
        self.advance(path)
    }

    /// Walks a path, and all that it becomes, to where they can meet others.
    pub(crate) fn advance(&mut self, path: Path<L::State>) -> Option<Limit> {
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
        self.ask(self.terms.and(self.alive(), goal)) == Answer::Unsat
    }

    /// The runs that have ended in no known bug so far.
    fn alive(&self) -> Term {
        self.obligations.alive(self.terms, u64::MAX)
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
        self.gaps.entry(words).or_default().push((reached, self.obligations.count()));
    }

    /// The paths on which a term has one value each, as far as the solver finds them.
    fn values(&mut self, path: Path<L::State>, term: Term) -> Vec<Path<L::State>> {
        let mut res = Vec::new();
        let mut rest = path.guard.clone();
        let place = self.language.place(&path.state);
        for _ in 0..self.config.values {
            let goal = self.terms.and(self.alive(), rest.term(self.terms));
            let model = match self.ask(goal) {
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

    pub(crate) fn ask(&mut self, goal: Term) -> Answer {
        self.ask_within(goal, self.config.query)
    }

    fn ask_within(&mut self, goal: Term, budget: QueryBudget) -> Answer {
        let start = Instant::now();
        let left = self.config.budget.time.map(|it| it.saturating_sub(self.meter.elapsed()).max(LAST));
        let budget = QueryBudget { time: [budget.time, left].into_iter().flatten().min(), ..budget };
        let nothing = PathCondition::new();
        let query = Query { only: None, path: &nothing, goal, witness: None, tried: false, budget };
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
        let mut work = vec![self.obligations.open()];
        while let Some(mut numbers) = work.pop() {
            numbers.retain(|it| self.obligations.is_open(*it));
            if numbers.is_empty() {
                continue;
            }
            if let Some(limit) = self.meter.exceeded() {
                return Some(limit);
            }
            match self.some_fails(&numbers) {
                Answer::Unsat => numbers.iter().for_each(|it| self.obligations.holds(*it)),
                Answer::Sat(model) => {
                    self.follow(&model, &numbers);
                    work.push(numbers);
                }
                // Together they are too hard: each half for itself.
                Answer::Unknown(_) if numbers.len() > 1 => {
                    let second = numbers.split_off(numbers.len() / 2);
                    work.extend([second, numbers]);
                }
                // The time was up, not the question too hard.
                Answer::Unknown(_) if self.meter.exceeded().is_some() => return self.meter.exceeded(),
                Answer::Unknown(_) => self.obligations.unknown(numbers[0]),
            }
            if self.config.budget.bugs.is_some_and(|it| self.obligations.bugs() as u64 >= it) {
                return Some(Limit::Bugs);
            }
        }
        None
    }

    fn some_fails(&mut self, numbers: &[u64]) -> Answer {
        let goal = self.obligations.some_fails(self.terms, numbers);
        let only = match numbers {
            [only] => self.obligations.get(*only),
            _ => None,
        };
        let Some((guard, happens)) = only.map(|it| (it.guard.clone(), it.happens)) else {
            return self.ask_within(goal, QueryBudget { steps: Some(TOGETHER), ..self.config.query });
        };
        match self.ask_within(goal, QueryBudget { steps: Some(ALONE), ..self.config.query }) {
            Answer::Unknown(_) => {
                let alive = self.obligations.alive(self.terms, numbers[0]);
                self.ask(self.terms.and(alive, self.under_guard(&guard, happens)))
            }
            answer => answer,
        }
    }

    /// Makes the run of a model: it comes to a bug, or the model was not one of the program.
    fn follow(&mut self, model: &Model, numbers: &[u64]) {
        let Some(first) = self.obligations.first(self.terms, model, numbers) else {
            return numbers.iter().for_each(|it| self.obligations.unknown(*it));
        };
        let inputs = self.obligations.inputs(self.terms, model, first);
        let most = self.config.budget.path_steps.unwrap_or(u64::MAX);
        let found =
            inputs.and_then(|it| confirm::run(self.language, self.terms, self.solver, self.config.query, it, most));
        let is_new = found.is_some_and(|it| self.obligations.found(it));
        // The run has no bug, or one that the formula excludes: that is ours.
        if !is_new || self.obligations.is_open(first) {
            self.differs();
            self.obligations.unknown(first);
        }
    }

    fn differs(&mut self) {
        let what = "internal: the run of a model does not come to the bug that the formula has".to_owned();
        self.gaps.insert(Words { what, place: Place::default() }, vec![(self.terms.bool(true), 0)]);
    }

    /// Lets go on what the solver says needs more rounds.
    fn deepen(&mut self) -> Deepened {
        let mut waits: BTreeMap<TurnId, Term> = BTreeMap::new();
        for (id, parked) in &self.parked {
            let reached = parked.paths.iter().map(|it| {
                self.terms.and(self.obligations.alive(self.terms, it.before), it.path.guard.term(self.terms))
            });
            let reached = self.terms.or_all(reached.collect::<Vec<_>>());
            if self.terms.as_bool(reached) != Some(false) {
                waits.insert(*id, reached);
            }
        }
        let model = match self.ask(self.terms.or_all(waits.values().copied())) {
            Answer::Unsat => {
                self.parked.values_mut().for_each(|it| it.paths.clear());
                return Deepened::Closed;
            }
            Answer::Sat(model) => Some(model),
            Answer::Unknown(_) => None,
        };
        let mut evaluator = model.as_ref().map(|it| Evaluator::new(self.terms, it));
        let mut goes = |reached: Term| evaluator.as_mut().is_none_or(|it| it.truth(reached) == Some(true));
        let needed: Vec<TurnId> = waits.iter().filter(|it| goes(*it.1)).map(|it| *it.0).collect();
        let is_fixed = |id: &TurnId| (self.config.bound)(&self.language.turning(*id)).is_some();
        let free: Vec<TurnId> = needed.iter().copied().filter(|it| !is_fixed(it)).collect();
        let needs = |id: &TurnId| Needs {
            turning: self.language.turning(*id),
            bound: self.parked[id].bound,
            inputs: model.clone().filter(|_| needed.contains(id)),
        };
        let all: Vec<Needs> = waits.keys().map(needs).collect();
        if free.is_empty() || model.is_none() {
            return Deepened::Needs(all);
        }
        let mut goes_on = free;
        if self.config.induction {
            goes_on.retain(|id| !self.closes(*id));
        }
        for id in goes_on {
            let Some(parked) = self.parked.get_mut(&id) else { continue };
            parked.bound = parked.bound.saturating_mul(2);
            let bound = parked.bound;
            let (go_on, stay) = std::mem::take(&mut parked.paths).into_iter().partition(|it| it.count < bound);
            parked.paths = stay;
            let go_on: Vec<Parking<L::State>> = go_on;
            go_on.into_iter().for_each(|it| self.wait(it.path));
        }
        // What was closed needs nothing.
        let mut all = all;
        let closed = |it: &Turning| self.inductions.iter().any(|(id, _)| self.language.turning(*id) == *it);
        all.retain(|it| !closed(&it.turning));
        Deepened::Goes(all)
    }

    /// Whether all paths that wait for a loop need not go on: what they would come to holds by induction.
    fn closes(&mut self, id: TurnId) -> bool {
        let Some(parked) = self.parked.get_mut(&id) else { return false };
        let bound = parked.bound;
        if !INDUCTIONS.contains(&bound) || !self.tried.insert((id, bound)) {
            return false;
        }
        let paths = std::mem::take(&mut parked.paths);
        let mut kept = Vec::new();
        let mut closed = true;
        for it in &paths {
            match self.close(it) {
                Ok(more) => kept.extend(more),
                Err(why) => {
                    tracing::debug!(?id, bound, why, "no induction");
                    self.targets.clear();
                    closed = false;
                    break;
                }
            }
        }
        match self.parked.get_mut(&id) {
            Some(parked) if !closed => parked.paths = paths,
            _ => {
                kept.sort();
                kept.dedup();
                self.inductions.push((id, kept));
            }
        }
        closed
    }

    /// Why something may have been missed.
    fn missed(&mut self) -> Vec<Words> {
        let mut res: Vec<Words> = Vec::new();
        for (words, reached) in std::mem::take(&mut self.gaps) {
            let alive = |it: &(Term, u64)| self.terms.and(it.0, self.obligations.alive(self.terms, it.1));
            let goal = self.terms.or_all(reached.iter().map(alive));
            if self.ask(goal) != Answer::Unsat {
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
