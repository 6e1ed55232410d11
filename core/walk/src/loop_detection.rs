//! Which path of a walk has no end in sight: one that forks at one place again and again, makes many transitions without
//! a fork, or comes to a state again.
//!
//! Knows: the places of the forks of each path, as far as four counters remember them; one earlier state of a path that
//! does not fork. Never: loops themselves.
//! Source: Misra and Gries 1982: of n events, what occurs more than n/5 times is among what four counters hold.

use crate::repeats::Repeats;
use effigy_engine::{PathId, Place};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A path that has forked so often at one place may do so for ever.
const MANY_FORKS: u32 = 32;

/// A path that has made so many transitions without a fork may do so for ever.
const MANY_STEPS: u64 = 20_000_000;

/// Why no end of a path is in sight; the more telling, the greater.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Endless {
    /// The path has made so many transitions without a fork, and stands here.
    Straight(u64, Place),
    /// The path has forked so often here, at least.
    Forks(u32, Place),
}

/// What a walk remembers of its paths to find those without an end; `S` is the language's state.
#[derive(Debug)]
pub struct LoopDetector<S> {
    /// Where the paths have forked.
    forks: FxHashMap<PathId, ForkCounters>,
    /// Paths that have been under way for long without a fork.
    repeats: FxHashMap<PathId, Repeats<S>>,
    /// The places of forks, by number.
    places: IndexSet<Place>,
}

impl<S> Default for LoopDetector<S> {
    fn default() -> LoopDetector<S> {
        LoopDetector { forks: FxHashMap::default(), repeats: FxHashMap::default(), places: IndexSet::new() }
    }
}

impl<S> LoopDetector<S> {
    /// `parent` forks at `place` into `children`, after so many transitions.
    pub fn fork(&mut self, parent: PathId, children: &[PathId], place: Place, steps: u64) {
        let mut counters = self.forks.remove(&parent).unwrap_or_default();
        counters.fork(self.places.insert_full(place).0 as u32);
        counters.steps = steps;
        self.repeats.remove(&parent);
        self.forks.extend(children.iter().map(|it| (*it, counters)));
    }

    /// A path that another worker has begun: the place at which it has forked most, and how often.
    pub fn resume(&mut self, path: PathId, place: Place, count: u32) {
        let place = self.places.insert_full(place).0 as u32;
        self.forks.insert(path, ForkCounters::of(place, count));
    }

    /// The path has ended: nothing is kept of it.
    pub fn forget(&mut self, path: PathId) {
        self.repeats.remove(&path);
        self.forks.remove(&path);
    }

    /// The path goes on elsewhere: what [`LoopDetector::resume`] has to be told there.
    pub fn give(&mut self, path: PathId) -> Option<(Place, u32)> {
        self.repeats.remove(&path);
        let counters = self.forks.remove(&path)?;
        self.most_forked(counters)
    }

    /// Whether a path that has not forked for long has come to a state again; `is_same` compares an earlier state with
    /// this one.
    pub fn repeats_state(&mut self, path: PathId, state: &S, is_same: impl FnOnce(&S, &S) -> bool) -> bool
    where
        S: Clone,
    {
        match self.repeats.get_mut(&path) {
            Some(repeats) => repeats.goes_round(state, is_same),
            None => {
                self.repeats.insert(path, Repeats::new(state));
                false
            }
        }
    }

    /// Of the paths that wait, given with the transitions that each has made, the one with the least hope of an end.
    /// `place` says where a path stands. Of several the first that was met, so that it is the same in every run.
    pub fn endless(
        &self,
        pending: impl Iterator<Item = (PathId, u64)> + Clone,
        place: impl FnOnce(PathId) -> Option<Place>,
    ) -> Option<Endless> {
        let counters = pending.clone().filter_map(|it| self.forks.get(&it.0).copied());
        let most = counters.max_by_key(|it| it.most().map(|(place, count)| (count, Reverse(place))));
        if let Some((place, count)) = most.and_then(|it| self.most_forked(it)).filter(|it| it.1 >= MANY_FORKS) {
            return Some(Endless::Forks(count, place));
        }
        let since = pending.map(|(id, steps)| (steps - self.forks.get(&id).map_or(0, |it| it.steps), Reverse(id)));
        let (steps, Reverse(longest)) = since.max()?;
        if steps < MANY_STEPS {
            return None;
        }
        Some(Endless::Straight(steps, place(longest)?))
    }

    fn most_forked(&self, counters: ForkCounters) -> Option<(Place, u32)> {
        let (place, count) = counters.most()?;
        Some((self.places.get_index(place as usize)?.clone(), count))
    }
}

/// The forks of one path, by the number of their place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct ForkCounters {
    /// Places with at least so many forks there.
    counted: [(u32, u32); 4],
    /// The transitions before the last fork.
    steps: u64,
}

impl ForkCounters {
    /// The counters of a path of which only this is known.
    fn of(place: u32, count: u32) -> ForkCounters {
        let mut res = ForkCounters::default();
        res.counted[0] = (place, count);
        res
    }

    /// The path forks at this place.
    fn fork(&mut self, place: u32) {
        if let Some(it) = self.counted.iter_mut().find(|it| it.0 == place && it.1 > 0) {
            it.1 += 1;
        } else if let Some(it) = self.counted.iter_mut().find(|it| it.1 == 0) {
            *it = (place, 1);
        } else {
            self.counted.iter_mut().for_each(|it| it.1 -= 1);
        }
    }

    /// The place with the most forks, and how many there were at least.
    fn most(&self) -> Option<(u32, u32)> {
        self.counted.iter().copied().filter(|it| it.1 > 0).max_by_key(|it| (it.1, Reverse(it.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_loop_is_found_among_others() {
        let mut counters = ForkCounters::default();
        (0..100).for_each(|it| [7, 1000 + it, 8].iter().for_each(|place| counters.fork(*place)));
        let (place, count) = counters.most().expect("a place");
        assert!([7, 8].contains(&place) && count >= 40, "{place} {count}");
    }

    #[test]
    fn a_path_without_forks_has_no_place() {
        assert_eq!(ForkCounters::default().most(), None);
    }
}
