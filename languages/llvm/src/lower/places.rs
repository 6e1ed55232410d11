//! Source places from debug metadata.
//!
//! Knows: how a `!dbg` number becomes a file, line, column and function. Never: instructions.

use crate::ir::{Metadata, Module};
use crate::names::is_standard_library;
use effigy_engine::Place;
use std::sync::Arc;

/// Scopes nest at most this deep.
const DEPTH: u32 = 1000;

/// The place of location `number`; for an inlined one, the innermost that is not in Rust's standard library.
pub(super) fn place(module: &Module, number: u32) -> Option<Place> {
    let mut innermost = None;
    let mut next = Some(number);
    for _ in 0..DEPTH {
        let Some(Metadata::Location { line, column, scope, inlined_at }) = next.and_then(|it| module.metadata.get(&it))
        else {
            break;
        };
        let Some((file, function)) = scope_of(module, *scope) else { break };
        let is_own = !is_standard_library(&file);
        let place = Place { file, line: *line, column: *column, function };
        if is_own {
            return Some(place);
        }
        innermost.get_or_insert(place);
        next = *inlined_at;
    }
    innermost
}

/// The place of a function's head.
pub(super) fn subprogram(module: &Module, number: u32) -> Option<Place> {
    let Metadata::Subprogram { line, .. } = module.metadata.get(&number)? else { return None };
    let (file, function) = scope_of(module, number)?;
    Some(Place { file, line: *line, column: 0, function })
}

fn scope_of(module: &Module, mut scope: u32) -> Option<(Arc<str>, Arc<str>)> {
    let mut file = None;
    for _ in 0..DEPTH {
        match module.metadata.get(&scope)? {
            Metadata::Subprogram { name, file: own, .. } => {
                let file = file.or(*own).and_then(|it| file_name(module, it)).unwrap_or_default();
                return Some((file, Arc::clone(name)));
            }
            Metadata::Block { scope: outer, file: own } => {
                file = file.or(*own);
                scope = *outer;
            }
            _ => return None,
        }
    }
    None
}

/// The file as it can be opened: absolute, or relative to where the compiler ran.
fn file_name(module: &Module, number: u32) -> Option<Arc<str>> {
    let Metadata::File { name, directory } = module.metadata.get(&number)? else { return None };
    if name.starts_with('/') || directory.is_empty() {
        return Some(Arc::clone(name));
    }
    let here = std::env::current_dir().ok();
    if here.is_some_and(|it| it.as_os_str() == &**directory) {
        return Some(Arc::clone(name));
    }
    Some(format!("{directory}/{name}").into())
}
