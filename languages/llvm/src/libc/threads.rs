//! `pthread.h` and `threads.h`: threads, and what they synchronise by.
//!
//! Knows: which function does what to the words of a lock. Never: which thread moves (`step/scheduling`).
//! Source: POSIX.1-2017; C17 7.26; glibc 2.36 for constants and for what static initialisers write.
//!
//! A lock's state is in its own bytes, so that copies, freed locks and locks that are not initialised are seen as what they
//! are. The words are at glibc's offsets where a static initialiser writes them (the kind of a mutex).

pub(super) mod barrier;
pub(super) mod condition;
pub(super) mod create;
pub(super) mod keys;
pub(super) mod mutex;
pub(super) mod once;
pub(super) mod rwlock;
pub(super) mod semaphore;

use crate::checks::{LOCK_MISUSE, UNINITIALISED_VALUE};
use crate::code::{Call, Callable, Code, Target};
use crate::machine::{Flow, Machine};
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::Width;

pub(super) type Done = Flow<Option<Val>>;

/// `EPERM` of errno.h.
const NOT_PERMITTED: u64 = 1;
/// `EBUSY`.
const BUSY: u64 = 16;
/// `EINVAL`.
const INVALID: u64 = 22;
/// `EDEADLK`.
const WOULD_DEADLOCK: u64 = 35;
/// `ETIMEDOUT`.
const TIMED_OUT: u64 = 110;

/// `thrd_busy`, `thrd_error` and `thrd_timedout` of threads.h.
const C_BUSY: u64 = 1;
const C_ERROR: u64 = 2;
const C_TIMED_OUT: u64 = 4;

/// The functions that can see that another thread holds a lock, without waiting for it.
const TRYING: &[&str] = &[
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_spin_trylock",
    "sem_trywait",
    "mtx_trylock",
    "mtx_timedlock",
    "__VERIFIER_atomic_begin",
];

/// Whether a program uses one of [`TRYING`].
pub(crate) fn tries_locks(code: &Code) -> bool {
    let trying: Vec<u32> = TRYING.iter().filter_map(|it| super::find(it)).collect();
    let called = code.calls.iter().any(|it| matches!(it.target, Target::Builtin(number) if trying.contains(&number)));
    let by_address = |it: &Callable| matches!(it, Callable::Builtin(number) if trying.contains(number));
    let atomic_function = code.functions.iter().any(|it| once::is_atomic_function(&it.name));
    called || atomic_function || code.callables.values().any(by_address)
}

/// A number as the result of a function of pthread.h.
pub(super) fn result(number: u64) -> Done {
    Ok(Some(Val::Int(number)))
}

/// A function that does nothing and succeeds.
pub(crate) fn succeed(_: &mut Machine<'_, '_>, call: &Call, _: &[Val]) -> Done {
    Ok(call.result.as_ref().map(|_| Val::Int(0)))
}

/// A function of threads.h by the one of pthread.h that does the same, with its own numbers for errors.
fn in_c(number: Done) -> Done {
    Ok(number?.map(|it| match it {
        Val::Int(0) => Val::Int(0),
        Val::Int(BUSY) => Val::Int(C_BUSY),
        Val::Int(TIMED_OUT) => Val::Int(C_TIMED_OUT),
        _ => Val::Int(C_ERROR),
    }))
}

impl Machine<'_, '_> {
    /// The address of the object of synchronisation that is an argument.
    pub(super) fn sync_address(&mut self, arguments: &[Val], index: usize) -> Flow<u64> {
        let ptr = self.argument(arguments, index);
        match self.pointer_of(&ptr) {
            Val::Int(address) => Ok(address),
            Val::Term(term) => {
                self.require_defined(term, "a pointer to a lock")?;
                let among = self.provenance(term)?.map_or(term, |(_, address)| address);
                self.choose_value(among)
            }
            _ => Err(self.violation(UNINITIALISED_VALUE, "a pointer to a lock is uninitialised".to_owned())),
        }
    }

    /// The 32-bit number at an offset in an object of synchronisation, read by its own function.
    pub(super) fn sync_word(&mut self, address: u64, offset: u64) -> Flow<u32> {
        let was_atomic = std::mem::replace(&mut self.is_atomic, true);
        let spot = self.resolve(&Val::Int(address.wrapping_add(offset)), 4, Access::Read);
        self.is_atomic = was_atomic;
        match self.read(spot?, 4, 32) {
            Val::Int(bits) => Ok(bits as u32),
            Val::Undef => {
                let message = format!("{} is used before it is initialised", self.name_at(address));
                Err(self.violation(UNINITIALISED_VALUE, message))
            }
            other => {
                let term = self.term(&other, Width::W32);
                let what = format!("the state of {}", self.name_at(address));
                self.require_defined(term, &what)?;
                Ok(self.choose_value(term)? as u32)
            }
        }
    }

    /// Writes a 32-bit number of an object of synchronisation, by its own function. The object was read before.
    pub(super) fn set_sync_word(&mut self, address: u64, offset: u64, value: u32) -> Flow<()> {
        let was_atomic = std::mem::replace(&mut self.is_atomic, true);
        let spot = self.resolve(&Val::Int(address.wrapping_add(offset)), 4, Access::Write);
        self.is_atomic = was_atomic;
        self.write(spot?, &Val::Int(u64::from(value)), 4, 32);
        Ok(())
    }

    /// Writes an object of synchronisation of `size` bytes anew: zeros, but for one word.
    pub(super) fn init_sync(&mut self, address: u64, size: u64, (offset, word): (u64, u32)) -> Flow<()> {
        let spot = self.resolve(&Val::Int(address), size, Access::Write)?;
        let mut bytes = vec![0; size as usize];
        bytes[offset as usize..offset as usize + 4].copy_from_slice(&word.to_le_bytes());
        self.write_from(spot, &crate::memory::bytes::Bytes::concrete(bytes), size as usize);
        Ok(())
    }

    /// The number of the current thread as the owner of a lock, from 1.
    pub(super) fn owner(&self) -> u32 {
        self.state.threads.current + 1
    }

    /// What the current thread has done happens before whoever acquires the object at this address.
    pub(super) fn releases(&mut self, address: u64) {
        if self.state.threads.are_several() {
            self.threads_mut().release(address);
        }
    }

    /// What was released at this address has happened.
    pub(super) fn acquires(&mut self, address: u64) {
        if self.state.threads.are_several() {
            self.threads_mut().acquire(address);
        }
    }

    /// The bug of using a lock as it must not be used.
    pub(super) fn lock_misuse(&mut self, message: String) -> effigy_engine::Step {
        self.violation(LOCK_MISUSE, message)
    }
}
