//! The content of one object: concrete bytes as bytes, symbolic ones as parts of terms.
//!
//! Knows: bytes, what is initialised, whole terms behind adjacent bytes. Never: addresses.

use crate::placement::looks_like_one;
use crate::value::{Val, truncate};
use effigy_term::{Sort, SymbolKind, Term, Terms, Width};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Known {
    Concrete = 0,
    Uninitialised = 1,
    Symbolic = 2,
}

/// A symbolic byte: byte `index` (from the lowest) of a bitvector whose width is a multiple of 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The bitvector that was stored.
    pub term: Term,
    /// Which of its bytes.
    pub index: u32,
}

/// The bytes of an object.
#[derive(Clone, Debug)]
pub struct Bytes {
    concrete: Vec<u8>,
    /// Absent while every byte is concrete.
    shadow: Option<Box<Shadow>>,
    /// The content as an array from 64-bit offsets to bytes, once a write at a symbolic offset needed it; then it
    /// alone counts.
    array: Option<Term>,
    /// Numbers that may be addresses were written, as a whole.
    addresses: Addresses,
}

/// Where numbers that may be addresses were written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Addresses {
    None,
    /// At multiples of 8.
    Aligned,
    Anywhere,
}

#[derive(Clone, Debug)]
struct Shadow {
    known: Vec<Known>,
    cells: FxHashMap<u32, Cell>,
}

/// Hands out the symbols of undefined bytes; the counter lives in the path's state.
pub struct Undefined<'a> {
    /// The arena.
    pub terms: &'a Terms,
    /// How many were handed out on this path.
    pub count: &'a mut u32,
}

impl Undefined<'_> {
    /// A fresh undefined value.
    pub fn fresh(&mut self, width: Width) -> Term {
        let name = format!("undefined{}", *self.count);
        *self.count += 1;
        let symbol = self.terms.symbol(&name, Sort::BitVec(width), SymbolKind::Undefined);
        self.terms.set_unsigned(symbol);
        self.terms.of_symbol(symbol)
    }
}

impl Bytes {
    /// No bytes.
    pub fn empty() -> Bytes {
        Bytes { concrete: Vec::new(), shadow: None, array: None, addresses: Addresses::None }
    }

    /// Concrete bytes.
    pub fn concrete(bytes: Vec<u8>) -> Bytes {
        let addresses = if words(&bytes).any(looks_like_one) { Addresses::Aligned } else { Addresses::None };
        Bytes { concrete: bytes, shadow: None, array: None, addresses }
    }

    /// `len` bytes that were never written.
    pub fn uninitialised(len: usize) -> Bytes {
        let shadow = Shadow { known: vec![Known::Uninitialised; len], cells: FxHashMap::default() };
        Bytes {
            concrete: vec![0; len],
            shadow: (len > 0).then(|| Box::new(shadow)),
            array: None,
            addresses: Addresses::None,
        }
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.concrete.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.concrete.is_empty()
    }

    /// The content as an array, when it is kept so.
    pub fn array(&self) -> Option<Term> {
        self.array
    }

    /// Whether every byte is concrete.
    pub fn is_concrete(&self) -> bool {
        self.shadow.is_none() && self.array.is_none()
    }

    /// Up to 8 concrete bytes, lowest first, if all are concrete.
    #[inline]
    pub fn load_concrete(&self, offset: usize, len: usize) -> Option<u64> {
        if self.array.is_some() {
            return None;
        }
        if let Some(shadow) = &self.shadow
            && shadow.known[offset..offset + len].iter().any(|&it| it != Known::Concrete)
        {
            return None;
        }
        let mut word = [0; 8];
        word[..len].copy_from_slice(&self.concrete[offset..offset + len]);
        Some(u64::from_le_bytes(word))
    }

