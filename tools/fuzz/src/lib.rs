//! The native half of fuzzing: a program runs inputs by the hundred thousand, and a supervisor outlives it.
//!
//! Knows: the loop in C that is compiled into the program (`runtime`), its board and its records, the corpus folder as
//! AFL++ and libFuzzer have it, what sanitizers say. Processes are started here, because the program under test is one.
//! Never: the compiler (`languages/llvm/src/driver/fuzz.rs`), terms and paths, the terminal.
//!
//! The survey is `shared/notes/fuzzing.md` of the project: one instrumented program gives all verdicts on novelty.

mod account;
mod board;
mod campaign;
mod child;
mod corpus;
mod minimise;
mod pace;
mod sanitizers;
mod single;

pub use account::{
    Account, Bug, Config, FindingKind, FuzzError, Sample, Status, Symbolic, SymbolicEvent, UnrepeatedEnd, Watcher,
};
pub use board::Board;
pub use campaign::fuzz;
pub use corpus::{MOST_INPUT, inputs_of};
pub use pace::Pace;
pub use sanitizers::{Frame, Report};
pub use single::{NamedInput, Run, Single};

/// The loop, one text of C: it is compiled with each program that is fuzzed.
pub const RUNTIME: &str = concat!(
    include_str!("../runtime/base.h"),
    include_str!("../runtime/watch.h"),
    include_str!("../runtime/marks.h"),
    include_str!("../runtime/blocks.h"),
    include_str!("../runtime/processes.h"),
    include_str!("../runtime/run.h"),
    include_str!("../runtime/queue.h"),
    include_str!("../runtime/havoc.h"),
    include_str!("../runtime/solve.h"),
    include_str!("../runtime/main.h"),
);

/// How a program takes its input; the numbers are those of `runtime/base.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A call of `LLVMFuzzerTestOneInput` for each input.
    Target = 0,
    /// The standard input of the program.
    Stdin = 1,
    /// A file whose name is the one argument.
    FileArgument = 2,
    /// Inputs that it asks for by name, from its own `main`.
    Marks = 3,
    /// The same, from a `main` that we wrote and that is called again and again.
    Entry = 4,
}

impl Kind {
    /// Whether each run needs a process: a `main` is made to be called once.
    pub fn needs_processes(self) -> bool {
        matches!(self, Kind::Stdin | Kind::FileArgument | Kind::Marks)
    }
}

/// Where an input comes from; the order is that of `runtime/base.h`.
pub const STAGES: &[&str] = &["given", "havoc", "splice", "copied", "computed", "descent", "sync", "solved"];

/// For so long a symbolic half takes an item from the work list; the campaign makes it longer while it works.
pub const LEASE: std::time::Duration = campaign::LEASE;

/// The stage of an input that another fuzzer has found.
pub(crate) const SYNCED: u32 = 6;

/// The stage of an input that a symbolic run has led to.
pub(crate) const SOLVED: u32 = 7;
