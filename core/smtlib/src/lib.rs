//! Scripts of SMT-LIB 2: text into commands over terms, and commands carried out by a solver.
//!
//! Knows: the syntax of scripts, the theories whose operators the arena of terms has, the stack of assertions, the form
//! of answers.
//! Never: files, the terminal, which solver it is.
//!
//! The text is hostile: nothing recurses over it, widths, names and terms are bounded, and what is not understood is an
//! error with its place. The way of a script ([`Script`]) is [`Splitter`] (bytes into commands), [`Reader`]
//! (a command into terms), [`ScriptSession`] (what is answered).
//!
//! Source: The SMT-LIB Standard 2.6 (and the overflow predicates of 2.7).

mod error;
mod split;
mod tokens;
mod words;

mod operators;
mod scope;
mod sorts;
mod typed;

mod command;
mod reader;
mod term;

mod print;
mod session;

mod script;

pub use command::{ScriptCommand, Status};
pub use error::{Position, Problem, ScriptError};
pub use reader::{ReadLimits, Reader};
pub use scope::DeclaredFunction;
pub use script::Script;
pub use session::{CheckedQuery, QueryForm, ScriptSession};
pub use split::Splitter;
pub use typed::{ArraySorts, ScriptSort};
