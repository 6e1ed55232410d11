//! Which loop goes round and forks each time, or never: where a walk without an end in sight has to be bounded.
//!
//! Knows: the places of the forks of one path, as far as four counters remember them. Never: loops themselves.
//! Source: Misra and Gries 1982: of n events, what occurs more than n/5 times is among what four counters hold.

use effigy_engine::Place;

/// Why no end of a path is in sight; the more telling, the greater.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Endless {
    /// It has made so many transitions without a fork, and stands here.
    Straight(u64, Place),
    /// It has forked so often here, at least.
    Forks(u32, Place),
}

/// The forks of one path, by the number of their place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Turns {
    /// Places with at least so many forks there.
    seen: [(u32, u32); 4],
    /// The transitions before the last fork.
    pub(crate) steps: u64,
}

impl Turns {
    /// A path of which only this is known.
    pub(crate) fn of(place: u32, count: u32) -> Turns {
        let mut res = Turns::default();
        res.seen[0] = (place, count);
        res
    }

    /// The path forks at this place.
    pub(crate) fn fork(&mut self, place: u32) {
        if let Some(it) = self.seen.iter_mut().find(|it| it.0 == place && it.1 > 0) {
            it.1 += 1;
        } else if let Some(it) = self.seen.iter_mut().find(|it| it.1 == 0) {
            *it = (place, 1);
        } else {
            self.seen.iter_mut().for_each(|it| it.1 -= 1);
        }
    }

    /// The place with the most forks, and how many there were at least.
    pub(crate) fn most(&self) -> Option<(u32, u32)> {
        self.seen.iter().copied().filter(|it| it.1 > 0).max_by_key(|it| (it.1, std::cmp::Reverse(it.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_loop_is_found_among_others() {
        let mut turns = Turns::default();
        (0..100).for_each(|it| [7, 1000 + it, 8].iter().for_each(|place| turns.fork(*place)));
        let (place, count) = turns.most().expect("a place");
        assert!([7, 8].contains(&place) && count >= 40, "{place} {count}");
    }

    #[test]
    fn a_path_without_forks_has_no_place() {
        assert_eq!(Turns::default().most(), None);
    }
}
