//! Blocks of memory whose length is symbolic, in one piece: what `memcpy`, `memmove` and `memset` do to them.
//!
//! Knows: that the bounds are asked for before any length is tried, and that each byte is the new one where the length
//! reaches it. Never: which function asked; lengths that are known (`string`).

use crate::checks::{OUT_OF_BOUNDS_READ, OUT_OF_BOUNDS_WRITE};
use crate::machine::{Flow, Machine};
use crate::memory::Size;
use crate::memory::bytes::Bytes;
use crate::step::access::{Access, Offset, Spot};
use crate::value::Val;
use effigy_term::{Term, Width};

/// Longer blocks are tried length by length.
const MOST: u64 = 4096;

/// A block that is in bounds whatever its length: where it begins, and how long it can be at most.
pub(super) struct Span {
    pub(super) spot: Spot,
    most: u64,
}

/// The length of a block, where it is symbolic: a term of 64 bits.
pub(super) fn symbolic_length(it: &mut Machine<'_, '_>, length: &Val) -> Flow<Option<Term>> {
    let Val::Term(term) = length else { return Ok(None) };
    let terms = it.ctx.terms;
    if terms.sort(*term).width() != Some(Width::W64) {
        return Ok(None);
    }
    it.require_defined(*term, "a size")?;
    Ok(Some(*term))
}

/// The block of `length` bytes at `ptr`, its bounds asked for; `None` where it must be tried length by length.
pub(super) fn span(it: &mut Machine<'_, '_>, ptr: &Val, length: Term, access: Access) -> Flow<Option<Span>> {
    let terms = it.ctx.terms;
    // No byte at all may be copied from and to anywhere, also where an object was once.
    if !matches!(ptr, Val::Int(address) if it.is_within(*address, access))
        && it.decide_term(terms.eq(length, terms.bv_u64(Width::W64, 0)))?
    {
        return Ok(None);
    }
    let spot = it.resolve(ptr, 0, access)?;
    let Some(object) = it.state.memory.get(spot.object) else { return Ok(None) };
    let (Size::Known(size), false) = (object.accessible(), object.open) else { return Ok(None) };
    let name = std::sync::Arc::clone(&object.name);
    let room = match spot.offset {
        Offset::Known(offset) => terms.bv_u64(Width::W64, size - offset as u64),
        Offset::Symbolic(offset) => terms.bv_sub(terms.bv_u64(Width::W64, size), offset),
    };
    let (kind, verb) = match access {
        Access::Read => (OUT_OF_BOUNDS_READ, "reading"),
        Access::Write => (OUT_OF_BOUNDS_WRITE, "writing"),
    };
    it.require(terms.bv_ule(length, room), kind, || {
        format!("{verb} a number of bytes that can be more than {name} has, which are {size}")
    })?;
    let most = match spot.offset {
        Offset::Known(offset) => size - offset as u64,
        Offset::Symbolic(_) => return Ok(None),
    };
    Ok((most <= MOST).then_some(Span { spot, most }))
}

/// Copies `length` bytes; both places are asked for already.
pub(super) fn copy(it: &mut Machine<'_, '_>, to: &Span, from: &Span, length: Term) {
    let most = to.most.min(from.most) as usize;
    let mut bytes = Bytes::uninitialised(most);
    it.read_into(from.spot, &mut bytes, most);
    let new: Vec<Val> = (0..most).map(|at| bytes.load(&mut it.undefined(), at, 1, 8)).collect();
    overwrite(it, to.spot, &new, length);
}

/// Sets `length` bytes to `byte`.
pub(super) fn set(it: &mut Machine<'_, '_>, to: &Span, byte: &Val, length: Term) {
    overwrite(it, to.spot, &vec![byte.clone(); to.most as usize], length);
}

/// Writes as many of the bytes as `length` says.
fn overwrite(it: &mut Machine<'_, '_>, to: Spot, new: &[Val], length: Term) {
    let terms = it.ctx.terms;
    let mut old = Bytes::uninitialised(new.len());
    it.read_into(to, &mut old, new.len());
    for (at, new) in new.iter().enumerate() {
        let old = old.load(&mut it.undefined(), at, 1, 8);
        if old == *new {
            continue;
        }
        let (old, new) = (it.term(&old, Width::W8), it.term(new, Width::W8));
        let reached = terms.bv_ult(terms.bv_u64(Width::W64, at as u64), length);
        let byte = Val::of_term(terms, terms.ite(reached, new, old));
        it.write(to.plus(terms, at as u64), &byte, 1, 8);
    }
}
