//! Semaphores without a name: `sem_t`.
//!
//! Source: sem_init(3p), sem_wait(3p), sem_post(3p).

use super::{Done, result};
use crate::code::Call;
use crate::machine::Machine;
use crate::step::access::Access;
use crate::threads::{VisibleAction, WaitCondition};
use crate::value::Val;

const SIZE: u64 = 32;

/// What a function of semaphore.h returns that has failed.
const FAILED: u64 = 0xFFFF_FFFF;

/// `EAGAIN` and `ETIMEDOUT` of errno.h.
const TRY_AGAIN: u64 = 11;

/// `int sem_init(sem_t *semaphore, int shared, unsigned value)`
pub(crate) fn init(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let value = it.size_argument(arguments, 2)? as u32;
    it.init_sync(at, SIZE, (0, value))?;
    result(0)
}

/// `int sem_destroy(sem_t *semaphore)`
pub(crate) fn destroy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.sync_word(at, 0)?;
    it.init_sync(at, SIZE, (0, 0))?;
    result(0)
}

/// `int sem_wait(sem_t *semaphore)`
pub(crate) fn wait(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let value = it.sync_word(at, 0)?;
    if value == 0 && !it.state.threads.are_several() {
        let name = it.name_at(at);
        return Err(it.self_deadlock(format!("the main thread waits for the semaphore {name}, which nobody can post")));
    }
    it.visible(VisibleAction::on(at, WaitCondition::Semaphore(at), "sem-wait"))?;
    let value = it.sync_word(at, 0)?;
    it.set_sync_word(at, 0, value.saturating_sub(1))?;
    it.acquires(at);
    result(0)
}

/// `int sem_trywait(sem_t *semaphore)`
pub(crate) fn try_wait(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    try_with(it, arguments, TRY_AGAIN)
}

/// `int sem_timedwait(sem_t *semaphore, const struct timespec *until)`
pub(crate) fn timed_wait(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    try_with(it, arguments, super::TIMED_OUT)
}

fn try_with(it: &mut Machine<'_, '_>, arguments: &[Val], error: u64) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.sync_word(at, 0)?;
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "sem-try"))?;
    match it.sync_word(at, 0)? {
        0 => {
            let always = it.ctx.terms.bool(true);
            it.set_errno(always, error);
            result(FAILED)
        }
        value => {
            it.set_sync_word(at, 0, value - 1)?;
            it.acquires(at);
            result(0)
        }
    }
}

/// `int sem_post(sem_t *semaphore)`
pub(crate) fn post(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.sync_word(at, 0)?;
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "sem-post"))?;
    let value = it.sync_word(at, 0)?;
    it.set_sync_word(at, 0, value.wrapping_add(1))?;
    it.releases(at);
    result(0)
}

/// `int sem_getvalue(sem_t *semaphore, int *value)`
pub(crate) fn get_value(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.sync_word(at, 0)?;
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "sem-value"))?;
    let value = it.sync_word(at, 0)?;
    let into = it.argument(arguments, 1);
    let spot = it.resolve(&into, 4, Access::Write)?;
    it.write(spot, &Val::Int(u64::from(value)), 4, 32);
    result(0)
}
