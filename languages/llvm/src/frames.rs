//! The calls that have not returned, of which the states of a fork share all but the last few.
//!
//! Knows: their order. Never: what a call is.

use rpds::Vector;
use std::cmp::Ordering;
use std::rc::Rc;

/// So many calls are shared or copied together.
const CHUNK: usize = 32;

/// Calls, the outermost first. Cloning takes constant time however deep they nest.
#[derive(Clone, Debug)]
pub struct Frames<F> {
    /// In chunks of [`CHUNK`].
    below: Vector<Rc<[Rc<F>]>>,
    /// The innermost: 2 · [`CHUNK`] at most, and one at least where there is any call.
    top: Vec<Rc<F>>,
}

impl<F> Default for Frames<F> {
    fn default() -> Frames<F> {
        Frames { below: Vector::new(), top: Vec::new() }
    }
}

impl<F: Clone> Frames<F> {
    /// The number of calls.
    pub fn len(&self) -> usize {
        self.below.len() * CHUNK + self.top.len()
    }

    /// Whether nothing is called.
    pub fn is_empty(&self) -> bool {
        self.top.is_empty()
    }

    /// The innermost call.
    pub fn last(&self) -> Option<&Rc<F>> {
        self.top.last()
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Rc<F>> {
        self.top.last_mut()
    }

    /// A call, counted from the outermost.
    pub fn get(&self, at: usize) -> Option<&Rc<F>> {
        match self.below.get(at / CHUNK) {
            Some(chunk) => chunk.get(at % CHUNK),
            None => self.top.get(at - self.below.len() * CHUNK),
        }
    }

    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut Rc<F>> {
        let below = self.below.len();
        match self.below.get_mut(at / CHUNK) {
            Some(chunk) => Rc::make_mut(chunk).get_mut(at % CHUNK),
            None => self.top.get_mut(at - below * CHUNK),
        }
    }

    /// The outermost call, where there is no other.
    pub(crate) fn only(&self) -> Option<&F> {
        self.last().filter(|_| self.len() == 1).map(|it| &**it)
    }

    /// The calls, the outermost first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Rc<F>> {
        self.below.iter().flat_map(|it| it.iter()).chain(&self.top)
    }

    pub(crate) fn push(&mut self, frame: Rc<F>) {
        if self.top.len() == 2 * CHUNK {
            self.below.push_back_mut(self.top.drain(..CHUNK).collect());
        }
        self.top.push(frame);
    }

    pub(crate) fn pop(&mut self) -> Option<Rc<F>> {
        let res = self.top.pop()?;
        if self.top.is_empty()
            && let Some(chunk) = self.below.last()
        {
            self.top.extend(chunk.iter().cloned());
            self.below.drop_last_mut();
        }
        Some(res)
    }

    /// The calls of two states that are equally deep; `join` makes one of two that differ.
    ///
    /// # Errors
    /// Those of `join`.
    pub(crate) fn joined<E>(
        &self,
        other: &Frames<F>,
        mut join: impl FnMut(usize, &Rc<F>, &Rc<F>) -> Result<F, E>,
    ) -> Result<Frames<F>, E> {
        let mut both = |at, a: &Rc<F>, b: &Rc<F>| match Rc::ptr_eq(a, b) {
            true => Ok(Rc::clone(a)),
            false => join(at, a, b).map(Rc::new),
        };
        let mut res = Frames::default();
        let shared = self.below.iter().zip(other.below.iter()).take_while(|(a, b)| Rc::ptr_eq(a, b)).count();
        res.below = match shared == self.below.len() {
            true => self.below.clone(),
            false => self.below.iter().take(shared).cloned().collect(),
        };
        let first = shared * CHUNK;
        for (at, (a, b)) in self.after(shared).zip(other.after(shared)).enumerate() {
            res.push(both(first + at, a, b)?);
        }
        Ok(res)
    }

    /// The calls above so many chunks.
    fn after(&self, chunks: usize) -> impl Iterator<Item = &Rc<F>> {
        (chunks * CHUNK..self.len()).filter_map(|it| self.get(it))
    }

    /// The order of two, where `order` is that of a call of each, with what is called by it.
    pub(crate) fn order(&self, other: &Frames<F>, mut order: impl FnMut(At<'_, F>, At<'_, F>) -> Ordering) -> Ordering {
        let shared = self.below.iter().zip(other.below.iter()).take_while(|(a, b)| Rc::ptr_eq(a, b)).count();
        // What the last of them stands at depends on what it calls.
        for at in (shared * CHUNK).saturating_sub(1)..self.len().min(other.len()) {
            let (Some(a), Some(b)) = (self.at(at), other.at(at)) else { break };
            let res = order(a, b);
            if res.is_ne() {
                return res;
            }
        }
        self.len().cmp(&other.len())
    }

