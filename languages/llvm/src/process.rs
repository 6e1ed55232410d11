//! What the C library remembers of a running program.
//!
//! Knows: the functions that run at its end, which family of functions a heap object belongs to, the environment,
//! the files. Never: who registers them (`libc`), how they are run (`step`).
//! Everything here is persistent, as all of a state.

use crate::files::Files;
use crate::memory::ObjectId;
use crate::value::Val;
use effigy_term::float::Rounding;
use effigy_term::{PersistentList, Term};
use rpds::HashTrieMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// What the parent process sees of the code that a program ends with: its last eight bits (POSIX, `waitpid`).
pub(crate) fn status(code: u64) -> i32 {
    (code & 0xff) as i32
}

/// What the C library remembers on one path.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// What runs when the program ends by `exit` or by the end of `main`, the last first.
    pub at_exit: PersistentList<Handler>,
    /// What runs when it ends by `quick_exit`.
    pub at_quick_exit: PersistentList<Handler>,
    /// How many pieces of the output have left the buffer of standard output; `None` where the program has changed how it
    /// is buffered.
    pub flushed: Option<usize>,
    /// Heap objects that are not from the `malloc` family.
    pub families: Rc<BTreeMap<ObjectId, Family>>,
    /// Where each block was allocated that may be leaked: the calls that had not returned, the innermost first.
    pub allocations: HashTrieMap<ObjectId, Rc<[CallSite]>>,
    /// What `getenv` has returned for each name.
    pub environment: Rc<BTreeMap<Arc<str>, Val>>,
    /// What uninterpreted functions have returned.
    pub applied: PersistentList<Application>,
    /// The files, and who has opened them.
    pub files: Rc<Files>,
    /// How many bytes each of the inputs has that is a file.
    pub sizes: Rc<BTreeMap<Arc<str>, Term>>,
    /// The rounding mode that the program has set; `None` for that with which it begins, to the nearest.
    pub rounding: Option<Rounding>,
}

/// What a function has returned of which nothing is known but that it is one.
#[derive(Clone, PartialEq, Debug)]
pub struct Application {
    /// Its name.
    pub name: Arc<str>,
    /// What it was given.
    pub arguments: Rc<[Term]>,
    /// What it has returned.
    pub result: Term,
}

/// A call that had not returned: a function, and the instruction at which it stood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// The number of the function.
    pub function: u32,
    /// The number of the instruction.
    pub pc: u32,
}

/// Which functions belong together: what allocates and what frees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// `malloc` and its kin, `free`.
    Malloc,
    /// `new`, `delete`.
    New,
    /// `new[]`, `delete[]`.
    NewArray,
    /// `mmap`, `munmap`: so many bytes, in whole pages.
    Map(u64),
    /// Rust's allocator.
    Rust {
        /// What the memory was asked to be aligned to; `None` where that is symbolic.
        align: Option<u64>,
    },
}

impl Family {
    /// What allocates.
    pub(crate) fn allocating(self) -> &'static str {
        match self {
            Family::Malloc => "the malloc family",
            Family::New => "new",
            Family::NewArray => "new[]",
            Family::Map(_) => "mmap",
            Family::Rust { .. } => "Rust's allocator",
        }
    }

    /// What frees.
    pub(crate) fn freeing(self) -> &'static str {
        match self {
            Family::Malloc => "free or realloc",
            Family::New => "delete",
            Family::NewArray => "delete[]",
            Family::Map(_) => "munmap",
            Family::Rust { .. } => "Rust's allocator",
        }
    }

    /// Whether what one allocates the other may free.
    pub(crate) fn frees(self, other: Family) -> bool {
        match (self, other) {
            (Family::Rust { .. }, Family::Rust { .. }) => true,
            _ => self == other,
        }
    }
}

/// A function that runs at the end of a program.
#[derive(Clone, Debug)]
pub struct Handler {
    /// Its address.
    pub function: Val,
    /// What it is called with.
    pub passed: Passed,
}

/// The arguments of a [`Handler`].
#[derive(Clone, Debug)]
pub enum Passed {
    /// None (`atexit`).
    Nothing,
    /// This (`__cxa_atexit`).
    Argument(Val),
    /// The exit code and this (`on_exit`).
    Status(Val),
}
