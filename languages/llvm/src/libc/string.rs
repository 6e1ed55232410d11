//! `string.h`.
//!
//! Knows: the functions of string(3). On symbolic bytes the ones that search fork at each byte, as a loop in C
//! would; comparisons of blocks build one term. Results are those of glibc on x86-64 (differences of bytes).

use super::{spans, width_of};
use crate::checks::{OUT_OF_BOUNDS_WRITE, OVERLAPPING_COPY};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{ObjectId, ObjectKind, Size};
use crate::step::access::{Access, Offset, Spot};
use crate::value::{Val, truncate};
use effigy_term::{BvValue, Term, Width};
use std::sync::Arc;

type Done = Flow<Option<Val>>;

/// The most characters that one call looks at one by one: a longer string is not executed. Concrete ones are passed
/// over at once (`passed_over`) and do not count.
const MOST: u64 = 1 << 20;

/// Concrete bytes that are looked at before the next ones are asked for.
const WINDOW: usize = 4096;

/// As long as the string is.
const WHOLE: u64 = u64::MAX;

/// The most bytes that one call fills with a symbolic byte. Each is kept by itself: 256 MiB of them took minutes in one
/// step, which no limit of time could end.
const MOST_SYMBOLIC_BYTES: u64 = 1 << 22;

/// The most bytes that one call compares as terms; longer blocks are compared as numbers, if they are.
const MOST_COMPARED: u64 = 1 << 22;

// Blocks.

/// `void *memcpy(void *to, const void *from, size_t count)`
pub(crate) fn memcpy(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    copy(it, call, arguments, false)?;
    Ok(Some(it.argument(arguments, 0)))
}

/// `void *mempcpy(void *to, const void *from, size_t count)`
pub(crate) fn mempcpy(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    copy(it, call, arguments, false)?;
    let count = it.size_argument(arguments, 2)?;
    let to = it.argument(arguments, 0);
    Ok(Some(it.add_distance(&to, count)))
}

/// `void *memmove(void *to, const void *from, size_t count)`
pub(crate) fn memmove(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    copy(it, call, arguments, true)?;
    Ok(Some(it.argument(arguments, 0)))
}

/// `llvm.memcpy`: may copy an object to itself.
pub(crate) fn memcpy_intrinsic(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let same = it.argument(arguments, 0) == it.argument(arguments, 1);
    copy(it, call, arguments, same)?;
    Ok(None)
}

/// `llvm.memmove`
pub(crate) fn memmove_intrinsic(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    copy(it, call, arguments, true)?;
    Ok(None)
}

fn copy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val], may_overlap: bool) -> Flow<()> {
    if let Some(length) = spans::symbolic_length(it, &it.argument(arguments, 2))? {
        let (to, from) = (it.argument(arguments, 0), it.argument(arguments, 1));
        let source = spans::span(it, &from, length, Access::Read)?;
        let target = spans::span(it, &to, length, Access::Write)?;
        if let (Some(source), Some(target)) = (source, target) {
            if !may_overlap {
                apart(it, (target.spot, length), (source.spot, length), true)?;
            }
            spans::copy(it, &target, &source, length);
            return Ok(());
        }
    }
    let count = it.size_argument(arguments, 2)?;
    if count == 0 {
        return Ok(());
    }
    let (to, from) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let source = it.resolve(&from, count, Access::Read)?;
    let target = it.resolve(&to, count, Access::Write)?;
    if !may_overlap {
        // Copying something to itself is what compilers make of assignments.
        let length = number(it, count);
        apart(it, (target, length), (source, length), true)?;
    }
    let mut bytes = Bytes::uninitialised(count as usize);
    it.read_into(source, &mut bytes, count as usize);
    it.write_from(target, &bytes, count as usize);
    Ok(())
}

fn number(it: &Machine<'_, '_>, bytes: u64) -> Term {
    it.ctx.terms.bv_u64(Width::W64, bytes)
}

