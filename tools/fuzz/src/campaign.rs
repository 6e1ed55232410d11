//! A campaign: the program runs, what it finds is written down, what it dies of is looked at.
//!
//! Knows: the order of things: an input is in the folder before anybody hears of it; an end counts as a bug once it was
//! seen again in a process of its own. Never: how the loop finds inputs, the terminal.
//!
//! The loop may die of anything, and so may we: the folder alone is enough to go on.

mod looked;

use crate::child::{Native, Record, Settings};
use crate::corpus::{Corpus, Shelf, number};
use crate::sanitizers::Frame;
use crate::single::{Asked, Single};
use crate::{Board, Kind, MOST_INPUT, Report, SOLVED, STAGES, SYNCED};
use looked::{Ended, Look, Looker, Seen};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What a campaign is.
#[derive(Debug)]
pub struct Config {
    /// The program with the loop and coverage.
    pub program: PathBuf,
    /// The same with sanitizers.
    pub sanitized: PathBuf,
    /// How it takes its input.
    pub kind: Kind,
    /// A process for each run.
    pub isolate: bool,
    /// Bytes of an input, at most.
    pub most: u32,
    /// A run may take so long.
    pub timeout: Duration,
    /// And so many megabytes.
    pub memory: u64,
    /// Seed of all that is random.
    pub seed: u64,
    /// A folder for files that nobody needs afterwards.
    pub scratch: PathBuf,
    /// The corpus folder.
    pub output: PathBuf,
    /// Inputs to begin with.
    pub seeds: Vec<Vec<u8>>,
    /// A folder of the folders of other fuzzers, whose queues are read.
    pub sync: Option<PathBuf>,
    /// Stop after this time.
    pub max_time: Option<Duration>,
    /// Stop after so many runs.
    pub max_runs: Option<u64>,
    /// Stop at the first bug.
    pub stop_at_first_bug: bool,
    /// Stop now.
    pub interrupt: Arc<AtomicBool>,
    /// Who makes inputs of those that brought something new.
    pub symbolic: Option<Symbolic>,
}

/// The way to the symbolic half, and back.
#[derive(Debug)]
pub struct Symbolic {
    /// Inputs that brought something new.
    pub novel: Sender<Novel>,
    /// Inputs that it made.
    pub told: Receiver<Told>,
}

/// An input that brought something new.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Novel {
    /// The input.
    pub bytes: Vec<u8>,
    /// What the symbolic half called it, where it is its own.
    pub tag: Option<u64>,
    /// Edges that were new.
    pub brought: u32,
}

/// An input of the symbolic half.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The input.
    pub bytes: Vec<u8>,
    /// A name for it.
    pub tag: u64,
    /// It is predicted to end in a bug.
    pub bug: bool,
}

/// Why a campaign could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum FuzzError {
    /// The program ends by itself.
    #[error("the program ends before it has run an input; is it a target? {0}")]
    Dies(String),
    /// Nothing of it is instrumented.
    #[error("the program has no edges that could be covered: nothing of it was compiled from source")]
    NoEdges,
    /// A file could not be read or written, a process not started.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> FuzzError {
    let path = path.to_owned();
    move |error| FuzzError::Io { path, error }
}

/// What of a bad end was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Found {
    /// A sanitizer, an assertion or a signal, seen again in a process of its own.
    Crash,
    /// It does not end in time, also alone.
    Hang,
}

/// A bad end, told apart from others by its class and stack.
#[derive(Clone, Debug)]
pub struct Bug {
    /// Which.
    pub found: Found,
    /// What is known of it.
    pub report: Report,
    /// The input, as short as it was made.
    pub input: Vec<u8>,
    /// Its file.
    pub path: PathBuf,
    /// What the program has asked for by name.
    pub asked: Vec<Asked>,
    /// A sanitizer or an assertion confirms it; otherwise only the program's own end does.
    pub confirmed: bool,
    /// After so long.
    pub time: Duration,
    /// It was there when the campaign began.
    pub known: bool,
}

