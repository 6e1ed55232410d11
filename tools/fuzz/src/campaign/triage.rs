//! Triage: a thread beside the campaign runs inputs alone, under sanitizers. It confirms crashes and hangs, and looks in the
//! queue for errors that only sanitizers detect.
//!
//! Knows: the order of inputs, and which ends count as the same bug. Never: the folder.

use super::FindingKind;
use crate::minimise::{Effort, minimise};
use crate::pace::Pace;
use crate::sanitizers::{Frame, HANG, Report};
use crate::single::{NamedInput, Run, Single};
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Inputs that wait; of the queue those that are too many are not looked at.
const MOST_WAITING: usize = 4096;

/// To make an input short.
const EFFORT: Effort = Effort { runs: 400, time: Duration::from_secs(6) };

/// How often a run that does not end is asked where it is.
const MOST_LOOKS: usize = 4;

/// How an input ended in the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoopEnd {
    /// Well: it is of the queue.
    Well,
    /// The run ended in this signal.
    Signal(i32),
    /// The run took too long.
    Late,
    /// The run took too much memory.
    Large,
}

/// An input to be run alone.
#[derive(Clone, Debug)]
pub(super) struct TriageJob {
    pub(super) ended: LoopEnd,
    pub(super) bytes: Vec<u8>,
    /// The time of the find, since the campaign began.
    pub(super) time: Duration,
    /// Its file in the folder; none where it was only predicted.
    pub(super) file: Option<PathBuf>,
    /// An earlier campaign has left it.
    pub(super) is_left: bool,
}

/// The result of running an input alone.
#[derive(Clone, Debug)]
pub(super) struct TriageResult {
    /// How it ended in the loop.
    pub(super) ended: LoopEnd,
    pub(super) original: Vec<u8>,
    /// The input, minimized if it is a bug.
    pub(super) bytes: Vec<u8>,
    pub(super) time: Duration,
    pub(super) file: Option<PathBuf>,
    pub(super) is_left: bool,
    /// `None` where it ends well.
    pub(super) end: Option<BadEnd>,
}

/// A bad end that a separate process confirmed.
#[derive(Clone, Debug)]
pub(super) struct BadEnd {
    pub(super) found: FindingKind,
    pub(super) report: Report,
    pub(super) asked: Vec<NamedInput>,
    pub(super) confirmed: bool,
}

#[derive(Default)]
struct TriageQueue {
    ends: VecDeque<TriageJob>,
    queue: VecDeque<TriageJob>,
    /// One is looked at now.
    busy: bool,
    queue_is_next: bool,
    only_ends: bool,
    closed: bool,
    /// Bad ends for which there was no room.
    lost: usize,
}

/// The thread that runs inputs alone, beside the campaign.
pub(super) struct TriageThread {
    waiting: Arc<(Mutex<TriageQueue>, Condvar)>,
}

