//! The program with its loop, as a process: inputs go in, what it found comes out.
//!
//! Knows: the records of `runtime/main.h`, and that what comes from the process may be anything. Never: what is done
//! with a find.

use crate::board;
use crate::corpus::MOST_INPUT;
use crate::{Board, Kind};
use effigy_fleet::MOST_BITS;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The bytes of a record's head: six words.
const HEAD: usize = 24;

/// A keeper that is asked to end has ended by then; one that does not listen is killed.
const GRACE: Duration = Duration::from_secs(2);

/// A record that the keeper process sends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Record {
    /// The process runs, and the program has this number of edges.
    Ready { edges: u32 },
    /// An input brought something new: so many edges, and these classes of their counts. Its parent is a number among
    /// these records.
    Found { bytes: Vec<u8>, stage: u32, parent: u32, brought: u32, bits: Vec<u32> },
    /// An input ends in a signal.
    Crashed { bytes: Vec<u8>, signal: u32 },
    /// An input takes too long.
    Late { bytes: Vec<u8> },
    /// An input takes too much memory.
    Memory { bytes: Vec<u8> },
    /// All inputs that were there at the beginning were run.
    RanAll,
    /// The process has ended; no record follows.
    Gone,
}

/// How it is to run.
#[derive(Clone, Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) program: &'a Path,
    pub(crate) board: &'a Path,
    pub(crate) room: &'a Path,
    pub(crate) kind: Kind,
    pub(crate) isolate: bool,
    pub(crate) most: u32,
    pub(crate) timeout: Duration,
    /// The limit of a run's memory, in megabytes.
    pub(crate) memory: u64,
    pub(crate) seed: u64,
}

/// A running program. It is killed when this value is gone.
pub(crate) struct Native {
    process: Child,
    board: File,
    inputs: Sender<Vec<u8>>,
    given: Cell<u64>,
}

impl Native {
    /// Starts the program. What it tells goes to `tell`, with the number of this start, until nobody listens.
    pub(crate) fn start(
        settings: &Settings<'_>,
        start: u64,
        tell: impl Fn(u64, Record) -> bool + Send + 'static,
    ) -> io::Result<Native> {
        let board = board::create(settings.board)?;
        let mut process = Command::new(settings.program)
            .current_dir(settings.room)
            .env("EFFIGY_FUZZ_BOARD", settings.board)
            .env("EFFIGY_FUZZ_KIND", (settings.kind as u32).to_string())
            .env("EFFIGY_FUZZ_ISOLATE", u32::from(settings.isolate).to_string())
            .env("EFFIGY_FUZZ_MOST", settings.most.to_string())
            .env("EFFIGY_FUZZ_TIMEOUT", settings.timeout.as_millis().max(2).to_string())
            .env("EFFIGY_FUZZ_MEMORY", settings.memory.to_string())
            .env("EFFIGY_FUZZ_SEED", settings.seed.wrapping_add(start).to_string())
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (inputs, waiting) = channel();
        match (process.stdin.take(), process.stdout.take()) {
            (Some(stdin), Some(stdout)) => {
                // Each ends with the process, or when nobody listens any more.
                std::thread::spawn(move || write_all(stdin, &waiting));
                std::thread::spawn(move || read_all(stdout, start, tell));
            }
            _ => return Err(io::Error::other("the program has no standard streams")),
        }
        Ok(Native { process, board, inputs, given: Cell::new(0) })
    }

    /// Gives it an input to run; its number is compared with [`Board::given`].
    pub(crate) fn give(&self, bytes: &[u8], stage: u32) -> u64 {
        let length = bytes.len().min(MOST_INPUT);
        let mut record = head([3, u32::try_from(length).unwrap_or(0), stage, 0, 0, 0]);
        record.extend_from_slice(&bytes[..length]);
        // When it is gone the next one is given the input.
        let _ = self.inputs.send(record);
        self.given.set(self.given.get() + 1);
        self.given.get()
    }

    /// Says that all inputs of the beginning were given.
    pub(crate) fn gave_all(&self) {
        let _ = self.inputs.send(head([6, 0, 0, 0, 0, 0]));
    }

    pub(crate) fn board(&self) -> Board {
        board::read(&self.board)
    }

    /// What became of each assumption.
    pub(crate) fn assumptions(&self) -> Vec<u8> {
        board::assumptions(&self.board)
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // It ends its worker, and all that the program has started.
        if let Some(keeper) = rustix::process::Pid::from_raw(self.process.id().cast_signed()) {
            let _ = rustix::process::kill_process(keeper, rustix::process::Signal::HUP);
        }
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            match self.process.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                _ => return,
            }
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn head(words: [u32; 6]) -> Vec<u8> {
    words.iter().flat_map(|it| it.to_le_bytes()).collect()
}

fn write_all(mut stdin: ChildStdin, waiting: &Receiver<Vec<u8>>) {
    while let Ok(record) = waiting.recv() {
        if stdin.write_all(&record).is_err() {
            return;
        }
    }
}

fn read_all(mut stdout: ChildStdout, start: u64, tell: impl Fn(u64, Record) -> bool) {
    while let Some(record) = read_record(&mut stdout) {
        if !tell(start, record) {
            return;
        }
    }
    tell(start, Record::Gone);
}

/// The next record; `None` at the end, and where it is none.
fn read_record(from: &mut impl Read) -> Option<Record> {
    let mut head = [0; HEAD];
    from.read_exact(&mut head).ok()?;
    let word = |at: usize| u32::from_le_bytes([head[4 * at], head[4 * at + 1], head[4 * at + 2], head[4 * at + 3]]);
    let length = usize::try_from(word(1)).ok().filter(|it| *it <= MOST_INPUT)?;
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    Some(match word(0) {
        1 => Record::Ready { edges: word(4) },
        2 => {
            let count = usize::try_from(word(4)).ok().filter(|it| *it <= MOST_BITS as usize / 8)?;
            let mut packed = vec![0; 4 * count];
            from.read_exact(&mut packed).ok()?;
            let bits = packed.chunks_exact(4).map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]])).collect();
            Record::Found { bytes, stage: word(2), parent: word(3), brought: word(5), bits }
        }
        3 => Record::Crashed { bytes, signal: word(4) },
        4 => Record::Late { bytes },
        5 => Record::Memory { bytes },
        6 => Record::RanAll,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The process that is fuzzed may write anything to any descriptor.
        #[test]
        fn any_bytes_are_records_or_the_end(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut from = &bytes[..];
            while read_record(&mut from).is_some() {}
        }
    }

    #[test]
    fn a_record_is_read_as_it_is_written() {
        let mut bytes = head([2, 3, 7, 1, 2, 5]);
        bytes.extend(b"abc\x01\0\0\0\x09\x01\0\0");
        let found = Record::Found { bytes: b"abc".to_vec(), stage: 7, parent: 1, brought: 5, bits: vec![1, 265] };
        assert_eq!(read_record(&mut &bytes[..]), Some(found));
        // As long as memory is.
        assert_eq!(read_record(&mut &head([2, u32::MAX, 0, 0, 0, 0])[..]), None);
        assert_eq!(read_record(&mut &head([2, 0, 0, 0, u32::MAX, 0])[..]), None);
    }
}
