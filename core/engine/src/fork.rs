//! Forking: how the walk's questions are put to the solver.
//!
//! Knows: the alternatives of a path, φ and its model. Never: which path goes on first.
//! Source: King 1976, section 2 (forking execution); section 4 (the execution tree).

use crate::decision::{Decision, Resolution};
use crate::path::{Trail, Valuation};
use crate::question::{Alternative, AlternativeLabel};
use effigy_solver::{Answer, Query, QueryBudget, Reason, Solver};
use effigy_term::{Node, Term, Terms, Value};

/// The solver and what one query may spend: everything that answers questions.
pub struct Engine<'a> {
    /// The arena of the terms that are asked about.
    pub terms: &'a Terms,
    /// The outermost layer of the chain of solvers.
    pub solver: &'a mut dyn Solver,
    /// What one query may spend.
    pub budget: QueryBudget,
}

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

impl Engine<'_> {
    /// Splits a trail at a branch: a way for each side that is feasible, in the order of the alternatives. A side that
    /// the trail's model takes needs no query.
    pub fn fork(&mut self, trail: &Trail, alternatives: &[Alternative], feasibility: Feasibility) -> Vec<Way> {
        let mut res = Vec::with_capacity(alternatives.len());
        let mut both = self.both(trail, alternatives, feasibility);
        for (index, alternative) in alternatives.iter().enumerate() {
            let cond = alternative.cond;
            let side = match &mut both {
                Some(both) => both[index].take(),
                None => self.assume_when(trail, cond, feasibility),
            };
            if let Some(mut trail) = side {
                let decision = Decision::Alternative(index as u32);
                trail.decisions.push(decision.clone());
                res.push(Way { decision, cond, label: Some(alternative.label.clone()), trail });
            }
        }
        count_fork(&mut res);
        res
    }

    /// The two sides of a condition of which the trail's model takes one: a model of the other shows that neither follows
    /// from φ. `None` where it is not so.
    fn both(
        &mut self,
        trail: &Trail,
        alternatives: &[Alternative],
        feasibility: Feasibility,
    ) -> Option<[Option<Trail>; 2]> {
        let [first, second] = alternatives else { return None };
        let (first, second) = (first.cond, second.cond);
        if feasibility == Feasibility::Leaf || self.terms.as_bool(first).is_some() || self.terms.not(first) != second {
            return None;
        }
        let takes_first = trail.truth(self.terms, first)?;
        let (taken, other) = if takes_first { (first, second) } else { (second, first) };
        let witness = trail.witness.clone()?;
        let other = self.assume_when(trail, other, feasibility);
        let taken = match &other {
            Some(Trail { witness: Some(_), .. }) => trail.extended_open(self.terms, taken, witness),
            _ => trail.extended(self.terms, taken, Some(witness), None),
        };
        Some(if takes_first { [Some(taken), other] } else { [other, Some(taken)] })
    }

    /// The trail on which `cond` holds too; `None` when that is infeasible.
    /// An unknown answer keeps the trail and marks it.
    pub fn assume(&mut self, trail: &Trail, cond: Term) -> Option<Trail> {
        self.assume_when(trail, cond, Feasibility::Branch)
    }

    /// As [`Engine::assume`]; with [`Feasibility::Leaf`] without a query, and without a model where the trail's own
    /// does not satisfy the condition.
    pub fn assume_when(&mut self, trail: &Trail, cond: Term, feasibility: Feasibility) -> Option<Trail> {
        if let Some(value) = self.terms.as_bool(cond) {
            return value.then(|| trail.clone());
        }
        let truth = trail.truth(self.terms, cond);
        if truth == Some(true) {
            return Some(trail.extended(self.terms, cond, trail.witness.clone(), None));
        }
        if feasibility == Feasibility::Leaf {
            return Some(trail.extended(self.terms, cond, None, None));
        }
        match self.ask(trail, cond, true) {
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

    /// Is `goal` satisfiable together with φ?
    pub fn check(&mut self, trail: &Trail, goal: Term) -> Answer {
        self.ask(trail, goal, false)
    }

    /// `tried` says whether the trail's witness is known not to satisfy the goal: it is not evaluated again.
    fn ask(&mut self, trail: &Trail, goal: Term, tried: bool) -> Answer {
        let witness = trail.witness.as_deref();
        let query = Query { only: None, path: &trail.condition, goal, witness, tried, budget: self.budget };
        self.solver.check(self.terms, &query)
    }

    /// Asks the solver whether φ itself is satisfiable.
    pub fn satisfiable(&mut self, trail: &Trail) -> Answer {
        self.check(trail, self.terms.bool(true))
    }

    /// Splits a trail at a requirement. `budget` is for the question whether it can fail.
    pub fn require(&mut self, trail: &Trail, cond: Term, feasibility: Feasibility, budget: QueryBudget) -> Requirement {
        let usual = std::mem::replace(&mut self.budget, budget);
        let violated = self.fails(trail, cond, feasibility);
        self.budget = usual;
        let Some(mut violated) = violated else {
            // φ implies the condition, so φ's model is a model of both.
            let holds = trail.extended(self.terms, cond, trail.witness.clone(), None);
            return Requirement { violated: None, holds: Some(holds) };
        };
        violated.decisions.push(trail.decisions.failing());
        let holds = self.assume_when(trail, cond, feasibility);
        Requirement { violated: Some(violated), holds }
    }

    /// The trail on which a condition fails. Each conjunct of it is a question of its own: a solver answers many small
    /// ones sooner than one large one, and what fails one fails all.
    fn fails(&mut self, trail: &Trail, cond: Term, feasibility: Feasibility) -> Option<Trail> {
        let fails = self.terms.not(cond);
        let parts = match self.terms.node(cond) {
            Node::And(parts) if feasibility == Feasibility::Branch => parts,
            _ => return self.assume_when(trail, fails, feasibility),
        };
        let mut unknown = None;
        for &part in parts.iter() {
            match self.assume(trail, self.terms.not(part)) {
                None => {}
                Some(Trail { witness: Some(model), .. }) => {
                    return Some(trail.extended(self.terms, fails, Some(model), None));
                }
                Some(Trail { undecided, .. }) => unknown = undecided,
            }
        }
        let reason = unknown?;
        let mut res = trail.extended(self.terms, fails, None, None);
        res.undecided = Some(reason);
        Some(res)
    }

    /// Splits a trail at a term's value: the value that the model gives, and, if feasible, the rest, on which the
    /// question is asked again. No way where no model is known and the solver finds none.
    pub fn fork_value(&mut self, trail: &Trail, term: Term) -> Vec<Way> {
        let Some((valuation, value)) = self.value_of(trail, term) else {
            return Vec::new();
        };
        let constant = self.terms.of_value(self.terms.sort(term), &value);
        let cond = self.terms.eq(term, constant);
        let decision = Decision::Is(value.clone());
        let chosen = trail.extended(self.terms, cond, Some(valuation), Some(decision.clone()));
        let mut res = vec![Way { decision, cond, label: None, trail: chosen }];
        let cond = self.terms.not(cond);
        if let Some(mut trail) = self.assume(trail, cond) {
            let decision = Decision::Not(value);
            trail.decisions.push(decision.clone());
            res.push(Way { decision, cond, label: None, trail });
        }
        count_fork(&mut res);
        res
    }

    fn value_of(&mut self, trail: &Trail, term: Term) -> Option<(Valuation, Value)> {
        let valuation = match &trail.witness {
            Some(it) => it.clone(),
            None => match self.satisfiable(trail) {
                Answer::Sat(model) => Valuation::from(model),
                Answer::Unsat | Answer::Unknown(_) => return None,
            },
        };
        let value = valuation.value(self.terms, term)?;
        Some((valuation, value))
    }
}

/// A fork is a question with several ways on.
fn count_fork(ways: &mut [Way]) {
    if ways.len() > 1 {
        ways.iter_mut().for_each(|it| it.trail.forks += 1);
    }
}

/// Why nothing can be said of a path on which no way on is known: an earlier unknown answer hides that there is none.
pub(crate) fn stuck(trail: &Trail, what: &str) -> Reason {
    trail.undecided.clone().unwrap_or_else(|| Reason::GaveUp(what.to_owned()))
}