    /// Writes up to 8 concrete bytes, lowest first.
    #[inline]
    pub fn store_concrete(&mut self, terms: &Terms, offset: usize, len: usize, bits: u64) {
        if self.array.is_some() {
            return self.store_term(terms, offset, len, terms.bv_u64(Width::of(len as u32 * 8), bits));
        }
        self.concrete[offset..offset + len].copy_from_slice(&bits.to_le_bytes()[..len]);
        if len == 8 && looks_like_one(bits) {
            self.note_address(offset);
        }
        if let Some(shadow) = &mut self.shadow {
            shadow.overwrite(offset, len, Known::Concrete);
        }
    }

    /// Reads `len` bytes as one little-endian integer of `width` bits (at most `8 · len`).
    /// Uninitialised bytes among others become undefined symbols; all of them make the value undefined.
    pub fn load(&self, undefined: &mut Undefined<'_>, offset: usize, len: usize, width: u32) -> Val {
        let terms = undefined.terms;
        if len <= 8
            && let Some(bits) = self.load_concrete(offset, len)
        {
            return Val::Int(truncate(bits, width));
        }
        if self.all_uninitialised(offset, len) {
            return Val::Undef;
        }
        let term = self.load_term(undefined, offset, len);
        let term = terms.bv_truncate(Width::of(width), term);
        let term = if width == 1 { terms.eq(term, terms.bv_u64(Width::W1, 1)) } else { term };
        Val::of_term(terms, term)
    }

    fn all_uninitialised(&self, offset: usize, len: usize) -> bool {
        match &self.shadow {
            Some(shadow) if self.array.is_none() => {
                shadow.known[offset..offset + len].iter().all(|&it| it == Known::Uninitialised)
            }
            _ => false,
        }
    }

    /// Reads `len` bytes as one little-endian bitvector.
    pub fn load_term(&self, undefined: &mut Undefined<'_>, offset: usize, len: usize) -> Term {
        let terms = undefined.terms;
        if let Some(cell) = self.whole_cell(terms, offset, len) {
            return cell;
        }
        let mut res: Option<Term> = None;
        let mut at = 0;
        while at < len {
            let (part, count) = self.part(undefined, offset + at, len - at);
            res = Some(match res {
                Some(low) => terms.bv_concat(part, low),
                None => part,
            });
            at += count;
        }
        res.unwrap_or_else(|| unreachable!("a load has at least one byte"))
    }

    /// The whole term, if the bytes are exactly it.
    fn whole_cell(&self, terms: &Terms, offset: usize, len: usize) -> Option<Term> {
        let shadow = self.shadow.as_ref().filter(|_| self.array.is_none())?;
        let first = shadow.cells.get(&(offset as u32)).filter(|it| it.index == 0)?;
        if terms.width(first.term).bits() as usize != len * 8 {
            return None;
        }
        let rest = 1..len as u32;
        rest.into_iter()
            .all(|it| shadow.cells.get(&(offset as u32 + it)) == Some(&Cell { term: first.term, index: it }))
            .then_some(first.term)
    }

    /// A run of bytes from `offset` that come from one term, or are concrete, as one bitvector; and its length.
    fn part(&self, undefined: &mut Undefined<'_>, offset: usize, most: usize) -> (Term, usize) {
        let terms = undefined.terms;
        if let Some(array) = self.array {
            let index = terms.bv_u64(Width::W64, offset as u64);
            return (terms.select(array, index), 1);
        }
        let known = |at: usize| self.shadow.as_ref().map_or(Known::Concrete, |it| it.known[at]);
        let cell = |at: usize| self.shadow.as_ref().and_then(|it| it.cells.get(&(at as u32)).copied());
        match known(offset) {
            Known::Uninitialised => (undefined.fresh(Width::W8), 1),
            Known::Concrete => {
                let mut count = 1;
                while count < most.min(8) && known(offset + count) == Known::Concrete {
                    count += 1;
                }
                let mut word = [0; 8];
                word[..count].copy_from_slice(&self.concrete[offset..offset + count]);
                (terms.bv_u64(Width::of(count as u32 * 8), u64::from_le_bytes(word)), count)
            }
            Known::Symbolic => {
                let Some(first) = cell(offset) else { unreachable!("a symbolic byte has a cell") };
                let mut count = 1;
                while count < most && cell(offset + count) == Some(Cell { index: first.index + count as u32, ..first })
                {
                    count += 1;
                }
                let high = (first.index + count as u32) * 8 - 1;
                (terms.bv_extract(high, first.index * 8, first.term), count)
            }
        }
    }

