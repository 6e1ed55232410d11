//! What workers share, and nothing else: the work list and the coverage.
//!
//! Knows: items with scores, leases that run out, bits that are covered once and for ever; that every call is one step,
//! whole or not at all. Never: what an item is (an input that is to be run on symbols, the name of a path), who made it,
//! how it is worked on.
//!
//! Source: Godefroid, Levin, Molnar 2008, section 3 (workers share the list and the block coverage); the project's
//! survey `shared/notes/fuzzing.md`, section 5 (five atomic operations; any beginning of the server's log is a
//! consistent state, since a parent is acknowledged and its children are pushed in one call).

mod bits;
mod item;
mod local;
#[cfg(feature = "redis")]
mod redis;
mod simulation;
mod split;

#[cfg(feature = "redis")]
pub use crate::redis::{Address, RedisFleet};
pub use bits::Bits;
pub use item::{
    Find, Item, ItemId, LeasedItem, MOST_BITS, MOST_FINDS, MOST_INPUT, MOST_ITEMS, MOST_NOTE, MalformedReport, Report,
    Ticket,
};
pub use local::{Clock, LocalFleet};
pub use simulation::{Account, SimulationConfig, simulate};
pub use split::SplitFleet;

use item::MOST_ANSWER;
use std::time::Duration;

/// An item is leased so often, at most: what kills each worker that takes it shall not kill them all.
pub const MOST_TRIES: u32 = 5;

/// The work list and the coverage of one campaign. Each call is one step for all workers.
pub trait Fleet: Send {
    /// Gives items, what they cover, and finds. What is known is not given again.
    ///
    /// # Errors
    /// When the list cannot be reached; then the call may have happened or not, and may be made again.
    fn push(&mut self, report: &Report) -> Result<NewCounts, FleetError>;

    /// Takes items, the highest score first, for a time. When it is over they are given to others.
    ///
    /// # Errors
    /// As for `push`.
    fn lease(&mut self, most: usize, time: Duration) -> Result<Vec<LeasedItem>, FleetError>;

    /// Takes items for a longer time from now; tells of each whether it was still held.
    ///
    /// # Errors
    /// As for `push`.
    fn renew(&mut self, held: &[Ticket], time: Duration) -> Result<Vec<bool>, FleetError>;

    /// Marks bits as covered; tells how many were not.
    ///
    /// # Errors
    /// As for `push`.
    fn cover(&mut self, bits: &[u32]) -> Result<u64, FleetError>;

    /// An item is done, and this came of it: acknowledged and pushed in one step. Work is taken from whoever does it,
    /// also when the lease has run out.
    ///
    /// # Errors
    /// As for `push`.
    fn finish(&mut self, ticket: Ticket, report: &Report) -> Result<FinishResult, FleetError>;

    /// What all workers have told since a place in the list of news; 0 is its beginning.
    ///
    /// # Errors
    /// As for `push`.
    fn news(&mut self, since: &Cursor, most: usize) -> Result<(Vec<News>, Cursor), FleetError>;

    /// How far the campaign is.
    ///
    /// # Errors
    /// As for `push`.
    fn status(&mut self) -> Result<FleetStatus, FleetError>;

    /// The same campaign for another thread.
    ///
    /// # Errors
    /// As for `push`.
    fn another(&self) -> Result<Box<dyn Fleet>, FleetError>;

    /// How often the list was lost and found again: it may have forgotten what it was told last.
    fn losses(&self) -> u64 {
        0
    }
}

/// A place in the news: a number for each server that the campaign is on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cursor(pub Vec<u64>);

/// What of a report was new.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NewCounts {
    /// The number of items that were new.
    pub items: u64,
    /// The number of coverage bits that were new.
    pub bits: u64,
    /// The number of finds that were new.
    pub finds: u64,
}

/// What came of finishing an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FinishResult {
    /// It was still held, and by this worker.
    pub held: bool,
    /// What of the report was new.
    pub merged: NewCounts,
}

/// What a worker has told the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// An input has covered something, these bits among others.
    Covered(Item),
    /// A worker found something for the first time.
    Found(Find),
}

/// How far a campaign is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FleetStatus {
    /// Items that wait for a worker.
    pub waiting: u64,
    /// Items that a worker holds a lease of.
    pub leased: u64,
    /// Items that a worker has finished.
    pub done: u64,
    /// Items that were leased too often and never done: given up.
    pub given_up: u64,
    /// Leases that have run out.
    pub expired: u64,
    /// Coverage bits that any worker has set.
    pub covered: u64,
    /// Finds of all workers, each counted once.
    pub finds: u64,
}

/// The reason why a call of the fleet failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FleetError {
    /// The address is not a valid address of a fleet.
    #[error("{0}")]
    Address(String),
    /// No server answers at the address.
    #[error("the fleet's server cannot be reached: {0}")]
    Unreachable(String),
    /// The campaign is of another program, or of another effigy.
    #[error("the campaign is of another build: {0}")]
    AnotherBuild(String),
    /// The server refuses: a password, a right, memory.
    #[error("the fleet's server refuses: {0}")]
    Refused(String),
    /// The server has answered something else.
    #[error("the fleet's server answers what cannot be: {0}")]
    Answer(String),
    /// The server has answered more than an answer may be.
    #[error("the fleet's server answers more than {} MiB at once, or in more pieces than there can be", MOST_ANSWER >> 20)]
    Oversized,
    /// What was to be told is larger than may be.
    #[error("{0}")]
    Malformed(#[from] MalformedReport),
}

/// What a campaign is of: everybody in it has the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Build {
    /// A hash of the program.
    pub hash: String,
    /// The number of bits that its coverage has.
    pub bits: u32,
}
