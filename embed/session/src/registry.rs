//! Which sessions there are in the process, so that a question of a value on the wrong thread is an error of its session.
//!
//! Knows: numbers of sessions and the names of their threads. Never: what they do.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of a session: a symbolic value carries it with its term. Never zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SessionId(pub(crate) std::num::NonZeroU32);

struct SessionRecord {
    thread: String,
    stray: Option<String>,
}

static NEXT: AtomicU32 = AtomicU32::new(1);
static KNOWN: Mutex<BTreeMap<SessionId, SessionRecord>> = Mutex::new(BTreeMap::new());

/// Nothing that can fail is done while it is locked.
fn known() -> MutexGuard<'static, BTreeMap<SessionId, SessionRecord>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn thread_name() -> String {
    let thread = std::thread::current();
    thread.name().map_or_else(|| format!("{:?}", thread.id()), str::to_owned)
}

/// A new session on this thread.
pub(crate) fn open() -> SessionId {
    // After 2³² sessions numbers come again; a process does not live so long.
    let number = std::num::NonZeroU32::new(NEXT.fetch_add(1, Ordering::Relaxed)).unwrap_or(std::num::NonZeroU32::MIN);
    known().insert(SessionId(number), SessionRecord { thread: thread_name(), stray: None });
    SessionId(number)
}

/// Forgets the session, which is over.
pub(crate) fn close(id: SessionId) {
    known().remove(&id);
}

/// What was asked of this session where it could not answer, since the last call.
pub(crate) fn stray(id: SessionId) -> Option<String> {
    known().get_mut(&id)?.stray.take()
}

/// A question on a thread where the session is not: what to say. The session is told as well, since whoever hears the
/// panic of the other thread may drop it.
pub(crate) fn asked_elsewhere(id: SessionId, place: &std::panic::Location<'_>) -> String {
    let mut known = known();
    let Some(session) = known.get_mut(&id) else {
        return format!("{place}: a symbolic value of a session that is over (was it kept in a static?)");
    };
    let message = format!(
        "{place}: a question from another thread: the session is on thread `{}`, this is `{}`",
        session.thread,
        thread_name()
    );
    session.stray.get_or_insert_with(|| message.clone());
    message
}