/// How far a campaign is.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// Since its beginning.
    pub time: Duration,
    /// What the loop says of itself, over all its starts.
    pub board: Board,
    /// Runs each second, lately.
    pub rate: f64,
    /// Inputs in the folder.
    pub queue: usize,
    /// Bugs told apart.
    pub bugs: usize,
    /// Hangs among them.
    pub hangs: usize,
    /// Ends that were not seen again.
    pub flaky: u64,
    /// Bad ends that are still to be looked at.
    pub waiting: usize,
    /// Inputs of the queue that were run under sanitizers.
    pub looked_at: u64,
    /// Inputs that the symbolic half has made.
    pub solved: u64,
    /// Inputs that other fuzzers have found.
    pub synced: u64,
}

/// A point of the coverage over time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// When.
    pub time: Duration,
    /// Runs.
    pub runs: u64,
    /// Edges covered.
    pub edges: u64,
    /// Inputs in the queue.
    pub queue: usize,
    /// Bugs.
    pub bugs: usize,
}

/// What came of a campaign.
#[derive(Clone, Debug)]
pub struct Account {
    /// The end.
    pub status: Status,
    /// The bugs.
    pub bugs: Vec<Bug>,
    /// Coverage over time.
    pub samples: Vec<Sample>,
}

/// Who is told while it goes on.
pub trait Watcher {
    /// How far it is, several times a second.
    fn status(&mut self, status: &Status);
    /// A new bug. Its file is written.
    fn bug(&mut self, bug: &Bug);
}

enum Event {
    Record(u64, Record),
    Seen(Seen),
}

/// How often the status is told.
const TICK: Duration = Duration::from_millis(200);

/// How often other fuzzers' folders are read.
const SYNC: Duration = Duration::from_secs(5);

/// Points of the chart; with more, every second one goes.
const MOST_SAMPLES: usize = 2000;

/// Hangs and ends for memory that are looked at.
const MOST_SLOW_ENDS: u32 = 100;

/// Bad ends that are kept, and hangs: what is told apart wrongly shall not fill the disk.
const MOST_BUGS: usize = 1000;

/// Fuzzes a program.
///
/// # Errors
/// When it cannot begin, or the folder cannot be written.
pub fn fuzz(config: &Config, watcher: &mut dyn Watcher) -> Result<Account, FuzzError> {
    let corpus = Corpus::open(&config.output).map_err(failed(&config.output))?;
    let (events, happened) = channel();
    let single = |program: &Path, name: &str, slower: u32, larger: u64| {
        let room = config.scratch.join(name);
        std::fs::create_dir_all(&room).map_err(failed(&room))?;
        let timeout = (config.timeout * slower).max(Duration::from_secs(2));
        Ok(Single { program: program.to_owned(), kind: config.kind, room, timeout, memory: config.memory * larger })
    };
    let tell = events.clone();
    // Sanitizers make a run several times slower and larger.
    let looker = Looker::start(
        single(&config.sanitized, "sanitized", 10, 2)?,
        single(&config.program, "alone", 3, 1)?,
        move |seen| tell.send(Event::Seen(seen)).is_ok(),
    );
    let mut campaign = Campaign {
        config,
        corpus,
        events,
        looker,
        start: Instant::now(),
        starts: 0,
        native: None,
        inputs: Vec::new(),
        known: FxHashSet::default(),
        numbers: Vec::new(),
        next: 0,
        tags: FxHashMap::default(),
        bugs: Vec::new(),
        keys: FxHashSet::default(),
        status: Status::default(),
        before: Board::default(),
        samples: Vec::new(),
        synced: FxHashSet::default(),
        deaths: 0,
        slow_ends: 0,
    };
    campaign.read_what_is_left()?;
    campaign.begin()?;
    campaign.go_on(&happened, watcher)?;
    campaign.end(&happened, watcher)?;
    Ok(Account { status: campaign.status, bugs: campaign.bugs, samples: campaign.samples })
}

