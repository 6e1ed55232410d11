//! Panics of Rust: each is a bug, with the text that the program prints and the line that it blames.
//!
//! Knows: how the functions of `core` are told what a panic says and where. Never: what a panic unwinds; the path ends.
//! Source: library/core/src/fmt/mod.rs (`Arguments`) and library/core/src/panic/location.rs of Rust 1.95.

use crate::checks::{PANIC, UNDEFINED_BEHAVIOUR};
use crate::code::Call;
use crate::library;
use crate::machine::{Flow, Machine};
use crate::memory::{ObjectId, ObjectKind};
use crate::names::is_standard_library;
use crate::state::Chunk;
use crate::value::Val;
use effigy_engine::{Outcome, Place, Step};
use effigy_term::Width;
use std::sync::Arc;

type Done = Flow<Option<Val>>;

/// Longer messages of panics are not read.
const MOST_TEXT: u64 = 1000;

/// Ends the path with a panic of this text, at the place that the last argument of the call blames.
pub(super) fn panic(it: &mut Machine<'_, '_>, arguments: &[Val], message: &str) -> Done {
    end(it, Panic::Unwinds, arguments, Some(message))
}

/// A panic whose text is made where it cannot be read.
pub(super) fn without_text(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    end(it, Panic::Unwinds, arguments, None)
}

/// What becomes of a panic natively.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Panic {
    /// The stack unwinds, and `catch_unwind` ends it.
    Unwinds,
    /// The process aborts: a promise of `unsafe` code is broken, a reference is null or not aligned.
    Aborts,
}

fn end(it: &mut Machine<'_, '_>, panic: Panic, arguments: &[Val], text: Option<&str>) -> Done {
    let functions = &it.program.code.functions;
    let catches = |function: u32| functions[function as usize].name.contains("12catch_unwind");
    if panic == Panic::Unwinds && it.state.frames.iter().any(|it| catches(it.function)) {
        return Err(it.unsupported("a panic that catch_unwind catches"));
    }
    let kind = match panic {
        Panic::Unwinds => PANIC,
        Panic::Aborts => UNDEFINED_BEHAVIOUR,
    };
    let message = text.map_or("the program panics".to_owned(), |it| format!("the program panics: {it}"));
    let blamed = arguments.last().and_then(|at| blamed_place(it, at));
    let mut step = it.violation(kind, message);
    if let (Step::Exit(Outcome::Violation(violation)), Some(mut place)) = (&mut step, blamed) {
        // The compiler names the file from where it runs, debug information in whole.
        if violation.place.file.ends_with(&*place.file) {
            place.file = Arc::clone(&violation.place.file);
            place.function = Arc::clone(&violation.place.function);
        }
        violation.place = place;
    }
    Err(step)
}

/// The place that `#[track_caller]` passes: a line of the user's where a function of the standard library panics.
/// `None` where there is none, or it is in the standard library itself.
fn blamed_place(it: &mut Machine<'_, '_>, at: &Val) -> Option<Place> {
    known_place(it, at).filter(|it| !is_standard_library(&it.file) && !library::is_part(&it.file))
}

/// What a `&'static Location<'static>` says; `None` where it is not known.
pub(super) fn known_place(it: &mut Machine<'_, '_>, at: &Val) -> Option<Place> {
    const LOCATION: u64 = 24;
    let &Val::Int(address) = at else { return None };
    let (id, offset) = ObjectId::of_address(address);
    let object = it.state.memory.get(id)?;
    if object.kind != ObjectKind::Constant || offset != 0 || object.bytes.len() as u64 != LOCATION {
        return None;
    }
    let number = |it: &mut Machine<'_, '_>, from: u64, size: u64| {
        let at = it.add_distance(at, from);
        it.load_scalar(&at, size, 8 * size as u32).ok()?.as_int()
    };
    let text = Val::Int(number(it, 0, 8)?);
    let length = number(it, 8, 8)?;
    let (line, column) = (number(it, 16, 4)?, number(it, 20, 4)?);
    let file = String::from_utf8(known_text(it, &text, 0, length).ok()??).ok()?;
    let (line, column) = (u32::try_from(line).ok()?, u32::try_from(column).ok()?);
    Some(Place { file: file.into(), line, column, function: "".into() })
}