    fn at(&self, at: usize) -> Option<At<'_, F>> {
        Some(At { frame: self.get(at)?, above: self.get(at + 1).map(|it| &**it) })
    }

    /// The calls, the outermost first, each with what it calls.
    pub(crate) fn calls(&self) -> impl Iterator<Item = At<'_, F>> {
        let above = self.iter().skip(1).map(|it| Some(&**it)).chain([None]);
        self.iter().zip(above).map(|(frame, above)| At { frame: &**frame, above })
    }
}

/// A call with what it calls.
pub(crate) struct At<'f, F> {
    pub(crate) frame: &'f F,
    pub(crate) above: Option<&'f F>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers<'f>(of: impl Iterator<Item = &'f Rc<u32>>) -> Vec<u32> {
        of.map(|it| **it).collect()
    }

    /// The calls of `Frames` and of a vector after the same pushes (of so many frames) and pops (of so many).
    fn both(moves: &[(u8, u8)]) -> (Frames<u32>, Vec<u32>) {
        let (mut frames, mut plain, mut next) = (Frames::default(), Vec::new(), 0);
        for &(pushed, popped) in moves {
            for _ in 0..pushed {
                frames.push(Rc::new(next));
                plain.push(next);
                next += 1;
            }
            for _ in 0..popped {
                assert_eq!(frames.pop().map(|it| *it), plain.pop());
            }
        }
        (frames, plain)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn they_are_a_stack(moves in prop::collection::vec((0_u8..120, 0_u8..110), 1..8), at in 0_usize..400) {
            let (mut frames, mut plain) = both(&moves);
            let before = frames.clone();
            prop_assert_eq!(frames.len(), plain.len());
            prop_assert_eq!(frames.is_empty(), plain.is_empty());
            prop_assert_eq!(numbers(frames.iter()), plain.clone());
            prop_assert_eq!(numbers(frames.iter().rev()), plain.iter().rev().copied().collect::<Vec<_>>());
            prop_assert_eq!(frames.get(at).map(|it| **it), plain.get(at).copied());
            prop_assert_eq!(frames.last().map(|it| **it), plain.last().copied());
            let above: Vec<Option<u32>> = frames.calls().map(|it| it.above.copied()).collect();
            prop_assert_eq!(above, (1..=plain.len()).map(|it| plain.get(it).copied()).collect::<Vec<_>>());
            if let Some(changed) = frames.get_mut(at) {
                *Rc::make_mut(changed) = 9999;
                plain[at] = 9999;
            }
            prop_assert_eq!(numbers(frames.iter()), plain);
            // A clone is not changed with it.
            prop_assert!(before.iter().all(|it| **it != 9999));
        }

        #[test]
        fn two_of_one_beginning_have_an_order_and_join(
            moves in prop::collection::vec((0_u8..120, 0_u8..110), 1..6),
            (more, other) in ((0_u8..100, 0_u8..90), (0_u8..100, 0_u8..90)),
        ) {
            let (frames, plain) = both(&moves);
            let after = |(popped, pushed): (u8, u8), first: u32| {
                let (mut frames, mut plain) = (frames.clone(), plain.clone());
                for _ in 0..popped {
                    frames.pop();
                    plain.pop();
                }
                for at in 0..u32::from(pushed) {
                    frames.push(Rc::new(first + at % 7));
                    plain.push(first + at % 7);
                }
                (frames, plain)
            };
            let ((a, of_a), (b, of_b)) = (after(more, 5000), after(other, 5003));
            prop_assert_eq!(a.order(&b, |a, b| a.frame.cmp(b.frame)), of_a.cmp(&of_b));
            if of_a.len() == of_b.len() {
                let joined = a.joined(&b, |at, a, b| {
                    assert_eq!((**a, **b), (of_a[at], of_b[at]));
                    Ok::<u32, ()>(**a.max(b))
                });
                let expected: Vec<u32> = of_a.iter().zip(&of_b).map(|(a, b)| *a.max(b)).collect();
                prop_assert_eq!(numbers(joined.expect("no frame is refused").iter()), expected);
            }
        }
    }
}
