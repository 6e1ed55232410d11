//! The end of a path as data: what tests, tables and JSON are made of, and what a worker hands to whoever collects.
//!
//! Knows: text and numbers, the order of the tree. Never: terms, states, a language.

mod brief;

pub use brief::{BriefLeaf, written_in_tree_order};

use crate::place_words::at;
use crate::test_case::{Expectation, ScheduledTurn, Test, TestBug, TestInput, TestPlace, hex, is_zero};
use effigy_engine::readable::conjunction;
use effigy_engine::{Decision, GaveUp, GiveUpCause, PathName, Witness};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::sync::Arc;

/// The end of a path, as data without terms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Leaf {
    /// The name of the path: its decisions.
    pub decisions: PathName,
    /// How the path ended, with its bug if it has one.
    pub end: LeafEnd,
    /// Inputs that take it, in the order in which the program asks for them; empty when no model is known.
    pub inputs: Vec<TestInput>,
    /// What the program writes to standard output on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<u8>,
    /// The thread that moves at each scheduling point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<ScheduledTurn>,
    /// Whether threads take turns before they unlock, too.
    pub unlocks_are_turns: bool,
    /// The number of bytes between an object and the access outside of it with which the path ends, if it does.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub gap: u64,
    /// The conjuncts of the path condition, in the language's notation; those of many paths are the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path_condition: Vec<Arc<str>>,
    /// The path condition is true: each run takes this path, whatever its inputs are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub every_run: bool,
    /// Results by name, in the order in which they are shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<(String, String)>,
    /// The number of transitions on the path.
    pub steps: u64,
    /// It rests on results of functions that are not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
    /// A model shows that the path exists.
    pub certain: bool,
    /// Arrays of unknown extent whose subscripts were assumed to be in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed_within: Vec<String>,
    /// The nodes of the path condition, where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
    /// How the path came about, transition by transition, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explained: Option<Explanation>,
    /// The number of its test, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<u64>,
}

/// The ways in which a path ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeafEnd {
    /// By itself, with this exit code where the language has one.
    Exit(Option<i32>),
    /// The path ended in this bug.
    Bug(TestBug),
    /// The program dropped the path (an assumption that cannot hold, a silent exit).
    Dropped,
    /// Another path does the same: it is not counted.
    Redundant,
    /// At something that is not executed.
    Unsupported {
        /// The construct that is not supported.
        what: String,
        /// Where it was to be executed.
        place: TestPlace,
    },
    /// Whether the path exists could not be decided.
    Undecided {
        /// What it would be if it existed.
        what: String,
        /// Why it is not known.
        reason: String,
        /// Where the path stood then.
        place: TestPlace,
    },
    /// A limit, this one, stopped the path.
    Cut(String),
}

impl LeafEnd {
    /// Its class: the word that JSON has for it.
    pub fn word(&self) -> &'static str {
        match self {
            LeafEnd::Exit(_) => "exit",
            LeafEnd::Bug(_) => "bug",
            LeafEnd::Dropped => "dropped",
            LeafEnd::Redundant => "redundant",
            LeafEnd::Unsupported { .. } => "unsupported",
            LeafEnd::Undecided { .. } => "undecided",
            LeafEnd::Cut(_) => "cut",
        }
    }
}

impl From<&GaveUp> for LeafEnd {
    fn from(it: &GaveUp) -> LeafEnd {
        let place = (&it.place).into();
        match it.cause {
            GiveUpCause::Unsupported => LeafEnd::Unsupported { what: it.what.clone(), place },
            GiveUpCause::Undecided | GiveUpCause::Limit => {
                LeafEnd::Undecided { what: "the end of a path".to_owned(), reason: it.to_string(), place }
            }
        }
    }
}

/// What is expected where the exit code of a native program is not known.
const UNKNOWN_CODE: &str = "the exit code depends on uninitialised storage";

/// A path told transition by transition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Explanation {
    /// For people: a table and the end.
    pub text: String,
    /// For programs: the transitions as JSON.
    pub json: serde_json::Value,
}

impl Leaf {
    /// A path that is known to exist, with its end; everything else is still empty.
    pub fn new(decisions: PathName, end: LeafEnd, steps: u64) -> Leaf {
        Leaf {
            decisions,
            end,
            inputs: Vec::new(),
            output: Vec::new(),
            schedule: Vec::new(),
            unlocks_are_turns: false,
            gap: 0,
            path_condition: Vec::new(),
            every_run: false,
            results: Vec::new(),
            steps,
            assumed: false,
            certain: true,
            assumed_within: Vec::new(),
            size: None,
            explained: None,
            test: None,
        }
    }

    /// Whether a test can be made of it: it ended in a way that can be tested, and is known to exist.
    pub fn is_testable(&self) -> bool {
        self.certain && matches!(self.end, LeafEnd::Exit(_) | LeafEnd::Bug(_))
    }

