//! Paths that wait for more rounds of a loop, that arrive at a loop that is being closed, that have ended.
//!
//! Knows: how far each has come. Never: what is asked.

use crate::account::Needs;
use effigy_engine::{Guard, Meeting, Merged, Origin, TurnId};

/// A path that waits for another round.
pub(crate) struct Parking<S> {
    /// The rounds that it has made.
    pub(crate) count: u32,
    /// The obligations that it can have come to have smaller numbers.
    pub(crate) before: u64,
    pub(crate) path: Merged<S>,
}

/// Paths that wait for more rounds of a loop.
pub(crate) struct Parked<S> {
    pub(crate) paths: Vec<Parking<S>>,
    pub(crate) bound: u32,
}

/// A loop that is being closed: what comes to its header again is heard here.
pub(crate) struct Target<S> {
    pub(crate) header: Meeting,
    pub(crate) arrivals: Vec<Merged<S>>,
}

/// What a loop keeps, for people.
pub(crate) type Kept = Vec<String>;

/// The loops that were closed by induction where a path waited, with what they keep: none where no round came back.
pub(crate) type Closed = Vec<(TurnId, Kept)>;

/// Whether loops get more rounds.
pub(crate) enum Deepened {
    /// Some do, these needed them.
    Goes(Vec<Needs>),
    /// No run makes more.
    Closed,
    /// What needs more than the user allows, or nobody knows whether it does.
    Needs(Vec<Needs>),
}

/// An end of the program, on paths that are merged.
pub(crate) struct End {
    pub(crate) guard: Guard,
    pub(crate) origin: Origin,
    pub(crate) ways: f64,
    /// The obligations that it can have come to have smaller numbers.
    pub(crate) before: u64,
}
