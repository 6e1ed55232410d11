//! New objects: they differ from all that was there before.
//!
//! Knows: the collections of a state, and that what is inside of a predicate is as old as its contents. Never: where an
//! object is created.

use crate::machine::Machine;
use crate::state::Env;
use effigy_contracts::program::{CollectionOp, Type, VarId};
use effigy_heap::heap::{Heap, Resource};
use effigy_solver::prover;
use effigy_term::{Sort, Term};

impl<'a> Machine<'a, '_> {
    /// A new object: not null, and different from every reference in the state.
    pub(super) fn new_object(&mut self, name: &str) -> Term {
        let object = self.fresh_unnoted(name, self.vocabulary.reference());
        let not_null = self.terms.ne(object, self.vocabulary.null(self.terms));
        self.assume(not_null);
        self.assume_born(object);
        object
    }

    /// The collections of the state, like everything that was there before, do not contain a new object.
    pub(super) fn keep_out(&mut self, env: &Env<'a>, heap: &Heap, object: Term) {
        let variables = env.table.iter().enumerate().filter_map(|(at, it)| Some((env.get(VarId(at as u32))?, &it.typ)));
        let fields = heap.iter().filter_map(|it| match it.resource {
            Resource::Field(field) => Some((it.value, &self.program.fields[field.index()].typ)),
            Resource::Predicate(_) => None,
        });
        let values: Vec<(Term, &Type)> = variables.chain(fields).collect();
        for (value, typ) in values {
            let op = match typ {
                Type::Seq(it) if **it == Type::Ref => CollectionOp::SeqContains,
                Type::Set(it) if **it == Type::Ref => CollectionOp::SetContains,
                Type::Multiset(it) if **it == Type::Ref => CollectionOp::MultisetCount,
                _ => continue,
            };
            let Some(kind) = self.vocabulary.kind(self.terms, typ) else { continue };
            let there = self.vocabulary.collections.apply(self.terms, op, kind, &[object, value]);
            let fact = match op {
                CollectionOp::MultisetCount => self.terms.eq(there, self.terms.int(0)),
                _ => self.terms.not(there),
            };
            self.assume(fact);
        }
        // Nor what is inside of predicates.
        for chunk in heap.iter().filter(|it| matches!(it.resource, Resource::Predicate(_))) {
            let older = self.terms.int_lt(self.youngest_in(chunk.value), self.birth(object));
            let fact = self.terms.implies(self.positive(chunk.perm), older);
            self.assume(fact);
        }
    }

    /// The number of the birth of the youngest object in these contents.
    pub(super) fn youngest_in(&self, contents: Term) -> Term {
        let function = self.terms.function("youngest in", &[self.terms.sort(contents)], Sort::Int);
        self.terms.apply(function, &[contents])
    }

    pub(super) fn birth(&self, object: Term) -> Term {
        let function = self.terms.function(prover::BIRTH, &[self.terms.sort(object)], Sort::Int);
        self.terms.apply(function, &[object])
    }

    /// Contents in two parts are as old as both.
    pub(crate) fn assume_no_younger(&mut self, parts: [Term; 2], contents: Term) {
        if !self.creates {
            return;
        }
        for part in parts {
            let fact = self.terms.int_le(self.youngest_in(part), self.youngest_in(contents));
            self.assume(fact);
        }
    }

    /// A reference in these contents is as old as they are.
    pub(crate) fn assume_within(&mut self, reference: Term, contents: Term) {
        if self.creates && self.terms.sort(reference) == self.vocabulary.reference() {
            let fact = self.terms.int_le(self.birth(reference), self.youngest_in(contents));
            self.assume(fact);
        }
    }
}
