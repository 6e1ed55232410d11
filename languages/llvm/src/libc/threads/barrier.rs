//! Barriers: `pthread_barrier_t`.
//!
//! Source: pthread_barrier_wait(3p).

use super::{Done, INVALID, result};
use crate::code::Call;
use crate::machine::Machine;
use crate::threads::clock::VectorClock;
use crate::threads::{VisibleAction, WaitCondition};
use crate::value::Val;

/// How many threads it waits for; 0 after its destruction.
const COUNT: u64 = 0;
/// How many of them wait.
const WAITING: u64 = 4;
/// How often it has let them go.
const ROUND: u64 = 8;

const SIZE: u64 = 32;

/// `PTHREAD_BARRIER_SERIAL_THREAD`, as an `int`.
const SERIAL_THREAD: u64 = 0xFFFF_FFFF;

/// `int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count)`
pub(crate) fn init(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let count = it.size_argument(arguments, 2)?;
    if count == 0 {
        return result(INVALID);
    }
    it.init_sync(at, SIZE, (COUNT, count as u32))?;
    result(0)
}

/// `int pthread_barrier_destroy(pthread_barrier_t *barrier)`
pub(crate) fn destroy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    // glibc waits for those that were let go and have not left yet; here they have.
    if it.sync_word(at, WAITING)? != 0 {
        let name = it.name_at(at);
        return Err(it.lock_misuse(format!("the barrier {name} is destroyed while threads wait at it")));
    }
    it.init_sync(at, SIZE, (COUNT, 0))?;
    result(0)
}

/// `int pthread_barrier_wait(pthread_barrier_t *barrier)`: the last thread that arrives is the serial one.
pub(crate) fn wait(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    if it.state.threads.running().is_some_and(|it| it.barrier.is_some()) {
        // The barrier has let this thread go.
        if let Some(thread) = it.threads_mut().running_mut() {
            thread.barrier = None;
        }
        return result(0);
    }
    let count = it.sync_word(at, COUNT)?;
    if count == 0 {
        let name = it.name_at(at);
        return Err(it.lock_misuse(format!("the barrier {name} is used after it was destroyed")));
    }
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "barrier"))?;
    let (waiting, round) = (it.sync_word(at, WAITING)? + 1, it.sync_word(at, ROUND)?);
    it.releases(at);
    if waiting < count {
        if !it.state.threads.are_several() {
            let name = it.name_at(at);
            return Err(
                it.self_deadlock(format!("the main thread waits at the barrier {name}, to which no other comes"))
            );
        }
        it.set_sync_word(at, WAITING, waiting)?;
        if let Some(thread) = it.threads_mut().running_mut() {
            thread.barrier = Some(round);
        }
        return Err(it.park(VisibleAction::on(at, WaitCondition::Barrier(at, round), "leave-barrier")));
    }
    it.set_sync_word(at, WAITING, 0)?;
    it.set_sync_word(at, ROUND, round.wrapping_add(1))?;
    if it.state.threads.are_several() {
        // What every thread of the round has done happens before what any of them does next.
        let threads = it.threads_mut();
        let all: VectorClock = threads.clocks.get(&at).cloned().unwrap_or_default();
        threads.clocks.remove_mut(&at);
        let current = threads.current as usize;
        for (id, thread) in threads.all.iter_mut().enumerate() {
            let waits = thread.next.as_ref().is_some_and(|it| it.waits == WaitCondition::Barrier(at, round));
            if waits || id == current {
                thread.clock.join(&all);
            }
        }
    }
    result(SERIAL_THREAD)
}
