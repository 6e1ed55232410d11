//! Vector clocks: which events of a path happen before which.
//!
//! Knows: how clocks grow. Never: what an event is.
//! Source: Mattern 1989; Flanagan and Freund 2009 (FastTrack) for epochs.

use effigy_engine::ThreadId;

/// For each thread how many of its epochs are known to have happened.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VectorClock(Vec<u32>);

impl VectorClock {
    /// The epochs of a thread that have happened.
    pub fn of(&self, thread: ThreadId) -> u32 {
        self.0.get(thread as usize).copied().unwrap_or(0)
    }

    /// Everything that `other` knows has happened.
    pub fn join(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(*other);
        }
    }

    /// A new epoch of a thread begins.
    pub fn tick(&mut self, thread: ThreadId) {
        if self.0.len() <= thread as usize {
            self.0.resize(thread as usize + 1, 0);
        }
        if let Some(own) = self.0.get_mut(thread as usize) {
            *own += 1;
        }
    }
}
