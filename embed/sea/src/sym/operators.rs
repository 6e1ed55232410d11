//! The operators of symbolic fields: those of the library's values.
//!
//! Knows: which operators there are. Never: what they ask.

use super::{Number, Sym};
use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

impl<T: Number> PartialEq for Sym<T> {
    #[track_caller]
    fn eq(&self, other: &Sym<T>) -> bool {
        self.0 == other.0
    }
}

impl<T: Number> Eq for Sym<T> {}

impl<T: Number> PartialEq<T> for Sym<T> {
    #[track_caller]
    fn eq(&self, other: &T) -> bool {
        self.0 == *other
    }
}

/// The operators of an order, each a question of its own: one that asks for the whole order has two answers more.
macro_rules! order {
    ($other:ty, |$it:ident| $value:expr) => {
        #[track_caller]
        fn lt(&self, $it: &$other) -> bool {
            self.0 < $value
        }

        #[track_caller]
        fn le(&self, $it: &$other) -> bool {
            self.0 <= $value
        }

        #[track_caller]
        fn gt(&self, $it: &$other) -> bool {
            self.0 > $value
        }

        #[track_caller]
        fn ge(&self, $it: &$other) -> bool {
            self.0 >= $value
        }
    };
}

impl<T: Number> PartialOrd for Sym<T> {
    #[track_caller]
    fn partial_cmp(&self, other: &Sym<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    order!(Sym<T>, |it| it.0);
}

impl<T: Number> PartialOrd<T> for Sym<T> {
    #[track_caller]
    fn partial_cmp(&self, other: &T) -> Option<Ordering> {
        self.0.partial_cmp(other)
    }

    order!(T, |it| *it);
}

impl<T: Number> Ord for Sym<T> {
    #[track_caller]
    fn cmp(&self, other: &Sym<T>) -> Ordering {
        self.0.cmp(&other.0)
    }
}

macro_rules! operators {
    ($($trait:ident $op:ident $assign:ident $op_assign:ident;)*) => { $(
        impl<T: Number> $trait for Sym<T> {
            type Output = Sym<T>;

            #[track_caller]
            fn $op(self, other: Sym<T>) -> Sym<T> {
                Sym($trait::$op(self.0, other.0))
            }
        }

        impl<T: Number> $trait<T> for Sym<T> {
            type Output = Sym<T>;

            #[track_caller]
            fn $op(self, other: T) -> Sym<T> {
                Sym($trait::$op(self.0, other))
            }
        }

        impl<T: Number> $assign for Sym<T> {
            #[track_caller]
            fn $op_assign(&mut self, other: Sym<T>) {
                *self = $trait::$op(*self, other);
            }
        }

        impl<T: Number> $assign<T> for Sym<T> {
            #[track_caller]
            fn $op_assign(&mut self, other: T) {
                *self = $trait::$op(*self, other);
            }
        }
    )* };
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
    Rem rem RemAssign rem_assign;
}

impl<T: Number> Sum for Sym<T> {
    fn sum<I: Iterator<Item = Sym<T>>>(all: I) -> Sym<T> {
        Sym(all.map(|it| it.0).sum())
    }
}

/// What has the plain number first.
macro_rules! plain_first {
    ($($type:ty)*) => { $(
        impl PartialEq<Sym<$type>> for $type {
            #[track_caller]
            fn eq(&self, other: &Sym<$type>) -> bool {
                *self == other.0
            }
        }

        impl PartialOrd<Sym<$type>> for $type {
            #[track_caller]
            fn partial_cmp(&self, other: &Sym<$type>) -> Option<Ordering> {
                self.partial_cmp(&other.0)
            }

            #[track_caller]
            fn lt(&self, other: &Sym<$type>) -> bool {
                *self < other.0
            }

            #[track_caller]
            fn le(&self, other: &Sym<$type>) -> bool {
                *self <= other.0
            }

            #[track_caller]
            fn gt(&self, other: &Sym<$type>) -> bool {
                *self > other.0
            }

            #[track_caller]
            fn ge(&self, other: &Sym<$type>) -> bool {
                *self >= other.0
            }
        }

        plain_first!(@ $type; Add add, Sub sub, Mul mul, Div div, Rem rem);
    )* };
    (@ $type:ty; $($trait:ident $op:ident),*) => { $(
        impl $trait<Sym<$type>> for $type {
            type Output = Sym<$type>;

            #[track_caller]
            fn $op(self, other: Sym<$type>) -> Sym<$type> {
                Sym($trait::$op(self, other.0))
            }
        }
    )* };
}

plain_first!(i8 i16 i32 i64 u8 u16 u32);

macro_rules! negation {
    ($($type:ty)*) => { $(
        impl Neg for Sym<$type> {
            type Output = Sym<$type>;

            #[track_caller]
            fn neg(self) -> Sym<$type> {
                Sym(-self.0)
            }
        }
    )* };
}

negation!(i8 i16 i32 i64);
