//! The symbolic half: inputs that brought something new are run on symbols, and lead to inputs that take other ways.
//!
//! Knows: how a program is opened for it, what of an input it has to know. It runs in threads of its own, since terms do
//! not travel, which take their inputs from the work list. Never: whether what it made is new: that is the native half's
//! to say.

use super::crash_test;
use effigy_concolic::{ByteExpansion, ByteLayout, Config, Key, Limits, Whitebox, Why};
use effigy_fleet::Fleet;
use effigy_fuzz::{Kind, LEASE, Pace, Single, Symbolic, SymbolicEvent};
use effigy_llvm::driver;
use effigy_llvm::surroundings::Surroundings;
use effigy_llvm::{Options, Program};
use effigy_solver::SolverConfig;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// In inputs up to this size each length is a branch of its own.
const MOST: usize = 512;

/// Longer inputs than this are the native half's alone: what a run costs grows with each byte.
const MOST_LONG: usize = 1 << 14;

/// One side of one branch is asked about so often in one run on a long input.
const CAP: u32 = 64;

/// What one run may take.
const LIMITS: Limits = Limits { steps: 5_000_000, conditions: 20_000, time: Some(Duration::from_secs(5)) };

/// Where nothing waits, it is asked again after this, and then less often.
const PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// What the thread has done so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) why: Why,
    /// Inputs that were too long for it.
    pub(super) long: u64,
    /// The number of runs on long inputs.
    pub(super) long_runs: u64,
}

impl AddAssign for Done {
    fn add_assign(&mut self, other: Done) {
        self.why += other.why;
        self.long += other.long;
        self.long_runs += other.long_runs;
    }
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

/// What a symbolic half needs, and how it is opened for each thread anew.
pub(super) struct SymbolicTarget {
    short: SizedProgram,
    /// For longer inputs, where there may be any.
    long: Option<SizedProgram>,
    kind: Kind,
}

/// A program that takes inputs up to a size.
#[derive(Clone)]
struct SizedProgram {
    modules: Arc<Vec<(String, Vec<u8>)>>,
    options: Options,
    layout: ByteLayout,
    most: usize,
    /// The size of the input is a symbolic value, not a number of loop iterations.
    follows: bool,
}

impl SizedProgram {
    fn new(
        modules: &[(String, Vec<u8>)],
        kind: Kind,
        most: usize,
        follows: bool,
        mut surroundings: Surroundings,
    ) -> Result<SizedProgram, String> {
        let mut modules = modules.to_vec();
        let layout = match kind {
            Kind::Target => {
                let main = if follows { driver::followed_fuzzer } else { driver::fuzzer };
                let main = main(&modules, most as u64).ok_or("it has a main of its own")?;
                modules.insert(0, driver::module_of(&main).map_err(|it| it.to_string())?);
                ByteLayout::fuzzer(most)
            }
            Kind::Stdin => ByteLayout::file("stdin", most),
            Kind::FileArgument => ByteLayout::file("./input", most),
            // Of each input by itself.
            Kind::Marks | Kind::Entry => ByteLayout { memory: String::new(), size: None, symbolic_size: false, most },
        };
        surroundings.stdin = surroundings.stdin.map(|it| it.min(most as u64));
        surroundings.files.iter_mut().for_each(|it| it.size = it.size.min(most as u64));
        let options = Options { buffer: most as u64, surroundings, ..Options::default() };
        // What cannot be read is told now; each thread reads it again, since states do not travel.
        effigy_llvm::load(&modules, options.clone()).map_err(|it| it.to_string())?;
        Ok(SizedProgram { modules: Arc::new(modules), options, layout, most, follows })
    }

    fn open(&self) -> Option<Program> {
        effigy_llvm::load(&self.modules, self.options.clone()).ok()
    }

    fn whitebox<'p>(&self, program: &'p Program, stop: &Arc<AtomicBool>) -> Whitebox<'p, Program> {
        // In a long input one branch is met for each byte.
        let cap = if self.follows { CAP } else { u32::MAX };
        let config = Config { time: Some(Duration::from_secs(10)), unpin: self.follows, cap, ..Config::default() };
        let solver = SolverConfig { interrupt: Arc::clone(stop), ..SolverConfig::default() };
        Whitebox::new(program, self.layout.clone(), LIMITS, config, solver)
    }
}

impl SymbolicTarget {
    /// `Err` says why a program has no symbolic half; that is no reason not to fuzz it.
    pub(super) fn new(
        modules: &[(String, Vec<u8>)],
        kind: Kind,
        most: u32,
        surroundings: &Surroundings,
    ) -> Result<SymbolicTarget, String> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let by_parts = matches!(kind, Kind::Marks | Kind::Entry);
        let first = if by_parts { MOST_LONG } else { MOST };
        let short = SizedProgram::new(modules, kind, first.min(most), false, surroundings.clone())?;
        let has_long = most > MOST && !by_parts;
        let long = match has_long {
            true => Some(SizedProgram::new(modules, kind, MOST_LONG.min(most), true, surroundings.clone())?),
            false => None,
        };
        Ok(SymbolicTarget { short, long, kind })
    }

    /// Starts a thread, which takes its inputs from the work list. `alone` is the program, run once for an input.
    pub(super) fn start(
        &self,
        fleet: Box<dyn Fleet>,
        alone: Single,
        pace: &Arc<Pace>,
    ) -> Result<(Symbolic, Half), String> {
        let (tell, told) = channel();
        let half = Half { done: Arc::default(), stop: Arc::default() };
        let (done, stop) = (Arc::clone(&half.done), Arc::clone(&half.stop));
        let by_parts = matches!(self.kind, Kind::Marks | Kind::Entry);
        let pace = Arc::clone(pace);
        let mut worker = Worker { fleet, tell, alone: by_parts.then_some(alone), done, stop, pace };
        let (short, long) = (self.short.clone(), self.long.clone());
        let thread =
            std::thread::Builder::new().stack_size(crate::STACK).spawn(move || worker.work(&short, long.as_ref()));
        thread.map_err(|it| it.to_string())?;
        Ok((Symbolic { told }, half))
    }
}

