//! What `#[effigy::symbolic]` writes into a function: for plain types it is what stood there before.
//!
//! Knows: conditions, literal patterns, conditionals of which both sides are run. Never: syntax.

use crate::merge::{Merge, ReadOnly};
use crate::scalar::{Int, Scalar};
use crate::sym::Sym;
use effigy_session::Session;

pub use crate::cast::As;

/// What can stand behind `if`.
pub trait Condition {
    /// Whether it holds; of a symbolic one both answers are followed.
    fn cond(&self) -> bool;
}

impl Condition for bool {
    #[inline(always)]
    fn cond(&self) -> bool {
        *self
    }
}

impl Condition for Sym<bool> {
    #[track_caller]
    fn cond(&self) -> bool {
        self.holds()
    }
}

impl<C: Condition> Condition for &C {
    #[inline(always)]
    #[track_caller]
    fn cond(&self) -> bool {
        C::cond(self)
    }
}

/// A literal pattern of a `match`.
#[derive(Clone, Copy, Debug)]
pub enum Test<T> {
    /// The value is equal to this literal.
    Is(T),
    /// Both ends are in it.
    Range(T, T),
    /// The end is not in it.
    Below(T, T),
    /// The value is at least this literal.
    From(T),
    /// The value is at most this literal.
    To(T),
    /// To this value, which is not in it.
    Until(T),
}

/// What can be matched with literals.
pub trait Resolve {
    /// The type of the literals.
    type Plain;

    /// A plain value that takes the arms which the value takes.
    fn resolve(&self, tests: &[Test<Self::Plain>]) -> Self::Plain;
}

macro_rules! itself {
    ($($type:ty)*) => { $(
        impl Resolve for $type {
            type Plain = $type;

            #[inline(always)]
            fn resolve(&self, _: &[Test<$type>]) -> $type {
                *self
            }
        }
    )* };
}

itself!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char f32 f64);

impl<'a> Resolve for &'a str {
    type Plain = &'a str;

