//! How a path ends and what a person is told about it.
//!
//! Knows: places, violations, witnesses as data. Never: how they are rendered.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A place in the source. Lines and columns count from 1; 0 is unknown.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Place {
    /// The file as the compiler named it; empty when unknown.
    pub file: Arc<str>,
    /// The line, from 1; 0 when unknown.
    pub line: u32,
    /// The column, from 1; 0 when unknown.
    pub column: u32,
    /// The name of the function or procedure; empty when unknown.
    pub function: Arc<str>,
}

/// The class of a bug, by its stable name (`out-of-bounds-read`): in flags, JSON and corpus headers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BugKind(pub &'static str);

/// A bug on a path: an event that the program must not reach.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Violation {
    /// The class of the bug, by its stable name.
    pub kind: BugKind,
    /// One sentence for a person.
    pub message: String,
    /// The place in the source where it happens.
    pub place: Place,
    /// The calls that lead there, innermost first, without `place` itself: [`Violation::MOST_CALLS`] at most.
    pub stack: Vec<Place>,
}

impl Violation {
    /// The most calls that are kept of those that lead to a violation.
    pub const MOST_CALLS: usize = 16;

    /// The same violation with the message for one input, where that has one of its own.
    pub fn with_message(self, message: Option<&str>) -> Violation {
        Violation { message: message.map_or(self.message, str::to_owned), ..self }
    }
}

/// How the program ended on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The program ended by itself, with this code where the language has one.
    Exit {
        /// The exit code, where the language has one.
        code: Option<i32>,
    },
    /// The program asked to drop the path without a report (`klee_silent_exit`).
    Silent,
    /// A bug on every input of this path.
    Violation(Box<Violation>),
}

/// Why a language does not execute a path any further. It is never an answer about the program: what comes after is not
/// known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GaveUp {
    /// The class of the reason.
    pub cause: GiveUpCause,
    /// What is not executed, or why, in words.
    pub what: String,
    /// The place in the source where the path stands.
    pub place: Place,
}

/// The class of the reason for which a language gives a path up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum GiveUpCause {
    /// The language does not know this construct.
    Unsupported,
    /// Something could not be decided.
    Undecided,
    /// A limit of the language itself was reached.
    Limit,
}

impl std::fmt::Display for GaveUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cause = match self.cause {
            GiveUpCause::Unsupported => "not supported",
            GiveUpCause::Undecided => "undecided",
            GiveUpCause::Limit => "cut",
        };
        write!(f, "{cause}: {}", self.what)
    }
}

/// How a path came to its end: the program's own, or that the language gave up.
pub type PathOutcome = Result<Outcome, GaveUp>;

/// Concrete inputs that take a path, and what the program then printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Witness {
    /// The inputs in the order in which the program asked for them.
    pub inputs: Vec<Input>,
    /// What the program wrote to its standard output.
    pub output: Vec<u8>,
    /// The exit code for these inputs, where the program ended by itself.
    pub exit: Option<i32>,
    /// The message of the bug at the end of the path for these inputs, where it says more than the violation, which is
    /// of all inputs of the path.
    pub message: Option<String>,
    /// The path rests on values that a real run may not give: results of functions that are not known.
    pub assumed: bool,
    /// What comes from outside of the program was made up on the path: a bug at its end is a possible one.
    pub made_up: bool,
    /// For a bug that is an access outside of an object: the number of bytes between the object and the part of the access
    /// that is nearest to it; 0 where the access begins or ends at the object, and for all other ends.
    pub gap: u64,
    /// The turns of the threads; empty while there is one thread.
    pub schedule: Vec<ThreadTurn>,
    /// Whether threads take turns before they unlock: some thread can see that a lock is held without waiting for it.
    pub unlocks_are_turns: bool,
}

/// One turn of a schedule: a thread makes an action that others can see, and runs up to its next one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadTurn {
    /// The number of the thread, in the order of creation; 0 is the main thread.
    pub thread: u32,
    /// The place where the thread goes on.
    pub place: Place,
    /// The kind of the action, as the language names it.
    pub action: &'static str,
    /// The thread that the action wakes, where several waited for it.
    pub wakes: Option<u32>,
}

/// One input with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The user's name for it.
    pub name: String,
    /// The name of its type, where the program says it.
    pub ty: Option<String>,
    /// The value, as memory or as a scalar.
    pub data: InputData,
}

impl Input {
    /// An input of which no type is named.
    pub fn new(name: String, data: InputData) -> Input {
        Input { name, ty: None, data }
    }
}

/// The value of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputData {
    /// Memory, byte by byte; `element` is the width in bytes of the integers that it holds (1 for plain bytes).
    Bytes {
        /// The bytes in memory order.
        bytes: Vec<u8>,
        /// The width of its elements in bytes.
        element: u32,
        /// Whether its elements can be negative.
        signed: bool,
    },
    /// A number or truth value in the language's own notation (`-3`, `true`).
    Scalar(String),
}