/// What is to be known of an input of ours: SAGE's bound, the path that was predicted, and of which reading it is.
fn note(bound: usize, key: Key, long: bool) -> Vec<u8> {
    let mut res = (bound as u64).to_le_bytes().to_vec();
    res.extend_from_slice(&key.0.to_le_bytes());
    res.push(u8::from(long));
    res
}

/// Anybody may have written it; a bound that is none leads to nothing, one of another reading is none.
fn of_note(note: &[u8], long: bool) -> (usize, Option<Key>) {
    let parts = note.split_first_chunk::<8>().and_then(|(bound, rest)| Some((bound, rest.split_first_chunk::<16>()?)));
    match parts {
        Some((bound, (key, [is_long]))) if *is_long == u8::from(long) => {
            (usize::try_from(u64::from_le_bytes(*bound)).unwrap_or(usize::MAX), Some(Key(u128::from_le_bytes(*key))))
        }
        _ => (0, None),
    }
}

struct Worker {
    fleet: Box<dyn Fleet>,
    tell: Sender<SymbolicEvent>,
    /// Tells in which parts the program asks for an input, where it asks for parts.
    alone: Option<Single>,
    done: Arc<Mutex<Done>>,
    stop: Arc<AtomicBool>,
    pace: Arc<Pace>,
}

impl Worker {
    fn work(&mut self, short: &SizedProgram, long: Option<&SizedProgram>) {
        let Some(short_program) = short.open() else { return };
        let mut whitebox = short.whitebox(&short_program, &self.stop);
        // Opened with the first long input.
        let long_program = std::cell::OnceCell::new();
        let mut long_whitebox = None;
        let mut pause = PAUSE;
        while !self.stop.load(Ordering::Relaxed) {
            // One at a time: each takes long, and the best may have come meanwhile. A server that is away comes back.
            let Some(next) = self.fleet.lease(1, LEASE).unwrap_or_default().pop() else {
                std::thread::sleep(pause);
                pause = (2 * pause).min(LONGEST_PAUSE);
                continue;
            };
            pause = PAUSE;
            let of = next.ticket;
            if self.tell.send(SymbolicEvent::Took(of)).is_err() {
                return;
            }
            let begin = Instant::now();
            let size = next.input.len();
            let expansion = if size <= short.most {
                let (bound, predicted) = of_note(&next.note, false);
                Some(self.expand(&mut whitebox, &next.input, bound, predicted))
            } else if let Some(long) = long.filter(|it| size <= it.most)
                && let Some(program) = long_program.get_or_init(|| long.open())
            {
                let whitebox = long_whitebox.get_or_insert_with(|| long.whitebox(program, &self.stop));
                let (bound, predicted) = of_note(&next.note, true);
                Some(self.expand(whitebox, &next.input, bound, predicted))
            } else {
                None
            };
            let mut done = self.done();
            done.why = whitebox.why;
            if let Some(long) = &long_whitebox {
                done.why += long.why;
                done.long_runs = long.why.runs;
            }
            done.long += u64::from(expansion.is_none());
            drop(done);
            for child in expansion.map(|it| it.children).unwrap_or_default() {
                let note = note(child.bound, child.key, size > short.most);
                if self.tell.send(SymbolicEvent::Made { of, bytes: child.bytes, note, bug: child.bug }).is_err() {
                    return;
                }
            }
            // What was interrupted is another one's.
            if self.stop.load(Ordering::Relaxed) || self.tell.send(SymbolicEvent::Done(of)).is_err() {
                return;
            }
            self.pace.rest(begin.elapsed(), || self.stop.load(Ordering::Relaxed));
        }
    }

    fn expand(
        &self,
        whitebox: &mut Whitebox<'_, Program>,
        input: &[u8],
        bound: usize,
        predicted: Option<Key>,
    ) -> ByteExpansion {
        let Some(alone) = &self.alone else { return whitebox.expand(input, bound, predicted) };
        // A run that cannot be made asks for nothing, and nothing comes of it.
        let asked = alone.run(input).map(|it| it.asked).unwrap_or_default();
        whitebox.expand_parts(input, &crash_test::parts(&asked, MOST_LONG), bound, predicted)
    }

    fn done(&self) -> std::sync::MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// In words: what came of it, or why nothing did.
pub(super) fn words(done: &Done) -> String {
    let why = &done.why;
    let on_long = if done.long_runs > 0 { format!(" ({} on long inputs)", done.long_runs) } else { String::new() };
    let too_long = if done.long > 0 { format!(", {} inputs too long", done.long) } else { String::new() };
    let long = on_long + &too_long;
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
