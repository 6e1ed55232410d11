//! Inputs are run alone, beside the campaign: bad ends so that they are known, the queue for what only sanitizers see.
//!
//! Knows: which of them first, and what counts as the same end. Never: the folder.

use super::Found;
use crate::minimise::{Effort, minimise};
use crate::pace::Pace;
use crate::sanitizers::{Frame, HANG, Report};
use crate::single::{Asked, Run, Single};
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
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
    /// Its file in the folder; none where it was only predicted.
    pub(super) file: Option<PathBuf>,
    /// An earlier campaign has left it.
    pub(super) is_left: bool,
}

/// What was seen.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// How it ended in the loop.
    pub(super) ended: Ended,
    pub(super) original: Vec<u8>,
    /// The input, made shorter.
    pub(super) bytes: Vec<u8>,
    pub(super) time: Duration,
    pub(super) file: Option<PathBuf>,
    pub(super) is_left: bool,
    /// `None` where it ends well.
    pub(super) end: Option<End>,
}

/// A bad end.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) found: Found,
    pub(super) report: Report,
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
                let was_queue = seen.ended == Ended::Well;
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

/// A report without a stack.
fn plain(kind: &'static str, message: &str) -> Report {
    Report { kind, message: message.to_owned(), frames: Vec::new() }
}

fn end(run: Run, report: Report, found: Found, confirmed: bool) -> Option<End> {
    Some(End { found, report, asked: run.asked, confirmed })
}

/// The end of an input under sanitizers.
fn sanitized_end(sanitized: &Single, bytes: &[u8]) -> Option<End> {
    let run = sanitized.run(bytes).ok()?;
    let of_signal = |signal| plain("crash", &format!("signal {signal}"));
    let report = run.report.clone().or(run.signal.map(of_signal))?;
    end(run, report, Found::Crash, true)
}

/// The end of an input, run alone.
fn end_of(sanitized: &Single, alone: &Single, bytes: &[u8], ended: Ended) -> Option<End> {
    let is_quick = matches!(ended, Ended::Well | Ended::Signal(_));
    if is_quick {
        let seen = sanitized_end(sanitized, bytes);
        if seen.is_some() || ended == Ended::Well {
            return seen;
        }
    }
    let run = alone.run(bytes).ok()?;
    if run.late {
        return hang(sanitized, alone, bytes, run);
    }
    if run.large {
        return end(run, plain("out-of-memory", "it takes more memory than it may"), Found::Crash, true);
    }
    let signal = run.signal?;
    let seen = if is_quick { None } else { sanitized_end(sanitized, bytes) };
    let message = format!("signal {signal}, which sanitizers do not confirm");
    seen.or_else(|| end(run, plain("crash", &message), Found::Crash, false))
}

/// A run that does not end. Where it is when its time is up is asked of the program with sanitizers, which is slower: it
/// may be elsewhere, or see an error before.
fn hang(sanitized: &Single, alone: &Single, bytes: &[u8], run: Run) -> Option<End> {
    let slow = Single { timeout: alone.timeout, ..sanitized.clone() };
    let seen = slow.run_hang(bytes).ok();
    if let Some(early) = seen.as_ref().filter(|it| !it.late).and_then(|it| it.report.clone()) {
        return end(run, early, Found::Crash, true);
    }
    let frames = seen.and_then(|it| it.report).map(|it| it.frames).unwrap_or_default();
    end(run, Report { frames, ..plain(HANG, "it does not end in time") }, Found::Hang, true)
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
    fn again(&self, run: &Run) -> Option<End> {
        let report = run.report.as_ref()?;
        let first = self.by_addresses.get(&(report.kind, report.frames.clone()))?;
        Some(End { asked: run.asked.clone(), ..first.clone() })
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
    let Look { ended, bytes: original, time, file, is_left } = look;
    let mut bytes = original.clone();
    let told = if matches!(ended, Ended::Well | Ended::Signal(_)) { sanitized.run_raw(&bytes).ok() } else { None };
    if let Some(run) = &told {
        let again = known.again(run);
        let is_well = ended == Ended::Well && run.report.is_none() && run.signal.is_none();
        if again.is_some() || is_well {
            return Seen { ended, original, bytes, time, file, is_left, end: again };
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
            && !is_left
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
    Seen { ended, original, bytes, time, file, is_left, end }
}
