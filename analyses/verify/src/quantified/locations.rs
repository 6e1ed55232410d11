//! Single locations, where quantified chunks give permission beside ordinary ones.
//!
//! Knows: what is held of one location and which value it has, how an amount of it is taken. Never: quantified
//! assertions.
//!
//! A value is that of the first chunk of which anything is held; that all such chunks agree, and that their amounts add up
//! to at most the whole, is assumed of each location that is looked at.

use crate::chunks::Taking;
use crate::failure::ReasonKind;
use crate::machine::{Machine, Res, Scene, Stop};
use effigy_contracts::program::{FieldId, Span};
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
    /// A term about the formal receiver, about this object.
    pub(crate) fn at_receiver(&self, term: Term, object: Term) -> Term {
        let formal = self.vocabulary.receiver(self.terms);
        self.terms.substitute(term, &mut |symbol| (symbol == formal).then_some(object))
    }

    /// What a quantified chunk has of an object's field.
    pub(crate) fn share(&mut self, chunk: &QuantifiedChunk, object: Term) -> Share {
        let perm = self.at_receiver(chunk.perm, object);
        let any = self.has_any(perm);
        Share { perm, any, value: self.vocabulary.lookup(self.terms, chunk.field, chunk.values, object) }
    }

    /// What an ordinary chunk has of a location, which it is under this condition.
    fn share_of(&mut self, chunk: &Chunk, same: Term) -> Share {
        let perm = self.terms.ite(same, chunk.perm, self.no_permission());
        let any = self.has_any(chunk.perm);
        Share { perm, any: self.terms.and(same, any), value: chunk.value }
    }

    /// The amount that quantified chunks have of an object's field; `None` if there are none of the field.
    pub(crate) fn held_quantified(&mut self, heap: &Heap, resource: Resource, args: &[Term]) -> Option<Term> {
        let object = *args.first()?;
        let chunks: Vec<QuantifiedChunk> = heap.quantified_of(resource).map(|it| it.1.clone()).collect();
        let shares: Vec<Term> = chunks.iter().map(|it| self.at_receiver(it.perm, object)).collect();
        shares.into_iter().reduce(|a, b| self.terms.real_add(a, b))
    }

    /// What the chunks have of a location, those left out that are known to have nothing.
    pub(crate) fn shares(&mut self, heap: &Heap, resource: Resource, args: &[Term]) -> Vec<Share> {
        let mut res = Vec::new();
        for (id, same) in self.candidates(heap, resource, args) {
            let Some(chunk) = heap.get(id).cloned() else { continue };
            let share = self.share_of(&chunk, same);
            res.push(share);
        }
        if let Some(&object) = args.first() {
            let chunks: Vec<QuantifiedChunk> = heap.quantified_of(resource).map(|it| it.1.clone()).collect();
            for chunk in &chunks {
                let share = self.share(chunk, object);
                res.push(share);
            }
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

    /// Assumes what follows for an object from what the chunks say of it: after a chunk of it was added.
    pub(crate) fn assume_location(&mut self, heap: &Heap, field: FieldId, object: Term) {
        let resource = Resource::Field(field);
        let shares = self.shares(heap, resource, &[object]);
        self.value_of(resource, &shares);
    }

    /// Takes of quantified chunks what is missing still, each giving what it can.
    pub(crate) fn take_from_quantified(
        &mut self,
        heap: &mut Heap,
        resource: Resource,
        args: &[Term],
        taking: &mut Taking,
    ) {
        let Some(&object) = args.first() else { return };
        let zero = self.no_permission();
        let chunks: Vec<(ChunkId, QuantifiedChunk)> =
            heap.quantified_of(resource).map(|(id, it)| (id, it.clone())).collect();
        for (id, chunk) in chunks {
            let share = self.share(&chunk, object);
            let nothing = self.terms.not(share.any);
            if self.known(nothing) {
                continue;
            }
            let taken = if taking.wildcard {
                taking.some = self.terms.or(taking.some, share.any);
                let smaller = self.terms.implies(share.any, self.terms.real_lt(taking.missing, share.perm));
                self.assume(smaller);
                self.terms.ite(share.any, taking.missing, zero)
            } else {
                let enough = self.terms.real_le(taking.missing, share.perm);
                let taken = match self.known(enough) {
                    true => taking.missing,
                    false => self.terms.ite(enough, taking.missing, share.perm),
                };
                taking.missing = self.terms.real_sub(taking.missing, taken);
                taken
            };
            let formal = self.terms.of_symbol(self.vocabulary.receiver(self.terms));
            let of_it = self.terms.ite(self.terms.eq(formal, object), taken, zero);
            let perm = self.left_of(chunk.perm, of_it);
            heap.replace_quantified(id, Some(QuantifiedChunk { perm, ..chunk }));
        }
    }

    /// A new object is none of those of which anything is held, nor the value of one.
    pub(crate) fn keep_out_of_quantified(&mut self, heap: &Heap, object: Term) {
        let chunks: Vec<QuantifiedChunk> = heap.quantified().cloned().collect();
        for chunk in &chunks {
            let none = self.terms.real_le(self.at_receiver(chunk.perm, object), self.no_permission());
            self.assume(none);
            if self.vocabulary.sort(self.terms, &self.program.fields[chunk.field.index()].typ)
                == self.vocabulary.reference()
            {
                let symbol = self.fresh_bound("holder", self.vocabulary.reference());
                let holder = self.terms.of_symbol(symbol);
                let share = self.share(chunk, holder);
                let other = self.terms.ne(share.value, object);
                let fact = self.terms.implies(share.any, other);
                let fact = self.terms.forall(&[symbol], &[vec![share.value]], fact);
                self.assume(fact);
            }
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
