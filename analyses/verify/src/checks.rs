//! Checks: what had to hold while a path moved, and what the prover said of it.
//!
//! Knows: which checks are told to the walk, under which assumptions. Never: what is done where one fails.
//!
//! An expression is evaluated in one piece, so that a check inside of it cannot leave the path standing at it: it is
//! proved where it stands, in the scopes of the evaluation, and told to the walk when the path stands again. So a check is
//! a requirement of the path as in any language, and the walk has its answer from the judge (`verifier::judge`). Where
//! nobody looks, its goal is told as it was proved, without what was assumed around it.

use crate::failure::ReasonKind;
use crate::machine::{Machine, Scene};
use crate::state::Check;
use effigy_contracts::program::Span;
use effigy_engine::Entailment;
use effigy_solver::prover::Proof;
use effigy_term::Term;

impl<'a> Machine<'a, '_> {
    /// Notes a check for the walk: not one that is only tried, nor one of merged paths, of which nothing is told.
    pub(crate) fn note_check(
        &mut self,
        scene: &Scene<'_, 'a>,
        goal: Term,
        reason: ReasonKind,
        culprit: Span,
        proof: &Proof,
    ) {
        if scene.mode.trying || self.merging {
            return;
        }
        let answer = match proof {
            Proof::Proved => Entailment::Holds,
            Proof::NotProved(None) => Entailment::Fails(None),
            Proof::NotProved(Some(reason)) => Entailment::Unknown(reason.clone()),
        };
        let goal = if self.watched { self.goal_of_path(goal) } else { goal };
        if self.terms.as_bool(goal) == Some(true) {
            // Nobody is asked about a constant.
            return;
        }
        self.checks.push(Check { goal, blame: scene.blame, reason, culprit, answer });
    }

    /// Notes a check that holds, where it was to be shown.
    pub(crate) fn note_held(&mut self, scene: &Scene<'_, 'a>, goal: Term, reason: ReasonKind, culprit: Span) {
        if scene.checked {
            self.note_check(scene, goal, reason, culprit, &Proof::Proved);
        }
    }

    /// Does something that may be done again, or not at all: what is checked in it is not told.
    pub(crate) fn tried<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let told = self.checks.len();
        let res = body(self);
        self.checks.truncate(told);
        res
    }

    /// A goal of an evaluation as one of the path: what was assumed in the scopes of the evaluation implies it, whatever
    /// the bound variables are.
    fn goal_of_path(&self, goal: Term) -> Term {
        let assumed = self.assumed_in_step();
        let goal = if assumed.is_empty() { goal } else { self.terms.implies(self.terms.and_all(assumed), goal) };
        if self.bound.is_empty() { goal } else { self.terms.forall(&self.bound, &[], goal) }
    }
}
