//! Symbolic indices.
//!
//! Knows: that an index out of bounds panics. Never: what is stored.

use crate::merge::Merge;
use crate::sym::Sym;
use std::ops::{Index, IndexMut};

/// An index within bounds, as a number: each is followed.
#[track_caller]
fn within(at: Sym<usize>, length: usize) -> usize {
    if !at.less(length).holds() {
        panic!("index out of bounds: the len is {length} but the index is {at}");
    }
    at.value()
}

impl<T> Index<Sym<usize>> for Vec<T> {
    type Output = T;

    #[track_caller]
    fn index(&self, at: Sym<usize>) -> &T {
        &self[within(at, self.len())]
    }
}

impl<T> IndexMut<Sym<usize>> for Vec<T> {
    #[track_caller]
    fn index_mut(&mut self, at: Sym<usize>) -> &mut T {
        let at = within(at, self.len());
        &mut self[at]
    }
}

impl<T> Index<Sym<usize>> for [T] {
    type Output = T;

    #[track_caller]
    fn index(&self, at: Sym<usize>) -> &T {
        &self[within(at, self.len())]
    }
}

impl<T> IndexMut<Sym<usize>> for [T] {
    #[track_caller]
    fn index_mut(&mut self, at: Sym<usize>) -> &mut T {
        let at = within(at, self.len());
        &mut self[at]
    }
}

/// Reading and writing at a symbolic index without following each.
pub trait At<T> {
    /// The element there: a choice of all, not a path for each.
    fn at(&self, at: Sym<usize>) -> T;

    /// Every element is the new one if its index is this one.
    fn set_at(&mut self, at: Sym<usize>, value: T);
}

impl<T: Merge + Clone> At<T> for [T] {
    #[track_caller]
    fn at(&self, at: Sym<usize>) -> T {
        if !at.less(self.len()).holds() {
            panic!("index out of bounds: the len is {} but the index is {at}", self.len());
        }
        if let Some(at) = at.as_plain() {
            return self[at].clone();
        }
        let mut res = self[0].clone();
        for (index, it) in self.iter().enumerate().skip(1) {
            res = T::merge(at.equals(index), it.clone(), res);
        }
        res
    }

    #[track_caller]
    fn set_at(&mut self, at: Sym<usize>, value: T) {
        if !at.less(self.len()).holds() {
            panic!("index out of bounds: the len is {} but the index is {at}", self.len());
        }
        for (index, it) in self.iter_mut().enumerate() {
            *it = T::merge(at.equals(index), value.clone(), it.clone());
        }
    }
}
