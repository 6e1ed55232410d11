//! `produce`: adds a quantified permission.
//!
//! Knows: what follows from permissions that are there. Never: single locations.

use super::{Access, Conjunct, conjuncts};
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Give, Mode, State, Task};
use effigy_contracts::program::Exp;
use effigy_heap::heap::{Heap, QuantifiedChunk, Resource};
use effigy_term::Term;
use num_traits::Zero;

impl<'a> Machine<'a, '_> {
    /// Adds the conjuncts of a quantified assertion, one after the other: a later one may read what an earlier one gives.
    pub(crate) fn produce_quantified(
        &mut self,
        state: &mut State<'a>,
        exp: &'a Exp,
        task: &Task<'a>,
        mode: Mode,
        snapshot: Option<Term>,
        give: Give,
    ) -> Res<()> {
        let conjuncts = match conjuncts(exp, mode.exhale_side) {
            Ok(it) => it,
            Err((what, span)) => return self.unsupported(what, span),
        };
        let mut rest = snapshot;
        for (at, conjunct) in conjuncts.iter().enumerate() {
            let mut part = rest;
            if at + 1 < conjuncts.len() {
                let parts = self.parts(rest, task.scale.is_some(), mode);
                (part, rest) = (parts.map(|it| it.0), parts.map(|it| it.1));
            }
            let heap = state.heap.clone();
            let scene = Scene {
                env: &task.env,
                heap: &heap,
                held: &heap,
                blame: task.blame.of(exp),
                checked: mode.checks(),
                mode,
                amounts: give == Give::Amount,
            };
            if conjunct.exp.is_pure() {
                self.assume_unit(part);
                let fact = self.pure_conjunct(&scene, conjunct)?;
                if self.terms.as_bool(fact) == Some(false) {
                    return Err(Stop::Infeasible);
                }
                self.assume(fact);
            } else {
                self.produce_access(state, &scene, conjunct, task, part, give)?;
            }
        }
        Ok(())
    }

    fn produce_access(
        &mut self,
        state: &mut State<'a>,
        scene: &Scene<'_, 'a>,
        conjunct: &Conjunct<'a>,
        task: &Task<'a>,
        snapshot: Option<Term>,
        give: Give,
    ) -> Res<()> {
        let Some(mut access) = self.access(scene, conjunct, task.scale, give)? else { return Ok(()) };
        let perm = self.amount_of_formals(scene, &mut access)?;
        let values = snapshot.unwrap_or_else(|| self.fresh("values", self.vocabulary.snapshot()));
        self.assume_no_null(&access);
        if !self.terms.as_real(perm).is_some_and(|it| it.is_zero()) {
            state.heap.insert_quantified(QuantifiedChunk { resource: access.resource, perm, values });
        }
        self.assume_within_whole(&state.heap, &access);
        Ok(())
    }

    /// No permission is held to a field of null.
    fn assume_no_null(&mut self, access: &Access) {
        let (Resource::Field(_), Some(&object)) = (access.resource, access.args.first()) else { return };
        let domain = self.terms.and(access.guard, access.any);
        let not_null = self.terms.ne(object, self.vocabulary.null(self.terms));
        let fact = self.terms.implies(domain, not_null);
        let fact = self.for_each_instance(access, fact);
        self.assume(fact);
    }

    /// What is held of each field is at most the whole, and all who have something of one location say the same of it.
    fn assume_within_whole(&mut self, heap: &Heap, access: &Access) {
        let alone = heap.of(access.resource).next().is_none() && heap.quantified_of(access.resource).count() < 2;
        if alone {
            if let Resource::Field(_) = access.resource {
                let within = self.terms.real_le(access.amount.term, self.full_permission());
                let fact = self.terms.implies(access.guard, within);
                let fact = self.for_each_instance(access, fact);
                self.assume(fact);
            }
            return;
        }
        let depth = self.bound.len();
        self.bound.extend(&access.bound);
        self.push();
        self.branch_on(access.guard);
        self.assume_location(heap, access.resource, &access.args);
        let learnt = self.pop();
        self.pop();
        self.bound.truncate(depth);
        for fact in learnt {
            let fact = self.terms.implies(access.guard, fact);
            let fact = self.for_each_instance(access, fact);
            self.assume(fact);
        }
    }
}
