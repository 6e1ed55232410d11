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

use crate::exp::Exp;
use crate::scalar::Scalar;
use crate::sym::Sym;
use crate::text::SymStr;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::{Range, RangeFrom, RangeInclusive};
use std::rc::Rc;
use std::sync::Arc;

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

/// A type through whose values nothing can be written that is seen elsewhere: no `&mut`, no `Cell`, no lock. What a merged
/// side mentions is of such a type, unless it is declared `mut`. Derive it for your own types.
#[diagnostic::on_unimplemented(
    message = "something could be written through `{Self}`",
    note = "of your own types whose fields are `ReadOnly`, derive `effigy::ReadOnly`"
)]
pub trait ReadOnly {
    /// Compiles where each field is of such a type.
    #[doc(hidden)]
    fn fields() {}
}

/// Compiles for such types.
#[doc(hidden)]
pub fn is_read_only<T: ReadOnly + ?Sized>() {}

macro_rules! read_only {
    ($($type:ty)*) => { $( impl ReadOnly for $type {} )* };
}

read_only! {
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char f32 f64 str String SymStr Exp
    std::cmp::Ordering std::time::Duration std::num::ParseIntError
}

macro_rules! read_only_of {
    ($($type:ident <$($of:ident),*>)*) => { $( impl<$($of: ReadOnly),*> ReadOnly for $type<$($of),*> {} )* };
}

read_only_of! {
    Option<T> Result<T, E> Vec<T> VecDeque<T> BTreeSet<T> BTreeMap<K, V> Range<T> RangeInclusive<T> RangeFrom<T>
    HashSet<T> HashMap<K, V>
}

impl ReadOnly for () {}
impl<T: Scalar> ReadOnly for Sym<T> {}
impl<T: ReadOnly + ?Sized> ReadOnly for &T {}
impl<T: ReadOnly + ?Sized> ReadOnly for Box<T> {}
impl<T: ReadOnly + ?Sized> ReadOnly for Rc<T> {}
impl<T: ReadOnly + ?Sized> ReadOnly for Arc<T> {}
impl<T: ReadOnly> ReadOnly for [T] {}
impl<T: ReadOnly, const N: usize> ReadOnly for [T; N] {}
impl<A: ReadOnly> ReadOnly for (A,) {}
impl<A: ReadOnly, B: ReadOnly> ReadOnly for (A, B) {}
impl<A: ReadOnly, B: ReadOnly, C: ReadOnly> ReadOnly for (A, B, C) {}
impl<A: ReadOnly, B: ReadOnly, C: ReadOnly, D: ReadOnly> ReadOnly for (A, B, C, D) {}
