//! The walk of all paths at once: loops up to a bound, then the question what needs more.
//!
//! Knows: which path goes on, what is asked when. Never: what a state is.

use crate::account::{Account, Needs, Words};
use crate::encoding::{EncodedFormula, Encoding, Equations};
use crate::invariants::{Closing, Visits};
use crate::obligations::Obligations;
use crate::others::Others;
use crate::paths::{Deepened, End, Kept, Parked, Parking, Target};
use effigy_engine::{
    Budget, Common, Context, Coverage, Gathered, GaveUp, Guard, Havoc, Inputs, Joins, Limit, Merged, Meter, Note,
    Notes, Outcome, PathOutcome, Place, Round, Step, TurnId, Turning, gather,
};
use effigy_solver::{Answer, QueryBudget, Solver};
use effigy_term::eval::Evaluator;
use effigy_term::fingerprint::Fingerprints;
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{Model, Term, Terms};
use effigy_walk::{MeetingQueue, MergeCounts, Repeats, merge_met};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// A listener that is given formulas of the check, with their arena.
pub type Dump<'a> = &'a dyn Fn(&Terms, &EncodedFormula);

/// The bounds, budgets and listeners of a check.
pub struct Config<'a> {
    /// The bound that the user gives for a loop or a recursive function; without one it grows as is needed.
    pub bound: &'a dyn Fn(&Turning) -> Option<u32>,
    /// What the check may spend.
    pub budget: Budget,
    /// What one query may spend.
    pub query: QueryBudget,
    /// The most values of one term that are followed.
    pub values: u32,
    /// Whether loops that need more iterations are closed by induction, where that is possible.
    pub induction: bool,
    /// Whether the invariants of loops that were closed by induction are reported.
    pub invariants: bool,
    /// The policy that says which paths that meet are merged. Unless all are, the solver is asked of each side of a
    /// branch whether a run takes it.
    pub joins: Joins,
    /// The encoding of values in formulas.
    pub encoding: Encoding,
    /// Whether a run is made to each end of the program.
    pub ends: bool,
    /// Is given the formula of each bound, the last one last: some run, within the bounds, violates a check that is open.
    pub dump: Option<Dump<'a>>,
    /// The other checks of the same program, with which answers of the solver are shared.
    pub others: Option<&'a dyn Others>,
    /// Is called now and then with the progress so far.
    pub progress: &'a dyn Fn(&Progress),
}

/// How far a check has come, for display.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The number of places at which paths wait.
    pub waiting: usize,
    /// Loops that wait for more rounds.
    pub parked: usize,
    /// Properties that do not hold.
    pub bugs: usize,
    /// The number of transitions made so far.
    pub steps: u64,
    /// The wall time since the start.
    pub time: Duration,
}

/// The iterations of a loop before the solver is asked whether it needs more.
const FIRST_BOUND: u32 = 2;

/// The number of transitions between two checks of the limits.
const SLICE: u64 = 200_000;

/// After so many requirements without a place where paths meet it is asked whether they can hold together: what reads
/// on until it finds an end need not come to one.
const PATIENCE: usize = 32;

/// The number of iterations that a program decides by itself and that count for one that it does not, where no bound is
/// given.
const FREE: u32 = 1024;

/// The number of models that are kept.
const KEPT_MODELS: usize = 16;

/// The time between two displays of progress.
const SHOW: Duration = Duration::from_millis(100);

/// A path at the header of a loop, after so many rounds.
type Seen<S> = (u32, Merged<S>);

