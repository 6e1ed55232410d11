//! Exploration: every feasible path, within limits.
//!
//! Knows: the order in which paths go on, limits, what to count. Never: a language, where results are written.
//! Source: King 1976, section 4; the searchers' names are KLEE's.

mod desk;
mod exchange;
mod exploration;
mod parallel;
mod searchers;
mod turns;
mod walk;

pub use exchange::{Child, EndedPath, Heard, Listener, Start};
pub use exploration::{Counts, Delta, End, Ending, Exploration, PathEnd, Progress, Sink};
pub use parallel::{Crew, Worker, together};
pub use searchers::Search;
pub use turns::Endless;
pub use walk::{Config, Tools, explore, explore_as, explore_with};
