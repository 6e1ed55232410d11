//! `consume`: checks and takes a quantified permission.
//!
//! Knows: what each chunk gives of it, and the snapshot of what was taken. Never: single locations.

use super::{Access, Conjunct, conjuncts};
use crate::failure::ReasonKind;
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Give, State, Take, Task, Work};
use effigy_contracts::program::Exp;
use effigy_heap::heap::{Chunk, ChunkId, Heap, QuantifiedChunk, Resource};
use effigy_solver::prover::ProofEffort;
use effigy_term::{Node, Term};
use num_traits::{Signed, Zero};

impl<'a> Machine<'a, '_> {
    /// Checks and takes the conjuncts of a quantified assertion, one after the other; the snapshot of what they ask for.
    pub(crate) fn consume_quantified(
        &mut self,
        state: &mut State<'a>,
        exp: &'a Exp,
        scene: &Scene<'_, 'a>,
        task: &Task<'a>,
        take: Take,
    ) -> Res<Term> {
        let conjuncts = match conjuncts(exp, true) {
            Ok(it) => it,
            Err((what, span)) => return self.unsupported(what, span),
        };
        let mut snapshots = Vec::with_capacity(conjuncts.len());
        for conjunct in &conjuncts {
            let left = state.heap.clone();
            let scene = Scene { held: &left, ..*scene };
            let snapshot = if conjunct.exp.is_pure() {
                let failed = self.account.failed;
                let goal = self.pure_conjunct(&scene, conjunct)?;
                if (scene.checked || scene.mode.lenient) && self.account.failed == failed {
                    self.holds(&scene, goal, ReasonKind::AssertionFalse, conjunct.exp.span)?;
                }
                self.assume(goal);
                self.snapshots.unit(self.terms)
            } else {
                self.consume_access(state, &scene, conjunct, task, take)?
            };
            snapshots.push(snapshot);
        }
        let mut res = snapshots.pop().unwrap_or_else(|| self.snapshots.unit(self.terms));
        while let Some(snapshot) = snapshots.pop() {
            res = self.snapshots.combine(self.terms, snapshot, res);
        }
        Ok(res)
    }

    fn consume_access(
        &mut self,
        state: &mut State<'a>,
        scene: &Scene<'_, 'a>,
        conjunct: &Conjunct<'a>,
        task: &Task<'a>,
        take: Take,
    ) -> Res<Term> {
        if take == Take::Chunk {
            return self.unsupported("quantified permissions in pure methods", conjunct.exp.span);
        }
        let Some(mut access) = self.access(scene, conjunct, task.scale, Give::Amount)? else {
            return Ok(self.fresh("snapshot", self.vocabulary.snapshot()));
        };
        let heap = state.heap.clone();
        let needed = self.amount_of_formals(scene, &mut access)?;
        let alone = self.chunk_with_all(&heap, &access, take);
        if scene.checked
            && alone.is_none()
            && !self.is_held_by_all(scene, &heap, &access, take)?
            && !scene.blame.goes_on
        {
            return Err(Stop::Infeasible);
        }
        // Whoever folds, or applies a function, is told the values.
        let told = take != Take::Amount || state.work.iter().any(|it| matches!(it, Work::Fold(..) | Work::Closed));
        let snapshot = match told {
            true => self.values_of(&heap, &access, needed),
            false => self.fresh("snapshot", self.vocabulary.snapshot()),
        };
        if take == Take::Amount {
            match alone {
                Some(id) => self.take_from(&mut state.heap, access.resource, id, needed),
                None => self.take_quantified(&mut state.heap, &access, needed),
            }
        }
        Ok(snapshot)
    }

    /// The chunk that is known to have all that is asked for, of each instance.
    fn chunk_with_all(&mut self, heap: &Heap, access: &Access, take: Take) -> Option<ChunkId> {
        if access.amount.wildcard {
            return None;
        }
        let values = self.some_values(&access.bound);
        let at = |it: Term| self.at_values(it, &access.bound, &values);
        let (guard, amount, any, inverse) =
            (at(access.guard), at(access.amount.term), at(access.any), at(access.inverse));
        let args: Vec<Term> = access.args.iter().map(|&it| at(it)).collect();
        self.push();
        self.branch_on(guard);
        self.assume(inverse);
        let mut res = None;
        for (id, chunk) in heap.quantified_of(access.resource) {
            let share = self.share(chunk, &args);
            let goal = match take {
                Take::Amount => self.terms.real_le(amount, share.perm),
                _ => self.terms.implies(any, share.any),
            };
            if self.known(goal) {
                res = Some(id);
                break;
            }
        }
        self.pop();
        self.pop();
        res
    }

    /// Takes of one chunk, which has it.
    fn take_from(&mut self, heap: &mut Heap, resource: Resource, id: ChunkId, needed: Term) {
        let found = heap.quantified_of(resource).find(|it| it.0 == id).map(|it| it.1.clone());
        let Some(chunk) = found else { return };
        let perm = self.left_of(chunk.perm, needed);
        let left = (!self.is_nothing(resource, perm)).then_some(QuantifiedChunk { perm, ..chunk });
        heap.replace_quantified(id, left);
    }

    /// Whether so much is held of each receiver; that it may not be is reported.
    fn is_held_by_all(&mut self, scene: &Scene<'_, 'a>, heap: &Heap, access: &Access, take: Take) -> Res<bool> {
        let values = self.some_values(&access.bound);
        let at = |it: Term| self.at_values(it, &access.bound, &values);
        let (guard, amount, any) = (at(access.guard), at(access.amount.term), at(access.any));
        let at_inverse = at(access.inverse);
        let args: Vec<Term> = access.args.iter().map(|&it| at(it)).collect();
        self.push();
        self.branch_on(guard);
        self.assume(at_inverse);
        self.assume_location(heap, access.resource, &args);
        let goal = if take == Take::Amount && !access.amount.wildcard {
            let held = self.held(heap, access.resource, &args);
            self.terms.real_le(amount, held)
        } else {
            let shares = self.shares(heap, access.resource, &args);
            self.terms.implies(any, self.terms.or_all(shares.iter().map(|it| it.any)))
        };
        let res = self.holds(scene, goal, ReasonKind::InsufficientPermission, access.culprit);
        self.pop();
        self.pop();
        res
    }

    /// Takes of the chunks what an access asks for, of which it was shown that it is there: `needed`, for each receiver.
    fn take_quantified(&mut self, heap: &mut Heap, access: &Access, needed: Term) {
        let resource = access.resource;
        let formals = self.formal_args(resource);
        let zero = self.no_permission();
        let mut missing = needed;
        let ordinary: Vec<(ChunkId, Chunk)> = heap.of(resource).map(|(id, it)| (id, it.clone())).collect();
        for (id, chunk) in ordinary {
            let asked = self.at_args(resource, missing, &chunk.args);
            let nothing = self.terms.real_le(asked, zero);
            if self.known(nothing) {
                continue;
            }
            let taken = if access.amount.wildcard {
                self.smaller_than(asked, chunk.perm)
            } else {
                let enough = self.terms.real_le(asked, chunk.perm);
                if self.known(enough) { asked } else { self.terms.ite(enough, asked, chunk.perm) }
            };
            let left = self.terms.real_sub(chunk.perm, taken);
            let none = self.terms.real_le(left, zero);
            let gone = self.known(none);
            let chunk_args = std::rc::Rc::clone(&chunk.args);
            match gone {
                true => heap.remove(id),
                false => heap.replace(id, Chunk { perm: left, ..chunk }),
            }
            if !access.amount.wildcard {
                let is_it = formals.iter().zip(chunk_args.iter()).map(|(&formal, &arg)| self.terms.eq(formal, arg));
                let is_it = self.terms.and_all(is_it);
                let of_it = self.terms.ite(is_it, taken, zero);
                missing = self.terms.real_sub(missing, of_it);
            }
        }
        let quantified: Vec<(ChunkId, QuantifiedChunk)> =
            heap.quantified_of(resource).map(|(id, it)| (id, it.clone())).collect();
        let count = quantified.len();
        for (at, (id, chunk)) in quantified.into_iter().enumerate() {
            let taken = if access.amount.wildcard {
                self.assume_smaller(access, chunk.perm);
                let any = self.has_any(chunk.perm);
                self.terms.ite(any, missing, zero)
            } else if at + 1 == count || chunk.perm == missing {
                // What is missing at last is there: so it was shown.
                missing
            } else {
                self.terms.ite(self.terms.real_le(missing, chunk.perm), missing, chunk.perm)
            };
            if !access.amount.wildcard {
                missing = self.terms.real_sub(missing, taken);
            }
            let perm = self.left_of(chunk.perm, taken);
            let left = (!self.is_nothing(resource, perm)).then_some(QuantifiedChunk { perm, ..chunk });
            heap.replace_quantified(id, left);
        }
    }

    /// What is left of an amount when another one, which is not more, is taken: of the same amount under two conditions,
    /// it is there where only the one holds.
    pub(super) fn left_of(&self, amount: Term, taken: Term) -> Term {
        let under = |it: Term| match *self.terms.node(it) {
            Node::Ite(cond, some, none) if none == self.no_permission() => Some((cond, some)),
            _ => None,
        };
        let (held, asked) = (under(amount), under(taken));
        if let (Some((cond, some)), Some((taken_if, part))) = (held, asked)
            && cond == taken_if
        {
            return self.terms.ite(cond, self.terms.real_sub(some, part), self.no_permission());
        }
        if let (Some((cond, some)), Some((taken_if, same))) = (held, asked)
            && some == same
            && self.terms.as_real(some).is_some_and(|it| it.is_positive())
        {
            let left = self.terms.and(cond, self.terms.not(taken_if));
            return self.terms.ite(left, some, self.no_permission());
        }
        self.terms.real_sub(amount, taken)
    }

    /// An amount as small as needed, that what is held is more than.
    fn smaller_than(&mut self, amount: Term, held: Term) -> Term {
        let any = self.has_any(held);
        let smaller = self.terms.implies(any, self.terms.real_lt(amount, held));
        self.assume(smaller);
        self.terms.ite(any, amount, self.no_permission())
    }

    /// The amounts of a `wildcard` are less than what a chunk has of each receiver.
    fn assume_smaller(&mut self, access: &Access, perm: Term) {
        let held = self.at_args(access.resource, perm, &access.args);
        let smaller = self.terms.real_lt(access.amount.term, held);
        let fact = self.terms.implies(self.terms.and(access.guard, self.positive(held)), smaller);
        let fact = self.for_each_instance(access, fact);
        self.assume(fact);
    }

    /// Whether nothing is left in a chunk: found out with little effort.
    fn is_nothing(&mut self, resource: Resource, perm: Term) -> bool {
        if let Some(it) = self.terms.as_real(perm) {
            return it.is_zero() || it.is_negative();
        }
        if !self.bound.is_empty() {
            return false;
        }
        let args = self.some_values(&self.vocabulary.formals(self.terms, resource));
        let goal = self.terms.real_le(self.at_args(resource, perm, &args), self.no_permission());
        self.known(goal)
            || self.prover.started() && self.prover.proves(self.terms, goal, ProofEffort::Quick).is_proved()
    }
}
