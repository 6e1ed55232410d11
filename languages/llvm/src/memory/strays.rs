//! Pointers whose number does not say to which object they belong, or whether they have a value.
//!
//! Knows: which object a pointer was made from that has left its window, or was made up for; when the arithmetic of a
//! symbolic one has not wrapped around. Never: whether it may be used.
//!
//! C allows no pointer outside of its object but one past its end; programs make them all the same, and come back
//! (`table[i - 600000000]`). LLVM Language Reference, "Pointer Aliasing Rules": a `getelementptr` is based on its base.

use crate::memory::ObjectId;
use effigy_term::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The objects of such pointers.
#[derive(Clone, Debug, Default)]
pub struct Strays {
    pub(super) numbers: FxHashMap<u64, ObjectId>,
    pub(super) terms: FxHashMap<Term, ObjectId>,
    /// Unknown pointers, with the objects that were made up for them.
    pub(super) bound: FxHashMap<Term, ObjectId>,
    /// Symbolic pointers whose arithmetic may have wrapped around, with the condition that it has not.
    pub(super) conditions: BTreeMap<Term, Term>,
}

impl Strays {
    /// Whether no pointer has left its window on this path.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.terms.is_empty() && self.bound.is_empty()
    }

    /// Whether both know the same of where pointers belong.
    pub(crate) fn is_same(&self, other: &Strays) -> bool {
        self.numbers == other.numbers && self.terms == other.terms && self.bound == other.bound
    }

    /// The object of a concrete pointer, where it has left that object's window.
    pub fn of_number(&self, address: u64) -> Option<ObjectId> {
        self.numbers.get(&address).copied()
    }

    /// The object of a symbolic pointer, where its constant part does not say.
    pub fn of_term(&self, address: Term) -> Option<ObjectId> {
        self.terms.get(&address).copied()
    }

    /// A concrete pointer was moved: it stays one into its object, however far it goes.
    pub fn moved(&mut self, from: u64, to: u64) {
        let object = self.of_number(from).unwrap_or(ObjectId::of_address(from).0);
        if object != ObjectId(0) && object != ObjectId::of_address(to).0 {
            self.numbers.insert(to, object);
        }
    }

    /// Whether the arithmetic of some pointer may have wrapped around.
    pub fn has_conditions(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// The condition under which the arithmetic of a symbolic pointer has not wrapped around, if it may have.
    pub fn condition(&self, address: Term) -> Option<Term> {
        self.conditions.get(&address).copied()
    }

    /// `address` has a value only where `condition` holds.
    pub fn add_condition(&mut self, address: Term, condition: Term) {
        self.conditions.insert(address, condition);
    }

    /// The object that was made up for an unknown pointer.
    pub fn bound(&self, pointer: Term) -> Option<ObjectId> {
        self.bound.get(&pointer).copied()
    }

    /// The unknown pointer points to `object`.
    pub fn bind(&mut self, pointer: Term, object: ObjectId) {
        self.bound.insert(pointer, object);
    }

    /// `address` was made from a pointer to `object`.
    pub fn add_number(&mut self, address: u64, object: ObjectId) {
        self.numbers.insert(address, object);
    }

    /// `address` was made from a pointer to `object`.
    pub fn add_term(&mut self, address: Term, object: ObjectId) {
        self.terms.insert(address, object);
    }
}
