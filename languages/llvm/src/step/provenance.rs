//! Which object an address belongs to.
//!
//! Knows: arithmetic on addresses, concrete and symbolic; the object stays that of the base. Never: whether the address
//! may be used (`access`).
//! Source: LLVM Language Reference, "Pointer Aliasing Rules".

use crate::machine::{Flow, Machine};
use crate::memory::{Lookup, MAX_SIZE, ObjectId};
use crate::placement::is_placed;
use crate::value::{Val, signed};
use effigy_term::{BvValue, Node, Term, Width};
use std::rc::Rc;
use std::sync::Arc;

/// An if-then-else of addresses is looked through up to so many leaves.
const MOST_LEAVES: usize = 1024;

/// The constant part of a symbolic address is at most so far from the object that it was made from; else the object is
/// remembered.
const NEAR: i64 = 1 << 24;

impl Machine<'_, '_> {
    pub(crate) fn add_offset(&mut self, base: &Val, offset: i64) -> Val {
        match base {
            Val::Int(address) | Val::Address { bits: address, .. } => self.moved(*address, offset as u64),
            Val::Undef => Val::Undef,
            _ => {
                let base = self.term(base, Width::W64);
                let terms = self.ctx.terms;
                self.moved_term(base, terms.bv_u64(Width::W64, offset as u64))
            }
        }
    }

    pub(super) fn add_index(&mut self, base: &Val, index: &Val, width: u32, scale: i64) -> Val {
        if let (Val::Int(base), Val::Int(index)) = (base, index) {
            return self.moved(*base, signed(*index, width).wrapping_mul(scale) as u64);
        }
        if matches!((base, index), (Val::Undef, _) | (_, Val::Undef)) {
            return Val::Undef;
        }
        // The distance between two objects, or a whole address, is added as a number.
        let is_address = |it: &Val| match it {
            Val::Address { .. } => true,
            Val::Term(term) => is_placed(self.ctx.terms, *term),
            _ => false,
        };
        let as_numbers = is_address(base) || is_address(index);
        let base = if as_numbers { self.number_of(base.clone()) } else { base.clone() };
        let (base, index) = (self.term(&base, Width::W64), self.term(index, Width::of(width)));
        let terms = self.ctx.terms;
        let index =
            if width < 64 { terms.bv_sign_extend(Width::W64, index) } else { terms.bv_truncate(Width::W64, index) };
        let scaled = terms.bv_mul(index, terms.bv_u64(Width::W64, scale as u64));
        if as_numbers {
            let number = Val::of_term(terms, terms.bv_add(base, scaled));
            return self.pointer_of(&number);
        }
        self.moved_term(base, scaled)
    }

    /// A concrete pointer, moved: it stays one into its object, however far it goes.
    fn moved(&mut self, base: u64, distance: u64) -> Val {
        let address = base.wrapping_add(distance);
        let strayed = self.state.strays.of_number(base);
        if (strayed.is_some() || address >> 32 != base >> 32)
            && self.existed(strayed.unwrap_or(ObjectId::of_address(base).0))
        {
            Rc::make_mut(&mut self.state.strays).moved(base, address);
        }
        Val::Int(address)
    }

    /// A pointer, moved by a symbolic distance or itself symbolic: likewise.
    fn moved_term(&mut self, base: Term, distance: Term) -> Val {
        let terms = self.ctx.terms;
        let address = terms.bv_add(base, distance);
        if let Some(object) = self.object_of(base)
            && self.object_of(address) != Some(object)
        {
            let strays = Rc::make_mut(&mut self.state.strays);
            match terms.as_bv(address).and_then(BvValue::to_u64) {
                Some(address) => strays.add_number(address, object),
                None => strays.add_term(address, object),
            }
        }
        Val::of_term(terms, address)
    }

    /// Whether there is or was an object of this number.
    fn existed(&self, id: ObjectId) -> bool {
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
