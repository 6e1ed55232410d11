//! What the C library remembers of a running program.
//!
//! Knows: the functions that run at its end. Never: who registers them (`libc`), how they are run (`step`).
//! Everything here is persistent, as all of a state.

use crate::value::Val;
use effigy_term::PersistentList;

/// What the C library remembers on one path.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// What runs when the program ends by `exit` or by the end of `main`, the last first.
    pub at_exit: PersistentList<Handler>,
    /// What runs when it ends by `quick_exit`.
    pub at_quick_exit: PersistentList<Handler>,
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
