//! Sleep sets: which interleavings of threads need not be explored, since others do the same.
//!
//! Knows: threads by number, whether two next actions are independent. Never: what an action is, values.
//! Source: Godefroid, LNCS 1032, chapter 5; de Boer and Bonsangue 2021, section 5, which points to de Boer et al. 2020
//! (SymPaths).
//!
//! A thread *sleeps* in a state when its next action was explored from an earlier state and only actions that are
//! independent of it were made since. Every final state, every deadlock and every error of the full exploration is
//! reached.

use std::rc::Rc;

/// The number of a thread along a path.
pub type ThreadId = u32;

/// The threads that sleep, ascending.
pub type SleepSet = Rc<[ThreadId]>;

/// A thread that is to be explored from a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AwakeThread {
    /// The thread that is to move.
    pub id: ThreadId,
    /// The threads that sleep after its action.
    pub sleep_after: SleepSet,
}

/// The threads among `runnable` that do not sleep, each with those that sleep after its action. `independent` says whether
/// the next actions of two threads lead to the same state in both orders, and neither enables or disables the other.
pub fn awake_threads(
    runnable: &[ThreadId],
    sleep: &SleepSet,
    mut independent: impl FnMut(ThreadId, ThreadId) -> bool,
) -> Vec<AwakeThread> {
    let awake: Vec<ThreadId> = runnable.iter().copied().filter(|it| !sleep.contains(it)).collect();
    let sleep_after = |at: usize, id: ThreadId, independent: &mut dyn FnMut(ThreadId, ThreadId) -> bool| {
        // Those that slept, and those that are explored before this one.
        let mut after: Vec<ThreadId> = sleep.iter().copied().chain(awake[..at].iter().copied()).collect();
        after.retain(|it| independent(*it, id));
        after.sort_unstable();
        after.dedup();
        SleepSet::from(after)
    };
    let threads = awake.iter().enumerate();
    threads.map(|(at, &id)| AwakeThread { id, sleep_after: sleep_after(at, id, &mut independent) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_threads_sleep_behind_each_other() {
        let awake = awake_threads(&[0, 1, 2], &SleepSet::from([2]), |a, b| a != 0 && b != 0);
        let expected = [
            AwakeThread { id: 0, sleep_after: SleepSet::from([]) },
            AwakeThread { id: 1, sleep_after: SleepSet::from([2]) },
        ];
        assert_eq!(awake, expected);
    }
}