    /// Makes the test that takes the path, under this number, and lends it out; `None` where there is none.
    pub fn with_test<R>(&mut self, id: u64, replayable: bool, write: impl FnOnce(&Test) -> R) -> Option<R> {
        let expect = match &self.end {
            LeafEnd::Exit(None) if replayable => Expectation::Cut(UNKNOWN_CODE.to_owned()),
            LeafEnd::Exit(code) => Expectation::Exit(code.unwrap_or(0)),
            LeafEnd::Bug(bug) => Expectation::Bug(bug.clone()),
            _ => return None,
        };
        if !self.certain {
            return None;
        }
        // There are many tests, and they are large: what is in them is not copied.
        let test = Test {
            format: crate::test_case::FORMAT,
            id,
            expect,
            inputs: std::mem::take(&mut self.inputs),
            output: hex(&self.output),
            output_text: std::str::from_utf8(&self.output).ok().map(str::to_owned),
            replayable: replayable && !self.assumed && self.end != LeafEnd::Exit(None),
            assumed: self.assumed,
            schedule: std::mem::take(&mut self.schedule),
            unlocks_are_turns: self.unlocks_are_turns,
            gap: self.gap,
            path_condition: std::mem::take(&mut self.path_condition),
            decisions: std::mem::take(&mut self.decisions),
        };
        let res = write(&test);
        Test {
            inputs: self.inputs,
            schedule: self.schedule,
            path_condition: self.path_condition,
            decisions: self.decisions,
            ..
        } = test;
        Some(res)
    }

    /// Takes over what a witness says.
    pub fn with_witness(self, witness: &Witness) -> Leaf {
        Leaf {
            inputs: witness.inputs.iter().map(Into::into).collect(),
            output: witness.output.clone(),
            schedule: witness.schedule.iter().map(Into::into).collect(),
            unlocks_are_turns: witness.unlocks_are_turns,
            gap: witness.gap,
            assumed: witness.assumed,
            ..self
        }
    }

    /// The path on one line, as it is printed during the walk: its end or its condition, and its results.
    pub fn line(&self) -> String {
        let pairs = |pairs: &mut dyn Iterator<Item = (&str, String)>| {
            pairs.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
        };
        let inputs = || pairs(&mut self.inputs.iter().map(|it| (it.name.as_str(), it.display())));
        let given = |end: String, told: String| if told.is_empty() { end } else { format!("{end}: {told}") };
        match &self.end {
            LeafEnd::Exit(_) if !self.results.is_empty() => {
                let results = pairs(&mut self.results.iter().map(|(name, value)| (name.as_str(), value.clone())));
                format!("{} → {results}", conjunction(&self.path_condition))
            }
            LeafEnd::Exit(Some(code)) => given(format!("exit {code}"), inputs()),
            LeafEnd::Exit(None) => conjunction(&self.path_condition),
            LeafEnd::Bug(bug) => {
                given(format!("{}: {}{}", bug.kind, bug.message, at(&bug.place.file, bug.place.line)), inputs())
            }
            LeafEnd::Unsupported { what, place } => format!("not executed: {what}{}", at(&place.file, place.line)),
            LeafEnd::Undecided { what, reason, .. } => format!("undecided: {what}: {reason}"),
            LeafEnd::Cut(limit) => format!("cut by the {limit}"),
            LeafEnd::Dropped | LeafEnd::Redundant => self.end.word().to_owned(),
        }
    }
}

/// The rank of a decision among its siblings: failures, then sides, then values, then excluded values.
fn placed(it: &Decision) -> (u8, &Decision) {
    let rank = match it {
        Decision::Fails(_) => 0,
        Decision::Alternative(_) => 1,
        Decision::Is(_) => 2,
        Decision::Not(_) => 3,
    };
    (rank, it)
}

/// The order of the tree: two paths are in the order of the first decision in which they differ.
pub fn in_tree_order(a: &PathName, b: &PathName) -> Ordering {
    a.0.iter().map(placed).cmp(b.0.iter().map(placed))
}

/// The order in which paths show a bug: the one with the fewest decisions is simplest, then as in the tree.
pub fn simplest_first(a: &PathName, b: &PathName) -> Ordering {
    a.0.len().cmp(&b.0.len()).then_with(|| in_tree_order(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(names: &[&str], order: fn(&PathName, &PathName) -> Ordering) -> Vec<String> {
        let mut res: Vec<PathName> = names.iter().rev().map(|it| it.parse().expect("a name")).collect();
        res.sort_by(order);
        res.iter().map(PathName::to_string).collect()
    }

    #[test]
    fn names_are_in_the_order_of_the_tree() {
        let names = ["", "x", "0", "0x", "0x(1)", "00", "01", "09", "0(10)", "0(11)1", "=2;", "=10;", "!2;", "!2;x"];
        assert_eq!(sorted(&names, in_tree_order), names);
    }

    #[test]
    fn the_shortest_name_shows_a_bug() {
        let names = ["1", "00x", "10", "000"];
        assert_eq!(sorted(&names, simplest_first), ["1", "10", "00x", "000"]);
    }
}
