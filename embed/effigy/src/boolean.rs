//! Truth values: `&`, `|`, `^` and `!` build terms, `*it` and `holds` ask the session.
//!
//! Knows: Boolean terms. Never: specifications.

use crate::scalar::Scalar;
use crate::sym::{Operand, Sym};
use std::ops::{BitAnd, BitOr, BitXor, Deref, Not};

impl Sym<bool> {
    /// Whether it holds; both answers are followed.
    #[track_caller]
    pub fn holds(self) -> bool {
        match (self.as_plain(), self.session()) {
            (Some(value), _) => value,
            (None, Some(session)) => session.decide(self.term(&session)),
            (None, None) => false,
        }
    }

    /// One of two values, without asking which.
    #[track_caller]
    pub fn select<T: Scalar>(self, then: impl Operand<T>, other: impl Operand<T>) -> Sym<T> {
        let (then, other) = (then.sym(), other.sym());
        match (self.as_plain(), self.session()) {
            (Some(true), _) => then,
            (Some(false), _) | (None, None) => other,
            (None, Some(session)) => {
                let (a, b) = (then.term(&session), other.term(&session));
                Sym::of(&session, session.terms().ite(self.term(&session), a, b))
            }
        }
    }
}

impl Not for Sym<bool> {
    type Output = Sym<bool>;

    #[track_caller]
    fn not(self) -> Sym<bool> {
        match (self.as_plain(), self.session()) {
            (None, Some(session)) => Sym::of(&session, session.terms().not(self.term(&session))),
            (value, _) => Sym::plain(value == Some(false)),
        }
    }
}

/// `*it` asks for the value: `if *it { .. }`.
impl Deref for Sym<bool> {
    type Target = bool;

    #[track_caller]
    fn deref(&self) -> &bool {
        if self.holds() { &true } else { &false }
    }
}

macro_rules! connectives {
    ($($trait:ident $method:ident |$terms:ident, $a:ident, $b:ident| $term:expr;)*) => { $(
        impl $trait for Sym<bool> {
            type Output = Sym<bool>;

            #[track_caller]
            fn $method(self, other: Sym<bool>) -> Sym<bool> {
                match (self.as_plain(), other.as_plain(), self.common(other)) {
                    (Some(a), Some(b), _) => Sym::plain($trait::$method(a, b)),
                    (_, _, Some(session)) => {
                        let ($a, $b) = (self.term(&session), other.term(&session));
                        let $terms = session.terms();
                        Sym::of(&session, $term)
                    }
                    (_, _, None) => Sym::plain(false),
                }
            }
        }

        impl $trait<bool> for Sym<bool> {
            type Output = Sym<bool>;

            #[track_caller]
            fn $method(self, other: bool) -> Sym<bool> {
                $trait::$method(self, Sym::plain(other))
            }
        }

        impl $trait<Sym<bool>> for bool {
            type Output = Sym<bool>;

            #[track_caller]
            fn $method(self, other: Sym<bool>) -> Sym<bool> {
                $trait::$method(Sym::plain(self), other)
            }
        }
    )* };
}

connectives! {
    BitAnd bitand |terms, a, b| terms.and(a, b);
    BitOr bitor |terms, a, b| terms.or(a, b);
    BitXor bitxor |terms, a, b| terms.ne(a, b);
}
