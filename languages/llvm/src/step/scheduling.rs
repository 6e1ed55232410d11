//! Which thread moves next.
//!
//! Knows: visible actions, who can make one, deadlocks, the end of a thread. Never: what an action does (`libc/threads`).
//! Source: `threads.rs` says why threads are interleaved at visible actions only; the sleep sets are the engine's.

use crate::checks::DEADLOCK;
use crate::frames::Frames;
use crate::machine::{Flow, Machine};
use crate::memory::{Lookup, ObjectId};
use crate::threads::{BEGIN, ThreadProgress, ThreadTable, TurnState, VisibleAction, WaitCondition};
use crate::value::Val;
use effigy_engine::{
    Alternative, AlternativeLabel, AwakeThread, Outcome, Resolution, Step, ThreadId, ThreadTurn, awake_threads,
};
use std::rc::Rc;

/// The note that counts what partial-order reduction skipped.
const REDUCED: &str = "partial-order-reduction";

impl Machine<'_, '_> {
    /// The threads, to change them.
    pub(crate) fn threads_mut(&mut self) -> &mut ThreadTable {
        Rc::make_mut(&mut self.state.threads)
    }

    /// The current thread is about to make a visible action: it goes on once it was chosen for it. Nothing may be changed
    /// before.
    pub(crate) fn visible(&mut self, action: VisibleAction) -> Flow<()> {
        // An exception, or longjmp(3), may have left an atomic function.
        self.end_atomic_function();
        let threads = &self.state.threads;
        if !threads.are_several() || threads.turn == TurnState::Granted {
            return Ok(());
        }
        if threads.in_block {
            return match self.can_proceed(threads.current, &action.waits) {
                true => Ok(()),
                false => Err(self.unsupported("an atomic block that waits for another thread")),
            };
        }
        Err(self.park(action))
    }

    /// The current thread stops before `action`.
    pub(crate) fn park(&mut self, action: VisibleAction) -> Step {
        let threads = self.threads_mut();
        if let Some(thread) = threads.running_mut() {
            thread.next = Some(action);
        }
        threads.turn = TurnState::Open;
        self.state.answers.clear();
        Step::Next
    }

    /// Whether a thread is to be chosen before the next instruction.
    pub(super) fn is_turn_open(&self) -> bool {
        self.state.threads.turn == TurnState::Open
    }

    /// After an instruction: who was chosen makes its visible action next; who has made it runs on.
    pub(super) fn end_turn(&mut self) {
        let next = match self.state.threads.turn {
            TurnState::Running | TurnState::Open => return,
            TurnState::Chosen => TurnState::Granted,
            TurnState::Granted => TurnState::Running,
        };
        self.threads_mut().turn = next;
    }

    /// Chooses the thread that makes the next visible action.
    pub(super) fn choose_thread(&mut self) -> Flow<()> {
        let threads = Rc::clone(&self.state.threads);
        let alive =
            |it: &ThreadId| threads.all.get(*it as usize).is_some_and(|it| it.progress == ThreadProgress::Alive);
        let alive: Vec<ThreadId> = (0..threads.all.len() as u32).filter(alive).collect();
        let action = |id: ThreadId| threads.all.get(id as usize).and_then(|it| it.next.as_ref());
        let able = |it: &ThreadId| action(*it).is_some_and(|action| self.can_proceed(*it, &action.waits));
        let able: Vec<ThreadId> = alive.iter().copied().filter(able).collect();
        if alive.is_empty() {
            if self.state.process.at_exit.last().is_some() {
                return Err(self.unsupported("functions that run at the end, where the last thread has ended"));
            }
            return Err(self.exit(Val::Int(0)));
        }
        if able.is_empty() {
            return Err(self.deadlock(&alive));
        }
        let independent = |a: ThreadId, b: ThreadId| match (action(a), action(b)) {
            (Some(a), Some(b)) => a.is_independent_of(b),
            _ => false,
        };
        let awake = awake_threads(&able, &threads.sleep, independent);
        for _ in awake.len()..able.len() {
            self.note(REDUCED, "interleavings that do the same", false);
        }
        let chosen = match awake.as_slice() {
            [] => {
                self.threads_mut().is_redundant = true;
                return Err(Step::Exit(Outcome::Silent));
            }
            [only] => only,
            several => {
                let always = self.ctx.terms.bool(true);
                let label = |it: &AwakeThread| AlternativeLabel::Case(ThreadTable::name(it.id).into());
                let alternatives = several.iter().map(|it| Alternative { cond: always, label: label(it) });
                let index = match self.ask(Step::Branch(alternatives.collect()))? {
                    Resolution::Alternative(index) => index as usize,
                    _ => 0,
                };
                several.get(index).unwrap_or(&several[0])
            }
        };
        self.switch_to(chosen);
        Ok(())
    }