    /// Writes a bitvector of `8 · len` bits, lowest byte first.
    pub fn store_term(&mut self, terms: &Terms, offset: usize, len: usize, term: Term) {
        if let Some(array) = self.array {
            let mut array = array;
            for at in 0..len {
                let index = terms.bv_u64(Width::W64, (offset + at) as u64);
                let byte = terms.bv_extract(at as u32 * 8 + 7, at as u32 * 8, term);
                array = terms.store(array, index, byte);
            }
            self.array = Some(array);
            return;
        }
        if let Some(value) = terms.as_bv(term) {
            if len >= 8 {
                self.addresses = Addresses::Anywhere;
            }
            for at in 0..len {
                let byte = value.extract(at as u32 * 8 + 7, at as u32 * 8).to_u64().unwrap_or(0);
                self.store_concrete(terms, offset + at, 1, byte);
            }
            return;
        }
        let shadow = self.shadow_mut();
        shadow.overwrite(offset, len, Known::Symbolic);
        for at in 0..len as u32 {
            shadow.cells.insert(offset as u32 + at, Cell { term, index: at });
        }
    }

    /// Marks bytes as never written.
    pub fn store_undefined(&mut self, terms: &Terms, undefined: &mut u32, offset: usize, len: usize) {
        if self.array.is_some() {
            let term = Undefined { terms, count: undefined }.fresh(Width::of(len as u32 * 8));
            return self.store_term(terms, offset, len, term);
        }
        if len > 0 {
            self.shadow_mut().overwrite(offset, len, Known::Uninitialised);
        }
    }

    /// Writes concrete bytes.
    pub fn store_slice(&mut self, terms: &Terms, offset: usize, bytes: &[u8]) {
        if self.array.is_some() {
            for (at, &byte) in bytes.iter().enumerate() {
                self.store_concrete(terms, offset + at, 1, u64::from(byte));
            }
            return;
        }
        self.concrete[offset..offset + bytes.len()].copy_from_slice(bytes);
        if bytes.len() == 8 && words(bytes).any(looks_like_one) {
            self.note_address(offset);
        }
        if let Some(shadow) = &mut self.shadow {
            shadow.overwrite(offset, bytes.len(), Known::Concrete);
        }
    }

    /// The concrete bytes of a range, if all are concrete.
    pub fn slice(&self, offset: usize, len: usize) -> Option<&[u8]> {
        if self.array.is_some() {
            return None;
        }
        if let Some(shadow) = &self.shadow
            && shadow.known[offset..offset + len].iter().any(|&it| it != Known::Concrete)
        {
            return None;
        }
        Some(&self.concrete[offset..offset + len])
    }

    /// The concrete bytes from an offset on, up to the first that is not and `most` at most; none where some may be parts
    /// of addresses.
    pub(crate) fn concrete_run(&self, offset: usize, most: usize) -> &[u8] {
        if self.array.is_some() || self.may_hold_addresses() {
            return &[];
        }
        let last = self.concrete.len().min(offset.saturating_add(most));
        let Some(bytes) = self.concrete.get(offset..last) else { return &[] };
        let known = self.shadow.as_ref().and_then(|it| it.known.get(offset..last));
        let end = known.and_then(|it| it.iter().position(|it| *it != Known::Concrete));
        &bytes[..end.unwrap_or(bytes.len())]
    }