/// What is written must not overlap what is read: places with their lengths. `same` allows them to be equal.
fn apart(it: &mut Machine<'_, '_>, to: (Spot, Term), from: (Spot, Term), same: bool) -> Flow<()> {
    if to.0.object != from.0.object {
        return Ok(());
    }
    let terms = it.ctx.terms;
    let offset = |spot: Spot| match spot.offset {
        Offset::Known(offset) => terms.bv_u64(Width::W64, offset as u64),
        Offset::Symbolic(term) => term,
    };
    // Both are in bounds: no sum wraps.
    let (a, b) = (offset(to.0), offset(from.0));
    let before = terms.bv_ule(terms.bv_add(a, to.1), b);
    let after = terms.bv_ule(terms.bv_add(b, from.1), a);
    let equal = if same { terms.eq(a, b) } else { terms.bool(false) };
    let cond = terms.or_all([before, after, equal]);
    let count = terms.as_bv(to.1).and_then(BvValue::to_u64).map_or("some".to_owned(), |it| it.to_string());
    it.require(cond, OVERLAPPING_COPY, || format!("copying {count} bytes between places that overlap"))
}

/// What is written must fit into what the compiler knows of its target (`__memcpy_chk` and its kin).
fn fits(it: &mut Machine<'_, '_>, count: u64, room: u64) -> Flow<()> {
    let cond = it.ctx.terms.bool(count <= room);
    it.require(cond, OUT_OF_BOUNDS_WRITE, || format!("writing {count} bytes where {room} have room"))
}

fn check_room(it: &mut Machine<'_, '_>, arguments: &[Val]) -> Flow<()> {
    let (count, room) = (it.size_argument(arguments, 2)?, it.size_argument(arguments, 3)?);
    fits(it, count, room)
}

/// `void *__memcpy_chk(void *to, const void *from, size_t count, size_t room)`
pub(crate) fn memcpy_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    check_room(it, arguments)?;
    memcpy(it, call, arguments)
}

/// `void *__mempcpy_chk(void *to, const void *from, size_t count, size_t room)`
pub(crate) fn mempcpy_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    check_room(it, arguments)?;
    mempcpy(it, call, arguments)
}

/// `void *__memmove_chk(void *to, const void *from, size_t count, size_t room)`
pub(crate) fn memmove_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    check_room(it, arguments)?;
    memmove(it, call, arguments)
}

/// `void *__memset_chk(void *at, int byte, size_t count, size_t room)`
pub(crate) fn memset_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    check_room(it, arguments)?;
    memset(it, call, arguments)
}

/// `void *memset(void *at, int byte, size_t count)`
pub(crate) fn memset(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    memset_intrinsic(it, call, arguments)?;
    Ok(Some(it.argument(arguments, 0)))
}

/// `void bzero(void *at, size_t count)`
pub(crate) fn bzero(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let arguments = [it.argument(arguments, 0), Val::Int(0), it.argument(arguments, 1)];
    memset_intrinsic(it, call, &arguments)
}

/// `llvm.memset`
pub(crate) fn memset_intrinsic(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let byte = match it.argument(arguments, 1) {
        Val::Int(bits) => Val::Int(truncate(bits, 8)),
        Val::Undef => Val::Undef,
        other => {
            let term = it.term(&other, width_of(call, 1));
            let term = it.ctx.terms.bv_truncate(Width::W8, term);
            it.of_term(term)
        }
    };
    let at = it.argument(arguments, 0);
    if let Some(length) = spans::symbolic_length(it, &it.argument(arguments, 2))?
        && let Some(target) = spans::span(it, &at, length, Access::Write)?
    {
        spans::set(it, &target, &byte, length);
        return Ok(None);
    }
    let count = it.size_argument(arguments, 2)?;
    if count == 0 {
        return Ok(None);
    }
    let spot = it.resolve(&at, count, Access::Write)?;
    if let Val::Int(bits) = byte {
        let bytes = Bytes::concrete(vec![bits as u8; count as usize]);
        it.write_from(spot, &bytes, count as usize);
        return Ok(None);
    }
    if count > MOST_SYMBOLIC_BYTES {
        return Err(it.unsupported("filling more than 4 MiB with a symbolic byte"));
    }
    for index in 0..count {
        let spot = spot.plus(it.ctx.terms, index);
        it.write(spot, &byte, 1, 8);
    }
    Ok(None)
}

