//! Paths that reached something new not long ago are the likelier ones to do so again.
//!
//! A path's age counts the times that it was selected without reaching anything new. Of a few paths drawn at
//! random the youngest goes on, so that selection costs the same however many wait.

use super::{Random, Searcher};
use effigy_engine::PathId;
use rustc_hash::{FxHashMap, FxHashSet};

/// So many are drawn.
const DRAWN: usize = 8;

#[derive(Debug)]
pub(super) struct CovNew {
    /// The waiting paths, and some that wait no longer: those are skipped.
    drawn_from: Vec<PathId>,
    waiting: FxHashSet<PathId>,
    ages: FxHashMap<PathId, u32>,
    random: Random,
}

impl CovNew {
    pub(super) fn new(random: Random) -> CovNew {
        CovNew { drawn_from: Vec::new(), waiting: FxHashSet::default(), ages: FxHashMap::default(), random }
    }

    fn age(&self, path: PathId) -> u32 {
        self.ages.get(&path).copied().unwrap_or(0)
    }
}

impl Searcher for CovNew {
    fn add(&mut self, path: PathId, fresh: bool) {
        let age = self.ages.entry(path).or_insert(0);
        *age = if fresh { 0 } else { *age + 1 };
        self.waiting.insert(path);
        self.drawn_from.push(path);
    }

    fn split(&mut self, parent: PathId, children: &[PathId]) {
        let age = self.age(parent);
        for &child in children {
            self.ages.insert(child, age);
        }
    }

    fn ended(&mut self, path: PathId) {
        self.ages.remove(&path);
    }

    fn remove(&mut self, path: PathId) {
        self.waiting.remove(&path);
    }

    fn select(&mut self) -> Option<PathId> {
        while !self.drawn_from.is_empty() {
            let draws = (0..DRAWN).map(|_| self.random.below(self.drawn_from.len())).collect::<Vec<_>>();
            let at = draws.into_iter().min_by_key(|&it| (self.age(self.drawn_from[it]), it))?;
            let path = self.drawn_from.swap_remove(at);
            if self.waiting.remove(&path) {
                return Some(path);
            }
        }
        None
    }
}
