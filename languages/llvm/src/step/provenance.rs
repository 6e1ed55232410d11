//! Which object an address belongs to.
//!
//! Knows: objects and the addresses that were made from them, concrete and symbolic. Never: arithmetic on addresses
//! (`distance`), whether an address may be used (`access`).
//! Source: LLVM Language Reference, "Pointer Aliasing Rules".

use crate::machine::{Flow, Machine};
use crate::memory::{Life, Lookup, MAX_SIZE, ObjectId};
use crate::value::Val;
use effigy_term::{Node, Term, Width};
use std::sync::Arc;

/// An if-then-else of addresses is looked through up to so many leaves.
pub(super) const MOST_LEAVES: usize = 1024;

/// The constant part of a symbolic address is at most so far from the object that it was made from; else the object is
/// remembered.
const NEAR: i64 = 1 << 24;

impl Machine<'_, '_> {
    /// Whether there is or was an object of this number.
    pub(super) fn existed(&self, id: ObjectId) -> bool {
        matches!(self.state.memory.lookup(id), Lookup::Object(_) | Lookup::Dead(_))
    }

    /// The object and the offset of a concrete address.
    pub(crate) fn locate(&self, address: u64) -> (ObjectId, i64) {
        let (id, offset) = ObjectId::of_address(address);
        match self.state.strays.of_number(address) {
            // A pointer that the distance between two pointers was added to has arrived at the other.
            Some(_) if self.contains(id, offset) => (id, offset),
            Some(object) => (object, address.wrapping_sub(object.base()) as i64),
            None => (id, offset),
        }
    }

    /// The object that a pointer leads into, if it is there.
    pub(crate) fn live_object(&self, pointer: &Val) -> Option<ObjectId> {
        let id = match pointer {
            Val::Int(address) | Val::Address { bits: address, .. } => self.locate(*address).0,
            Val::Term(term) => self.object_of(*term)?,
            _ => return None,
        };
        matches!(self.state.memory.lookup(id), Lookup::Object(object) if object.life == Life::Live).then_some(id)
    }

    fn contains(&self, id: ObjectId, offset: i64) -> bool {
        let Lookup::Object(object) = self.state.memory.lookup(id) else { return false };
        u64::try_from(offset).is_ok_and(|it| it < object.size.most())
    }

    /// The object that a symbolic address belongs to, and the address on the paths where it does.
    pub(crate) fn provenance(&mut self, address: Term) -> Flow<Option<(ObjectId, Term)>> {
        let terms = self.ctx.terms;
        if let Some(found) = self.bound(address) {
            return Ok(Some(found));
        }
        if let Some(id) = self.object_of(address) {
            return Ok(Some((id, address)));
        }
        // An if-then-else, perhaps with something added: split by the objects of its leaves.
        let (choice, rest) = match terms.node(address) {
            Node::Ite(..) => (address, terms.bv_u64(Width::W64, 0)),
            Node::BvSum(sum) => {
                let found = sum.summands.iter().find(|(k, it)| k.is_one() && matches!(terms.node(*it), Node::Ite(..)));
                match found {
                    Some(&(_, choice)) => (choice, terms.bv_sub(address, choice)),
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        let mut leaves = Vec::new();
        if !self.leaves(choice, terms.bool(true), &mut leaves) {
            return Ok(None);
        }
        let mut groups: Vec<(Option<ObjectId>, Term, Term)> = Vec::new();
        for (cond, leaf) in leaves {
            let whole = terms.bv_add(leaf, rest);
            let object = self.object_of(whole).or_else(|| self.object_of(leaf)).or_else(|| {
                // A constant that belongs to no object (null, small numbers) is a group of its own.
                let value = terms.as_bv(whole)?.to_u64()?;
                Some(ObjectId::of_address(value).0)
            });
            match groups.iter_mut().find(|it| it.0 == object) {
                Some(group) => {
                    group.1 = terms.or(group.1, cond);
                    group.2 = terms.ite(cond, whole, group.2);
                }
                None => groups.push((object, cond, whole)),
            }
        }
        let cases: Vec<(Term, Arc<str>)> = groups.iter().map(|it| (it.1, self.object_name(it.0))).collect();
        let chosen = self.decide_among(&cases)?;
        let (object, _, address) = groups[chosen];
        Ok(object.map(|it| (it, address)))
    }

    fn object_name(&self, id: Option<ObjectId>) -> Arc<str> {
        let object = id.and_then(|it| self.state.memory.get(it));
        object.map_or_else(|| "another address".into(), |it| Arc::clone(&it.name))
    }

    /// The leaves of an if-then-else with their conditions; false if they are too many.
    fn leaves(&self, term: Term, cond: Term, into: &mut Vec<(Term, Term)>) -> bool {
        let terms = self.ctx.terms;
        let mut work = vec![(term, cond)];
        while let Some((term, cond)) = work.pop() {
            match *terms.node(term) {
                Node::Ite(test, then, other) => {
                    work.push((other, terms.and(cond, terms.not(test))));
                    work.push((then, terms.and(cond, test)));
                }
                _ => into.push((cond, term)),
            }
            if into.len() + work.len() > MOST_LEAVES {
                return false;
            }
        }
        true
    }

    /// An address in an object that was made up for an unknown pointer.
    fn bound(&self, address: Term) -> Option<(ObjectId, Term)> {
        if self.state.strays.is_empty() {
            return None;
        }
        let pointer = self.unknown_pointer(address)?;
        let id = self.state.strays.bound(pointer)?;
        let terms = self.ctx.terms;
        Some((id, terms.bv_add(terms.bv_u64(Width::W64, id.base()), terms.bv_sub(address, pointer))))
    }

    /// The object that an address was made from, as far as its constant part says, or as it is remembered.
    pub(super) fn object_of(&self, address: Term) -> Option<ObjectId> {
        let terms = self.ctx.terms;
        if let Some(object) = self.state.strays.of_term(address) {
            return Some(object);
        }
        let constant = match terms.node(address) {
            Node::BitVec(value) => value.to_u64()?,
            Node::BvSum(sum) => sum.constant.to_u64()?,
            _ => return None,
        };
        let (id, offset) = ObjectId::of_address(constant);
        if terms.as_bv(address).is_some() && self.locate(constant).0 != id {
            return Some(self.locate(constant).0);
        }
        let near = match self.state.memory.lookup(id) {
            Lookup::Object(object) => object.size.most(),
            Lookup::Dead(_) => MAX_SIZE,
            Lookup::Null | Lookup::Wild => return None,
        };
        // A constant far from the object is not the address of its base, but arithmetic on numbers.
        (offset >= -NEAR && offset <= near as i64 + NEAR).then_some(id)
    }
}
