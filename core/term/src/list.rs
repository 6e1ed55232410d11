//! A persistent list that grows at its end: what many paths have in common is held once.
//!
//! Knows: sharing, and that long chains are freed in a loop. Never: what is in it.

use std::fmt;
use std::rc::Rc;

/// A sequence that shares its beginning with the lists that it was cloned from. Cloning, `push` and `len` take constant
/// time; a reader goes from the last item to the first.
pub struct PersistentList<T> {
    last: Option<Rc<Entry<T>>>,
}

struct Entry<T> {
    item: T,
    /// Its own place, counted from 1.
    count: usize,
    before: Option<Rc<Entry<T>>>,
}

impl<T> PersistentList<T> {
    /// The empty list.
    pub fn new() -> PersistentList<T> {
        PersistentList { last: None }
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |it| it.count)
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        self.last = Some(Rc::new(Entry { item, count: self.len() + 1, before: self.last.take() }));
    }

    /// The item that was added last.
    pub fn last(&self) -> Option<&T> {
        self.last.as_ref().map(|it| &it.item)
    }

    /// Removes the last item. What it shares with other lists stays with them.
    pub fn pop(&mut self) {
        self.last = self.last.as_ref().and_then(|it| it.before.clone());
    }

    /// The first `count` items. Costs what is left out.
    pub fn first(&self, count: usize) -> PersistentList<T> {
        let mut res = self.clone();
        while res.len() > count {
            res.pop();
        }
        res
    }

    /// How many items at the beginning are held once for this list and `other`. Costs what is not.
    pub fn shared_with(&self, other: &PersistentList<T>) -> usize {
        let (mut here, mut there) = (&self.last, &other.last);
        loop {
            match (here, there) {
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) => return a.count,
                (Some(a), Some(b)) if a.count >= b.count => here = &a.before,
                (Some(_), Some(b)) => there = &b.before,
                (None, _) | (_, None) => return 0,
            }
        }
    }

    /// The items, last to first.
    pub fn iter_back(&self) -> impl Iterator<Item = &T> {
        let mut next = self.last.as_deref();
        std::iter::from_fn(move || {
            let it = next?;
            next = it.before.as_deref();
            Some(&it.item)
        })
    }

    /// The items, first to last.
    pub fn to_vec(&self) -> Vec<T>
    where
        T: Clone,
    {
        let mut res = Vec::with_capacity(self.len());
        res.extend(self.iter_back().cloned());
        res.reverse();
        res
    }
}

// Not derived: the derived implementations ask for the same of `T`, or recur as deep as the list is long.
impl<T> Clone for PersistentList<T> {
    fn clone(&self) -> PersistentList<T> {
        PersistentList { last: self.last.clone() }
    }
}

impl<T> Default for PersistentList<T> {
    fn default() -> PersistentList<T> {
        PersistentList::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for PersistentList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut items: Vec<&T> = self.iter_back().collect();
        items.reverse();
        f.debug_list().entries(items).finish()
    }
}

impl<T> Drop for PersistentList<T> {
    /// Frees a long unshared chain in a loop: the derived recursion would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(it) = next {
            match Rc::try_unwrap(it) {
                Ok(mut entry) => next = entry.before.take(),
                Err(_) => break,
            }
        }
    }
}

impl<T> Extend<T> for PersistentList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|it| self.push(it));
    }
}

impl<T> FromIterator<T> for PersistentList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> PersistentList<T> {
        let mut res = PersistentList::new();
        res.extend(items);
        res
    }
}

#[cfg(test)]
mod tests;
