//! Names of functions and objects for people.
//!
//! Knows: how Rust mangles names, how heap objects are called, which names mark inputs in verifiers' programs. Never: what
//! else a name stands for.

use std::sync::Arc;

/// A function's name as its programmer wrote it.
pub(crate) fn readable(name: &Arc<str>) -> Arc<str> {
    match rustc_demangle::try_demangle(name) {
        Ok(it) => format!("{it:#}").into(),
        Err(_) => Arc::clone(name),
    }
}

/// Whether a file, as Rust's debug information names it, is one of Rust's standard library or of what that is made of.
pub(crate) fn is_standard_library(file: &str) -> bool {
    file.starts_with("/rustc/") || file.starts_with("/rust/deps/") || file.contains("/lib/rustlib/src/rust/library/")
}

/// Whether a module is a whole program of Rust: the machinery of panics is part of it.
pub(crate) fn is_whole_rust_program(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, b"4core9panicking9panic_fmt").any(|at| {
        let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |it| it + 1);
        text[line..].starts_with(b"define ")
    })
}

/// Whether a mangled name is that of `core::fmt::write`, which makes the text of a panic.
pub(crate) fn is_text_writer(name: &str) -> bool {
    name.contains("4core3fmt5write")
        && rustc_demangle::try_demangle(name).is_ok_and(|it| format!("{it:#}") == "core::fmt::write")
}

/// Whether a function with this name in the program is what a user calls `wanted`: its name, or its path in Rust or the
/// end of that.
pub(crate) fn is_named(name: &str, wanted: &str) -> bool {
    let ends_so = |path: &str| path.strip_suffix(wanted).is_some_and(|it| it.is_empty() || it.ends_with("::"));
    // Demangling is slow, and a mangled path contains its last part.
    let last = wanted.rsplit("::").next().unwrap_or(wanted);
    name == wanted
        || name.contains(last) && rustc_demangle::try_demangle(name).is_ok_and(|it| ends_so(&format!("{it:#}")))
}

/// How the name of a heap object begins, before the file and the line of its allocation.
pub(crate) const ALLOCATED_AT: &str = "the object allocated at ";

/// A text about objects, for somebody who looks at this file: of what was allocated in it only the line is told.
pub(crate) fn in_file(text: &str, file: &str) -> String {
    match file.is_empty() {
        true => text.to_owned(),
        false => text.replace(&format!("{ALLOCATED_AT}{file}:"), &format!("{ALLOCATED_AT}line ")),
    }
}

/// The input that a function without a body stands for by its name, as in programs for SV-COMP and CBMC:
/// `__VERIFIER_nondet_int`, `nondet_flag`. Pointers are no inputs.
pub(crate) fn nondet(name: &str) -> Option<&str> {
    let name = name.strip_prefix("__VERIFIER_").unwrap_or(name);
    let kind = name.strip_prefix("nondet_")?;
    let pointer = ["pointer", "ptr", "charp", "string"].iter().any(|it| kind.ends_with(it));
    (!kind.is_empty() && !pointer).then_some(name)
}

/// Whether a function without a body is some function of its arguments, by its name, as in programs for CBMC.
pub(crate) fn is_uninterpreted(name: &str) -> bool {
    name.starts_with("__CPROVER_uninterpreted_")
}

/// Whether an input of so many bits is made for such a function.
pub(crate) fn is_input_width(width: u32) -> bool {
    matches!(width, 1 | 8 | 16 | 32 | 64 | 128)
}

/// Whether the name of such an input speaks of a number that is not negative: `nondet_uint`, `nondet_size_t`.
pub(crate) fn is_unsigned(name: &str) -> bool {
    let kind = name.strip_prefix("nondet_").unwrap_or(name);
    let after = kind.strip_prefix('u').unwrap_or("");
    let unsigned = ["char", "short", "int", "long", "nsigned"].iter().any(|it| after.starts_with(it));
    unsigned || after.starts_with(|it: char| it.is_ascii_digit()) || matches!(kind, "bool" | "size_t")
}

/// The name of a type of C++ as its programmer wrote it, from that in its `type_info`; what is not understood stays.
pub(crate) fn type_name(mangled: &str) -> String {
    match written_type(mangled.trim_start_matches('*')) {
        Some((name, "")) => name,
        _ => mangled.to_owned(),
    }
}

/// Builtin types by their letters (Itanium C++ ABI 5.1.5.2).
const LETTERS: &[(&str, &str)] = &[
    ("v", "void"),
    ("b", "bool"),
    ("c", "char"),
    ("a", "signed char"),
    ("h", "unsigned char"),
    ("s", "short"),
    ("t", "unsigned short"),
    ("i", "int"),
    ("j", "unsigned int"),
    ("l", "long"),
    ("m", "unsigned long"),
    ("x", "long long"),
    ("y", "unsigned long long"),
    ("f", "float"),
    ("d", "double"),
    ("e", "long double"),
    ("w", "wchar_t"),
    ("Dn", "std::nullptr_t"),
];

/// The type that a mangled name begins with, and what follows it.
fn written_type(text: &str) -> Option<(String, &str)> {
    if let Some(to) = text.strip_prefix("PK").or_else(|| text.strip_prefix("PV")) {
        let (name, rest) = written_type(to)?;
        let qualifier = if text.starts_with("PK") { "const" } else { "volatile" };
        return Some((format!("{name} {qualifier}*"), rest));
    }
    if let Some(to) = text.strip_prefix('P') {
        let (name, rest) = written_type(to)?;
        return Some((format!("{name}*"), rest));
    }
    if let Some(inner) = text.strip_prefix('N') {
        let mut parts = Vec::new();
        let mut rest = inner;
        while !rest.starts_with('E') {
            let (part, after) = written_part(rest)?;
            parts.push(part);
            rest = after;
        }
        return Some((parts.join("::"), &rest[1..]));
    }
    if let Some(inner) = text.strip_prefix("St") {
        let (name, rest) = written_part(inner)?;
        return Some((format!("std::{name}"), rest));
    }
    let builtin = LETTERS.iter().find_map(|(letter, name)| Some(((*name).to_owned(), text.strip_prefix(letter)?)));
    builtin.or_else(|| written_part(text))
}

/// An identifier with its length before it.
fn written_part(text: &str) -> Option<(String, &str)> {
    if let Some(rest) = text.strip_prefix("St") {
        return Some(("std".to_owned(), rest));
    }
    let digits = text.find(|it: char| !it.is_ascii_digit())?;
    let length: usize = text[..digits].parse().ok()?;
    let name = text[digits..].get(..length)?;
    let shown = if name.starts_with("_GLOBAL__N") { "(anonymous namespace)" } else { name };
    Some((shown.to_owned(), &text[digits + length..]))
}
