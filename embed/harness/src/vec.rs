//! Vectors of any values.

use crate::{Arbitrary, BoundedArbitrary};

/// Any vector of at most so many elements.
#[track_caller]
pub fn any_vec<T: Arbitrary, const MAX_LENGTH: usize>() -> Vec<T> {
    Vec::bounded_any::<MAX_LENGTH>()
}

/// Any vector of exactly so many elements.
#[track_caller]
pub fn exact_vec<T: Arbitrary, const LENGTH: usize>() -> Vec<T> {
    Vec::from(T::any_array::<LENGTH>())
}