/// `fn panic(text: &'static str) -> !`
pub(super) fn panic_with_text(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    with_text(it, Panic::Unwinds, arguments)
}

/// `fn panic_nounwind(text: &'static str) -> !`
pub(super) fn abort_with_text(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    with_text(it, Panic::Aborts, arguments)
}

/// A panic of an address, of null or of what is no value of an enumeration, which is told no text.
pub(super) fn abort_without_text(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    end(it, Panic::Aborts, arguments, None)
}

fn with_text(it: &mut Machine<'_, '_>, panic: Panic, arguments: &[Val]) -> Done {
    let (text, length) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let text = match length {
        Val::Int(length) => known_text(it, &text, 0, length)?,
        _ => None,
    };
    let text = text.map(|it| String::from_utf8_lossy(&it).into_owned());
    end(it, panic, arguments, text.as_deref())
}

/// The names of [`write_str`] and [`write_char`], which no function of a program has.
pub(crate) const WRITE_STR: &str = "<effigy>::PanicText::write_str";
/// See [`WRITE_STR`].
pub(crate) const WRITE_CHAR: &str = "<effigy>::PanicText::write_char";

/// `fn write_str(&mut self, text: &str) -> fmt::Result` of the writer that takes the text of a panic: it becomes output.
pub(super) fn write_str(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (text, length) = (it.argument(arguments, 1), it.size_argument(arguments, 2)?);
    let mut bytes = Vec::new();
    for at in 0..length.min(MOST_TEXT) {
        let byte = it.byte_at(&text, at)?;
        bytes.push(match byte {
            Val::Int(byte) => byte as u8,
            other => {
                let term = it.term(&other, Width::W8);
                it.choose_value(term)? as u8
            }
        });
    }
    it.state.output.push(Chunk::Bytes(bytes.into()));
    Ok(Some(Val::Int(0)))
}

/// `fn write_char(&mut self, character: char) -> fmt::Result` of the same writer.
pub(super) fn write_char(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let character = it.size_argument(arguments, 1)?;
    let character = u32::try_from(character).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    it.state.output.push(Chunk::Bytes(character.to_string().into_bytes().into()));
    Ok(Some(Val::Int(0)))
}

/// `fn begin_panic<M>(message: M, at: &'static Location<'static>) -> !`: most are a text, in two words.
pub(super) fn panic_with_payload(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    match arguments.len() {
        3 => panic_with_text(it, call, arguments),
        _ => without_text(it, call, arguments),
    }
}

/// `fn panic_fmt(text: fmt::Arguments<'_>, at: &'static Location<'static>) -> !`, as Rust 1.93 and later pass it: two
/// words for the text.
pub(super) fn panic_with_format(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    with_format(it, Panic::Unwinds, arguments)
}

/// `fn panic_nounwind_fmt(text: fmt::Arguments<'_>, ...) -> !`
pub(super) fn abort_with_format(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    with_format(it, Panic::Aborts, arguments)
}

fn with_format(it: &mut Machine<'_, '_>, panic: Panic, arguments: &[Val]) -> Done {
    if arguments.len() < 3 {
        return end(it, panic, arguments, None);
    }
    let (template, rest) = (it.argument(arguments, 0), it.argument(arguments, 1));
    it.state.panic = Some([template.clone(), rest.clone()]);
    let text = match rest {
        // A text without placeholders: an odd number is twice its length and one more.
        Val::Int(bits) if bits & 1 == 1 => known_text(it, &template, 0, bits >> 1)?,
        _ => pieces(it, &template)?,
    };
    let text = text.map(|it| String::from_utf8_lossy(&it).into_owned());
    end(it, panic, arguments, text.as_deref())
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
pub(super) fn assert_failed(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let sign = match it.argument(arguments, 0) {
        Val::Int(0) => "left == right",
        Val::Int(1) => "left != right",
        _ => "left matches right",
    };
    panic(it, arguments, &format!("assertion `{sign}` failed"))
}
