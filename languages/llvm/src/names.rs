//! Names of functions for people.
//!
//! Knows: how Rust mangles names. Never: what a name stands for.

use std::sync::Arc;

/// A function's name as its programmer wrote it.
pub(crate) fn readable(name: &Arc<str>) -> Arc<str> {
    match rustc_demangle::try_demangle(name) {
        Ok(it) => format!("{it:#}").into(),
        Err(_) => Arc::clone(name),
    }
}
