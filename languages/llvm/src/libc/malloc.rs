//! `malloc` and its family.
//!
//! Knows: heap objects. Source: malloc(3), posix_memalign(3).

use crate::checks::{ALLOC_DEALLOC_MISMATCH, DOUBLE_FREE, INVALID_FREE, UNINITIALISED_VALUE};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{Life, Lookup, MAX_SIZE, ObjectId, ObjectKind, Size, UNIT};
use crate::names::ALLOCATED_AT;
use crate::options::Uninitialised;
use crate::process::Family;
use crate::step::access::Access;
use crate::value::Val;
use effigy_engine::BugKind;
use effigy_term::Width;
use std::rc::Rc;
use std::sync::Arc;

type Done = Flow<Option<Val>>;

/// Up to so many bytes an object of symbolic size is read and written at symbolic offsets as one; beyond, offset by
/// offset.
const MOST_SYMBOLIC: u64 = 4096;

/// There is no object of more bytes (`PTRDIFF_MAX`): malloc(3) fails.
const MOST: u64 = i64::MAX as u64;

/// `void *malloc(size_t size)`
pub(crate) fn malloc(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let size = size_of(it, arguments, 0)?;
    if fails(it, size)? {
        return Ok(Some(Val::Int(0)));
    }
    Ok(Some(allocate(it, size, false)?))
}

/// `malloc` as the library itself calls it: it does not fail.
pub(crate) fn obtain(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let size = size_of(it, arguments, 0)?;
    Ok(Some(allocate(it, size, false)?))
}

/// The input that says whether a call of the family fails.
const FAILS: &str = "malloc_fails";

/// Whether this call fails, where calls of the program may (`--malloc-may-fail`); those of the library do not. The last
/// question of a call: what is asked after it would be asked with the next name.
fn fails(it: &mut Machine<'_, '_>, size: Size) -> Flow<bool> {
    let of_library = it.is_in_c_library();
    let cannot_be = matches!(size, Size::Known(len) if len > MOST);
    if !it.program.options.malloc_may_fail || of_library || cannot_be {
        return Ok(false);
    }
    let next = it.peek_input(FAILS, Width::W8);
    let terms = it.ctx.terms;
    let res = it.decide_term(terms.ne(next, terms.bv_u64(Width::W8, 0)))?;
    it.input_number(FAILS, Width::W8, false);
    Ok(res)
}

fn size_of(it: &mut Machine<'_, '_>, arguments: &[Val], index: usize) -> Flow<Size> {
    let term = match it.argument(arguments, index) {
        Val::Int(bits) => return Ok(Size::Known(bits)),
        other => it.term(&other, Width::W64),
    };
    it.require_defined(term, "the size of an allocation")?;
    let terms = it.ctx.terms;
    let most = terms.bv_u64(Width::W64, MOST_SYMBOLIC);
    if it.decide_term(terms.bv_ule(term, most))? {
        return Ok(Size::Symbolic { term, most: MOST_SYMBOLIC });
    }
    // Larger ones are one object, too; what `malloc` may refuse is one case, and what it must refuse.
    if it.decide_term(terms.bv_ule(term, terms.bv_u64(Width::W64, MAX_SIZE)))? {
        return Ok(Size::Symbolic { term, most: MAX_SIZE });
    }
    match it.decide_term(terms.bv_ule(term, terms.bv_u64(Width::W64, MOST)))? {
        true => Ok(Size::Known(MAX_SIZE + 1)),
        false => Ok(Size::Known(MOST + 1)),
    }
}

