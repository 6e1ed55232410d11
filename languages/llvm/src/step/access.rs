//! Loads, stores, addresses.
//!
//! Knows: how an address is resolved to an object and which accesses are bugs. Never: which side is feasible.
//!
//! A symbolic address keeps the object of its constant part; an if-then-else of addresses is split by object; an
//! address without any object is asked for by value. An offset that is symbolic but in bounds is read by a search
//! tree of if-then-elses over the possible offsets, or, when they are many, through an SMT array.

use crate::checks::{
    ARRAY_LENGTH, NULL_DEREFERENCE, OUT_OF_BOUNDS_READ, OUT_OF_BOUNDS_WRITE, UNINITIALISED_VALUE, USE_AFTER_FREE,
    USE_AFTER_SCOPE, WILD_POINTER, WRITE_TO_CONSTANT,
};
use crate::code::{Alloca, Opnd, Reg, Shape};
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{Life, Lookup, MAX_SIZE, Object, ObjectId, ObjectKind, Size};
use crate::value::{Val, signed};
use effigy_engine::{Resolution, Step};
use effigy_term::{BvValue, Node, Term, Value, Width};
use std::rc::Rc;
use std::sync::Arc;

/// With at most so many possible offsets an access builds if-then-elses; beyond, the object becomes an array.
/// A read costs a search tree once, a write an if-then-else for every place.
const MOST_READ_CASES: u64 = 2048;
const MOST_WRITE_CASES: u64 = 256;

/// An if-then-else of addresses is looked through up to so many leaves.
const MOST_LEAVES: usize = 1024;

/// Nearer to null than this, a member of a structure at null was meant: the page that no program has.
const NULL_PAGE: i64 = 4096;

/// The constant part of a symbolic address is at most so far from the object that it was made from; else the object is
/// remembered.
const NEAR: i64 = 1 << 24;

/// At a symbolic offset, all bytes of an object of symbolic size come into being, up to so many; larger ones become
/// arrays.
const MOST_GROWN: u64 = 1 << 16;

/// An array of variable length has at most so many elements.
const MOST_ELEMENTS: u64 = (1 << 31) - 1;

/// A local variable of symbolic size has often at most so many bytes: then it is read at symbolic offsets as one.
const MOST_SYMBOLIC: u64 = 4096;

/// Why memory is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Access {
    pub(super) fn verb(self) -> &'static str {
        match self {
            Access::Read => "reading",
            Access::Write => "writing",
        }
    }
}

/// A place in an object, known to be in bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) object: ObjectId,
    pub(crate) offset: Offset,
}

/// An offset in an object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Offset {
    Known(usize),
    /// 64 bits wide.
    Symbolic(Term),
}

impl Machine<'_, '_> {
    // Address arithmetic.

