//! Finding, adding and taking chunks.
//!
//! Knows: when a chunk matches, what permission amounts add up to. Never: assertions.
//! Source: Smans et al. 2010, figures 5 to 8 (`matches`); amounts as in Viper.
//!
//! A chunk is looked for literally, then by the classes of the local core (greedy). Only where that fails are all
//! chunks of the resource considered that may match, each under the condition that it does, and the solver asked.

use crate::failure::ReasonKind;
use crate::machine::{Machine, Res, Scene, Stop};
use effigy_contracts::program::{FieldId, Span};
use effigy_heap::heap::{Amount, Chunk, ChunkId, Heap, Resource};
use effigy_term::{Node, Term};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::rc::Rc;

/// What is taken of a location, while chunk after chunk gives of it.
pub(crate) struct Demand {
    /// The amount that is missing still; of a wildcard, the amount that each chunk gives.
    pub(crate) missing: Term,
    /// That some chunk has something to give: of a wildcard.
    pub(crate) some: Term,
    /// Any positive amount will do.
    pub(crate) wildcard: bool,
}

/// The most chunks of one resource that are compared with one another.
const MOST_COMPARED: usize = 40;

impl<'a, 't> Machine<'a, 't> {
    pub(crate) fn no_permission(&self) -> Term {
        self.terms.real(BigRational::zero())
    }

    pub(crate) fn full_permission(&self) -> Term {
        self.terms.real(BigRational::one())
    }

    /// The full permission `write`, as an amount.
    pub(crate) fn write(&self) -> Amount {
        Amount { term: self.full_permission(), wildcard: false }
    }

    /// Some positive amount, small enough for whatever is compared with it later.
    pub(crate) fn wildcard(&mut self) -> Amount {
        let term = self.fresh("wildcard", effigy_term::Sort::Real);
        let positive = self.positive(term);
        self.assume(positive);
        Amount { term, wildcard: true }
    }

    /// The product of two amounts. That it is positive if both are is said here: it is all that is asked of most
    /// products, and solvers are slow to find it out.
    pub(crate) fn scaled(&mut self, amount: Amount, scale: Option<Amount>) -> Amount {
        let Some(scale) = scale else { return amount };
        let term = self.terms.real_mul(amount.term, scale.term);
        let both = self.terms.and(self.positive(amount.term), self.positive(scale.term));
        let fact = self.terms.implies(both, self.positive(term));
        self.assume(fact);
        Amount { term, wildcard: amount.wildcard || scale.wildcard }
    }

    /// The condition `0 < amount`, of sort Bool.
    pub(crate) fn positive(&self, amount: Term) -> Term {
        self.terms.real_lt(self.no_permission(), amount)
    }

    /// When an amount is positive, in words that name no amount where its form says so: a function's definition keeps
    /// nothing of amounts.
    pub(crate) fn has_any(&mut self, amount: Term) -> Term {
        match self.by_form(amount) {
            Some(it) => it,
            None => self.positive(amount),
        }
    }

    /// When an amount is positive, read off its form; `None` unless it is a conditional or a sum of amounts that are
    /// zero or known to be positive.
    fn by_form(&mut self, amount: Term) -> Option<Term> {
        let terms = self.terms;
        if let Some(it) = terms.as_real(amount) {
            return (!it.is_negative()).then(|| terms.bool(it.is_positive()));
        }
        match terms.node(amount) {
            Node::Ite(cond, then, other) => {
                let (then, other) = (self.by_form(*then)?, self.by_form(*other)?);
                Some(terms.ite(*cond, then, other))
            }
            Node::RealPoly(sum) if !sum.constant.is_negative() => {
                let mut any = vec![terms.bool(sum.constant.is_positive())];
                for (factor, monomial) in &sum.monomials {
                    let [(only, 1)] = monomial[..] else { return None };
                    any.push(if factor.is_positive() { self.by_form(only)? } else { return None });
                }
                Some(terms.or_all(any))
            }
            _ => {
                let positive = self.positive(amount);
                self.known(positive).then(|| terms.bool(true))
            }
        }
    }

    /// The condition, of sort Bool, that all arguments are equal.
    fn same_args(&self, left: &[Term], right: &[Term]) -> Term {
        self.terms.and_all(left.iter().zip(right).map(|(&a, &b)| self.terms.eq(a, b)))
    }

    /// The chunk that is known to have these arguments, literally or by the classes of the local core.
    pub(crate) fn find(&mut self, heap: &Heap, resource: Resource, args: &[Term]) -> Option<ChunkId> {
        if let Some(found) = heap.literally(resource, args) {
            return Some(found);
        }
        let wanted: Vec<Term> = args.iter().map(|&it| self.prover.representative(self.terms, it)).collect();
        let matches = |machine: &mut Self, chunk: &Chunk| {
            chunk
                .args
                .iter()
                .zip(&wanted)
                .all(|(&it, &wanted)| it == wanted || machine.prover.representative(machine.terms, it) == wanted)
        };
        heap.of(resource).find(|(_, chunk)| matches(self, chunk)).map(|(id, _)| id)
    }