    /// The calls of the state become those of this thread.
    fn run_as(&mut self, id: ThreadId) {
        let current = self.state.threads.current;
        if id == current {
            return;
        }
        let own = std::mem::take(&mut self.state.frames);
        let threads = Rc::make_mut(&mut self.state.threads);
        if let Some(thread) = threads.all.get_mut(current as usize) {
            thread.frames = own;
        }
        if let Some(thread) = threads.all.get_mut(id as usize) {
            self.state.frames = std::mem::take(&mut thread.frames);
        }
        threads.current = id;
    }

    fn switch_to(&mut self, chosen: &AwakeThread) {
        self.run_as(chosen.id);
        let place = self.place();
        let threads = self.threads_mut();
        threads.sleep = Rc::clone(&chosen.sleep_after);
        let action = threads.running_mut().and_then(|it| it.next.take());
        let action = action.map_or(BEGIN, |it| it.name);
        threads.turn = if action == BEGIN { TurnState::Running } else { TurnState::Chosen };
        threads.schedule.push(ThreadTurn { thread: chosen.id, place, action, wakes: None });
    }

    /// Whether what a thread waits for has happened.
    fn can_proceed(&self, id: ThreadId, waits: &WaitCondition) -> bool {
        let threads = &self.state.threads;
        let is_free = |mutex: u64| self.word(mutex, 0) == Some(0) || self.word(mutex, 0).is_none();
        match *waits {
            WaitCondition::Nothing => true,
            WaitCondition::Mutex(mutex) => is_free(mutex),
            WaitCondition::ReadLock(lock) => self.word(lock, 0).is_none_or(|writer| writer == 0),
            WaitCondition::WriteLock(lock) => {
                self.word(lock, 0).is_none_or(|writer| writer == 0) && self.word(lock, 4).is_none_or(|it| it == 0)
            }
            WaitCondition::Signal { mutex, timed, .. } => {
                let thread = threads.all.get(id as usize);
                let signalled = thread.and_then(|it| it.waiting).is_some_and(|it| it.2);
                (signalled || timed) && is_free(mutex)
            }
            WaitCondition::End(other) => {
                threads.all.get(other as usize).is_some_and(|it| it.progress != ThreadProgress::Alive)
            }
            WaitCondition::Barrier(barrier, round) => self.word(barrier, 8).is_none_or(|it| it != round),
            WaitCondition::Semaphore(at) => self.word(at, 0).is_none_or(|it| it != 0),
            WaitCondition::Once(once) => self.word(once, 0).is_none_or(|it| it != 1),
        }
    }

    /// The 32-bit number at an address and an offset, if it is known: what an object of synchronisation holds.
    pub(crate) fn word(&self, address: u64, offset: u64) -> Option<u32> {
        let (id, at) = ObjectId::of_address(address);
        let Lookup::Object(object) = self.state.memory.lookup(id) else { return None };
        let at = usize::try_from(at).ok()?.checked_add(offset as usize)?;
        if at.checked_add(4)? > object.bytes.len() {
            return None;
        }
        object.bytes.load_concrete(at, 4).map(|it| it as u32)
    }