    #[inline(always)]
    fn resolve(&self, _: &[Test<&'a str>]) -> &'a str {
        self
    }
}

impl<S: Resolve> Resolve for &S {
    type Plain = S::Plain;

    #[inline(always)]
    #[track_caller]
    fn resolve(&self, tests: &[Test<S::Plain>]) -> S::Plain {
        S::resolve(self, tests)
    }
}

/// The place of a value among all of its type, from zero.
fn rank<T: Scalar>(value: T) -> u128 {
    let sign = if T::SIGNED { 1u128 << (T::BITS - 1) } else { 0 };
    value.to_bits() ^ sign
}

fn of_rank<T: Scalar>(rank: u128) -> T {
    let sign = if T::SIGNED { 1u128 << (T::BITS - 1) } else { 0 };
    T::of_bits(rank ^ sign)
}

/// The first and the last value, as ranks; none where the range is empty.
fn ranks<T: Scalar>(test: &Test<T>, last: u128) -> Option<(u128, u128)> {
    let (low, high) = match *test {
        Test::Is(it) => (rank(it), rank(it)),
        Test::Range(low, high) => (rank(low), rank(high)),
        Test::Below(low, end) => (rank(low), rank(end).checked_sub(1)?),
        Test::From(low) => (rank(low), last),
        Test::To(high) => (0, rank(high)),
        Test::Until(end) => (0, rank(end).checked_sub(1)?),
    };
    (low <= high).then_some((low, high))
}

/// Values that the same tests hold of, as ranges of ranks.
struct Side {
    holds: Vec<bool>,
    ranges: Vec<(u128, u128)>,
}

/// The sides of all values of a type up to rank `last`.
fn sides<T: Scalar>(tests: &[Test<T>], last: u128) -> Vec<Side> {
    let ranges: Vec<Option<(u128, u128)>> = tests.iter().map(|it| ranks(it, last)).collect();
    let mut starts: Vec<u128> = vec![0];
    for (low, high) in ranges.iter().flatten() {
        starts.push(*low);
        starts.extend(high.checked_add(1).filter(|it| *it <= last));
    }
    starts.sort_unstable();
    starts.dedup();
    let mut sides: Vec<Side> = Vec::new();
    for (at, &low) in starts.iter().enumerate() {
        let high = starts.get(at + 1).map_or(last, |it| it - 1);
        let holds: Vec<bool> = ranges.iter().map(|it| it.is_some_and(|(a, b)| a <= low && low <= b)).collect();
        match sides.iter_mut().find(|it| it.holds == holds) {
            Some(side) => side.ranges.push((low, high)),
            None => sides.push(Side { holds, ranges: vec![(low, high)] }),
        }
    }
    sides
}

impl<T: Int> Resolve for Sym<T> {
    type Plain = T;

    #[track_caller]
    fn resolve(&self, tests: &[Test<T>]) -> T {
        resolved(*self, tests, u128::MAX >> (128 - T::BITS))
    }
}

impl Resolve for Sym<char> {
    type Plain = char;

    #[track_caller]
    fn resolve(&self, tests: &[Test<char>]) -> char {
        resolved(*self, tests, u128::from(u32::from(char::MAX)))
    }
}

impl Resolve for Sym<bool> {
    type Plain = bool;

    #[track_caller]
    fn resolve(&self, _: &[Test<bool>]) -> bool {
        self.holds()
    }
}

#[track_caller]
fn resolved<T: Scalar + PartialOrd>(value: Sym<T>, tests: &[Test<T>], last: u128) -> T {
    let session = match (value.as_plain(), value.session()) {
        (None, Some(session)) => session,
        (plain, _) => return plain.unwrap_or(T::of_bits(0)),
    };
    let sides = sides(tests, last);
    let within = |(low, high): &(u128, u128)| value.at_least(of_rank::<T>(*low)) & value.at_most(of_rank::<T>(*high));
    let any = |ranges: &Vec<(u128, u128)>| ranges.iter().fold(Sym::plain(false), |any, it| any | within(it));
    let conds: Vec<_> = sides.iter().map(|it| any(&it.ranges).term(&session)).collect();
    let side = session.decide_among(&conds);
    of_rank(sides[side].ranges[0].0)
}

/// Behind an `if` whose sides are merged.
pub trait Conditional: Copy {
    /// Which sides are to be run: (then, else).
    fn sides(self) -> (bool, bool);

    /// Ends a conditional of which both sides were run.
    fn joined(self);
}

impl Conditional for bool {
    #[inline(always)]
    fn sides(self) -> (bool, bool) {
        (self, !self)
    }

    #[inline(always)]
    fn joined(self) {}
}

impl Conditional for Sym<bool> {
    #[track_caller]
    fn sides(self) -> (bool, bool) {
        let side = match (self.as_plain(), self.session()) {
            (None, Some(session)) => session.both_sides(self.term(&session)),
            (plain, _) => Some(plain.unwrap_or(false)),
        };
        side.map_or((true, true), |it| (it, !it))
    }

    fn joined(self) {
        if let Some(session) = Session::try_current() {
            session.joined();
        }
    }
}

/// What is merged under a condition of type `C`: anything, where the condition is plain and only one side is run.
#[diagnostic::on_unimplemented(
    message = "values of `{Self}` cannot be merged under a symbolic condition",
    label = "assigned on both sides of a conditional",
    note = "`#[effigy::symbolic]` without `merge` forks instead"
)]
pub trait MergeUnder<C>: Sized {
    /// The value after both sides were run.
    fn merge_under(cond: C, then: Self, other: Self) -> Self;
}

impl<T> MergeUnder<bool> for T {
    #[inline(always)]
    fn merge_under(cond: bool, then: T, other: T) -> T {
        if cond { then } else { other }
    }
}

impl<T: Merge> MergeUnder<Sym<bool>> for T {
    #[track_caller]
    fn merge_under(cond: Sym<bool>, then: T, other: T) -> T {
        T::merge(cond, then, other)
    }
}

/// What a side of a conditional of type `C` may mention although the attribute does not keep it: anything where only one
/// side is run, and otherwise that through which nothing is written.
#[diagnostic::on_unimplemented(
    message = "one side of a merged conditional could write through `{Self}`, and the other would see it",
    label = "not a variable that is declared `mut`, and not `ReadOnly`",
    note = "of your own types without such references, derive `effigy::ReadOnly`",
    note = "`#[effigy::symbolic]` without `merge` forks instead"
)]
pub trait ReadUnder<C> {}

impl<T: ?Sized> ReadUnder<bool> for T {}
impl<T: ReadOnly + ?Sized> ReadUnder<Sym<bool>> for T {}

/// A side mentions this variable.
#[inline(always)]
pub fn read_only<C: Conditional, T: ReadUnder<C> + ?Sized>(_: C, _: &T) {}

/// The value of a conditional of which one side was run, or both.
#[inline(always)]
#[track_caller]
pub fn result<C: Conditional, R: MergeUnder<C>>(cond: C, then: Option<R>, other: Option<R>) -> R {
    match (then, other) {
        (Some(then), Some(other)) => R::merge_under(cond, then, other),
        (Some(it), None) | (None, Some(it)) => it,
        (None, None) => unreachable!("one side of a conditional is run"),
    }
}
