//! CBMC's primitives: what a program says of memory.
//!
//! Knows: objects and addresses. Never: what is a bug; nothing here is one.
//! Source: CBMC's documentation, "Memory primitives".

use super::{result_width, width_of};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::memory::{Lookup, ObjectId, ObjectKind, Size};
use crate::value::Val;
use effigy_term::{Term, Width};

type Done = Flow<Option<Val>>;

/// Where a pointer leads.
pub(super) struct Pointee {
    /// The object, which may be gone.
    pub(super) object: ObjectId,
    /// 64 bits, signed.
    pub(super) offset: Term,
}

/// What the argument of this index leads to ([`pointee_of`]).
pub(super) fn pointee(it: &mut Machine<'_, '_>, arguments: &[Val], index: usize) -> Flow<Pointee> {
    let value = it.argument(arguments, index);
    pointee_of(it, value)
}

/// The object and the offset that a pointer leads to; a path for each object where there are several.
pub(super) fn pointee_of(it: &mut Machine<'_, '_>, pointer: Val) -> Flow<Pointee> {
    let terms = it.ctx.terms;
    let address = match pointer {
        Val::Int(address) => address,
        other => {
            let term = it.term(&other, Width::W64);
            it.require_defined(term, "a pointer")?;
            if let Some((object, address)) = it.provenance(term)? {
                return Ok(Pointee { object, offset: terms.bv_sub(address, terms.bv_u64(Width::W64, object.base())) });
            }
            it.choose_value(term)?
        }
    };
    let (object, offset) = it.locate(address);
    Ok(Pointee { object, offset: terms.bv_u64(Width::W64, offset as u64) })
}

/// Whether there is such an object now.
fn lives(it: &Machine<'_, '_>, object: ObjectId) -> Term {
    let terms = it.ctx.terms;
    match it.state.memory.lookup(object) {
        Lookup::Object(object) => object.ended.as_ref().map_or(terms.bool(true), |it| terms.not(it.when)),
        _ => terms.bool(false),
    }
}

/// Its size, dead or alive; 0 of what is none.
fn size(it: &Machine<'_, '_>, object: ObjectId) -> Term {
    match it.state.memory.get(object).map(|it| it.size) {
        Some(Size::Known(size)) => it.ctx.terms.bv_u64(Width::W64, size),
        Some(Size::Symbolic { term, .. }) => term,
        None => it.ctx.terms.bv_u64(Width::W64, 0),
    }
}

pub(super) fn truth(it: &Machine<'_, '_>, call: &Call, cond: Term) -> Val {
    let (terms, width) = (it.ctx.terms, result_width(call));
    it.of_term(terms.ite(cond, terms.bv_u64(width, 1), terms.bv_u64(width, 0)))
}

/// A number of 64 bits as the call returns it: without a declaration that is an `int`.
fn number(it: &Machine<'_, '_>, call: &Call, term: Term) -> Val {
    let (terms, width) = (it.ctx.terms, result_width(call));
    it.of_term(if width.bits() < 64 { terms.bv_truncate(width, term) } else { term })
}

/// Whether so many bytes from a pointer on may be used.
fn is_ok(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], writes: bool) -> Done {
    if arguments.len() < 2 {
        return Err(it.unsupported("a primitive of CBMC without a size"));
    }
    let count = it.argument(arguments, 1);
    let count = it.term(&count, width_of(call, 1));
    it.require_defined(count, "a size")?;
    let Pointee { object, offset } = pointee(it, arguments, 0)?;
    let terms = it.ctx.terms;
    // An `int` without a declaration: it is a size all the same.
    let count = if terms.width(count).bits() < 64 { terms.bv_sign_extend(Width::W64, count) } else { count };
    let size = size(it, object);
    let starts = terms.bv_ule(offset, size);
    let fits = terms.bv_ule(count, terms.bv_sub(size, offset));
    let constant = it.state.memory.get(object).is_some_and(|it| it.kind == ObjectKind::Constant);
    let cond = terms.and_all([lives(it, object), terms.bool(!(writes && constant)), starts, fits]);
    Ok(Some(truth(it, call, cond)))
}

/// `_Bool __CPROVER_r_ok(const void *at, size_t count)`
pub(crate) fn r_ok(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    is_ok(it, call, arguments, false)
}

/// `_Bool __CPROVER_w_ok(const void *at, size_t count)`, and `__CPROVER_rw_ok`: what may be written may be read.
pub(crate) fn w_ok(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    is_ok(it, call, arguments, true)
}

/// `size_t __CPROVER_OBJECT_SIZE(const void *at)`
pub(crate) fn object_size(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let object = pointee(it, arguments, 0)?.object;
    Ok(Some(number(it, call, size(it, object))))
}

/// `ssize_t __CPROVER_POINTER_OFFSET(const void *at)`
pub(crate) fn pointer_offset(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let offset = pointee(it, arguments, 0)?.offset;
    Ok(Some(number(it, call, offset)))
}

/// `size_t __CPROVER_POINTER_OBJECT(const void *at)`: a number of the object.
pub(crate) fn pointer_object(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let object = pointee(it, arguments, 0)?.object;
    Ok(Some(number(it, call, it.ctx.terms.bv_u64(Width::W64, u64::from(object.0)))))
}

/// `_Bool __CPROVER_same_object(const void *a, const void *b)`
pub(crate) fn same_object(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let (a, b) = (pointee(it, arguments, 0)?.object, pointee(it, arguments, 1)?.object);
    Ok(Some(truth(it, call, it.ctx.terms.bool(a == b))))
}

/// `_Bool __CPROVER_DYNAMIC_OBJECT(const void *at)`: one of the heap.
pub(crate) fn dynamic_object(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let object = pointee(it, arguments, 0)?.object;
    let heap = it.state.memory.get(object).is_some_and(|it| it.kind == ObjectKind::Heap);
    Ok(Some(truth(it, call, it.ctx.terms.bool(heap))))
}

/// `_Bool __CPROVER_LIVE_OBJECT(const void *at)`
pub(crate) fn live_object(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let object = pointee(it, arguments, 0)?.object;
    Ok(Some(truth(it, call, lives(it, object))))
}