    /// The name of the object at an address.
    pub(crate) fn name_at(&self, address: u64) -> String {
        let (id, offset) = ObjectId::of_address(address);
        match self.state.memory.get(id) {
            Some(object) if offset == 0 => object.name.to_string(),
            Some(object) => format!("{} at offset {offset}", object.name),
            None => "an object that is gone".to_owned(),
        }
    }

    /// No thread that is alive can go on.
    fn deadlock(&mut self, alive: &[ThreadId]) -> Step {
        let sentences: Vec<String> = alive.iter().map(|it| self.what_it_waits_for(*it)).collect();
        let message = format!("no thread can go on: {}", sentences.join("; "));
        // The report shows the first thread that waits for more than the end of another, whoever came last.
        let waits_for_end = |it: &ThreadId| {
            let action = self.state.threads.all.get(*it as usize).and_then(|it| it.next.as_ref());
            action.is_some_and(|it| matches!(it.waits, WaitCondition::End(_)))
        };
        if let Some(&shown) = alive.iter().find(|it| !waits_for_end(it)).or(alive.first()) {
            self.run_as(shown);
        }
        self.violation(DEADLOCK, message)
    }

    fn what_it_waits_for(&self, id: ThreadId) -> String {
        let name = ThreadTable::name(id);
        let Some(action) = self.state.threads.all.get(id as usize).and_then(|it| it.next.as_ref()) else {
            return format!("{name} waits");
        };
        let line = match self.place_of_thread(id) {
            0 => String::new(),
            line => format!(" (line {line})"),
        };
        let held_by = |owner: u32| match owner {
            0 => "that nobody unlocks".to_owned(),
            owner if owner == id + 1 => "which it holds itself".to_owned(),
            owner => format!("which {} holds", ThreadTable::name(owner - 1)),
        };
        match action.waits {
            WaitCondition::Nothing => format!("{name} waits{line}"),
            WaitCondition::Mutex(mutex) => {
                let owner = held_by(self.word(mutex, 8).unwrap_or(0));
                format!("{name} waits for the mutex {}, {owner}{line}", self.name_at(mutex))
            }
            WaitCondition::ReadLock(lock) => {
                let owner = held_by(self.word(lock, 0).unwrap_or(0));
                format!("{name} waits to read under {}, {owner}{line}", self.name_at(lock))
            }
            WaitCondition::WriteLock(lock) => match self.word(lock, 0).unwrap_or(0) {
                0 => format!("{name} waits to write under {}, which has readers{line}", self.name_at(lock)),
                owner => format!("{name} waits to write under {}, {}{line}", self.name_at(lock), held_by(owner)),
            },
            WaitCondition::Signal { condition, mutex, .. } => {
                let signalled =
                    self.state.threads.all.get(id as usize).and_then(|it| it.waiting).is_some_and(|it| it.2);
                if signalled {
                    let owner = held_by(self.word(mutex, 8).unwrap_or(0));
                    format!("{name} waits for the mutex {}, {owner}{line}", self.name_at(mutex))
                } else {
                    format!(
                        "{name} waits for the condition variable {}, which nobody signals{line}",
                        self.name_at(condition)
                    )
                }
            }
            WaitCondition::End(other) => format!("{name} waits for the end of {}{line}", ThreadTable::name(other)),
            WaitCondition::Barrier(barrier, _) => {
                format!("{name} waits at the barrier {}{line}", self.name_at(barrier))
            }
            WaitCondition::Semaphore(at) => {
                format!("{name} waits for the semaphore {}, which nobody posts{line}", self.name_at(at))
            }
            WaitCondition::Once(once) => format!("{name} waits for the initialisation {}{line}", self.name_at(once)),
        }
    }

