//! Inputs are run alone, beside the campaign: bad ends so that they are known, the queue for what only sanitizers see.
//!
//! Knows: which of them first, and what counts as the same end. Never: the folder.

use super::Found;
use crate::minimise::{Effort, minimise};
use crate::pace::Pace;
use crate::sanitizers::{Frame, Report};
use crate::single::{Asked, Run, Single};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Inputs that wait; of the queue those that are too many are not looked at.
const MOST_WAITING: usize = 4096;

/// To make an input short.
const EFFORT: Effort = Effort { runs: 400, time: Duration::from_secs(6) };

/// How an input ended in the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// Well: it is of the queue.
    Well,
    /// In a signal.
    Signal(i32),
    /// Not in time.
    Late,
    /// With too much memory.
    Large,
}

/// An input to be looked at.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) ended: Ended,
    pub(super) bytes: Vec<u8>,
    /// When it was found.
    pub(super) time: Duration,
    /// Its file, where it is in the folder already.
    pub(super) known: Option<std::path::PathBuf>,
}

/// What was seen.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// The input, made shorter.
    pub(super) bytes: Vec<u8>,
    pub(super) time: Duration,
    pub(super) was_queue: bool,
    pub(super) known: Option<std::path::PathBuf>,
    /// `None` where it ends well.
    pub(super) end: Option<End>,
}

/// A bad end.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) found: Found,
    pub(super) report: Report,
    pub(super) signal: Option<i32>,
    pub(super) asked: Vec<Asked>,
    pub(super) confirmed: bool,
}

#[derive(Default)]
struct Waiting {
    ends: VecDeque<Look>,
    queue: VecDeque<Look>,
    /// One is looked at now.
    busy: bool,
    queue_is_next: bool,
    only_ends: bool,
    closed: bool,
    /// Bad ends for which there was no room.
    lost: usize,
}

/// The thread that looks.
pub(super) struct Looker {
    waiting: Arc<(Mutex<Waiting>, Condvar)>,
}

