//! The engine: a solver with its budget, which judges a path by its condition.
//!
//! Knows: φ and its model. Never: what a state knows beside φ, which path goes on first.

use crate::fork::{Feasibility, Splitter, Way};
use crate::judge::{Entailment, Judge, JudgeQuestion};
use crate::path::{Trail, Valuation};
use crate::question::Alternative;
use effigy_solver::{Answer, Query, QueryBudget, Solver};
use effigy_term::{Node, Term, Terms};

/// The solver and what one query may spend: everything that answers questions.
pub struct Engine<'a> {
    /// The arena of the terms that are asked about.
    pub terms: &'a Terms,
    /// The outermost layer of the chain of solvers.
    pub solver: &'a mut dyn Solver,
    /// What one query may spend.
    pub budget: QueryBudget,
}

/// A solver judges by φ, whatever the state is.
impl<S> Judge<S> for Engine<'_> {
    /// The trail's own model is not tried: who asks has looked there.
    fn feasible(&mut self, terms: &Terms, question: &JudgeQuestion<'_, S>) -> Answer {
        let JudgeQuestion { trail, cond, budget, .. } = *question;
        let witness = trail.witness.as_deref();
        let query = Query { only: None, path: &trail.condition, goal: cond, witness, tried: true, budget };
        self.solver.check(terms, &query)
    }

    /// Each conjunct is a question of its own: a solver answers many small ones sooner than one large one, and what fails
    /// one fails all.
    fn entails(&mut self, terms: &Terms, question: &JudgeQuestion<'_, S>) -> Entailment {
        let parts = match terms.node(question.cond) {
            Node::And(parts) => parts,
            _ => std::slice::from_ref(&question.cond),
        };
        let mut unknown = None;
        for &part in parts.iter() {
            let fails = terms.not(part);
            match terms.as_bool(fails) {
                Some(false) => continue,
                // φ's own model, if it has one.
                Some(true) => return Entailment::Fails(question.trail.witness.clone()),
                None => {}
            }
            if question.trail.truth(terms, fails) == Some(true) {
                return Entailment::Fails(question.trail.witness.clone());
            }
            match self.feasible(terms, &JudgeQuestion { cond: fails, ..*question }) {
                Answer::Unsat => {}
                Answer::Sat(model) => return Entailment::Fails(Some(Valuation::from(model))),
                Answer::Unknown(reason) => unknown = Some(reason),
            }
        }
        unknown.map_or(Entailment::Holds, Entailment::Unknown)
    }
}

impl Engine<'_> {
    /// The trail on which `cond` holds too; `None` when that is infeasible.
    /// An unknown answer keeps the trail and marks it.
    pub fn assume(&mut self, trail: &Trail, cond: Term) -> Option<Trail> {
        self.assume_when(trail, cond, Feasibility::Branch)
    }

    /// As [`Engine::assume`]; with [`Feasibility::Leaf`] without a query, and without a model where the trail's own
    /// does not satisfy the condition.
    pub fn assume_when(&mut self, trail: &Trail, cond: Term, feasibility: Feasibility) -> Option<Trail> {
        self.splitter(feasibility).assume(trail, cond)
    }

    /// A way for each side of a branch that is feasible, in the order of the alternatives.
    pub fn fork(&mut self, trail: &Trail, alternatives: &[Alternative], feasibility: Feasibility) -> Vec<Way> {
        self.splitter(feasibility).fork(trail, alternatives)
    }

    /// Is `goal` satisfiable together with φ?
    pub fn check(&mut self, trail: &Trail, goal: Term) -> Answer {
        let witness = trail.witness.as_deref();
        let query = Query { only: None, path: &trail.condition, goal, witness, tried: false, budget: self.budget };
        self.solver.check(self.terms, &query)
    }

    /// Asks the solver whether φ itself is satisfiable.
    pub fn satisfiable(&mut self, trail: &Trail) -> Answer {
        self.check(trail, self.terms.bool(true))
    }

    /// Splits trails whatever their state is.
    fn splitter(&mut self, feasibility: Feasibility) -> Splitter<'_, '_, ()> {
        let (terms, budget) = (self.terms, self.budget);
        Splitter { terms, state: &(), own: None, walk: Some(self), feasibility, budget }
    }
}
