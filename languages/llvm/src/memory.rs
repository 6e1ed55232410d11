//! Memory: objects with provenance, copied on write between paths.
//!
//! Knows: objects, their bytes, addresses. Never: instructions, what a violation is called.
//!
//! An address is a 64-bit number that carries its object: object `k` lies in the window `[k · 2^32, (k + 1) · 2^32)`,
//! and an address belongs to the object in whose window it falls. A pointer therefore survives any trip through memory
//! or integers, and out-of-bounds and use-after-free are decided by one look-up and one comparison. Pointers that
//! arithmetic has carried out of their window keep their object in [`Strays`]. Where in its window an object lies
//! differs from object to object: a number that is another object's address by accident is none of its bytes.

pub mod bytes;
mod merge;
mod pages;
mod placement;
pub(crate) mod spot;
mod strays;

pub(crate) use merge::{ASKED_OF, Asked, Cell, Merging, UNDEFINED, are_two_numbers};
pub use strays::Strays;

use crate::memory::bytes::Bytes;
use effigy_term::Term;
use pages::Pages;
use std::rc::Rc;
use std::sync::Arc;

/// The number of an object; 0 is the null object, which never exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// The least distance of an object's first byte from the start of its window; the largest is `3 · NEAREST - UNIT`.
const NEAREST: u64 = 1 << 30;

/// What all addresses of objects are multiples of.
pub const UNIT: u64 = 1 << 16;

/// So many places in its window an object can have.
const PLACES: u64 = 1 << 15;

/// So many bytes are made up of an object whose size nobody knows.
pub const MADE_UP: u64 = 256;

/// The largest object, in bytes: its window has room for one-past-the-end and for modest excursions.
pub const MAX_SIZE: u64 = 1 << 30;

impl ObjectId {
    /// The address of the first byte.
    #[inline]
    pub fn base(self) -> u64 {
        let id = u64::from(self.0);
        // An odd factor: objects whose numbers are near to one another never have the same place.
        (id << 32) + NEAREST + (id.wrapping_mul(0x9E37) % PLACES) * UNIT
    }

    /// The object of an address and the offset in it (which may be out of bounds). Of null: the distance from 0.
    #[inline]
    pub fn of_address(address: u64) -> (ObjectId, i64) {
        let id = ObjectId((address >> 32) as u32);
        let base = if id.0 == 0 { 0 } else { id.base() };
        (id, address.wrapping_sub(base) as i64)
    }
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A global variable.
    Global,
    /// A global constant: not to be written.
    Constant,
    /// A function: not to be read or written.
    Function,
    /// A local variable.
    Stack,
    /// From the `malloc` family.
    Heap,
}

/// Whether an object still exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// It exists.
    Live,
    /// It was freed.
    Freed,
    /// Its function has returned, or its scope has ended.
    OutOfScope,
}

/// When the life of an object has ended that stands for those of several paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Where this holds, it does not exist any more.
    pub when: Term,
    /// How its life has ended there.
    pub how: Life,
}

/// The size of an object in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Known.
    Known(u64),
    /// A term of 64 bits; `most` is the largest that it can be here.
    Symbolic {
        /// The size.
        term: Term,
        /// The largest value that it can have on this path.
        most: u64,
    },
}

impl Size {
    /// The largest that it can be, in bytes.
    pub fn most(self) -> u64 {
        match self {
            Size::Known(size) => size,
            Size::Symbolic { most, .. } => most,
        }
    }
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Whether it still exists.
    pub life: Life,
    /// Where it does not, although it lives: only some of the paths that were merged have ended its life. Whoever uses it
    /// must ask ([`Life::Live`] alone does not say that it is there).
    pub ended: Option<Ended>,
    /// Its size.
    pub size: Size,
    /// How many of its bytes the container uses that has it as its storage, where that is less than the size: the others
    /// are not to be read or written.
    pub used: Option<Size>,
    /// Its content.
    pub bytes: Rc<Bytes>,
    /// The width in bytes of the integers in it, for the names of inputs; 1 if they differ.
    pub element: u32,
    /// How many elements each index has, of an array of arrays of integers.
    pub rows: Option<Arc<[u64]>>,
    /// What it is called in reports: a variable's name or the allocating function.
    pub name: Arc<str>,
    /// Its content comes from outside of the program and was not made up yet: whose it is. Then `bytes` are uninitialised
    /// and say nothing.
    pub unknown: Option<Arc<str>>,
    /// It may be larger than `size`: how large, nobody knows.
    pub open: bool,
    /// The binary logarithm of what its address is a multiple of, wherever it lies.
    pub align: u8,
    /// The number of the first object that was made after its life had ended, and may lie where it lay.
    pub until: ObjectId,
}