    /// Copies bytes with what is known of them: `len` bytes of `source` from `from` to `offset`.
    pub fn copy_from(&mut self, undefined: &mut Undefined<'_>, offset: usize, source: &Bytes, from: usize, len: usize) {
        let terms = undefined.terms;
        if source.addresses != Addresses::None {
            let kept = if (offset ^ from).is_multiple_of(8) { source.addresses } else { Addresses::Anywhere };
            self.addresses = self.addresses.max(kept);
        }
        if let Some(bytes) = source.slice(from, len) {
            return self.store_slice(terms, offset, bytes);
        }
        if self.array.is_some() || source.array.is_some() {
            for at in 0..len {
                let byte = source.load_term(undefined, from + at, 1);
                self.store_term(terms, offset + at, 1, byte);
            }
            return;
        }
        let Some(other) = &source.shadow else { return };
        self.concrete[offset..offset + len].copy_from_slice(&source.concrete[from..from + len]);
        let shadow = self.shadow_mut();
        shadow.overwrite(offset, len, Known::Concrete);
        shadow.known[offset..offset + len].copy_from_slice(&other.known[from..from + len]);
        for at in 0..len as u32 {
            if let Some(&cell) = other.cells.get(&(from as u32 + at)) {
                shadow.cells.insert(offset as u32 + at, cell);
            }
        }
    }

    /// Whether a number that may be an address was written somewhere, as a whole.
    #[inline]
    pub(crate) fn may_hold_addresses(&self) -> bool {
        self.addresses != Addresses::None
    }

    /// Whether all of these were at multiples of 8.
    pub(crate) fn addresses_are_aligned(&self) -> bool {
        self.addresses != Addresses::Anywhere
    }

    #[inline]
    fn note_address(&mut self, offset: usize) {
        let at = if offset.is_multiple_of(8) { Addresses::Aligned } else { Addresses::Anywhere };
        self.addresses = self.addresses.max(at);
    }

    /// The concrete word at an offset, if there is one.
    pub(crate) fn word_at(&self, offset: usize) -> Option<u64> {
        (offset + 8 <= self.len()).then(|| self.load_concrete(offset, 8)).flatten()
    }

