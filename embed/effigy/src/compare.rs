//! Comparisons: those of Rust ask the session, so that `if a < b` forks; those that are named build a truth value.
//!
//! Knows: equality and order of integers, truth values and characters. Never: arithmetic.
#![expect(
    clippy::partialeq_ne_impl,
    reason = "by the method that core provides, a question would have a line of core's"
)]

use crate::scalar::Scalar;
use crate::sym::{Operand, Sym};
use effigy_session::{Term, Terms};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

fn less<T: Scalar>(terms: &Terms, a: Term, b: Term) -> Term {
    match (T::kind(), T::SIGNED) {
        (effigy_session::Kind::Bool, _) => terms.and(terms.not(a), b),
        (_, true) => terms.bv_slt(a, b),
        (_, false) => terms.bv_ult(a, b),
    }
}

impl<T: Scalar + PartialOrd> Sym<T> {
    #[track_caller]
    fn compared(
        self,
        other: impl Operand<T>,
        plain: fn(&T, &T) -> bool,
        term: fn(&Terms, Term, Term) -> Term,
    ) -> Sym<bool> {
        let other = other.sym();
        match (self.as_plain(), other.as_plain()) {
            (Some(a), Some(b)) => Sym::plain(plain(&a, &b)),
            _ => match self.common(other) {
                Some(session) => {
                    let (a, b) = (self.term(&session), other.term(&session));
                    Sym::of(&session, term(session.terms(), a, b))
                }
                None => Sym::plain(false),
            },
        }
    }

    /// Whether both are equal, without asking.
    #[track_caller]
    pub fn equals(self, other: impl Operand<T>) -> Sym<bool> {
        self.compared(other, |a, b| a == b, |terms, a, b| terms.eq(a, b))
    }

    /// Whether they differ, without asking.
    #[track_caller]
    pub fn differs(self, other: impl Operand<T>) -> Sym<bool> {
        self.compared(other, |a, b| a != b, |terms, a, b| terms.ne(a, b))
    }

    /// Whether this is less, without asking.
    #[track_caller]
    pub fn less(self, other: impl Operand<T>) -> Sym<bool> {
        self.compared(other, |a, b| a < b, |terms, a, b| less::<T>(terms, a, b))
    }

    /// Whether this is less or equal, without asking.
    #[track_caller]
    pub fn at_most(self, other: impl Operand<T>) -> Sym<bool> {
        self.compared(other, |a, b| a <= b, |terms, a, b| terms.not(less::<T>(terms, b, a)))
    }

    /// Whether this is greater, without asking.
    #[track_caller]
    pub fn greater(self, other: impl Operand<T>) -> Sym<bool> {
        other.sym().less(self)
    }

    /// Whether this is greater or equal, without asking.
    #[track_caller]
    pub fn at_least(self, other: impl Operand<T>) -> Sym<bool> {
        other.sym().at_most(self)
    }
}

impl<T: Scalar + PartialOrd> PartialEq for Sym<T> {
    #[track_caller]
    fn eq(&self, other: &Sym<T>) -> bool {
        self.equals(*other).holds()
    }

    // The default would ask at a place of the standard library.
    #[track_caller]
    fn ne(&self, other: &Sym<T>) -> bool {
        !self.equals(*other).holds()
    }
}

impl<T: Scalar + PartialOrd> PartialEq<T> for Sym<T> {
    #[track_caller]
    fn eq(&self, other: &T) -> bool {
        self.equals(*other).holds()
    }

    #[track_caller]
    fn ne(&self, other: &T) -> bool {
        !self.equals(*other).holds()
    }
}

impl<T: Scalar + Ord> Eq for Sym<T> {}

impl<T: Scalar + PartialOrd> PartialOrd for Sym<T> {
    #[track_caller]
    fn partial_cmp(&self, other: &Sym<T>) -> Option<Ordering> {
        Some(if self.less(*other).holds() {
            Ordering::Less
        } else if self.equals(*other).holds() {
            Ordering::Equal
        } else {
            Ordering::Greater
        })
    }

    #[track_caller]
    fn lt(&self, other: &Sym<T>) -> bool {
        self.less(*other).holds()
    }

    #[track_caller]
    fn le(&self, other: &Sym<T>) -> bool {
        self.at_most(*other).holds()
    }

    #[track_caller]
    fn gt(&self, other: &Sym<T>) -> bool {
        self.greater(*other).holds()
    }

    #[track_caller]
    fn ge(&self, other: &Sym<T>) -> bool {
        self.at_least(*other).holds()
    }
}

impl<T: Scalar + PartialOrd> PartialOrd<T> for Sym<T> {
    #[track_caller]
    fn partial_cmp(&self, other: &T) -> Option<Ordering> {
        self.partial_cmp(&Sym::plain(*other))
    }

    #[track_caller]
    fn lt(&self, other: &T) -> bool {
        self.less(*other).holds()
    }

    #[track_caller]
    fn le(&self, other: &T) -> bool {
        self.at_most(*other).holds()
    }

    #[track_caller]
    fn gt(&self, other: &T) -> bool {
        self.greater(*other).holds()
    }

    #[track_caller]
    fn ge(&self, other: &T) -> bool {
        self.at_least(*other).holds()
    }
}

impl<T: Scalar + Ord> Ord for Sym<T> {
    #[track_caller]
    fn cmp(&self, other: &Sym<T>) -> Ordering {
        if self.less(*other).holds() {
            Ordering::Less
        } else if self.equals(*other).holds() {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }

    // The defaults would ask at places of the standard library.
    #[track_caller]
    fn max(self, other: Sym<T>) -> Sym<T> {
        if other.less(self).holds() { self } else { other }
    }

    #[track_caller]
    fn min(self, other: Sym<T>) -> Sym<T> {
        if other.less(self).holds() { other } else { self }
    }

    #[track_caller]
    fn clamp(self, low: Sym<T>, high: Sym<T>) -> Sym<T> {
        assert!(low.at_most(high).holds(), "assertion failed: min <= max");
        if self.less(low).holds() {
            low
        } else if self.greater(high).holds() {
            high
        } else {
            self
        }
    }
}

/// A key of a hash table is one value; each is followed.
impl<T: Scalar + Hash> Hash for Sym<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value_for("a value that is hashed").hash(state);
    }
}

macro_rules! plain_first {
    ($($type:ty)*) => { $(
        impl PartialEq<Sym<$type>> for $type {
            #[track_caller]
            fn eq(&self, other: &Sym<$type>) -> bool {
                other.equals(*self).holds()
            }

            #[track_caller]
            fn ne(&self, other: &Sym<$type>) -> bool {
                !other.equals(*self).holds()
            }
        }

        impl PartialOrd<Sym<$type>> for $type {
            #[track_caller]
            fn partial_cmp(&self, other: &Sym<$type>) -> Option<Ordering> {
                Sym::plain(*self).partial_cmp(other)
            }

            #[track_caller]
            fn lt(&self, other: &Sym<$type>) -> bool {
                other.greater(*self).holds()
            }

            #[track_caller]
            fn le(&self, other: &Sym<$type>) -> bool {
                other.at_least(*self).holds()
            }

            #[track_caller]
            fn gt(&self, other: &Sym<$type>) -> bool {
                other.less(*self).holds()
            }

            #[track_caller]
            fn ge(&self, other: &Sym<$type>) -> bool {
                other.at_most(*self).holds()
            }
        }
    )* };
}

plain_first!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char);