fn locked(it: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    it.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Looker {
    /// Starts it: `sanitized` and `alone` are the programs with and without sanitizers.
    pub(super) fn start(
        sanitized: Single,
        alone: Single,
        pace: Arc<Pace>,
        tell: impl Fn(Seen) -> bool + Send + 'static,
    ) -> Looker {
        let waiting = Arc::new((Mutex::new(Waiting::default()), Condvar::new()));
        let its = Arc::clone(&waiting);
        std::thread::spawn(move || {
            // Ends that are known need not be made short again.
            let mut known = Known::default();
            while let Some(look) = next(&its) {
                let begin = Instant::now();
                let seen = look_at(&sanitized, &alone, look, &mut known);
                let was_queue = seen.was_queue;
                let heard = tell(seen);
                locked(&its.0).busy = false;
                if !heard {
                    return;
                }
                // A bad end is looked at without delay.
                let is_asked = || {
                    let its = locked(&its.0);
                    its.closed || its.only_ends || !its.ends.is_empty()
                };
                if was_queue {
                    pace.rest(begin.elapsed(), is_asked);
                }
            }
        });
        Looker { waiting }
    }

    pub(super) fn look(&self, look: Look) {
        let mut waiting = locked(&self.waiting.0);
        let is_end = look.ended != Ended::Well;
        let line = if is_end { &mut waiting.ends } else { &mut waiting.queue };
        if line.len() < MOST_WAITING {
            line.push_back(look);
        } else {
            waiting.lost += usize::from(is_end);
        }
        self.waiting.1.notify_one();
    }

    /// The queue is not looked at any more.
    pub(super) fn only_ends(&self) {
        let mut waiting = locked(&self.waiting.0);
        waiting.only_ends = true;
        waiting.queue.clear();
    }

    /// Bad ends that were given up unseen.
    pub(super) fn lost(&self) -> usize {
        locked(&self.waiting.0).lost
    }

    /// Bad ends that wait.
    pub(super) fn waiting(&self) -> usize {
        let waiting = locked(&self.waiting.0);
        waiting.ends.len() + usize::from(waiting.busy)
    }
}

impl Drop for Looker {
    fn drop(&mut self) {
        locked(&self.waiting.0).closed = true;
        self.waiting.1.notify_one();
    }
}

fn next(waiting: &(Mutex<Waiting>, Condvar)) -> Option<Look> {
    let mut its = locked(&waiting.0);
    loop {
        if its.closed {
            return None;
        }
        // In turn, so that neither waits for ever; the queue's latest first.
        let of_queue = !its.only_ends && (its.ends.is_empty() || its.queue_is_next);
        let look = if of_queue { its.queue.pop_back().or_else(|| its.ends.pop_front()) } else { its.ends.pop_front() };
        if let Some(look) = look {
            its.queue_is_next = !its.queue_is_next;
            // A bug may come of it: the end of the campaign waits for that, too.
            its.busy = true;
            return Some(look);
        }
        its = waiting.1.wait(its).unwrap_or_else(std::sync::PoisonError::into_inner);
    }
}

/// The end of an input, run alone.
fn end_of(sanitized: &Single, alone: &Single, bytes: &[u8], ended: Ended) -> Option<End> {
    let of = |run: Run, report: Report, found, confirmed| {
        let before = if let Ended::Signal(it) = ended { Some(it) } else { None };
        End { found, report, signal: before.or(run.signal), asked: run.asked, confirmed }
    };
    let plain = |kind, message: &str| Report { kind, message: message.to_owned(), frames: Vec::new() };
    if matches!(ended, Ended::Well | Ended::Signal(_)) {
        let run = sanitized.run(bytes).ok()?;
        if let Some(report) = run.report.clone() {
            return Some(of(run, report, Found::Crash, true));
        }
        if let Some(signal) = run.signal {
            return Some(of(run, plain("crash", &format!("signal {signal}")), Found::Crash, true));
        }
        if ended == Ended::Well {
            return None;
        }
    }
    let run = alone.run(bytes).ok()?;
    if run.late {
        return Some(of(run, plain("hang", "it does not end in time"), Found::Hang, true));
    }
    if run.large {
        return Some(of(run, plain("out-of-memory", "it takes more memory than it may"), Found::Crash, true));
    }
    if let (Ended::Signal(_), Some(signal)) = (ended, run.signal) {
        let message = format!("signal {signal}, which sanitizers do not confirm");
        return Some(of(run, plain("crash", &message), Found::Crash, false));
    }
    None
}

/// What tells ends apart.
type Key = (Found, &'static str, Vec<Frame>);

fn key(end: &End) -> Key {
    let (kind, frames) = end.report.key();
    (end.found, kind, frames)
}

/// Ends that are known by their addresses.
const MOST_BY_ADDRESSES: usize = 4096;

/// The ends that were seen.
#[derive(Default)]
struct Known {
    keys: Vec<Key>,
    /// The first of each, by its class and all addresses of its stack: to name the lines takes as long as many runs do.
    by_addresses: HashMap<(&'static str, Vec<Frame>), End>,
}

impl Known {
    /// What is known of an end with the same stack.
    fn again(&self, run: &Run, ended: Ended) -> Option<End> {
        let report = run.report.as_ref()?;
        let first = self.by_addresses.get(&(report.kind, report.frames.clone()))?;
        let before = if let Ended::Signal(it) = ended { Some(it) } else { None };
        Some(End { signal: before.or(run.signal), asked: run.asked.clone(), ..first.clone() })
    }

    fn add(&mut self, run: &Run, end: &End) {
        if let Some(report) = run.report.as_ref().filter(|it| !it.frames.is_empty() && end.confirmed)
            && self.by_addresses.len() < MOST_BY_ADDRESSES
        {
            self.by_addresses.entry((report.kind, report.frames.clone())).or_insert_with(|| end.clone());
        }
    }
}

fn look_at(sanitized: &Single, alone: &Single, look: Look, known: &mut Known) -> Seen {
    let was_queue = look.ended == Ended::Well;
    let Look { ended, mut bytes, time, known: path } = look;
    let told = if matches!(ended, Ended::Well | Ended::Signal(_)) { sanitized.run_raw(&bytes).ok() } else { None };
    if let Some(run) = &told {
        let again = known.again(run, ended);
        let is_well = ended == Ended::Well && run.report.is_none() && run.signal.is_none();
        if again.is_some() || is_well {
            return Seen { bytes, time, was_queue, known: path, end: again };
        }
    }
    let mut end = end_of(sanitized, alone, &bytes, ended);
    if let Some(first) = &end {
        let wanted = key(first);
        let is_new = !known.keys.contains(&wanted);
        if is_new {
            known.keys.push(wanted.clone());
        }
        if let Some(run) = &told {
            known.add(run, first);
        }
        // A hang takes too long to be run often, and what sanitizers do not see is left as it is.
        if is_new
            && path.is_none()
            && first.found == Found::Crash
            && let Some(same) = told.and_then(|it| it.report).map(|it| it.key())
        {
            let ends_so = |it: &[u8]| sanitized.run_raw(it).ok().and_then(|it| it.report).map(|it| it.key());
            let shorter = minimise(&bytes, EFFORT, |it| ends_so(it).as_ref() == Some(&same));
            if let Some(shown) = end_of(sanitized, alone, &shorter, ended).filter(|it| key(it) == wanted) {
                (bytes, end) = (shorter, Some(shown));
            }
        }
    }
    Seen { bytes, time, was_queue, known: path, end }
}
