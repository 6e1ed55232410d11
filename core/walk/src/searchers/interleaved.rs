//! Two searchers in turn over the same paths.

use super::Searcher;
use effigy_engine::PathId;

pub(super) struct Interleaved {
    searchers: [Box<dyn Searcher>; 2],
    turn: usize,
}

impl Interleaved {
    pub(super) fn new(first: Box<dyn Searcher>, second: Box<dyn Searcher>) -> Interleaved {
        Interleaved { searchers: [first, second], turn: 0 }
    }
}

impl Searcher for Interleaved {
    fn add(&mut self, path: PathId, fresh: bool) {
        self.searchers.iter_mut().for_each(|it| it.add(path, fresh));
    }

    fn split(&mut self, parent: PathId, children: &[PathId]) {
        self.searchers.iter_mut().for_each(|it| it.split(parent, children));
    }

    fn ended(&mut self, path: PathId) {
        self.searchers.iter_mut().for_each(|it| it.ended(path));
    }

    fn remove(&mut self, path: PathId) {
        self.searchers.iter_mut().for_each(|it| it.remove(path));
    }

    fn select(&mut self) -> Option<PathId> {
        self.turn = 1 - self.turn;
        let path = self.searchers[self.turn].select()?;
        self.searchers[1 - self.turn].remove(path);
        Some(path)
    }
}