fn allocate(it: &mut Machine<'_, '_>, size: Size, zeroed: bool) -> Flow<Val> {
    let len = match size {
        Size::Known(len) if len > MOST => return Ok(Val::Int(0)),
        Size::Known(len) if len > MAX_SIZE && it.program.options.malloc_may_fail => {
            return Err(it.unsupported("an allocation of more than 1 GiB that does not fail"));
        }
        Size::Known(len) if len > MAX_SIZE => {
            it.note("huge-allocation", "an allocation of more than 1 GiB returns the null pointer", true);
            // A machine may well have as much: what follows from the null pointer is possible.
            it.state.called_unknown = true;
            return Ok(Val::Int(0));
        }
        Size::Known(len) => len as usize,
        // Bytes of an object of symbolic size come into being as they are used, except zeroed ones.
        Size::Symbolic { most, .. } => {
            if zeroed {
                most as usize
            } else {
                0
            }
        }
    };
    let bytes = if zeroed { Bytes::concrete(vec![0; len]) } else { Bytes::uninitialised(len) };
    let place = it.place();
    let name: Arc<str> = match place.line {
        _ if it.is_making_up() => "an argument".into(),
        0 => "a heap object".into(),
        line => format!("{ALLOCATED_AT}{}:{line}", place.file).into(),
    };
    let id = it.allocate(ObjectKind::Heap, size, bytes, 1, &name);
    it.may_leak(id);
    let res = Val::Int(id.base());
    if !zeroed && it.program.options.uninitialised == Uninitialised::Input {
        it.any_content(&res)?;
    }
    Ok(res)
}

/// `void *calloc(size_t count, size_t size)`
pub(crate) fn calloc(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    zeroed(it, arguments, true)
}

/// `calloc` as the library itself calls it: it does not fail.
pub(crate) fn obtain_zeroed(it: &mut Machine<'_, '_>, arguments: &[Val]) -> Done {
    zeroed(it, arguments, false)
}

fn zeroed(it: &mut Machine<'_, '_>, arguments: &[Val], may_fail: bool) -> Done {
    let size = match (it.argument(arguments, 0), it.argument(arguments, 1)) {
        (Val::Int(count), Val::Int(size)) => match count.checked_mul(size) {
            Some(size) => Size::Known(size),
            None => return Ok(Some(Val::Int(0))),
        },
        (count, size) => {
            let (count, size) = (it.term(&count, Width::W64), it.term(&size, Width::W64));
            let wide = Width::of(128);
            let terms = it.ctx.terms;
            let exact = terms.bv_mul(terms.bv_zero_extend(wide, count), terms.bv_zero_extend(wide, size));
            let most = terms.bv_u64(wide, MOST_SYMBOLIC);
            if it.decide_term(terms.bv_ule(exact, most))? {
                Size::Symbolic { term: terms.bv_mul(count, size), most: MOST_SYMBOLIC }
            } else {
                let (count, size) = (it.choose_value(count)?, it.choose_value(size)?);
                match count.checked_mul(size) {
                    Some(size) => Size::Known(size),
                    None => return Ok(Some(Val::Int(0))),
                }
            }
        }
    };
    if may_fail && fails(it, size)? {
        return Ok(Some(Val::Int(0)));
    }
    Ok(Some(allocate(it, size, true)?))
}

/// Every object is aligned to [`UNIT`]; a larger alignment is refused.
fn is_aligned(it: &mut Machine<'_, '_>, alignment: &Val) -> Flow<()> {
    let alignment = it.term(alignment, Width::W64);
    let terms = it.ctx.terms;
    match it.decide_term(terms.bv_ule(alignment, terms.bv_u64(Width::W64, UNIT)))? {
        true => Ok(()),
        false => Err(it.unsupported("an alignment of more than 64 KiB")),
    }
}

/// `void *aligned_alloc(size_t alignment, size_t size)`
pub(crate) fn aligned_alloc(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    is_aligned(it, &it.argument(arguments, 0))?;
    let size = size_of(it, arguments, 1)?;
    if fails(it, size)? {
        return Ok(Some(Val::Int(0)));
    }
    let address = allocate(it, size, false)?;
    aligned(it, &address, &it.argument(arguments, 0));
    Ok(Some(address))
}

/// What was allocated lies at a multiple of `alignment`.
pub(super) fn aligned(it: &mut Machine<'_, '_>, address: &Val, alignment: &Val) {
    if let (&Val::Int(address), &Val::Int(alignment)) = (address, alignment)
        && alignment.is_power_of_two()
    {
        it.align(ObjectId::of_address(address).0, alignment.min(UNIT).ilog2() as u8);
    }
}

