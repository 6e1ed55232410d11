//! Depth first and breadth first.

use super::Searcher;
use effigy_engine::PathId;
use std::collections::VecDeque;

/// The path that was begun last goes on; of a split, the first side.
#[derive(Debug, Default)]
pub(super) struct DepthFirst {
    waiting: Vec<PathId>,
}

impl Searcher for DepthFirst {
    fn add(&mut self, path: PathId, _: bool) {
        self.waiting.push(path);
    }

    fn remove(&mut self, path: PathId) {
        self.waiting.retain(|it| *it != path);
    }

    fn select(&mut self) -> Option<PathId> {
        self.waiting.pop()
    }
}

/// The path that waits longest goes on.
#[derive(Debug, Default)]
pub(super) struct BreadthFirst {
    waiting: VecDeque<PathId>,
}

impl Searcher for BreadthFirst {
    fn add(&mut self, path: PathId, _: bool) {
        self.waiting.push_back(path);
    }

    fn remove(&mut self, path: PathId) {
        self.waiting.retain(|it| *it != path);
    }

    fn select(&mut self) -> Option<PathId> {
        self.waiting.pop_front()
    }
}
