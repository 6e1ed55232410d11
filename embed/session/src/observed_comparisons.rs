//! Comparisons of pinned values that were observed in the program: each splits the inputs that a run stands for.
//!
//! Knows: what the program has, splits of what a run stands for. Never: how a comparison is seen (`effigy-watch`).
//!
//! A run stands for all inputs of its φ. What the program has of a watched term is the value of φ's model, and every later
//! model of this run keeps it; φ does not say so. A comparison that is seen splits φ: the run goes on with the part of its
//! values, each other part is a run of its own. A split is no question. So what only looks like a comparison of a watched
//! value costs a run, and nothing else; and where the program depends on a value in a way that is not seen, either it
//! asks something else on another run, which is told, or it is not seen, and the verdict says no more than that.

use crate::account::Account;
use crate::pin::Pin;
use crate::question::Answer;
use crate::run::{End, PendingSide, Run};
use crate::surroundings::Surroundings;
use effigy_engine::{Decision, Trail, Valuation};
use effigy_term::{Term, Value};
use std::cell::Cell;
use std::panic::Location;
use std::rc::Rc;

thread_local! {
    /// A run on this thread has something that is watched.
    static WATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the program that this thread runs has something that is watched: quick, for who is called at each comparison.
pub fn is_watching() -> bool {
    WATCHING.get()
}

/// What the program was seen to depend on.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueSplit {
    /// The watched terms that it compares.
    pub compared: Vec<Term>,
    /// What tells its inputs apart: these exclude one another, and one of them holds.
    pub conds: Vec<Term>,
}

impl Run {
    /// A value for a watched term.
    pub(crate) fn watch(
        &mut self,
        live: &Surroundings,
        term: Term,
        what: &str,
        candidates: &[Value],
        was: Option<Answer>,
        place: &'static Location<'static>,
    ) -> Result<Answer, End> {
        let was = match was {
            Some(Answer::Value(it)) => Some(it),
            _ => None,
        };
        let is_free = |it: &Value| !self.pins.iter().any(|pin| pin.value == *it);
        let tried: Vec<Value> = was.iter().chain(candidates).filter(|it| is_free(it)).cloned().collect();
        if let Some(witness) = tried.iter().find_map(|it| self.model_with(live, term, it)) {
            self.trail.witness = Some(witness);
        }
        let (value, _) = self.current(live, term, place)?;
        WATCHING.set(true);
        let rare = candidates.iter().take(2).any(|it| *it == value);
        self.pins.push(Pin { term, value: value.clone(), what: what.to_owned(), rare, was });
        Ok(Answer::Value(value))
    }

    /// A model of φ and of what the program has, in which a term has this value. Only what the model gives for nothing is
    /// tried: a term of one symbol.
    fn model_with(&self, live: &Surroundings, term: Term, value: &Value) -> Option<Valuation> {
        let terms = &*live.terms;
        let (&[symbol], Value::BitVec(bits)) = (terms.symbols(term), value) else { return None };
        let sort = terms.symbol_info(symbol).sort;
        let effigy_term::Sort::BitVec(width) = sort else { return None };
        let narrow = if width.bits() < bits.width().bits() { bits.extract(width.bits() - 1, 0) } else { bits.clone() };
        if narrow.width() != width {
            return None;
        }
        let mut model = (**self.trail.witness.as_ref()?).clone();
        model.set(symbol, Value::BitVec(narrow));
        let model = Valuation::from(model);
        let has = |term: Term, value: &Value| model.value(terms, term).as_ref() == Some(value);
        let holds = has(term, value)
            && self.pins.iter().all(|it| has(it.term, &it.value))
            && self.trail.condition.conjuncts().iter().all(|it| model.truth(terms, *it) == Some(true));
        holds.then_some(model)
    }

    /// That the program has what it has.
    fn pinned(&self, live: &Surroundings) -> Term {
        let terms = &live.terms;
        terms.and_all(self.pins.iter().map(|it| {
            let value = terms.of_value(terms.sort(it.term), &it.value);
            terms.eq(it.term, value)
        }))
    }

