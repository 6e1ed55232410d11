//! A campaign: the program runs, what it finds is written down, what it dies of is looked at.
//!
//! Knows: the order of things: an input is in the folder before anybody hears of it; an end counts as a bug once it was
//! seen again in a process of its own. Never: how the loop finds inputs, the terminal.
//!
//! The loop may die of anything, and so may we: the folder alone is enough to go on.

mod bad_ends;
mod fleet_link;
mod natives;
mod triage;

pub(crate) use fleet_link::LEASE;

use crate::account::{
    Account, Bug, Config, FindingKind, FuzzError, Sample, Status, SymbolicEvent, UnrepeatedEnd, Watcher,
};
use crate::child::Record;
use crate::corpus::{Corpus, Shelf, number};
use crate::sanitizers::Frame;
use crate::single::Single;
use crate::{Board, MOST_INPUT, SOLVED, STAGES, SYNCED};
use effigy_fleet::{Find, Fleet, Item, ItemId, MOST_BITS, News, Ticket};
use fleet_link::FleetLink;
use natives::Natives;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use triage::{LoopEnd, TriageJob, TriageResult, TriageThread};

fn failed(path: &Path) -> impl FnOnce(io::Error) -> FuzzError {
    let path = path.to_owned();
    move |error| FuzzError::Io { path, error }
}

enum Event {
    /// Of a loop, of one of its starts.
    Record(usize, u64, Record),
    Seen(TriageResult),
}

/// Events that are taken in before the clock is looked at.
const MOST_EVENTS: usize = 256;

/// The time for the triage of pending bad ends, at the end of a campaign without a time limit.
const PATIENCE: Duration = Duration::from_secs(600);

/// The time for the triage of pending bad ends, when the user stops the campaign.
const IMPATIENCE: Duration = Duration::from_secs(1);

/// The interval between two status reports.
const TICK: Duration = Duration::from_millis(200);

/// How often other fuzzers' folders are read.
const SYNC: Duration = Duration::from_secs(5);

/// Points of the chart; with more, every second one goes.
const MOST_SAMPLES: usize = 2000;

/// Fuzzes a program.
///
/// # Errors
/// When it cannot begin, or the folder cannot be written.
pub fn fuzz(config: &Config, fleet: Box<dyn Fleet>, watcher: &mut dyn Watcher) -> Result<Account, FuzzError> {
    let corpus = Corpus::open(&config.output).map_err(failed(&config.output))?;
    let (events, happened) = channel();
    let single = |program: &Path, name: &str, slower: u32, larger: u64| -> Result<Single, FuzzError> {
        let room = config.scratch.join(name);
        std::fs::create_dir_all(&room).map_err(failed(&room))?;
        let timeout = (config.timeout * slower).max(Duration::from_secs(2));
        Ok(Single { program: program.to_owned(), kind: config.kind, room, timeout, memory: config.memory * larger })
    };
    let tell = events.clone();
    // Sanitizers make a run several times slower and larger.
    let sanitized = single(&config.sanitized, "sanitized", 10, 2)?;
    // One that cannot start would make a bug of each input.
    sanitized.start().map_err(FuzzError::Sanitizer)?;
    let looker = TriageThread::start(
        sanitized,
        single(&config.program, "alone", 3, 1)?,
        Arc::clone(&config.pace),
        move |seen| tell.send(Event::Seen(seen)).is_ok(),
    );
    let mut campaign = Campaign {
        config,
        corpus,
        events,
        looker,
        start: Instant::now(),
        natives: Natives::new(config.jobs),
        shared: FleetLink::new(fleet, config.others),
        edges: 0,
        inputs: Vec::new(),
        known: FxHashSet::default(),
        told: FxHashSet::default(),
        next: 0,
        notes: FxHashMap::default(),
        solved: Vec::new(),
        bugs: Vec::new(),
        keys: FxHashMap::default(),
        unrepeated: Vec::new(),
        ended: FxHashSet::default(),
        next_end: 0,
        status: Status::default(),
        samples: Vec::new(),
        synced: FxHashSet::default(),
        hangs: 0,
        large_ends: 0,
    };
    campaign.read_what_is_left()?;
    for at in 0..campaign.natives.all.len() {
        campaign.begin(at)?;
    }
    campaign.go_on(&happened, watcher)?;
    campaign.end(&happened, watcher)?;
    let Campaign { status, bugs, unrepeated, samples, natives, .. } = campaign;
    Ok(Account { status, bugs, unrepeated, never_held: natives.never_held(), samples })
}

