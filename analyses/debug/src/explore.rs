//! `test (N)`: every path from here, in the order of the tree, as a table of its ends.
//!
//! Knows: paths and how many statements they have. Never: other orders (`analyses/explore` has them).
//! Source: King 1976, section 7: `TEST (200) SEARCH(...)`; the number limits the statements of a path.

use crate::motion::{Event, Passage};
use crate::position::{End, Open, Progress};
use crate::session::{ENDED, Said, Session};
use crate::show::table;
use effigy_engine::{Decision, Inspect, Outcome, Trail, ValueForks};
use effigy_solver::Answer;
use effigy_term::Term;
use std::rc::Rc;

/// So many values of one term are followed.
const VALUES: u32 = 64;

/// So many paths are listed; a person reads no more.
const PATHS: usize = 10_000;

/// A path to go on with.
struct Pending<S> {
    state: S,
    trail: Trail,
    progress: Progress,
    statements: u64,
    /// Values that were followed at the question where it stands.
    values: u32,
}

/// A leaf: how it ended, and its results.
struct Leaf {
    trail: Trail,
    end: String,
    results: Vec<(String, String)>,
}

impl<L: Inspect> Session<'_, L> {
    pub(crate) fn explore(&mut self, limit: u64, call: Option<&str>) -> Said {
        let here = Rc::clone(&self.here);
        let language = self.language;
        let (state, trail) = match call {
            Some(text) => {
                let text = text.trim().trim_end_matches(';').trim_end();
                let state = language.call(&mut self.context(), text).map_err(|it| it.to_string())?;
                (state, Trail::new())
            }
            None if here.end.is_some() => return Err(ENDED.to_owned()),
            None => (here.state.clone(), here.trail.clone()),
        };
        let progress = self.first_progress(&state);
        let mut pending = vec![Pending { state, trail, progress, statements: 0, values: 0 }];
        let mut leaves = Vec::new();
        let mut left = self.config.transitions;
        let mut stopped = None;
        while let Some(path) = pending.pop() {
            if leaves.len() >= PATHS {
                stopped = Some(format!("stopped after {PATHS} paths; others are not listed"));
                break;
            }
            self.follow(path, limit, &mut left, &mut pending, &mut leaves);
            if self.interrupted() {
                self.clear_interrupt();
                stopped = Some("interrupted; not all paths are listed".to_owned());
                break;
            }
            if left == Some(0) {
                stopped = Some("stopped: this is long; not all paths are listed".to_owned());
                break;
            }
        }
        let mut text = self.leaves_text(leaves);
        if let Some(stopped) = stopped {
            text.push('\n');
            text.push_str(&stopped);
        }
        Ok(text)
    }

    /// Follows one path to its end or to its next fork.
    fn follow(
        &mut self,
        mut path: Pending<L::State>,
        limit: u64,
        left: &mut Option<u64>,
        pending: &mut Vec<Pending<L::State>>,
        leaves: &mut Vec<Leaf>,
    ) {
        let language = self.language;
        loop {
            if self.interrupted() || *left == Some(0) {
                return;
            }
            *left = left.map(|it| it - 1);
            match self.transition(&mut path.state, &mut path.trail) {
                Event::Interrupted => return,
                Event::Answered => path.values = 0,
                Event::Ended(end) => return self.leaf(path, &end, leaves),
                Event::Open(Open::Branch(sides)) => {
                    for side in sides.into_iter().rev() {
                        let mut state = path.state.clone();
                        language.answer(&mut state, side.fork.decision);
                        let (trail, progress) = (side.fork.trail, path.progress.clone());
                        pending.push(Pending { state, trail, progress, statements: path.statements, values: 0 });
                    }
                    return;
                }
                Event::Open(Open::Require { holds, violated, violation, .. }) => {
                    let (state, progress) = (path.state.clone(), path.progress.clone());
                    let failing = Pending { state, trail: violated, progress, statements: path.statements, values: 0 };
                    self.leaf(failing, &End::By(Outcome::Violation(violation)), leaves);
                    path.trail = holds;
                    language.answer(&mut path.state, Decision::Granted);
                }
                Event::Open(Open::Value { term, trail, .. }) => {
                    path.trail = trail;
                    return self.fork_value(path, term, pending, leaves);
                }
                Event::Moved => {
                    let passage = self.pass(&path.state, &mut path.progress, &mut Vec::new());
                    path.values = 0;
                    if matches!(passage, Passage::Next) {
                        path.statements += 1;
                        if path.statements >= limit {
                            let end = format!("cut after {limit} statements");
                            return leaves.push(Leaf { trail: path.trail, end, results: Vec::new() });
                        }
                    }
                }
            }
        }
    }

    fn fork_value(
        &mut self,
        path: Pending<L::State>,
        term: Term,
        pending: &mut Vec<Pending<L::State>>,
        leaves: &mut Vec<Leaf>,
    ) {
        let ValueForks::Decided { chosen, rest } = self.engine().fork_value(&path.trail, term) else {
            let end = format!("the solver found no value of {}", self.formula(term));
            return leaves.push(Leaf { trail: path.trail, end, results: Vec::new() });
        };
        let mut state = path.state.clone();
        self.language.answer(&mut state, chosen.decision);
        if let Some(trail) = rest {
            if path.values + 1 >= VALUES {
                let end = format!("cut: {} has more than {VALUES} values", self.formula(term));
                leaves.push(Leaf { trail: *trail, end, results: Vec::new() });
            } else {
                let (state, progress) = (path.state, path.progress.clone());
                let (statements, values) = (path.statements, path.values + 1);
                pending.push(Pending { state, trail: *trail, progress, statements, values });
            }
        }
        let (progress, statements) = (path.progress, path.statements);
        pending.push(Pending { state, trail: chosen.trail, progress, statements, values: 0 });
    }

    fn leaf(&mut self, mut path: Pending<L::State>, end: &End, leaves: &mut Vec<Leaf>) {
        if path.trail.witness.is_none() {
            match self.engine().satisfiable(&path.trail) {
                Answer::Unsat => return,
                Answer::Sat(model) => {
                    path.trail.witness = Some(model);
                    path.trail.undecided = None;
                }
                Answer::Unknown(reason) => path.trail.undecided = Some(reason),
            }
        }
        let exits = matches!(end, End::By(Outcome::Exit { .. }));
        let results = if exits { self.results(&path.state) } else { Vec::new() };
        let results = results.iter().map(|it| (it.name.to_string(), self.value_text(&it.value))).collect::<Vec<_>>();
        let end = match end {
            End::By(Outcome::Exit { code: Some(code) }) if results.is_empty() => format!("exit code {code}"),
            End::By(Outcome::Exit { .. }) => String::new(),
            end => self.end_summary(end, &path.state),
        };
        leaves.push(Leaf { trail: path.trail, end, results });
    }

    /// A row for each leaf.
    fn leaves_text(&mut self, leaves: Vec<Leaf>) -> String {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in leaves.iter().flat_map(|it| &it.results) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let ends = leaves.iter().any(|it| !it.end.is_empty());
        let mut head = vec!["pc".to_owned()];
        head.extend(names.iter().cloned());
        if ends {
            head.push("end".to_owned());
        }
        let count = leaves.len();
        let mut rows = vec![head];
        for leaf in leaves {
            let mut row = vec![self.path_condition_text(&leaf.trail)];
            if leaf.trail.undecided.is_some() {
                row[0].push_str(" (not known to be possible)");
            }
            for name in &names {
                let value = leaf.results.iter().find(|it| it.0 == *name);
                row.push(value.map_or_else(String::new, |it| it.1.clone()));
            }
            row.push(leaf.end);
            rows.push(row);
        }
        let paths = if count == 1 { "path" } else { "paths" };
        format!("{}\n{count} {paths}", table(&rows))
    }
}
