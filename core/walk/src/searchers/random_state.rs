//! Any path, each as likely as the other.

use super::{Random, Searcher};
use effigy_engine::PathId;

#[derive(Debug)]
pub(super) struct RandomState {
    waiting: Vec<PathId>,
    random: Random,
}

impl RandomState {
    pub(super) fn new(random: Random) -> RandomState {
        RandomState { waiting: Vec::new(), random }
    }
}

impl Searcher for RandomState {
    fn add(&mut self, path: PathId, _: bool) {
        self.waiting.push(path);
    }

    fn remove(&mut self, path: PathId) {
        self.waiting.retain(|it| *it != path);
    }

    fn select(&mut self) -> Option<PathId> {
        if self.waiting.is_empty() {
            return None;
        }
        let at = self.random.below(self.waiting.len());
        Some(self.waiting.swap_remove(at))
    }
}