/// An input of the folder.
struct CorpusEntry {
    bytes: Vec<u8>,
    note: Vec<u8>,
    /// What it is known to cover.
    bits: Vec<u32>,
}

/// An item that a symbolic half is done with, or not yet: until its inputs were run it is not finished.
struct SymbolicItem {
    ticket: Ticket,
    /// The loop that runs its inputs, the inputs, and the number of the last of them there.
    at: usize,
    inputs: Vec<Vec<u8>>,
    last: u64,
    is_whole: bool,
    /// Those that brought something new.
    children: Vec<Item>,
}

struct Campaign<'a> {
    config: &'a Config,
    corpus: Corpus,
    events: Sender<Event>,
    looker: TriageThread,
    start: Instant,
    natives: Natives,
    shared: FleetLink,
    /// The number of edges that the program has.
    edges: u32,
    /// The inputs of the queue, in order.
    inputs: Vec<CorpusEntry>,
    /// Hashes of the inputs in the queue.
    known: FxHashSet<u64>,
    /// Hashes of what the fleet was told.
    told: FxHashSet<u64>,
    /// The next number of a file.
    next: u64,
    /// What is to be known of inputs of the symbolic halves, by their hash, and which item they are of.
    notes: FxHashMap<u64, (Vec<u8>, Ticket)>,
    solved: Vec<SymbolicItem>,
    bugs: Vec<Bug>,
    /// The bugs by what tells them apart.
    keys: FxHashMap<(FindingKind, &'static str, Vec<Frame>), usize>,
    /// Bad ends that a process of its own did not repeat.
    unrepeated: Vec<UnrepeatedEnd>,
    /// Hashes of inputs that ended badly. One of the queue may be among them: it has ended well before.
    ended: FxHashSet<u64>,
    /// The next number of a file of a bad end.
    next_end: u64,
    status: Status,
    samples: Vec<Sample>,
    /// Files of other fuzzers that were read.
    synced: FxHashSet<PathBuf>,
    /// The number of hangs that loops reported.
    hangs: u32,
    /// Runs that took too much memory.
    large_ends: u32,
}