/// `int memcmp(const void *a, const void *b, size_t count)`
pub(crate) fn memcmp(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let count = it.size_argument(arguments, 2)?;
    if count == 0 {
        return Ok(Some(Val::Int(0)));
    }
    let (a, b) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let (a, b) = (it.resolve(&a, count, Access::Read)?, it.resolve(&b, count, Access::Read)?);
    if count > MOST_COMPARED {
        let mut blocks = [Bytes::uninitialised(count as usize), Bytes::uninitialised(count as usize)];
        for (block, spot) in blocks.iter_mut().zip([a, b]) {
            it.read_into(spot, block, count as usize);
        }
        let [Some(x), Some(y)] = blocks.each_ref().map(|it| it.slice(0, count as usize)) else {
            return Err(it.unsupported("comparing more than 4 MiB of which some are symbolic"));
        };
        let difference = x.iter().zip(y).find(|(x, y)| x != y).map_or(0, |(x, y)| i32::from(*x) - i32::from(*y));
        return Ok(Some(Val::Int(u64::from(difference as u32))));
    }
    let terms = it.ctx.terms;
    let mut res = terms.bv_u64(Width::W32, 0);
    for index in (0..count).rev() {
        let (x, y) = (byte(it, a.plus(terms, index)), byte(it, b.plus(terms, index)));
        let difference = difference(it, x, y);
        res = terms.ite(terms.eq(x, y), res, difference);
    }
    it.require_defined(res, "the result of memcmp")?;
    Ok(Some(it.of_term(res)))
}

fn byte(it: &mut Machine<'_, '_>, spot: Spot) -> Term {
    let value = it.read(spot, 1, 8);
    it.term(&value, Width::W8)
}

/// `x - y` of two bytes, as an int.
fn difference(it: &Machine<'_, '_>, x: Term, y: Term) -> Term {
    let terms = it.ctx.terms;
    terms.bv_sub(terms.bv_zero_extend(Width::W32, x), terms.bv_zero_extend(Width::W32, y))
}

/// `void *memchr(const void *at, int byte, size_t count)`
pub(crate) fn memchr(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let count = it.size_argument(arguments, 2)?;
    let at = it.argument(arguments, 0);
    let wanted = character(it, arguments, 1);
    let plain = it.ctx.terms.as_bv(wanted).and_then(BvValue::to_u64);
    let begin = match plain {
        Some(wanted) => passed_over(it, &at, count, |byte| u64::from(byte) == wanted)?,
        None => 0,
    };
    for index in begin..count {
        is_short(it, index - begin)?;
        let found = it.byte_at(&at, index)?;
        if same(it, &found, wanted)? {
            return Ok(Some(it.add_distance(&at, index)));
        }
    }
    Ok(Some(Val::Int(0)))
}

/// Ends the path where a call would look at too many characters one by one.
fn is_short(it: &Machine<'_, '_>, characters: u64) -> Flow<()> {
    match characters < MOST {
        true => Ok(()),
        false => Err(it.unsupported("a string of more than 1 MiB, character by character")),
    }
}

/// How many bytes at `ptr` are concrete, at most `most`, with none among them that `ends` stops at. They are read.
fn passed_over(it: &mut Machine<'_, '_>, ptr: &Val, most: u64, ends: impl Fn(u8) -> bool) -> Flow<u64> {
    let Val::Int(address) = *ptr else { return Ok(0) };
    let (id, offset) = ObjectId::of_address(address);
    let (Some(object), Ok(offset)) = (it.state.memory.get(id), usize::try_from(offset)) else { return Ok(0) };
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut count = 0;
    while count < most {
        let run = object.bytes.concrete_run(offset + count, (most - count).min(WINDOW));
        let end = run.iter().position(|byte| ends(*byte));
        count += end.unwrap_or(run.len());
        if end.is_some() || run.len() < WINDOW {
            break;
        }
    }
    if count > 0 {
        // What is wrong with the first byte is told of it alone.
        it.resolve(ptr, 1, Access::Read)?;
        it.resolve(ptr, count as u64, Access::Read)?;
    }
    Ok(count as u64)
}

// Strings.

/// The low byte of an `int` argument.
fn character(it: &mut Machine<'_, '_>, arguments: &[Val], index: usize) -> Term {
    let value = it.argument(arguments, index);
    let term = it.term(&value, Width::W32);
    it.ctx.terms.bv_truncate(Width::W8, term)
}

/// Whether a byte is `wanted`: known, or decided.
fn same(it: &mut Machine<'_, '_>, byte: &Val, wanted: Term) -> Flow<bool> {
    let term = it.term(byte, Width::W8);
    let cond = it.ctx.terms.eq(term, wanted);
    it.require_defined(cond, "a character of a string")?;
    it.decide_term(cond)
}

