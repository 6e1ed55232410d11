//! The threads of a path: their calls, what each is about to do, and what happens before what.
//!
//! Knows: who waits for what. Never: how a thread is chosen (`step/scheduling`), what a function of pthread.h does (`libc`).
//!
//! Threads interleave at *visible actions*: operations of locks and the like, atomic accesses, the start of a thread, the
//! end of the program. Between two of them a thread runs alone. That loses nothing: two accesses of which one could be moved
//! past the other with a different result conflict, and are ordered by visible actions, or they are a data race, which
//! the vector clocks find in either order (Adve and Hill 1990: programs without data races are sequentially consistent).

pub mod clock;
pub mod history;

use crate::call_frame::Frame;
use crate::frames::Frames;
use crate::memory::ObjectId;
use crate::value::Val;
use clock::VectorClock;
use effigy_engine::{SleepSet, ThreadId, ThreadTurn};
use effigy_term::PersistentList;
use history::AccessHistory;
use rpds::RedBlackTreeMap;
use std::collections::BTreeMap;

/// What a thread must wait for before its next action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitCondition {
    /// Nothing: the action can always be made.
    Nothing,
    /// The mutex at this address is free.
    Mutex(u64),
    /// The readers-writer lock at this address has no writer.
    ReadLock(u64),
    /// The readers-writer lock at this address has neither readers nor a writer.
    WriteLock(u64),
    /// The condition variable was signalled, and the mutex is free.
    Signal {
        /// The condition variable.
        condition: u64,
        /// The mutex that is locked again.
        mutex: u64,
        /// The wait may end without a signal: it has a deadline.
        timed: bool,
    },
    /// This thread has ended.
    End(ThreadId),
    /// The barrier at this address has left this round.
    Barrier(u64, u32),
    /// The semaphore at this address is not zero.
    Semaphore(u64),
    /// The initialisation at this address is not in progress.
    Once(u64),
}

/// An action of a thread that others can see: at the start of each, the thread that moves next is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VisibleAction {
    /// What it waits for.
    pub waits: WaitCondition,
    /// The bytes that it reads or writes: address, size, whether it writes.
    pub footprint: Vec<(u64, u64, bool)>,
    /// It depends on every other action.
    pub depends_on_all: bool,
    /// Its kind, which native replays compare (`runtime/schedule.c`).
    pub name: &'static str,
}

/// The action at the start of a thread, which is no instruction.
pub const BEGIN: &str = "begin";
/// An atomic access.
pub const ATOMIC: &str = "atomic";
/// The action of a lock's release, which is visible only where some thread tries locks.
pub const UNLOCK: &str = "unlock";

impl VisibleAction {
    /// The start of a thread, which touches nothing.
    pub fn begin() -> VisibleAction {
        VisibleAction { waits: WaitCondition::Nothing, footprint: Vec::new(), depends_on_all: false, name: BEGIN }
    }

    /// An action that depends on every other.
    pub fn global(name: &'static str) -> VisibleAction {
        VisibleAction { depends_on_all: true, name, ..VisibleAction::begin() }
    }

    /// An action on the object of synchronisation at this address.
    pub fn on(address: u64, waits: WaitCondition, name: &'static str) -> VisibleAction {
        VisibleAction { waits, footprint: vec![(address, 1, true)], name, ..VisibleAction::begin() }
    }

    /// An atomic access.
    pub fn atomic(address: u64, size: u64, writes: bool) -> VisibleAction {
        VisibleAction { footprint: vec![(address, size, writes)], name: ATOMIC, ..VisibleAction::begin() }
    }

    /// Whether both orders of two actions lead to the same state, and neither enables or disables the other.
    pub fn is_independent_of(&self, other: &VisibleAction) -> bool {
        let apart = |a: &(u64, u64, bool), b: &(u64, u64, bool)| {
            !(a.2 || b.2) || a.0 >= b.0.saturating_add(b.1) || b.0 >= a.0.saturating_add(a.1)
        };
        !self.depends_on_all
            && !other.depends_on_all
            && self.footprint.iter().all(|a| other.footprint.iter().all(|b| apart(a, b)))
    }
}

