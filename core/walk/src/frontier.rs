//! The paths that wait, and which of them goes on.
//!
//! Knows: paths by their numbers, how they split. Never: what a path is.

use crate::searchers::{Search, Searcher};
use effigy_engine::PathId;
use rustc_hash::FxHashMap;

/// The pending paths of a walk, each with what the walk keeps of it (`P`), and the searcher that chooses among them.
pub struct Frontier<P> {
    searcher: Box<dyn Searcher>,
    pending: FxHashMap<PathId, P>,
}

impl<P> Frontier<P> {
    /// An empty frontier. What is random in the order follows from `seed`.
    pub fn new(search: Search, seed: u64) -> Frontier<P> {
        Frontier { searcher: search.searcher(seed), pending: FxHashMap::default() }
    }

    /// Whether the frontier has no path.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// The number of paths that wait.
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// The paths that wait, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (PathId, &P)> + Clone {
        self.pending.iter().map(|(id, path)| (*id, path))
    }

    /// The path waits from now on. `fresh` says whether it has covered something new since it was selected.
    pub fn add(&mut self, id: PathId, path: P, fresh: bool) {
        self.pending.insert(id, path);
        self.searcher.add(id, fresh);
    }

    /// Takes the path that goes on out of the frontier. Depth-first search takes the one that was added last.
    pub fn select(&mut self) -> Option<(PathId, P)> {
        while let Some(id) = self.searcher.select() {
            if let Some(path) = self.pending.remove(&id) {
                return Some((id, path));
            }
        }
        // Whatever a searcher does, no path is lost.
        let id = self.pending.keys().min().copied()?;
        Some((id, self.pending.remove(&id)?))
    }

    /// The selected path `parent` has split into `children`, of which it may be one itself; they are added next, or
    /// [`Frontier::end`].
    pub fn split(&mut self, parent: PathId, children: &[PathId]) {
        self.searcher.split(parent, children);
    }

    /// A path that was selected waits no more.
    pub fn end(&mut self, id: PathId) {
        self.searcher.ended(id);
    }

    /// Takes out a path that waits, which goes on elsewhere.
    pub fn remove(&mut self, id: PathId) -> Option<P> {
        let path = self.pending.remove(&id)?;
        self.searcher.remove(id);
        self.searcher.ended(id);
        Some(path)
    }
}
