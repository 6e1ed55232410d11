//! Two values as one, under a condition: what a variable is after a conditional whose sides were both run.
//!
//! Knows: values that can be conditional. Never: control flow.
//! Source: Near and Jackson 2014, figure 1 (`update_state`).
//!
//! What has no conditional values cannot be merged, and the compiler says so:
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn name(x: Sym<u8>) -> String {
//!     let mut res = String::new();
//!     if x.less(3) {
//!         res = "small".to_owned();
//!     }
//!     res
//! }
//! ```
//!
//! The same function forks without `merge`, and merges where its values can be conditional:
//!
//! ```
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic]
//! fn name(x: Sym<u8>) -> String {
//!     let mut res = String::new();
//!     if x.less(3) {
//!         res = "small".to_owned();
//!     }
//!     res
//! }
//!
//! #[effigy::symbolic(merge)]
//! fn size(x: Sym<u8>) -> Sym<u8> {
//!     let mut res = Sym::from(0);
//!     if x.less(3) {
//!         res = Sym::from(1);
//!     }
//!     res
//! }
//! ```
//!
//! What leaves one side only is refused by the attribute itself:
//!
//! ```compile_fail
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn size(x: Sym<u8>) -> Sym<u8> {
//!     if x.less(3) {
//!         return Sym::from(1);
//!     }
//!     Sym::from(0)
//! }
//! ```

use crate::scalar::Scalar;
use crate::sym::Sym;

/// A type of which a value can be conditional.
#[diagnostic::on_unimplemented(
    message = "values of `{Self}` cannot be merged",
    note = "symbolic values can, and arrays and tuples of them; `#[effigy::symbolic]` without `merge` forks instead"
)]
pub trait Merge: Sized {
    /// `then` where the condition holds, `other` where it does not.
    fn merge(cond: Sym<bool>, then: Self, other: Self) -> Self;
}

impl<T: Scalar> Merge for Sym<T> {
    #[track_caller]
    fn merge(cond: Sym<bool>, then: Sym<T>, other: Sym<T>) -> Sym<T> {
        cond.select(then, other)
    }
}

impl Merge for () {
    fn merge(_: Sym<bool>, (): (), (): ()) {}
}

impl<T: Merge, const N: usize> Merge for [T; N] {
    fn merge(cond: Sym<bool>, then: [T; N], other: [T; N]) -> [T; N] {
        let mut other = other.into_iter();
        // Both have N elements.
        then.map(|it| match other.next() {
            Some(other) => T::merge(cond, it, other),
            None => it,
        })
    }
}

impl<A: Merge, B: Merge> Merge for (A, B) {
    fn merge(cond: Sym<bool>, then: (A, B), other: (A, B)) -> (A, B) {
        (A::merge(cond, then.0, other.0), B::merge(cond, then.1, other.1))
    }
}

impl<A: Merge, B: Merge, C: Merge> Merge for (A, B, C) {
    fn merge(cond: Sym<bool>, then: (A, B, C), other: (A, B, C)) -> (A, B, C) {
        (A::merge(cond, then.0, other.0), B::merge(cond, then.1, other.1), C::merge(cond, then.2, other.2))
    }
}
