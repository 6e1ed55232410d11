//! Loads and stores.
//!
//! Knows: how an address is resolved to an object and which accesses are bugs. Never: which side is feasible.
//!
//! A symbolic address keeps the object of its constant part; an if-then-else of addresses is split by object; an
//! address without any object is asked for by value. An offset that is symbolic but in bounds is read by a search
//! tree of if-then-elses over the possible offsets, or, when they are many, through an SMT array.

use crate::checks::{
    NULL_DEREFERENCE, OUT_OF_BOUNDS_READ, OUT_OF_BOUNDS_WRITE, UNINITIALISED_VALUE, USE_AFTER_FREE, USE_AFTER_SCOPE,
    WILD_POINTER, WRITE_TO_CONSTANT,
};
use crate::code::Shape;
use crate::extent::Extent;
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
pub(crate) use crate::memory::spot::{Access, Offset, Spot};
use crate::memory::{Life, Lookup, Object, ObjectId, ObjectKind, Size};
use crate::value::Val;
use effigy_engine::{BugKind, Resolution, Step};
use effigy_term::{BvValue, Node, Term, Terms, Value, Width};
use std::rc::Rc;
use std::sync::Arc;

/// With at most so many possible offsets an access builds if-then-elses; beyond, the object becomes an array.
/// A read costs a search tree once, a write an if-then-else for every place.
const MOST_READ_CASES: u64 = 2048;
const MOST_WRITE_CASES: u64 = 256;

/// A table that changes no more often is read by comparing the index with the places where it changes, which reads
/// well (`c < 58`); any other by the bits of the index.
const FEW_CHANGES: usize = 16;

/// Nearer to null than this, a member of a structure at null was meant: the page that no program has.
const NULL_PAGE: i64 = 4096;

/// At a symbolic offset, all bytes of an object of symbolic size come into being, up to so many; larger ones become
/// arrays.
const MOST_GROWN: u64 = 1 << 16;

/// What `malloc` returns is a multiple of 2 to the power of this: malloc(3), on x86-64.
const HEAP_ALIGN: u8 = 4;

impl Machine<'_, '_> {
    // Resolution.

    /// The place that `size` bytes at `ptr` are, all checks made.
    pub(crate) fn resolve(&mut self, ptr: &Val, size: u64, access: Access) -> Flow<Spot> {
        let spot = self.resolve_alone(ptr, size, access)?;
        self.touches(spot, size, access)?;
        Ok(spot)
    }

    fn resolve_alone(&mut self, ptr: &Val, size: u64, access: Access) -> Flow<Spot> {
        self.touched = self.touched.saturating_add(size);
        match ptr {
            Val::Int(address) => self.resolve_concrete(*address, size, access),
            Val::Address { bits, .. } => self.resolve_concrete(*bits, size, access),
            Val::Term(_) => match self.pointer_of(ptr) {
                Val::Term(term) => self.resolve_symbolic(term, size, access),
                other => self.resolve_alone(&other, size, access),
            },
            _ => {
                let message = format!("{} at an address that is uninitialised", access.verb());
                Err(self.violation(UNINITIALISED_VALUE, message))
            }
        }
    }

    /// Whether an address is that of a byte of a living object of known size, or its end.
    pub(crate) fn is_within(&self, address: u64, access: Access) -> bool {
        let (id, offset) = self.locate(address);
        let fits = |size: u64| u64::try_from(offset).is_ok_and(|at| at <= size);
        let object = self.state.memory.get(id).filter(|_| self.misuse(id, offset, access).is_none());
        object.is_some_and(|it| it.ended.is_none() && matches!(it.accessible(), Size::Known(size) if fits(size)))
    }

    fn resolve_concrete(&mut self, address: u64, size: u64, access: Access) -> Flow<Spot> {
        let (id, offset) = self.locate(address);
        self.exists(id, |it| it.gone(id, access))?;
        if self.live(id, offset, access)?.unknown.is_some() {
            self.make_up(id)?;
        }
        let object = self.live(id, offset, access)?;
        let known = match object.accessible() {
            Size::Known(known) => known,
            Size::Symbolic { term, most } => {
                let name = Arc::clone(&object.name);
                self.in_symbolic_size(offset, size, (term, most), &name, access)?;
                self.grow(id, most.min((offset as u64).saturating_add(size)));
                return Ok(Spot { object: id, offset: Offset::Known(offset as usize) });
            }
        };
        if offset < 0 || (offset as u64).saturating_add(size) > known {
            if object.open && offset >= 0 {
                return Err(self.beyond(id, access));
            }
            let end = self.ctx.terms.bv_u64(Width::W64, known);
            self.state.outside = Some(Extent { offset: self.ctx.terms.bv_u64(Width::W64, offset as u64), size, end });
            return Err(self.out_of_bounds(id, offset, size, known, access));
        }
        Ok(Spot { object: id, offset: Offset::Known(offset as usize) })
    }

