//! What a harness of Rust asks for: any value, and whether a place is reached.
//!
//! Knows: how the crate `effigy-harness` calls. Never: how harnesses are found (`harnesses`).

use super::panics::known_place;
use crate::code::{Call, SourceVariable};
use crate::machine::{Flow, Machine};
use crate::value::Val;
use effigy_engine::{Note, Place};
use std::sync::Arc;

type Done = Flow<Option<Val>>;

/// Longer names of types are not read.
const MOST_NAME: u64 = 200;

/// `fn effigy_rust_any(at: *mut u8, size: usize, kind: &str, place: &Location)`: any bytes, as a value of the type that
/// is called `kind`.
pub(crate) fn any(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (at, size) = (it.argument(arguments, 0), it.size_argument(arguments, 1)?);
    let kind = text(it, arguments, 2)?;
    let place = known_place(it, &it.argument(arguments, 4));
    let name = name(it, (&kind, size), place.as_ref());
    it.input_of_numbers(&at, size, &name, (numbers(&kind), Some(kind.as_str().into())))?;
    Ok(None)
}

/// `fn effigy_rust_cover(condition: bool, message: &str, place: &Location)`
pub(crate) fn cover(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let condition = it.argument(arguments, 0);
    let condition = it.truth(&condition);
    if it.decide_term(condition)? {
        let message = text(it, arguments, 1)?;
        let place = known_place(it, &it.argument(arguments, 3)).unwrap_or_default();
        it.note(Note::COVERED, &format!("{message} ({}:{})", place.file, place.line), false);
    }
    Ok(None)
}

/// The text of two arguments: an address and a length.
fn text(it: &mut Machine<'_, '_>, arguments: &[Val], from: usize) -> Flow<String> {
    let (at, length) = (it.argument(arguments, from), it.size_argument(arguments, from + 1)?);
    let mut bytes = Vec::new();
    for index in 0..length.min(MOST_NAME) {
        bytes.push(it.byte_at(&at, index)?.as_int().unwrap_or(u64::from(b'?')) as u8);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The variable that is declared where the value is asked for; else the type and the line.
fn name(it: &Machine<'_, '_>, (kind, size): (&str, u64), place: Option<&Place>) -> Arc<str> {
    let Some(place) = place else { return kind.into() };
    let functions = &it.program.code.functions;
    let own = it.state.frames.iter().rev().map(|it| &functions[it.function as usize]).find(|it| !it.library);
    let types = &it.program.code.source_types;
    let holds_it = |it: &&SourceVariable| types.get(it.ty as usize).is_some_and(|it| it.size == size);
    let declared = own.into_iter().flat_map(|it| it.variables.iter());
    let mut declared = declared.filter(|it| it.line == place.line).filter(holds_it);
    match (declared.next(), declared.next()) {
        (Some(only), None) => Arc::clone(&only.name),
        _ => format!("{kind} in line {}", place.line).into(),
    }
}

/// The size in bytes of the numbers of which a type consists, and whether they have a sign.
fn numbers(kind: &str) -> Option<(u32, bool)> {
    let element = kind.strip_prefix('[').and_then(|it| it.split(';').next()).unwrap_or(kind);
    Some(match element {
        "u8" | "bool" => (1, false),
        "i8" => (1, true),
        "u16" => (2, false),
        "i16" => (2, true),
        "u32" | "char" | "f32" => (4, false),
        "i32" => (4, true),
        "u64" | "usize" | "f64" => (8, false),
        "i64" | "isize" => (8, true),
        "u128" => (16, false),
        "i128" => (16, true),
        _ => return None,
    })
}
