//! Merging memory: objects by the cells that both sides agree on.
//!
//! Knows: cells, what one side only has. Never: frames, φ.
//!
//! A cell is what was stored as a whole: it becomes one if-then-else, so that a pointer stays an if-then-else of
//! addresses, and a number one of numbers. Where neither side says how the bytes were stored, words are guessed: that
//! costs terms, never truth.

use super::bytes::{Bytes, Undefined};
use super::pages::{PAGE, Page};
use super::{Ended, Life, Lookup, Memory, Object, ObjectId, Size, Strays};
use crate::value::Val;
use effigy_engine::Apart;
use effigy_term::{Term, Terms, Width};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What two states are merged with.
pub(crate) struct Merging<'a> {
    pub(crate) terms: &'a Terms,
    /// Where it holds, the state is the first of the two.
    pub(crate) cond: Term,
    /// How many undefined values were named.
    pub(crate) undefined: u32,
    /// What is soon asked of, where that keeps numbers apart.
    pub(crate) asked: Option<Asked>,
}

/// Why numbers are kept apart.
pub(crate) const ASKED_OF: &str = "numbers that are soon asked of";

/// What of memory is soon asked of.
#[derive(Default)]
pub(crate) struct Asked {
    /// The variables of the calls: those that are asked of, and those that are not.
    pub(crate) variables: BTreeMap<ObjectId, bool>,
    /// Whether anything else is.
    pub(crate) elsewhere: bool,
}

impl Asked {
    fn asks(&self, id: ObjectId) -> bool {
        self.variables.get(&id).copied().unwrap_or(self.elsewhere)
    }
}

/// Whether two values are different numbers, whatever the inputs.
pub(crate) fn are_two_numbers(a: &Val, b: &Val) -> bool {
    matches!((a, b), (Val::Int(a), Val::Int(b)) if a != b)
}

impl Merging<'_> {
    /// One value for two scalars of this many bits.
    pub(crate) fn scalar(&mut self, then: &Val, other: &Val, width: u32) -> Result<Val, Apart> {
        if then == other {
            return Ok(then.clone());
        }
        let (a, b) = (self.term(then, width)?, self.term(other, width)?);
        Ok(Val::of_term(self.terms, self.terms.ite(self.cond, a, b)))
    }

    /// A scalar as a term: of sort Bool, if it has one bit.
    fn term(&mut self, value: &Val, width: u32) -> Result<Term, Apart> {
        let bits = Width::of(width);
        let term = match value {
            Val::Undef => self.undefined().fresh(bits),
            value => value.to_term(self.terms, bits).ok_or(Apart("an aggregate in one register"))?,
        };
        match width {
            1 => Ok(self.terms.eq(term, self.terms.bv_u64(Width::W1, 1))),
            _ if self.terms.width(term) == bits => Ok(term),
            _ => Err(Apart("values of two widths in one register")),
        }
    }

    pub(crate) fn undefined(&mut self) -> Undefined<'_> {
        Undefined { terms: self.terms, count: &mut self.undefined }
    }
}

impl Memory {
    /// The memory that is this one or `other`. What only one of them has belongs to the paths that have it: no other has
    /// a pointer to it.
    pub(crate) fn merge(&self, other: &Memory, with: &mut Merging<'_>) -> Result<Memory, Apart> {
        let mut res = self.clone();
        res.next = self.next.max(other.next);
        res.pages.join(&other.pages, |id, a, b| merged(id, a, b, self, with))?;
        Ok(res)
    }

    /// Whether a number is the address of a byte of an object, or its end.
    fn is_address(&self, number: u64) -> bool {
        let (id, offset) = ObjectId::of_address(number);
        match self.lookup(id) {
            Lookup::Object(object) => u64::try_from(offset).is_ok_and(|it| it <= object.size.most()),
            _ => false,
        }
    }
}

/// What stands for anything is defined: it cannot stand for what is not.
pub(crate) const UNDEFINED: &str = "a value that is not defined";

/// What a loop changes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// So many bytes from this one on.
    Bytes(usize, usize),
    /// All of it, kept as an array.
    All,
}

/// Two states that differ in more cells are not compared any further: nobody asks of so many, and to list those of a
/// large object takes minutes (measured: 256 MiB, filled anew).
const MOST_CHANGED: usize = 1 << 16;

