//! The result of a check.

use crate::invariants::Invariant;
use effigy_engine::{Apart, BugKind, Coverage, Limit, Notes, Place, Turning, Violation, Witness};
use effigy_term::{Model, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// The result of a check.
#[derive(Debug, Default)]
pub struct Account {
    /// The properties that were checked, by place and class.
    pub properties: Vec<Property>,
    /// The loops and recursive functions that need more iterations than were made.
    pub needs: Vec<Needs>,
    /// The reasons for which something may have been missed, each with a place, once.
    pub missed: Vec<Words>,
    /// What was assumed: of inputs, of functions that are not known, and that runs have no bug that is not looked for.
    pub notes: Notes,
    /// The limit that stopped the check.
    pub stopped: Option<Limit>,
    /// The number of iterations for which each loop was unwound, where the program does not decide it by itself.
    pub bounds: Vec<(Turning, u32)>,
    /// The loops that were closed by induction, with what they keep.
    pub inductions: Vec<(Turning, Vec<String>)>,
    /// What these loops keep in every round, the first one included, if it was asked for: as the program says it.
    pub invariants: Vec<(Turning, Vec<Invariant>)>,
    /// The ends of the program, if they were asked for.
    pub ends: Vec<Ended>,
    /// The sites that the confirming runs have reached.
    pub coverage: Coverage,
    /// The number of transitions that were made.
    pub steps: u64,
    /// The number of paths that were merged with another.
    pub merged: u64,
    /// The number of paths that met and could not be merged, by the reason.
    pub apart: BTreeMap<Apart, u64>,
    /// The number of paths through the program, each merged path counted for all that it stands for.
    pub ways: f64,
    /// The number of queries to the solver.
    pub queries: u64,
    /// The number of queries that other checks have answered.
    pub heard: u64,
    /// The time that the solver took.
    pub solver: Duration,
    /// The wall time of the whole check.
    pub time: Duration,
}

impl Account {
    /// The one answer for the whole program: the worst of its properties.
    pub fn verdict(&self) -> Verdict {
        let properties = self.properties.iter().map(|it| it.verdict.clone());
        properties.chain([self.rest()]).max_by_key(Verdict::rank).unwrap_or(Verdict::Unknown)
    }

    /// The confirmed runs into bugs, one a property.
    pub fn bugs(&self) -> impl Iterator<Item = &Found> {
        self.properties.iter().filter_map(|it| match &it.verdict {
            Verdict::Bug(found) => Some(&**found),
            _ => None,
        })
    }

    /// The verdict on everything that no property covers: whether the check was complete.
    pub(crate) fn rest(&self) -> Verdict {
        // Up to the bounds that are told, all was decided before the limit.
        let decided = self.stopped.is_none() || !self.needs.is_empty();
        match (self.missed.is_empty() && decided, self.needs.is_empty()) {
            (false, _) => Verdict::Unknown,
            (true, false) => Verdict::Bounded,
            (true, true) => Verdict::Correct,
        }
    }
}

/// A class of bugs that must not happen at a place.
#[derive(Clone, Debug)]
pub struct Property {
    /// The class of bugs that it excludes.
    pub kind: BugKind,
    /// The message of the bug that it excludes.
    pub message: String,
    /// The place in the source where it is checked.
    pub place: Place,
    /// The verdict on the property.
    pub verdict: Verdict,
}

/// The verdict on a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds on every run.
    Correct,
    /// It holds on every run that makes no more iterations than were unwound.
    Bounded,
    /// It is not known whether it holds.
    Unknown,
    /// It does not hold on this run.
    Bug(Box<Found>),
}

impl Verdict {
    fn rank(&self) -> u8 {
        match self {
            Verdict::Correct => 0,
            Verdict::Bounded => 1,
            Verdict::Unknown => 2,
            Verdict::Bug(_) => 3,
        }
    }

    /// Its name in reports for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Correct => "correct",
            Verdict::Bounded => "bounded",
            Verdict::Unknown => "unknown",
            Verdict::Bug(_) => "bug",
        }
    }
}

/// A run into a bug, which was confirmed by running it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The bug in which the run ends.
    pub violation: Violation,
    /// The inputs, by the names that they have on the path alone.
    pub model: Model,
    /// The inputs in the order in which the run asks for them.
    pub inputs: Vec<Value>,
    /// The ways that it takes where the contents of storage that was never written leave several.
    pub contents: Vec<usize>,
    /// The number of transitions of the run.
    pub steps: u64,
    /// The inputs and the output, for people.
    pub witness: Witness,
}

/// An end of the program, with a run that comes to it.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The number of paths that come to this end.
    pub ways: f64,
    /// The inputs of the run, by the names that they have on the path alone.
    pub model: Model,
    /// The inputs, the output and the exit code.
    pub witness: Witness,
}

/// A loop or a recursive function that needs more iterations.
#[derive(Clone, Debug)]
pub struct Needs {
    /// The loop or the recursive function.
    pub turning: Turning,
    /// The iterations that were made.
    pub bound: u32,
}

/// A reason, with a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Words {
    /// The reason, as a sentence for people.
    pub what: String,
    /// The place in the source that it concerns.
    pub place: Place,
}
