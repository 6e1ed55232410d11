//! In which order the paths of a member go on.
//!
//! Knows: how often each path that waits has forked. Never: what a path is.
//!
//! The verdict is the same in any order, as far as no budget runs out; which failure is found first is not.

/// Which of the paths that wait goes on: of those that have forked so often, the one with this index. The last is the one
/// that began last.
pub type Order<'o> = &'o mut dyn FnMut(&[u64]) -> usize;

/// The orders by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// The path that began last.
    #[default]
    Dfs,
    /// The path that began first.
    Bfs,
    /// A random walk from the root: a path is half as likely with each fork.
    RandomPath,
    /// Any path.
    RandomState,
}

impl Search {
    /// All orders with their names in flags.
    pub const ALL: &'static [(&'static str, Search)] = &[
        ("dfs", Search::Dfs),
        ("bfs", Search::Bfs),
        ("random-path", Search::RandomPath),
        ("random-state", Search::RandomState),
    ];

    /// The order; what is random in it follows from the seed.
    pub fn order(self, seed: u64) -> impl FnMut(&[u64]) -> usize {
        let mut random = Random(seed);
        move |forks| match self {
            Search::Dfs => forks.len() - 1,
            Search::Bfs => 0,
            Search::RandomState => random.below(forks.len() as u64) as usize,
            Search::RandomPath => random_path(&mut random, forks),
        }
    }
}

fn random_path(random: &mut Random, forks: &[u64]) -> usize {
    let least = forks.iter().copied().min().unwrap_or_default();
    // Those that have forked much oftener are as good as never taken.
    let weight = |it: &u64| 1_u64 << (32 - (it - least).min(32));
    let mut left = random.below(forks.iter().map(weight).sum::<u64>().max(1));
    for (at, it) in forks.iter().enumerate() {
        match left.checked_sub(weight(it)) {
            Some(rest) => left = rest,
            None => return at,
        }
    }
    forks.len() - 1
}

/// SplitMix64. Source: Steele, Lea, Flood 2014.
struct Random(u64);

impl Random {
    /// A number below `bound`, which is not zero.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut res = self.0;
        res = (res ^ (res >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        res = (res ^ (res >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        res ^= res >> 31;
        ((u128::from(res) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_walk_from_the_root_is_half_as_likely_with_each_fork() {
        let mut order = Search::RandomPath.order(1);
        let mut taken = [0_u32; 3];
        (0..4000).for_each(|_| taken[order(&[1, 2, 2])] += 1);
        assert!((1800..2200).contains(&taken[0]) && (800..1200).contains(&taken[1]), "{taken:?}");
    }

    #[test]
    fn each_order_takes_one_that_waits() {
        for (name, search) in Search::ALL {
            let mut order = search.order(7);
            assert!((1..200).all(|count| order(&vec![3; count]) < count), "{name}");
        }
    }
}
