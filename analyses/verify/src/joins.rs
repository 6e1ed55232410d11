//! Paths that meet become one: whether all that comes after a state verifies, in time that does not double with each
//! branch.
//!
//! Knows: which paths wait where, when it is tried, how much that may cost. Never: what a failure is: where a merged path
//! fails, its sides are looked at apart, down to paths alone.
//!
//! Merged paths claim only that all of them verify. So what is lost by merging costs time, and never a verdict.

use crate::moment::End;
use crate::verifier::{Verifier, VerifierState};
use effigy_engine::{Common, Context, Coverage, Gathered, Inputs, Merged, Notes, gather};
use effigy_term::Terms;
use effigy_walk::{MeetingQueue, MergeCounts, merge_met};

/// The most states that are tried and whose merged paths do not verify. A failure behind more branches is looked for on
/// paths alone.
const MOST_FAILED: u32 = 100;

/// When the paths of a member are merged.
#[derive(Debug)]
pub(crate) struct Joining {
    /// The number of forks after which merging begins; `None` is never.
    after: Option<u64>,
    forks: u64,
    failed: u32,
    on: bool,
}

impl Joining {
    pub(crate) fn new(after: Option<u64>) -> Joining {
        Joining { after, forks: 0, failed: 0, on: after == Some(0) }
    }

    /// Whether the paths from a state are to be tried merged.
    pub(crate) fn is_on(&self) -> bool {
        self.on && self.failed < MOST_FAILED
    }

    /// Counts a fork of a path that is walked alone. True if merging begins now.
    pub(crate) fn forked(&mut self) -> bool {
        self.forks += 1;
        let begins = !self.on && self.after.is_some_and(|it| self.forks >= it);
        self.on |= begins;
        begins
    }

    /// Whether all paths from a state verify when they are merged.
    pub(crate) fn holds<'a>(&mut self, verifier: &Verifier<'a>, terms: &Terms, state: &VerifierState<'a>) -> bool {
        verifier.set_merging(terms, true);
        let res = verifies(verifier, terms, state.clone());
        verifier.set_merging(terms, false);
        self.failed += u32::from(!res);
        res
    }
}

/// Walks all paths from a state, merged where they meet, to the first failure.
fn verifies<'a>(verifier: &Verifier<'a>, terms: &Terms, state: VerifierState<'a>) -> bool {
    let (mut coverage, mut notes, mut common) = (Coverage::default(), Notes::default(), Common::default());
    let inputs = Inputs::Symbolic;
    let ctx = &mut Context::new(terms, &inputs, &mut coverage, &mut notes).merging(&mut common);
    let begun = verifier.effort(terms).steps;
    // What is left after it is for paths alone.
    let most = verifier.steps_left(terms) / 2;
    let (mut waiting, mut counts) = (MeetingQueue::default(), MergeCounts::default());
    let mut running = vec![Merged::start(ctx, state)];
    loop {
        let Some(mut path) = running.pop() else {
            let Some(paths) = waiting.pop_first() else { return true };
            let spent = &mut || (!verifier.goes_on(terms)).then_some(());
            let Ok(met) = merge_met(verifier, ctx, paths, MOST_COMPARED, &mut counts, spent) else { return false };
            running = met;
            // The next that goes on is the last.
            running.reverse();
            continue;
        };
        loop {
            if verifier.effort(terms).steps - begun > most {
                return false;
            }
            match gather(verifier, ctx, &mut path, &mut { FUEL }, &mut |_| false) {
                Gathered::Moved => {}
                Gathered::Meets => {
                    waiting.add(verifier, path);
                    break;
                }
                Gathered::Sides(sides) => {
                    // The first side is the next that goes on.
                    running.extend(sides.into_iter().rev());
                    break;
                }
                Gathered::Ended(_) if matches!(path.state.end(), Some(End::Verified | End::Infeasible)) => break,
                // No question of these is asked; were one, nothing could be claimed.
                Gathered::Ended(_) | Gathered::Dropped | Gathered::Value(_) | Gathered::Required(..) => return false,
            }
        }
    }
}

/// The pieces of work between two checks whether the walk takes too long.
const FUEL: u64 = 1 << 14;

/// The most paths that a path is compared with: with thousands that cannot be merged, all pairs take minutes.
const MOST_COMPARED: usize = 32;
