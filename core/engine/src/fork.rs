//! Forking: the ways on from a question, by the answers of judges.
//!
//! Knows: the alternatives of a path, φ and its model. Never: who the judges are, which path goes on first.
//! Source: King 1976, section 2 (forking execution); section 4 (the execution tree).

use crate::decision::{Decision, Resolution};
use crate::judge::{Entailment, Judge, JudgeQuestion};
use crate::path::{Trail, Valuation};
use crate::question::{Alternative, AlternativeLabel};
use effigy_solver::{Answer, QueryBudget, Reason};
use effigy_term::{Term, Terms, Value};

/// When it is asked whether a side is feasible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Feasibility {
    /// At each question: no path is followed that does not exist, as far as the solver can tell.
    #[default]
    Branch,
    /// At the end of the path: every side whose condition is not plainly false is followed.
    Leaf,
}

/// One way on from a question.
#[derive(Clone, Debug)]
pub struct Way {
    /// The decision that the path records for this way.
    pub decision: Decision,
    /// The condition, of sort Bool, under which inputs take this way.
    pub cond: Term,
    /// What a picture writes at the arc, where the language says it.
    pub label: Option<AlternativeLabel>,
    /// The trail with the condition and the decision in it.
    pub trail: Trail,
    /// Whether there are other ways on.
    pub is_one_of_several: bool,
}

impl Way {
    /// The answer for the language; `None` where it asks again ([`Decision::Not`]) or the path ends
    /// ([`Decision::Fails`]).
    pub fn resolution(&self) -> Option<Resolution> {
        match &self.decision {
            Decision::Alternative(index) => Some(Resolution::Alternative(*index)),
            Decision::Is(value) => Some(Resolution::Value(value.clone())),
            Decision::Not(_) | Decision::Fails(_) => None,
        }
    }
}

/// The trails on both sides of a requirement.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The trail into the violation, if it is feasible (or not known to be infeasible: see its `undecided`).
    pub violated: Option<Trail>,
    /// The trail on which the condition holds, if that is feasible.
    pub holds: Option<Trail>,
}

/// Splits the trail of a path by what judges say of its state: first the language's own, then that of the walk.
pub(crate) struct Splitter<'j, 'w, S> {
    pub(crate) terms: &'j Terms,
    /// The state of the path whose trail is split.
    pub(crate) state: &'j S,
    /// The judge of a language whose states know more than φ says.
    pub(crate) own: Option<Box<dyn Judge<S> + 'j>>,
    /// The judge by φ alone; `None` where the language's own has the only word.
    pub(crate) walk: Option<&'w mut (dyn Judge<S> + 'w)>,
    /// When the judge of the walk is asked.
    pub(crate) feasibility: Feasibility,
    /// What one question may cost.
    pub(crate) budget: QueryBudget,
}

impl<S> Splitter<'_, '_, S> {
    /// A way for each side of a branch that is feasible, in the order of the alternatives.
    pub(crate) fn fork(&mut self, trail: &Trail, alternatives: &[Alternative]) -> Vec<Way> {
        let mut res = Vec::with_capacity(alternatives.len());
        let mut both = self.both(trail, alternatives);
        for (index, alternative) in alternatives.iter().enumerate() {
            let cond = alternative.cond;
            if index + 1 == alternatives.len() && res.is_empty() {
                // Together they are exhaustive: where all others are refuted, the last one is taken.
                self.own = None;
            }
            let side = match &mut both {
                Some(both) => both[index].take(),
                None => self.assume(trail, cond),
            };
            if let Some(mut trail) = side {
                let decision = Decision::Alternative(index as u32);
                trail.decisions.push(decision.clone());
                let label = Some(alternative.label.clone());
                res.push(Way { decision, cond, label, trail, is_one_of_several: false });
            }
        }
        count_fork(&mut res);
        res
    }

    /// The two sides of a condition of which the trail's model takes one: a model of the other shows that neither follows
    /// from φ. `None` where it is not so, or where a model of φ is no proof that there is such a run.
    fn both(&mut self, trail: &Trail, alternatives: &[Alternative]) -> Option<[Option<Trail>; 2]> {
        let [first, second] = alternatives else { return None };
        let (first, second) = (first.cond, second.cond);
        let asks = self.own.is_none() && self.feasibility == Feasibility::Branch;
        if !asks || self.terms.as_bool(first).is_some() || self.terms.not(first) != second {
            return None;
        }
        let takes_first = trail.truth(self.terms, first)?;
        let (taken, other) = if takes_first { (first, second) } else { (second, first) };
        let witness = trail.witness.clone()?;
        let other = self.assume(trail, other);
        let taken = match &other {
            Some(Trail { witness: Some(_), .. }) => trail.extended_open(self.terms, taken, witness),
            _ => trail.extended(self.terms, taken, Some(witness), None),
        };
        Some(if takes_first { [Some(taken), other] } else { [other, Some(taken)] })
    }

