//! What rustc calls instead of libc: panics, and the allocator (`rust_alloc`).
//!
//! Knows: paths of functions in `core` and `alloc`, as they demangle. Never: what a panic unwinds; it is a bug.

use super::rust_alloc;
use crate::checks::PANIC;
use crate::code::Call;
use crate::machine::{Builtin, Flow, Machine};
use crate::value::Val;

type Done = Flow<Option<Val>>;

/// Longer messages of panics are not read.
const MOST_TEXT: u64 = 1000;

/// By demangled path without its hash; a path that ends with `*` stands for all that it begins.
pub(crate) const RUST: &[(&str, Builtin)] = &[
    ("__rustc::__rust_alloc", rust_alloc::alloc),
    ("__rustc::__rust_alloc_zeroed", rust_alloc::alloc_zeroed),
    ("__rustc::__rust_dealloc", rust_alloc::dealloc),
    ("__rustc::__rust_realloc", rust_alloc::realloc),
    ("__rustc::__rust_no_alloc_shim_is_unstable_v2", super::annotations::nothing),
    ("core::panicking::panic", panic_with_text),
    ("core::panicking::panic_bounds_check", |it, _, _| panic(it, "index out of bounds")),
    ("core::panicking::panic_const::panic_const_add_overflow", |it, _, _| panic(it, "attempt to add with overflow")),
    ("core::panicking::panic_const::panic_const_sub_overflow", |it, _, _| {
        panic(it, "attempt to subtract with overflow")
    }),
    ("core::panicking::panic_const::panic_const_mul_overflow", |it, _, _| {
        panic(it, "attempt to multiply with overflow")
    }),
    ("core::panicking::panic_const::panic_const_div_overflow", |it, _, _| panic(it, "attempt to divide with overflow")),
    ("core::panicking::panic_const::panic_const_rem_overflow", |it, _, _| {
        panic(it, "attempt to calculate the remainder with overflow")
    }),
    ("core::panicking::panic_const::panic_const_neg_overflow", |it, _, _| panic(it, "attempt to negate with overflow")),
    ("core::panicking::panic_const::panic_const_shl_overflow", |it, _, _| {
        panic(it, "attempt to shift left with overflow")
    }),
    ("core::panicking::panic_const::panic_const_shr_overflow", |it, _, _| {
        panic(it, "attempt to shift right with overflow")
    }),
    ("core::panicking::panic_const::panic_const_div_by_zero", |it, _, _| panic(it, "attempt to divide by zero")),
    ("core::panicking::panic_const::panic_const_rem_by_zero", |it, _, _| {
        panic(it, "attempt to calculate the remainder with a divisor of zero")
    }),
    ("core::panicking::panic*", |it, _, _| panic(it, "a panic")),
    ("core::panicking::assert_failed*", |it, _, _| panic(it, "an assertion fails")),
    ("std::panicking::begin_panic*", |it, _, _| panic(it, "a panic")),
    ("core::option::unwrap_failed", |it, _, _| panic(it, "unwrap of None")),
    ("core::option::expect_failed", panic_with_text),
    ("core::result::unwrap_failed", |it, _, _| panic(it, "unwrap of Err")),
    ("core::slice::index::slice_*", |it, _, _| panic(it, "a range out of bounds")),
    ("core::str::slice_error_fail", |it, _, _| panic(it, "a range that is not on characters")),
    ("core::cell::panic_already*", |it, _, _| panic(it, "a cell that is already borrowed")),
    ("alloc::raw_vec::handle_error", |it, _, _| panic(it, "a capacity overflow")),
    ("alloc::raw_vec::capacity_overflow", |it, _, _| panic(it, "a capacity overflow")),
    ("alloc::alloc::handle_alloc_error", |it, _, _| panic(it, "a failed allocation")),
];

/// The number in [`RUST`] of a mangled name that is not defined in the program.
pub(crate) fn find(name: &str) -> Option<usize> {
    let demangled = rustc_demangle::try_demangle(name).ok()?;
    let path = format!("{demangled:#}");
    let exact = RUST.iter().position(|it| it.0 == path);
    exact.or_else(|| RUST.iter().position(|it| it.0.strip_suffix('*').is_some_and(|it| path.starts_with(it))))
}

fn panic(it: &mut Machine<'_, '_>, message: &str) -> Done {
    Err(it.violation(PANIC, format!("the program panics: {message}")))
}

/// `fn panic(text: &'static str) -> !`
fn panic_with_text(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (text, length) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let Val::Int(length) = length else { return panic(it, "a panic") };
    let mut message = Vec::new();
    for at in 0..length.min(MOST_TEXT) {
        match it.byte_at(&text, at)? {
            Val::Int(byte) => message.push(byte as u8),
            _ => return panic(it, "a panic"),
        }
    }
    panic(it, &String::from_utf8_lossy(&message))
}
