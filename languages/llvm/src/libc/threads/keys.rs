//! Values of a thread's own under keys: `pthread_key_create`, `tss_create`.
//!
//! Source: pthread_key_create(3p); C17 7.26.6. The destructors run at the end of a thread (`step/scheduling`).

use super::{Done, INVALID, result};
use crate::code::Call;
use crate::machine::Machine;
use crate::step::access::Access;
use crate::value::Val;

/// `int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))`
pub(crate) fn create(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (into, destructor) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let spot = it.resolve(&into, 4, Access::Write)?;
    let threads = it.threads_mut();
    let key = threads.keys.len() as u64;
    threads.keys.push(Some(destructor));
    it.write(spot, &Val::Int(key), 4, 32);
    result(0)
}

/// `int pthread_key_delete(pthread_key_t key)`
pub(crate) fn delete(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let key = it.size_argument(arguments, 0)?;
    match it.threads_mut().keys.get_mut(key as usize) {
        Some(known @ Some(_)) => {
            *known = None;
            result(0)
        }
        _ => result(INVALID),
    }
}

/// `void tss_delete(tss_t key)`
pub(crate) fn tss_delete(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    delete(it, call, arguments)?;
    Ok(None)
}

/// `void *pthread_getspecific(pthread_key_t key)`
pub(crate) fn get(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let key = it.size_argument(arguments, 0)? as u32;
    let value = it.state.threads.running().and_then(|it| it.values.get(&key)).cloned();
    Ok(Some(value.unwrap_or(Val::Int(0))))
}

/// `int pthread_setspecific(pthread_key_t key, const void *value)`
pub(crate) fn set(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (key, value) = (it.size_argument(arguments, 0)?, it.argument(arguments, 1));
    if !matches!(it.state.threads.keys.get(key as usize), Some(Some(_))) {
        return result(INVALID);
    }
    if let Some(thread) = it.threads_mut().running_mut() {
        thread.values.insert(key as u32, value);
    }
    result(0)
}
