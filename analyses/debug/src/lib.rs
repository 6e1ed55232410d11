//! The interactive symbolic executor: a person walks the execution tree of a program.
//!
//! Knows: commands, breakpoints, saved states, what was walked. Never: a language, the terminal, files.
//! Source: King 1976, section 6 (EFFIGY) and section 7 (a session).
//!
//! A [`Session`] takes one line after the other and gives a [`Reply`] to each, so that a terminal, a script and a test
//! drive the same thing.

pub mod command;

mod session;

mod breakpoints;
mod completion;
mod dispatch;
mod explore;
mod motion;
mod points;
mod position;
mod show;
mod table;
mod trace;
mod tree;

pub use command::{COMMANDS, Command, CommandError};
pub use completion::completions;
pub use session::{Config, Reply, Session};
