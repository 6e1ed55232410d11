//! Paths that wait for more rounds of a loop, that arrive at a loop that is being closed, that have ended.
//!
//! Knows: how far each has come. Never: what is asked.

use crate::account::Needs;
use effigy_engine::{Guard, Meeting, Merged, Origin, TurnId};

/// A path that waits at a loop head for another iteration.
pub(crate) struct Parking<S> {
    /// The iterations that it has made.
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

/// A loop that is being closed by induction, with the paths that come to its header again.
pub(crate) struct Target<S> {
    pub(crate) header: Meeting,
    pub(crate) arrivals: Vec<Merged<S>>,
}

/// The invariants of a loop, as text for people.
pub(crate) type Kept = Vec<String>;

/// The loops that were closed by induction where a path waited, with what they keep: none where no round came back.
pub(crate) type Closed = Vec<(TurnId, Kept)>;

/// Whether the bounds of loops are raised.
pub(crate) enum Deepened {
    /// Some bounds are raised: these loops needed more iterations.
    Goes(Vec<Needs>),
    /// No run makes more iterations of these loops.
    Closed,
    /// These loops need more iterations than the user allows, or it is not known whether they do.
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
