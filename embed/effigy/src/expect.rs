//! Expectations: `expect(x).to_equal(y)`. Matchers are extension traits; a program adds its own.
//!
//! Knows: what is compared, and how it is written. Never: when it is checked (`spec`).

use crate::exp::{Exp, of_term};
use crate::scalar::Scalar;
use crate::spec::Spec;
use crate::sym::Sym;
use effigy_session::Session;
use std::fmt::Debug;

/// A value of which something is expected.
#[derive(Clone, Debug)]
#[must_use = "nothing is expected yet"]
pub struct Expectation<T> {
    value: T,
    name: Option<String>,
    negated: bool,
}

/// Of this value something is expected.
pub fn expect<T>(value: T) -> Expectation<T> {
    Expectation { value, name: None, negated: false }
}

impl<T> Expectation<T> {
    /// What follows is expected not to be.
    #[allow(clippy::should_implement_trait, reason = "the word of the paper's matchers")]
    pub fn not(self) -> Expectation<T> {
        Expectation { negated: !self.negated, ..self }
    }

    /// How the value is called in the specification; otherwise it is written as it is.
    pub fn named(self, name: &str) -> Expectation<T> {
        Expectation { name: Some(name.to_owned()), ..self }
    }

    fn written(&self, otherwise: Exp) -> Exp {
        self.name.clone().map_or(otherwise, Exp::Atom)
    }

    /// The value that is expected of.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// What a matcher has found, as a specification.
    #[track_caller]
    pub fn matched(self, truth: Sym<bool>, exp: Exp) -> Spec {
        match self.negated {
            false => Spec::atom(truth, exp),
            true => Spec::atom(!truth, Exp::of("not", [exp])),
        }
    }
}

/// Two values that can be equal, without asking.
pub trait Same<U: ?Sized = Self> {
    /// The truth value that both are equal; a term where one of them is symbolic.
    fn same(&self, other: &U) -> Sym<bool>;

    /// Both as they are written.
    fn both(&self, other: &U) -> (Exp, Exp);
}

/// A value as it is written.
fn written(value: &impl Debug) -> Exp {
    Exp::of_debug(value)
}

fn exp<T: Scalar>(value: Sym<T>) -> Exp {
    match (value.as_plain(), Session::try_current()) {
        (None, Some(session)) => of_term(session.terms(), value.term(&session), T::SIGNED),
        (Some(plain), _) => written(&plain),
        (None, None) => Exp::atom("?"),
    }
}

impl<T: Scalar + PartialOrd> Same for Sym<T> {
    #[track_caller]
    fn same(&self, other: &Sym<T>) -> Sym<bool> {
        self.equals(*other)
    }

    fn both(&self, other: &Sym<T>) -> (Exp, Exp) {
        (exp(*self), exp(*other))
    }
}

impl<T: Scalar + PartialOrd> Same<T> for Sym<T> {
    #[track_caller]
    fn same(&self, other: &T) -> Sym<bool> {
        self.equals(*other)
    }

    fn both(&self, other: &T) -> (Exp, Exp) {
        (exp(*self), written(other))
    }
}

macro_rules! plain {
    ($($type:ty)*) => { $(
        impl Same for $type {
            fn same(&self, other: &$type) -> Sym<bool> {
                Sym::plain(self == other)
            }

            fn both(&self, other: &$type) -> (Exp, Exp) {
                (written(self), written(other))
            }
        }
    )* };
}

plain!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char String &str);

impl<T: Same + Debug> Same for Vec<T> {
    #[track_caller]
    fn same(&self, other: &Vec<T>) -> Sym<bool> {
        if self.len() != other.len() {
            return Sym::plain(false);
        }
        self.iter().zip(other).fold(Sym::plain(true), |all, (a, b)| all & a.same(b))
    }

    fn both(&self, other: &Vec<T>) -> (Exp, Exp) {
        (written(self), written(other))
    }
}

impl<T: Same + Debug> Same for Option<T> {
    #[track_caller]
    fn same(&self, other: &Option<T>) -> Sym<bool> {
        match (self, other) {
            (Some(a), Some(b)) => a.same(b),
            (a, b) => Sym::plain(a.is_none() && b.is_none()),
        }
    }

    fn both(&self, other: &Option<T>) -> (Exp, Exp) {
        (written(self), written(other))
    }
}

/// The matcher `to_equal`, which compares without asking.
pub trait ToEqual<U> {
    /// Expects the value to be equal to `other`.
    fn to_equal(self, other: U) -> Spec;
}

impl<T: Same<U>, U> ToEqual<U> for Expectation<T> {
    #[track_caller]
    fn to_equal(self, other: U) -> Spec {
        let (a, b) = self.value.both(&other);
        let a = self.written(a);
        let truth = self.value.same(&other);
        match self.negated {
            false => Spec::atom(truth, Exp::of("==", [a, b])),
            true => Spec::atom(!truth, Exp::of("!=", [a, b])),
        }
    }
}

/// `to_be`, for what only compares: the comparison asks.
pub trait ToBe<U> {
    /// Expects `==` to hold between the value and `other`.
    fn to_be(self, other: U) -> Spec;
}

impl<T: PartialEq<U> + Debug, U: Debug> ToBe<U> for Expectation<T> {
    #[track_caller]
    fn to_be(self, other: U) -> Spec {
        let exp = Exp::of("==", [self.written(written(&self.value)), written(&other)]);
        let truth = Sym::plain(self.value == other);
        self.matched(truth, exp)
    }
}

/// The matchers `to_be_at_most` and `to_be_less_than`.
pub trait ToCompare<T> {
    /// The value is less or equal.
    fn to_be_at_most(self, other: T) -> Spec;

    /// The value is less than `other`.
    fn to_be_less_than(self, other: T) -> Spec;
}

impl<T: Scalar + PartialOrd, O: crate::sym::Operand<T>> ToCompare<O> for Expectation<Sym<T>> {
    #[track_caller]
    fn to_be_at_most(self, other: O) -> Spec {
        let other = other.sym();
        let (truth, exps) = (self.value.at_most(other), [self.written(exp(self.value)), exp(other)]);
        self.matched(truth, Exp::of("<=", exps))
    }

    #[track_caller]
    fn to_be_less_than(self, other: O) -> Spec {
        let other = other.sym();
        let (truth, exps) = (self.value.less(other), [self.written(exp(self.value)), exp(other)]);
        self.matched(truth, Exp::of("<", exps))
    }
}

/// The matcher `to_include`, for collections.
pub trait ToInclude<E> {
    /// Some element is this one.
    fn to_include(self, element: E) -> Spec;
}

impl<L, T, E> ToInclude<E> for Expectation<L>
where
    L: AsRef<[T]> + Elements<Item = T>,
    T: Same<E> + Debug,
    E: Debug,
{
    #[track_caller]
    fn to_include(self, element: E) -> Spec {
        let elements = self.value.as_ref();
        let truth = elements.iter().fold(Sym::plain(false), |any, it| any | it.same(&element));
        let exp = Exp::of("include", [self.written(written(&elements)), written(&element)]);
        self.matched(truth, exp)
    }
}

/// A collection whose elements can be compared.
pub trait Elements {
    /// What it is a list of.
    type Item;
}

impl<T> Elements for Vec<T> {
    type Item = T;
}

impl<T> Elements for &Vec<T> {
    type Item = T;
}

impl<T> Elements for &[T] {
    type Item = T;
}

impl<T, const N: usize> Elements for [T; N] {
    type Item = T;
}