    /// A trail with a model in which the program has what it has; `None` where none is known.
    pub(crate) fn with_pins(&self, live: &Surroundings, trail: &Trail) -> Option<Trail> {
        if self.pins.is_empty() {
            return trail.witness.is_some().then(|| trail.clone());
        }
        let with = live.engine(|it| it.assume(trail, self.pinned(live)))?;
        with.witness.is_some().then(|| Trail { witness: with.witness, undecided: None, ..trail.clone() })
    }

    /// φ with one more conjunct, and a model of it in which the program has what it has. `None` where there is none; the
    /// trail has no model where the solver cannot tell.
    pub(crate) fn assumed(&self, live: &Surroundings, cond: Term) -> Option<Trail> {
        let trail = live.engine(|it| it.assume(&self.trail, cond))?;
        if self.pins.is_empty() || trail.witness.is_none() {
            return Some(trail);
        }
        let with = live.engine(|it| it.assume(&trail, self.pinned(live)))?;
        Some(Trail { witness: with.witness, undecided: with.undecided, ..trail })
    }

    /// One of these holds, as the program was seen to depend on it.
    pub(crate) fn split(&mut self, live: &Surroundings, split: &ValueSplit) {
        if self.end.is_some() {
            return;
        }
        let ValueSplit { compared, conds } = split;
        let names = self.pins.iter().filter(|it| compared.contains(&it.term)).map(|it| it.what.clone());
        self.compared.extend(names);
        let Some(taken) = conds.iter().position(|it| self.truth(*it, live) == Some(true)) else { return };
        if self.parts.contains(&conds[taken]) || live.terms.as_bool(conds[taken]) == Some(true) {
            return;
        }
        if let Some(outermost) = self.both.first() {
            return self.finish(End::Apart(*outermost));
        }
        if self.questions() >= live.limits.decisions {
            let why = format!("more than {} questions and comparisons on one path", live.limits.decisions);
            return self.finish(End::Cut(why));
        }
        let part = |cond: Term| {
            let mut parts = Rc::clone(&self.parts);
            Rc::make_mut(&mut parts).insert(cond);
            parts
        };
        for (side, &cond) in conds.iter().enumerate().rev() {
            if side != taken && live.terms.as_bool(cond) != Some(false) {
                self.filed.push(PendingSide {
                    at: self.asked.len(),
                    turn: None,
                    turns: false,
                    parts: part(cond),
                    before: self.trail.clone(),
                    cond,
                    decision: Some(Decision::Alternative(side as u32)),
                    conditionals: self.conditionals,
                });
            }
        }
        self.parts = part(conds[taken]);
        match self.extend(live, conds[taken]) {
            Ok(()) => self.trail.decisions.push(Decision::Alternative(taken as u32)),
            Err(end) => self.finish(end),
        }
    }

    /// What was asked and split so far.
    pub(crate) fn questions(&self) -> u64 {
        (self.asked.len() + self.parts.len()) as u64
    }

    /// How a run ends that does something else than the one that it branches off, where the program has other values than
    /// there.
    pub(crate) fn unseen_use(&self) -> Option<End> {
        let other = self.pins.iter().filter(|it| it.was.as_ref().is_some_and(|was| *was != it.value));
        let mut names: Vec<&str> = other.map(|it| it.what.as_str()).collect();
        names.dedup();
        (!names.is_empty())
            .then(|| End::Cut(format!("a value is used in a way that is not seen: one of {}", names.join(", "))))
    }

    /// The run is over: what is reported of it has the values that the program had.
    pub(crate) fn settle(&mut self, live: &Surroundings, account: &Account) {
        WATCHING.set(false);
        if self.pins.is_empty() {
            return;
        }
        for at in 0..self.pins.len() {
            let Pin { term, value, what, .. } = &self.pins[at];
            if account.witnesses.contains(what) || self.witnesses.contains(what) {
                continue;
            }
            // Where the path leaves no choice, every value is followed.
            let other = live.terms.not(live.terms.eq(*term, live.terms.of_value(live.terms.sort(*term), value)));
            if live.engine(|it| it.assume(&self.trail, other)).is_some() {
                self.witnesses.insert(what.clone());
            }
        }
        if let Some(trail) = live.engine(|it| it.assume(&self.trail, self.pinned(live))) {
            self.trail = trail;
        }
    }
}