impl Memory {
    /// The cells in which `after` differs.
    ///
    /// # Errors
    /// What is no content of a cell: objects that come or go, storage that is written for the first time; and where the
    /// cells are too many.
    pub(crate) fn changed(&self, after: &Memory, terms: &Terms) -> Result<BTreeSet<(ObjectId, Cell)>, Apart> {
        let mut res = BTreeSet::new();
        let count = self.pages.len().max(after.pages.len());
        for page in 0..count {
            let (a, b) = (self.pages.page(page), after.pages.page(page));
            if let (Some(a), Some(b)) = (a, b)
                && Rc::ptr_eq(a, b)
            {
                continue;
            }
            for slot in 0..PAGE {
                let id = ObjectId((page * PAGE + slot) as u32);
                let of = |it: Option<&Rc<Page>>| it.and_then(|it| it.objects[slot].clone());
                let (a, b) = match (of(a), of(b)) {
                    (None, None) => continue,
                    (Some(a), Some(b)) => (a, b),
                    // What a round has made and is gone, nobody has a pointer to that is of use.
                    (None, Some(it)) if it.life != Life::Live => continue,
                    _ => return Err(Apart("objects that come or go")),
                };
                if a.life != b.life
                    || a.ended != b.ended
                    || a.size != b.size
                    || a.used != b.used
                    || a.unknown != b.unknown
                    || a.open != b.open
                {
                    return Err(Apart("an object whose life or size changes"));
                }
                if a.life != Life::Live || Rc::ptr_eq(&a.bytes, &b.bytes) {
                    continue;
                }
                changed_bytes(terms, id, &a.bytes, &b.bytes, self, &mut res)?;
            }
        }
        Ok(res)
    }
}

fn changed_bytes(
    terms: &Terms,
    id: ObjectId,
    a: &Bytes,
    b: &Bytes,
    memory: &Memory,
    into: &mut BTreeSet<(ObjectId, Cell)>,
) -> Result<(), Apart> {
    if a.array().is_some() && a.array() == b.array() {
        return Ok(());
    }
    if a.len() != b.len() {
        return Err(Apart("an object that grows"));
    }
    if a.array().is_some() || b.array().is_some() {
        if (0..a.len()).any(|at| a.is_unwritten(at, 1)) {
            return Err(Apart("storage that was not written before"));
        }
        if [a, b].into_iter().any(|it| !it.is_defined(terms, 0, it.len())) {
            return Err(Apart(UNDEFINED));
        }
        into.insert((id, Cell::All));
        return Ok(());
    }
    let mut at = 0;
    while let Some(differs) = a.differ(b, at) {
        let (start, size) = cell(terms, a, b, differs, &|it| memory.is_address(it));
        if !a.is_word(terms, start, size) || !b.is_word(terms, start, size) {
            return Err(Apart("storage that was not written before"));
        }
        if !a.is_defined(terms, start, size) || !b.is_defined(terms, start, size) {
            return Err(Apart(UNDEFINED));
        }
        into.insert((id, Cell::Bytes(start, size)));
        if into.len() > MOST_CHANGED {
            return Err(Apart("storage of which much changes"));
        }
        at = start + size;
    }
    Ok(())
}

/// How many bytes a container uses of an object of which two paths have used different numbers.
fn used(a: &Object, b: &Object, with: &Merging<'_>) -> Option<Size> {
    if a.used == b.used {
        return a.used;
    }
    let term = |it: Size| match it {
        Size::Known(size) => with.terms.bv_u64(Width::W64, size),
        Size::Symbolic { term, .. } => term,
    };
    let (mine, theirs) = (a.accessible(), b.accessible());
    let term = with.terms.ite(with.cond, term(mine), term(theirs));
    Some(Size::Symbolic { term, most: mine.most().max(theirs.most()) })
}

/// One object for two of one number; `None` if it is the first of the two.
fn merged(
    id: ObjectId,
    a: &Object,
    b: &Object,
    memory: &Memory,
    with: &mut Merging<'_>,
) -> Result<Option<Object>, Apart> {
    let asked = with.asked.as_ref().is_some_and(|it| it.asks(id));
    let ended = match (a.life, b.life) {
        (Life::Live, Life::Live) if a.ended == b.ended => a.ended,
        (mine, theirs) if mine == theirs && mine != Life::Live => return Ok(None),
        _ if asked => return Err(Apart("an object that one of them has freed, and that is soon asked of")),
        _ => ended(a, b, with)?,
    };
    // What is gone has no content: that of the other is there wherever anything is.
    match (a.life, b.life) {
        (Life::Live, Life::Live) => {}
        (Life::Live, _) => return Ok(Some(Object { ended, ..a.clone() })),
        _ => return Ok(Some(Object { ended, ..b.clone() })),
    }
    let used = used(a, b, with);
    if Rc::ptr_eq(&a.bytes, &b.bytes) && a.unknown == b.unknown && a.size == b.size {
        return Ok((ended != a.ended || used != a.used).then(|| Object { ended, used, ..a.clone() }));
    }
    if a.unknown != b.unknown || a.open != b.open {
        return Err(Apart("an object from outside that one of them knows more of"));
    }
    let size = match (a.size, b.size) {
        (x, y) if x == y => x,
        (Size::Symbolic { term, most }, Size::Symbolic { term: same, most: more }) if term == same => {
            Size::Symbolic { term, most: most.max(more) }
        }
        _ => return Err(Apart("an object of two sizes")),
    };
    let bytes = a.bytes.merge(&b.bytes, a.open, asked, &|it| memory.is_address(it), with)?;
    Ok(Some(Object { size, used, ended, bytes: Rc::new(bytes), ..a.clone() }))
}