    /// The chunks that may have these arguments, with the condition under which they do.
    pub(crate) fn candidates(&mut self, heap: &Heap, resource: Resource, args: &[Term]) -> Vec<(ChunkId, Term)> {
        let mut res = Vec::new();
        for (id, chunk) in heap.of(resource) {
            let same = self.same_args(&chunk.args, args);
            let different = self.terms.not(same);
            if !self.known(different) {
                res.push((id, same));
            }
        }
        res
    }

    /// The chunk that is meant by these arguments; all that may be meant, where it is not known which one is.
    pub(crate) fn chunks_meant(&mut self, heap: &Heap, resource: Resource, args: &[Term]) -> Vec<ChunkId> {
        match self.find(heap, resource, args) {
            Some(found) => vec![found],
            None => self.candidates(heap, resource, args).into_iter().map(|it| it.0).collect(),
        }
    }

    /// Takes away the chunk with these arguments; all that may have them, where it is not known which one does.
    pub(crate) fn take_chunk(&mut self, heap: &mut Heap, resource: Resource, args: &[Term]) {
        self.chunks_meant(heap, resource, args).into_iter().for_each(|it| heap.remove(it));
    }

    /// The amount that is held for these arguments: `perm`.
    pub(crate) fn held(&mut self, heap: &Heap, resource: Resource, args: &[Term]) -> Term {
        let mut sum = self.no_permission();
        for (id, same) in self.candidates(heap, resource, args) {
            let Some(chunk) = heap.get(id) else { continue };
            let part = self.terms.ite(same, chunk.perm, self.no_permission());
            sum = self.terms.real_add(sum, part);
        }
        match self.held_quantified(heap, resource, args) {
            Some(more) => self.terms.real_add(sum, more),
            None => sum,
        }
    }

    /// The value of a location, or the snapshot of a predicate, that is held with any positive amount.
    pub(crate) fn read(
        &mut self,
        scene: &Scene<'_, 'a>,
        resource: Resource,
        args: &[Term],
        culprit: Span,
    ) -> Res<Option<Term>> {
        let found = self.find(scene.heap, resource, args);
        if scene.mode.defining && scene.mode.exhale_side {
            self.read_exhaled(scene.heap, found);
        }
        if let Some(id) = found
            && let Some(chunk) = scene.heap.get(id)
        {
            let positive = self.positive(chunk.perm);
            // What is left of a chunk may be nothing: then its value is old, and another chunk may have the location, under
            // a name that is equal only on some paths. So this is asked also where nothing is to be shown.
            if self.known(positive) || scene.checked && self.prove(scene, positive)?.is_proved() {
                self.note_held(scene, positive, ReasonKind::InsufficientPermission, culprit);
                return Ok(Some(chunk.value));
            }
        }
        if scene.heap.quantified_of(resource).next().is_some() {
            return self.read_quantified(scene, resource, args, culprit);
        }
        let candidates = self.candidates(scene.heap, resource, args);
        if candidates.is_empty() && !scene.checked {
            return Ok(None);
        }
        let held = self.held(scene.heap, resource, args);
        let positive = self.positive(held);
        if scene.checked && !self.holds(scene, positive, ReasonKind::InsufficientPermission, culprit)? {
            return if scene.blame.goes_on { Ok(None) } else { Err(Stop::Infeasible) };
        }
        Ok(self.summary(scene.heap, &candidates))
    }

    /// A definition by what is exhaled reads this: the location must be there, for what is inhaled need not be.
    fn read_exhaled(&mut self, heap: &Heap, found: Option<ChunkId>) {
        let amount = found.and_then(|it| heap.get(it)).map(|it| it.perm);
        let there = amount.is_some_and(|it| {
            let any = self.has_any(it);
            self.known(any)
        });
        self.definitions.missed |= !there;
    }

    /// One value for several chunks that may be meant.
    fn summary(&mut self, heap: &Heap, candidates: &[(ChunkId, Term)]) -> Option<Term> {
        let chunks: Vec<(Chunk, Term)> =
            candidates.iter().filter_map(|&(id, same)| Some((heap.get(id)?.clone(), same))).collect();
        match &chunks[..] {
            [] => None,
            [(only, _)] => Some(only.value),
            [(first, _), ..] => {
                let value = self.fresh("value", self.terms.sort(first.value));
                for (chunk, same) in &chunks {
                    let held = self.terms.and(*same, self.positive(chunk.perm));
                    let fact = self.terms.implies(held, self.terms.eq(value, chunk.value));
                    self.assume(fact);
                }
                Some(value)
            }
        }
    }

