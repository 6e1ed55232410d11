//! What a campaign is given, and what it gives back.
//!
//! Knows: names. Never: how it goes on.

use crate::single::NamedInput;
use crate::{Board, Kind, Pace, Report};
use effigy_fleet::{FleetError, FleetStatus, Ticket};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// The configuration of a fuzzing campaign.
#[derive(Debug)]
pub struct Config {
    /// The program with the loop and coverage.
    pub program: PathBuf,
    /// The same program, built with sanitizers.
    pub sanitized: PathBuf,
    /// How it takes its input.
    pub kind: Kind,
    /// A process for each run.
    pub isolate: bool,
    /// Bytes of an input, at most.
    pub most: u32,
    /// A run may take so long.
    pub timeout: Duration,
    /// The limit of a run's memory, in megabytes.
    pub memory: u64,
    /// Seed of all that is random.
    pub seed: u64,
    /// A folder for files that nobody needs afterwards.
    pub scratch: PathBuf,
    /// The folder of the corpus and of what is found.
    pub output: PathBuf,
    /// The inputs that the campaign starts with.
    pub seeds: Vec<Vec<u8>>,
    /// A folder of the folders of other fuzzers, whose queues are read.
    pub sync: Option<PathBuf>,
    /// Stop after this wall time.
    pub max_time: Option<Duration>,
    /// Stop after this number of runs.
    pub max_runs: Option<u64>,
    /// Stop at the first bug.
    pub stop_at_first_bug: bool,
    /// Set from outside to stop the campaign now.
    pub interrupt: Arc<AtomicBool>,
    /// Loops that run at the same time.
    pub jobs: u32,
    /// Who makes inputs of those that brought something new: each takes them from the work list by itself.
    pub symbolic: Vec<Symbolic>,
    /// How they share processors with the loops.
    pub pace: Arc<Pace>,
    /// Others work on the same list, too.
    pub others: bool,
}

/// The way from a symbolic half.
#[derive(Debug)]
pub struct Symbolic {
    /// The events that the symbolic half sends.
    pub told: Receiver<SymbolicEvent>,
}

/// What a symbolic half does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolicEvent {
    /// It has taken an item from the work list.
    Took(Ticket),
    /// It has made an input of it.
    Made {
        /// The work item that the input was derived from.
        of: Ticket,
        /// The bytes of the new input.
        bytes: Vec<u8>,
        /// A note for the worker that executes the input symbolically, if the input is kept.
        note: Vec<u8>,
        /// It is predicted to end in a bug.
        bug: bool,
    },
    /// Nothing more comes of it.
    Done(Ticket),
}

/// Why a campaign could not start or continue.
#[derive(Debug, thiserror::Error)]
pub enum FuzzError {
    /// The program ends by itself.
    #[error("the program ends before it has run an input; is it a target? {0}")]
    Dies(String),
    /// Nothing of it is instrumented.
    #[error("the program has no edges that could be covered: nothing of it was compiled from source")]
    NoEdges,
    /// The program under sanitizers does not start.
    #[error(
        "the program under AddressSanitizer cannot start, so no bug could be confirmed: {0}; it reserves 16 TB of \
         addresses: is there a limit (`ulimit -v`)?"
    )]
    Sanitizer(io::Error),
    /// The fleet's server refused a call.
    #[error(transparent)]
    Fleet(#[from] FleetError),
    /// A file could not be read or written, a process not started.
    #[error("{path}: {error}")]
    Io {
        /// The file that was read or written, or the program that was started.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
}

/// What of a bad end was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FindingKind {
    /// A sanitizer, an assertion or a signal, seen again in a process of its own.
    Crash,
    /// It does not end in time, also alone.
    Hang,
}

/// A bad end, told apart from others by its class and stack.
#[derive(Clone, Debug)]
pub struct Bug {
    /// Whether the input crashes the program or hangs it.
    pub found: FindingKind,
    /// What is known of it.
    pub report: Report,
    /// The input, as short as it was made.
    pub input: Vec<u8>,
    /// The file in which the input is kept.
    pub path: PathBuf,
    /// Other inputs that end there: the one that it was made of, and those that were found later.
    pub others: Vec<PathBuf>,
    /// What the program has asked for by name.
    pub asked: Vec<NamedInput>,
    /// A sanitizer or an assertion confirms it; otherwise only the program's own end does.
    pub confirmed: bool,
    /// The time after which it was found, since the campaign began.
    pub time: Duration,
    /// It was there when the campaign began.
    pub known: bool,
}

/// A bad end that a loop has seen and that a process of its own did not repeat: the program keeps something from run to
/// run, or depends on the time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnrepeatedEnd {
    /// How the run ended, in words.
    pub how: String,
    /// The file in which the input is kept, if it is.
    pub file: Option<PathBuf>,
    /// The time after which it was seen, since the campaign began.
    pub time: Duration,
}

/// How far a campaign is.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// The time since the campaign began.
    pub time: Duration,
    /// What the loop says of itself, over all its starts.
    pub board: Board,
    /// Runs per second over the last moments.
    pub rate: f64,
    /// The number of inputs in the queue's folder.
    pub queue: usize,
    /// The number of distinct bugs found so far.
    pub bugs: usize,
    /// How many of the bugs are hangs.
    pub hangs: usize,
    /// Bad ends that were not looked at: there were too many of their kind.
    pub left_out: usize,
    /// Bad ends for whose inputs there was no room in the folder.
    pub unkept: u64,
    /// Bad ends that are still to be looked at.
    pub waiting: usize,
    /// Inputs of the queue that were run under sanitizers.
    pub looked_at: u64,
    /// Inputs that the symbolic half has made.
    pub solved: u64,
    /// Inputs that other fuzzers have found.
    pub synced: u64,
    /// Inputs in the folder by what found them, in the order of [`crate::STAGES`].
    pub found_by: [u64; 8],
    /// How far the whole fleet is.
    pub fleet: FleetStatus,
    /// What others in the fleet have found, and is now in the folder, too.
    pub heard: u64,
    /// What the fleet could not be told yet.
    pub untold: usize,
}

/// A point of the coverage over time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The time since the campaign began.
    pub time: Duration,
    /// The number of runs until then.
    pub runs: u64,
    /// The number of edges covered until then.
    pub edges: u64,
    /// The number of inputs in the queue then.
    pub queue: usize,
    /// The number of distinct bugs found until then.
    pub bugs: usize,
}

/// What came of a campaign.
#[derive(Clone, Debug)]
pub struct Account {
    /// The counters at the end of the campaign.
    pub status: Status,
    /// The distinct bugs that were found.
    pub bugs: Vec<Bug>,
    /// Bad ends that were seen, and that a process of its own did not repeat.
    pub unrepeated: Vec<UnrepeatedEnd>,
    /// Assumptions that were reached and never held, by their numbers.
    pub never_held: Vec<usize>,
    /// The coverage over time, oldest sample first.
    pub samples: Vec<Sample>,
}

/// Receives the status and the bugs of a campaign while it runs.
pub trait Watcher {
    /// How far it is, several times a second.
    fn status(&mut self, status: &Status);
    /// A new bug. Its file is written.
    fn bug(&mut self, bug: &Bug);
}
