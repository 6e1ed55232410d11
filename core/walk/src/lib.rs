//! Walking the paths of a program: which of them wait, which goes on, who does it, and the account of it all.
//!
//! Knows: numbers and names of paths, places, limits. Never: what a language's state is, what a walk is for, what is
//! reported. An analysis is a loop over the events of [`effigy_engine::advance()`] that takes its paths from here.
//! Source: King 1976, section 4 (the execution tree); the searchers' names are KLEE's.

mod account;
mod coordinator;
mod events;
mod exchange;
mod frontier;
mod job_pool;
mod loop_detection;
mod meeting;
mod repeats;
mod searchers;
mod workers;

pub use account::{Counts, Delta, Ending, Exploration, Mark, Progress};
pub use events::{Child, EndedPath, Listener, WalkEvent};
pub use exchange::{Exchange, SingleWorker, Start};
pub use frontier::Frontier;
pub use loop_detection::{Endless, LoopDetector};
pub use meeting::{MeetingQueue, MergeCounts, merge_met};
pub use repeats::Repeats;
pub use searchers::Search;
pub use workers::{Crew, Worker, walk_together};
