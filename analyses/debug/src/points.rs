//! What a session was told to look for: how far to go, where to stop, what to trace.
//!
//! Knows: these as data. Never: how they are met.

use crate::command::Scope;
use std::sync::Arc;

/// The point to which a command executes, if nothing stops it before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// Up to the next breakpoint or open question.
    Stop,
    /// This number of statements, those of called procedures included.
    Steps(u64),
    /// This number of statements of the current procedure; calls count as one.
    Nexts(u64),
    /// Until the current procedure has returned.
    Finish,
}

/// A breakpoint with its place and its condition.
#[derive(Clone, Debug)]
pub(crate) struct Breakpoint {
    pub(crate) number: u64,
    pub(crate) point: Option<Resolved>,
    pub(crate) condition: Option<String>,
    /// The text by which it is listed.
    pub(crate) text: String,
}

/// Statements by procedure and number, with the column of the first one of that number: others are within it.
pub(crate) type Statements = Vec<(Arc<str>, u32, u32)>;

#[derive(Clone, Debug)]
pub(crate) enum Resolved {
    Before(Statements),
    After(Statements),
    Between(Statements, Statements),
}

/// The settings of `trace`: what is printed of which statements.
#[derive(Clone, Debug)]
pub(crate) struct Traced {
    pub(crate) number: bool,
    pub(crate) source: bool,
    pub(crate) values: bool,
    pub(crate) checks: bool,
    pub(crate) scopes: Vec<Scope>,
}

impl Traced {
    pub(crate) fn has(&self, number: u32, procedure: &str) -> bool {
        let within = |it: &Scope| match it {
            Scope::Numbers(low, high) => (*low..=*high).contains(&number),
            Scope::Procedure(name) => procedure.eq_ignore_ascii_case(name),
        };
        self.scopes.is_empty() || self.scopes.iter().any(within)
    }
}