    fn place_of_thread(&self, id: ThreadId) -> u32 {
        if id == self.state.threads.current && !self.state.frames.is_empty() {
            return self.place().line;
        }
        let frames = self.state.threads.all.get(id as usize).map(|it| &it.frames);
        frames.map_or(0, |it| self.program.place_of_frames(it).line)
    }

    // The end of a thread.

    /// The current thread ends with this result, once the destructors of what it has stored under keys have run.
    pub(crate) fn end_thread(&mut self, result: Val) -> Flow<()> {
        if self.run_key_destructor()? {
            return Ok(());
        }
        let threads = self.threads_mut();
        let mut locals = Vec::new();
        if let Some(thread) = threads.running_mut() {
            thread.progress = ThreadProgress::Ended;
            thread.result = result;
            thread.next = None;
            locals = std::mem::take(&mut thread.locals).into_values().collect();
        }
        threads.turn = TurnState::Open;
        for frame in std::mem::take(&mut self.state.frames).iter() {
            for &id in frame.allocas.iter().chain(&frame.dynamic) {
                self.state.memory.forget(id);
            }
        }
        locals.into_iter().for_each(|it| self.state.memory.forget(it));
        self.state.frames = Frames::default();
        self.end_atomic_function();
        Ok(())
    }

    /// Enters the destructor of a key under which the current thread has stored something; the instruction that ends the
    /// thread is run again after it.
    fn run_key_destructor(&mut self) -> Flow<bool> {
        let threads = Rc::clone(&self.state.threads);
        let Some(thread) = threads.running() else { return Ok(false) };
        for (&key, value) in &thread.values {
            let Some(Some(destructor)) = threads.keys.get(key as usize) else { continue };
            if *value == Val::Int(0) || *destructor == Val::Int(0) {
                continue;
            }
            let crate::code::Callable::Function(function) = self.callee(destructor)? else {
                return Err(self.unsupported("a destructor of a key that is no function of the program"));
            };
            let mut frame = super::new_frame(self.program, function, std::slice::from_ref(value));
            frame.ignore_result = true;
            if let Some(thread) = self.threads_mut().running_mut() {
                thread.values.remove(&key);
            }
            self.state.frames.push(Rc::new(frame));
            return Ok(true);
        }
        Ok(false)
    }

    /// Before the program ends: other threads may still do something first.
    pub(crate) fn visible_end(&mut self) -> Flow<()> {
        if !self.state.threads.are_several() {
            return Ok(());
        }
        self.visible(VisibleAction::global("exit"))?;
        let left = self.state.threads.all.iter().enumerate().skip(1).find(|it| it.1.progress == ThreadProgress::Alive);
        if let Some((id, _)) = left {
            let what = format!("the program ends while {} is running", ThreadTable::name(id as u32));
            self.note("threads-left", &what, false);
        }
        Ok(())
    }

    /// The bug that the current thread waits for itself.
    pub(crate) fn self_deadlock(&mut self, message: String) -> Step {
        self.violation(DEADLOCK, message)
    }
}

impl Machine<'_, '_> {
    /// The visible action of the current thread is made, although its instruction is run again.
    pub(crate) fn end_visible(&mut self) {
        if self.state.threads.turn == TurnState::Granted {
            self.threads_mut().turn = TurnState::Running;
        }
    }

    /// One of several alternatives that are all possible: a choice that nobody decides.
    pub(crate) fn choose_among(&mut self, cases: &[(effigy_term::Term, std::sync::Arc<str>)]) -> Flow<usize> {
        let label = |it: &std::sync::Arc<str>| AlternativeLabel::Case(std::sync::Arc::clone(it));
        let alternatives = cases.iter().map(|it| Alternative { cond: it.0, label: label(&it.1) });
        match self.ask(Step::Branch(alternatives.collect()))? {
            Resolution::Alternative(index) => Ok(index as usize),
            _ => Ok(0),
        }
    }
}
