//! Names of functions for people.
//!
//! Knows: how Rust mangles names. Never: what a name stands for.

use std::rc::Rc;

/// A function's name as its programmer wrote it.
pub(crate) fn readable(name: &Rc<str>) -> Rc<str> {
    match rustc_demangle::try_demangle(name) {
        Ok(it) => format!("{it:#}").into(),
        Err(_) => Rc::clone(name),
    }
}
