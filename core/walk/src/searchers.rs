//! Searchers: which path goes on. A file each.
//!
//! Knows: numbers of paths, how they split, what they reached. Never: states.

mod batches;
mod covnew;
mod depth;
mod interleaved;
mod random_path;
mod random_state;

use effigy_engine::PathId;

/// Chooses the path that goes on.
pub(crate) trait Searcher {
    /// `path` waits. It is new, or comes back after a split or a slice; `fresh` says whether it reached something
    /// new since it was selected.
    fn add(&mut self, path: PathId, fresh: bool);

    /// `parent` has split into these (perhaps itself among them); they are added next.
    fn split(&mut self, parent: PathId, children: &[PathId]) {
        let _ = (parent, children);
    }

    /// `path` has ended and waits no more.
    fn ended(&mut self, path: PathId) {
        let _ = path;
    }

    /// `path` waits no longer: another searcher has selected it.
    fn remove(&mut self, path: PathId);

    /// The path that goes on; it waits no longer.
    fn select(&mut self) -> Option<PathId>;
}

/// The order in which paths go on, by its name in flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// The path that was begun last.
    Dfs,
    /// The path that was begun first.
    Bfs,
    /// A random walk from the root of the execution tree.
    RandomPath,
    /// Any path, each as likely as the others.
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

    /// Whether the order depends on what paths cover; where a language covers nothing it is no order of its own.
    pub fn needs_coverage(self) -> bool {
        matches!(self, Search::CovNew | Search::Interleaved)
    }

    pub(crate) fn searcher(self, seed: u64) -> Box<dyn Searcher> {
        let random = Random::new(seed);
        let chosen: Box<dyn Searcher> = match self {
            // Which path is next is what they are.
            Search::Dfs => return Box::new(depth::DepthFirst::default()),
            Search::Bfs => return Box::new(depth::BreadthFirst::default()),
            Search::RandomPath => Box::new(random_path::RandomPath::new(random)),
            Search::RandomState => Box::new(random_state::RandomState::new(random)),
            Search::CovNew => Box::new(covnew::CovNew::new(random)),
            Search::Interleaved => Box::new(interleaved::Interleaved::new(
                Box::new(random_path::RandomPath::new(random)),
                Box::new(covnew::CovNew::new(Random::new(seed ^ 0x5bd1_e995))),
            )),
        };
        Box::new(batches::Batches::new(chosen))
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// What a walk does with the path that was selected.
    #[derive(Clone, Copy, Debug)]
    enum Turn {
        Ends,
        /// Into so many, of which the first has the parent's number; the last of them may end at once.
        Splits(u64, bool),
        /// The path waits again.
        Waits,
        /// Another path that waits goes to another worker.
        Gives,
    }

    fn turns() -> impl Strategy<Value = Vec<Turn>> {
        let turn = prop_oneof![
            2 => Just(Turn::Ends),
            4 => (1u64..4, any::<bool>()).prop_map(|(count, ends)| Turn::Splits(count, ends)),
            1 => Just(Turn::Waits),
            1 => Just(Turn::Gives),
        ];
        prop::collection::vec(turn, 0..600)
    }

    /// Whatever is selected waits, and all that waits is selected in the end.
    fn nothing_is_lost(search: Search, turns: &[Turn]) {
        let mut searcher = search.searcher(7);
        let mut waiting = BTreeSet::from([PathId(0)]);
        searcher.add(PathId(0), true);
        let mut fresh = 1;
        let mut turns = turns.iter();
        while let Some(path) = searcher.select() {
            assert!(waiting.remove(&path), "{search:?} has selected {path:?}, which does not wait");
            match turns.next() {
                Some(Turn::Splits(count, ends)) => {
                    let children: Vec<PathId> =
                        [path].into_iter().chain((0..count - 1).map(|it| PathId(fresh + it))).collect();
                    fresh += count;
                    searcher.split(path, &children);
                    for (at, child) in children.iter().enumerate().rev() {
                        if *ends && at + 1 == children.len() {
                            searcher.ended(*child);
                            continue;
                        }
                        searcher.add(*child, at == 0);
                        waiting.insert(*child);
                    }
                }
                Some(Turn::Waits) => {
                    searcher.add(path, false);
                    waiting.insert(path);
                }
                Some(Turn::Gives) => {
                    if let Some(given) = waiting.pop_first() {
                        searcher.remove(given);
                        searcher.ended(given);
                    }
                    searcher.ended(path);
                }
                Some(Turn::Ends) | None => searcher.ended(path),
            }
        }
        assert!(waiting.is_empty(), "{search:?} has lost {waiting:?}");
    }

    proptest! {
        #[test]
        fn all_that_waits_is_selected_once(turns in turns()) {
            for (_, search) in Search::ALL {
                nothing_is_lost(*search, &turns);
            }
        }
    }

    #[test]
    fn a_long_walk_loses_nothing_either() {
        // Batches are at their longest behind some thousand turns.
        let long: Vec<Turn> = (0..20_000u64)
            .map(|it| match it % 7 {
                0 | 3 => Turn::Ends,
                5 => Turn::Waits,
                6 if it % 5 == 0 => Turn::Gives,
                _ => Turn::Splits(1 + it % 3, it % 11 == 0),
            })
            .collect();
        for (_, search) in Search::ALL {
            nothing_is_lost(*search, &long);
        }
    }
}
