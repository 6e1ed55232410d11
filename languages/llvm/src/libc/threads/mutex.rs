//! Mutexes: `pthread_mutex_t`, `mtx_t`, spin locks.
//!
//! Source: pthread_mutex_lock(3p), pthread_mutex_destroy(3p); C17 7.26.4.

use super::{BUSY, Done, INVALID, NOT_PERMITTED, TIMED_OUT, WOULD_DEADLOCK, in_c, result};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::step::access::Access;
use crate::threads::{ThreadTable, UNLOCK, VisibleAction, WaitCondition};
use crate::value::Val;

/// Offsets of the words of a mutex, glibc's.
const HELD: u64 = 0;
const COUNT: u64 = 4;
const OWNER: u64 = 8;
const KIND: u64 = 16;

/// Kinds, `PTHREAD_MUTEX_*_NP`; 0 and 3 are normal.
const RECURSIVE: u32 = 1;
const ERROR_CHECKING: u32 = 2;

/// The kind of a mutex that was destroyed, as glibc marks it.
const DESTROYED: u32 = u32::MAX;

/// `mtx_recursive`.
const C_RECURSIVE: u64 = 1;

const SIZE: u64 = 40;

/// The words of a mutex.
struct MutexWords {
    held: bool,
    count: u32,
    owner: u32,
    kind: u32,
}

fn words(it: &mut Machine<'_, '_>, at: u64) -> Flow<MutexWords> {
    let kind = it.sync_word(at, KIND)?;
    if kind == DESTROYED {
        let name = it.name_at(at);
        return Err(it.lock_misuse(format!("the mutex {name} is used after it was destroyed")));
    }
    let (held, count, owner) = (it.sync_word(at, HELD)?, it.sync_word(at, COUNT)?, it.sync_word(at, OWNER)?);
    Ok(MutexWords { held: held != 0, count, owner, kind: kind & 3 })
}

fn set(it: &mut Machine<'_, '_>, at: u64, held: bool, count: u32, owner: u32) -> Flow<()> {
    it.set_sync_word(at, HELD, u32::from(held))?;
    it.set_sync_word(at, COUNT, count)?;
    it.set_sync_word(at, OWNER, owner)
}

/// `int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)`
pub(crate) fn init(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let attributes = it.sync_address(arguments, 1)?;
    let kind = if attributes == 0 { 0 } else { it.sync_word(attributes, 0)? };
    it.init_sync(at, SIZE, (KIND, kind))?;
    result(0)
}

/// `int mtx_init(mtx_t *mutex, int type)`
pub(crate) fn mtx_init(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let kind = if it.size_argument(arguments, 1)? & C_RECURSIVE == 0 { 0 } else { RECURSIVE };
    it.init_sync(at, SIZE, (KIND, kind))?;
    result(0)
}

/// `int pthread_mutex_destroy(pthread_mutex_t *mutex)`
pub(crate) fn destroy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    if words(it, at)?.held {
        let name = it.name_at(at);
        return Err(it.lock_misuse(format!("the mutex {name} is destroyed while it is locked")));
    }
    it.init_sync(at, SIZE, (KIND, DESTROYED))?;
    result(0)
}

/// `void mtx_destroy(mtx_t *mutex)`
pub(crate) fn mtx_destroy(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    destroy(it, call, arguments)?;
    Ok(None)
}

/// `int pthread_mutex_lock(pthread_mutex_t *mutex)`
pub(crate) fn lock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    acquire(it, at)
}

/// `int mtx_lock(mtx_t *mutex)`
pub(crate) fn mtx_lock(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    in_c(lock(it, call, arguments))
}

fn acquire(it: &mut Machine<'_, '_>, at: u64) -> Done {
    let mutex = words(it, at)?;
    let own = it.owner();
    if mutex.held && mutex.owner == own {
        return match mutex.kind {
            RECURSIVE => {
                set(it, at, true, mutex.count + 1, own)?;
                result(0)
            }
            ERROR_CHECKING => result(WOULD_DEADLOCK),
            _ => {
                let (name, thread) = (it.name_at(at), ThreadTable::name(own - 1));
                Err(it.self_deadlock(format!("{thread} locks the mutex {name} again, which it holds itself")))
            }
        };
    }
    it.visible(VisibleAction::on(at, WaitCondition::Mutex(at), "lock"))?;
    set(it, at, true, 0, own)?;
    it.acquires(at);
    result(0)
}

/// Locks the mutex of a wait that has ended; the current thread was chosen for that.
pub(super) fn relock(it: &mut Machine<'_, '_>, at: u64) -> Flow<()> {
    words(it, at)?;
    let own = it.owner();
    set(it, at, true, 0, own)?;
    it.acquires(at);
    Ok(())
}

/// `int pthread_mutex_trylock(pthread_mutex_t *mutex)`
pub(crate) fn trylock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    try_with(it, arguments, BUSY)
}

/// `int mtx_trylock(mtx_t *mutex)`
pub(crate) fn mtx_trylock(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    in_c(trylock(it, call, arguments))
}

/// `int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)`: the time is over at once, or never.
pub(crate) fn timedlock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    try_with(it, arguments, TIMED_OUT)
}

/// `int mtx_timedlock(mtx_t *mutex, const struct timespec *until)`
pub(crate) fn mtx_timedlock(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    in_c(timedlock(it, call, arguments))
}

