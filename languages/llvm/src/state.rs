//! The state of one path of a program: ⟨S, σ⟩ without φ.
//!
//! Knows: frames, memory, the inputs and the output so far. Never: how instructions change it (`step`).
//! Everything here is persistent: cloned states share what neither has changed.

use crate::call_frame::Frame;
use crate::extent::Extent;
use crate::format::{Conversion, write_number};
use crate::frames::Frames;
use crate::memory::{Memory, Strays};
use crate::placement::Layout;
use crate::process::Process;
use crate::threads::ThreadTable;
use crate::value::Val;
use effigy_engine::{Resolution, Violation};
use effigy_term::{PersistentList, Term};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// A path's state.
#[derive(Clone, Debug)]
pub struct State {
    /// All objects.
    pub memory: Memory,
    /// The pointers that have left their objects' windows.
    pub strays: Rc<Strays>,
    /// The calls that have not returned, the innermost last.
    pub frames: Frames<Frame>,
    /// Whether the first call was made: with how many arguments may be a question.
    pub begun: bool,
    /// The answers that the current instruction has got so far. An instruction with a question is run again from its
    /// start when it is answered, so it changes nothing before its last question.
    pub answers: Vec<Resolution>,
    /// The inputs that the program has asked for.
    pub inputs: Rc<Vec<InputRecord>>,
    /// The names of the inputs, and how often each was asked for.
    pub input_names: Rc<BTreeMap<Arc<str>, u32>>,
    /// How many undefined values were named.
    pub undefined: u32,
    /// What the path asked for although undefined values are in it: it holds whatever these are, or natively something
    /// else may happen.
    pub defined: Rc<Vec<Term>>,
    /// Those that stand for poison, in the order of their making.
    pub poison: Rc<Vec<Poison>>,
    /// How many values of unknown functions were named.
    pub fresh: u32,
    /// A function without a body was called, and assumed to change nothing: the path may not be real.
    pub called_unknown: bool,
    /// What the path did depends on where objects lie: natively they may lie elsewhere.
    pub placed: bool,
    /// The path looked at the bits of a NaN: natively they may be others.
    pub nan_bits: bool,
    /// What decisions of the path say of where objects lie. It is no part of φ.
    pub layout: Rc<Layout>,
    /// What the program wrote to standard output.
    pub output: PersistentList<Chunk>,
    /// Where `rand` stands.
    pub random: u64,
    /// What the C library remembers.
    pub process: Process,
    /// The threads.
    pub threads: Rc<ThreadTable>,
    /// The marks of the program that say where paths become one.
    pub marks: Marks,
    /// The exit code, once the program has ended by itself.
    pub exit: Option<Val>,
    /// The two words of `fmt::Arguments` that say the text of the panic of Rust in which the path has ended.
    pub panic: Option<[Val; 2]>,
    /// The access that has to be within its object for the path to go on.
    pub outside: Option<Extent>,
}

/// `klee_open_merge` and `klee_close_merge`: the paths that have come from one opening become one where they close it.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The openings that are not closed.
    pub open: PersistentList<u32>,
    /// The opening that the last instruction has closed.
    pub closed: Option<u32>,
}

/// The result of an operation that has none: a bug where it decides something.
#[derive(Clone, Debug)]
pub struct Poison {
    /// The undefined value.
    pub term: Term,
    /// What was done.
    pub violation: Violation,
    /// It is an address whose arithmetic has wrapped around.
    pub wrapped: bool,
}

/// An input.
#[derive(Clone, Debug)]
pub struct InputRecord {
    /// The user's name for it; numbered when it is used again.
    pub name: Arc<str>,
    /// The bytes of each of its pieces.
    pub element: u32,
    /// Whether its pieces can be negative numbers.
    pub signed: bool,
    /// Its type, where the program says what that is called.
    pub ty: Option<Arc<str>>,
    /// Its pieces from the lowest address: bitvectors of `8 · element` bits.
    pub pieces: Vec<Term>,
}

/// A piece of output.
#[derive(Clone, Debug)]
pub enum Chunk {
    /// Known text.
    Bytes(Rc<[u8]>),
    /// A number whose value the witness decides.
    Number {
        /// How to write it.
        format: Conversion,
        /// The number.
        term: Term,
    },
}

impl Chunk {
    /// Writes the piece; `value` gives the numbers of terms.
    pub(crate) fn write(&self, value: &mut dyn FnMut(Term) -> u64, into: &mut Vec<u8>) {
        match self {
            Chunk::Bytes(bytes) => into.extend_from_slice(bytes),
            Chunk::Number { format, term } => write_number(format, value(*term), into),
        }
    }
}

/// What the counters count that all paths of a walk share.
pub(crate) mod counter {
    /// Objects.
    pub(crate) const OBJECTS: usize = 0;
    /// Values of storage that was never written.
    pub(crate) const UNDEFINED: usize = 1;
    /// Openings of marks.
    pub(crate) const MARKS: usize = 3;
    /// Values that are made up.
    pub(crate) const FRESH: usize = 2;
}
