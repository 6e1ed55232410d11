//! What a session may spend, and what came of it.
//!
//! Knows: counts, failures with their values, verdicts. Never: how a path is run.

use crate::kind::Kind;
use crate::place::place_text;
use effigy_engine::{PathName, Place};
use effigy_term::{Model, Value};
use effigy_walk::Search;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What an exploration may spend. None of the limits is one of time, since a verdict must not depend on how busy a machine
/// is; [`Limits::silence`] ends the process, without a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Runs that end, however they end.
    pub paths: u64,
    /// Questions on any one path.
    pub decisions: u64,
    /// Values of one term that are followed.
    pub values: u64,
    /// Failures at distinct places after which the walk stops.
    pub failures: u64,
    /// Conflicts of the solver for one query.
    pub solver_steps: u64,
    /// Seconds for which a run may compute without a question. Then it is taken for a loop without an end, and the process
    /// ends with a report. Zero: it may compute for ever.
    pub silence: u64,
    /// Which side that waits is run next. The verdict is the same in any order, as far as no limit is reached; which failure
    /// comes first is not. A closure covers nothing: an order that [`Search::needs_coverage`] is none here.
    pub search: Search,
    /// The seed of the random orders.
    pub seed: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            paths: 20_000,
            decisions: 2_000,
            values: 64,
            failures: 1,
            solver_steps: 200_000,
            silence: 300,
            search: Search::Dfs,
            seed: 1,
        }
    }
}

/// A symbol with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedValue {
    /// The name under which it was asked for.
    pub name: String,
    /// The kind of the symbol, which says how its value is read.
    pub kind: Kind,
    /// The value of the symbol under the model.
    pub value: Value,
}

impl fmt::Display for NamedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.kind.text(&self.value))
    }
}

/// A path on which something fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What fails: the message of a panic or of a check.
    pub message: String,
    /// Where, if that is known.
    pub place: Option<Place>,
    /// The values with which it does, in the order in which the symbols were asked for.
    pub values: Vec<NamedValue>,
    /// A model of the path.
    pub model: Model,
    /// What was noted on the path.
    pub notes: Vec<String>,
    /// The conditions of the path, for people.
    pub conditions: Vec<String>,
    /// The name of the path.
    pub path: PathName,
}

impl Failure {
    /// The value of the symbol of this name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|it| it.name == name).map(|it| &it.value)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => writeln!(f, "{}: {}", place_text(place), self.message)?,
            None => writeln!(f, "{}", self.message)?,
        }
        self.values.iter().try_for_each(|it| writeln!(f, "  {it}"))?;
        self.notes.iter().try_for_each(|it| writeln!(f, "  note: {it}"))?;
        write!(
            f,
            "  on the path {}",
            if self.path.0.is_empty() { "without a decision".to_owned() } else { self.path.text() }
        )
    }
}

/// How many runs ended how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathCounts {
    /// Runs that came to the end of the program.
    pub ended: u64,
    /// Runs that ended in a failure.
    pub failed: u64,
    /// At an assumption that nothing on the path satisfies.
    pub dropped: u64,
    /// At something that is not supported.
    pub unsupported: u64,
    /// At a limit of the path.
    pub cut: u64,
    /// Not known to exist: the solver could not tell.
    pub undecided: u64,
}

impl PathCounts {
    /// All runs that came to an end.
    pub fn total(&self) -> u64 {
        self.ended + self.failed + self.dropped + self.unsupported + self.cut + self.undecided
    }
}