/// The length of the string at `ptr`, at most `most`.
fn length(it: &mut Machine<'_, '_>, ptr: &Val, most: u64) -> Flow<u64> {
    let (mut at, mut single) = (0, 0);
    while at < most {
        let rest = it.add_distance(ptr, at);
        at += passed_over(it, &rest, most - at, |byte| byte == 0)?;
        if at < most {
            is_short(it, single)?;
            let byte = it.byte_at(ptr, at)?;
            if it.is_zero(&byte)? {
                return Ok(at);
            }
            (at, single) = (at + 1, single + 1);
        }
    }
    Ok(most)
}

/// `size_t strlen(const char *s)`
pub(crate) fn strlen(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let s = it.argument(arguments, 0);
    Ok(Some(Val::Int(length(it, &s, WHOLE)?)))
}

/// `size_t strnlen(const char *s, size_t most)`
pub(crate) fn strnlen(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let s = it.argument(arguments, 0);
    let most = it.size_argument(arguments, 1)?;
    Ok(Some(Val::Int(length(it, &s, most)?)))
}

/// `int strcmp(const char *a, const char *b)`
pub(crate) fn strcmp(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    compare(it, arguments, WHOLE, false)
}

/// `int strncmp(const char *a, const char *b, size_t count)`
pub(crate) fn strncmp(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let count = it.size_argument(arguments, 2)?;
    compare(it, arguments, count, false)
}

/// `int strcasecmp(const char *a, const char *b)`
pub(crate) fn strcasecmp(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    compare(it, arguments, WHOLE, true)
}

/// `int strncasecmp(const char *a, const char *b, size_t count)`
pub(crate) fn strncasecmp(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let count = it.size_argument(arguments, 2)?;
    compare(it, arguments, count, true)
}

fn compare(it: &mut Machine<'_, '_>, arguments: &[Val], count: u64, fold: bool) -> Done {
    let (a, b) = (it.argument(arguments, 0), it.argument(arguments, 1));
    for at in 0..count {
        is_short(it, at)?;
        let (x, y) = (it.byte_at(&a, at)?, it.byte_at(&b, at)?);
        let (mut x, mut y) = (it.term(&x, Width::W8), it.term(&y, Width::W8));
        if fold {
            (x, y) = (super::ctype::lower(it, x), super::ctype::lower(it, y));
        }
        let terms = it.ctx.terms;
        let equal = terms.eq(x, y);
        it.require_defined(equal, "the comparison of two strings")?;
        if !it.decide_term(equal)? {
            let res = difference(it, x, y);
            return Ok(Some(it.of_term(res)));
        }
        let end = terms.eq(x, terms.bv_u64(Width::W8, 0));
        if it.decide_term(end)? {
            break;
        }
    }
    Ok(Some(Val::Int(0)))
}

/// Copies the string at `from` with its end (at most `most` bytes of it, then an end) to `to`, or behind the `held`
/// bytes of the string there, where `room` bytes are known from `to` on; the length without the end.
fn copy_string(it: &mut Machine<'_, '_>, to: &Val, held: Option<u64>, from: &Val, most: u64, room: u64) -> Flow<u64> {
    let len = length(it, from, most)?;
    let skip = held.unwrap_or(0);
    fits(it, skip.saturating_add(len + 1), room)?;
    let to = it.add_distance(to, skip);
    let target = it.resolve(&to, len + 1, Access::Write)?;
    let mut bytes = Bytes::uninitialised(len as usize + 1);
    let read = if len < most { len + 1 } else { len };
    if read > 0 {
        let source = it.resolve(from, read, Access::Read)?;
        let (written, read) = (number(it, len + 1), number(it, read));
        // An empty string appended to what it ends writes the end over itself.
        if len > 0 || held.is_none() {
            apart(it, (target, written), (source, read), false)?;
        }
        it.read_into(source, &mut bytes, len as usize);
    }
    bytes.store_concrete(it.ctx.terms, len as usize, 1, 0);
    it.write_from(target, &bytes, len as usize + 1);
    Ok(len)
}

/// `char *strcpy(char *to, const char *from)`
pub(crate) fn strcpy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (to, from) = (it.argument(arguments, 0), it.argument(arguments, 1));
    copy_string(it, &to, None, &from, WHOLE, u64::MAX)?;
    Ok(Some(to))
}

/// `char *__strcpy_chk(char *to, const char *from, size_t room)`
pub(crate) fn strcpy_chk(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (to, from) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let room = it.size_argument(arguments, 2)?;
    copy_string(it, &to, None, &from, WHOLE, room)?;
    Ok(Some(to))
}

/// `char *stpcpy(char *to, const char *from)`
pub(crate) fn stpcpy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (to, from) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let len = copy_string(it, &to, None, &from, WHOLE, u64::MAX)?;
    Ok(Some(it.add_distance(&to, len)))
}

