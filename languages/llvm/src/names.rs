//! Names of functions and objects for people.
//!
//! Knows: how Rust and C++ mangle names, how heap objects are called, which names mark inputs in verifiers' programs. Never: what
//! else a name stands for.

use std::fmt;
use std::sync::Arc;

/// A function's name as its programmer wrote it.
pub(crate) fn readable(name: &Arc<str>) -> Arc<str> {
    demangled(name).map_or_else(|| Arc::clone(name), Into::into)
}

/// The path of a function of Rust or C++ without its parameters; `None` where the name is not mangled.
fn demangled(name: &str) -> Option<String> {
    match rustc_demangle::try_demangle(name) {
        Ok(it) => Some(format!("{it:#}")),
        Err(_) => demangled_cpp(name),
    }
}

/// Demangled names of C++ are shown up to so many bytes: a short one may stand for a long one.
const LONGEST_NAME: usize = 4096;

/// A text that refuses more than [`LONGEST_NAME`].
#[derive(Default)]
struct ShortText(String);

impl fmt::Write for ShortText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST_NAME {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

fn demangled_cpp(name: &str) -> Option<String> {
    if !name.starts_with("_Z") || name.len() > LONGEST_NAME {
        return None;
    }
    let symbol = cpp_demangle::Symbol::new(name).ok()?;
    let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
    let mut text = ShortText::default();
    symbol.structured_demangle(&mut text, &options).ok()?;
    Some(text.0)
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

/// Whether a function with this name in the program is what a user calls `wanted`: its name, or its path in Rust or C++ or
/// the end of that.
pub(crate) fn is_named(name: &str, wanted: &str) -> bool {
    let ends_so = |path: &str| path.strip_suffix(wanted).is_some_and(|it| it.is_empty() || it.ends_with("::"));
    // Demangling is slow, and a mangled path contains its last part.
    let last = wanted.rsplit("::").next().unwrap_or(wanted);
    name == wanted || name.contains(last) && demangled(name).is_some_and(|it| ends_so(&it))
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
    let name = demangled_cpp(&format!("_ZTS{}", mangled.trim_start_matches('*')));
    let name = name.as_deref().and_then(|it| it.strip_prefix("typeinfo name for "));
    name.unwrap_or(mangled).to_owned()
}
