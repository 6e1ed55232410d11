//! Values of types that have no largest one, up to a bound.

use crate::{Arbitrary, assume};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

/// A type of which there can be any value of at most so many elements.
pub trait BoundedArbitrary: Sized {
    /// Any value of at most `N` elements (of a text: bytes).
    #[track_caller]
    fn bounded_any<const N: usize>() -> Self;
}

/// Any value of at most `N` elements: `bounded_any::<Vec<u8>, 4>()`.
#[track_caller]
pub fn bounded_any<T: BoundedArbitrary, const N: usize>() -> T {
    T::bounded_any::<N>()
}

/// Any number of elements up to a bound.
#[track_caller]
fn any_length<const N: usize>() -> usize {
    let length = usize::any();
    assume(length <= N);
    // One number on each path: code that counts elements is followed for each count.
    (0..=N).find(|it| *it == length).unwrap_or(N)
}

impl<T: Arbitrary> BoundedArbitrary for Vec<T> {
    #[track_caller]
    fn bounded_any<const N: usize>() -> Self {
        let length = any_length::<N>();
        let mut res = Vec::with_capacity(length);
        for _ in 0..length {
            res.push(T::any());
        }
        res
    }
}

impl<T: Arbitrary> BoundedArbitrary for Box<[T]> {
    #[track_caller]
    fn bounded_any<const N: usize>() -> Self {
        Vec::bounded_any::<N>().into()
    }
}

impl BoundedArbitrary for String {
    #[track_caller]
    fn bounded_any<const N: usize>() -> Self {
        let text = String::from_utf8(Vec::bounded_any::<N>());
        assume(text.is_ok());
        text.unwrap_or_default()
    }
}

impl<K: Arbitrary + Eq + Hash, V: Arbitrary> BoundedArbitrary for HashMap<K, V> {
    #[track_caller]
    fn bounded_any<const N: usize>() -> Self {
        Vec::<(K, V)>::bounded_any::<N>().into_iter().collect()
    }
}

impl<K: Arbitrary + Ord, V: Arbitrary> BoundedArbitrary for BTreeMap<K, V> {
    #[track_caller]
    fn bounded_any<const N: usize>() -> Self {
        Vec::<(K, V)>::bounded_any::<N>().into_iter().collect()
    }
}

impl<T: Arbitrary + Eq + Hash> BoundedArbitrary for HashSet<T> {
    #[track_caller]
    fn bounded_any<const N: usize>() -> Self {
        Vec::<T>::bounded_any::<N>().into_iter().collect()
    }
}

impl<T: Arbitrary + Ord> BoundedArbitrary for BTreeSet<T> {
    #[track_caller]
    fn bounded_any<const N: usize>() -> Self {
        Vec::<T>::bounded_any::<N>().into_iter().collect()
    }
}

impl<T: BoundedArbitrary> BoundedArbitrary for Option<T> {
    #[track_caller]
    fn bounded_any<const N: usize>() -> Self {
        if bool::any() { Some(T::bounded_any::<N>()) } else { None }
    }
}