fn hash(bytes: &[u8]) -> u64 {
    // Seldom enough the same for different inputs, also for those that somebody has made up.
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

impl Campaign<'_> {
    /// What an earlier campaign has left in the folder.
    fn read_what_is_left(&mut self) -> Result<(), FuzzError> {
        for (name, bytes) in self.corpus.left(Shelf::Queue).map_err(failed(&self.config.output))? {
            self.next = self.next.max(number(&name).map_or(0, |it| it.saturating_add(1)));
            if self.known.insert(hash(&bytes)) {
                self.status.found_by[0] += 1;
                self.inputs.push(CorpusEntry { bytes, note: Vec::new(), bits: Vec::new() });
            }
        }
        self.look_at_what_is_left()
    }

    /// Starts a loop, with all that is known.
    fn begin(&mut self, at: usize) -> Result<(), FuzzError> {
        let is_first = self.natives.all[at].starts == 0;
        // The longest first: where nothing depends on the length there is something to change.
        let some: [&[u8]; 3] = [&[b'A'; 64], b"0", b""];
        let plain = some.into_iter().filter(|_| self.config.seeds.is_empty());
        let seeds = self.config.seeds.iter().map(|it| &it[..]).chain(plain).filter(|_| is_first);
        let inputs = self.inputs.iter().map(|it| &it.bytes[..]).chain(seeds);
        self.natives.begin(at, self.config, &self.events, inputs)?;
        // What the one before was given it may not have run.
        for it in self.solved.iter_mut().filter(|it| it.at == at) {
            for bytes in &it.inputs {
                it.last = self.natives.give(at, bytes, SOLVED);
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        let real = self.bugs.iter().any(|it| !it.known);
        self.config.interrupt.load(Ordering::Relaxed)
            || self.config.max_time.is_some_and(|it| self.start.elapsed() >= it)
            || self.config.max_runs.is_some_and(|it| self.status.board.runs >= it)
            || self.config.stop_at_first_bug && real
    }

    fn go_on(&mut self, happened: &Receiver<Event>, watcher: &mut dyn Watcher) -> Result<(), FuzzError> {
        let (mut told, mut read) = (Instant::now(), None::<Instant>);
        while !self.is_over() {
            match happened.recv_timeout(Duration::from_millis(20)) {
                Ok(event) => self.happened(event, watcher)?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            // What has ended badly is written before a server or a folder of others is waited for.
            for event in happened.try_iter().take(MOST_EVENTS) {
                self.happened(event, watcher)?;
            }
            self.hear_symbolic();
            self.finish_solved();
            self.exchange()?;
            if self.config.sync.is_some() && read.is_none_or(|it| it.elapsed() >= SYNC) {
                read = Some(Instant::now());
                self.sync();
            }
            if told.elapsed() >= TICK {
                told = Instant::now();
                self.measure();
                watcher.status(&self.status);
            }
        }
        Ok(())
    }

    /// What was on its way is taken in; bad ends that wait are looked at, within limits.
    fn end(&mut self, happened: &Receiver<Event>, watcher: &mut dyn Watcher) -> Result<(), FuzzError> {
        // The keeper tells of finds every few milliseconds.
        std::thread::sleep(Duration::from_millis(20));
        self.measure();
        self.looker.only_ends();
        // Whoever gave a time is waiting; without one, what was seen is looked at before the campaign tells its end.
        let patience = self.config.max_time.map_or(PATIENCE, |it| (it / 5).clamp(IMPATIENCE, 10 * IMPATIENCE));
        let mut deadline = Instant::now() + patience;
        while let Ok(event) = happened.try_recv() {
            self.happened(event, watcher)?;
        }
        self.natives.end();
        while self.looker.waiting() > 0 && Instant::now() < deadline {
            if self.config.interrupt.load(Ordering::Relaxed) {
                deadline = deadline.min(Instant::now() + IMPATIENCE);
            }
            if let Ok(event) = happened.recv_timeout(Duration::from_millis(50)) {
                self.happened(event, watcher)?;
            }
        }
        while let Ok(event) = happened.try_recv() {
            self.happened(event, watcher)?;
        }
        self.status.waiting = self.looker.waiting() + self.looker.lost() + self.status.left_out;
        self.shared.leave();
        (self.status.fleet, self.status.untold) = (self.shared.status(), self.shared.untold());
        self.sample(true);
        watcher.status(&self.status);
        Ok(())
    }

    fn happened(&mut self, event: Event, watcher: &mut dyn Watcher) -> Result<(), FuzzError> {
        match event {
            Event::Record(at, start, record) if start == self.natives.all[at].starts => self.recorded(at, record),
            // A process that was given up.
            Event::Record(..) => Ok(()),
            Event::Seen(seen) => self.seen(seen, watcher),
        }
    }

    fn recorded(&mut self, at: usize, record: Record) -> Result<(), FuzzError> {
        match record {
            Record::Ready { edges: 0 } => Err(FuzzError::NoEdges),
            Record::Ready { edges } => {
                self.edges = edges;
                Ok(())
            }
            Record::RanAll => Ok(()),
            Record::Found { bytes, stage, parent, brought, bits } => {
                self.natives.lives(at);
                // The program may have written there.
                let most = MOST_BITS.min(self.edges.saturating_mul(8));
                let bits = bits.into_iter().filter(|it| *it < most).collect();
                self.keep(at, bytes, stage, parent, brought, bits)
            }
            Record::Crashed { bytes, signal } => {
                self.ended_badly(LoopEnd::Signal(i32::try_from(signal).unwrap_or(0)), bytes)
            }
            Record::Memory { bytes } => self.ended_badly(LoopEnd::Large, bytes),
            Record::Late { bytes } => self.ended_badly(LoopEnd::Late, bytes),
            Record::Gone => {
                self.natives.is_gone(at)?;
                self.begin(at)
            }
        }
    }

    /// A loop found something new: what no other one has found is written, and then the others hear of it.
    fn keep(
        &mut self,
        at: usize,
        bytes: Vec<u8>,
        stage: u32,
        parent: u32,
        brought: u32,
        bits: Vec<u32>,
    ) -> Result<(), FuzzError> {
        let hash = hash(&bytes);
        let is_new = self.shared.cover(&bits);
        let is_known = self.known.contains(&hash);
        let numbers = &self.natives.all[at].numbers;
        let source = usize::try_from(parent).ok().and_then(|it| numbers.get(it)).filter(|it| **it != u64::MAX).copied();
        let (note, of) = self.notes.remove(&hash).map_or((Vec::new(), None), |it| (it.0, Some(it.1)));
        // What is kept for a compare covers nothing; what covers nothing new another loop has found before.
        let is_kept = !is_known && (is_new || bits.is_empty());
        self.natives.all[at].numbers.push(if is_kept { self.next } else { u64::MAX });
        if is_kept {
            let stage = usize::try_from(stage).ok().filter(|it| *it < STAGES.len()).unwrap_or(0);
            let file = self.write(&bytes, stage, source)?;
            self.inputs.push(CorpusEntry { bytes: bytes.clone(), note: note.clone(), bits: bits.clone() });
            if !bits.is_empty() {
                self.natives.give_others(Some(at), &bytes, SYNCED);
            }
            let time = self.start.elapsed();
            let bytes = bytes.clone();
            self.looker.look(TriageJob { ended: LoopEnd::Well, bytes, time, file: Some(file), is_left: false });
        }
        if (is_kept || is_known && is_new) && (self.told.insert(hash) || is_new) {
            let item = Item { input: bytes, note, score: brought, bits };
            // What an item has led to is told together with its end.
            match of.and_then(|of| self.solved.iter_mut().find(|it| it.ticket == of)) {
                Some(parent) => parent.children.push(item),
                None => self.shared.tell(item),
            }
        }
        Ok(())
    }

    /// Writes an input into the queue.
    fn write(&mut self, bytes: &[u8], stage: usize, source: Option<u64>) -> Result<PathBuf, FuzzError> {
        let number = self.next;
        self.next += 1;
        self.known.insert(hash(bytes));
        self.status.found_by[stage] += 1;
        if stage != 0 && stage != SYNCED as usize && stage != SOLVED as usize {
            self.config.pace.found();
        }
        let source = source.map_or(String::new(), |it| format!(",src:{it:06}"));
        let (time, runs, stage) = (self.start.elapsed().as_millis(), self.natives.board().runs, STAGES[stage]);
        let name = format!("id:{number:06}{source},time:{time},execs:{runs},op:{stage}");
        self.corpus.write(Shelf::Queue, &name, bytes).map_err(failed(&self.config.output))
    }

    fn hear_symbolic(&mut self) {
        for (half, symbolic) in self.config.symbolic.iter().enumerate() {
            let at = half % self.natives.all.len();
            while let Ok(told) = symbolic.told.try_recv() {
                match told {
                    SymbolicEvent::Took(ticket) => {
                        self.shared.took(ticket);
                        let (inputs, children) = (Vec::new(), Vec::new());
                        self.solved.push(SymbolicItem { ticket, at, inputs, last: 0, is_whole: false, children });
                    }
                    SymbolicEvent::Made { of, bytes, note, bug } if bytes.len() <= MOST_INPUT => {
                        self.status.solved += 1;
                        self.notes.insert(hash(&bytes), (note, of));
                        let last = self.natives.give(at, &bytes, SOLVED);
                        if bug {
                            // What only a sanitizer sees takes no new edge.
                            let (time, bytes) = (self.start.elapsed(), bytes.clone());
                            self.looker.look(TriageJob {
                                ended: LoopEnd::Well,
                                bytes,
                                time,
                                file: None,
                                is_left: false,
                            });
                        }
                        if let Some(it) = self.solved.iter_mut().find(|it| it.ticket == of) {
                            it.last = last;
                            it.inputs.push(bytes);
                        }
                    }
                    SymbolicEvent::Made { .. } => {}
                    SymbolicEvent::Done(ticket) => {
                        self.solved.iter_mut().filter(|it| it.ticket == ticket).for_each(|it| it.is_whole = true);
                    }
                }
            }
        }
    }

    /// Finishes items all of whose inputs were run; what they led to is sent in the same step.
    fn finish_solved(&mut self) {
        let natives = &self.natives;
        let is_done = |it: &mut SymbolicItem| it.is_whole && (it.inputs.is_empty() || natives.has_run(it.at, it.last));
        let done: Vec<SymbolicItem> = self.solved.extract_if(.., is_done).collect();
        for it in done {
            for bytes in &it.inputs {
                self.notes.remove(&hash(bytes));
            }
            self.shared.done(it.ticket, it.children);
        }
    }

    /// Tells the fleet, and hears what others have found.
    fn exchange(&mut self) -> Result<(), FuzzError> {
        let heard = self.shared.exchange()?;
        for news in heard.news {
            match news {
                News::Covered(item) => {
                    self.shared.cover(&item.bits);
                    let hash = hash(&item.input);
                    self.told.insert(hash);
                    if self.known.contains(&hash) {
                        continue;
                    }
                    self.status.heard += 1;
                    let file = Some(self.write(&item.input, SYNCED as usize, None)?);
                    self.natives.give_others(None, &item.input, SYNCED);
                    let time = self.start.elapsed();
                    let bytes = item.input.clone();
                    self.looker.look(TriageJob { ended: LoopEnd::Well, bytes, time, file, is_left: false });
                    self.inputs.push(CorpusEntry { bytes: item.input, note: item.note, bits: item.bits });
                }
                News::Found(find) => {
                    // What another one says of it is not taken for granted.
                    let ended = if find.key.starts_with(b"hang") { LoopEnd::Late } else { LoopEnd::Signal(0) };
                    if !self.ended.contains(&hash(&find.input)) {
                        self.status.heard += 1;
                        self.ended_badly(ended, find.input)?;
                    }
                }
            }
        }
        if heard.tell_again {
            for it in &self.inputs {
                let (input, note, bits) = (it.bytes.clone(), it.note.clone(), it.bits.clone());
                self.shared.tell(Item { input, note, score: 0, bits });
            }
            for bug in &self.bugs {
                self.shared.tell_find(find_of(bug));
            }
        }
        Ok(())
    }

    /// Reads what is new in the queues of other fuzzers. What cannot be read is not there yet.
    fn sync(&mut self) {
        let Some(folder) = &self.config.sync else { return };
        let own = std::fs::canonicalize(&self.config.output).ok();
        let Ok(others) = std::fs::read_dir(folder) else { return };
        for other in others.flatten().map(|it| it.path()) {
            if std::fs::canonicalize(&other).ok() == own {
                continue;
            }
            // AFL++'s folder has a queue, libFuzzer's is one.
            let queue = Some(other.join("queue")).filter(|it| it.is_dir()).unwrap_or(other);
            let Ok(entries) = std::fs::read_dir(&queue) else { continue };
            for path in entries.flatten().map(|it| it.path()) {
                let is_file = std::fs::symlink_metadata(&path).is_ok_and(|it| it.is_file());
                if !is_file || self.synced.len() >= 1 << 20 || !self.synced.insert(path.clone()) {
                    continue;
                }
                let Ok(bytes) = crate::corpus::read(&path) else { continue };
                if !self.known.contains(&hash(&bytes)) {
                    self.status.synced += 1;
                    self.natives.give_others(None, &bytes, SYNCED);
                }
            }
        }
    }

    fn measure(&mut self) {
        let (board, time) = (self.natives.board(), self.start.elapsed());
        let passed = (time - self.status.time.min(time)).as_secs_f64();
        if passed > 0.05 {
            let runs = board.runs.saturating_sub(self.status.board.runs);
            let rate = runs as f64 / passed;
            self.status.rate = if self.status.rate == 0.0 { rate } else { 0.8 * self.status.rate + 0.2 * rate };
        }
        self.status.time = time;
        // All loops together have seen more than any of them.
        let (edges, classes) = self.shared.covered();
        let (edges_seen, classes_seen) = (edges.max(board.edges_seen), classes.max(board.classes_seen));
        self.status.board = Board { edges_seen, classes_seen, ..board };
        self.status.waiting = self.looker.waiting();
        (self.status.fleet, self.status.untold) = (self.shared.status(), self.shared.untold());
        self.sample(false);
    }

    fn sample(&mut self, last: bool) {
        self.status.bugs = self.bugs.len();
        self.status.hangs = self.bugs.iter().filter(|it| it.found == FindingKind::Hang).count();
        self.status.queue = self.inputs.len();
        let status = &self.status;
        let sample = Sample {
            time: status.time,
            runs: status.board.runs,
            edges: status.board.edges_seen,
            queue: status.queue,
            bugs: status.bugs,
        };
        let is_news = self.samples.last().is_none_or(|it| (it.edges, it.bugs) != (sample.edges, sample.bugs));
        let is_due = self.samples.last().is_none_or(|it| sample.time - it.time >= Duration::from_secs(1));
        if is_news || is_due || last {
            self.samples.push(sample);
        }
        if self.samples.len() > MOST_SAMPLES {
            let mut keep = false;
            self.samples.retain(|_| {
                keep = !keep;
                keep
            });
        }
    }
}

/// A bug as others hear of it.
fn find_of(bug: &Bug) -> Find {
    let kind = if bug.found == FindingKind::Hang { "hang" } else { "crash" };
    let key = format!("{kind} {}", ItemId::of(format!("{:?}", bug.report.key()).as_bytes()));
    Find { key: key.into_bytes(), input: bug.input.clone() }
}
