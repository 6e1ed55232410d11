//! Forking: how the walk's questions are put to the solver.
//!
//! Knows: the alternatives of a path, φ and its model. Never: which path goes on first.
//! Source: King 1976, section 2 (forking execution); section 4 (the execution tree).

use crate::decision::Decision;
use crate::language::Alternative;
use crate::path::Trail;
use effigy_solver::{Answer, Query, QueryBudget, Reason, Solver};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms, Value};

/// The solver and what one query may spend: everything that answers questions.
pub struct Engine<'a> {
    /// The arena of terms.
    pub terms: &'a Terms,
    /// The chain of layers.
    pub solver: &'a mut dyn Solver,
    /// What one query may spend.
    pub budget: QueryBudget,
}

/// One way on.
#[derive(Clone, Debug)]
pub struct Fork {
    /// What was decided.
    pub decision: Decision,
    /// Under which condition.
    pub cond: Term,
    /// The trail with the condition and the decision in it.
    pub trail: Trail,
}

/// All ways on from a question, in the order of the alternatives.
pub type Forks = Vec<Fork>;

/// What came of a requirement.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The trail into the violation, if it is feasible (or not known to be infeasible: see its `undecided`).
    pub violated: Option<Trail>,
    /// The trail on which the condition holds, if that is feasible.
    pub holds: Option<Trail>,
}

impl Engine<'_> {
    /// Splits a trail at a branch. The side that the trail's model takes needs no query.
    pub fn fork(&mut self, trail: &Trail, alternatives: &[Alternative]) -> Forks {
        let taken = self.alternative_of_witness(trail, alternatives);
        let mut res = Forks::new();
        for (index, alternative) in alternatives.iter().enumerate() {
            let known = taken == Some(index);
            let extended = if known {
                Some(self.extend(trail, alternative.cond, trail.witness.clone(), None))
            } else {
                self.assume(trail, alternative.cond)
            };
            if let Some(mut trail) = extended {
                let decision = Decision::Alternative(index as u32);
                trail.decisions.push(decision.clone());
                res.push(Fork { decision, cond: alternative.cond, trail });
            }
        }
        res
    }

    fn alternative_of_witness(&self, trail: &Trail, alternatives: &[Alternative]) -> Option<usize> {
        let model = trail.witness.as_ref()?;
        let mut evaluator = Evaluator::new(self.terms, model);
        alternatives.iter().position(|it| evaluator.truth(it.cond) == Some(true))
    }

    /// The trail on which `cond` holds too; `None` when that is infeasible.
    /// An unknown answer keeps the trail and marks it.
    pub fn assume(&mut self, trail: &Trail, cond: Term) -> Option<Trail> {
        if let Some(value) = self.terms.as_bool(cond) {
            return value.then(|| trail.clone());
        }
        match self.check(trail, cond) {
            Answer::Sat(model) => Some(self.extend(trail, cond, Some(model), None)),
            Answer::Unsat => None,
            Answer::Unknown(reason) => Some(self.extend(trail, cond, None, Some(reason))),
        }
    }

    /// Is `goal` satisfiable together with φ?
    pub fn check(&mut self, trail: &Trail, goal: Term) -> Answer {
        let query =
            Query { only: None, path: &trail.condition, goal, witness: trail.witness.as_ref(), budget: self.budget };
        self.solver.check(self.terms, &query)
    }

    /// Is φ satisfiable?
    pub fn satisfiable(&mut self, trail: &Trail) -> Answer {
        self.check(trail, self.terms.bool(true))
    }

    /// Splits a trail at a requirement.
    pub fn require(&mut self, trail: &Trail, cond: Term) -> Requirement {
        let violated = self.assume(trail, self.terms.not(cond));
        if violated.is_none() {
            // φ implies the condition, so φ's model is a model of both.
            let holds = self.extend(trail, cond, trail.witness.clone(), None);
            return Requirement { violated, holds: Some(holds) };
        }
        let holds = self.assume(trail, cond);
        Requirement { violated, holds }
    }

    /// Splits a trail at a term's value: the value that the model gives, and the rest, on which the question is
    /// asked again. `None` for the value when no model is known and the solver finds none.
    pub fn fork_value(&mut self, trail: &Trail, term: Term) -> ValueForks {
        let Some((value, trail)) = self.value_of(trail, term) else {
            return ValueForks::Undecided;
        };
        let constant = self.terms.of_value(self.terms.sort(term), &value);
        let cond = self.terms.eq(term, constant);
        let decision = Decision::Value(value);
        let mut chosen = self.extend(&trail, cond, trail.witness.clone(), None);
        chosen.decisions.push(decision.clone());
        let rest = self.assume(&trail, self.terms.not(cond));
        ValueForks::Decided { chosen: Fork { decision, cond, trail: chosen }, rest: rest.map(Box::new) }
    }

    fn value_of(&mut self, trail: &Trail, term: Term) -> Option<(Value, Trail)> {
        let mut trail = trail.clone();
        if trail.witness.is_none() {
            let Answer::Sat(model) = self.check(&trail, self.terms.bool(true)) else {
                return None;
            };
            trail.witness = Some(model);
            trail.undecided = None;
        }
        let value = Evaluator::new(self.terms, trail.witness.as_ref()?).value(term)?;
        Some((value, trail))
    }

    /// `trail` with one more conjunct.
    fn extend(&self, trail: &Trail, cond: Term, witness: Option<Model>, undecided: Option<Reason>) -> Trail {
        let mut res = trail.clone();
        res.condition.assume(self.terms, cond);
        res.witness = witness;
        if undecided.is_some() {
            res.undecided = undecided;
        } else if res.witness.is_some() {
            // A model is proof that φ is satisfiable, whatever was not known before.
            res.undecided = None;
        }
        res
    }
}

/// What came of the question for a value.
#[derive(Debug)]
pub enum ValueForks {
    /// One feasible value, and the trail on which it is another (if feasible).
    Decided {
        /// The trail with this value.
        chosen: Fork,
        /// The trail without it.
        rest: Option<Box<Trail>>,
    },
    /// No value is known to be feasible.
    Undecided,
}
