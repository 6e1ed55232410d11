//! Exploration: every feasible path, within limits.
//!
//! Knows: the order in which paths go on, limits, what to count. Never: a language, where results are written.
//! Source: King 1976, section 4; the searchers' names are KLEE's.

mod exploration;
mod searchers;
mod walk;

pub use exploration::{Bug, Counts, End, Exploration, PathEnd, Progress, Sink};
pub use searchers::Search;
pub use walk::{Config, explore};
