//! Which of what must hold does not: all together first, each half where that is hard, each alone at last.
//!
//! Knows: what is asked next, and of whom it is left. Never: how a question is asked (`ask`), how paths are walked.

use crate::account::Words;
use crate::ask::{DIFFERS, FROM_OUTSIDE};
use crate::confirm::Runs;
use crate::obligations::Obligations;
use crate::others::{PATIENCE, PAUSE, WORTH_TELLING};
use crate::unwind::Unwinding;
use effigy_engine::{Havoc, Limit, Place};
use effigy_solver::{Answer, QueryBudget};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, SymbolKind, Term};
use std::cell::OnceCell;
use std::time::{Duration, Instant};

/// Conflicts after which what was asked together is asked in halves: alone each is often easy.
const TOGETHER: u64 = 2_000;

/// Conflicts after which one question is asked anew, of what its guard leaves: that shares nothing with others.
const ALONE: u64 = 20_000;

/// A question that is still to be asked.
enum Open {
    /// Whether one of these does not hold, those that are decided left out: all who share questions split alike.
    Some(Vec<u64>),
    /// Whether this one does not, which is hard: of what its guard leaves.
    Alone(u64, OnceCell<Term>),
}

impl Open {
    /// The numbers of the question that are not decided.
    fn numbers(&self, all: &Obligations) -> Vec<u64> {
        let numbers = match self {
            Open::Some(numbers) => numbers,
            Open::Alone(number, _) => std::slice::from_ref(number),
        };
        numbers.iter().copied().filter(|it| all.is_open(*it)).collect()
    }

    /// The questions that replace this one, of which `open` are not decided, where it is too hard: each half for
    /// itself, the first half last in the list, so that it is asked first.
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
    /// Asks which of what must hold does not, until all that is open is decided.
    pub(crate) fn decide(&mut self) -> Option<Limit> {
        let open = self.obligations.open();
        if let Some(dump) = self.config.dump {
            let goal = self.obligations.some_fails(self.terms, &open);
            dump(self.terms, &self.encoded(goal));
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
            let Some(others) = self.config.others.filter(|_| !work.is_empty()) else { return work.pop() };
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
            if since.elapsed() >= PATIENCE || self.meter.exceeded().is_some() {
                let lot = usize::try_from(others.lot()).unwrap_or(0);
                return Some(work.remove(lot % work.len()));
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

    /// The budget of a question.
    fn budget(&self, open: &Open, numbers: &[u64]) -> QueryBudget {
        let steps = match open {
            Open::Some(_) => Some(if numbers.len() > 1 { TOGETHER } else { ALONE }),
            Open::Alone(..) => None,
        };
        QueryBudget { steps: [steps, self.config.query.steps].into_iter().flatten().min(), ..self.config.query }
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
        let rests_on_others = self.obligations.get(first).is_some_and(|it| {
            let symbols = self.terms.symbols(it.happens).iter();
            symbols.clone().any(|it| self.terms.symbol_info(*it).kind == SymbolKind::Fresh)
        });
        let why = match runs {
            Runs::Came(ran) => {
                self.reached.merge(&ran.coverage);
                if let Some(it) = ran.found() {
                    self.obligations.found(it);
                }
                if self.obligations.is_bug(first) {
                    return;
                }
                if rests_on_others { FROM_OUTSIDE } else { DIFFERS }
            }
            Runs::Differ if rests_on_others => FROM_OUTSIDE,
            Runs::Differ => DIFFERS,
            Runs::Many => "no run was found for a bug that rests on storage that was never written",
        };
        let words = Words { what: why.to_owned(), place: Place::default() };
        self.gaps.insert(words, vec![(self.terms.bool(true), 0)]);
        self.obligations.unknown(asked);
    }
}
