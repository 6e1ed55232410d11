//! The calls that have not returned, of which the states of a fork share all but the last few.
//!
//! Knows: their order. Never: what a call is.

use crate::state::Frame;
use rpds::Vector;
use std::cmp::Ordering;
use std::rc::Rc;

/// So many calls are shared or copied together.
const CHUNK: usize = 32;

/// Calls, the outermost first. Cloning takes constant time however deep they nest.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// In chunks of [`CHUNK`].
    below: Vector<Rc<[Rc<Frame>]>>,
    /// The innermost: 2 · [`CHUNK`] at most, and one at least where there is any call.
    top: Vec<Rc<Frame>>,
}

impl Frames {
    /// The number of calls.
    pub fn len(&self) -> usize {
        self.below.len() * CHUNK + self.top.len()
    }

    /// Whether nothing is called.
    pub fn is_empty(&self) -> bool {
        self.top.is_empty()
    }

    /// The innermost call.
    pub fn last(&self) -> Option<&Rc<Frame>> {
        self.top.last()
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Rc<Frame>> {
        self.top.last_mut()
    }

    /// A call, counted from the outermost.
    pub fn get(&self, at: usize) -> Option<&Rc<Frame>> {
        match self.below.get(at / CHUNK) {
            Some(chunk) => chunk.get(at % CHUNK),
            None => self.top.get(at - self.below.len() * CHUNK),
        }
    }

    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut Rc<Frame>> {
        let below = self.below.len();
        match self.below.get_mut(at / CHUNK) {
            Some(chunk) => Rc::make_mut(chunk).get_mut(at % CHUNK),
            None => self.top.get_mut(at - below * CHUNK),
        }
    }

    /// The outermost call, where there is no other.
    pub(crate) fn only(&self) -> Option<&Frame> {
        self.last().filter(|_| self.len() == 1).map(|it| &**it)
    }

    /// The calls, the outermost first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Rc<Frame>> {
        self.below.iter().flat_map(|it| it.iter()).chain(&self.top)
    }

    pub(crate) fn push(&mut self, frame: Rc<Frame>) {
        if self.top.len() == 2 * CHUNK {
            self.below.push_back_mut(self.top.drain(..CHUNK).collect());
        }
        self.top.push(frame);
    }

    pub(crate) fn pop(&mut self) -> Option<Rc<Frame>> {
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
        other: &Frames,
        mut join: impl FnMut(usize, &Rc<Frame>, &Rc<Frame>) -> Result<Frame, E>,
    ) -> Result<Frames, E> {
        let mut both = |at, a: &Rc<Frame>, b: &Rc<Frame>| match Rc::ptr_eq(a, b) {
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
    fn after(&self, chunks: usize) -> impl Iterator<Item = &Rc<Frame>> {
        (chunks * CHUNK..self.len()).filter_map(|it| self.get(it))
    }

    /// The order of two, where `order` is that of a call of each, with what is called by it.
    pub(crate) fn order(&self, other: &Frames, mut order: impl FnMut(At<'_>, At<'_>) -> Ordering) -> Ordering {
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

    fn at(&self, at: usize) -> Option<At<'_>> {
        Some(At { frame: self.get(at)?, above: self.get(at + 1).map(|it| &**it) })
    }

    /// The calls, the outermost first, each with what it calls.
    pub(crate) fn calls(&self) -> impl Iterator<Item = At<'_>> {
        let above = self.iter().skip(1).map(|it| Some(&**it)).chain([None]);
        self.iter().zip(above).map(|(frame, above)| At { frame, above })
    }
}

/// A call with what it calls.
#[derive(Clone, Copy)]
pub(crate) struct At<'f> {
    pub(crate) frame: &'f Frame,
    pub(crate) above: Option<&'f Frame>,
}