/// Where an object has ended that one or both have ended somewhere; not everywhere on both.
fn ended(a: &Object, b: &Object, with: &Merging<'_>) -> Result<Option<Ended>, Apart> {
    let terms = with.terms;
    let side = |it: &Object| match (it.life, it.ended) {
        (Life::Live, None) => (terms.bool(false), None),
        (Life::Live, Some(Ended { when, how })) => (when, Some(how)),
        (how, _) => (terms.bool(true), Some(how)),
    };
    let ((mine, how), (theirs, other)) = (side(a), side(b));
    if let (Some(how), Some(other)) = (how, other)
        && how != other
    {
        return Err(Apart("an object whose life has ended in two ways"));
    }
    let when = terms.ite(with.cond, mine, theirs);
    Ok(how.or(other).filter(|_| terms.as_bool(when) != Some(false)).map(|how| Ended { when, how }))
}

impl Strays {
    /// The pointers that have left their objects' windows on either side.
    pub(crate) fn merge(&self, other: &Strays, with: &Merging<'_>) -> Result<Strays, Apart> {
        let apart = Apart("a pointer into two objects");
        let mut res = self.clone();
        let mut agree = true;
        for (mine, theirs) in [(&mut res.terms, &other.terms), (&mut res.bound, &other.bound)] {
            theirs.iter().for_each(|(&at, &it)| agree &= *mine.entry(at).or_insert(it) == it);
        }
        other.numbers.iter().for_each(|(&at, &it)| agree &= *res.numbers.entry(at).or_insert(it) == it);
        for (&at, &theirs) in &other.conditions {
            let mine = res.conditions.entry(at).or_insert(theirs);
            *mine = with.terms.ite(with.cond, *mine, theirs);
        }
        if agree { Ok(res) } else { Err(apart) }
    }
}

/// The words in which bytes are merged of which nobody knows how they were stored.
const WORDS: [usize; 3] = [4, 2, 1];

impl Bytes {
    /// The content that is this one or `other`. Two numbers that are `asked` of stay apart.
    fn merge(
        &self,
        other: &Bytes,
        open: bool,
        asked: bool,
        is_address: &dyn Fn(u64) -> bool,
        with: &mut Merging<'_>,
    ) -> Result<Bytes, Apart> {
        let mut res = self.clone();
        let mut theirs = other.clone();
        if self.array().is_some() || other.array().is_some() {
            let a = res.make_array(&mut with.undefined(), open);
            let b = theirs.make_array(&mut with.undefined(), open);
            let array = with.terms.ite(with.cond, a, b);
            res.set_array(array);
            return Ok(res);
        }
        let len = self.len().max(other.len());
        res.grow(len);
        theirs.grow(len);
        let mut at = 0;
        while let Some(differs) = res.differ(&theirs, at) {
            let (start, size) = cell(with.terms, &res, &theirs, differs, is_address);
            let width = size as u32 * 8;
            let a = res.load(&mut with.undefined(), start, size, width);
            let b = theirs.load(&mut with.undefined(), start, size, width);
            if asked && are_two_numbers(&a, &b) {
                return Err(Apart(ASKED_OF));
            }
            match with.scalar(&a, &b, width)? {
                Val::Int(bits) if size <= 8 => res.store_concrete(with.terms, start, size, bits),
                value => {
                    let term = with.term(&value, width)?;
                    res.store_term(with.terms, start, size, term);
                }
            }
            at = start + size;
        }
        Ok(res)
    }
}

/// The first byte and the size of what was stored as a whole where two contents differ.
fn cell(terms: &Terms, a: &Bytes, b: &Bytes, at: usize, is_address: &dyn Fn(u64) -> bool) -> (usize, usize) {
    let len = a.len();
    let whole = |it: &Bytes, start: usize, size: usize| {
        start + size <= len && (it.is_word(terms, start, size) || it.is_unwritten(start, size))
    };
    for (here, there) in [(a, b), (b, a)] {
        if let Some((start, size)) = here.stored_at(terms, at)
            && start + size <= len
            && here.is_word(terms, start, size)
            && whole(there, start, size)
        {
            return (start, size);
        }
    }
    let start = at / 8 * 8;
    if whole(a, start, 8)
        && whole(b, start, 8)
        && [a, b].into_iter().any(|it| it.load_concrete(start, 8).is_some_and(is_address))
    {
        return (start, 8);
    }
    let fits = |size: &usize| whole(a, at / size * size, *size) && whole(b, at / size * size, *size);
    let size = WORDS.into_iter().find(fits).unwrap_or(1);
    (at / size * size, size)
}
