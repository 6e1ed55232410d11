//! What rustc calls instead of libc: panics (`panics`), and the allocator (`rust_alloc`).
//!
//! Knows: paths of functions in `core` and `alloc`, as they demangle; which of them are built in although the program
//! brings their bodies along. Never: what they do.

pub(super) mod harness;
pub(crate) mod panics;

use super::rust_alloc;
use crate::code::Call;
use crate::machine::{Builtin, Flow, Machine};
use crate::value::Val;
use effigy_engine::Note;
use effigy_term::{Term, Width};
use panics::{
    abort_with_format, abort_with_text, abort_without_text, assert_failed, panic, panic_with_format,
    panic_with_payload, panic_with_text, without_text,
};

/// By demangled path without its hash; a path that ends with `*` stands for all that it begins.
pub(crate) const RUST: &[(&str, Builtin)] = &[
    ("__rustc::__rust_alloc", rust_alloc::alloc),
    ("__rustc::__rust_alloc_zeroed", rust_alloc::alloc_zeroed),
    ("__rustc::__rust_dealloc", rust_alloc::dealloc),
    ("__rustc::__rust_realloc", rust_alloc::realloc),
    ("__rustc::__rust_no_alloc_shim_is_unstable_v2", super::annotations::nothing),
    ("core::panicking::panic", panic_with_text),
    ("core::panicking::panic_bounds_check", |it, _, args| panic(it, args, "index out of bounds")),
    ("core::panicking::panic_const::panic_const_add_overflow", |it, _, args| {
        panic(it, args, "attempt to add with overflow")
    }),
    ("core::panicking::panic_const::panic_const_sub_overflow", |it, _, args| {
        panic(it, args, "attempt to subtract with overflow")
    }),
    ("core::panicking::panic_const::panic_const_mul_overflow", |it, _, args| {
        panic(it, args, "attempt to multiply with overflow")
    }),
    ("core::panicking::panic_const::panic_const_div_overflow", |it, _, args| {
        panic(it, args, "attempt to divide with overflow")
    }),
    ("core::panicking::panic_const::panic_const_rem_overflow", |it, _, args| {
        panic(it, args, "attempt to calculate the remainder with overflow")
    }),
    ("core::panicking::panic_const::panic_const_neg_overflow", |it, _, args| {
        panic(it, args, "attempt to negate with overflow")
    }),
    ("core::panicking::panic_const::panic_const_shl_overflow", |it, _, args| {
        panic(it, args, "attempt to shift left with overflow")
    }),
    ("core::panicking::panic_const::panic_const_shr_overflow", |it, _, args| {
        panic(it, args, "attempt to shift right with overflow")
    }),
    ("core::panicking::panic_const::panic_const_div_by_zero", |it, _, args| {
        panic(it, args, "attempt to divide by zero")
    }),
    ("core::panicking::panic_const::panic_const_rem_by_zero", |it, _, args| {
        panic(it, args, "attempt to calculate the remainder with a divisor of zero")
    }),
    ("core::panicking::panic_fmt", panic_with_format),
    ("core::panicking::panic_nounwind_fmt", abort_with_format),
    ("core::panicking::panic_nounwind", abort_with_text),
    ("core::panicking::panic_misaligned_pointer_dereference", abort_without_text),
    ("core::panicking::panic_null_pointer_dereference", abort_without_text),
    ("core::panicking::panic_invalid_enum_construction", abort_without_text),
    ("core::panicking::panic_explicit", |it, _, args| panic(it, args, "explicit panic")),
    ("core::panicking::panic*", without_text),
    ("core::panicking::assert_failed*", assert_failed),
    ("std::panicking::begin_panic*", panic_with_payload),
    ("std::process::abort", super::ending::abort),
    ("std::sys::random::hashmap_random_keys", fixed_keys),
    ("std::sys::random::linux::hashmap_random_keys", fixed_keys),
    ("core::ub_checks::maybe_is_nonoverlapping", is_nonoverlapping),
    ("core::ub_checks::maybe_is_nonoverlapping::runtime", is_nonoverlapping),
    (panics::WRITE_STR, panics::write_str),
    (panics::WRITE_CHAR, panics::write_char),
    ("core::option::unwrap_failed", |it, _, args| panic(it, args, "called `Option::unwrap()` on a `None` value")),
    ("core::option::expect_failed", panic_with_text),
    ("core::result::unwrap_failed", panic_with_text),
    ("core::slice::index::slice_*", |it, _, args| panic(it, args, "a range out of bounds")),
    ("core::str::slice_error_fail", |it, _, args| panic(it, args, "a range that is not on characters")),
    ("core::cell::panic_already*", |it, _, args| panic(it, args, "a cell that is already borrowed")),
    ("alloc::raw_vec::handle_error", |it, _, args| panic(it, args, "capacity overflow")),
    ("alloc::raw_vec::capacity_overflow", |it, _, args| panic(it, args, "capacity overflow")),
    ("alloc::alloc::handle_alloc_error", |it, _, args| panic(it, args, "a failed allocation")),
];

