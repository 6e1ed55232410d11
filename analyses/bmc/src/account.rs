//! What is known at the end.

use crate::invariants::Invariant;
use effigy_engine::{Apart, BugKind, Coverage, Limit, Notes, Place, Turning, Violation, Witness};
use effigy_term::{Model, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// What came of a check.
#[derive(Debug, Default)]
pub struct Account {
    /// What was to hold, by place and class.
    pub properties: Vec<Property>,
    /// The loops and recursive functions that need more rounds than were made.
    pub needs: Vec<Needs>,
    /// Why something may have been missed, with a place, each once.
    pub missed: Vec<Words>,
    /// What was assumed: of inputs, of functions that are not known, and that runs have no bug that is not looked for.
    pub notes: Notes,
    /// The limit that stopped the check.
    pub stopped: Option<Limit>,
    /// The rounds that each loop was unwound for, where the program does not decide them by itself.
    pub bounds: Vec<(Turning, u32)>,
    /// The loops that were closed by induction, with what they keep.
    pub inductions: Vec<(Turning, Vec<String>)>,
    /// What these loops keep in every round, the first one included, if it was asked for: as the program says it.
    pub invariants: Vec<(Turning, Vec<Invariant>)>,
    /// The ends of the program, if they were asked for.
    pub ends: Vec<Ended>,
    /// What the runs have reached that were made.
    pub coverage: Coverage,
    /// Transitions made.
    pub steps: u64,
    /// Paths that became one with another.
    pub merged: u64,
    /// Paths that stand at one place and stay apart, by why.
    pub apart: BTreeMap<Apart, u64>,
    /// Paths, each counted for all that it is; as many as there were ways through the program.
    pub ways: f64,
    /// Queries and the time that they took.
    pub queries: u64,
    /// How many of them others have answered.
    pub heard: u64,
    /// The time of the solver.
    pub solver: Duration,
    /// The time of all.
    pub time: Duration,
}

impl Account {
    /// The one answer for the whole program: the worst of its properties.
    pub fn verdict(&self) -> Verdict {
        let properties = self.properties.iter().map(|it| it.verdict.clone());
        properties.chain([self.rest()]).max_by_key(Verdict::rank).unwrap_or(Verdict::Unknown)
    }

    /// The runs into bugs.
    pub fn bugs(&self) -> impl Iterator<Item = &Found> {
        self.properties.iter().filter_map(|it| match &it.verdict {
            Verdict::Bug(found) => Some(&**found),
            _ => None,
        })
    }

    /// What is known of all that was not found out.
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

/// Something that must hold.
#[derive(Clone, Debug)]
pub struct Property {
    /// The class of bugs that it excludes.
    pub kind: BugKind,
    /// What the bug would be.
    pub message: String,
    /// Where.
    pub place: Place,
    /// What is known of it.
    pub verdict: Verdict,
}

/// What is known of a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds on every run.
    Correct,
    /// It holds on every run that makes no more rounds than were unwound.
    Bounded,
    /// Nothing is known.
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

/// A run into a bug, which was made.
#[derive(Clone, Debug)]
pub struct Found {
    /// What happens.
    pub violation: Violation,
    /// The inputs, by the names that they have on the path alone.
    pub model: Model,
    /// The inputs in the order in which the run asks for them.
    pub inputs: Vec<Value>,
    /// The ways that it takes where the contents of storage that was never written leave several.
    pub contents: Vec<usize>,
    /// Transitions of the run.
    pub steps: u64,
    /// The inputs, for people.
    pub witness: Witness,
}

/// An end of the program, with a run that comes to it.
#[derive(Clone, Debug)]
pub struct Ended {
    /// For how many paths it stands.
    pub ways: f64,
    /// The inputs of the run, by the names that they have on the path alone.
    pub model: Model,
    /// The inputs, the output and the exit code.
    pub witness: Witness,
}

/// A loop or a recursive function that needs more rounds.
#[derive(Clone, Debug)]
pub struct Needs {
    /// What goes round.
    pub turning: Turning,
    /// The rounds that were made.
    pub bound: u32,
}

/// A reason, with a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Words {
    /// The reason.
    pub what: String,
    /// Where.
    pub place: Place,
}