/// `char *__stpcpy_chk(char *to, const char *from, size_t room)`
pub(crate) fn stpcpy_chk(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (to, from) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let room = it.size_argument(arguments, 2)?;
    let len = copy_string(it, &to, None, &from, WHOLE, room)?;
    Ok(Some(it.add_distance(&to, len)))
}

/// `char *strncpy(char *to, const char *from, size_t count)`
pub(crate) fn strncpy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let to = it.argument(arguments, 0);
    copy_padded(it, arguments)?;
    Ok(Some(to))
}

/// `char *stpncpy(char *to, const char *from, size_t count)`: where the text ends in `to`.
pub(crate) fn stpncpy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let to = it.argument(arguments, 0);
    let len = copy_padded(it, arguments)?;
    Ok(Some(it.add_distance(&to, len)))
}

/// `char *__strncpy_chk(char *to, const char *from, size_t count, size_t room)`
pub(crate) fn strncpy_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    check_room(it, arguments)?;
    strncpy(it, call, arguments)
}

/// `char *__stpncpy_chk(char *to, const char *from, size_t count, size_t room)`
pub(crate) fn stpncpy_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    check_room(it, arguments)?;
    stpncpy(it, call, arguments)
}

/// At most so many bytes of a string, and zeros up to that count; the length without them.
fn copy_padded(it: &mut Machine<'_, '_>, arguments: &[Val]) -> Flow<u64> {
    let (to, from) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let count = it.size_argument(arguments, 2)?;
    if count == 0 {
        return Ok(0);
    }
    let len = length(it, &from, count)?.min(count);
    let target = it.resolve(&to, count, Access::Write)?;
    let mut bytes = Bytes::concrete(vec![0; count as usize]);
    let read = (len + 1).min(count);
    let source = it.resolve(&from, read, Access::Read)?;
    // What is filled up with zeros may be what was read before.
    let read = number(it, read);
    apart(it, (target, read), (source, read), false)?;
    if len > 0 {
        it.read_into(source, &mut bytes, len as usize);
    }
    it.write_from(target, &bytes, count as usize);
    Ok(len)
}

/// `char *strcat(char *to, const char *from)`
pub(crate) fn strcat(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    append(it, arguments, WHOLE, u64::MAX)
}

/// `char *__strcat_chk(char *to, const char *from, size_t room)`
pub(crate) fn strcat_chk(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let room = it.size_argument(arguments, 2)?;
    append(it, arguments, WHOLE, room)
}

/// `char *strncat(char *to, const char *from, size_t count)`
pub(crate) fn strncat(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let count = it.size_argument(arguments, 2)?;
    append(it, arguments, count, u64::MAX)
}

/// `char *__strncat_chk(char *to, const char *from, size_t count, size_t room)`
pub(crate) fn strncat_chk(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (count, room) = (it.size_argument(arguments, 2)?, it.size_argument(arguments, 3)?);
    append(it, arguments, count, room)
}

fn append(it: &mut Machine<'_, '_>, arguments: &[Val], most: u64, room: u64) -> Done {
    let (to, from) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let end = length(it, &to, WHOLE)?;
    copy_string(it, &to, Some(end), &from, most, room)?;
    Ok(Some(to))
}

/// `char *strchr(const char *s, int c)`
pub(crate) fn strchr(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let s = it.argument(arguments, 0);
    let wanted = character(it, arguments, 1);
    let plain = it.ctx.terms.as_bv(wanted).and_then(BvValue::to_u64);
    let begin = match plain {
        Some(wanted) => passed_over(it, &s, WHOLE, |byte| byte == 0 || u64::from(byte) == wanted)?,
        None => 0,
    };
    for at in begin.. {
        is_short(it, at - begin)?;
        let byte = it.byte_at(&s, at)?;
        if same(it, &byte, wanted)? {
            return Ok(Some(it.add_distance(&s, at)));
        }
        if it.is_zero(&byte)? {
            break;
        }
    }
    Ok(Some(Val::Int(0)))
}

/// `char *strrchr(const char *s, int c)`
pub(crate) fn strrchr(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let s = it.argument(arguments, 0);
    let wanted = character(it, arguments, 1);
    let len = length(it, &s, WHOLE)?;
    for at in (0..=len).rev() {
        is_short(it, len - at)?;
        let byte = it.byte_at(&s, at)?;
        if same(it, &byte, wanted)? {
            return Ok(Some(it.add_distance(&s, at)));
        }
    }
    Ok(Some(Val::Int(0)))
}