pub(crate) struct Unwinding<'a, 's, L: Havoc> {
    pub(crate) language: &'a L,
    pub(crate) terms: &'a Terms,
    pub(crate) solver: &'s mut dyn Solver,
    pub(crate) config: &'a Config<'a>,
    pub(crate) meter: Meter,
    pub(crate) waiting: MeetingQueue<L::State>,
    pub(crate) parked: BTreeMap<TurnId, Parked<L::State>>,
    /// The ends of the program.
    pub(crate) ends: Vec<End>,
    /// Whether some path was dropped by an assumption.
    pub(crate) dropped: bool,
    /// The sites that confirming runs have reached.
    pub(crate) reached: Coverage,
    /// The loops that are being closed, the outermost first.
    pub(crate) targets: Vec<Target<L::State>>,
    /// The loops that were closed by induction, with what they keep.
    pub(crate) inductions: BTreeMap<TurnId, Kept>,
    /// How each of them was closed, and what came to its header before: where that is asked for.
    pub(crate) closings: Vec<Closing<L>>,
    pub(crate) visits: Visits<L::State>,
    /// Whether the paths that waited for some loop were closed by induction.
    pub(crate) closed: bool,
    /// A path and a state in which it was, of each loop whose rounds the program decides by itself.
    pub(crate) repeats: BTreeMap<TurnId, Repeats<Seen<L::State>>>,
    /// The conditions under which a path loops for ever.
    pub(crate) endless: Vec<Term>,
    /// The loops, with the bounds, at which induction was tried.
    pub(crate) tried: BTreeSet<(TurnId, u32)>,
    pub(crate) obligations: Obligations,
    /// What is not walked, and when it is reached: if a run comes there, nothing is known of what follows.
    pub(crate) gaps: BTreeMap<Words, Vec<(Term, u64)>>,
    pub(crate) merges: MergeCounts,
    /// The names given to values, for the encoding by equations.
    pub(crate) equations: Equations,
    /// The ranges of terms on every path.
    pub(crate) ranges: Ranges<'a>,
    pub(crate) tables: &'a TruthTables,
    pub(crate) common: Common,
    pub(crate) coverage: Coverage,
    pub(crate) notes: Notes,
    pub(crate) ways: f64,
    pub(crate) steps: u64,
    /// The models of the last ways that were taken: they take many more.
    pub(crate) models: VecDeque<Model>,
    pub(crate) prints: Fingerprints,
    pub(crate) queries: u64,
    pub(crate) heard: u64,
    pub(crate) solving: Duration,
    pub(crate) shown: Instant,
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
        waiting: MeetingQueue::default(),
        parked: BTreeMap::new(),
        ends: Vec::new(),
        dropped: false,
        reached: Coverage::default(),
        targets: Vec::new(),
        inductions: BTreeMap::new(),
        closings: Vec::new(),
        visits: Visits::default(),
        closed: false,
        repeats: BTreeMap::new(),
        endless: Vec::new(),
        tried: BTreeSet::new(),
        obligations: Obligations::default(),
        gaps: BTreeMap::new(),
        merges: MergeCounts::default(),
        equations: Equations::default(),
        ranges: Ranges::with_limit(terms, &tables, usize::MAX),
        tables: &tables,
        common: Common { joins: config.joins, ..Common::default() },
        coverage: Coverage::default(),
        notes: Notes::default(),
        ways: 0.0,
        steps: 0,
        models: VecDeque::new(),
        prints: Fingerprints::default(),
        queries: 0,
        heard: 0,
        solving: Duration::ZERO,
        shown: Instant::now(),
    };
    unwinding.start();
    unwinding.run()
}

