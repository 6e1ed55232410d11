//! Condition variables: `pthread_cond_t`, `cnd_t`.
//!
//! Source: pthread_cond_wait(3p), pthread_cond_signal(3p). Waits end without a signal (spurious wakeups) only where they
//! have a deadline.

use super::{Done, TIMED_OUT, in_c, mutex, result};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::step::access::Access;
use crate::threads::{ThreadTable, VisibleAction, WaitCondition};
use crate::value::Val;
use effigy_engine::{ThreadId, ThreadTurn};
use std::sync::Arc;

const SIZE: u64 = 48;

/// What the first word of a condition variable is after its destruction.
const DESTROYED: u32 = u32::MAX;

fn check(it: &mut Machine<'_, '_>, at: u64) -> Flow<()> {
    if it.sync_word(at, 0)? == DESTROYED {
        let name = it.name_at(at);
        return Err(it.lock_misuse(format!("the condition variable {name} is used after it was destroyed")));
    }
    Ok(())
}

/// `int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)`
pub(crate) fn init(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.init_sync(at, SIZE, (0, 0))?;
    result(0)
}

/// `int pthread_cond_destroy(pthread_cond_t *condition)`
pub(crate) fn destroy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    check(it, at)?;
    if let Some(&waiter) = waiters(it, at).first() {
        let (name, thread) = (it.name_at(at), ThreadTable::name(waiter));
        return Err(it.lock_misuse(format!("the condition variable {name} is destroyed while {thread} waits for it")));
    }
    it.init_sync(at, SIZE, (0, DESTROYED))?;
    result(0)
}

/// `void cnd_destroy(cnd_t *condition)`
pub(crate) fn cnd_destroy(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    destroy(it, call, arguments)?;
    Ok(None)
}

/// The threads that wait for the condition variable at this address and were not signalled.
fn waiters(it: &Machine<'_, '_>, at: u64) -> Vec<ThreadId> {
    let all = it.state.threads.all.iter().enumerate();
    all.filter(|(_, it)| it.waiting.is_some_and(|it| it.0 == at && !it.2)).map(|it| it.0 as ThreadId).collect()
}

/// `int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)`
pub(crate) fn wait(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    wait_until(it, arguments, false)
}

/// `int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)`
pub(crate) fn timed_wait(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let time = it.argument(arguments, 2);
    it.resolve(&time, 16, Access::Read)?;
    wait_until(it, arguments, true)
}

/// `int pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *until)`
pub(crate) fn clock_wait(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    wait_until(it, arguments, true)
}

/// `int cnd_wait(cnd_t *condition, mtx_t *mutex)`
pub(crate) fn cnd_wait(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    in_c(wait(it, call, arguments))
}

/// `int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until)`
pub(crate) fn cnd_timedwait(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    in_c(timed_wait(it, call, arguments))
}

fn wait_until(it: &mut Machine<'_, '_>, arguments: &[Val], timed: bool) -> Done {
    let (condition, mutex) = (it.sync_address(arguments, 0)?, it.sync_address(arguments, 1)?);
    check(it, condition)?;
    let waiting = it.state.threads.running().and_then(|it| it.waiting);
    let Some((_, _, signalled)) = waiting else {
        mutex::require_held(it, mutex)?;
        let mut action = VisibleAction::on(condition, WaitCondition::Nothing, "wait");
        action.footprint.push((mutex, 1, true));
        it.visible(action)?;
        if !it.state.threads.are_several() && !timed {
            let name = it.name_at(condition);
            let message = format!("the main thread waits for the condition variable {name}, which nobody can signal");
            return Err(it.self_deadlock(message));
        }
        if !it.state.threads.are_several() {
            return result(TIMED_OUT);
        }
        mutex::release_for_wait(it, mutex)?;
        if let Some(thread) = it.threads_mut().running_mut() {
            thread.waiting = Some((condition, mutex, false));
        }
        let mut action = VisibleAction::on(mutex, WaitCondition::Signal { condition, mutex, timed }, "wake");
        if timed {
            // Whether the time is over before a signal makes a difference.
            action.footprint.push((condition, 1, true));
        }
        return Err(it.park(action));
    };
    mutex::relock(it, mutex)?;
    if let Some(thread) = it.threads_mut().running_mut() {
        thread.waiting = None;
    }
    result(if signalled { 0 } else { TIMED_OUT })
}

/// `int pthread_cond_signal(pthread_cond_t *condition)`: any of the threads that wait goes on.
pub(crate) fn signal(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    check(it, at)?;
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "signal"))?;
    let waiting = waiters(it, at);
    let chosen = match waiting.as_slice() {
        [] => return result(0),
        [only] => *only,
        several => {
            let always = it.ctx.terms.bool(true);
            let cases: Vec<(effigy_term::Term, Arc<str>)> =
                several.iter().map(|it| (always, format!("{} is signalled", ThreadTable::name(*it)).into())).collect();
            let index = it.choose_among(&cases)?;
            let chosen = several.get(index).copied().unwrap_or(several[0]);
            is_chosen(it, chosen);
            chosen
        }
    };
    wake(it, chosen);
    result(0)
}

/// `int cnd_signal(cnd_t *condition)`
pub(crate) fn cnd_signal(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    in_c(signal(it, call, arguments))
}

/// `int pthread_cond_broadcast(pthread_cond_t *condition)`
pub(crate) fn broadcast(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    check(it, at)?;
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "broadcast"))?;
    for waiter in waiters(it, at) {
        wake(it, waiter);
    }
    result(0)
}

/// `int cnd_broadcast(cnd_t *condition)`
pub(crate) fn cnd_broadcast(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    in_c(broadcast(it, call, arguments))
}

/// Notes in the turn that a signal begins which of several threads it is for.
fn is_chosen(it: &mut Machine<'_, '_>, thread: ThreadId) {
    let schedule = &mut it.threads_mut().schedule;
    if let Some(turn) = schedule.last().cloned() {
        schedule.pop();
        schedule.push(ThreadTurn { wakes: Some(thread), ..turn });
    }
}

fn wake(it: &mut Machine<'_, '_>, thread: ThreadId) {
    if let Some(waiting) = it.threads_mut().all.get_mut(thread as usize).and_then(|it| it.waiting.as_mut()) {
        waiting.2 = true;
    }
}