/// `ENOMEM` of errno.h.
const NO_MEMORY: u64 = 12;

/// `int posix_memalign(void **at, size_t alignment, size_t size)`
pub(crate) fn posix_memalign(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    is_aligned(it, &it.argument(arguments, 1))?;
    let size = size_of(it, arguments, 2)?;
    let at = it.argument(arguments, 0);
    let spot = it.resolve(&at, 8, Access::Write)?;
    if fails(it, size)? {
        return Ok(Some(Val::Int(NO_MEMORY)));
    }
    let address = allocate(it, size, false)?;
    if address == Val::Int(0) {
        return Ok(Some(Val::Int(NO_MEMORY)));
    }
    aligned(it, &address, &it.argument(arguments, 1));
    it.write(spot, &address, 8, 64);
    Ok(Some(Val::Int(0)))
}

/// `void *reallocarray(void *at, size_t count, size_t size)`
pub(crate) fn reallocarray(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let (count, size) = (it.size_argument(arguments, 1)?, it.size_argument(arguments, 2)?);
    match count.checked_mul(size) {
        Some(size) => realloc(it, call, &[it.argument(arguments, 0), Val::Int(size)]),
        None => Ok(Some(Val::Int(0))),
    }
}

/// `void *realloc(void *at, size_t size)`
pub(crate) fn realloc(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    match heap_object(it, arguments, Family::Malloc)? {
        Some(id) => resize_by(it, id, arguments, true),
        None => malloc(it, call, &[it.argument(arguments, 1)]),
    }
}

/// `realloc` as the library itself calls it: it does not fail.
pub(crate) fn resize(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    match heap_object(it, arguments, Family::Malloc)? {
        Some(id) => resize_by(it, id, arguments, false),
        None => obtain(it, call, &[it.argument(arguments, 1)]),
    }
}

pub(super) fn resize_by(it: &mut Machine<'_, '_>, id: ObjectId, arguments: &[Val], may_fail: bool) -> Done {
    it.make_up(id)?;
    it.ends_life(id)?;
    let size = size_of(it, arguments, 1)?;
    let is_zero = match size {
        Size::Known(size) => size == 0,
        Size::Symbolic { term, .. } => it.decide_term(it.ctx.terms.eq(term, it.ctx.terms.bv_u64(Width::W64, 0)))?,
    };
    if is_zero {
        it.state.memory.kill(id, Life::Freed);
        return Ok(Some(Val::Int(0)));
    }
    let old = match it.state.memory.get(id) {
        Some(object) => (Rc::clone(&object.bytes), object.size),
        None => return Ok(Some(Val::Int(0))),
    };
    // Zeros beyond the end of an object of symbolic size would become bytes of the new one.
    if matches!(old.1, Size::Symbolic { .. }) && old.0.is_concrete() && !old.0.is_empty() {
        return Err(it.unsupported("realloc of what calloc returned for a symbolic size"));
    }
    if old.1.most() > old.0.len() as u64 && old.0.array().is_some() {
        return Err(it.unsupported("realloc of a large object of symbolic size that was used at symbolic offsets"));
    }
    if may_fail && fails(it, size)? {
        return Ok(Some(Val::Int(0)));
    }
    let new = allocate(it, size, false)?;
    let Val::Int(address) = new else { return Ok(Some(new)) };
    if address == 0 {
        return Ok(Some(new));
    }
    let kept = (old.0.len() as u64).min(size.most()) as usize;
    let target = ObjectId::of_address(address).0;
    let spot = crate::step::access::Spot { object: target, offset: crate::step::access::Offset::Known(0) };
    it.grow(target, kept as u64);
    it.write_from(spot, &old.0, kept);
    // The new one may lie where the old one did.
    it.state.memory.kill_before(id, Life::Freed, target);
    Ok(Some(new))
}