impl<L: Havoc> Unwinding<'_, '_, L> {
    fn start(&mut self) {
        let inputs = Inputs::Symbolic;
        let mut notes = Notes::default();
        let ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut notes);
        let mut ctx = ctx.merging(&mut self.common);
        let state = self.language.start(&mut ctx);
        let path = Merged::start(&mut ctx, state);
        self.note(&path, &notes);
        self.wait(path);
    }

    /// Walks, asks for bugs, asks what needs more, and walks on.
    fn run(mut self) -> Account {
        let mut account = Account::default();
        // What needed more rounds when all of fewer rounds was decided last.
        let mut decided: Option<Vec<Needs>> = None;
        loop {
            account.stopped = self.walk().or_else(|| self.decide());
            if account.stopped.is_some() {
                break;
            }
            match self.deepen() {
                Deepened::Goes(needed) => decided = Some(needed),
                Deepened::Closed => break,
                Deepened::Needs(needed) => {
                    account.needs = needed;
                    break;
                }
            }
        }
        match decided {
            // What was begun beyond the last bounds is left: up to them all is decided.
            Some(decided) if account.stopped.is_some() => {
                self.obligations.leave(true);
                account.needs = decided;
            }
            _ => self.obligations.leave(false),
        }
        account.missed = self.missed();
        if account.needs.is_empty() && account.stopped.is_none() && self.is_vacuous() {
            let what = "the program itself drops every path: nothing follows".to_owned();
            account.missed.push(Words { what, place: Place::default() });
        }
        if self.config.ends {
            account.ends = self.runs_to_ends(&mut account.missed);
        }
        account.invariants = self.invariants();
        let turning = |id: TurnId| self.language.turning(id);
        account.inductions = self.inductions.into_iter().map(|(id, kept)| (turning(id), kept)).collect();
        account.bounds = self.parked.iter().map(|(id, it)| (turning(*id), it.bound)).collect();
        account.properties = self.obligations.properties(&account.rest());
        // What is incomplete is missed, if a run comes there.
        for (note, place, count) in self.notes.iter().filter(|it| !it.0.incomplete) {
            account.notes.add_many(note, place, count);
        }
        Account {
            coverage: self.reached,
            steps: self.steps,
            merged: self.merges.merged,
            apart: self.merges.apart,
            ways: self.ways,
            queries: self.queries,
            heard: self.heard,
            solver: self.solving,
            time: self.meter.elapsed(),
            ..account
        }
    }

    /// Walks until no path is left that may go on.
    pub(crate) fn walk(&mut self) -> Option<Limit> {
        while let Some(paths) = self.waiting.pop_first() {
            if let Some(limit) = self.meter.exceeded() {
                return Some(limit);
            }
            self.show();
            let inputs = Inputs::Symbolic;
            let ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut self.notes);
            let mut ctx = ctx.merging(&mut self.common);
            let (merges, exceeded) = (&mut self.merges, &mut || self.meter.exceeded());
            let paths = match merge_met(self.language, &mut ctx, paths, usize::MAX, merges, exceeded) {
                Ok(paths) => paths,
                Err(limit) => return Some(limit),
            };
            for path in paths {
                if let Some(limit) = self.advance_or_park(path) {
                    return Some(limit);
                }
            }
        }
        None
    }

    fn advance_or_park(&mut self, path: Merged<L::State>) -> Option<Limit> {
        if self.arrives(&path) {
            return None;
        }
        let round = self.language.round(&path.state);
        if let Some(round) = round.filter(|_| self.config.invariants) {
            self.visits.add(round.of, &path);
        }
        if let Some(round) = round.filter(|it| it.made + it.count > 0) {
            if self.contradicts(&path.guard) {
                return None;
            }
            if round.made > 0 && round.made.is_multiple_of(FREE) && self.goes_round(round, &path) {
                return None;
            }
            let (language, config) = (self.language, self.config);
            let given = (config.bound)(&language.turning(round.of));
            let first = || Parked { paths: Vec::new(), bound: given.unwrap_or(FIRST_BOUND) };
            let parked = self.parked.entry(round.of).or_insert_with(first);
            // Where the program decides each round by itself it may do so for ever: what was found is asked about before.
            let free = if given.is_some() { 0 } else { round.made / FREE };
            let count = round.count + free;
            if count > parked.bound {
                let before = self.obligations.count();
                parked.paths.push(Parking { count, before, path });
                return None;
            }
        }
        self.advance(path)
    }

    /// Whether a path has come to a state again with no decision in between: it never ends, and what it would violate it
    /// has violated by now. A walk that closes a loop goes where a later one goes again: nothing is said of it.
    fn goes_round(&mut self, round: Round, path: &Merged<L::State>) -> bool {
        if !self.targets.is_empty() {
            return false;
        }
        let now = (round.made, path.clone());
        let Some(repeats) = self.repeats.get_mut(&round.of) else {
            self.repeats.insert(round.of, Repeats::new(&now));
            return false;
        };
        let inputs = Inputs::Symbolic;
        let mut ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut self.notes);
        let (language, terms) = (self.language, self.terms);
        // The same runs in a later round: two paths that stay apart differ in when they are taken.
        let is_same = |before: &Seen<L::State>, now: &Seen<L::State>| {
            before.0 < now.0
                && before.1.guard.term(terms) == now.1.guard.term(terms)
                && language.comes_again(&mut ctx, &before.1.state, &now.1.state)
        };
        if !repeats.goes_round(&now, is_same) {
            return false;
        }
        let what = "runs that come to a state again, and never end".to_owned();
        self.notes.add(Note { kind: Note::ENDLESS.into(), what, incomplete: false }, || language.place(&path.state));
        self.endless.push(path.guard.term(terms));
        true
    }

    /// Walks a path, and all that it becomes, to where they can meet others.
    pub(crate) fn advance(&mut self, path: Merged<L::State>) -> Option<Limit> {
        let inputs = Inputs::Symbolic;
        let mut work = vec![path];
        while let Some(mut path) = work.pop() {
            loop {
                if let Some(limit) = self.meter.exceeded() {
                    return Some(limit);
                }
                if self.config.budget.path_steps.is_some_and(|it| path.steps >= it) {
                    let words = Words {
                        what: "a path of more instructions than --max-path-steps allows".to_owned(),
                        place: self.language.place(&path.state),
                    };
                    self.gap(&path.guard, words);
                    break;
                }
                let slice = self.config.budget.path_steps.map_or(SLICE, |it| SLICE.min(it - path.steps));
                let before = self.names_versions().then(|| (path.state.clone(), self.common.clone()));
                let mut fuel = slice;
                let mut notes = Notes::default();
                let ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut notes);
                let ranges = &mut self.ranges;
                let mut is_false = |cond: Term| ranges.truth(cond) == Some(false);
                let mut ctx = ctx.merging(&mut self.common);
                let event = gather(self.language, &mut ctx, &mut path, &mut fuel, &mut is_false);
                if let Some((state, common)) = before {
                    self.name_versions(state, common, slice - fuel);
                }
                self.steps += slice - fuel;
                self.meter.add_steps(slice - fuel);
                self.note(&path, &notes);
                match event {
                    Gathered::Moved => {}
                    Gathered::Meets => {
                        self.wait(path);
                        break;
                    }
                    Gathered::Sides(mut sides) => {
                        if self.config.joins != Joins::Always && sides.len() > 1 {
                            sides.retain(|it| self.is_taken(it));
                        }
                        work.extend(sides);
                        break;
                    }
                    Gathered::Value(term) => {
                        work.extend(self.values(path, term));
                        break;
                    }
                    Gathered::Required(cond, violation) => {
                        let truth = self.ranges.truth(cond).or_else(|| self.truth_under(&path.guard, cond));
                        let never = truth == Some(true);
                        let fails = if never { self.terms.bool(false) } else { self.terms.not(cond) };
                        self.obligations.add(self.terms, &path.guard, fails, *violation, &path.origin);
                        // What holds on no run of the path is not relied on: sizes and offsets would be beyond all bounds.
                        if truth == Some(false) || path.granted.len().is_multiple_of(PATIENCE) && self.is_over(&path) {
                            break;
                        }
                    }
                    Gathered::Dropped => {
                        self.dropped = true;
                        break;
                    }
                    Gathered::Ended(outcome) => {
                        self.end(&path, outcome);
                        break;
                    }
                }
            }
        }
        None
    }

    /// Whether versions are named as the variables of the program: somebody reads the equations.
    fn names_versions(&self) -> bool {
        self.config.dump.is_some() && self.config.encoding == Encoding::Equations
    }

    /// Makes so many transitions again, one after the other, and notes the values that variables have between them.
    fn name_versions(&mut self, mut state: L::State, mut common: Common, transitions: u64) {
        let inputs = Inputs::Symbolic;
        let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
        let ctx = Context::new(self.terms, &inputs, &mut coverage, &mut notes);
        let mut ctx = ctx.merging(&mut common);
        let mut made = 0;
        loop {
            for (variable, value) in self.language.assigned_values(&mut ctx, &state) {
                self.equations.assigned().add(self.terms, &variable, value);
            }
            let mut fuel = 1;
            if made >= transitions || !matches!(self.language.step(&mut ctx, &mut state, &mut fuel), Step::Next) {
                return;
            }
            made += 1;
        }
    }

    /// Whether some run takes a path, as far as the solver knows. Of paths that are all merged nobody asks: what no run
    /// takes costs little there.
    fn is_taken(&mut self, path: &Merged<L::State>) -> bool {
        let goal = self.terms.and(self.alive(), path.guard.term(self.terms));
        if self.models.iter().any(|it| Evaluator::new(self.terms, it).truth(goal) == Some(true)) {
            return true;
        }
        match self.ask(goal) {
            Answer::Unsat => false,
            Answer::Unknown(_) => true,
            Answer::Sat(model) => {
                self.models.push_front(model);
                self.models.truncate(KEPT_MODELS);
                true
            }
        }
    }

    /// Whether a path is taken by no run on which all holds that was required of it of late.
    fn is_over(&mut self, path: &Merged<L::State>) -> bool {
        let granted = self.terms.and_all(path.granted.iter().copied());
        let goal = self.terms.and(path.guard.term(self.terms), granted);
        self.ask(self.terms.and(self.alive(), goal)) == Answer::Unsat
    }

    /// The runs that have ended in no known bug so far.
    pub(crate) fn alive(&self) -> Term {
        self.obligations.alive(self.terms, u64::MAX)
    }

    fn end(&mut self, path: &Merged<L::State>, outcome: PathOutcome) {
        let is_told = self.targets.is_empty();
        if is_told {
            self.ways += path.ways;
        }
        match outcome {
            Ok(Outcome::Exit { .. }) if is_told => {
                let (guard, origin) = (path.guard.clone(), path.origin.clone());
                self.ends.push(End { guard, origin, ways: path.ways, before: self.obligations.count() });
            }
            // What is walked in order to close a loop ends on no run that is known.
            Ok(Outcome::Exit { .. }) => {}
            Ok(Outcome::Silent) => self.dropped = true,
            Ok(Outcome::Violation(violation)) => {
                let always = self.terms.bool(true);
                self.obligations.add(self.terms, &path.guard, always, *violation, &path.origin);
            }
            Err(GaveUp { what, place, .. }) => self.gap(&path.guard, Words { what, place }),
        }
    }

    /// What a language notes on a path matters if a run takes it.
    fn note(&mut self, path: &Merged<L::State>, notes: &Notes) {
        for (note, place, count) in notes.iter() {
            if note.incomplete {
                self.gap(&path.guard, Words { what: format!("{}: {}", note.kind, note.what), place: place.clone() });
            }
            self.notes.add_many(note, place, count);
        }
    }

    fn gap(&mut self, guard: &Guard, words: Words) {
        let reached = guard.term(self.terms);
        self.gaps.entry(words).or_default().push((reached, self.obligations.count()));
    }

    /// The paths on which a term has one value each, as far as the solver finds them.
    fn values(&mut self, path: Merged<L::State>, term: Term) -> Vec<Merged<L::State>> {
        let mut res = Vec::new();
        let mut rest = path.guard.clone();
        let place = self.language.place(&path.state);
        for _ in 0..self.config.values {
            let goal = self.terms.and(self.alive(), rest.term(self.terms));
            let model = match self.ask(goal) {
                Answer::Unsat => return res,
                Answer::Sat(model) => model,
                Answer::Unknown(reason) => {
                    self.gap(&rest, Words { what: reason.to_string(), place });
                    return res;
                }
            };
            let Some(value) = Evaluator::new(self.terms, &model).value(term) else { break };
            let is = self.terms.eq(term, self.terms.of_value(self.terms.sort(term), &value));
            res.push(path.with_value(self.language, self.terms, &rest, term, value));
            rest.assume(self.terms, self.terms.not(is));
        }
        let what = format!("more than {} values of an address or a size (--max-values)", self.config.values);
        self.gap(&rest, Words { what, place });
        res
    }

    pub(crate) fn wait(&mut self, path: Merged<L::State>) {
        self.waiting.add(self.language, path);
    }

    fn show(&mut self) {
        if self.shown.elapsed() < SHOW {
            return;
        }
        self.shown = Instant::now();
        (self.config.progress)(&Progress {
            waiting: self.waiting.places(),
            parked: self.parked.values().filter(|it| !it.paths.is_empty()).count(),
            bugs: self.obligations.bugs(),
            steps: self.steps,
            time: self.meter.elapsed(),
        });
    }
}
