//! What became of the sides that runs did not take: how many led to inputs, and why the others did not.
//!
//! Knows: counts. Never: how they are shown.

use serde::Serialize;
use std::ops::AddAssign;
use std::time::Duration;

/// Counts over one run or several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Why {
    /// The number of runs that are counted.
    pub runs: u64,
    /// The number of conditions that the runs passed.
    pub conditions: u64,
    /// The number of sides that they did not take, from the bound on.
    pub sides: u64,
    /// The sides that were answered by the condition alone, which agrees with the path before it.
    pub alone: u64,
    /// The sides that were answered by the solver, with the path before it.
    pub solved: u64,
    /// Answered by the solver, with the path before it but for values that the run only kept: the run decides.
    pub unpinned: u64,
    /// No answer with the path before it, but one by the condition alone: the run decides.
    pub optimistic: u64,
    /// The sides that no input takes behind this path.
    pub unsatisfiable: u64,
    /// The sides that the solver did not decide within its budget.
    pub undecided: u64,
    /// The sides that were asked about, or taken by a run, before.
    pub pruned: u64,
    /// The sides of a branch that was met too often in one run.
    pub capped: u64,
    /// The sides that were left when the budget of the run was used up.
    pub unasked: u64,
    /// The sides of a choice that no input decides (which thread moves).
    pub choices: u64,
    /// The sides that depend on uninitialised storage.
    pub undefined: u64,
    /// The sides that depend only on what foreign functions return.
    pub foreign: u64,
    /// Values that could not be followed, which runs had to keep.
    pub pinned: u64,
    /// Runs that left the path that was predicted for them.
    pub diverged: u64,
    /// Runs that were stopped by a limit.
    pub cut: u64,
    /// The time that the solver took.
    #[serde(serialize_with = "milliseconds")]
    pub solving: Duration,
}

fn milliseconds<S: serde::Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

impl Why {
    /// The number of inputs that were computed.
    pub fn children(&self) -> u64 {
        self.alone + self.solved + self.unpinned + self.optimistic
    }

    /// The reasons why no input was computed, the most frequent first; `None` where one was.
    pub fn nothing(&self) -> Option<String> {
        if self.children() > 0 {
            return None;
        }
        if self.sides == 0 {
            return Some(match self.conditions {
                0 => "no condition depends on the input".to_owned(),
                _ => "no condition behind the bound".to_owned(),
            });
        }
        let mut reasons = [
            (self.unsatisfiable, "unsatisfiable"),
            (self.undecided, "not decided by the solver"),
            (self.pruned, "asked before"),
            (self.capped, "one branch too often"),
            (self.unasked, "behind the budget of the run"),
            (self.choices, "a choice that no input decides"),
            (self.undefined, "uninitialised storage"),
            (self.foreign, "results of foreign functions"),
        ];
        reasons.sort_by_key(|it| std::cmp::Reverse(it.0));
        let told = reasons.iter().filter(|it| it.0 > 0).map(|(count, what)| format!("{count} {what}"));
        Some(told.collect::<Vec<_>>().join(", "))
    }
}

impl AddAssign for Why {
    fn add_assign(&mut self, other: Why) {
        self.runs += other.runs;
        self.conditions += other.conditions;
        self.sides += other.sides;
        self.alone += other.alone;
        self.solved += other.solved;
        self.unpinned += other.unpinned;
        self.optimistic += other.optimistic;
        self.unsatisfiable += other.unsatisfiable;
        self.undecided += other.undecided;
        self.pruned += other.pruned;
        self.capped += other.capped;
        self.unasked += other.unasked;
        self.choices += other.choices;
        self.undefined += other.undefined;
        self.foreign += other.foreign;
        self.pinned += other.pinned;
        self.diverged += other.diverged;
        self.cut += other.cut;
        self.solving += other.solving;
    }
}
