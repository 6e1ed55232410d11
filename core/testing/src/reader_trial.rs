//! A reader on trial: whatever it is given, it comes back, in bounded time and memory, on the stack of a usual thread.
//!
//! Knows: how many mutants are tried, and what is kept of one that a reader does not survive. Never: a reader, a grammar.

use crate::grammar_mutation::Mutator;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Mutants of each reader in the usual run, and in a campaign (`make test-all`).
const ROUNDS: (usize, usize) = (50, 2_000);

/// The stack of a main thread.
const STACK: usize = 8 << 20;

/// A mutant has some ten thousand bytes. A reader without optimisation, on a busy machine, needs no more than this for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// All mutants together take no more memory than this; chosen without measuring.
const MOST_MEMORY: u64 = 1 << 30;

/// Gives a reader mutants of examples; `read` panics where what comes of one is not as it should be. A mutant that is not
/// survived stays in a file, which the panic names; where the process ends with it, in `effigy-mutant-NAME-…` in the
/// folder for temporary files.
///
/// # Panics
/// Where a mutant is not survived, or takes too much time or memory.
pub fn try_reader<T: Into<Vec<u8>>>(
    name: &str,
    examples: impl IntoIterator<Item = T>,
    words: &[&str],
    read: impl FnMut(&[u8]) + Send + 'static,
) {
    let rounds = if crate::is_campaign() { ROUNDS.1 } else { ROUNDS.0 };
    try_reader_times(name, rounds, examples, words, read);
}

/// [`try_reader`] with so many mutants.
///
/// # Panics
/// Where a mutant is not survived, or takes too much time or memory.
pub fn try_reader_times<T: Into<Vec<u8>>>(
    name: &str,
    rounds: usize,
    examples: impl IntoIterator<Item = T>,
    words: &[&str],
    mut read: impl FnMut(&[u8]) + Send + 'static,
) {
    let mut mutator = Mutator::new(seed(), examples, words);
    let kept = std::env::temp_dir().join(format!("effigy-mutant-{name}-{}", std::process::id()));
    let file = kept.clone();
    let before = peak_memory();
    let trial = move || {
        for round in 0..rounds {
            let mutant = mutator.mutant();
            keep(&file, &mutant);
            let begun = Instant::now();
            read(&mutant);
            let time = begun.elapsed();
            assert!(time < PATIENCE, "mutant {round} of {} bytes takes {time:?}", mutant.len());
        }
    };
    let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(trial);
    let res = thread.expect("a thread can be started").join();
    assert!(res.is_ok(), "the reader does not survive {}", kept.display());
    let memory = peak_memory().saturating_sub(before);
    assert!(memory < MOST_MEMORY, "reading takes {memory} bytes");
    let _ = std::fs::remove_file(&kept);
}

/// The same mutants in each usual run; new ones in each campaign.
fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    if crate::is_campaign() { now.map_or(1, |it| it.as_nanos() as u64) } else { 1 }
}

fn keep(file: &Path, text: &[u8]) {
    std::fs::write(file, text).expect("the folder for temporary files can be written");
}

/// The most memory that the process has had, in bytes; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|it| it.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// Larger files of the corpus are no examples: their mutants take long for what they show.
const MOST_EXAMPLE: u64 = 20_000;

/// The files below a folder of `corpus` whose names end in `extension`, in the order of their paths.
///
/// # Panics
/// Where the folder has none.
pub fn corpus(folder: &str, extension: &str) -> Vec<Vec<u8>> {
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_small = || entry.metadata().is_ok_and(|it| it.len() <= MOST_EXAMPLE);
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == extension) && is_small() {
                files.push(path);
            }
        }
    }
    files.sort();
    let examples: Vec<Vec<u8>> = files.iter().filter_map(|it| std::fs::read(it).ok()).collect();
    assert!(!examples.is_empty(), "corpus/{folder} has no {extension} files");
    examples
}
