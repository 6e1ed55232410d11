//! The watchdog for runs that compute too long without a question. A thread cannot be ended from outside, so the process
//! ends, with a report.
//!
//! Knows: the runs in progress, since when each computes, where it asked last. Never: what is computed.
//!
//! Time within a question (a solver's) does not count, so that the limit is one of the program's own computing.

use crate::account::NamedValue;
use crate::place::{place_of, place_text};
use crate::registry::{SessionId, thread_name};
use std::collections::BTreeMap;
use std::io::Write;
use std::panic::Location;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// A run in progress, of which the time without a question is measured.
struct SilentRun {
    thread: String,
    limit: Duration,
    /// Since when it computes; `None` while it asks.
    since: Option<Instant>,
    place: Option<&'static Location<'static>>,
    values: Vec<NamedValue>,
}

static RUNS: Mutex<BTreeMap<SessionId, SilentRun>> = Mutex::new(BTreeMap::new());

/// Nothing that can fail is done while it is locked.
fn runs() -> MutexGuard<'static, BTreeMap<SessionId, SilentRun>> {
    RUNS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A run begins. `seconds` is its limit; zero is none.
pub(crate) fn begin(id: SessionId, seconds: u64, values: Vec<NamedValue>) {
    if seconds == 0 {
        return;
    }
    static WATCH: Once = Once::new();
    WATCH.call_once(|| drop(std::thread::Builder::new().name("effigy-silence".to_owned()).spawn(watch)));
    let limit = Duration::from_secs(seconds);
    let run = SilentRun { thread: thread_name(), limit, since: Some(Instant::now()), place: None, values };
    runs().insert(id, run);
}

/// Removes a run, which is over.
pub(crate) fn end(id: SessionId) {
    runs().remove(&id);
}

/// Stops the clock of a run while it asks.
pub(crate) fn asks(id: SessionId) {
    if let Some(it) = runs().get_mut(&id) {
        it.since = None;
    }
}

/// Restarts the clock of a run after a question. `values` are those of its model.
pub(crate) fn goes_on(id: SessionId, place: &'static Location<'static>, values: impl FnOnce() -> Vec<NamedValue>) {
    if let Some(it) = runs().get_mut(&id) {
        it.since = Some(Instant::now());
        it.place = Some(place);
        it.values = values();
    }
}

/// Looks at the runs while there is a process.
fn watch() {
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let late = |it: &&SilentRun| it.since.is_some_and(|since| since.elapsed() > it.limit);
        let Some(text) = runs().values().find(late).map(report) else { continue };
        // Written past what a test harness captures: this is the last that is heard of the process.
        let _ = std::io::stderr().write_all(text.as_bytes());
        // As a test program that fails.
        std::process::exit(101);
    }
}

fn report(run: &SilentRun) -> String {
    let last = match run.place {
        Some(it) => format!("its last question was at {}", place_text(&place_of(it))),
        None => "it asked nothing at all".to_owned(),
    };
    let values: Vec<String> = run.values.iter().map(ToString::to_string).collect();
    let values = if values.is_empty() { String::new() } else { format!(", with {}", values.join(", ")) };
    format!(
        "\n{}: no verdict: a run computed for {} seconds without a question and without an end (a loop that asks nothing?); \
         {last}{values}. The process ends here, with all of its tests. `silence` sets the limit in seconds; 0 is none.\n",
        run.thread,
        run.limit.as_secs()
    )
}