/// `char *strstr(const char *s, const char *part)`
pub(crate) fn strstr(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (s, part) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let (len, part_len) = (length(it, &s, WHOLE)?, length(it, &part, WHOLE)?);
    for start in 0..(len + 1).saturating_sub(part_len) {
        is_short(it, start.saturating_mul(part_len))?;
        let mut matches = true;
        for at in 0..part_len {
            let (x, y) = (it.byte_at(&s, start + at)?, it.byte_at(&part, at)?);
            let y = it.term(&y, Width::W8);
            if !same(it, &x, y)? {
                matches = false;
                break;
            }
        }
        if matches {
            return Ok(Some(it.add_distance(&s, start)));
        }
    }
    Ok(Some(Val::Int(0)))
}

/// How far the string goes with (or without) the characters of a set.
fn span(it: &mut Machine<'_, '_>, arguments: &[Val], inside: bool) -> Flow<(u64, bool)> {
    let (s, set) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let count = length(it, &set, WHOLE)?;
    for at in 0_u64.. {
        is_short(it, at.saturating_mul(count.max(1)))?;
        let byte = it.byte_at(&s, at)?;
        if it.is_zero(&byte)? {
            return Ok((at, true));
        }
        let term = it.term(&byte, Width::W8);
        let mut hits = Vec::new();
        for index in 0..count {
            let wanted = it.byte_at(&set, index)?;
            let wanted = it.term(&wanted, Width::W8);
            hits.push(it.ctx.terms.eq(term, wanted));
        }
        let hit = it.ctx.terms.or_all(hits);
        if it.decide_term(hit)? != inside {
            return Ok((at, false));
        }
    }
    Err(it.unsupported("a string without an end"))
}

/// `size_t strspn(const char *s, const char *set)`
pub(crate) fn strspn(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    Ok(Some(Val::Int(span(it, arguments, true)?.0)))
}

/// `size_t strcspn(const char *s, const char *set)`
pub(crate) fn strcspn(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    Ok(Some(Val::Int(span(it, arguments, false)?.0)))
}

/// `char *strpbrk(const char *s, const char *set)`
pub(crate) fn strpbrk(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (at, ended) = span(it, arguments, false)?;
    if ended {
        return Ok(Some(Val::Int(0)));
    }
    let s = it.argument(arguments, 0);
    Ok(Some(it.add_distance(&s, at)))
}

/// `char *strdup(const char *s)`
pub(crate) fn strdup(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    duplicate(it, call, arguments, WHOLE)
}

/// `char *strndup(const char *s, size_t most)`
pub(crate) fn strndup(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let most = it.size_argument(arguments, 1)?;
    duplicate(it, call, arguments, most)
}

fn duplicate(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], most: u64) -> Done {
    let s = it.argument(arguments, 0);
    if it.is_making_up()
        && let Some(text) = duplicate_input(it, &s)?
    {
        return Ok(Some(text));
    }
    // All questions are about the source: they come before the allocation.
    let len = length(it, &s, most)?;
    if len > 0 {
        it.resolve(&s, len, Access::Read)?;
    }
    let new = super::malloc::obtain(it, call, &[Val::Int(len + 1)])?.unwrap_or(Val::Int(0));
    copy_string(it, &new, None, &s, len, u64::MAX)?;
    Ok(Some(new))
}

/// The copy of a text that is made up as an argument: one object whose size is where the text ends, not a path for each
/// length. `None` where no end is known.
fn duplicate_input(it: &mut Machine<'_, '_>, s: &Val) -> Flow<Option<Val>> {
    let Val::Int(address) = *s else { return Ok(None) };
    let (id, from) = ObjectId::of_address(address);
    let Some(source) = it.state.memory.get(id) else { return Ok(None) };
    let (Size::Known(size), Ok(from)) = (source.size, u64::try_from(from)) else { return Ok(None) };
    let name: Arc<str> = source.name.trim_end_matches("_text").into();
    let mut pieces = Vec::new();
    for at in 0..size.saturating_sub(from) {
        is_short(it, at)?;
        let byte = it.byte_at(s, at)?;
        if byte == Val::Int(0) {
            return Ok(Some(Val::Int(it.text_of(&pieces, ObjectKind::Heap, &name))));
        }
        pieces.push(it.term(&byte, Width::W8));
    }
    Ok(None)
}
