//! Rust's allocator: memory that is freed with the layout that it was asked for.
//!
//! Knows: the size and the alignment of each allocation. Never: how much memory there is; no allocation fails.
//! Source: `core::alloc::GlobalAlloc`, sections "Safety".

use super::malloc::{aligned, heap_object, obtain, obtain_zeroed, resize_by};
use crate::checks::{ALLOC_DEALLOC_MISMATCH, UNDEFINED_BEHAVIOUR};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::memory::{Life, ObjectId, Size};
use crate::process::Family;
use crate::value::Val;
use effigy_term::{Term, Width};
use std::rc::Rc;

type Done = Flow<Option<Val>>;

/// `fn __rust_alloc(size: usize, align: usize) -> *mut u8`
pub(crate) fn alloc(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    require_bytes(it, &it.argument(arguments, 0))?;
    let res = obtain(it, call, arguments)?;
    Ok(res.inspect(|address| lay_out(it, address, &it.argument(arguments, 1))))
}

/// `fn __rust_alloc_zeroed(size: usize, align: usize) -> *mut u8`
pub(crate) fn alloc_zeroed(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    require_bytes(it, &it.argument(arguments, 0))?;
    let res = obtain_zeroed(it, &[it.argument(arguments, 0), Val::Int(1)])?;
    Ok(res.inspect(|address| lay_out(it, address, &it.argument(arguments, 1))))
}

/// `fn __rust_dealloc(at: *mut u8, size: usize, align: usize)`
pub(crate) fn dealloc(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let Some(id) = laid_out(it, arguments, "freed")? else { return Ok(None) };
    it.state.memory.kill(id, Life::Freed);
    Rc::make_mut(&mut it.state.process.families).remove(&id);
    Ok(None)
}

/// `fn __rust_realloc(at: *mut u8, old_size: usize, align: usize, new_size: usize) -> *mut u8`
pub(crate) fn realloc(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (at, new_size) = (it.argument(arguments, 0), it.argument(arguments, 3));
    let Some(id) = laid_out(it, arguments, "reallocated")? else { return Ok(Some(Val::Int(0))) };
    require_bytes(it, &new_size)?;
    let res = resize_by(it, id, &[at, new_size], false)?;
    Rc::make_mut(&mut it.state.process.families).remove(&id);
    Ok(res.inspect(|address| lay_out(it, address, &it.argument(arguments, 2))))
}

/// Nobody may ask for memory of no bytes.
fn require_bytes(it: &mut Machine<'_, '_>, size: &Val) -> Flow<()> {
    let size = it.term(size, Width::W64);
    it.require_defined(size, "the size of an allocation")?;
    let terms = it.ctx.terms;
    let cond = terms.ne(size, terms.bv_u64(Width::W64, 0));
    it.require(cond, UNDEFINED_BEHAVIOUR, || "Rust's allocator is asked for 0 bytes".to_owned())
}

/// Notes to what the memory at `address` was asked to be aligned.
fn lay_out(it: &mut Machine<'_, '_>, address: &Val, alignment: &Val) {
    aligned(it, address, alignment);
    if let &Val::Int(address) = address
        && address != 0
    {
        let family = Family::Rust { align: alignment.as_int() };
        Rc::make_mut(&mut it.state.process.families).insert(ObjectId::of_address(address).0, family);
    }
}

/// The object at argument 0, which must be what Rust's allocator has returned for the size and the alignment that
/// arguments 1 and 2 are. `verb` says what becomes of it.
fn laid_out(it: &mut Machine<'_, '_>, arguments: &[Val], verb: &str) -> Flow<Option<ObjectId>> {
    let alignment = it.argument(arguments, 2);
    let Some(id) = heap_object(it, arguments, Family::Rust { align: alignment.as_int() })? else { return Ok(None) };
    let own = it.state.process.families.get(&id).copied();
    let Some((known, name)) = it.state.memory.get(id).map(|object| (object.size, object.name.clone())) else {
        return Ok(Some(id));
    };
    let terms = it.ctx.terms;
    let (size, asked) = match known {
        Size::Known(size) => (terms.bv_u64(Width::W64, size), size.to_string()),
        Size::Symbolic { term, .. } => (term, "a symbolic number of".to_owned()),
    };
    let claimed = it.term(&it.argument(arguments, 1), Width::W64);
    require_layout(it, terms.eq(size, claimed), || {
        format!("{name} is {verb} with a layout of another size: it has {asked} bytes")
    })?;
    if let (Some(Family::Rust { align: Some(align) }), Some(claimed)) = (own, alignment.as_int()) {
        require_layout(it, terms.bool(align == claimed), || {
            format!("{name} is {verb} with a layout that is aligned to {claimed}: it is aligned to {align}")
        })?;
    }
    Ok(Some(id))
}

fn require_layout(it: &mut Machine<'_, '_>, cond: Term, message: impl FnOnce() -> String) -> Flow<()> {
    it.require_defined(cond, "a layout")?;
    it.require(cond, ALLOC_DEALLOC_MISMATCH, message)
}
