//! What executes: a program with all that it calls, and one state of it.
//!
//! Knows: which functions the interpreter brings along, as pointers; so instructions (`step`) need not know `libc`, nor
//! `libc` who calls it. Never: what an instruction or a function does.

use crate::call_frame::Frame;
use crate::code::{Call, Code, Func};
use crate::flow::Flows;
use crate::frames::Frames;
use crate::memory::ObjectId;
use crate::options::Options;
use crate::process::CallSite;
use crate::state::State;
use crate::value::Val;
use effigy_engine::{Context, Place, Step, Violation};
use effigy_term::Term;
use std::rc::Rc;
use std::sync::Arc;

/// A result, or the question (or end) that comes first.
pub(crate) type Flow<T> = Result<T, Step>;

/// A function that the interpreter knows: its result, if it has one.
pub(crate) type Builtin = fn(&mut Machine<'_, '_>, &Call, &[Val]) -> Flow<Option<Val>>;

/// What formats a panic's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextWriter {
    /// The number of `core::fmt::write`.
    pub(crate) function: u32,
    /// The address of the `dyn fmt::Write` vtable of the writer that takes the text.
    pub(crate) vtable: u64,
}

/// A program with all that it calls.
pub(crate) struct Executable {
    pub(crate) code: Code,
    pub(crate) options: Options,
    /// By the numbers that the code has for them.
    pub(crate) builtins: Box<[Builtin]>,
    pub(crate) library: Library,
    /// The program asks for locks that may be taken (`pthread_mutex_trylock`): then that a lock is given back is an action
    /// that others see.
    pub(crate) tries_locks: bool,
    pub(crate) flows: Flows,
    /// What formats a panic's text, in a whole program of Rust.
    pub(crate) text_writer: Option<TextWriter>,
}

impl Executable {
    /// The places of the calls that have not returned, the innermost first; those inside of the library are left out. No
    /// more of them than a report tells.
    pub(crate) fn stack(&self, state: &State) -> Vec<Place> {
        self.innermost(state, 1 + Violation::MOST_CALLS)
    }

    /// The calls that have not returned, the innermost first; those inside of the library are left out. No more of them
    /// than a report tells.
    pub(crate) fn call_sites(&self, state: &State) -> Rc<[CallSite]> {
        let own = |it: &&Rc<Frame>| !self.code.functions[it.function as usize].library;
        let sites = state.frames.iter().rev().filter(own).take(1 + Violation::MOST_CALLS);
        sites.map(|it| CallSite { function: it.function, pc: it.pc }).collect()
    }

    /// The place of a call in the source.
    pub(crate) fn place_of(&self, site: CallSite) -> Place {
        let function = &self.code.functions[site.function as usize];
        let mut place = self.code.places[function.places[site.pc as usize] as usize].clone();
        if place.function.is_empty() {
            place.function = Arc::clone(&function.source_name);
        }
        place
    }

    /// Where a state stands.
    pub(crate) fn place(&self, state: &State) -> Place {
        self.innermost(state, 1).pop().unwrap_or_default()
    }

    /// Where the calls of a thread stand that is not the current one.
    pub(crate) fn place_of_frames(&self, frames: &Frames<Frame>) -> Place {
        self.innermost_of(frames, 1).pop().unwrap_or_default()
    }

    fn innermost(&self, state: &State, most: usize) -> Vec<Place> {
        self.innermost_of(&state.frames, most)
    }

    fn innermost_of(&self, frames: &Frames<Frame>, most: usize) -> Vec<Place> {
        let place = |frame: &Rc<Frame>| self.place_of(CallSite { function: frame.function, pc: frame.pc });
        let own = |frame: &&Rc<Frame>| !self.code.functions[frame.function as usize].library;
        let places: Vec<Place> = frames.iter().rev().filter(own).take(most).map(place).collect();
        // Handlers of the program's end may be the library's alone.
        if places.is_empty() { frames.iter().rev().take(most).map(place).collect() } else { places }
    }
}

/// Objects that libc brings along, by their addresses.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    pub(crate) errno: u64,
    pub(crate) ctype_b: u64,
    pub(crate) ctype_tolower: u64,
    pub(crate) ctype_toupper: u64,
    /// Standard input, output and error.
    pub(crate) streams: [u64; 3],
    /// Of the builtins by number: whether it computes with numbers that are addresses, as an instruction does.
    pub(crate) computes: Box<[bool]>,
}

impl Library {
    /// Whether the builtin of this number computes with numbers that are addresses; else something depends on them.
    pub(crate) fn computes(&self, builtin: u32) -> bool {
        self.computes.get(builtin as usize).is_some_and(|it| *it)
    }
}

/// One state in its surroundings.
pub(crate) struct Machine<'m, 'c> {
    pub(crate) program: &'m Executable,
    pub(crate) ctx: &'m mut Context<'c>,
    pub(crate) state: &'m mut State,
    /// How many questions the current instruction has asked so far.
    pub(crate) asked: usize,
    /// Whether the state has come to a place where paths can meet, in a walk that merges them.
    pub(crate) meets: bool,
    /// The objects that the current instruction was told are there, of those that only some of the paths have.
    pub(crate) found: Vec<ObjectId>,
    /// How many bytes the current instruction has asked for so far.
    pub(crate) touched: u64,
    /// The accesses of the current instruction are atomic: those of a lock's own function.
    pub(crate) is_atomic: bool,
    /// What the current instruction has decided of where objects lie, with the placement for which it is so.
    pub(crate) placed: Vec<(Term, Option<(u32, u64)>)>,
}

impl<'m, 'c> Machine<'m, 'c> {
    /// The function that runs.
    pub(crate) fn running(&self) -> Option<&'m Func> {
        let inner = self.state.frames.last()?;
        self.program.code.functions.get(inner.function as usize)
    }

    /// Whether the function that runs is one of the C library that is compiled in.
    pub(crate) fn is_in_c_library(&self) -> bool {
        self.running().is_some_and(|it| it.library && !it.of_rust)
    }

    pub(crate) fn new(program: &'m Executable, ctx: &'m mut Context<'c>, state: &'m mut State) -> Machine<'m, 'c> {
        Machine {
            program,
            ctx,
            state,
            asked: 0,
            meets: false,
            found: Vec::new(),
            touched: 0,
            is_atomic: false,
            placed: Vec::new(),
        }
    }
}
