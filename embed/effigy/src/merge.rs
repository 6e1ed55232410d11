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
//!
//! What a side could write unseen is refused too. What a side mentions is declared `mut` around it, and is then kept and
//! merged, or its type is [`ReadOnly`]:
//!
//! A reference that was made outside of a side (M1: no word `&mut` says that it is one):
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn clip(mut v: [Sym<i32>; 2]) -> [Sym<i32>; 2] {
//!     for it in v.iter_mut() {
//!         if it.less(0) {
//!             *it = Sym::from(0);
//!         }
//!     }
//!     v
//! }
//! ```
//!
//! The same of one element, of halves, of an option, by `ref mut`, by an alias of its type:
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn first(mut v: Vec<Sym<i32>>, c: Sym<bool>) -> Vec<Sym<i32>> {
//!     let slot = v.get_mut(0).unwrap();
//!     if c {
//!         *slot = Sym::from(0);
//!     }
//!     v
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn halves(mut v: [Sym<i32>; 2], c: Sym<bool>) -> [Sym<i32>; 2] {
//!     let (low, _) = v.split_at_mut(1);
//!     if c {
//!         low[0] = Sym::from(0);
//!     }
//!     v
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn option(mut o: Option<Sym<i32>>, c: Sym<bool>) -> Option<Sym<i32>> {
//!     match o.as_mut() {
//!         Some(it) => {
//!             if c {
//!                 *it = Sym::from(0);
//!             }
//!         }
//!         None => {}
//!     }
//!     o
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn by_ref(mut o: Option<Sym<i32>>, c: Sym<bool>) -> Option<Sym<i32>> {
//!     if let Some(ref mut it) = o {
//!         if c {
//!             *it = Sym::from(0);
//!         }
//!     }
//!     o
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn emit(out: Out<'_>, c: Sym<bool>) {
//!     if c {
//!         out.push(Sym::from(0));
//!     }
//! }
//! type Out<'a> = &'a mut Vec<Sym<i32>>;
//! ```
//!
//! An iterator over references, though it is declared `mut`; a field that is a reference:
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn next(mut v: [Sym<i32>; 2], c: Sym<bool>) -> [Sym<i32>; 2] {
//!     let mut all = v.iter_mut();
//!     if c {
//!         if let Some(it) = all.next() {
//!             *it = Sym::from(0);
//!         }
//!     }
//!     v
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn field(to: To<'_>, c: Sym<bool>) {
//!     if c {
//!         to.list.push(Sym::from(0));
//!     }
//! }
//! struct To<'a> {
//!     list: &'a mut Vec<Sym<i32>>,
//! }
//! ```
//!
//! What is shared and can be written: cells, locks, statics, closures:
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn cell(count: std::rc::Rc<std::cell::RefCell<Sym<i32>>>, c: Sym<bool>) {
//!     if c {
//!         *count.borrow_mut() = Sym::from(0);
//!     }
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn lock(count: &std::sync::Mutex<Sym<i32>>, c: Sym<bool>) {
//!     if c {
//!         *count.lock().unwrap() = Sym::from(0);
//!     }
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn counted(c: Sym<bool>) {
//!     if c {
//!         COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
//!     }
//! }
//! static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn local(c: Sym<bool>) {
//!     if c {
//!         COUNT.with(|it| it.set(1));
//!     }
//! }
//! thread_local!(static COUNT: std::cell::Cell<u32> = std::cell::Cell::new(0));
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn called(f: impl FnMut(), c: Sym<bool>) {
//!     if c {
//!         twice(f);
//!     }
//! }
//! fn twice(mut f: impl FnMut()) {
//!     f();
//!     f();
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[effigy::symbolic(merge)]
//! fn closure(c: Sym<bool>) -> Sym<i32> {
//!     let mut y = Sym::from(0);
//!     let mut set = || y = Sym::from(1);
//!     if c {
//!         set();
//!     }
//!     y
//! }
//! ```
//!
//! A receiver that is no `Merge`:
//!
//! ```compile_fail,E0277
//! use effigy::prelude::*;
//!
//! #[derive(Clone)]
//! struct P {
//!     x: Sym<i32>,
//! }
//! impl P {
//!     #[effigy::symbolic(merge)]
//!     fn moved(mut self, c: Sym<bool>) -> P {
//!         if c {
//!             self.x = Sym::from(0);
//!         }
//!         self
//!     }
//! }
//! ```
//!
//! What a type of your own says by a derive is checked of its fields:
//!
//! ```compile_fail,E0277
//! #[derive(effigy::ReadOnly)]
//! struct Counter {
//!     count: std::cell::Cell<u8>,
//! }
//! ```
//!
//! ```
//! use effigy::prelude::*;
//!
//! #[derive(effigy::ReadOnly)]
//! struct Order {
//!     price: Sym<u8>,
//! }
//!
//! #[effigy::symbolic(merge)]
//! fn price(order: &Order) -> Sym<u8> {
//!     let mut res = Sym::from(0);
//!     if order.price.less(100) {
//!         res = order.price;
//!     }
//!     res
//! }
//! ```

use crate::exp::Exp;
use crate::scalar::Scalar;
use crate::sym::Sym;
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

/// Compiles only if `T` is [`ReadOnly`].
#[doc(hidden)]
pub fn is_read_only<T: ReadOnly + ?Sized>() {}

macro_rules! read_only {
    ($($type:ty)*) => { $( impl ReadOnly for $type {} )* };
}

read_only! {
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char f32 f64 str String Exp
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
