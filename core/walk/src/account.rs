//! The account of a walk: how many paths ended how, what was covered, what was spent.
//!
//! Knows: counts and reasons, as data that travels between workers. Never: states, how an account is rendered.

use crate::loop_detection::Endless;
use effigy_engine::{Coverage, Limit, Note, Notes, Place, Site};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// How far a walk has come, to be shown while it goes on.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The number of paths that have ended.
    pub paths: u64,
    /// The number of paths that wait.
    pub pending: u64,
    /// The number of distinct bugs, by class and place.
    pub bugs: u64,
    /// The number of sites that were reached.
    pub sites: u64,
    /// Wall time since the walk began.
    pub time: Duration,
    /// The part of it that was spent in the solver.
    pub solver: Duration,
    /// A path that goes on and may do so for ever.
    pub endless: Option<Endless>,
}

/// How many paths ended how.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Paths on which the program ended by itself.
    pub completed: u64,
    /// Paths that end in a bug.
    pub errored: u64,
    /// Paths that the program itself dropped.
    pub silent: u64,
    /// Paths that were followed, and found at their end to be taken by no input.
    pub infeasible: u64,
    /// Paths that came to something that is not executed.
    pub unsupported: u64,
    /// Paths that were cut, by the limit that cut them.
    pub cut: BTreeMap<Limit, u64>,
    /// Paths of which it is not known whether some input takes them.
    pub undecided: u64,
}

impl Counts {
    /// The number of paths that any limit cut.
    pub fn total_cut(&self) -> u64 {
        self.cut.values().sum()
    }
}

/// How a path ended, as it is counted, without its state: data that travels between workers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The program ended by itself.
    Completed,
    /// The path ended in a bug of this class at this place.
    Bug(String, Place),
    /// The program dropped the path.
    Silent,
    /// No input takes the path, which was found out at its end.
    Infeasible,
    /// The path came to something that is not executed: what, and where.
    Unsupported(String, Place),
    /// A limit cut the path here.
    Cut(Limit, Place),
    /// It is not known whether some input takes the path: what it would be and why, and where.
    Undecided(String, Place),
}

/// What was found since a path ended last: data that travels.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Delta {
    /// Sites that were reached for the first time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sites: Vec<Site>,
    /// What was approximated, how often, and where first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<(Note, Place, u64)>,
    /// The number of transitions that were made.
    pub steps: u64,
    /// The number of questions at which a path split.
    pub forks: u64,
    /// The time that was spent in the solver.
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub solver_time: Duration,
}

/// The account of a walk over all paths.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The number of paths by their ends.
    pub paths: Counts,
    /// How many paths end in each bug, by its class and place.
    pub bugs: BTreeMap<(String, Place), u64>,
    /// What was not executed: first place and number of paths.
    pub unsupported: BTreeMap<String, (Place, u64)>,
    /// Where a path was cut by each limit: the first place.
    pub cut_at: BTreeMap<Limit, Place>,
    /// What could not be decided: first place and number.
    pub undecided: BTreeMap<String, (Place, u64)>,
    /// The sites that were reached.
    pub coverage: Coverage,
    /// What the language approximated, where and how often.
    pub notes: Notes,
    /// The limit that stopped the walk early.
    pub stopped: Option<Limit>,
    /// If it did: a path that waits and has no end in sight.
    pub endless: Option<Endless>,
    /// The number of transitions that were made.
    pub steps: u64,
    /// The number of questions at which a path split.
    pub forks: u64,
    /// The wall time of the walk.
    pub time: Duration,
    /// The part of it that was spent in the solver, over all workers.
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

    /// Counts a path that ended so.
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

    /// Adds what a worker has found since it told of its findings last.
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

    /// Marks where the account stands, for [`Exploration::since`].
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

/// Where an account stood: what was found later is what [`Exploration::since`] tells.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    sites: usize,
    notes: Notes,
    steps: u64,
    forks: u64,
    solver_time: Duration,
}