struct Campaign<'a> {
    config: &'a Config,
    corpus: Corpus,
    events: Sender<Event>,
    looker: Looker,
    start: Instant,
    /// Starts of the loop.
    starts: u64,
    native: Option<Native>,
    /// The queue, with the stage of each.
    inputs: Vec<Vec<u8>>,
    /// Hashes of the queue and of the bad ends.
    known: FxHashSet<u64>,
    /// The loop's numbers of inputs as numbers of files, for this start.
    numbers: Vec<u64>,
    /// The next number of a file.
    next: u64,
    /// What the symbolic half calls inputs, by their hash.
    tags: FxHashMap<u64, u64>,
    bugs: Vec<Bug>,
    keys: FxHashSet<(Found, &'static str, Vec<Frame>)>,
    status: Status,
    /// The boards of earlier starts, summed up.
    before: Board,
    samples: Vec<Sample>,
    /// Files of other fuzzers that were read.
    synced: FxHashSet<PathBuf>,
    /// Deaths of the loop without a run between them.
    deaths: u32,
    /// Hangs, and runs that took too much memory.
    slow_ends: u32,
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
                self.inputs.push(bytes);
            }
        }
        for (shelf, found) in [(Shelf::Crashes, Found::Crash), (Shelf::Hangs, Found::Hang)] {
            let ended = if found == Found::Hang { Ended::Late } else { Ended::Signal(0) };
            for (name, bytes) in self.corpus.left(shelf).map_err(failed(&self.config.output))? {
                let path = self.config.output.join(shelf.name()).join(name);
                self.known.insert(hash(&bytes));
                self.looker.look(Look { ended, bytes, time: Duration::ZERO, known: Some(path) });
            }
        }
        Ok(())
    }

    /// Starts the loop, with all that is known.
    fn begin(&mut self) -> Result<(), FuzzError> {
        let room = self.config.scratch.join("loop");
        std::fs::create_dir_all(&room).map_err(failed(&room))?;
        let board = self.config.scratch.join("board");
        let settings = Settings {
            program: &self.config.program,
            board: &board,
            room: &room,
            kind: self.config.kind,
            isolate: self.config.isolate || self.config.kind.needs_processes(),
            most: self.config.most,
            timeout: self.config.timeout,
            memory: self.config.memory,
            seed: self.config.seed,
        };
        self.starts += 1;
        self.numbers.clear();
        let events = self.events.clone();
        let tell = move |start, record| events.send(Event::Record(start, record)).is_ok();
        let native = Native::start(&settings, self.starts, tell).map_err(failed(&self.config.program))?;
        for bytes in &self.inputs {
            native.give(bytes, 0);
        }
        if self.starts == 1 {
            // The longest first: where nothing depends on the length there is something to change.
            let some: [&[u8]; 3] = [&[b'A'; 64], b"0", b""];
            let plain = some.into_iter().filter(|_| self.config.seeds.is_empty());
            for bytes in self.config.seeds.iter().map(|it| &it[..]).chain(plain) {
                native.give(bytes, 0);
            }
        }
        native.gave_all();
        self.native = Some(native);
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
            self.hear_symbolic();
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
        let patience = if self.config.interrupt.load(Ordering::Relaxed) { 2 } else { 10 };
        let deadline = Instant::now() + Duration::from_secs(patience);
        while let Ok(event) = happened.try_recv() {
            self.happened(event, watcher)?;
        }
        self.native = None;
        while self.looker.waiting() > 0 && Instant::now() < deadline {
            if let Ok(event) = happened.recv_timeout(Duration::from_millis(50)) {
                self.happened(event, watcher)?;
            }
        }
        while let Ok(event) = happened.try_recv() {
            self.happened(event, watcher)?;
        }
        self.status.waiting = self.looker.waiting() + self.looker.lost();
        self.sample(true);
        watcher.status(&self.status);
        Ok(())
    }

    fn happened(&mut self, event: Event, watcher: &mut dyn Watcher) -> Result<(), FuzzError> {
        match event {
            Event::Record(start, record) if start == self.starts => self.recorded(record),
            // A process that was given up.
            Event::Record(..) => Ok(()),
            Event::Seen(seen) => self.seen(seen, watcher),
        }
    }

    fn recorded(&mut self, record: Record) -> Result<(), FuzzError> {
        match record {
            Record::Ready if self.board().edges == 0 => Err(FuzzError::NoEdges),
            Record::Ready | Record::RanAll => Ok(()),
            Record::Found { bytes, stage, parent, brought } => {
                self.deaths = 0;
                self.keep(bytes, stage, parent, brought)
            }
            Record::Crashed { bytes, signal } => {
                self.look(Ended::Signal(i32::try_from(signal).unwrap_or(0)), bytes);
                Ok(())
            }
            Record::Memory { bytes } => {
                self.look(Ended::Large, bytes);
                Ok(())
            }
            Record::Late { bytes } => {
                self.look(Ended::Late, bytes);
                Ok(())
            }
            Record::Gone => {
                self.native_is_gone()?;
                self.begin()
            }
        }
    }

    fn native_is_gone(&mut self) -> Result<(), FuzzError> {
        self.deaths += 1;
        if self.deaths >= 3 {
            let why = "nothing was told";
            return Err(FuzzError::Dies(why.to_owned()));
        }
        if let Some(native) = self.native.take() {
            let board = native.board();
            self.before = sum(&self.before, &board);
        }
        Ok(())
    }

    fn look(&mut self, ended: Ended, bytes: Vec<u8>) {
        // They cannot be told apart, and each takes long.
        let slow = matches!(ended, Ended::Large | Ended::Late);
        self.slow_ends += u32::from(slow);
        if slow && self.slow_ends > MOST_SLOW_ENDS {
            return;
        }
        if self.known.insert(hash(&bytes)) {
            self.looker.look(Look { ended, bytes, time: self.start.elapsed(), known: None });
        }
    }

    /// An input brought something new: it is written, and then the others hear of it.
    fn keep(&mut self, bytes: Vec<u8>, stage: u32, parent: u32, brought: u32) -> Result<(), FuzzError> {
        let hash = hash(&bytes);
        if !self.known.insert(hash) {
            // Of an earlier start, or of an earlier campaign.
            self.numbers.push(u64::MAX);
            self.tell_symbolic(bytes, hash, brought);
            return Ok(());
        }
        let number = self.next;
        self.next += 1;
        let source = usize::try_from(parent).ok().and_then(|it| self.numbers.get(it)).filter(|it| **it != u64::MAX);
        let source = source.map_or(String::new(), |it| format!(",src:{it:06}"));
        let stage = usize::try_from(stage).ok().and_then(|it| STAGES.get(it)).copied().unwrap_or("given");
        let name = format!(
            "id:{number:06}{source},time:{},execs:{},op:{stage}",
            self.start.elapsed().as_millis(),
            self.board().runs
        );
        self.corpus.write(Shelf::Queue, &name, &bytes).map_err(failed(&self.config.output))?;
        self.numbers.push(number);
        self.inputs.push(bytes.clone());
        let time = self.start.elapsed();
        self.looker.look(Look { ended: Ended::Well, bytes: bytes.clone(), time, known: None });
        self.tell_symbolic(bytes, hash, brought);
        Ok(())
    }

    fn tell_symbolic(&mut self, bytes: Vec<u8>, hash: u64, brought: u32) {
        if let Some(symbolic) = &self.config.symbolic {
            let tag = self.tags.remove(&hash);
            // It may have ended.
            let _ = symbolic.novel.send(Novel { bytes, tag, brought });
        }
    }

    fn hear_symbolic(&mut self) {
        let (Some(symbolic), Some(native)) = (&self.config.symbolic, &self.native) else { return };
        while let Ok(told) = symbolic.told.try_recv() {
            if told.bytes.len() > MOST_INPUT {
                continue;
            }
            self.status.solved += 1;
            self.tags.insert(hash(&told.bytes), told.tag);
            native.give(&told.bytes, SOLVED);
            if told.bug {
                // What only a sanitizer sees takes no new edge.
                let time = self.start.elapsed();
                self.looker.look(Look { ended: Ended::Well, bytes: told.bytes, time, known: None });
            }
        }
    }

    /// Reads what is new in the queues of other fuzzers. What cannot be read is not there yet.
    fn sync(&mut self) {
        let (Some(folder), Some(native)) = (&self.config.sync, &self.native) else { return };
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
                    native.give(&bytes, SYNCED);
                }
            }
        }
    }

    /// An input was run alone.
    fn seen(&mut self, seen: Seen, watcher: &mut dyn Watcher) -> Result<(), FuzzError> {
        if seen.was_queue {
            self.status.looked_at += 1;
        }
        let Some(end) = seen.end else {
            self.status.flaky += u64::from(!seen.was_queue);
            return Ok(());
        };
        let (kind, frames) = end.report.key();
        let is_full = self.bugs.len() >= MOST_BUGS;
        if is_full || !self.keys.insert((end.found, kind, frames)) {
            return Ok(());
        }
        let path = match &seen.known {
            Some(path) => path.clone(),
            None => {
                let number = self.bugs.iter().filter(|it| it.found == end.found).count();
                let signal = match end.found {
                    Found::Crash => format!(",sig:{:02}", end.signal.unwrap_or(0)),
                    Found::Hang => String::new(),
                };
                let (time, runs) = (seen.time.as_millis(), self.board().runs);
                let name = format!("id:{number:06}{signal},time:{time},execs:{runs},op:{kind}");
                let shelf = if end.found == Found::Crash { Shelf::Crashes } else { Shelf::Hangs };
                self.known.insert(hash(&seen.bytes));
                self.corpus.write(shelf, &name, &seen.bytes).map_err(failed(&self.config.output))?
            }
        };
        let bug = Bug {
            found: end.found,
            report: end.report,
            input: seen.bytes,
            path,
            asked: end.asked,
            confirmed: end.confirmed,
            time: seen.time,
            known: seen.known.is_some(),
        };
        watcher.bug(&bug);
        self.bugs.push(bug);
        Ok(())
    }

    /// What the loop says of itself, with what it said before it was started again.
    fn board(&self) -> Board {
        match &self.native {
            Some(native) => sum(&self.before, &native.board()),
            None => self.before,
        }
    }

    fn measure(&mut self) {
        let (board, time) = (self.board(), self.start.elapsed());
        let passed = (time - self.status.time.min(time)).as_secs_f64();
        if passed > 0.05 {
            let runs = board.runs.saturating_sub(self.status.board.runs);
            let rate = runs as f64 / passed;
            self.status.rate = if self.status.rate == 0.0 { rate } else { 0.8 * self.status.rate + 0.2 * rate };
        }
        self.status.time = time;
        self.status.board = board;
        self.status.waiting = self.looker.waiting();
        self.sample(false);
    }

    fn sample(&mut self, last: bool) {
        self.status.bugs = self.bugs.len();
        self.status.hangs = self.bugs.iter().filter(|it| it.found == Found::Hang).count();
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

/// Counts add up over the starts of the loop; what is known of the program is that of the last one.
fn sum(before: &Board, now: &Board) -> Board {
    let mut finds = before.finds;
    finds.iter_mut().zip(now.finds).for_each(|(sum, it)| *sum += it);
    Board {
        runs: before.runs + now.runs,
        crashes: before.crashes + now.crashes,
        hangs: before.hangs + now.hangs,
        memory: before.memory + now.memory,
        workers: before.workers + now.workers,
        solve_runs: before.solve_runs + now.solve_runs,
        unstable: before.unstable + now.unstable,
        edges_seen: before.edges_seen.max(now.edges_seen),
        classes_seen: before.classes_seen.max(now.classes_seen),
        finds,
        ..*now
    }
}
