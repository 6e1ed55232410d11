//! What containers of C++ say and ask of their storage: which of its bytes they use, what is a part of it.
//!
//! Knows: `__sanitizer_annotate_contiguous_container`, which `std::vector` of libstdc++ calls where it is compiled with
//! `_GLIBCXX_SANITIZE_VECTOR`; what `std::string` compares addresses for. Never: what is a bug (`step/access`).
//! Source: sanitizer/common_interface_defs.h of LLVM 14; bits/stl_vector.h of GCC 12.
//!
//! An annotation that is not understood makes all of the storage accessible: less is found then, and no false bug.

use super::primitives::{pointee, pointee_of, truth};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::memory::{Lookup, Size};
use crate::step::access::{Access, Offset, Spot};
use crate::value::Val;
use effigy_term::Width;

/// `void __sanitizer_annotate_contiguous_container(const void *begin, const void *end, const void *old_mid, const void
/// *new_mid)`: of the storage from `begin` to `end` what is before `new_mid` is in use.
pub(crate) fn annotate(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Flow<Option<Val>> {
    let storage = pointee(it, arguments, 0)?;
    let address = |it: &mut Machine<'_, '_>, index: usize| -> Flow<_> {
        let value = it.argument(arguments, index);
        let term = it.term(&value, Width::W64);
        it.require_defined(term, "a pointer")?;
        Ok(term)
    };
    let (end, middle) = (address(it, 1)?, address(it, 3)?);
    let Lookup::Object(object) = it.state.memory.lookup(storage.object) else { return Ok(None) };
    let Size::Known(size) = object.size else { return Ok(None) };
    let terms = it.ctx.terms;
    let number = |it: u64| terms.bv_u64(Width::W64, it);
    let offset = |address| terms.bv_sub(address, number(storage.object.base()));
    let is_whole = storage.offset == number(0) && offset(end) == number(size);
    let used = offset(middle);
    let used = match terms.as_bv(used).map(|it| it.to_u64()) {
        _ if !is_whole => None,
        Some(Some(used)) => (used < size).then_some(Size::Known(used)),
        Some(None) => None,
        None => Some(Size::Symbolic { term: used, most: size }),
    };
    if object.used != used
        && let Some(object) = it.state.memory.object_mut(storage.object)
    {
        object.used = used;
    }
    Ok(None)
}

/// `bool std::string::_M_disjunct(const char *s) const`.
pub(crate) const DISJUNCT: &str = "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE11_M_disjunctEPKc";

/// Whether `s` does not point into the text of the string. libstdc++ compares the addresses, as numbers; of two objects
/// either may lie first, and the answer is the same.
pub(crate) fn disjunct(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Flow<Option<Val>> {
    let this = it.argument(arguments, 0);
    // The pointer to the text, and its size.
    let first = it.resolve(&this, 16, Access::Read)?;
    let terms = it.ctx.terms;
    let offset = match first.offset {
        Offset::Known(offset) => Offset::Known(offset + 8),
        Offset::Symbolic(offset) => Offset::Symbolic(terms.bv_add(offset, terms.bv_u64(Width::W64, 8))),
    };
    let text = it.read(first, 8, 64);
    let size = it.read(Spot { offset, ..first }, 8, 64);
    let size = it.term(&size, Width::W64);
    it.require_defined(size, "the size of a string")?;
    let (text, other) = (pointee_of(it, text)?, pointee(it, arguments, 1)?);
    let before = terms.bv_ult(other.offset, text.offset);
    let behind = terms.bv_ult(terms.bv_add(text.offset, size), other.offset);
    let disjunct = if text.object == other.object { terms.or(before, behind) } else { terms.bool(true) };
    Ok(Some(truth(it, call, disjunct)))
}
