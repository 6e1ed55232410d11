//! Replay: from the name of a path back to the path.
//!
//! Knows: one path, its decisions. Never: a solver; whoever goes on from here asks one.

use crate::advance::{Event, Policy, advance};
use crate::context::Context;
use crate::decision::PathName;
use crate::guide::Guide;
use crate::language::Language;
use crate::outcome::PathOutcome;
use crate::path::{Path, PathId, Trail};

/// Why a decision sequence could not be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The path ended before its decisions did.
    #[error("the path ended after {taken} of {total} decisions")]
    EndedEarly {
        /// The number of decisions that were taken before the end.
        taken: usize,
        /// The number of decisions in the name.
        total: usize,
    },
    /// The decision does not answer the question that was asked.
    #[error("decision {at} does not fit the question there")]
    DoesNotFit {
        /// The number of the decision, from zero.
        at: usize,
    },
    /// The replay was stopped from outside.
    #[error("stopped")]
    Stopped,
    /// The transitions were used up: the program goes on without a question.
    #[error("decision {at} was not come to within {steps} steps")]
    TooLong {
        /// The number of the decision, from zero.
        at: usize,
        /// The number of transitions that were made.
        steps: u64,
    },
}

/// The point up to which a path is replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// Until its last decision is taken: where a path that waits can go on from.
    Decided,
    /// Until it has made so many transitions since its last decision: where a path that waits stood.
    Since(u64),
    /// Until the path ends, by itself or in a bug.
    End,
}

/// A path that was replayed.
#[derive(Clone, Debug)]
pub struct Replayed<S> {
    /// The path. Its trail has no witness.
    pub path: Path<S>,
    /// How it ended; `None` where it waits.
    pub outcome: Option<PathOutcome>,
}

/// Walks along the decisions of `name`, for at most `most_steps` transitions.
///
/// # Errors
/// When the name is not the name of a path of this program.
pub fn replay<L: Language>(
    language: &L,
    ctx: &mut Context<'_>,
    name: &PathName,
    until: Until,
    most_steps: u64,
) -> Result<Replayed<L::State>, ReplayError> {
    replay_while(language, ctx, Trail::new(), name, until, most_steps, &mut || true)
}

/// The number of transitions between two calls of `go_on`.
const SLICE: u64 = 200_000;

/// As [`replay`], from this trail of the start state, as long as `go_on` says yes.
pub(crate) fn replay_while<L: Language>(
    language: &L,
    ctx: &mut Context<'_>,
    start: Trail,
    name: &PathName,
    until: Until,
    most_steps: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Replayed<L::State>, ReplayError> {
    let state = language.start(ctx);
    let mut path = Path { id: PathId(0), state, trail: Trail { witness: None, ..start } };
    let mut guide = Guide::along(name);
    let total = name.0.len();
    loop {
        let taken = match &guide {
            Guide::Name(left) => total - left.len(),
            Guide::Model | Guide::Noted(_) => total,
        };
        let done = match until {
            Until::Decided => taken == total,
            Until::Since(steps) => taken == total && path.trail.since_decided() >= steps,
            Until::End => false,
        };
        if done {
            return Ok(Replayed { path, outcome: None });
        }
        let most = match until {
            Until::Since(steps) if taken == total => most_steps.min(path.trail.decided_at + steps),
            _ => most_steps,
        };
        let left = most.saturating_sub(path.trail.steps);
        if left == 0 {
            return Err(ReplayError::TooLong { at: taken, steps: path.trail.steps });
        }
        if !go_on() {
            return Err(ReplayError::Stopped);
        }
        let mut fuel = left.min(SLICE);
        match advance(language, ctx, &mut path, &mut Policy::Follow(&mut guide), &mut fuel) {
            Event::Moved | Event::Answered | Event::Held(_) => {}
            Event::Ended(outcome) => {
                let left = match &guide {
                    Guide::Name(left) => left.len(),
                    Guide::Model | Guide::Noted(_) => 0,
                };
                return match left {
                    0 => Ok(Replayed { path, outcome: Some(outcome) }),
                    _ => Err(ReplayError::EndedEarly { taken: total - left, total }),
                };
            }
            Event::Waits => return Ok(Replayed { path, outcome: None }),
            _ => return Err(ReplayError::DoesNotFit { at: taken }),
        }
    }
}
