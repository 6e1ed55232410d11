//! A path that was chosen, and what comes of it, goes on for a while before another one is chosen.
//!
//! What a path works on is at hand while it goes on; each choice of one from elsewhere has to fetch what is its own. The
//! choices are those of the searcher below, only fewer, and the fewer the longer the walk: what is worth reaching is found
//! soonest by the first few hundred of them, and where thousands were made one more or less does not matter.
//!
//! Source: KLEE's `BatchingSearcher`, which counts instructions, from the beginning; here turns are counted, from fork to
//! fork.

use super::Searcher;
use effigy_engine::PathId;

/// So many turns at most are one path's and its descendants', depth first.
const LONGEST: u64 = 32;

/// After so many turns of the walk a batch has one more.
const GROWS: u64 = 128;

pub(super) struct Batches {
    below: Box<dyn Searcher>,
    /// What has come to wait in this batch, and whether it had reached something new. The searcher below knows how these
    /// paths came about, not that they wait.
    own: Vec<(PathId, bool)>,
    /// Turns of the walk.
    turns: u64,
    /// Turns that are left of the batch.
    left: u64,
    /// The path that was chosen last, until it splits.
    chosen: Option<PathId>,
}

impl Batches {
    pub(super) fn new(below: Box<dyn Searcher>) -> Batches {
        Batches { below, own: Vec::new(), turns: 0, left: 0, chosen: None }
    }
}

impl Searcher for Batches {
    fn add(&mut self, path: PathId, fresh: bool) {
        // One that is long under way without a fork is as far from the others as can be.
        if self.chosen == Some(path) {
            self.left = 0;
        }
        self.own.push((path, fresh));
    }

    fn split(&mut self, parent: PathId, children: &[PathId]) {
        self.chosen = None;
        self.below.split(parent, children);
    }

    fn ended(&mut self, path: PathId) {
        self.below.ended(path);
    }

    fn remove(&mut self, path: PathId) {
        match self.own.iter().position(|it| it.0 == path) {
            Some(at) => drop(self.own.remove(at)),
            None => self.below.remove(path),
        }
    }

    fn select(&mut self) -> Option<PathId> {
        self.turns += 1;
        let next = self.own.pop_if(|_| self.left > 0).map(|it| it.0);
        self.left = self.left.saturating_sub(1);
        self.chosen = next.or_else(|| {
            self.left = (self.turns / GROWS).min(LONGEST - 1);
            self.own.drain(..).for_each(|(path, fresh)| self.below.add(path, fresh));
            self.below.select()
        });
        self.chosen
    }
}
