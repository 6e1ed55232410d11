//! Places of callers.
//!
//! Knows: how they are written. Never: what stands there.

use effigy_engine::Place;

/// A place as compilers print it.
pub fn place_text(place: &Place) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

/// The place of a caller.
pub(crate) fn place_of(place: &std::panic::Location<'_>) -> Place {
    Place { file: place.file().into(), line: place.line(), column: place.column(), function: "".into() }
}