    /// The trail on which `cond` holds too; `None` when that is infeasible. An unknown answer keeps the trail and marks
    /// it.
    pub(crate) fn assume(&mut self, trail: &Trail, cond: Term) -> Option<Trail> {
        if let Some(value) = self.terms.as_bool(cond) {
            return value.then(|| trail.clone());
        }
        let question = JudgeQuestion { state: self.state, trail, cond, budget: self.budget };
        if let Some(own) = &mut self.own
            && matches!(own.feasible(self.terms, &question), Answer::Unsat)
        {
            return None;
        }
        let truth = trail.truth(self.terms, cond);
        if truth == Some(true) {
            return Some(trail.extended(self.terms, cond, trail.witness.clone(), None));
        }
        let walk = match &mut self.walk {
            Some(walk) if self.feasibility == Feasibility::Branch => walk,
            _ => return Some(trail.extended(self.terms, cond, None, None)),
        };
        match walk.feasible(self.terms, &question) {
            Answer::Sat(model) => Some(match truth {
                Some(_) => trail.extended_open(self.terms, cond, Valuation::from(model)),
                None => trail.extended(self.terms, cond, Some(Valuation::from(model)), None),
            }),
            Answer::Unsat => None,
            Answer::Unknown(reason) => {
                let mut res = trail.extended(self.terms, cond, None, None);
                res.undecided = Some(reason);
                Some(res)
            }
        }
    }

    /// The trails on both sides of a requirement. `budget` is for the question whether it can fail.
    pub(crate) fn require(&mut self, trail: &Trail, cond: Term, budget: QueryBudget) -> Requirement {
        let question = JudgeQuestion { state: self.state, trail, cond, budget };
        let entailment = match (&mut self.own, &mut self.walk) {
            // Its word is the last: what it does not know, φ does not say either.
            (Some(own), _) => own.entails(self.terms, &question),
            (None, Some(walk)) if self.feasibility == Feasibility::Branch => walk.entails(self.terms, &question),
            (None, _) => {
                // Nobody is asked.
                let violated = self.assume(trail, self.terms.not(cond));
                return self.requirement(trail, cond, violated);
            }
        };
        let fails = self.terms.not(cond);
        let violated = match entailment {
            Entailment::Holds => None,
            Entailment::Fails(Some(model)) if trail.truth(self.terms, fails) == Some(false) => {
                Some(trail.extended_open(self.terms, fails, model))
            }
            Entailment::Fails(model) => Some(trail.extended(self.terms, fails, model, None)),
            Entailment::Unknown(reason) => {
                let mut res = trail.extended(self.terms, fails, None, None);
                res.undecided = Some(reason);
                Some(res)
            }
        };
        self.requirement(trail, cond, violated)
    }

    /// The requirement that can fail on the trail `violated`, if there is one.
    fn requirement(&mut self, trail: &Trail, cond: Term, violated: Option<Trail>) -> Requirement {
        let holds = match (&self.own, &violated) {
            // What states know by themselves is no part of φ.
            (Some(_), _) => Some(trail.clone()),
            // φ implies the condition, so φ's model is a model of both.
            (None, None) => Some(trail.extended(self.terms, cond, trail.witness.clone(), None)),
            (None, Some(_)) => self.assume(trail, cond),
        };
        let violated = violated.map(|mut it| {
            it.decisions.push(trail.decisions.failing());
            it
        });
        Requirement { violated, holds }
    }

    /// Splits a trail at a term's value: the value that the model gives, and, if feasible, the rest, on which the
    /// question is asked again. No way where no model is known and none is found.
    pub(crate) fn fork_value(&mut self, trail: &Trail, term: Term) -> Vec<Way> {
        // A value is found by asking, and so is whether there is another one.
        self.feasibility = Feasibility::Branch;
        let Some((valuation, value)) = self.value_of(trail, term) else {
            return Vec::new();
        };
        let constant = self.terms.of_value(self.terms.sort(term), &value);
        let cond = self.terms.eq(term, constant);
        let decision = Decision::Is(value.clone());
        let chosen = trail.extended(self.terms, cond, Some(valuation), Some(decision.clone()));
        let mut res = vec![Way { decision, cond, label: None, trail: chosen, is_one_of_several: false }];
        let cond = self.terms.not(cond);
        if let Some(mut trail) = self.assume(trail, cond) {
            let decision = Decision::Not(value);
            trail.decisions.push(decision.clone());
            res.push(Way { decision, cond, label: None, trail, is_one_of_several: false });
        }
        count_fork(&mut res);
        res
    }

    fn value_of(&mut self, trail: &Trail, term: Term) -> Option<(Valuation, Value)> {
        let valuation = match &trail.witness {
            Some(it) => it.clone(),
            None => {
                let question =
                    JudgeQuestion { state: self.state, trail, cond: self.terms.bool(true), budget: self.budget };
                match self.walk.as_mut()?.feasible(self.terms, &question) {
                    Answer::Sat(model) => Valuation::from(model),
                    Answer::Unsat | Answer::Unknown(_) => return None,
                }
            }
        };
        let value = valuation.value(self.terms, term)?;
        Some((valuation, value))
    }
}

/// A fork is a question with several ways on.
fn count_fork(ways: &mut [Way]) {
    if ways.len() > 1 {
        for way in ways {
            way.trail.forks += 1;
            way.is_one_of_several = true;
        }
    }
}

/// Why nothing can be said of a path on which no way on is known: an earlier unknown answer hides that there is none.
pub(crate) fn stuck(trail: &Trail, what: &str) -> Reason {
    trail.undecided.clone().unwrap_or_else(|| Reason::GaveUp(what.to_owned()))
}