/// The functions that are built in also where the program brings their bodies along, as whole programs do: behind them
/// are backtraces, locks, signals and the environment, of which no panic's meaning depends.
const REPLACED: &[&str] = &[
    "core::panicking::panic_fmt",
    "core::panicking::panic_nounwind_fmt",
    "std::panicking::begin_panic",
    "alloc::alloc::handle_alloc_error",
    "std::process::abort",
    "std::sys::random::hashmap_random_keys",
    "std::sys::random::linux::hashmap_random_keys",
    "core::ub_checks::maybe_is_nonoverlapping",
    "core::ub_checks::maybe_is_nonoverlapping::runtime",
];

/// The allocator that every program has which does not bring its own.
const ALLOCATOR: &str = "__rustc::__rust_";

/// How the functions of a program's own `#[global_allocator]` begin.
pub(crate) const OWN_ALLOCATOR: &str = "__rustc::__rg_alloc";

/// The number in [`RUST`] of a mangled name that the program defines, where it is built in all the same.
/// `own_allocator` says that the program has a `#[global_allocator]`, which is then looked at like all of it.
pub(crate) fn find_defined(name: &str, own_allocator: bool) -> Option<usize> {
    // Of tens of thousands of names few are demangled.
    let likely = ["panic", "alloc_error", "7process5abort", "hashmap_random_keys", "___rust_", "nonoverlapping"];
    if !likely.iter().any(|it| name.contains(it)) {
        return None;
    }
    let path = format!("{:#}", rustc_demangle::try_demangle(name).ok()?);
    let bare = path.split_once("::<").map_or(&*path, |it| it.0);
    let replaced = REPLACED.contains(&bare) || path.starts_with(ALLOCATOR) && !own_allocator;
    if replaced { find(name) } else { None }
}

/// The number in [`RUST`] of a mangled name that is not defined in the program.
pub(crate) fn find(name: &str) -> Option<usize> {
    let demangled = rustc_demangle::try_demangle(name).ok()?;
    let path = format!("{demangled:#}");
    let exact = RUST.iter().position(|it| it.0 == path);
    exact.or_else(|| RUST.iter().position(|it| it.0.strip_suffix('*').is_some_and(|it| path.starts_with(it))))
}

/// The number in [`RUST`] of a function that no program can name.
pub(crate) fn find_own(path: &str) -> Option<usize> {
    RUST.iter().position(|it| it.0 == path)
}

/// `fn hashmap_random_keys() -> (u64, u64)`: one seed for every run, so that a `HashMap` has one order.
fn fixed_keys(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Flow<Option<Val>> {
    it.note(Note::ASSUMED, "HashMap and HashSet hash with one fixed seed", false);
    Ok(Some(Val::Agg([Val::Int(0x5EED), Val::Int(0xE4D5)].into())))
}

/// `fn maybe_is_nonoverlapping(src: *const (), dst: *const (), size: usize, count: usize) -> bool`: two objects that are
/// there at the same time do not overlap wherever they lie, and in one the distance is the same.
fn is_nonoverlapping(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Flow<Option<Val>> {
    let (from, to) = (it.argument(arguments, 0), it.argument(arguments, 1));
    if let (Some(from), Some(to)) = (it.live_object(&from), it.live_object(&to))
        && from != to
    {
        return Ok(Some(Val::Int(1)));
    }
    let number = |it: &mut Machine<'_, '_>, at: usize| {
        let value = it.argument(arguments, at);
        it.term(&value, Width::W64)
    };
    let (from, to) = (number(it, 0), number(it, 1));
    let (size, count) = (number(it, 2), number(it, 3));
    let terms = it.ctx.terms;
    let distance = terms.ite(terms.bv_ult(from, to), terms.bv_sub(to, from), terms.bv_sub(from, to));
    // So many bytes need not fit into 64 bits.
    let wide = |it: Term| terms.bv_zero_extend(Width::of(128), it);
    let apart = terms.bv_ule(terms.bv_mul(wide(size), wide(count)), wide(distance));
    Ok(Some(Val::of_term(terms, apart)))
}