    pub(crate) fn add_offset(&mut self, base: &Val, offset: i64) -> Val {
        match base {
            Val::Int(address) => self.moved(*address, offset as u64),
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
        let (base, index) = (self.term(base, Width::W64), self.term(index, Width::of(width)));
        let terms = self.ctx.terms;
        let index =
            if width < 64 { terms.bv_sign_extend(Width::W64, index) } else { terms.bv_truncate(Width::W64, index) };
        let scaled = terms.bv_mul(index, terms.bv_u64(Width::W64, scale as u64));
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
    fn locate(&self, address: u64) -> (ObjectId, i64) {
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

    // Resolution.

    /// The place that `size` bytes at `ptr` are, all checks made.
    pub(crate) fn resolve(&mut self, ptr: &Val, size: u64, access: Access) -> Flow<Spot> {
        match ptr {
            Val::Int(address) => self.resolve_concrete(*address, size, access),
            Val::Term(term) => self.resolve_symbolic(*term, size, access),
            _ => {
                let message = format!("{} at an address that is uninitialised", access.verb());
                Err(self.violation(UNINITIALISED_VALUE, message))
            }
        }
    }

    /// Whether an address is that of a byte of a living object of known size, or its end.
    pub(crate) fn is_within(&self, address: u64, access: Access) -> bool {
        let (id, offset) = self.locate(address);
        let object = self.live(id, offset, access);
        object.is_ok_and(|it| matches!(it.size, Size::Known(size) if u64::try_from(offset).is_ok_and(|at| at <= size)))
    }

    fn resolve_concrete(&mut self, address: u64, size: u64, access: Access) -> Flow<Spot> {
        let (id, offset) = self.locate(address);
        if self.live(id, offset, access)?.unknown.is_some() {
            self.make_up(id)?;
        }
        let object = self.live(id, offset, access)?;
        let known = match object.size {
            Size::Known(known) => known,
            Size::Symbolic { term, most } => {
                let name = Arc::clone(&object.name);
                self.in_symbolic_size(offset, size, term, &name, access)?;
                self.grow(id, most.min(offset as u64 + size));
                return Ok(Spot { object: id, offset: Offset::Known(offset as usize) });
            }
        };
        if offset < 0 || (offset as u64).saturating_add(size) > known {
            if object.open && offset >= 0 {
                return Err(self.beyond(id, access));
            }
            return Err(self.out_of_bounds(id, offset, size, known, access));
        }
        Ok(Spot { object: id, offset: Offset::Known(offset as usize) })
    }

    fn in_symbolic_size(&mut self, offset: i64, size: u64, term: Term, name: &str, access: Access) -> Flow<()> {
        let terms = self.ctx.terms;
        let end = (offset as u64).saturating_add(size);
        let fits = if offset < 0 { terms.bool(false) } else { self.at_least(term, end) };
        self.require(fits, bounds_kind(access), || {
            format!("{} {size} bytes at offset {offset} of {name}, whose size can be smaller", access.verb())
        })
    }

    /// Makes room in an object whose size is symbolic.
    pub(crate) fn grow(&mut self, id: ObjectId, len: u64) {
        if let Some(bytes) = self.state.memory.bytes_mut(id)
            && (bytes.len() as u64) < len
        {
            bytes.grow(len as usize);
        }
    }

    /// The live object `id`, or the bug of using it.
    fn live(&self, id: ObjectId, offset: i64, access: Access) -> Flow<&Object> {
        let verb = access.verb();
        let name = || self.state.memory.get(id).map_or_else(|| "a local variable".into(), |it| Arc::clone(&it.name));
        match self.state.memory.lookup(id) {
            Lookup::Object(object) => {
                if access == Access::Write && object.kind == ObjectKind::Constant {
                    return Err(self.violation(WRITE_TO_CONSTANT, format!("writing to the constant {}", object.name)));
                }
                Ok(object)
            }
            Lookup::Null => {
                // Small distances from null are members of a structure at null.
                let distance = offset;
                Err(match distance {
                    0 => self.violation(NULL_DEREFERENCE, format!("{verb} through the null pointer")),
                    1..NULL_PAGE => {
                        let message = format!("{verb} at {distance} bytes from the null pointer");
                        self.violation(NULL_DEREFERENCE, message)
                    }
                    _ => {
                        let message = format!("{verb} at the address {distance:#x}, where nothing was allocated");
                        self.violation(WILD_POINTER, message)
                    }
                })
            }
            Lookup::Dead(Life::Freed) => {
                Err(self.violation(USE_AFTER_FREE, format!("{verb} memory of {} after it was freed", name())))
            }
            Lookup::Dead(_) => {
                let what =
                    if self.state.memory.get(id).is_some() { "scope has ended" } else { "function has returned" };
                Err(self.violation(USE_AFTER_SCOPE, format!("{verb} {} after its {what}", name())))
            }
            Lookup::Wild => {
                Err(self.violation(WILD_POINTER, format!("{verb} at an address where nothing was allocated")))
            }
        }
    }

    fn out_of_bounds(&self, id: ObjectId, offset: i64, size: u64, known: u64, access: Access) -> Step {
        let name = self.state.memory.get(id).map_or_else(|| "an object".into(), |it| Arc::clone(&it.name));
        let bytes = if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") };
        let message = format!("{} {bytes} at offset {offset} of {name}, which has {known}", access.verb());
        self.violation(bounds_kind(access), message)
    }

    fn resolve_symbolic(&mut self, address: Term, size: u64, access: Access) -> Flow<Spot> {
        self.require_defined(address, "an address")?;
        let terms = self.ctx.terms;
        let (id, address) = match self.provenance(address)? {
            Some(found) => found,
            None => match self.follow_unknown(address)? {
                Some(found) => found,
                None => {
                    let address = self.choose_value(address)?;
                    return self.resolve_concrete(address, size, access);
                }
            },
        };
        if let Some(value) = terms.as_bv(address) {
            return self.resolve_concrete(value.to_u64().unwrap_or(0), size, access);
        }
        if id == ObjectId(0) {
            // An unknown pointer that is null, at a distance that is symbolic.
            return Err(self.violation(NULL_DEREFERENCE, format!("{} through the null pointer", access.verb())));
        }
        if self.live(id, 0, access)?.unknown.is_some() {
            self.make_up(id)?;
        }
        let object = self.live(id, 0, access)?;
        let open = object.open;
        let (extent, name) = (object.size, Arc::clone(&object.name));
        let offset = terms.bv_sub(address, terms.bv_u64(Width::W64, id.base()));
        let known = match extent {
            Size::Known(known) => known,
            Size::Symbolic { term, most } => {
                // offset <= most - size keeps offset + size from wrapping.
                let bounded = terms.bv_ule(offset, terms.bv_u64(Width::W64, most.saturating_sub(size)));
                let end = terms.bv_add(offset, terms.bv_u64(Width::W64, size));
                let fits = if size > most { terms.bool(false) } else { terms.and(bounded, terms.bv_ule(end, term)) };
                self.require(fits, bounds_kind(access), || {
                    let bytes = if size == 1 { "byte" } else { "bytes" };
                    format!("{} {size} {bytes} of {name} at an offset that can be out of bounds", access.verb())
                })?;
                match most > MOST_GROWN {
                    true => drop(self.array_of(id)),
                    false => self.grow(id, most),
                }
                return Ok(Spot { object: id, offset: Offset::Symbolic(offset) });
            }
        };
        let fits =
            if size > known { terms.bool(false) } else { terms.bv_ule(offset, terms.bv_u64(Width::W64, known - size)) };
        if open && !self.decide_term(fits)? {
            return Err(self.beyond(id, access));
        }
        self.require(fits, bounds_kind(access), || {
            let bytes = if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") };
            format!("{} {bytes} at an offset that can be outside of {name}, which has {known}", access.verb())
        })?;
        if known == size {
            return Ok(Spot { object: id, offset: Offset::Known(0) });
        }
        Ok(Spot { object: id, offset: Offset::Symbolic(offset) })
    }

    /// The object that a symbolic address belongs to, and the address on the paths where it does.
    fn provenance(&mut self, address: Term) -> Flow<Option<(ObjectId, Term)>> {
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

    /// Asks for the value of a term of at most 64 bits.
    pub(crate) fn choose_value(&mut self, term: Term) -> Flow<u64> {
        if let Some(value) = self.ctx.terms.as_bv(term) {
            return Ok(value.to_u64().unwrap_or(0));
        }
        match self.ask(Step::Value(term))? {
            Resolution::Value(Value::BitVec(value)) => Ok(value.to_u64().unwrap_or(0)),
            Resolution::Value(Value::Bool(value)) => Ok(u64::from(value)),
            _ => Ok(0),
        }
    }

    // Reading.

    pub(crate) fn load_scalar(&mut self, ptr: &Val, size: u64, width: u32) -> Flow<Val> {
        let spot = self.resolve(ptr, size, Access::Read)?;
        Ok(self.read(spot, size as usize, width))
    }

    /// Reads `size` bytes as `width` bits.
    pub(crate) fn read(&mut self, spot: Spot, size: usize, width: u32) -> Val {
        let Some(object) = self.state.memory.get(spot.object) else { return Val::Undef };
        let bytes = Rc::clone(&object.bytes);
        match spot.offset {
            Offset::Known(offset) => bytes.load(&mut self.undefined(), offset, size, width),
            Offset::Symbolic(offset) => {
                let terms = self.ctx.terms;
                let term = match self.cases(offset, bytes.len() as u64, size as u64, MOST_READ_CASES) {
                    Some(cases) if bytes.array().is_none() => self.read_cases(&bytes, &cases, size),
                    _ => self.read_array(spot.object, offset, size),
                };
                let term = terms.bv_truncate(Width::of(width), term);
                let term = if width == 1 { terms.eq(term, terms.bv_u64(Width::W1, 1)) } else { term };
                Val::of_term(terms, term)
            }
        }
    }

    fn read_cases(&mut self, bytes: &Bytes, cases: &Cases, size: usize) -> Term {
        let leaves: Vec<Term> =
            (0..cases.count).map(|it| bytes.load_term(&mut self.undefined(), cases.offset(it), size)).collect();
        self.search_tree(cases.index, 0, &leaves)
    }

    /// The leaf at `index - first`; runs of equal leaves are one.
    fn search_tree(&self, index: Term, first: u64, leaves: &[Term]) -> Term {
        if leaves.iter().all(|it| *it == leaves[0]) {
            return leaves[0];
        }
        let terms = self.ctx.terms;
        let width = terms.width(index);
        // Cut where the leaves change, nearest to the middle.
        let middle = leaves.len() / 2;
        let is_change = |at: &usize| leaves[*at - 1] != leaves[*at];
        let after = (middle..leaves.len()).find(|it| *it > 0 && is_change(it));
        let before = (1..=middle).rev().find(is_change);
        let cut = match (before, after) {
            (Some(before), Some(after)) if middle - before <= after - middle => before,
            (_, Some(after)) => after,
            (Some(before), None) => before,
            (None, None) => middle.max(1),
        };
        let low = self.search_tree(index, first, &leaves[..cut]);
        let high = self.search_tree(index, first + cut as u64, &leaves[cut..]);
        let cond = if cut == 1 && first == 0 {
            terms.eq(index, terms.bv_u64(width, 0))
        } else {
            terms.bv_ult(index, terms.bv_u64(width, first + cut as u64))
        };
        terms.ite(cond, low, high)
    }

    fn read_array(&mut self, id: ObjectId, offset: Term, size: usize) -> Term {
        let array = self.array_of(id);
        let terms = self.ctx.terms;
        let mut res: Option<Term> = None;
        for at in 0..size as u64 {
            let index = terms.bv_add(offset, terms.bv_u64(Width::W64, at));
            let byte = terms.select(array, index);
            res = Some(res.map_or(byte, |low| terms.bv_concat(byte, low)));
        }
        res.unwrap_or_else(|| terms.bv_u64(Width::W8, 0))
    }

    /// The content of an object as an array; the object keeps it so.
    fn array_of(&mut self, id: ObjectId) -> Term {
        let terms = self.ctx.terms;
        let open = self.state.memory.get(id).is_some_and(|it| it.size.most() > it.bytes.len() as u64);
        let mut undefined = crate::memory::bytes::Undefined { terms, count: &mut self.state.undefined };
        match self.state.memory.bytes_mut(id) {
            Some(bytes) => bytes.make_array(&mut undefined, open),
            None => unreachable!("the object was found alive before"),
        }
    }

    pub(crate) fn load_shape(&mut self, ptr: &Val, shape: &Shape) -> Flow<Val> {
        match shape {
            Shape::Scalar { size, width } => self.load_scalar(ptr, u64::from(*size), *width),
            Shape::Aggregate(elements) => {
                let mut res = Vec::with_capacity(elements.len());
                for (offset, element) in elements.iter() {
                    if *offset == u64::MAX {
                        return Err(self.unsupported("a load of a vector of bits"));
                    }
                    let ptr = self.add_offset(ptr, *offset as i64);
                    res.push(self.load_shape(&ptr, element)?);
                }
                Ok(Val::Agg(res.into()))
            }
        }
    }

    // Writing.

    pub(crate) fn store_scalar(&mut self, ptr: &Val, value: &Val, size: u64, width: u32) -> Flow<()> {
        let spot = self.resolve(ptr, size, Access::Write)?;
        self.write(spot, value, size as usize, width);
        Ok(())
    }

    /// Writes `width` bits as `size` bytes, with zeros above.
    pub(crate) fn write(&mut self, spot: Spot, value: &Val, size: usize, width: u32) {
        let terms = self.ctx.terms;
        let offset = match spot.offset {
            Offset::Known(offset) => offset,
            Offset::Symbolic(offset) => return self.write_symbolic(spot.object, offset, value, size, width),
        };
        match value {
            Val::Int(bits) if size <= 8 => {
                if let Some(bytes) = self.state.memory.bytes_mut(spot.object) {
                    bytes.store_concrete(terms, offset, size, *bits);
                }
            }
            Val::Undef => {
                let mut count = self.state.undefined;
                if let Some(bytes) = self.state.memory.bytes_mut(spot.object) {
                    bytes.store_undefined(terms, &mut count, offset, size);
                }
                self.state.undefined = count;
            }
            _ => {
                let term = self.bytes_of(value, size, width);
                if let Some(bytes) = self.state.memory.bytes_mut(spot.object) {
                    bytes.store_term(terms, offset, size, term);
                }
            }
        }
    }

    fn bytes_of(&mut self, value: &Val, size: usize, width: u32) -> Term {
        let term = self.term(value, Width::of(width));
        self.ctx.terms.bv_zero_extend(Width::of(size as u32 * 8), term)
    }

    fn write_symbolic(&mut self, id: ObjectId, offset: Term, value: &Val, size: usize, width: u32) {
        let terms = self.ctx.terms;
        let term = self.bytes_of(value, size, width);
        let Some(object) = self.state.memory.get(id) else { return };
        let bytes = Rc::clone(&object.bytes);
        let cases =
            self.cases(offset, bytes.len() as u64, size as u64, MOST_WRITE_CASES).filter(|_| bytes.array().is_none());
        let Some(cases) = cases else {
            let mut array = self.array_of(id);
            for at in 0..size as u32 {
                let index = terms.bv_add(offset, terms.bv_u64(Width::W64, u64::from(at)));
                array = terms.store(array, index, terms.bv_extract(at * 8 + 7, at * 8, term));
            }
            if let Some(bytes) = self.state.memory.bytes_mut(id) {
                bytes.set_array(array);
            }
            return;
        };
        let width = terms.width(cases.index);
        let hits: Vec<Term> = (0..cases.count).map(|it| terms.eq(cases.index, terms.bv_u64(width, it))).collect();
        let mut new = (*bytes).clone();
        if cases.stride >= size as u64 {
            // The places do not overlap: each is written as a whole.
            for (case, &hit) in hits.iter().enumerate() {
                let at = cases.offset(case as u64);
                let old = bytes.load_term(&mut self.undefined(), at, size);
                new.store_term(terms, at, size, terms.ite(hit, term, old));
            }
        } else {
            for at in 0..bytes.len() {
                let mut byte = None;
                for (case, &hit) in hits.iter().enumerate() {
                    let start = cases.offset(case as u64);
                    if start <= at && at < start + size {
                        let part = (at - start) as u32;
                        let old = match byte {
                            Some(old) => old,
                            None => bytes.load_term(&mut self.undefined(), at, 1),
                        };
                        byte = Some(terms.ite(hit, terms.bv_extract(part * 8 + 7, part * 8, term), old));
                    }
                }
                if let Some(byte) = byte {
                    new.store_term(terms, at, 1, byte);
                }
            }
        }
        if let Some(object) = self.state.memory.object_mut(id) {
            object.bytes = Rc::new(new);
        }
    }

    pub(crate) fn store_shape(&mut self, ptr: &Val, value: &Val, shape: &Shape) -> Flow<()> {
        // All checks come before the first write: a question in the middle would find half of it done.
        let mut spots = Vec::new();
        self.resolve_shape(ptr, value, shape, &mut spots)?;
        for (spot, value, size, width) in spots {
            self.write(spot, &value, size, width);
        }
        Ok(())
    }

    fn resolve_shape(
        &mut self,
        ptr: &Val,
        value: &Val,
        shape: &Shape,
        into: &mut Vec<(Spot, Val, usize, u32)>,
    ) -> Flow<()> {
        match shape {
            Shape::Scalar { size, width } => {
                let spot = self.resolve(ptr, u64::from(*size), Access::Write)?;
                into.push((spot, value.clone(), *size as usize, *width));
                Ok(())
            }
            Shape::Aggregate(elements) => {
                for (index, (offset, element)) in elements.iter().enumerate() {
                    if *offset == u64::MAX {
                        return Err(self.unsupported("a store of a vector of bits"));
                    }
                    let ptr = self.add_offset(ptr, *offset as i64);
                    self.resolve_shape(&ptr, &super::vector::extract(value, &[index as u32]), element, into)?;
                }
                Ok(())
            }
        }
    }

    // Locals.

    pub(super) fn alloca(&mut self, dst: Reg, alloca: &Alloca) -> Flow<()> {
        let size = match alloca.count {
            None => Size::Known(alloca.size),
            Some((count, width)) => self.dynamic_size(alloca, count, width)?,
        };
        if size.most() > MAX_SIZE {
            return Err(self.unsupported("a local variable of more than 1 GiB"));
        }
        let len = match size {
            Size::Known(size) => size,
            // The bytes come into being as they are used.
            Size::Symbolic { .. } => 0,
        };
        let bytes = Bytes::uninitialised(len as usize);
        let id = self.allocate(ObjectKind::Stack, size, bytes, alloca.element, &alloca.name);
        let is_dynamic = alloca.count.is_some();
        let frame = self.frame_mut();
        if is_dynamic { &mut frame.dynamic } else { &mut frame.allocas }.push(id);
        self.finish(dst, Val::Int(id.base()))
    }

    /// The size of an array whose length the program computes: C17 6.7.6.2 wants it to be positive; what `alloca` is
    /// asked for may be 0.
    fn dynamic_size(&mut self, alloca: &Alloca, count: Opnd, width: u32) -> Flow<Size> {
        let count = self.value(count);
        let count = self.term(&count, Width::of(width));
        self.require_defined(count, "the length of an array")?;
        let terms = self.ctx.terms;
        let count =
            if width < 64 { terms.bv_zero_extend(Width::W64, count) } else { terms.bv_truncate(Width::W64, count) };
        if alloca.name.starts_with("vla") {
            // A negative `int` arrives here as a large number.
            let one_less = terms.bv_sub(count, terms.bv_u64(Width::W64, 1));
            let fits = terms.bv_ult(one_less, terms.bv_u64(Width::W64, MOST_ELEMENTS));
            self.require(fits, ARRAY_LENGTH, || {
                "an array of variable length can have no length that is positive and has room on a stack".to_owned()
            })?;
        }
        if let Some(count) = terms.as_bv(count).and_then(BvValue::to_u64) {
            return Ok(Size::Known(alloca.size.saturating_mul(count)));
        }
        let term = terms.bv_mul(count, terms.bv_u64(Width::W64, alloca.size));
        let up_to = |bytes: u64| terms.bv_ule(count, terms.bv_u64(Width::W64, bytes / alloca.size.max(1)));
        for most in [MOST_SYMBOLIC, MAX_SIZE] {
            if self.decide_term(up_to(most))? {
                return Ok(Size::Symbolic { term, most });
            }
        }
        Ok(Size::Known(u64::MAX))
    }

    /// `llvm.lifetime.start` and `.end`: a variable lives from its declaration to the end of its block. As natively, it
    /// is the same object each time.
    pub(super) fn variable_lives(&mut self, ptr: &Val, begins: bool) {
        let Val::Int(address) = ptr else { return };
        let (id, offset) = ObjectId::of_address(*address);
        if offset != 0 || self.state.memory.get(id).is_none_or(|it| it.kind != ObjectKind::Stack) {
            return;
        }
        if begins {
            self.state.memory.revive(id);
        } else {
            self.state.memory.kill(id, Life::OutOfScope);
        }
    }

    /// `llvm.stackrestore`: the variables of dynamic size beyond the first `kept` of this call are gone.
    pub(crate) fn restore_stack(&mut self, kept: u64) {
        let dynamic = &mut self.frame_mut().dynamic;
        let gone = dynamic.split_off(dynamic.len().min(kept as usize));
        for id in gone {
            self.state.memory.kill(id, Life::OutOfScope);
        }
    }

    pub(crate) fn allocate(
        &mut self,
        kind: ObjectKind,
        size: Size,
        bytes: Bytes,
        element: u32,
        name: &Arc<str>,
    ) -> ObjectId {
        let (life, bytes, name) = (Life::Live, Rc::new(bytes), Arc::clone(name));
        let object = Object { kind, life, size, bytes, element, name, unknown: None, open: false };
        self.state.memory.allocate(object)
    }

    /// The offsets that an access can have, given that it is in bounds; `None` if they are too many.
    fn cases(&self, offset: Term, len: u64, size: u64, most: u64) -> Option<Cases> {
        let terms = self.ctx.terms;
        let last = len.checked_sub(size)?;
        let (constant, summands): (BvValue, Vec<(BvValue, Term)>) = match terms.node(offset) {
            Node::BvSum(sum) => (sum.constant.clone(), sum.summands.to_vec()),
            _ => (BvValue::zero(Width::W64), vec![(BvValue::one(Width::W64), offset)]),
        };
        let zeros = |it: &BvValue| it.to_u64().map_or(0, u64::trailing_zeros);
        let shift = summands.iter().map(|it| zeros(&it.0)).min().unwrap_or(0).min(20);
        let stride = 1u64 << shift;
        let phase = constant.to_u64()? % stride;
        let count = if phase > last { 0 } else { (last - phase) / stride + 1 };
        if count == 0 || count > most {
            return None;
        }
        // In bounds, the offset is phase + stride · index with index < count: so many low bits of it suffice.
        let bits = 64 - (count - 1).leading_zeros();
        let width = Width::of(bits.max(1));
        let part = |value: u64| terms.bv_u64(width, value >> shift);
        let mut index = part(constant.to_u64()? - phase);
        for (factor, term) in &summands {
            let low = terms.bv_truncate(width, *term);
            index = terms.bv_add(index, terms.bv_mul(part(factor.to_u64()?), low));
        }
        Some(Cases { index, count, stride, phase })
    }
}

/// The possible offsets of an access: `phase + stride · index`, `index < count`.
struct Cases {
    index: Term,
    count: u64,
    stride: u64,
    phase: u64,
}

impl Cases {
    fn offset(&self, index: u64) -> usize {
        (self.phase + self.stride * index) as usize
    }
}

fn bounds_kind(access: Access) -> effigy_engine::BugKind {
    match access {
        Access::Read => OUT_OF_BOUNDS_READ,
        Access::Write => OUT_OF_BOUNDS_WRITE,
    }
}

impl Machine<'_, '_> {
    /// Copies `size` bytes at `spot` to the start of `into`.
    pub(crate) fn read_into(&mut self, spot: Spot, into: &mut Bytes, size: usize) {
        let Some(object) = self.state.memory.get(spot.object) else { return };
        let source = Rc::clone(&object.bytes);
        match spot.offset {
            Offset::Known(offset) => into.copy_from(&mut self.undefined(), 0, &source, offset, size),
            Offset::Symbolic(_) => {
                let terms = self.ctx.terms;
                for at in 0..size {
                    let byte = self.read(spot.plus(terms, at as u64), 1, 8);
                    let term = self.term(&byte, Width::W8);
                    into.store_term(terms, at, 1, term);
                }
            }
        }
    }

    /// Copies `size` bytes from the start of `bytes` to `spot`.
    pub(crate) fn write_from(&mut self, spot: Spot, bytes: &Bytes, size: usize) {
        let terms = self.ctx.terms;
        match spot.offset {
            Offset::Known(offset) => {
                let mut count = self.state.undefined;
                if let Some(target) = self.state.memory.bytes_mut(spot.object) {
                    let mut undefined = crate::memory::bytes::Undefined { terms, count: &mut count };
                    target.copy_from(&mut undefined, offset, bytes, 0, size);
                }
                self.state.undefined = count;
            }
            Offset::Symbolic(_) => {
                for at in 0..size {
                    let byte = bytes.load(&mut self.undefined(), at, 1, 8);
                    self.write(spot.plus(terms, at as u64), &byte, 1, 8);
                }
            }
        }
    }
}

impl Spot {
    /// The place `distance` bytes further, which the caller knows to be in bounds.
    pub(crate) fn plus(self, terms: &effigy_term::Terms, distance: u64) -> Spot {
        let offset = match self.offset {
            Offset::Known(offset) => Offset::Known(offset + distance as usize),
            Offset::Symbolic(offset) => Offset::Symbolic(terms.bv_add(offset, terms.bv_u64(Width::W64, distance))),
        };
        Spot { offset, ..self }
    }
}
