//! What a person chooses before a program runs.
//!
//! Knows: the entry, the limits of what is made up for it, the checks. Never: the program.

use crate::checks::Checks;
use crate::surroundings::Surroundings;

/// What `int` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Integers {
    /// What the machine has.
    #[default]
    Machine,
    /// The mathematical integers, for teaching: of programs that compute with `int` alone.
    Ideal,
}

/// What is in storage that was never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Uninitialised {
    /// Nothing: what depends on it is a bug.
    #[default]
    Bug,
    /// Anything: it is an input of the program, as other model checkers have it.
    Input,
}

/// What a function does of which only the name is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Externals {
    /// It returns any value, and writes anything where its arguments lead: what follows is only possible.
    #[default]
    Any,
    /// It returns any value, which is an input, and changes nothing; so does a variable that is only declared.
    Pure,
    /// Nobody knows: the path ends.
    Refused,
}

/// How a program is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function to explore with symbolic arguments; `main` as it is when absent.
    pub entry: Option<String>,
    /// The size in bytes of the buffer behind each pointer argument of the entry.
    pub buffer: u64,
    /// What is not any value of the entry's arguments, a sentence each.
    pub assumed: Vec<String>,
    /// Which classes of bugs are looked for.
    pub checks: Checks,
    /// What an unknown function does.
    pub externals: Externals,
    /// Arguments, standard input, files, the environment.
    pub surroundings: Surroundings,
    /// What the compiler was told that decides which bugs are there to find, a sentence each.
    pub compiled: Vec<String>,
    /// What `int` is.
    pub integers: Integers,
    /// What is in storage that was never written.
    pub uninitialised: Uninitialised,
    /// Whether each call of the `malloc` family may return null.
    pub malloc_may_fail: bool,
    /// How many calls that read, write or close a descriptor may fail on a path, or move fewer bytes than asked.
    pub max_fail: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            entry: None,
            buffer: 8,
            assumed: Vec::new(),
            checks: Checks::default(),
            externals: Externals::Any,
            surroundings: Surroundings::default(),
            compiled: Vec::new(),
            integers: Integers::Machine,
            uninitialised: Uninitialised::Bug,
            malloc_may_fail: false,
            max_fail: 0,
        }
    }
}
