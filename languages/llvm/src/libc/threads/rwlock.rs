//! Readers-writer locks: `pthread_rwlock_t`.
//!
//! Source: pthread_rwlock_rdlock(3p), pthread_rwlock_wrlock(3p). Readers may overtake a writer that waits, as in glibc.

use super::{BUSY, Done, TIMED_OUT, WOULD_DEADLOCK, result};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::threads::{ThreadTable, UNLOCK, VisibleAction, WaitCondition};
use crate::value::Val;

/// The thread that writes, from 1; 0 is none.
const WRITER: u64 = 0;
/// How many readers there are.
const READERS: u64 = 4;
/// It was destroyed.
const DESTROYED: u64 = 8;
/// A bit for each of the first 32 threads that reads. glibc has its flags there, which are 0 at first.
const READING: u64 = 12;

const SIZE: u64 = 56;

/// The words of a readers-writer lock.
struct LockWords {
    writer: u32,
    readers: u32,
    reading: u32,
}

fn words(it: &mut Machine<'_, '_>, at: u64) -> Flow<LockWords> {
    if it.sync_word(at, DESTROYED)? != 0 {
        let name = it.name_at(at);
        return Err(it.lock_misuse(format!("the lock {name} is used after it was destroyed")));
    }
    let (writer, readers) = (it.sync_word(at, WRITER)?, it.sync_word(at, READERS)?);
    Ok(LockWords { writer, readers, reading: it.sync_word(at, READING)? })
}

fn own_bit(it: &Machine<'_, '_>) -> u32 {
    1_u32.checked_shl(it.state.threads.current).unwrap_or(0)
}

/// `int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)`
pub(crate) fn init(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.init_sync(at, SIZE, (0, 0))?;
    result(0)
}

/// `int pthread_rwlock_destroy(pthread_rwlock_t *lock)`
pub(crate) fn destroy(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let lock = words(it, at)?;
    if lock.writer != 0 || lock.readers != 0 {
        let name = it.name_at(at);
        return Err(it.lock_misuse(format!("the lock {name} is destroyed while it is held")));
    }
    it.init_sync(at, SIZE, (DESTROYED, 1))?;
    result(0)
}

fn starts_reading(it: &mut Machine<'_, '_>, at: u64) -> Done {
    let (lock, bit) = (words(it, at)?, own_bit(it));
    it.set_sync_word(at, READERS, lock.readers + 1)?;
    it.set_sync_word(at, READING, lock.reading | bit)?;
    it.acquires(at);
    result(0)
}

fn starts_writing(it: &mut Machine<'_, '_>, at: u64) -> Done {
    let own = it.owner();
    it.set_sync_word(at, WRITER, own)?;
    it.acquires(at);
    it.acquires(readers_of(at));
    result(0)
}

/// Where readers release: the next writer acquires it, other readers do not.
fn readers_of(at: u64) -> u64 {
    at + READERS
}

/// `int pthread_rwlock_rdlock(pthread_rwlock_t *lock)`
pub(crate) fn read_lock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    if words(it, at)?.writer == it.owner() {
        return result(WOULD_DEADLOCK);
    }
    it.visible(VisibleAction::on(at, WaitCondition::ReadLock(at), "read-lock"))?;
    starts_reading(it, at)
}

/// `int pthread_rwlock_wrlock(pthread_rwlock_t *lock)`
pub(crate) fn write_lock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let lock = words(it, at)?;
    if lock.writer == it.owner() {
        return result(WOULD_DEADLOCK);
    }
    if !it.state.threads.are_several() && lock.readers != 0 {
        let name = it.name_at(at);
        return Err(
            it.self_deadlock(format!("the main thread waits to write under {name}, which it reads under itself"))
        );
    }
    it.visible(VisibleAction::on(at, WaitCondition::WriteLock(at), "write-lock"))?;
    starts_writing(it, at)
}

/// `int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)`
pub(crate) fn try_read_lock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    try_read(it, arguments, BUSY)
}

/// `int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)`
pub(crate) fn timed_read_lock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    try_read(it, arguments, TIMED_OUT)
}

fn try_read(it: &mut Machine<'_, '_>, arguments: &[Val], failure: u64) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "try-read-lock"))?;
    match words(it, at)?.writer {
        0 => starts_reading(it, at),
        _ => result(failure),
    }
}

/// `int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)`
pub(crate) fn try_write_lock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    try_write(it, arguments, BUSY)
}

/// `int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)`
pub(crate) fn timed_write_lock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    try_write(it, arguments, TIMED_OUT)
}

fn try_write(it: &mut Machine<'_, '_>, arguments: &[Val], failure: u64) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.visible(VisibleAction::on(at, WaitCondition::Nothing, "try-write-lock"))?;
    let lock = words(it, at)?;
    if lock.writer != 0 || lock.readers != 0 { result(failure) } else { starts_writing(it, at) }
}

/// `int pthread_rwlock_unlock(pthread_rwlock_t *lock)`
pub(crate) fn unlock(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let (lock, own, bit) = (words(it, at)?, it.owner(), own_bit(it));
    let writes = lock.writer == own;
    // Which of more than 32 threads read is not counted.
    if !writes && (lock.readers == 0 || (bit != 0 && lock.reading & bit == 0)) {
        let (name, thread) = (it.name_at(at), ThreadTable::name(own - 1));
        return Err(it.lock_misuse(format!("{thread} unlocks {name}, which it does not hold")));
    }
    if it.program.tries_locks {
        it.visible(VisibleAction::on(at, WaitCondition::Nothing, UNLOCK))?;
    }
    if writes {
        it.set_sync_word(at, WRITER, 0)?;
        it.releases(at);
        return result(0);
    }
    let left = lock.readers - 1;
    // A thread may read under a lock several times; the bit stays until nobody reads.
    it.set_sync_word(at, READERS, left)?;
    if left == 0 {
        it.set_sync_word(at, READING, 0)?;
    }
    it.releases(readers_of(at));
    result(0)
}
