//! The writer that takes the text of a panic of Rust, as an object of the program.
//!
//! Knows: the vtable of `dyn core::fmt::Write`. Never: when a text is written (`panic_text`).

use crate::code::{Callable, Code};
use crate::libc::{self, rust::panics};
use crate::lower::place_in_code;
use crate::machine::TextWriter;
use crate::memory::ObjectKind;
use crate::names::is_text_writer;

/// Adds the writer to a program that has `core::fmt::write`.
pub(crate) fn install(code: &mut Code) -> Option<TextWriter> {
    let function = code.functions.iter().position(|it| is_text_writer(&it.name))?;
    let mut method = |name: &str| {
        let builtin = libc::find_own(name)?;
        let id = code.memory.allocate(place_in_code(&name.into()));
        code.callables.insert(id.0, Callable::Builtin(builtin));
        Some(id.base())
    };
    // The destructor, size and alignment of the writer, then its methods: of `write_fmt` no formatter makes use.
    let words = [0, 0, 1, method(panics::WRITE_STR)?, method(panics::WRITE_CHAR)?, 0];
    let bytes = words.iter().flat_map(|it| it.to_le_bytes()).collect();
    let vtable = code.add_global("the writer of a panic's text", ObjectKind::Constant, bytes);
    Some(TextWriter { function: u32::try_from(function).ok()?, vtable })
}
