//! `test (N)`: every path from here, in the order of the tree, as a table of its ends.
//!
//! Knows: paths and how many statements they have. Never: which path goes on (`core/walk`).
//! Source: King 1976, section 7: `TEST (200) SEARCH(...)`; the number limits the statements of a path.

use crate::motion::Passage;
use crate::position::{End, Progress};
use crate::session::{ENDED, Said, Session};
use crate::table::table;
use effigy_engine::{Asked, Event, Forks, Inspect, Outcome, Path, PathId, Stuck, Trail, Violated};
use effigy_solver::{Answer, PathCondition};
use effigy_walk::{Frontier, Search};
use std::rc::Rc;

/// The most values of one term that are followed.
const VALUES: usize = 64;

/// The most paths that are listed; a person reads no more.
const PATHS: usize = 10_000;

/// A path that waits, with the statements that it has executed.
#[derive(Clone)]
struct Pending<S> {
    path: Path<S>,
    progress: Progress,
    statements: u64,
}

/// The paths that wait, depth first, and the leaves so far.
struct Listing<S> {
    frontier: Frontier<Pending<S>>,
    /// No path has this number, or a greater one.
    next_id: u64,
    leaves: Vec<Leaf>,
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
                (state, Trail::of(PathCondition::of(self.config.layers)))
            }
            None if here.end.is_some() => return Err(ENDED.to_owned()),
            None => (here.state.clone(), here.trail.clone()),
        };
        let progress = self.first_progress(&state);
        let mut listing = Listing { frontier: Frontier::new(Search::Dfs, 0), next_id: 1, leaves: Vec::new() };
        let root = Pending { path: Path { id: PathId(0), state, trail }, progress, statements: 0 };
        listing.frontier.add(root.path.id, root, false);
        let mut left = self.config.transitions;
        let mut stopped = None;
        while let Some((_, path)) = listing.frontier.select() {
            if listing.leaves.len() >= PATHS {
                stopped = Some(format!("stopped after {PATHS} paths; others are not listed"));
                break;
            }
            self.follow(path, limit, &mut left, &mut listing);
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
        let mut text = self.leaves_text(listing.leaves);
        if let Some(stopped) = stopped {
            text.push('\n');
            text.push_str(&stopped);
        }
        Ok(text)
    }

    /// Follows one path to its end or to its next fork.
    fn follow(
        &mut self,
        mut at: Pending<L::State>,
        limit: u64,
        left: &mut Option<u64>,
        listing: &mut Listing<L::State>,
    ) {
        let leaves = &mut listing.leaves;
        loop {
            if self.interrupted() || *left == Some(0) {
                return;
            }
            *left = left.map(|it| it - 1);
            match self.event(&mut at.path) {
                // What an interrupt has cut short is not used.
                Event::Forked(_) | Event::Violated(_) | Event::Undecided(..) if self.interrupted() => return,
                Event::Answered | Event::Held(_) => {}
                Event::Ended(Ok(outcome)) => return self.leaf(at.path, &End::By(outcome), leaves),
                Event::Ended(Err(it)) => return self.leaf(at.path, &End::GaveUp(it), leaves),
                Event::Forked(forks) => return self.fork(&at, forks, listing),
                Event::Violated(violated) => {
                    let Violated { violation, into, past, .. } = *violated;
                    let failing = Path { id: at.path.id, state: at.path.state.clone(), trail: into };
                    self.leaf(failing, &End::By(Outcome::Violation(violation)), leaves);
                    let Some(past) = past else { return };
                    at.path.grant(self.language, past);
                }
                Event::Undecided(Stuck::Value(term), _) => {
                    let end = format!("the solver found no value of {}", self.formula(term));
                    return leaves.push(Leaf { trail: at.path.trail, end, results: Vec::new() });
                }
                Event::Undecided(Stuck::Branch, _) | Event::Waits | Event::DoesNotFit => {
                    let end = End::Impossible("no side of a branch is possible".to_owned());
                    return self.leaf(at.path, &end, leaves);
                }
                Event::Moved => {
                    let passage = self.pass(&at.path.state, &mut at.progress, &mut Vec::new());
                    if matches!(passage, Passage::Next) {
                        at.statements += 1;
                        if at.statements >= limit {
                            let end = format!("cut after {limit} statements");
                            return leaves.push(Leaf { trail: at.path.trail, end, results: Vec::new() });
                        }
                    }
                }
            }
        }
    }

    /// All ways on wait; the first is followed first.
    fn fork(&mut self, at: &Pending<L::State>, forks: Forks, listing: &mut Listing<L::State>) {
        for way in forks.ways.into_iter().rev() {
            let mut side = at.clone();
            side.path.id = PathId(listing.next_id);
            listing.next_id += 1;
            side.path.take(self.language, way);
            match forks.asked {
                Asked::Value(term) if side.path.trail.decisions.excluded().count() >= VALUES => {
                    let end = format!("cut: {} has more than {VALUES} values", self.formula(term));
                    listing.leaves.push(Leaf { trail: side.path.trail, end, results: Vec::new() });
                }
                Asked::Value(_) | Asked::Branch => listing.frontier.add(side.path.id, side, false),
            }
        }
    }

    fn leaf(&mut self, mut path: Path<L::State>, end: &End, leaves: &mut Vec<Leaf>) {
        if path.trail.witness.is_none() {
            match self.engine().satisfiable(&path.trail) {
                Answer::Unsat => return,
                Answer::Sat(model) => {
                    path.trail.witness = Some(model.into());
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
