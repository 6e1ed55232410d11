//! Single locations, where quantified chunks give permission beside ordinary ones.
//!
//! Knows: what is held of one location and which value it has, how an amount of it is taken. Never: quantified
//! assertions.
//!
//! A value is that of the first chunk of which anything is held; that all such chunks agree, and that the amounts of a
//! field add up to at most the whole, is assumed of each location that is looked at.

use crate::chunks::Demand;
use crate::failure::ReasonKind;
use crate::machine::{Machine, Res, Scene, Stop};
use effigy_contracts::program::Span;
use effigy_heap::heap::{Chunk, ChunkId, Heap, QuantifiedChunk, Resource};
use effigy_term::Term;

/// What one chunk has of a location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// The amount, none where the chunk is of another location.
    pub(crate) perm: Term,
    /// That the amount is positive.
    pub(crate) any: Term,
    /// The value, where the amount is positive.
    pub(crate) value: Term,
}

impl<'a> Machine<'a, '_> {
    /// A term about the formal arguments of a resource, about these.
    pub(crate) fn at_args(&self, resource: Resource, term: Term, args: &[Term]) -> Term {
        let formals = self.vocabulary.formals(self.terms, resource);
        self.at_values(term, &formals, args)
    }

    /// The formal arguments of a resource, as terms.
    pub(super) fn formal_args(&self, resource: Resource) -> Vec<Term> {
        let formals = self.vocabulary.formals(self.terms, resource);
        formals.into_iter().map(|it| self.terms.of_symbol(it)).collect()
    }

    /// What a quantified chunk has of a location.
    pub(crate) fn share(&mut self, chunk: &QuantifiedChunk, args: &[Term]) -> Share {
        let perm = self.at_args(chunk.resource, chunk.perm, args);
        let any = self.has_any(perm);
        Share { perm, any, value: self.vocabulary.lookup(self.terms, chunk.resource, chunk.values, args) }
    }

    /// What an ordinary chunk has of a location, which it is under this condition.
    fn share_of(&mut self, chunk: &Chunk, same: Term) -> Share {
        let perm = self.terms.ite(same, chunk.perm, self.no_permission());
        let any = self.has_any(chunk.perm);
        Share { perm, any: self.terms.and(same, any), value: chunk.value }
    }

    /// The amount that quantified chunks have of a location; `None` if there are none of the resource.
    pub(crate) fn held_quantified(&self, heap: &Heap, resource: Resource, args: &[Term]) -> Option<Term> {
        let shares = heap.quantified_of(resource).map(|(_, it)| self.at_args(resource, it.perm, args));
        shares.reduce(|a, b| self.terms.real_add(a, b))
    }

    /// What the chunks have of a location, those left out that are known to have nothing.
    pub(crate) fn shares(&mut self, heap: &Heap, resource: Resource, args: &[Term]) -> Vec<Share> {
        let mut res = Vec::new();
        for (id, same) in self.candidates(heap, resource, args) {
            let Some(chunk) = heap.get(id).cloned() else { continue };
            let share = self.share_of(&chunk, same);
            res.push(share);
        }
        for (_, chunk) in heap.quantified_of(resource) {
            let share = self.share(chunk, args);
            res.push(share);
        }
        let none = |machine: &mut Self, share: &Share| {
            let none = machine.terms.not(share.any);
            machine.known(none)
        };
        res.retain(|it| !none(self, it));
        res
    }

    /// The value of a location of which something is held, with what follows from that it is one location.
    pub(crate) fn value_of(&mut self, resource: Resource, shares: &[Share]) -> Option<Term> {
        let (last, others) = shares.split_last()?;
        let mut value = last.value;
        for it in others.iter().rev() {
            value = self.terms.ite(it.any, it.value, value);
        }
        if !others.is_empty() {
            for it in &shares[1..] {
                let fact = self.terms.implies(it.any, self.terms.eq(value, it.value));
                self.assume(fact);
            }
            if let Resource::Field(_) = resource {
                let sum = shares.iter().map(|it| it.perm).reduce(|a, b| self.terms.real_add(a, b));
                let within = sum.map(|it| self.terms.real_le(it, self.full_permission()));
                within.into_iter().for_each(|it| self.assume(it));
            }
        }
        Some(value)
    }

    /// Assumes what follows for a location from what the chunks say of it: after a chunk of it was added.
    pub(crate) fn assume_location(&mut self, heap: &Heap, resource: Resource, args: &[Term]) {
        let shares = self.shares(heap, resource, args);
        self.value_of(resource, &shares);
    }

    /// Takes of quantified chunks what is missing still, each giving what it can.
    pub(crate) fn take_from_quantified(
        &mut self,
        heap: &mut Heap,
        resource: Resource,
        args: &[Term],
        demand: &mut Demand,
    ) {
        let zero = self.no_permission();
        let formals = self.formal_args(resource);
        let is_it = self.terms.and_all(formals.iter().zip(args).map(|(&formal, &arg)| self.terms.eq(formal, arg)));
        let chunks: Vec<(ChunkId, QuantifiedChunk)> =
            heap.quantified_of(resource).map(|(id, it)| (id, it.clone())).collect();
        for (id, chunk) in chunks {
            let share = self.share(&chunk, args);
            let nothing = self.terms.not(share.any);
            if self.known(nothing) {
                continue;
            }
            let taken = if demand.wildcard {
                demand.some = self.terms.or(demand.some, share.any);
                let smaller = self.terms.implies(share.any, self.terms.real_lt(demand.missing, share.perm));
                self.assume(smaller);
                self.terms.ite(share.any, demand.missing, zero)
            } else {
                let enough = self.terms.real_le(demand.missing, share.perm);
                let taken = match self.known(enough) {
                    true => demand.missing,
                    false => self.terms.ite(enough, demand.missing, share.perm),
                };
                demand.missing = self.terms.real_sub(demand.missing, taken);
                taken
            };
            let of_it = self.terms.ite(is_it, taken, zero);
            let perm = self.left_of(chunk.perm, of_it);
            heap.replace_quantified(id, Some(QuantifiedChunk { perm, ..chunk }));
        }
    }

    /// The value of a location of which quantified chunks may have something, and which must be held where that is checked.
    pub(crate) fn read_quantified(
        &mut self,
        scene: &Scene<'_, 'a>,
        resource: Resource,
        args: &[Term],
        culprit: Span,
    ) -> Res<Option<Term>> {
        let shares = self.shares(scene.heap, resource, args);
        if !scene.checked {
            return Ok(self.value_of(resource, &shares));
        }
        let any = self.terms.or_all(shares.iter().map(|it| it.any));
        if !self.holds(scene, any, ReasonKind::InsufficientPermission, culprit)? {
            return if scene.blame.goes_on { Ok(None) } else { Err(Stop::Infeasible) };
        }
        let value = self.value_of(resource, &shares);
        value.into_iter().for_each(|it| self.note(it));
        Ok(value)
    }
}
