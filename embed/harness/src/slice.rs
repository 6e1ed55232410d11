//! Parts of arrays.

use crate::{Arbitrary, assume};

#[track_caller]
fn any_range<const LENGTH: usize>() -> std::ops::Range<usize> {
    let (from, to) = (usize::any(), usize::any());
    assume(to <= LENGTH);
    assume(from <= to);
    from..to
}

/// Any part of an array, the empty one included.
#[track_caller]
pub fn any_slice_of_array<T, const LENGTH: usize>(array: &[T; LENGTH]) -> &[T] {
    &array[any_range::<LENGTH>()]
}

/// The same for an array that may be changed.
#[track_caller]
pub fn any_slice_of_array_mut<T, const LENGTH: usize>(array: &mut [T; LENGTH]) -> &mut [T] {
    &mut array[any_range::<LENGTH>()]
}
