//! What comes of an exploration: ends of paths as they come, and the account of the whole.
//!
//! Knows: counts and reasons. Never: how they are rendered.

use crate::turns::Endless;
use effigy_engine::{Coverage, Limit, Note, Notes, PathId, PathName, Place, Site, Trail, Violation, Witness};
use effigy_solver::Reason;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program ended by itself, with this exit code for the witness.
    Exit {
        /// The exit code, where the language has one.
        code: Option<i32>,
    },
    /// A bug.
    Bug(Box<Violation>),
    /// The program dropped the path.
    Silent,
    /// No input takes the path, which was not known before its end ([`effigy_engine::Feasibility::Leaf`], or after a
    /// question that was not decided).
    Infeasible,
    /// Something that is not executed.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: Place,
    },
    /// A limit was reached.
    Cut(Limit),
    /// Whether the path exists could not be decided.
    Undecided {
        /// What it would be if it existed.
        what: String,
        /// Why it is not known.
        reason: Reason,
        /// Where.
        place: Place,
    },
}

/// The end of one path.
#[derive(Debug)]
pub struct PathEnd<'a, S> {
    /// Its number.
    pub id: PathId,
    /// Where it ended, as the language knows it.
    pub state: &'a S,
    /// φ, the decisions, the model.
    pub trail: &'a Trail,
    /// How it ended.
    pub end: End,
    /// Inputs that take it; empty when no model is known.
    pub witness: Witness,
    /// Whether the witness is backed by a model of φ.
    pub certain: bool,
}

impl<S> PathEnd<'_, S> {
    /// The path's name.
    pub fn name(&self) -> PathName {
        self.trail.name()
    }
}

/// Where an exploration stands.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Paths that ended.
    pub paths: u64,
    /// Paths that wait.
    pub pending: u64,
    /// Distinct bugs.
    pub bugs: u64,
    /// Sites reached.
    pub sites: u64,
    /// Time so far.
    pub time: Duration,
    /// Of it in the solver.
    pub solver: Duration,
    /// A path that goes on and may do so for ever.
    pub endless: Option<Endless>,
}

/// Receives the ends of paths as they come.
pub trait Sink<S, T = ()> {
    /// A path ended; `T` is what is told of it to whoever hears the worker.
    fn ended(&mut self, end: &PathEnd<'_, S>) -> T;

    /// Called now and then.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// The resident memory of the process in bytes, where it is known; for the memory limit.
    fn resident_memory(&mut self) -> Option<u64> {
        None
    }
}

/// How many paths ended how.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// By themselves.
    pub completed: u64,
    /// In a bug.
    pub errored: u64,
    /// Dropped by the program.
    pub silent: u64,
    /// Followed, and found at their end to be taken by no input.
    pub infeasible: u64,
    /// At something that is not executed.
    pub unsupported: u64,
    /// At a limit.
    pub cut: BTreeMap<Limit, u64>,
    /// Not known to exist.
    pub undecided: u64,
}

impl Counts {
    /// Paths cut by any limit.
    pub fn total_cut(&self) -> u64 {
        self.cut.values().sum()
    }
}

/// How a path ended, as it is counted: data that travels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// As [`End::Exit`].
    Completed,
    /// As [`End::Bug`]: its class and its place.
    Bug(String, Place),
    /// As [`End::Silent`].
    Silent,
    /// As [`End::Infeasible`].
    Infeasible,
    /// As [`End::Unsupported`].
    Unsupported(String, Place),
    /// As [`End::Cut`], and where.
    Cut(Limit, Place),
    /// As [`End::Undecided`], with the reason.
    Undecided(String, Place),
}

impl From<&End> for Ending {
    fn from(end: &End) -> Ending {
        match end {
            End::Exit { .. } => Ending::Completed,
            End::Bug(it) => Ending::Bug(it.kind.0.to_owned(), it.place.clone()),
            End::Silent => Ending::Silent,
            End::Infeasible => Ending::Infeasible,
            End::Unsupported { what, place } => Ending::Unsupported(what.clone(), place.clone()),
            End::Cut(limit) => Ending::Cut(*limit, Place::default()),
            End::Undecided { what, reason, place } => Ending::Undecided(format!("{what} ({reason})"), place.clone()),
        }
    }
}

