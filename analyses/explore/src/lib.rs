//! Exploration: every feasible path, within limits.
//!
//! Knows: what each event means for a path, how a path ends, what limits do. Never: a language, which path goes on
//! (`core/walk`), where results are written.
//! Source: King 1976, section 4.

mod path_end;
mod walk;

pub use path_end::{End, PathEnd, Sink};
pub use walk::{Config, Tools, explore, explore_as, explore_with};
