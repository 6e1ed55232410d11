//! Following one path: a question is answered by the path's own model, or by the path's name; no solver is asked.
//!
//! Knows: the side that is taken; the sides that are not only where they are written down for someone else (`passed`).
//! Never: whether these are feasible.

use crate::decision::{Decision, PathName, fits};
use crate::passed::Passed;
use crate::path::Trail;
use crate::question::Alternative;
use effigy_term::{Term, Terms};

/// What answers the questions of the path that is followed.
#[derive(Clone, Debug)]
pub enum Guide {
    /// The path's own model: the run of these inputs.
    Model,
    /// The decisions of a name that are still to be taken, the next one last.
    Name(Vec<Decision>),
    /// The path's own model. Each question that is passed is recorded in this list instead of in φ. The language is
    /// asked for every question where it stands, none is answered in place.
    Noted(Vec<Passed>),
}

impl Guide {
    /// The guide along a path's name.
    pub fn along(name: &PathName) -> Guide {
        Guide::Name(name.0.iter().rev().cloned().collect())
    }

    /// The index of the alternative that the path takes; `None` if the model or the name does not tell.
    pub(crate) fn side(&self, terms: &Terms, trail: &Trail, alternatives: &[Alternative]) -> Option<usize> {
        match self {
            Guide::Model | Guide::Noted(_) => {
                alternatives.iter().position(|it| trail.truth(terms, it.cond) == Some(true))
            }
            Guide::Name(left) => match left.last()? {
                Decision::Alternative(index) => Some(*index as usize).filter(|it| *it < alternatives.len()),
                _ => None,
            },
        }
    }

    /// The decision on the value of a term; `None` if the model or the name gives none of its sort.
    pub(crate) fn value(&self, terms: &Terms, trail: &Trail, term: Term) -> Option<Decision> {
        match self {
            Guide::Model | Guide::Noted(_) => trail.witness.as_ref()?.value(terms, term).map(Decision::Is),
            Guide::Name(left) => match left.last()? {
                Decision::Is(value) | Decision::Not(value) if !fits(terms.sort(term), value) => None,
                decision @ (Decision::Is(_) | Decision::Not(_)) => Some(decision.clone()),
                _ => None,
            },
        }
    }

    /// Whether the condition of a requirement or assumption holds on the path; `None` if the model does not tell.
    pub(crate) fn holds(&self, terms: &Terms, trail: &Trail, cond: Term) -> Option<bool> {
        match self {
            Guide::Model | Guide::Noted(_) => trail.truth(terms, cond),
            Guide::Name(left) => Some(left.last() != Some(&trail.decisions.failing())),
        }
    }

    /// Takes the next decision off the name, once it was used.
    fn taken(&mut self) {
        if let Guide::Name(left) = self {
            left.pop();
        }
    }

    /// Extends a trail by `cond` and the decision for it. The trail keeps its model if the model answered; for
    /// [`Guide::Noted`] φ stays as it is.
    pub(crate) fn extend(&mut self, terms: &Terms, trail: &mut Trail, cond: Term, decision: Option<Decision>) {
        let witness = match self {
            Guide::Noted(_) => {
                if let Some(decision) = decision {
                    trail.decisions.push(decision);
                    trail.decided_at = trail.steps;
                }
                return;
            }
            Guide::Model => trail.witness.take(),
            Guide::Name(_) => None,
        };
        if decision.is_some() {
            self.taken();
        }
        trail.extend(terms, cond, witness, decision);
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
