//! A shorter input with the same end.
//!
//! Knows: bytes, and a question that is asked of each candidate, so many times at most. Never: what the end is.

use std::time::{Duration, Instant};

/// How much may be tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) runs: u32,
    pub(crate) time: Duration,
}

/// Leaves out blocks, the largest first, then makes bytes plain, as long as `still` holds.
pub(crate) fn minimise(input: &[u8], effort: Effort, mut still: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let (mut left, end) = (effort.runs, Instant::now() + effort.time);
    let mut holds = |candidate: &[u8]| {
        if left == 0 || Instant::now() >= end {
            return false;
        }
        left -= 1;
        still(candidate)
    };
    let mut res = input.to_vec();
    let mut block = res.len().next_power_of_two() / 2;
    while block > 0 {
        let mut at = res.len();
        while at > 0 {
            let start = at.saturating_sub(block);
            let mut candidate = res[..start].to_vec();
            candidate.extend_from_slice(&res[at.min(res.len())..]);
            if candidate.len() < res.len() && holds(&candidate) {
                res = candidate;
            }
            at = start;
        }
        block /= 2;
    }
    // What does not matter is shown as such.
    let mut block = res.len().next_power_of_two();
    while block > 0 {
        let mut at = 0;
        while at < res.len() {
            let until = (at + block).min(res.len());
            if res[at..until].iter().any(|it| *it != b'0') {
                let mut candidate = res.clone();
                candidate[at..until].fill(b'0');
                if holds(&candidate) {
                    res = candidate;
                }
            }
            at = until;
        }
        block /= 2;
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ENOUGH: Effort = Effort { runs: 100_000, time: Duration::from_secs(60) };

    #[test]
    fn what_does_not_matter_goes() {
        let has = |it: &[u8]| it.windows(3).any(|it| it == b"bug");
        assert_eq!(minimise(b"some text with a bug in its middle", ENOUGH, has), b"bug");
        assert_eq!(minimise(b"", ENOUGH, |_| true), b"");
        let fifth = |it: &[u8]| it.get(4) == Some(&7);
        assert_eq!(minimise(&[1, 2, 3, 4, 7, 9], ENOUGH, fifth), b"0000\x07");
    }

    proptest! {
        /// Whatever is asked and however seldom: what comes out still holds, and is no longer than what came in.
        #[test]
        fn the_end_stays_the_same(
            mut input in proptest::collection::vec(any::<u8>(), 0..64),
            byte: u8,
            least in 0usize..8,
            runs in 0u32..200,
        ) {
            let still = |it: &[u8]| it.iter().filter(|it| **it == byte).count() >= least;
            input.extend(std::iter::repeat_n(byte, least));
            let res = minimise(&input, Effort { runs, time: Duration::from_secs(60) }, still);
            prop_assert!(still(&res) && res.len() <= input.len());
        }
    }
}