/// What was found since a path ended last: data that travels.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Delta {
    /// Sites that were not reached before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sites: Vec<Site>,
    /// What was approximated, how often, and where first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<(Note, Place, u64)>,
    /// Transitions.
    pub steps: u64,
    /// Questions at which a path split.
    pub forks: u64,
    /// Time in the solver.
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub solver_time: Duration,
}

/// The account of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// Paths by their ends.
    pub paths: Counts,
    /// How many paths end in each bug, by its class and place.
    pub bugs: BTreeMap<(String, Place), u64>,
    /// What was not executed: first place and number of paths.
    pub unsupported: BTreeMap<String, (Place, u64)>,
    /// Where a path was cut by each limit: the first place.
    pub cut_at: BTreeMap<Limit, Place>,
    /// What could not be decided: first place and number.
    pub undecided: BTreeMap<String, (Place, u64)>,
    /// Sites reached.
    pub coverage: Coverage,
    /// What the language approximated.
    pub notes: Notes,
    /// Why the walk stopped early.
    pub stopped: Option<Limit>,
    /// If it did: a path that waits and has no end in sight.
    pub endless: Option<Endless>,
    /// Transitions.
    pub steps: u64,
    /// Questions at which a path split.
    pub forks: u64,
    /// Time.
    pub time: Duration,
    /// Of it in the solver.
    pub solver_time: Duration,
}

impl Exploration {
    /// Whether every path of the program was followed to its end, or to a state in which it was before, with nothing
    /// decided in between, and nothing was approximated away.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
            && self.paths.unsupported == 0
            && self.paths.undecided == 0
            && self.undecided.is_empty()
            && self.paths.cut.keys().all(|it| *it == Limit::Repeats)
            && self.notes.iter().all(|(note, ..)| !note.incomplete)
    }

    /// Counts a path that ended.
    pub fn count(&mut self, ending: &Ending) {
        let counts = &mut self.paths;
        let again = |into: &mut BTreeMap<String, (Place, u64)>, what: &String, place: &Place| {
            let known = into.entry(what.clone()).or_insert_with(|| (place.clone(), 0));
            known.1 += 1;
            // The first place does not depend on who came first.
            known.0 = known.0.clone().min(place.clone());
        };
        match ending {
            Ending::Completed => counts.completed += 1,
            Ending::Bug(kind, place) => {
                counts.errored += 1;
                *self.bugs.entry((kind.clone(), place.clone())).or_insert(0) += 1;
            }
            Ending::Silent => counts.silent += 1,
            Ending::Infeasible => counts.infeasible += 1,
            Ending::Unsupported(what, place) => {
                counts.unsupported += 1;
                again(&mut self.unsupported, what, place);
            }
            Ending::Cut(limit, place) => {
                *counts.cut.entry(*limit).or_insert(0) += 1;
                let known = self.cut_at.entry(*limit).or_insert_with(|| place.clone());
                *known = known.clone().min(place.clone());
            }
            Ending::Undecided(what, place) => {
                counts.undecided += 1;
                again(&mut self.undecided, what, place);
            }
        }
    }

    /// Adds what was found since.
    pub fn add(&mut self, delta: &Delta) {
        for &site in &delta.sites {
            self.coverage.reach(site);
        }
        for (note, place, count) in &delta.notes {
            self.notes.add_many(note, place, *count);
        }
        self.steps += delta.steps;
        self.forks += delta.forks;
        self.solver_time += delta.solver_time;
    }

    /// What was found since `before`, an earlier state of this account.
    pub fn since(&self, before: &Mark) -> Delta {
        let notes = match self.notes.total() == before.notes.total() {
            true => Vec::new(),
            false => {
                let more = self.notes.since(&before.notes);
                more.iter().map(|(note, place, count)| (note.clone(), place.clone(), count)).collect()
            }
        };
        Delta {
            sites: self.coverage.since(before.sites).to_vec(),
            notes,
            steps: self.steps - before.steps,
            forks: self.forks - before.forks,
            solver_time: self.solver_time.saturating_sub(before.solver_time),
        }
    }

    /// Where the account stands.
    pub fn mark(&self) -> Mark {
        Mark {
            sites: self.coverage.count(),
            notes: self.notes.clone(),
            steps: self.steps,
            forks: self.forks,
            solver_time: self.solver_time,
        }
    }
}

/// Where an account stood.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    sites: usize,
    notes: Notes,
    steps: u64,
    forks: u64,
    solver_time: Duration,
}
