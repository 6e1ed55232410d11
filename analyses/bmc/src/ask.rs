//! The questions of a check: how one is asked, what needs more rounds, what was missed.
//!
//! Knows: which question is put to the solver when, and how hard it may be. Never: how paths are walked, what does not
//! hold (`decide`).

use crate::account::{Ended, Needs, Words};
use crate::confirm::{self, Run, Runs, Wanted};
use crate::encoding::{EncodedFormula, Encoding};
use crate::others::{Question, Told, WORTH_TELLING, in_words, of_words};
use crate::paths::{Closed, Deepened, Parking};
use crate::unwind::Unwinding;
use effigy_engine::{Guard, Havoc, Place, TurnId};
use effigy_solver::{Answer, PathCondition, Query, QueryBudget, Reason};
use effigy_term::eval::Evaluator;
use effigy_term::range::Ranges;
use effigy_term::{Model, Node, Sort, Term, Value};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The most terms that are looked at for what a guard decides in one condition.
const MOST_TERMS: usize = 1_000_000;

/// The most conflicts of a query that serves to close a loop.
const TO_CLOSE: u64 = 10_000;

/// The number of conjuncts of a guard, the last ones, that are searched for a contradiction.
const MOST_CONJUNCTS: usize = 64;

/// The reason that is reported where the run of a model does not reach the bug.
pub(crate) const DIFFERS: &str = "internal: the run of a model does not come to the bug that the formula has";

/// The reason where the bug rests on a value that no input decides.
pub(crate) const FROM_OUTSIDE: &str = "no run was found for a bug that rests on a value from outside of the program";

/// The bounds at which induction is tried, where they are our own: a loop has made so many rounds before.
const INDUCTIONS: [u32; 2] = [2, 8];

/// A query gets so much, even when the time is over.
const LAST: Duration = Duration::from_millis(200);

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
    pub(crate) fn under_guard(&self, guard: &Guard, cond: Term) -> Term {
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
        let steps = self.config.query.steps.map_or(TO_CLOSE, |it| it.min(TO_CLOSE));
        self.ask_within(goal, QueryBudget { steps: Some(steps), ..self.config.query }, WORTH_TELLING)
    }

    /// The formula as the solver is given it, in the encoding of the check.
    pub(crate) fn encoded(&mut self, goal: Term) -> EncodedFormula {
        match self.config.encoding {
            Encoding::Values => EncodedFormula::of_values(goal),
            Encoding::Equations => self.equations.formula(self.terms, goal),
        }
    }

    /// Asks the solver whether `goal` is satisfiable. An answer that took at least as long as this is told to the
    /// others.
    pub(crate) fn ask_within(&mut self, goal: Term, budget: QueryBudget, worth: Duration) -> Answer {
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
        let encoded = self.encoded(goal).term(self.terms);
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

    /// The answer that another check has shared; a model is used only if it satisfies the goal.
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

    /// The run of a model that ends as it is `wanted`.
    pub(crate) fn runs(&mut self, inputs: Option<Vec<Value>>, model: &Model, wanted: &mut Wanted<'_>) -> Runs {
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