/// How far a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadProgress {
    /// It runs, or waits.
    Alive,
    /// It has ended and was not joined.
    Ended,
    /// It has ended and was joined.
    Joined,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct ProgramThread {
    /// Its calls; none while it is the current one, whose calls are the state's.
    pub frames: Frames<Frame>,
    /// How far it is.
    pub progress: ThreadProgress,
    /// Nobody may join it.
    pub detached: bool,
    /// What it is about to do, while it is not the current one.
    pub next: Option<VisibleAction>,
    /// What has happened before its next instruction.
    pub clock: VectorClock,
    /// What it has read by relaxed accesses, for its next acquire fence.
    pub read_relaxed: VectorClock,
    /// What had happened before its last release fence.
    pub released: VectorClock,
    /// What it has returned.
    pub result: Val,
    /// The condition variable that it waits for, with the mutex; true once it was signalled.
    pub waiting: Option<(u64, u64, bool)>,
    /// The round of the barrier at which it waits.
    pub barrier: Option<u32>,
    /// The initialisations (`pthread_once`) that it runs, the innermost last.
    pub initialising: Vec<u64>,
    /// Its copies of thread-local objects.
    pub locals: BTreeMap<ObjectId, ObjectId>,
    /// What it has stored under each key.
    pub values: BTreeMap<u32, Val>,
}

impl ProgramThread {
    /// A thread that has not begun.
    pub fn new(frames: Frames<Frame>, clock: VectorClock) -> ProgramThread {
        ProgramThread {
            frames,
            progress: ThreadProgress::Alive,
            detached: false,
            next: Some(VisibleAction::begin()),
            clock,
            read_relaxed: VectorClock::default(),
            released: VectorClock::default(),
            result: Val::Int(0),
            waiting: None,
            barrier: None,
            initialising: Vec::new(),
            locals: BTreeMap::new(),
            values: BTreeMap::new(),
        }
    }
}

/// Whether the current thread may make its next visible action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnState {
    /// It runs up to its next visible action.
    Running,
    /// It stands before a visible action, or has ended: a thread is to be chosen.
    Open,
    /// It was chosen by the instruction that ends now.
    Chosen,
    /// It was chosen, and makes its visible action.
    Granted,
}

/// All threads of a path.
#[derive(Clone, Debug)]
pub struct ThreadTable {
    /// By number; 0 is the main thread.
    pub all: Vec<ProgramThread>,
    /// The thread that runs.
    pub current: ThreadId,
    /// Whether it may make its next visible action.
    pub turn: TurnState,
    /// The threads that need not be explored from here.
    pub sleep: SleepSet,
    /// What was accessed.
    pub history: AccessHistory,
    /// What happened before the last release of each object of synchronisation, by address.
    pub clocks: RedBlackTreeMap<u64, VectorClock>,
    /// The accesses of the current instruction of LLVM are atomic.
    pub in_atomic: bool,
    /// The current thread is inside of a block that is atomic (`__VERIFIER_atomic_begin`).
    pub in_block: bool,
    /// How many calls are open in the function that is the block (`__VERIFIER_atomic_*`), it among them.
    pub block_calls: Option<usize>,
    /// The keys (`pthread_key_create`): destructors; `None` for keys that were deleted.
    pub keys: Vec<Option<Val>>,
    /// Every thread that could move sleeps: another path does the same.
    pub is_redundant: bool,
    /// The turns of the threads so far.
    pub schedule: PersistentList<ThreadTurn>,
}

impl Default for ThreadTable {
    fn default() -> ThreadTable {
        let mut clock = VectorClock::default();
        clock.tick(0);
        ThreadTable {
            all: vec![ProgramThread { next: None, ..ProgramThread::new(Frames::default(), clock) }],
            current: 0,
            turn: TurnState::Running,
            sleep: SleepSet::default(),
            history: AccessHistory::default(),
            clocks: RedBlackTreeMap::new(),
            in_atomic: false,
            in_block: false,
            block_calls: None,
            keys: Vec::new(),
            is_redundant: false,
            schedule: PersistentList::new(),
        }
    }
}

impl ThreadTable {
    /// Whether a second thread was ever created: until then, nothing of this module costs anything.
    pub fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    /// The thread that runs.
    pub fn running(&self) -> Option<&ProgramThread> {
        self.all.get(self.current as usize)
    }

    /// The thread that runs, to change it.
    pub fn running_mut(&mut self) -> Option<&mut ProgramThread> {
        self.all.get_mut(self.current as usize)
    }

    /// What the thread that runs has done happens before whoever acquires the object at this address.
    pub fn release(&mut self, address: u64) {
        if !self.are_several() {
            return;
        }
        let current = self.current;
        if let Some(thread) = self.all.get_mut(current as usize) {
            let mut known = self.clocks.get(&address).cloned().unwrap_or_default();
            known.join(&thread.clock);
            self.clocks.insert_mut(address, known);
            thread.clock.tick(current);
        }
    }

    /// Whatever was released at this address has happened before what the current thread does from now on.
    pub fn acquire(&mut self, address: u64) {
        if let (Some(known), Some(thread)) = (self.clocks.get(&address), self.all.get_mut(self.current as usize)) {
            thread.clock.join(known);
        }
    }

    /// The name of a thread in reports.
    pub fn name(id: ThreadId) -> String {
        if id == 0 { "the main thread".to_owned() } else { format!("thread {id}") }
    }
}