    /// That a value is the one of each chunk with these arguments.
    pub(crate) fn is_held(&mut self, heap: &Heap, resource: Resource, args: &[Term], value: Term) -> Term {
        if heap.quantified_of(resource).next().is_some() {
            let shares = self.shares(heap, resource, args);
            let facts = shares.iter().map(|it| self.terms.implies(it.any, self.terms.eq(value, it.value)));
            let facts: Vec<Term> = facts.collect();
            return self.terms.and_all(facts);
        }
        let candidates = self.candidates(heap, resource, args);
        let facts = candidates.into_iter().filter_map(|(id, same)| {
            let chunk = heap.get(id)?;
            let held = self.terms.and(same, self.positive(chunk.perm));
            Some(self.terms.implies(held, self.terms.eq(value, chunk.value)))
        });
        let facts: Vec<Term> = facts.collect();
        self.terms.and_all(facts)
    }

    /// Adds a chunk, and what follows from its being there.
    pub(crate) fn add(&mut self, heap: &mut Heap, chunk: Chunk) -> Res<()> {
        let constant = self.terms.as_real(chunk.perm).cloned();
        if constant.as_ref().is_some_and(|it| it.is_zero()) {
            return Ok(());
        }
        if let Resource::Field(_) = chunk.resource {
            let receiver = chunk.args[0];
            let not_null = self.terms.ne(receiver, self.vocabulary.null(self.terms));
            let positive = self.positive(chunk.perm);
            let fact = if self.known(positive) { not_null } else { self.terms.implies(positive, not_null) };
            self.assume(fact);
        }
        self.note(chunk.value);
        for &it in chunk.args.iter() {
            self.note(it);
        }
        let existing = match heap.literally(chunk.resource, &chunk.args) {
            Some(found) => Some(found),
            None if heap.of(chunk.resource).count() <= MOST_COMPARED => self.find(heap, chunk.resource, &chunk.args),
            None => None,
        };
        let mut chunk = chunk;
        let merged = existing.and_then(|id| Some((id, heap.get(id)?.clone())));
        if let Some((_, old)) = &merged {
            let old_positive = self.has_any(old.perm);
            let both = self.terms.and(old_positive, self.has_any(chunk.perm));
            let fact = self.terms.implies(both, self.terms.eq(old.value, chunk.value));
            self.assume(fact);
            chunk.value = self.terms.ite(old_positive, old.value, chunk.value);
            chunk.perm = self.terms.real_add(old.perm, chunk.perm);
            chunk.args = Rc::clone(&old.args);
        }
        if let Resource::Field(_) = chunk.resource {
            let within = self.terms.real_le(chunk.perm, self.full_permission());
            if self.terms.as_bool(within) == Some(false) {
                return Err(Stop::Infeasible);
            }
            self.assume(within);
        }
        let (resource, args) = (chunk.resource, Rc::clone(&chunk.args));
        match merged {
            Some((id, _)) => heap.replace(id, chunk),
            None => heap.insert(chunk),
        }
        if heap.quantified_of(resource).next().is_some() {
            self.assume_location(heap, resource, &args);
        }
        Ok(())
    }

    /// Takes an amount and returns the value or snapshot. `scene.heap` is what the amounts are judged by; `heap` is
    /// what is left so far.
    pub(crate) fn take(
        &mut self,
        scene: &Scene<'_, 'a>,
        heap: &mut Heap,
        resource: Resource,
        args: &[Term],
        amount: Amount,
        culprit: Span,
    ) -> Res<Option<Term>> {
        if let Some(id) = self.find(heap, resource, args)
            && let Some(chunk) = heap.get(id).cloned()
            && self.enough(scene, chunk.perm, amount, culprit)?
        {
            let left = self.terms.real_sub(chunk.perm, amount.term);
            if self.terms.as_real(left).is_some_and(|it| !it.is_positive()) {
                heap.remove(id);
            } else {
                heap.replace(id, Chunk { perm: left, ..chunk.clone() });
            }
            return Ok(Some(chunk.value));
        }
        self.take_from_all(scene, heap, resource, args, amount, culprit)
    }

    /// Whether a chunk alone has the amount.
    fn enough(&mut self, scene: &Scene<'_, 'a>, have: Term, amount: Amount, culprit: Span) -> Res<bool> {
        let reason = ReasonKind::InsufficientPermission;
        if amount.wildcard {
            // Under some condition it may be none, as in `b ? wildcard : none`.
            let any = self.positive(amount.term);
            let positive = self.terms.implies(any, self.positive(have));
            if !self.prove(scene, positive)?.is_proved() {
                return Ok(false);
            }
            self.note_held(scene, positive, reason, culprit);
            let smaller = self.terms.implies(any, self.terms.real_lt(amount.term, have));
            self.assume(smaller);
            return Ok(true);
        }
        let enough = self.terms.real_le(amount.term, have);
        let holds = match self.terms.as_bool(enough) {
            Some(value) => value,
            None => self.prove(scene, enough)?.is_proved(),
        };
        if holds {
            self.note_held(scene, enough, reason, culprit);
        }
        Ok(holds)
    }

