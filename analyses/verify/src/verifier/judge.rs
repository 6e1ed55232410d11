//! The judge of a verification: what is feasible and what follows in a state, by all that the state knows.
//!
//! Knows: how the prover is taken to a state and asked. Never: which path goes on, what a failure says.
//! Source: Smans et al. 2010, section 3.3 (Σ ⊢ φ).

use super::{Verifier, VerifierState};
use crate::machine::Machine;
use crate::plain::plain;
use effigy_engine::{Entailment, Judge, JudgeQuestion};
use effigy_solver::prover::Proof;
use effigy_solver::{Answer, QueryBudget, Reason};
use effigy_term::{Term, Terms};
use std::time::Instant;

/// The prover of a verification, in the scopes of the state that is asked about. A question's limit of time is kept; its
/// steps are the solver's, and the prover has its own.
pub(super) struct ProofJudge<'v, 'a>(pub(super) &'v Verifier<'a>);

impl<'a> Judge<VerifierState<'a>> for ProofJudge<'_, 'a> {
    /// `Unsat` where the opposite follows. The prover looks for no model.
    fn feasible(&mut self, terms: &Terms, question: &JudgeQuestion<'_, VerifierState<'a>>) -> Answer {
        let JudgeQuestion { state, cond, budget, .. } = *question;
        // What a state tells of itself is true there.
        if state.tells_itself() {
            return Answer::Unknown(Reason::GaveUp("it is known in the state".to_owned()));
        }
        let cond = state.meant(terms, cond);
        match self.0.within(terms, state, budget, |machine| machine.refutes(cond)) {
            Some(Proof::Proved) => Answer::Unsat,
            Some(Proof::NotProved(None)) => Answer::Unknown(Reason::GaveUp("its opposite is not proved".to_owned())),
            Some(Proof::NotProved(Some(reason))) => Answer::Unknown(reason),
            None => Answer::Unknown(Reason::GaveUp("the walk has not started".to_owned())),
        }
    }

    /// A check was proved where it stands in its expression; anything else is proved in the state.
    fn entails(&mut self, terms: &Terms, question: &JudgeQuestion<'_, VerifierState<'a>>) -> Entailment {
        let JudgeQuestion { state, cond, budget, .. } = *question;
        if let Some(answer) = state.answered(terms, cond) {
            return answer;
        }
        let cond = state.meant(terms, cond);
        match self.0.within(terms, state, budget, |machine| machine.follows(cond)) {
            Some(Proof::Proved) => Entailment::Holds,
            Some(Proof::NotProved(None)) => Entailment::Fails(None),
            Some(Proof::NotProved(Some(reason))) => Entailment::Unknown(reason),
            None => Entailment::Unknown(Reason::GaveUp("the walk has not started".to_owned())),
        }
    }
}

impl<'a> Verifier<'a> {
    /// Asks the machine in a state. `None`: the walk has not started.
    fn within<R>(
        &self,
        terms: &Terms,
        state: &VerifierState<'a>,
        budget: QueryBudget,
        ask: impl FnOnce(&mut Machine<'a, '_>) -> R,
    ) -> Option<R> {
        self.with(terms, |machine, _| {
            machine.go_to(&state.sigma);
            let Some(time) = budget.time else { return ask(machine) };
            let deadline = Instant::now() + time;
            machine.prover.set_deadline(Some(machine.deadline.map_or(deadline, |it| it.min(deadline))));
            let res = ask(machine);
            machine.prover.set_deadline(machine.deadline);
            res
        })
    }
}

impl VerifierState<'_> {
    /// Whether the path stands at something that it has learnt.
    fn tells_itself(&self) -> bool {
        self.asked.is_none() && self.coming.as_ref().is_some_and(|it| it.learnt.is_some())
    }

    /// The answer to a check that was made, if the path stands at it.
    fn answered(&self, terms: &Terms, cond: Term) -> Option<Entailment> {
        let check = self.checks.front()?;
        (check.goal == cond || plain(terms, check.goal) == cond).then(|| check.answer.clone())
    }

    /// What a side of the fork says at which the path stands, where a walk is shown less.
    fn meant(&self, terms: &Terms, cond: Term) -> Term {
        let sides = self.asked.iter().flat_map(|it| [it.cond, it.negated]);
        sides.into_iter().find(|&it| it == cond || plain(terms, it) == cond).unwrap_or(cond)
    }
}

#[cfg(test)]
mod tests;
