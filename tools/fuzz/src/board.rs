//! The board: what the loop in C writes of itself while it runs.
//!
//! Knows: the order of the words in `runtime/base.h`. A word may be newer than its neighbour; none is ever waited for.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The bytes of the board: words, then an input.
const SIZE: u64 = (1 << 20) + 4096;

const WORDS: usize = 27;

/// Assumptions of a program that are watched, a byte each behind the words.
pub(crate) const MOST_ASSUMPTIONS: usize = 1024;

/// Of an assumption: an input came to it.
pub(crate) const REACHED: u8 = 1;

/// Of an assumption: it held.
pub(crate) const HELD: u8 = 2;

/// What is on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// Runs of the program so far.
    pub runs: u64,
    /// Edges that the program has.
    pub edges: u64,
    /// Edges that any run has taken.
    pub edges_seen: u64,
    /// Classes of counts of edges that were seen.
    pub classes_seen: u64,
    /// Inputs in the queue of the loop.
    pub entries: u64,
    /// Runs that ended in a signal.
    pub crashes: u64,
    /// Runs that took too long.
    pub hangs: u64,
    /// Runs that took too much memory.
    pub memory: u64,
    /// Worker processes that were started.
    pub workers: u64,
    /// Runs for the sake of a compare.
    pub solve_runs: u64,
    /// Inputs that did not do the same again.
    pub unstable: u64,
    /// Inputs of the queue by the stage that found them.
    pub finds: [u64; 8],
    /// Inputs that it was given and has run.
    pub given: u64,
    /// Runs that ended because the program called exit.
    pub exits: u64,
}

/// Makes the file of a board.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
    file.set_len(SIZE)?;
    Ok(file)
}

/// What became of each assumption; nothing where it cannot be read.
pub(crate) fn assumptions(file: &File) -> Vec<u8> {
    let mut bytes = vec![0; MOST_ASSUMPTIONS];
    match file.read_exact_at(&mut bytes, 8 * WORDS as u64) {
        Ok(()) => bytes,
        Err(_) => Vec::new(),
    }
}

/// Reads what is on it now.
pub(crate) fn read(file: &File) -> Board {
    let mut bytes = [0; 8 * WORDS];
    if file.read_exact_at(&mut bytes, 0).is_err() {
        return Board::default();
    }
    let word = |at: usize| bytes[8 * at..8 * at + 8].iter().rev().fold(0, |sum: u64, it| sum << 8 | u64::from(*it));
    let mut finds = [0; 8];
    finds.iter_mut().enumerate().for_each(|(at, it)| *it = word(15 + at));
    Board {
        runs: word(1),
        edges: word(2),
        edges_seen: word(3),
        classes_seen: word(4),
        entries: word(5),
        crashes: word(6),
        hangs: word(7),
        memory: word(8),
        workers: word(9),
        solve_runs: word(12),
        unstable: word(13),
        finds,
        given: word(25),
        exits: word(26),
    }
}