fn locked(it: &Mutex<TriageQueue>) -> MutexGuard<'_, TriageQueue> {
    it.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl TriageThread {
    /// Starts it: `sanitized` and `alone` are the programs with and without sanitizers.
    pub(super) fn start(
        sanitized: Single,
        alone: Single,
        pace: Arc<Pace>,
        tell: impl Fn(TriageResult) -> bool + Send + 'static,
    ) -> TriageThread {
        let waiting = Arc::new((Mutex::new(TriageQueue::default()), Condvar::new()));
        let its = Arc::clone(&waiting);
        std::thread::spawn(move || {
            // Ends that are known need not be made short again.
            let mut known = KnownEnds::default();
            while let Some(look) = next(&its) {
                let begin = Instant::now();
                let seen = look_at(&sanitized, &alone, look, &mut known);
                let was_queue = seen.ended == LoopEnd::Well;
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
        TriageThread { waiting }
    }

    pub(super) fn look(&self, look: TriageJob) {
        let mut waiting = locked(&self.waiting.0);
        let is_end = look.ended != LoopEnd::Well;
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

    /// The number of bad ends that wait for triage.
    pub(super) fn waiting(&self) -> usize {
        let waiting = locked(&self.waiting.0);
        waiting.ends.len() + usize::from(waiting.busy)
    }
}

impl Drop for TriageThread {
    fn drop(&mut self) {
        locked(&self.waiting.0).closed = true;
        self.waiting.1.notify_one();
    }
}

fn next(waiting: &(Mutex<TriageQueue>, Condvar)) -> Option<TriageJob> {
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

fn end(run: Run, report: Report, found: FindingKind, confirmed: bool) -> Option<BadEnd> {
    Some(BadEnd { found, report, asked: run.asked, confirmed })
}

/// The end of an input under sanitizers.
fn sanitized_end(sanitized: &Single, bytes: &[u8]) -> Option<BadEnd> {
    let run = sanitized.run(bytes).ok()?;
    let of_signal = |signal| plain("crash", &format!("signal {signal}"));
    let report = run.report.clone().or(run.signal.map(of_signal))?;
    end(run, report, FindingKind::Crash, true)
}

/// The end of an input, run alone.
fn end_of(sanitized: &Single, alone: &Single, bytes: &[u8], ended: LoopEnd) -> Option<BadEnd> {
    let is_quick = matches!(ended, LoopEnd::Well | LoopEnd::Signal(_));
    if is_quick {
        let seen = sanitized_end(sanitized, bytes);
        if seen.is_some() || ended == LoopEnd::Well {
            return seen;
        }
    }
    let run = alone.run(bytes).ok()?;
    if run.late {
        return hang(sanitized, alone, bytes, run);
    }
    if run.large {
        return end(run, plain("out-of-memory", "it takes more memory than it may"), FindingKind::Crash, true);
    }
    let signal = run.signal?;
    let seen = if is_quick { None } else { sanitized_end(sanitized, bytes) };
    let message = format!("signal {signal}, which sanitizers do not confirm");
    seen.or_else(|| end(run, plain("crash", &message), FindingKind::Crash, false))
}

/// A run that does not end. Where it is when its time is up is asked of the program with sanitizers, which is slower: it
/// may be elsewhere, or see an error before. A compiler gives some instructions of a loop no line: where it is in one of
/// them, it is asked again.
fn hang(sanitized: &Single, alone: &Single, bytes: &[u8], run: Run) -> Option<BadEnd> {
    let slow = Single { timeout: alone.timeout, ..sanitized.clone() };
    let has_line = |run: &Run| run.report.as_ref().and_then(|it| it.frames.first()).is_none_or(|it| it.line > 0);
    let mut seen = slow.run_hang(bytes).ok();
    for _ in 1..MOST_LOOKS {
        if seen.as_ref().is_none_or(has_line) {
            break;
        }
        // What was seen before is better than nothing.
        seen = slow.run_hang(bytes).ok().or(seen);
    }
    if let Some(early) = seen.as_ref().filter(|it| !it.late).and_then(|it| it.report.clone()) {
        return end(run, early, FindingKind::Crash, true);
    }
    let frames = seen.and_then(|it| it.report).map(|it| it.frames).unwrap_or_default();
    end(run, Report { frames, ..plain(HANG, "it does not end in time") }, FindingKind::Hang, true)
}

/// The key by which equal bad ends are recognised.
type Key = (FindingKind, &'static str, Vec<Frame>);

fn key(end: &BadEnd) -> Key {
    let (kind, frames) = end.report.key();
    (end.found, kind, frames)
}

/// Ends that are known by their addresses.
const MOST_BY_ADDRESSES: usize = 4096;

/// The ends that were seen.
#[derive(Default)]
struct KnownEnds {
    keys: Vec<Key>,
    /// The first of each, by its class and all addresses of its stack: to name the lines takes as long as many runs do.
    by_addresses: HashMap<(&'static str, Vec<Frame>), BadEnd>,
}

impl KnownEnds {
    /// What is known of an end with the same stack.
    fn again(&self, run: &Run) -> Option<BadEnd> {
        let report = run.report.as_ref()?;
        let first = self.by_addresses.get(&(report.kind, report.frames.clone()))?;
        Some(BadEnd { asked: run.asked.clone(), ..first.clone() })
    }

    fn add(&mut self, run: &Run, end: &BadEnd) {
        if let Some(report) = run.report.as_ref().filter(|it| !it.frames.is_empty() && end.confirmed)
            && self.by_addresses.len() < MOST_BY_ADDRESSES
        {
            self.by_addresses.entry((report.kind, report.frames.clone())).or_insert_with(|| end.clone());
        }
    }
}

fn look_at(sanitized: &Single, alone: &Single, look: TriageJob, known: &mut KnownEnds) -> TriageResult {
    let TriageJob { ended, bytes: original, time, file, is_left } = look;
    let mut bytes = original.clone();
    let told = if matches!(ended, LoopEnd::Well | LoopEnd::Signal(_)) { sanitized.run_raw(&bytes).ok() } else { None };
    if let Some(run) = &told {
        let again = known.again(run);
        let is_well = ended == LoopEnd::Well && run.report.is_none() && run.signal.is_none();
        if again.is_some() || is_well {
            return TriageResult { ended, original, bytes, time, file, is_left, end: again };
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
            && first.found == FindingKind::Crash
            && let Some(same) = told.and_then(|it| it.report).map(|it| it.key())
        {
            let ends_so = |it: &[u8]| sanitized.run_raw(it).ok().and_then(|it| it.report).map(|it| it.key());
            let shorter = minimise(&bytes, EFFORT, |it| ends_so(it).as_ref() == Some(&same));
            if let Some(shown) = end_of(sanitized, alone, &shorter, ended).filter(|it| key(it) == wanted) {
                (bytes, end) = (shorter, Some(shown));
            }
        }
    }
    TriageResult { ended, original, bytes, time, file, is_left, end }
}
