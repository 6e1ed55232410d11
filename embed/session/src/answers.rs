//! How a run answers what it was not told: by the model of its path, where the question stands.
//!
//! Knows: the trail, the sides that are filed. Never: who runs them.

use crate::question::{Answer, Question};
use crate::run::{End, PendingSide, Run};
use crate::surroundings::Surroundings;
use effigy_engine::{Alternative, AlternativeLabel, Decision, Feasibility, Trail};
use effigy_term::{Term, Value};
use std::panic::Location;
use std::rc::Rc;

type Place = &'static Location<'static>;

impl Run {
    /// The answer to question number `at`, or the end of the run.
    pub(crate) fn answer(
        &mut self,
        live: &Surroundings,
        at: usize,
        question: &Question,
        what: &str,
        place: Place,
    ) -> Result<Answer, End> {
        match question {
            Question::Decide(cond, _) => self.side(live, at, &[*cond, live.terms.not(*cond)], place),
            Question::Among(conds) => self.side(live, at, conds, place),
            Question::Choose(count) => {
                let always = vec![live.terms.bool(true); *count as usize];
                self.side(live, at, &always, place)
            }
            Question::Value(term) => self.value(live, at, *term, what, place),
            Question::Witness(term) => self.witness(live, *term, what, place),
            Question::Watched(term, candidates) => self.watch(live, *term, what, candidates, None, place),
            Question::Assume(cond) => match self.truth(*cond, live) {
                Some(true) => self.extend(live, *cond).map(|()| Answer::Holds),
                _ => match self.assumed(live, *cond) {
                    Some(trail) => {
                        self.trail = known(trail, "whether an assumption can hold", place)?;
                        Ok(Answer::Holds)
                    }
                    None => {
                        // With what the program has, it does not hold; with other values it may.
                        if !self.pins.is_empty() {
                            self.file(at, Some(Answer::Holds), *cond, None);
                        }
                        Err(End::Dropped)
                    }
                },
            },
            Question::Check(cond) => self.check(live, at, *cond, place),
        }
    }

    pub(crate) fn truth(&self, cond: Term, live: &Surroundings) -> Option<bool> {
        match live.terms.as_bool(cond) {
            None => self.trail.witness.as_ref()?.truth(&live.terms, cond),
            value => value,
        }
    }

    /// φ has this conjunct too, which its model satisfies.
    pub(crate) fn extend(&mut self, live: &Surroundings, cond: Term) -> Result<(), End> {
        match live.engine(|it| it.assume(&self.trail, cond)) {
            Some(trail) => self.trail = trail,
            None => return Err(End::Error("a model of a path does not satisfy its condition".to_owned())),
        }
        Ok(())
    }

    fn file(&mut self, at: usize, turn: Option<Answer>, cond: Term, decision: Option<Decision>) {
        let before = self.trail.clone();
        let (conditionals, parts) = (self.conditionals, Rc::clone(&self.parts));
        self.filed.push(PendingSide { at, turn, turns: true, parts, before, cond, decision, conditionals });
    }

    fn side(&mut self, live: &Surroundings, at: usize, conds: &[Term], place: Place) -> Result<Answer, End> {
        let Some(taken) = conds.iter().position(|it| self.truth(*it, live) == Some(true)) else {
            return self.side_by_solver(live, at, conds, place);
        };
        // What is run next is filed last.
        for (side, &cond) in conds.iter().enumerate().rev() {
            if side != taken && live.terms.as_bool(cond) != Some(false) {
                let side = side as u32;
                self.file(at, Some(Answer::Side(side)), cond, Some(Decision::Alternative(side)));
            }
        }
        self.extend(live, conds[taken])?;
        self.trail.decisions.push(Decision::Alternative(taken as u32));
        Ok(Answer::Side(taken as u32))
    }

