//! The symbolic half: inputs that brought something new are run on symbols, and lead to inputs that take other ways.
//!
//! Knows: which of them first, and how a program of C is opened for it. It runs in a thread of its own, since terms do
//! not travel. Never: whether what it made is new: that is the native half's to say.

use effigy_concolic::{ByteLayout, Config, Key, Limits, Whitebox, Why};
use effigy_fuzz::{Kind, Novel, Symbolic, Told};
use effigy_llvm::driver;
use effigy_llvm::{Options, Program};
use effigy_solver::SolverConfig;
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Longer inputs are the native half's alone: what a run costs grows with each byte.
const MOST: usize = 512;

/// What one run may take.
const LIMITS: Limits = Limits { steps: 5_000_000, conditions: 20_000, time: Some(Duration::from_secs(5)) };

/// Inputs that wait; the ones that brought least are given up.
const MOST_WAITING: usize = 4096;

/// What the thread has done so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) why: Why,
    /// Inputs that were too long for it.
    pub(super) long: u64,
    /// Inputs that wait.
    pub(super) waiting: usize,
}

/// The thread, seen from outside. It ends with the campaign.
pub(super) struct Half {
    done: Arc<Mutex<Done>>,
    stop: Arc<AtomicBool>,
}

impl Half {
    pub(super) fn done(&self) -> Done {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Half {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Starts the thread. `Err` says why a program has no symbolic half; that is no reason not to fuzz it.
pub(super) fn start(
    modules: &[(String, Vec<u8>)],
    kind: Kind,
    most: u32,
    surroundings: effigy_llvm::surroundings::Surroundings,
) -> Result<(Symbolic, Half), String> {
    let most = MOST.min(usize::try_from(most).unwrap_or(MOST));
    let mut modules = modules.to_vec();
    let layout = match kind {
        Kind::Target => {
            let main = driver::fuzzer(&modules, most as u64).ok_or("it has a main of its own")?;
            modules.insert(0, driver::module_of(&main).map_err(|it| it.to_string())?);
            ByteLayout::fuzzer(most)
        }
        Kind::Stdin => ByteLayout::file("stdin", most),
        Kind::FileArgument => ByteLayout::file("./input", most),
        Kind::Marks | Kind::Entry => return Err("its inputs are asked for one by one".to_owned()),
    };
    let mut surroundings = surroundings;
    surroundings.stdin = surroundings.stdin.map(|it| it.min(most as u64));
    surroundings.files.iter_mut().for_each(|it| it.size = it.size.min(most as u64));
    let options = Options { buffer: most as u64, surroundings, ..Options::default() };
    // What cannot be read is told now; the thread reads it again, since states do not travel.
    effigy_llvm::load(&modules, options.clone()).map_err(|it| it.to_string())?;
    let (novel, inputs) = channel();
    let (tell, told) = channel();
    let half = Half { done: Arc::default(), stop: Arc::default() };
    let worker = Worker { inputs, tell, most, done: Arc::clone(&half.done), stop: Arc::clone(&half.stop) };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(move || {
        if let Ok(program) = effigy_llvm::load(&modules, options) {
            worker.work(&program, layout);
        }
    });
    thread.map_err(|it| it.to_string())?;
    Ok((Symbolic { novel, told }, half))
}

/// An input that waits: those that brought most first, then the latest.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    brought: u32,
    number: u64,
    novel: Vec<u8>,
    tag: Option<u64>,
}

struct Worker {
    inputs: Receiver<Novel>,
    tell: Sender<Told>,
    most: usize,
    done: Arc<Mutex<Done>>,
    stop: Arc<AtomicBool>,
}

impl Worker {
    fn work(&self, program: &Program, layout: ByteLayout) {
        let config = Config { time: Some(Duration::from_secs(10)), ..Config::default() };
        let solver = SolverConfig { interrupt: Arc::clone(&self.stop), ..SolverConfig::default() };
        let mut whitebox = Whitebox::new(program, layout, LIMITS, config, solver);
        let mut waiting: BinaryHeap<Waiting> = BinaryHeap::new();
        // What is known of our own inputs: SAGE's bound, and the path that was predicted.
        let mut own: FxHashMap<u64, (usize, Key)> = FxHashMap::default();
        let (mut number, mut tags) = (0, 0);
        while !self.stop.load(Ordering::Relaxed) {
            let pause = if waiting.is_empty() { Duration::from_millis(100) } else { Duration::ZERO };
            match self.inputs.recv_timeout(pause) {
                Ok(Novel { bytes, tag, brought }) => {
                    if bytes.len() > self.most {
                        self.done().long += 1;
                        continue;
                    }
                    number += 1;
                    if waiting.len() < MOST_WAITING {
                        waiting.push(Waiting { brought, number, novel: bytes, tag });
                    }
                    // All that has come is there before one is chosen.
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let Some(next) = waiting.pop() else { continue };
            let (bound, predicted) = match next.tag.and_then(|it| own.remove(&it)) {
                Some((bound, key)) => (bound, Some(key)),
                None => (0, None),
            };
            let expansion = whitebox.expand(&next.novel, bound, predicted);
            {
                let mut done = self.done();
                done.why = whitebox.why;
                done.waiting = waiting.len();
            }
            for child in expansion.children {
                tags += 1;
                own.insert(tags, (child.bound, child.key));
                if self.tell.send(Told { bytes: child.bytes, tag: tags, bug: child.bug }).is_err() {
                    return;
                }
            }
        }
    }

    fn done(&self) -> std::sync::MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// In words: what came of it, or why nothing did.
pub(super) fn words(done: &Done) -> String {
    let why = &done.why;
    let long = if done.long > 0 { format!(", {} inputs too long", done.long) } else { String::new() };
    match why.nothing() {
        Some(reason) => format!("{} symbolic runs{long}: nothing came of them: {reason}", why.runs),
        None => {
            let (unsatisfiable, undecided) = (why.unsatisfiable, why.undecided);
            format!(
                "{} symbolic runs{long}, {} inputs of {} sides ({unsatisfiable} unsatisfiable, {} asked before, \
                 {undecided} undecided), {} diverged",
                why.runs,
                why.children(),
                why.sides,
                why.pruned,
                why.diverged
            )
        }
    }
}
