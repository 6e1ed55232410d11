//! Searchers: which path goes on. A file each.
//!
//! Knows: numbers of paths, how they split, what they reached. Never: states.

mod covnew;
mod depth;
mod interleaved;
mod random_path;
mod random_state;

use effigy_engine::PathId;

/// Which path goes on.
pub(crate) trait Searcher {
    /// `path` waits. It is new, or comes back after a split or a slice; `fresh` says whether it reached something
    /// new since it was selected.
    fn add(&mut self, path: PathId, fresh: bool);

    /// `parent` has split into these (perhaps itself among them); they are added next.
    fn split(&mut self, parent: PathId, children: &[PathId]) {
        let _ = (parent, children);
    }

    /// `path` has ended.
    fn ended(&mut self, path: PathId) {
        let _ = path;
    }

    /// `path` waits no longer: another searcher has selected it.
    fn remove(&mut self, path: PathId);

    /// The path that goes on; it waits no longer.
    fn select(&mut self) -> Option<PathId>;
}

/// The searchers by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// The path that was begun last.
    Dfs,
    /// The path that was begun first.
    Bfs,
    /// A random walk from the root of the execution tree.
    RandomPath,
    /// Any path.
    RandomState,
    /// Paths that reached something new not long ago.
    CovNew,
    /// Random path and new coverage in turn.
    #[default]
    Interleaved,
}

impl Search {
    /// All searchers with their names in flags.
    pub const ALL: &'static [(&'static str, Search)] = &[
        ("dfs", Search::Dfs),
        ("bfs", Search::Bfs),
        ("random-path", Search::RandomPath),
        ("random-state", Search::RandomState),
        ("covnew", Search::CovNew),
        ("interleaved", Search::Interleaved),
    ];

    pub(crate) fn searcher(self, seed: u64) -> Box<dyn Searcher> {
        let random = Random::new(seed);
        match self {
            Search::Dfs => Box::new(depth::DepthFirst::default()),
            Search::Bfs => Box::new(depth::BreadthFirst::default()),
            Search::RandomPath => Box::new(random_path::RandomPath::new(random)),
            Search::RandomState => Box::new(random_state::RandomState::new(random)),
            Search::CovNew => Box::new(covnew::CovNew::new(random)),
            Search::Interleaved => Box::new(interleaved::Interleaved::new(
                Box::new(random_path::RandomPath::new(random)),
                Box::new(covnew::CovNew::new(Random::new(seed ^ 0x5bd1_e995))),
            )),
        }
    }
}

/// SplitMix64: one seeded source of numbers. Source: Steele, Lea, Flood 2014.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut res = self.0;
        res = (res ^ (res >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        res = (res ^ (res >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        res ^ (res >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}
