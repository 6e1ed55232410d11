//! What rustc calls instead of libc: panics, and the allocator (`rust_alloc`).
//!
//! Knows: paths of functions in `core` and `alloc`, as they demangle, and how they are told what a panic says. Never: what
//! a panic unwinds; it is a bug.
//! Source: library/core/src/fmt/mod.rs of Rust 1.95, `Arguments`.

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
    ("core::panicking::panic_fmt", panic_with_format),
    ("core::panicking::panic_nounwind_fmt", panic_with_format),
    ("core::panicking::panic_nounwind", panic_with_text),
    ("core::panicking::panic_explicit", |it, _, _| panic(it, "explicit panic")),
    ("core::panicking::panic*", without_text),
    ("core::panicking::assert_failed*", assert_failed),
    ("std::panicking::begin_panic*", without_text),
    ("core::option::unwrap_failed", |it, _, _| panic(it, "called `Option::unwrap()` on a `None` value")),
    ("core::option::expect_failed", panic_with_text),
    ("core::result::unwrap_failed", panic_with_text),
    ("core::slice::index::slice_*", |it, _, _| panic(it, "a range out of bounds")),
    ("core::str::slice_error_fail", |it, _, _| panic(it, "a range that is not on characters")),
    ("core::cell::panic_already*", |it, _, _| panic(it, "a cell that is already borrowed")),
    ("alloc::raw_vec::handle_error", |it, _, _| panic(it, "capacity overflow")),
    ("alloc::raw_vec::capacity_overflow", |it, _, _| panic(it, "capacity overflow")),
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

/// A panic whose text is made where it cannot be read.
fn without_text(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Err(it.violation(PANIC, "the program panics".to_owned()))
}

/// `fn panic(text: &'static str) -> !`
fn panic_with_text(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let (text, length) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let Val::Int(length) = length else { return without_text(it, call, arguments) };
    match known_text(it, &text, 0, length)? {
        Some(text) => panic(it, &String::from_utf8_lossy(&text)),
        None => without_text(it, call, arguments),
    }
}

/// `fn panic_fmt(text: fmt::Arguments<'_>, at: &'static Location<'static>) -> !`, as Rust 1.93 and later pass it: two
/// words for the text.
fn panic_with_format(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    if arguments.len() < 3 {
        return without_text(it, call, arguments);
    }
    let (template, rest) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let text = match rest {
        // A text without placeholders: an odd number is twice its length and one more.
        Val::Int(bits) if bits & 1 == 1 => known_text(it, &template, 0, bits >> 1)?,
        _ => pieces(it, &template)?,
    };
    match text {
        Some(text) => panic(it, &String::from_utf8_lossy(&text)),
        None => without_text(it, call, arguments),
    }
}

/// The pieces of a template, with `{}` where a value stands; `None` where they are not known.
fn pieces(it: &mut Machine<'_, '_>, template: &Val) -> Flow<Option<Vec<u8>>> {
    let (mut res, mut at) = (Vec::new(), 0);
    while (res.len() as u64) < MOST_TEXT {
        let Some(&[kind]) = known_text(it, template, at, 1)?.as_deref() else { return Ok(None) };
        at += 1;
        let length = match kind {
            0 => break,
            1..=127 => u64::from(kind),
            128 => {
                let Some(&[low, high]) = known_text(it, template, at, 2)?.as_deref() else { return Ok(None) };
                at += 2;
                u64::from(u16::from_le_bytes([low, high]))
            }
            // Flags, width, precision and the number of the argument, each only if its bit is set.
            _ => {
                res.extend_from_slice(b"{}");
                let has = |bit: u8| u64::from(kind >> bit & 1);
                at += 4 * has(0) + 2 * (has(1) + has(2) + has(3));
                continue;
            }
        };
        let Some(piece) = known_text(it, template, at, length)? else { return Ok(None) };
        res.extend_from_slice(&piece);
        at += length;
    }
    Ok(Some(res))
}

/// The bytes from `from` on at an address, up to [`MOST_TEXT`] of them; `None` where one is not known.
fn known_text(it: &mut Machine<'_, '_>, text: &Val, from: u64, length: u64) -> Flow<Option<Vec<u8>>> {
    let mut res = Vec::new();
    for at in 0..length.min(MOST_TEXT) {
        match it.byte_at(text, from + at)? {
            Val::Int(byte) => res.push(byte as u8),
            _ => return Ok(None),
        }
    }
    Ok(Some(res))
}

/// `fn assert_failed<T, U>(kind: AssertKind, left: &T, right: &U, ...) -> !`
fn assert_failed(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let sign = match it.argument(arguments, 0) {
        Val::Int(0) => "left == right",
        Val::Int(1) => "left != right",
        _ => "left matches right",
    };
    panic(it, &format!("assertion `{sign}` failed"))
}
