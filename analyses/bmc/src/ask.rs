//! The questions of a check: what does not hold, what needs more rounds, what was missed.
//!
//! Knows: which question is put to the solver when, and how hard it may be. Never: how paths are walked.

use crate::account::{Ended, Needs, Words};
use crate::confirm::{self, Run, Runs, Wanted};
use crate::encoding::Encoding;
use crate::obligations::Obligations;
use crate::others::{PATIENCE, PAUSE, Question, Told, WORTH_TELLING, in_words, of_words};
use crate::paths::{Closed, Deepened, Parking};
use crate::unwind::Unwinding;
use effigy_engine::{Guard, Havoc, Limit, Place, TurnId};
use effigy_solver::{Answer, PathCondition, Query, QueryBudget, Reason};
use effigy_term::eval::Evaluator;
use effigy_term::range::Ranges;
use effigy_term::{Model, Node, Sort, Term, Value};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// So many terms are looked at for what a guard decides in one condition.
const MOST_TERMS: usize = 1_000_000;

/// Conflicts after which what was asked together is asked in halves: alone each is often easy.
const TOGETHER: u64 = 2_000;

/// Conflicts after which one question is asked anew, of what its guard leaves: that shares nothing with others.
const ALONE: u64 = 20_000;

/// Conflicts after which a loop is not closed.
const TO_CLOSE: u64 = 10_000;

/// So many conjuncts of a guard, the last ones, are looked at for a contradiction.
const MOST_CONJUNCTS: usize = 64;

/// Why a bug of the formula is none.
const DIFFERS: &str = "internal: the run of a model does not come to the bug that the formula has";

/// The bounds at which induction is tried, where they are our own: a loop has made so many rounds before.
const INDUCTIONS: [u32; 2] = [2, 8];

/// A query gets so much, even when the time is over.
const LAST: Duration = Duration::from_millis(200);

/// What is still to be asked.
enum Open {
    /// Whether one of these does not hold, those that are decided left out: all who share questions split alike.
    Some(Vec<u64>),
    /// Whether this one does not, which is hard: of what its guard leaves.
    Alone(u64, OnceCell<Term>),
}

impl Open {
    /// What of it is not decided.
    fn numbers(&self, all: &Obligations) -> Vec<u64> {
        let numbers = match self {
            Open::Some(numbers) => numbers,
            Open::Alone(number, _) => std::slice::from_ref(number),
        };
        numbers.iter().copied().filter(|it| all.is_open(*it)).collect()
    }

    /// What is asked where this, of which these are not decided, is too hard: each half for itself, the first one first.
    fn harder(&self, open: &[u64]) -> Option<Vec<Open>> {
        match (self, open) {
            (Open::Alone(..), _) => None,
            (Open::Some(_), [only]) => Some(vec![Open::Alone(*only, OnceCell::new())]),
            (Open::Some(numbers), _) => {
                let (first, second) = numbers.split_at(numbers.len() / 2);
                Some(vec![Open::Some(second.to_vec()), Open::Some(first.to_vec())])
            }
        }
    }
}

impl<L: Havoc> Unwinding<'_, '_, L> {
    /// Whether the conjuncts of a guard contradict each other, as far as ranges tell: often it does where a loop has
    /// made all its rounds.
    pub(crate) fn contradicts(&self, guard: &Guard) -> bool {
        let mut ranges = self.ranges_under(guard, MOST_CONJUNCTS);
        guard.conjuncts().take(MOST_CONJUNCTS).any(|it| ranges.truth(it) == Some(false))
    }

    /// What a condition is wherever a guard holds, as far as ranges tell.
    pub(crate) fn truth_under(&self, guard: &Guard, cond: Term) -> Option<bool> {
        self.ranges_under(guard, MOST_CONJUNCTS).truth(cond)
    }

    /// A guard and a condition, of which nothing is left that the guard decides: of what was merged on the way there, only
    /// what the path can have come by.
    fn under_guard(&self, guard: &Guard, cond: Term) -> Term {
        let mut ranges = self.ranges_under(guard, usize::MAX);
        let cond = self.terms.rewrite(cond, &mut |it| {
            let is_truth = self.terms.sort(it) == Sort::Bool && self.terms.as_bool(it).is_none();
            is_truth.then(|| ranges.truth(it)).flatten().map(|it| self.terms.bool(it))
        });
        self.terms.and(guard.term(self.terms), cond)
    }