    /// The complete attempt: each chunk gives what it can where it matches.
    fn take_from_all(
        &mut self,
        scene: &Scene<'_, 'a>,
        heap: &mut Heap,
        resource: Resource,
        args: &[Term],
        amount: Amount,
        culprit: Span,
    ) -> Res<Option<Term>> {
        let candidates = self.candidates(heap, resource, args);
        let before = heap.clone();
        let zero = self.no_permission();
        let mut missing = amount.term;
        let mut some = self.terms.bool(false);
        for &(id, same) in &candidates {
            let Some(chunk) = heap.get(id).cloned() else { continue };
            let held = self.terms.and(same, self.positive(chunk.perm));
            let taken = if amount.wildcard {
                some = self.terms.or(some, held);
                let smaller = self.terms.implies(held, self.terms.real_lt(amount.term, chunk.perm));
                self.assume(smaller);
                self.terms.ite(held, amount.term, zero)
            } else {
                let all = self.terms.real_le(chunk.perm, missing);
                let taken = self.terms.ite(all, chunk.perm, missing);
                let taken = self.terms.ite(same, taken, zero);
                missing = self.terms.real_sub(missing, taken);
                taken
            };
            let left = self.terms.real_sub(chunk.perm, taken);
            heap.replace(id, Chunk { perm: left, ..chunk });
        }
        let quantified = heap.quantified_of(resource).next().is_some();
        let mut shares = Vec::new();
        if quantified {
            shares = self.shares(&before, resource, args);
            let mut demand = Demand { missing, some, wildcard: amount.wildcard };
            self.take_from_quantified(heap, resource, args, &mut demand);
            (missing, some) = (demand.missing, demand.some);
        }
        let goal = match amount.wildcard {
            true => self.terms.implies(self.positive(amount.term), some),
            false => self.terms.eq(missing, zero),
        };
        if scene.checked && !self.holds(scene, goal, ReasonKind::InsufficientPermission, culprit)? {
            *heap = before;
            return if scene.blame.goes_on { Ok(None) } else { Err(Stop::Infeasible) };
        }
        // A chunk of which certainly nothing is left is none.
        for &(id, _) in &candidates {
            let Some(chunk) = heap.get(id) else { continue };
            let none = self.terms.eq(chunk.perm, zero);
            if self.known(none) {
                heap.remove(id);
            }
        }
        Ok(if quantified { self.value_of(resource, &shares) } else { self.summary(&before, &candidates) })
    }

    /// Where `receiver.field` stands, of which the receiver's place is known. A receiver that is not written has no
    /// width.
    pub(crate) fn location(&self, receiver: Span, field: FieldId) -> Span {
        let name = &self.program.fields[field.index()].name;
        let length = name.rsplit('.').next().unwrap_or(name).chars().count() as u32;
        let written = (receiver.line, receiver.column) != (receiver.end_line, receiver.end_column);
        Span { end_column: receiver.end_column + u32::from(written) + length, ..receiver }
    }

    /// Assumes what a heap that is left again implies about each two of its chunks: what is inside of a predicate adds
    /// to what is held beside it.
    pub(crate) fn compare_chunks(&mut self, heap: &Heap) {
        for fact in self.implied_by(heap) {
            if !self.known(fact) {
                self.assume(fact);
            }
        }
    }

    /// What a heap implies about each two chunks of one resource: with the same arguments their amounts add up to at
    /// most the whole, and their values are equal.
    pub(crate) fn implied_by(&mut self, heap: &Heap) -> Vec<Term> {
        let terms = self.terms;
        let mut res = Vec::new();
        let chunks: Vec<&Chunk> = heap.iter().collect();
        for group in chunks.chunk_by(|a, b| a.resource == b.resource) {
            if group.len() > MOST_COMPARED {
                continue;
            }
            for (at, left) in group.iter().enumerate() {
                for right in &group[at + 1..] {
                    let same = self.same_args(&left.args, &right.args);
                    let both = terms.and(self.positive(left.perm), self.positive(right.perm));
                    let mut then = terms.implies(both, terms.eq(left.value, right.value));
                    if let Resource::Field(_) = left.resource {
                        let sum = terms.real_add(left.perm, right.perm);
                        then = terms.and(then, terms.real_le(sum, self.full_permission()));
                    }
                    res.push(terms.implies(same, then));
                }
            }
        }
        res
    }
}