    /// The model does not tell (a quantifier), or no side is there.
    fn side_by_solver(&mut self, live: &Surroundings, at: usize, conds: &[Term], place: Place) -> Result<Answer, End> {
        if conds.iter().all(|it| self.truth(*it, live) == Some(false)) {
            return Err(End::Error(format!("{place}: none of the conditions holds that should be all there are")));
        }
        let sides: Vec<Alternative> =
            conds.iter().map(|&cond| Alternative { cond, label: AlternativeLabel::True }).collect();
        let ways = live.engine(|it| it.fork(&self.trail, &sides, Feasibility::Branch));
        let mut taken = None;
        for way in ways {
            let Decision::Alternative(side) = way.decision else { continue };
            let here = if taken.is_none() { self.with_pins(live, &way.trail) } else { None };
            match here {
                Some(trail) => taken = Some((side, trail)),
                None => self.file(at, Some(Answer::Side(side)), way.cond, Some(way.decision)),
            }
        }
        let (side, trail) =
            taken.ok_or_else(|| End::Undecided(format!("no side of the question at {place} is known to exist")))?;
        self.trail = trail;
        Ok(Answer::Side(side))
    }

    /// The value under the model, and the condition that it is this one.
    pub(crate) fn current(&self, live: &Surroundings, term: Term, place: Place) -> Result<(Value, Term), End> {
        let value = self.trail.witness.as_ref().and_then(|it| it.value(&live.terms, term));
        let value = value.ok_or_else(|| End::Undecided(format!("no value of the term at {place} is known")))?;
        let constant = live.terms.of_value(live.terms.sort(term), &value);
        Ok((value, live.terms.eq(term, constant)))
    }

    fn value(&mut self, live: &Surroundings, at: usize, term: Term, what: &str, place: Place) -> Result<Answer, End> {
        let (value, cond) = self.current(live, term, place)?;
        let other = live.terms.not(cond);
        if self.trail.decisions.excluded().count() as u64 + 1 < live.limits.values {
            self.file(at, None, other, Some(Decision::Not(value.clone())));
        } else if live.engine(|it| it.assume(&self.trail, other)).is_some() {
            let many = format!("more than {} values of one term", live.limits.values);
            self.cut.push(if what.is_empty() { format!("{many}, at {place}") } else { format!("{many}: {what}") });
        }
        self.extend(live, cond)?;
        self.trail.decisions.push(Decision::Is(value.clone()));
        Ok(Answer::Value(value))
    }

    fn witness(&mut self, live: &Surroundings, term: Term, what: &str, place: Place) -> Result<Answer, End> {
        let (value, cond) = self.current(live, term, place)?;
        // Where the path leaves no choice, every value is followed.
        if live.engine(|it| it.assume(&self.trail, live.terms.not(cond))).is_some() {
            self.witnesses.insert(what.to_owned());
        }
        self.extend(live, cond)?;
        self.trail.decisions.push(Decision::Is(value.clone()));
        Ok(Answer::Value(value))
    }

    fn check(&mut self, live: &Surroundings, at: usize, cond: Term, place: Place) -> Result<Answer, End> {
        let fails = Decision::Fails(self.granted);
        let other = live.terms.not(cond);
        match self.truth(cond, live) {
            Some(true) => {
                self.file(at, Some(Answer::Fails), other, Some(fails));
                self.extend(live, cond)?;
                Ok(Answer::Holds)
            }
            Some(false) => {
                self.file(at, Some(Answer::Holds), cond, None);
                self.extend(live, other)?;
                self.trail.decisions.push(fails);
                Ok(Answer::Fails)
            }
            None => {
                let holds = self.assumed(live, cond);
                self.file(at, Some(Answer::Fails), other, Some(fails));
                match holds {
                    Some(trail) => {
                        self.trail = known(trail, "whether a condition that is checked can hold", place)?;
                        Ok(Answer::Holds)
                    }
                    // Nothing goes on from here; what fails is filed, and what other values of the program lead to.
                    None => {
                        if !self.pins.is_empty() {
                            self.file(at, Some(Answer::Holds), cond, None);
                        }
                        Err(End::Dropped)
                    }
                }
            }
        }
    }
}

/// A path is followed only by a model.
fn known(trail: Trail, what: &str, place: Place) -> Result<Trail, End> {
    match (&trail.witness, &trail.undecided) {
        (Some(_), _) => Ok(trail),
        (None, Some(reason)) => Err(End::Undecided(format!("{what}, at {place}: {reason}"))),
        (None, None) => Err(End::Undecided(format!("{what}, at {place}"))),
    }
}