    /// What terms can be where the last conjuncts of a guard hold, at most so many.
    fn ranges_under(&self, guard: &Guard, most: usize) -> Ranges<'_> {
        let mut ranges = Ranges::with_limit(self.terms, self.tables, MOST_TERMS);
        guard.conjuncts().take(most).for_each(|it| self.assume(&mut ranges, it));
        ranges
    }

    fn assume(&self, ranges: &mut Ranges<'_>, cond: Term) {
        match self.terms.node(cond) {
            Node::And(parts) => parts.iter().for_each(|&it| ranges.assume(it)),
            _ => ranges.assume(cond),
        }
    }

    pub(crate) fn ask(&mut self, goal: Term) -> Answer {
        self.ask_within(goal, self.config.query, WORTH_TELLING)
    }

    /// Asks for what induction needs. What is hard is left: more rounds may be all that it takes.
    pub(crate) fn ask_to_close(&mut self, goal: Term) -> Answer {
        self.ask_within(goal, QueryBudget { steps: Some(TO_CLOSE), ..self.config.query }, WORTH_TELLING)
    }

    /// What a formula is to the solver.
    fn encoded(&mut self, goal: Term) -> Term {
        match self.config.encoding {
            Encoding::Values => goal,
            Encoding::Equations => self.equations.formula(self.terms, goal),
        }
    }

    /// Asks. An answer that took at least as long as this is told to the others.
    fn ask_within(&mut self, goal: Term, budget: QueryBudget, worth: Duration) -> Answer {
        self.queries += 1;
        let question = self.question(goal, budget.steps);
        if let Some(answer) = question.and_then(|it| self.heard(it, goal)) {
            self.heard += 1;
            return answer;
        }
        let start = Instant::now();
        let left = self.config.budget.time.map(|it| it.saturating_sub(self.meter.elapsed()).max(LAST));
        let budget = QueryBudget { time: [budget.time, left].into_iter().flatten().min(), ..budget };
        let nothing = PathCondition::new();
        let encoded = self.encoded(goal);
        let query = Query { only: None, path: &nothing, goal: encoded, witness: None, tried: false, budget };
        let answer = self.solver.check(self.terms, &query);
        self.solving += start.elapsed();
        tracing::debug!(time = ?start.elapsed(), answer = %match &answer {
            Answer::Sat(_) => "sat".to_owned(),
            Answer::Unsat => "unsat".to_owned(),
            Answer::Unknown(reason) => reason.to_string(),
        }, "query");
        if let Some(question) = question.filter(|_| start.elapsed() >= worth) {
            self.tell(question, goal, &answer);
        }
        answer
    }

    /// The name of a question among those that are shared.
    pub(crate) fn question(&mut self, goal: Term, steps: Option<u64>) -> Option<Question> {
        self.config.others?;
        Some(Question { formula: self.prints.of(self.terms, goal)?, steps })
    }

    /// The answer of others.
    fn heard(&self, question: Question, goal: Term) -> Option<Answer> {
        match self.config.others?.told(question)? {
            Told::Unsat => Some(Answer::Unsat),
            Told::Hard => Some(Answer::Unknown(Reason::Steps)),
            Told::Sat(values) => of_words(self.terms, goal, &values).map(Answer::Sat),
        }
    }

    fn tell(&self, question: Question, goal: Term, answer: &Answer) {
        let Some(others) = self.config.others else { return };
        let told = match answer {
            Answer::Unsat => Told::Unsat,
            Answer::Sat(model) => Told::Sat(in_words(self.terms, goal, model)),
            Answer::Unknown(Reason::Steps) => Told::Hard,
            // Another has more time, or another solver.
            Answer::Unknown(_) => return,
        };
        others.tell(question, &told);
    }

    /// Asks which of what must hold does not, until all that is open is decided.
    pub(crate) fn decide(&mut self) -> Option<Limit> {
        let open = self.obligations.open();
        if let Some(dump) = self.config.dump {
            let goal = self.obligations.some_fails(self.terms, &open);
            dump(self.terms, self.encoded(goal));
        }
        let mut work = vec![Open::Some(open)];
        while let Some(open) = self.next(&mut work) {
            if let Some(limit) = self.meter.exceeded() {
                return Some(limit);
            }
            let numbers = open.numbers(&self.obligations);
            match self.ask_open(&open, &numbers) {
                Answer::Unsat => numbers.iter().for_each(|it| self.obligations.holds(*it)),
                Answer::Sat(model) => {
                    self.follow(&model, &numbers);
                    work.push(open);
                }
                Answer::Unknown(_) => match open.harder(&numbers) {
                    Some(rest) => work.extend(rest),
                    // The time was up, not the question too hard.
                    None if self.meter.exceeded().is_some() => return self.meter.exceeded(),
                    None => numbers.iter().for_each(|it| self.obligations.unknown(*it)),
                },
            }
            if self.config.budget.bugs.is_some_and(|it| self.obligations.bugs() as u64 >= it) {
                return Some(Limit::Bugs);
            }
        }
        None
    }

    /// What is asked next: the last, or the last that no other is at.
    fn next(&mut self, work: &mut Vec<Open>) -> Option<Open> {
        let mut waits: Option<Instant> = None;
        loop {
            work.retain(|it| !it.numbers(&self.obligations).is_empty());
            let Some(others) = self.config.others else { return work.pop() };
            let is_free = |it: &Open| {
                let numbers = it.numbers(&self.obligations);
                let (goal, budget) = (self.whatever_came_before(it, &numbers), self.budget(it, &numbers));
                let question = self.question(goal, budget.steps);
                question.is_none_or(|it| others.told(it).is_some() || others.take(it))
            };
            if let Some(free) = work.iter().rposition(is_free) {
                return Some(work.remove(free));
            }
            let since = *waits.get_or_insert_with(Instant::now);
            if work.is_empty() || since.elapsed() >= PATIENCE || self.meter.exceeded().is_some() {
                let lot = usize::try_from(others.lot()).unwrap_or(0);
                return (!work.is_empty()).then(|| work.remove(lot % work.len()));
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Asks whether one of these, which are what of `open` is not decided, does not hold on a run that comes to it.
    fn ask_open(&mut self, open: &Open, numbers: &[u64]) -> Answer {
        let budget = self.budget(open, numbers);
        let goal = match open {
            Open::Some(_) => self.obligations.some_fails(self.terms, numbers),
            Open::Alone(number, _) => {
                let alive = self.obligations.alive(self.terms, *number);
                self.terms.and(alive, self.whatever_came_before(open, numbers))
            }
        };
        // Which bugs are known is not the same to all, nor what is asked of what comes after them.
        if self.config.others.is_some() {
            let whatever = self.whatever_came_before(open, numbers);
            match self.ask_within(whatever, budget, Duration::ZERO) {
                Answer::Sat(model) if Evaluator::new(self.terms, &model).truth(goal) != Some(true) => {}
                answer => return answer,
            }
        }
        self.ask_within(goal, budget, WORTH_TELLING)
    }

    /// That one of these does not hold, on a run that may have ended before.
    fn whatever_came_before(&self, open: &Open, numbers: &[u64]) -> Term {
        let all = numbers.iter().filter_map(|it| self.obligations.get(*it));
        let fails = all.map(|it| match open {
            Open::Some(_) => self.terms.and(it.guard.term(self.terms), it.happens),
            Open::Alone(_, known) => *known.get_or_init(|| self.under_guard(&it.guard, it.happens)),
        });
        self.terms.or_all(fails.collect::<Vec<_>>())
    }

    /// How hard a question may be.
    fn budget(&self, open: &Open, numbers: &[u64]) -> QueryBudget {
        let steps = match open {
            Open::Some(_) => Some(if numbers.len() > 1 { TOGETHER } else { ALONE }),
            Open::Alone(..) => None,
        };
        QueryBudget { steps, ..self.config.query }
    }

    /// Makes the run of a model: it comes to the first thing that does not hold there, or the model was not one of the
    /// program. One of `numbers` is not asked for any more.
    fn follow(&mut self, model: &Model, numbers: &[u64]) {
        let asked = self.obligations.first(self.terms, model, |it| numbers.binary_search(&it).is_ok());
        let first = self.obligations.first(self.terms, model, |_| true);
        let (Some(asked), Some(first)) = (asked, first) else {
            return numbers.iter().for_each(|it| self.obligations.unknown(*it));
        };
        let inputs = self.obligations.inputs(self.terms, model, first);
        let obligations = std::mem::take(&mut self.obligations);
        let runs = self.runs(inputs, model, &mut |it| it.is_some_and(|it| !obligations.knows(it)));
        self.obligations = obligations;
        let why = match runs {
            Runs::Came(ran) => {
                self.reached.merge(&ran.coverage);
                if let Some(it) = ran.found() {
                    self.obligations.found(it);
                }
                if self.obligations.is_bug(first) {
                    return;
                }
                DIFFERS
            }
            Runs::Differ => DIFFERS,
            Runs::Many => "no run was found for a bug that rests on storage that was never written",
        };
        let words = Words { what: why.to_owned(), place: Place::default() };
        self.gaps.insert(words, vec![(self.terms.bool(true), 0)]);
        self.obligations.unknown(asked);
    }

    /// The run of a model that ends as it is `wanted`.
    fn runs(&mut self, inputs: Option<Vec<Value>>, model: &Model, wanted: &mut Wanted<'_>) -> Runs {
        let Some(inputs) = inputs else { return Runs::Differ };
        let run = Run { inputs, model, most_steps: self.config.budget.path_steps.unwrap_or(u64::MAX) };
        confirm::run(self.language, self.terms, self.solver, self.config.query, &run, wanted)
    }

    /// Lets go on what the solver says needs more rounds.
    pub(crate) fn deepen(&mut self) -> Deepened {
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
        let needs = |id: &TurnId| Needs { turning: self.language.turning(*id), bound: self.parked[id].bound };
        let all: Vec<Needs> = waits.keys().map(needs).collect();
        if model.is_none() {
            return Deepened::Needs(all);
        }
        // What is closed needs nothing.
        let closed: Vec<bool> = needed.iter().map(|it| self.config.induction && self.closes(*it)).collect();
        let open = needed.iter().zip(&closed).filter(|it| !it.1).map(|it| *it.0);
        let goes_on: Vec<TurnId> = open.filter(|it| !self.is_fixed(*it)).collect();
        if goes_on.is_empty() && !closed.contains(&true) {
            return Deepened::Needs(all);
        }
        let all = all.into_iter().zip(waits.keys()).filter(|it| !self.is_closed(*it.1)).map(|it| it.0).collect();
        for id in goes_on {
            let Some(parked) = self.parked.get_mut(&id) else { continue };
            parked.bound = parked.bound.saturating_mul(2);
            let bound = parked.bound;
            let (go_on, stay) = std::mem::take(&mut parked.paths).into_iter().partition(|it| it.count <= bound);
            parked.paths = stay;
            let go_on: Vec<Parking<L::State>> = go_on;
            go_on.into_iter().for_each(|it| self.wait(it.path));
        }
        Deepened::Goes(all)
    }

    /// Whether it was said how often a loop is unwound.
    fn is_fixed(&self, id: TurnId) -> bool {
        (self.config.bound)(&self.language.turning(id)).is_some()
    }

    /// Whether no path waits for more rounds.
    fn is_closed(&self, id: TurnId) -> bool {
        self.parked.get(&id).is_none_or(|it| it.paths.is_empty())
    }

    /// Whether all paths that wait for a loop need not go on: what they would come to holds.
    fn closes(&mut self, id: TurnId) -> bool {
        let is_fixed = self.is_fixed(id);
        let Some(parked) = self.parked.get_mut(&id) else { return false };
        let bound = parked.bound;
        if !(is_fixed || INDUCTIONS.contains(&bound)) || !self.tried.insert((id, bound)) {
            return false;
        }
        let paths = std::mem::take(&mut parked.paths);
        let closed: Result<Vec<Closed>, String> = paths.iter().map(|it| self.close(id, it)).collect();
        match closed {
            Ok(closed) => {
                self.closed = true;
                for (id, kept) in closed.into_iter().flatten() {
                    let known = self.inductions.entry(id).or_default();
                    known.extend(kept);
                    known.sort();
                    known.dedup();
                }
                true
            }
            Err(why) => {
                tracing::debug!(?id, bound, why, "no induction");
                self.targets.clear();
                if let Some(parked) = self.parked.get_mut(&id) {
                    parked.paths = paths;
                }
                false
            }
        }
    }

    /// Whether no run comes to an end or to a bug, since the program drops them all.
    pub(crate) fn is_vacuous(&mut self) -> bool {
        if !self.dropped || self.obligations.bugs() > 0 || self.closed {
            return false;
        }
        let ends = self
            .ends
            .iter()
            .map(|it| self.terms.and(self.obligations.alive(self.terms, it.before), it.guard.term(self.terms)));
        let ends: Vec<Term> = ends.chain(self.endless.iter().copied()).collect();
        let goal = self.terms.or_all(ends);
        self.ask(goal) == Answer::Unsat
    }

    /// A run to each end of the program to which one comes. An end of which that is not known is missed.
    pub(crate) fn runs_to_ends(&mut self, missed: &mut Vec<Words>) -> Vec<Ended> {
        let mut res = Vec::new();
        for end in std::mem::take(&mut self.ends) {
            let mut miss = |what: String| missed.push(Words { what, place: Place::default() });
            let alive = self.obligations.alive(self.terms, end.before);
            let model = match self.ask(self.terms.and(alive, end.guard.term(self.terms))) {
                Answer::Unsat => continue,
                Answer::Sat(model) => model,
                Answer::Unknown(reason) => {
                    miss(format!("whether a run comes to an end of the program: {reason}"));
                    continue;
                }
            };
            let inputs = end.origin.inputs(self.terms, &model);
            let runs = self.runs(inputs, &model, &mut |it| it.is_none());
            let ran = match runs {
                Runs::Came(ran) => ran,
                Runs::Differ => {
                    miss("internal: the run of a model does not come to the end that the formula has".to_owned());
                    continue;
                }
                Runs::Many => {
                    miss("no run was found to an end that rests on storage that was never written".to_owned());
                    continue;
                }
            };
            self.reached.merge(&ran.coverage);
            res.push(Ended { ways: end.ways, model: ran.model, witness: ran.witness });
        }
        missed.sort();
        missed.dedup();
        res
    }

    /// Why something may have been missed.
    pub(crate) fn missed(&mut self) -> Vec<Words> {
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
}