    /// An access to an object of a symbolic size, of which the largest is known.
    fn in_symbolic_size(
        &mut self,
        offset: i64,
        size: u64,
        (term, most): (Term, u64),
        name: &str,
        access: Access,
    ) -> Flow<()> {
        let terms = self.ctx.terms;
        let end = (offset as u64).saturating_add(size);
        let fits = if offset < 0 || end > most { terms.bool(false) } else { self.at_least(term, end) };
        let extent = Extent { offset: terms.bv_u64(Width::W64, offset as u64), size, end: term };
        self.require_within(extent, fits, access, || {
            format!("{} {} at offset {offset} of {name}, whose size can be smaller", access.verb(), bytes(size))
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

    /// Where paths were merged of which some have ended the life of object `id`: it must not be one of these. `bug` is
    /// what it is to use it there.
    pub(crate) fn exists(&mut self, id: ObjectId, bug: impl FnOnce(&Self) -> (BugKind, String)) -> Flow<()> {
        let Lookup::Object(Object { ended: Some(ended), .. }) = self.state.memory.lookup(id) else { return Ok(()) };
        let (kind, message) = bug(self);
        let lives = self.ctx.terms.not(ended.when);
        self.require(lives, kind, || message)?;
        self.found.push(id);
        Ok(())
    }

    /// After an instruction: what it has used is there, on all runs that go on.
    pub(super) fn settle(&mut self) {
        for id in std::mem::take(&mut self.found) {
            if let Some(object) = self.state.memory.object_mut(id) {
                object.ended = None;
            }
        }
        self.settle_placements();
    }

    /// The live object `id`, or the bug of using it.
    fn live(&mut self, id: ObjectId, offset: i64, access: Access) -> Flow<&Object> {
        if let Some((kind, message)) = self.misuse(id, offset, access) {
            return Err(self.violation(kind, message));
        }
        match self.state.memory.lookup(id) {
            Lookup::Object(object) => Ok(object),
            _ => Err(self.unsupported("an object that is neither there nor gone")),
        }
    }

    /// The bug of using object `id`.
    fn misuse(&self, id: ObjectId, offset: i64, access: Access) -> Option<(BugKind, String)> {
        let verb = access.verb();
        Some(match self.state.memory.lookup(id) {
            Lookup::Object(object) if access == Access::Write && object.kind == ObjectKind::Constant => {
                (WRITE_TO_CONSTANT, format!("writing to the constant {}", object.name))
            }
            Lookup::Object(_) => return None,
            // Small distances from null are members of a structure at null.
            Lookup::Null => match offset {
                0 => (NULL_DEREFERENCE, format!("{verb} through the null pointer")),
                1..NULL_PAGE => (NULL_DEREFERENCE, format!("{verb} at {offset} bytes from the null pointer")),
                _ => (WILD_POINTER, format!("{verb} at the address {offset:#x}, where nothing was allocated")),
            },
            Lookup::Dead(_) => self.gone(id, access),
            Lookup::Wild => (WILD_POINTER, format!("{verb} at an address where nothing was allocated")),
        })
    }

    /// The bug of using object `id` after its life has ended.
    fn gone(&self, id: ObjectId, access: Access) -> (BugKind, String) {
        let (verb, object) = (access.verb(), self.state.memory.get(id));
        let name = object.map_or_else(|| "a local variable".into(), |it| Arc::clone(&it.name));
        match object.map(|it| it.ended.map_or(it.life, |it| it.how)) {
            Some(Life::Freed) => (USE_AFTER_FREE, format!("{verb} memory of {name} after it was freed")),
            Some(_) => (USE_AFTER_SCOPE, format!("{verb} {name} after its scope has ended")),
            None => (USE_AFTER_SCOPE, format!("{verb} {name} after its function has returned")),
        }
    }

    fn out_of_bounds(&mut self, id: ObjectId, offset: i64, size: u64, known: u64, access: Access) -> Step {
        let object = self.state.memory.get(id);
        let name = object.map_or_else(|| "an object".into(), |it| Arc::clone(&it.name));
        let elements = object.and_then(|it| elements(it, size, known)).filter(|it| offset % it.0 == 0);
        let has = object.map_or("which has", has);
        let rows = object.filter(|_| elements.is_some()).and_then(|it| self.outside_of_rows(it, id.base(), offset));
        let message = match (elements, rows) {
            (_, Some(index)) => format!("{} {index}", access.verb()),
            (Some((element, count)), None) => {
                format!("{} index {} of {name}, {has} {count} elements", access.verb(), offset / element)
            }
            _ => format!("{} {} at offset {offset} of {name}, {has} {known}", access.verb(), bytes(size)),
        };
        self.violation(bounds_kind(access), message)
    }

    fn resolve_symbolic(&mut self, address: Term, size: u64, access: Access) -> Flow<Spot> {
        let what = format!("{} at an index that no object has", access.verb());
        self.require_no_poison(address, bounds_kind(access), &what)?;
        self.require_defined(address, "an address")?;
        let terms = self.ctx.terms;
        let unwrapped = self.unwrapped(address);
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
        self.exists(id, |it| it.gone(id, access))?;
        if self.live(id, 0, access)?.unknown.is_some() {
            self.make_up(id)?;
        }
        let object = self.live(id, 0, access)?;
        let open = object.open;
        let (extent, name, rows) = (object.accessible(), Arc::clone(&object.name), object.rows.clone());
        let (elements, has) = (elements(object, size, object.bytes.len() as u64), has(object));
        let offset = terms.bv_sub(address, terms.bv_u64(Width::W64, id.base()));
        let known = match extent {
            Size::Known(known) => known,
            Size::Symbolic { term, most } => {
                // offset <= most - size keeps offset + size from wrapping.
                let bounded = terms.bv_ule(offset, terms.bv_u64(Width::W64, most.saturating_sub(size)));
                let end = terms.bv_add(offset, terms.bv_u64(Width::W64, size));
                let fits = if size > most { terms.bool(false) } else { terms.and(bounded, terms.bv_ule(end, term)) };
                self.require_within(Extent { offset, size, end: term }, fits, access, || {
                    let bytes = if size == 1 { "byte" } else { "bytes" };
                    format!("{} {size} {bytes} of {name} at an offset that can be out of bounds", access.verb())
                })?;
                self.require_unwrapped(unwrapped, bounds_kind(access), &format!("{} {name}", access.verb()))?;
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
        let end = terms.bv_u64(Width::W64, known);
        self.require_within(Extent { offset, size, end }, fits, access, || match elements {
            Some((element, count)) if is_multiple(terms, offset, element as u64) => {
                if let Some(rows) = rows {
                    let counts: Vec<String> = rows.iter().map(u64::to_string).collect();
                    let counts = counts.join("·");
                    return format!(
                        "{} at indices that can be outside of {name}, which has {counts} elements",
                        access.verb()
                    );
                }
                format!("{} at an index that can be outside of {name}, which has {count} elements", access.verb())
            }
            _ => {
                let bytes = bytes(size);
                format!("{} {bytes} at an offset that can be outside of {name}, {has} {known}", access.verb())
            }
        })?;
        self.require_unwrapped(unwrapped, bounds_kind(access), &format!("{} {name}", access.verb()))?;
        if known == size {
            return Ok(Spot { object: id, offset: Offset::Known(0) });
        }
        Ok(Spot { object: id, offset: Offset::Symbolic(offset) })
    }

    /// Requires that an access is within its object. If it is not, the witness says how far away it is.
    fn require_within(
        &mut self,
        extent: Extent,
        fits: Term,
        access: Access,
        message: impl FnOnce() -> String,
    ) -> Flow<()> {
        self.state.outside = Some(extent);
        self.require(fits, bounds_kind(access), message)?;
        self.state.outside = None;
        Ok(())
    }

    /// Asks for the value of a term of at most 64 bits.
    pub(crate) fn choose_value(&mut self, term: Term) -> Flow<u64> {
        let term = self.settled(term, "a value");
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

    /// An integer, which may have been a pointer when it was written.
    pub(super) fn load_number(&mut self, ptr: &Val, size: u64, width: u32) -> Flow<Val> {
        let spot = self.resolve(ptr, size, Access::Read)?;
        let value = self.read(spot, size as usize, width);
        Ok(self.number_read(spot, size as usize, width, value))
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
        let changes = leaves.windows(2).filter(|it| it[0] != it[1]).count();
        if changes <= FEW_CHANGES {
            return self.search_tree(cases.index, 0, &leaves);
        }
        let bits = usize::BITS - (leaves.len() - 1).leading_zeros();
        self.bit_tree(cases.index, bits, &leaves)
    }

    /// The leaf at `index`, which has no more than `bits` bits, chosen by one bit after the other: equal subtrees are
    /// one term.
    fn bit_tree(&self, index: Term, bits: u32, leaves: &[Term]) -> Term {
        let [only] = leaves else {
            let (terms, bit) = (self.ctx.terms, bits - 1);
            let half = 1usize << bit;
            if leaves.len() <= half {
                return self.bit_tree(index, bit, leaves);
            }
            let (low, high) = leaves.split_at(half);
            let (low, high) = (self.bit_tree(index, bit, low), self.bit_tree(index, bit, high));
            if low == high {
                return low;
            }
            let cond = terms.eq(terms.bv_extract(bit, bit, index), terms.bv_u64(Width::W1, 1));
            return terms.ite(cond, high, low);
        };
        *only
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
            // Which of them are pointers does not matter: a number is found to be one where it is used so.
            Shape::Scalar { size, width } => self.load_number(ptr, u64::from(*size), *width),
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
        match &self.simplest(value) {
            Val::Int(bits) | Val::Address { bits, .. } if size <= 8 => {
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
            value => {
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

    pub(crate) fn allocate(
        &mut self,
        kind: ObjectKind,
        size: Size,
        bytes: Bytes,
        element: u32,
        name: &Arc<str>,
    ) -> ObjectId {
        let align = match kind {
            ObjectKind::Heap => HEAP_ALIGN,
            _ => 0,
        };
        self.touched = self.touched.saturating_add(bytes.len() as u64);
        let (life, bytes, name) = (Life::Live, Rc::new(bytes), Arc::clone(name));
        let object = Object {
            kind,
            life,
            ended: None,
            size,
            used: None,
            bytes,
            element,
            rows: None,
            name,
            unknown: None,
            open: false,
            align,
            until: crate::memory::FOREVER,
        };
        self.state.memory.allocate(object)
    }

    /// An object lies at a multiple of 2 to the power of `align`.
    pub(crate) fn align(&mut self, id: ObjectId, align: u8) {
        if let Some(object) = self.state.memory.object_mut(id) {
            object.align = object.align.max(align);
        }
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

/// Whether an offset is seen to be a multiple of a number: then it is one of an element.
fn is_multiple(terms: &Terms, offset: Term, of: u64) -> bool {
    let divides = |it: &BvValue| it.to_u64().is_some_and(|it| it.is_multiple_of(of));
    match terms.node(offset) {
        Node::BitVec(value) => divides(value),
        Node::BvSum(sum) => divides(&sum.constant) && sum.summands.iter().all(|it| divides(&it.0)),
        _ => false,
    }
}

/// The bytes of each element of an array and how many there are, where an access is one to a whole element.
fn elements(object: &Object, accessed: u64, known: u64) -> Option<(i64, u64)> {
    let element = u64::from(object.element);
    let is_array = element > 1 && element == accessed && known > element && known.is_multiple_of(element);
    is_array.then_some((i64::from(object.element), known / element))
}

/// What a message says before the number of bytes that may be accessed.
fn has(object: &Object) -> &'static str {
    if object.used.is_some() { "of which its container uses" } else { "which has" }
}

fn bounds_kind(access: Access) -> BugKind {
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
            Offset::Known(offset) => {
                into.copy_from(&mut self.undefined(), 0, &source, offset, size);
                if source.may_hold_addresses() && size > 0 {
                    self.cut_addresses(&source, offset, size, into);
                }
            }
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
    pub(crate) fn plus(self, terms: &Terms, distance: u64) -> Spot {
        let offset = match self.offset {
            Offset::Known(offset) => Offset::Known(offset + distance as usize),
            Offset::Symbolic(offset) => Offset::Symbolic(terms.bv_add(offset, terms.bv_u64(Width::W64, distance))),
        };
        Spot { offset, ..self }
    }
}

fn bytes(size: u64) -> String {
    if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") }
}