/// `void free(void *at)`
pub(crate) fn free(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    release(it, arguments, Family::Malloc)
}

/// `new`
pub(crate) fn new(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    allocate_for(it, arguments, Family::New)
}

/// `new[]`
pub(crate) fn new_array(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    allocate_for(it, arguments, Family::NewArray)
}

/// Without exceptions `new` does not fail.
fn allocate_for(it: &mut Machine<'_, '_>, arguments: &[Val], family: Family) -> Done {
    let size = size_of(it, arguments, 0)?;
    let res = allocate(it, size, false)?;
    if let Val::Int(address) = res
        && address != 0
    {
        Rc::make_mut(&mut it.state.process.families).insert(ObjectId::of_address(address).0, family);
    }
    Ok(Some(res))
}

/// `delete`
pub(crate) fn delete(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    release(it, arguments, Family::New)
}

/// `delete[]`
pub(crate) fn delete_array(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    release(it, arguments, Family::NewArray)
}

fn release(it: &mut Machine<'_, '_>, arguments: &[Val], family: Family) -> Done {
    if let Some(id) = heap_object(it, arguments, family)? {
        it.ends_life(id)?;
        it.state.memory.kill(id, Life::Freed);
        if family != Family::Malloc {
            Rc::make_mut(&mut it.state.process.families).remove(&id);
        }
    }
    Ok(None)
}

/// The live heap object of this family whose address is argument 0; `None` for null; a bug otherwise.
pub(super) fn heap_object(it: &mut Machine<'_, '_>, arguments: &[Val], family: Family) -> Flow<Option<ObjectId>> {
    let address = match it.argument(arguments, 0) {
        Val::Int(address) => address,
        Val::Term(term) => {
            it.require_defined(term, "a pointer to free")?;
            // Of a choice of pointers each object is a case.
            let among = it.provenance(term)?.map_or(term, |(_, address)| address);
            it.choose_value(among)?
        }
        _ => return Err(it.violation(UNINITIALISED_VALUE, "a pointer to free is uninitialised".to_owned())),
    };
    if address == 0 {
        return Ok(None);
    }
    let (id, offset) = ObjectId::of_address(address);
    let remembered = it.state.memory.get(id);
    let name: Arc<str> = remembered.map_or_else(|| "a local variable".into(), |it| Arc::clone(&it.name));
    if remembered.is_some_and(|it| it.kind == ObjectKind::Heap) {
        it.exists(id, |_| twice(&name))?;
    }
    match it.state.memory.lookup(id) {
        Lookup::Object(object) if object.kind == ObjectKind::Heap && offset == 0 => {
            let own = it.state.process.families.get(&id).copied().unwrap_or(Family::Malloc);
            if let Family::Map(_) = own {
                return Err(it.violation(INVALID_FREE, format!("freeing {name}, which is not from malloc")));
            }
            let cond = it.ctx.terms.bool(family.frees(own));
            it.require(cond, ALLOC_DEALLOC_MISMATCH, || {
                format!("{name} is from {}, and freed by {}", own.allocating(), family.freeing())
            })?;
            Ok(Some(id))
        }
        Lookup::Object(object) if object.kind == ObjectKind::Heap => {
            Err(it.violation(INVALID_FREE, format!("freeing an address {offset} bytes into {name}")))
        }
        Lookup::Object(_) => Err(it.violation(INVALID_FREE, format!("freeing {name}, which is not from malloc"))),
        Lookup::Dead(Life::Freed) => {
            let (kind, message) = twice(&name);
            Err(it.violation(kind, message))
        }
        Lookup::Dead(_) => Err(it.violation(INVALID_FREE, format!("freeing {name}, which is not from malloc"))),
        Lookup::Null | Lookup::Wild => {
            Err(it.violation(INVALID_FREE, "freeing an address at which nothing was allocated".to_owned()))
        }
    }
}

/// The bug of freeing what was freed.
fn twice(name: &str) -> (BugKind, String) {
    (DOUBLE_FREE, format!("freeing {name} a second time"))
}