    /// The concrete words at multiples of 8.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let all = if self.is_concrete() { words(&self.concrete) } else { words(&[]) };
        let some = if self.is_concrete() { 0 } else { self.len() / 8 };
        all.chain((0..some).filter_map(|it| self.word_at(8 * it)))
    }

    /// The terms whose bits are in the content.
    pub(crate) fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        let cells = self.shadow.iter().filter(|_| self.array.is_none()).flat_map(|it| it.cells.values());
        self.array.into_iter().chain(cells.map(|it| it.term))
    }

    /// Grows to `len` bytes; the new ones were never written.
    pub fn grow(&mut self, len: usize) {
        if len <= self.len() || self.array.is_some() {
            return;
        }
        self.shadow_mut().known.resize(len, Known::Uninitialised);
        self.concrete.resize(len, 0);
    }

    /// The first byte from `from` on in which the contents differ, of two of one length that are no arrays.
    pub(super) fn differ(&self, other: &Bytes, from: usize) -> Option<usize> {
        let (mine, theirs) = (&self.concrete[from..], &other.concrete[from..]);
        let (Some(here), Some(there)) = (&self.shadow, &other.shadow) else {
            if self.shadow.is_none() && other.shadow.is_none() {
                return mine.iter().zip(theirs).position(|(a, b)| a != b).map(|it| from + it);
            }
            return (from..self.len()).find(|&at| self.known_at(at) != other.known_at(at));
        };
        (from..self.len()).find(|&at| match (here.known[at], there.known[at]) {
            (Known::Concrete, Known::Concrete) => self.concrete[at] != other.concrete[at],
            (Known::Symbolic, Known::Symbolic) => here.cells.get(&(at as u32)) != there.cells.get(&(at as u32)),
            (a, b) => a != b,
        })
    }

    /// What is known of a byte, with its value if it is a number.
    fn known_at(&self, at: usize) -> (Known, u8) {
        match &self.shadow {
            Some(shadow) if shadow.known[at] != Known::Concrete => (shadow.known[at], 0),
            _ => (Known::Concrete, self.concrete[at]),
        }
    }

    /// The first byte and the size of the term that a byte is a part of.
    pub(super) fn stored_at(&self, terms: &Terms, at: usize) -> Option<(usize, usize)> {
        let cell = self.shadow.as_ref()?.cells.get(&(at as u32))?;
        let size = terms.width(cell.term).bits() as usize / 8;
        Some((at.checked_sub(cell.index as usize)?, size))
    }

    /// Whether bytes are one term, or numbers.
    pub(crate) fn is_word(&self, terms: &Terms, at: usize, size: usize) -> bool {
        self.slice(at, size).is_some() || self.whole_cell(terms, at, size).is_some()
    }

    /// Whether no part of what was written to some bytes is undefined.
    pub(super) fn is_defined(&self, terms: &Terms, at: usize, size: usize) -> bool {
        let defined = |cell: &Cell| !terms.is_undefined(cell.term);
        match (&self.array, &self.shadow) {
            (Some(array), _) => !terms.is_undefined(*array),
            (None, Some(shadow)) => (at..at + size).all(|it| shadow.cells.get(&(it as u32)).is_none_or(defined)),
            (None, None) => true,
        }
    }

    /// Whether nothing was ever written to some bytes.
    pub(super) fn is_unwritten(&self, at: usize, size: usize) -> bool {
        self.all_uninitialised(at, size)
    }

    /// Turns the content into an array, for accesses at symbolic offsets; `undefined` stands for all bytes that
    /// were never written, those of an object that is longer than its bytes among them (`open`).
    pub fn make_array(&mut self, undefined: &mut Undefined<'_>, open: bool) -> Term {
        if let Some(array) = self.array {
            return array;
        }
        let terms = undefined.terms;
        let sort = terms.array_sort(Sort::BitVec(Width::W64), Sort::BitVec(Width::W8));
        let never_written = open || (0..self.len()).any(|at| self.all_uninitialised(at, 1));
        // Of a large object the most bytes are those that it was filled with.
        let fill = if self.len() > 1 << 20 && self.is_number(0) { self.concrete[0] } else { 0 };
        let default = if never_written { undefined.fresh(Width::W8) } else { terms.bv_u64(Width::W8, fill.into()) };
        let mut array = terms.const_array(sort, default);
        for at in 0..self.len() {
            let is_default = !never_written && self.is_number(at) && self.concrete[at] == fill;
            if is_default || self.all_uninitialised(at, 1) {
                continue;
            }
            let byte = self.load_term(undefined, at, 1);
            if byte != default {
                array = terms.store(array, terms.bv_u64(Width::W64, at as u64), byte);
            }
        }
        self.set_array(array);
        array
    }

    /// Whether a byte is a number by itself.
    fn is_number(&self, at: usize) -> bool {
        self.shadow.as_ref().is_none_or(|it| it.known[at] == Known::Concrete)
    }

    /// Replaces the content by an array.
    pub fn set_array(&mut self, array: Term) {
        self.array = Some(array);
        self.shadow = None;
    }

    fn shadow_mut(&mut self) -> &mut Shadow {
        let len = self.concrete.len();
        self.shadow
            .get_or_insert_with(|| Box::new(Shadow { known: vec![Known::Concrete; len], cells: FxHashMap::default() }))
    }
}

impl Shadow {
    #[inline]
    fn overwrite(&mut self, offset: usize, len: usize, known: Known) {
        let range = &mut self.known[offset..offset + len];
        if !self.cells.is_empty() {
            for (at, old) in range.iter().enumerate() {
                if *old == Known::Symbolic {
                    self.cells.remove(&((offset + at) as u32));
                }
            }
        }
        range.fill(known);
    }
}

/// The content of a constant object, shared by all paths.
pub fn shared(bytes: Vec<u8>) -> Rc<Bytes> {
    Rc::new(Bytes::concrete(bytes))
}

/// The aligned words of some bytes.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|it| u64::from_le_bytes(it.try_into().unwrap_or_default()))
}