/// What can be said. Only [`Verdict::Passed`] speaks of every input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every path was run to its end, and nothing fails.
    Passed,
    /// As [`Verdict::Passed`], but for values of these names one was taken for all.
    Witnessed(Vec<String>),
    /// As [`Verdict::Witnessed`], but the program's own comparisons were watched.
    Compared {
        /// For values of these names every comparison that was seen was followed; what is not seen was not.
        seen: Vec<String>,
        /// For values of these names no comparison was seen, and one was taken for all.
        taken: Vec<String>,
    },
    /// Something fails; [`Account::failures`] says with which values.
    Failed,
    /// Nothing has failed so far, but not every path was run to its end; why.
    Cut(Vec<String>),
    /// Nothing has failed so far, but some path came to what is not supported; what.
    Unsupported(Vec<String>),
    /// Nothing has failed so far, but the solver could not tell everything; why.
    Undecided(Vec<String>),
    /// No path came to its end: what is assumed contradicts itself, and nothing was tested.
    Vacuous,
    /// The runs do not fit together, so that nothing can be said; why.
    Error(String),
    /// A path that was run again with values ended otherwise. The fault is ours, and nothing is said of the program.
    Fault(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Passed => f.write_str("passed: every path was run"),
            Verdict::Witnessed(names) => {
                write!(f, "no counterexample; one value was taken for all of: {}", names.join(", "))
            }
            Verdict::Compared { seen, taken } => {
                write!(f, "no counterexample; every comparison that was seen was followed of: {}", seen.join(", "))?;
                match taken.as_slice() {
                    [] => Ok(()),
                    of => write!(f, "; one value was taken for all of: {}", of.join(", ")),
                }
            }
            Verdict::Failed => f.write_str("failed"),
            Verdict::Cut(why) => write!(f, "cut short, nothing failed so far: {}", why.join("; ")),
            Verdict::Unsupported(what) => write!(f, "unsupported, nothing failed so far: {}", what.join("; ")),
            Verdict::Undecided(why) => write!(f, "undecided, nothing failed so far: {}", why.join("; ")),
            Verdict::Vacuous => {
                f.write_str("nothing was tested: no path comes to its end (do the assumptions contradict each other?)")
            }
            Verdict::Error(why) => write!(f, "error: {why}"),
            Verdict::Fault(what) => {
                write!(f, "a fault of effigy, which says nothing of the program; please report it: {what}")
            }
        }
    }
}

/// The account of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The number of runs by how they ended.
    pub paths: PathCounts,
    /// Sides that the solver showed not to exist.
    pub infeasible: u64,
    /// Questions over all runs that were not there before.
    pub questions: u64,
    /// Failures, the first at each place.
    pub failures: Vec<Failure>,
    /// Names of which one value was taken for all.
    pub witnesses: BTreeSet<String>,
    /// Names of watched values that were seen to be compared.
    pub compared: BTreeSet<String>,
    /// Why not every path was run to its end, and how often.
    pub cut: BTreeMap<String, u64>,
    /// What is not supported, and how often it was met.
    pub unsupported: BTreeMap<String, u64>,
    /// What the solver could not tell, and how often.
    pub undecided: BTreeMap<String, u64>,
    /// Why the runs do not fit together.
    pub error: Option<String>,
    /// What ended otherwise when it was run again with values.
    pub fault: Option<String>,
    /// Paths that ended in the same way when they were run again with values.
    pub confirmed: u64,
    /// Why a path could not be run again with values, and how often.
    pub unconfirmed: BTreeMap<String, u64>,
}

impl Account {
    /// The verdict that these counts allow.
    pub fn verdict(&self) -> Verdict {
        let reasons = |of: &BTreeMap<String, u64>| {
            of.iter()
                .map(|(what, count)| if *count == 1 { what.clone() } else { format!("{what} ({count} times)") })
                .collect()
        };
        if let Some(error) = &self.error {
            Verdict::Error(error.clone())
        } else if let Some(fault) = &self.fault {
            Verdict::Fault(fault.clone())
        } else if !self.failures.is_empty() {
            Verdict::Failed
        } else if !self.unsupported.is_empty() {
            Verdict::Unsupported(reasons(&self.unsupported))
        } else if !self.cut.is_empty() {
            Verdict::Cut(reasons(&self.cut))
        } else if !self.undecided.is_empty() {
            Verdict::Undecided(reasons(&self.undecided))
        } else if self.paths.ended == 0 {
            Verdict::Vacuous
        } else if !self.witnesses.is_empty() {
            let (seen, taken): (Vec<_>, Vec<_>) =
                self.witnesses.iter().cloned().partition(|it| self.compared.contains(it));
            if seen.is_empty() { Verdict::Witnessed(taken) } else { Verdict::Compared { seen, taken } }
        } else {
            Verdict::Passed
        }
    }

    /// Whether nothing failed, every path was run, and there was one. Values of which one was taken for all are allowed.
    pub fn is_ok(&self) -> bool {
        matches!(self.verdict(), Verdict::Passed | Verdict::Witnessed(_) | Verdict::Compared { .. })
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failures.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        write!(f, "{} ({} paths)", self.verdict(), self.paths.total())
    }
}
