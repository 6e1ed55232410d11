//! Following one path: a question is answered by the path's own model, or by the path's name; no solver is asked.
//!
//! Knows: the side that is taken. Never: the sides that are not.

use crate::advance::{Event, Stuck};
use crate::decision::{Decision, PathName, Resolution, fits};
use crate::fork::stuck;
use crate::language::{Alternative, Language, Step};
use crate::outcome::Outcome;
use crate::path::{Path, Trail};
use effigy_term::{Term, Terms, Value};

/// What answers the questions of the path that is followed.
#[derive(Clone, Debug)]
pub enum Guide {
    /// The path's own model: the run of these inputs.
    Model,
    /// The decisions of a name that are still to be taken, the next one last.
    Name(Vec<Decision>),
}

impl Guide {
    /// The guide along a path's name.
    pub fn along(name: &PathName) -> Guide {
        Guide::Name(name.0.iter().rev().cloned().collect())
    }

    /// The side that is taken.
    fn side(&self, terms: &Terms, trail: &Trail, alternatives: &[Alternative]) -> Option<usize> {
        match self {
            Guide::Model => alternatives.iter().position(|it| trail.truth(terms, it.cond) == Some(true)),
            Guide::Name(left) => match left.last()? {
                Decision::Alternative(index) => Some(*index as usize).filter(|it| *it < alternatives.len()),
                _ => None,
            },
        }
    }

    /// What is decided of the value of a term.
    fn value(&self, terms: &Terms, trail: &Trail, term: Term) -> Option<Decision> {
        match self {
            Guide::Model => trail.witness.as_ref()?.value(terms, term).map(Decision::Is),
            Guide::Name(left) => match left.last()? {
                Decision::Is(value) | Decision::Not(value) if !fits(terms.sort(term), value) => None,
                decision @ (Decision::Is(_) | Decision::Not(_)) => Some(decision.clone()),
                _ => None,
            },
        }
    }

    /// Whether a condition holds.
    fn holds(&self, terms: &Terms, trail: &Trail, cond: Term) -> Option<bool> {
        match self {
            Guide::Model => trail.truth(terms, cond),
            Guide::Name(left) => Some(left.last() != Some(&trail.decisions.failing())),
        }
    }

    /// The decision was taken.
    fn taken(&mut self) {
        if let Guide::Name(left) = self {
            left.pop();
        }
    }

    /// The model of a trail that goes on by `cond`: its own, if it leads the way.
    fn extend(&mut self, terms: &Terms, trail: &mut Trail, cond: Term, decision: Option<Decision>) {
        let witness = match self {
            Guide::Model => trail.witness.take(),
            Guide::Name(_) => None,
        };
        if decision.is_some() {
            self.taken();
        }
        trail.extend(terms, cond, witness, decision);
    }

    /// Why there is no answer: a name has come to its end or does not fit; a model does not tell.
    fn no_answer(&self, trail: &Trail, at: Stuck) -> Event {
        match self {
            Guide::Model => Event::Undecided(at, stuck(trail, "the model does not tell")),
            Guide::Name(left) if left.is_empty() => Event::Waits,
            Guide::Name(_) => Event::DoesNotFit,
        }
    }

    /// Answers a question of the path.
    pub(crate) fn answer<L: Language>(
        &mut self,
        language: &L,
        terms: &Terms,
        path: &mut Path<L::State>,
        question: Step,
    ) -> Event {
        let (cond, violation) = match question {
            Step::Branch(alternatives) => {
                let Some(index) = self.side(terms, &path.trail, &alternatives) else {
                    return self.no_answer(&path.trail, Stuck::Branch);
                };
                let decision = Decision::Alternative(index as u32);
                self.extend(terms, &mut path.trail, alternatives[index].cond, Some(decision));
                language.answer(&mut path.state, Resolution::Alternative(index as u32));
                return Event::Answered;
            }
            Step::Value(term) => {
                let Some(decision) = self.value(terms, &path.trail, term) else {
                    return self.no_answer(&path.trail, Stuck::Value(term));
                };
                let equals = |value: &Value| terms.eq(term, terms.of_value(terms.sort(term), value));
                let (cond, resolution) = match &decision {
                    Decision::Is(value) => (equals(value), Some(Resolution::Value(value.clone()))),
                    Decision::Not(value) => (terms.not(equals(value)), None),
                    Decision::Alternative(_) | Decision::Fails(_) => return Event::DoesNotFit,
                };
                self.extend(terms, &mut path.trail, cond, Some(decision));
                if let Some(resolution) = resolution {
                    language.answer(&mut path.state, resolution);
                }
                return Event::Answered;
            }
            Step::Require { cond, violation } => (cond, Some(violation)),
            Step::Assume(cond) => (cond, None),
            Step::Next | Step::Exit(_) => return Event::Moved,
        };
        match self.holds(terms, &path.trail, cond) {
            Some(true) => {
                self.extend(terms, &mut path.trail, cond, None);
                path.trail.decisions.grant();
                language.answer(&mut path.state, Resolution::Granted);
                Event::Answered
            }
            Some(false) => {
                let failing = path.trail.decisions.failing();
                self.extend(terms, &mut path.trail, terms.not(cond), Some(failing));
                Event::Ended(violation.map_or(Outcome::Silent, Outcome::Violation))
            }
            None => self.no_answer(&path.trail, Stuck::Branch),
        }
    }
}

/// The path that is followed, within the language's step: what answers [`crate::Context::decide`].
#[derive(Debug)]
pub(crate) struct Follower<'a> {
    pub(crate) trail: &'a mut Trail,
    pub(crate) guide: &'a mut Guide,
}

impl Follower<'_> {
    /// The side of a branch that the path takes, which is now part of its name and of φ.
    pub(crate) fn decide(&mut self, terms: &Terms, alternatives: &[Alternative]) -> Option<usize> {
        let index = self.guide.side(terms, self.trail, alternatives)?;
        let decision = Decision::Alternative(index as u32);
        self.guide.extend(terms, self.trail, alternatives[index].cond, Some(decision));
        Some(index)
    }
}