impl Object {
    /// How many of its bytes may be read and written, from the first.
    #[inline]
    pub fn accessible(&self) -> Size {
        self.used.unwrap_or(self.size)
    }
}

/// [`Object::until`] of what lives.
pub const FOREVER: ObjectId = ObjectId(u32::MAX);

/// All objects of a path.
#[derive(Clone, Debug)]
pub struct Memory {
    pages: Pages,
    next: u32,
}

/// What an address leads to.
#[derive(Debug)]
pub enum Lookup<'a> {
    /// An object that exists, where [`Object::ended`] does not say otherwise.
    Object(&'a Object),
    /// The null object.
    Null,
    /// An object that existed.
    Dead(Life),
    /// No object ever.
    Wild,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::new()
    }
}

impl Memory {
    /// Memory in which the first object will have number 1.
    pub fn new() -> Memory {
        Memory { pages: Pages::default(), next: 1 }
    }

    /// Adds an object.
    pub fn allocate(&mut self, object: Object) -> ObjectId {
        let id = self.next_id();
        self.next += 1;
        self.pages.put(id, object);
        id
    }

    /// The next object will have no smaller number than this.
    pub(crate) fn skip(&mut self, to: u32) {
        self.next = self.next.max(to);
    }

    /// The number that the next object will have.
    pub fn next_id(&self) -> ObjectId {
        ObjectId(self.next)
    }

    /// The object of this number.
    #[inline]
    pub fn lookup(&self, id: ObjectId) -> Lookup<'_> {
        match self.pages.get(id) {
            Some(object) if object.life == Life::Live => Lookup::Object(object),
            Some(object) => Lookup::Dead(object.life),
            None if id.0 == 0 => Lookup::Null,
            None if id.0 < self.next => Lookup::Dead(Life::OutOfScope),
            None => Lookup::Wild,
        }
    }

    /// The object of this number, dead or alive, if it is remembered.
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.pages.get(id)
    }

    /// The live object of this number, to change it.
    #[inline]
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.pages.get_mut(id).filter(|it| it.life == Life::Live)
    }

    /// The content of a live object, to change it.
    #[inline]
    pub fn bytes_mut(&mut self, id: ObjectId) -> Option<&mut Bytes> {
        self.object_mut(id).map(|it| Rc::make_mut(&mut it.bytes))
    }

    /// Ends an object's life; its content is dropped, its name stays for reports.
    pub fn kill(&mut self, id: ObjectId, life: Life) {
        let until = self.next_id();
        self.kill_before(id, life, until);
    }

    /// As [`Memory::kill`]; the object `until` may already lie where it lay.
    pub fn kill_before(&mut self, id: ObjectId, life: Life, until: ObjectId) {
        if let Some(object) = self.object_mut(id) {
            object.life = life;
            object.ended = None;
            object.until = until;
            object.bytes = Rc::new(Bytes::empty());
        }
    }

    /// Begins the life of a local variable, for the first time or again: nothing is written in it yet.
    pub fn revive(&mut self, id: ObjectId) {
        let Some(object) = self.pages.get_mut(id) else { return };
        object.life = Life::Live;
        object.ended = None;
        object.until = FOREVER;
        // Those of a symbolic size come into being as they are used.
        let len = if let Size::Known(size) = object.size { size } else { 0 };
        object.bytes = Rc::new(Bytes::uninitialised(len as usize));
    }

    /// Ends the life of a local variable and forgets it.
    pub fn forget(&mut self, id: ObjectId) {
        self.pages.forget(id, self.next_id());
    }

    /// The objects that are remembered, in the order of allocation.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.pages.objects()
    }

    /// About how many bytes belong to this memory, shared or not.
    pub fn size_hint(&self) -> usize {
        self.pages.len() * 8
    }
}