fn try_with(it: &mut Machine<'_, '_>, arguments: &[Val], failure: u64) -> Done {
    let at = it.sync_address(arguments, 0)?;
    words(it, at)?;
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "trylock"))?;
    let (mutex, own) = (words(it, at)?, it.owner());
    if mutex.held && mutex.owner == own && mutex.kind == RECURSIVE {
        set(it, at, true, mutex.count + 1, own)?;
        return result(0);
    }
    if mutex.held {
        return result(failure);
    }
    set(it, at, true, 0, own)?;
    it.acquires(at);
    result(0)
}

/// `int pthread_mutex_unlock(pthread_mutex_t *mutex)`
pub(crate) fn unlock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let (mutex, own) = (words(it, at)?, it.owner());
    if !mutex.held || mutex.owner != own {
        if matches!(mutex.kind, RECURSIVE | ERROR_CHECKING) {
            return result(NOT_PERMITTED);
        }
        return Err(not_held(it, at, &mutex));
    }
    release(it, at, &mutex)?;
    result(0)
}

/// `int mtx_unlock(mtx_t *mutex)`
pub(crate) fn mtx_unlock(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    in_c(unlock(it, call, arguments))
}

fn not_held(it: &mut Machine<'_, '_>, at: u64, mutex: &MutexWords) -> effigy_engine::Step {
    let (name, thread) = (it.name_at(at), ThreadTable::name(it.owner() - 1));
    let whose = match mutex.held {
        true => format!("which {} holds", ThreadTable::name(mutex.owner.saturating_sub(1))),
        false => "which is not locked".to_owned(),
    };
    it.lock_misuse(format!("{thread} unlocks the mutex {name}, {whose}"))
}

fn release(it: &mut Machine<'_, '_>, at: u64, mutex: &MutexWords) -> Flow<()> {
    if it.program.tries_locks {
        it.visible(VisibleAction::on(at, WaitCondition::Nothing, UNLOCK))?;
    }
    if mutex.count > 0 {
        return set(it, at, true, mutex.count - 1, mutex.owner);
    }
    set(it, at, false, 0, 0)?;
    it.releases(at);
    Ok(())
}

/// Gives back the mutex of a wait that begins.
pub(super) fn release_for_wait(it: &mut Machine<'_, '_>, at: u64) -> Flow<()> {
    set(it, at, false, 0, 0)?;
    it.releases(at);
    Ok(())
}

/// A wait may begin only while its thread holds the mutex, once.
pub(super) fn require_held(it: &mut Machine<'_, '_>, at: u64) -> Flow<()> {
    let (mutex, own) = (words(it, at)?, it.owner());
    if !mutex.held || mutex.owner != own {
        return Err(not_held(it, at, &mutex));
    }
    if mutex.count > 0 {
        return Err(it.unsupported("a wait that gives back a mutex that is locked several times"));
    }
    Ok(())
}

/// `int pthread_mutexattr_init(pthread_mutexattr_t *attributes)`
pub(crate) fn attributes_init(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.init_sync(at, 4, (0, 0))?;
    result(0)
}

/// `int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type)`
pub(crate) fn attributes_settype(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let kind = it.size_argument(arguments, 1)?;
    if kind > 3 {
        return result(INVALID);
    }
    it.init_sync(at, 4, (0, kind as u32))?;
    result(0)
}

/// `int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *type)`
pub(crate) fn attributes_gettype(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let kind = it.sync_word(at, 0)?;
    let into = it.argument(arguments, 1);
    let spot = it.resolve(&into, 4, Access::Write)?;
    it.write(spot, &Val::Int(u64::from(kind)), 4, 32);
    result(0)
}

// Spin locks are 4 bytes: 0, or the number of their owner.

/// `int pthread_spin_init(pthread_spinlock_t *lock, int shared)`
pub(crate) fn spin_init(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.init_sync(at, 4, (0, 0))?;
    result(0)
}

/// `int pthread_spin_lock(pthread_spinlock_t *lock)`
pub(crate) fn spin_lock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let own = it.owner();
    if it.sync_word(at, HELD)? == own {
        let (name, thread) = (it.name_at(at), ThreadTable::name(own - 1));
        return Err(it.self_deadlock(format!("{thread} locks the spin lock {name} again, which it holds itself")));
    }
    it.visible(VisibleAction::on(at, WaitCondition::Mutex(at), "lock"))?;
    it.set_sync_word(at, HELD, own)?;
    it.acquires(at);
    result(0)
}

/// `int pthread_spin_trylock(pthread_spinlock_t *lock)`
pub(crate) fn spin_trylock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "trylock"))?;
    if it.sync_word(at, HELD)? != 0 {
        return result(BUSY);
    }
    let own = it.owner();
    it.set_sync_word(at, HELD, own)?;
    it.acquires(at);
    result(0)
}

/// `int pthread_spin_unlock(pthread_spinlock_t *lock)`
pub(crate) fn spin_unlock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let own = it.owner();
    if it.sync_word(at, HELD)? != own {
        let (name, thread) = (it.name_at(at), ThreadTable::name(own - 1));
        return Err(it.lock_misuse(format!("{thread} unlocks the spin lock {name}, which it does not hold")));
    }
    if it.program.tries_locks {
        it.visible(VisibleAction::on(at, WaitCondition::Nothing, UNLOCK))?;
    }
    it.set_sync_word(at, HELD, 0)?;
    it.releases(at);
    result(0)
}
