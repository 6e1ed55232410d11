//! A value that is symbolic or plain.
//!
//! Knows: the session of a term, and that plain values need none. Never: what operators mean.
//!
//! What depends on no symbol is the plain value, so that concrete parts of a program run as they always do, and a
//! symbolic value can be made where there is no session.

use crate::scalar::Scalar;
use crate::written::{Style, style};
use effigy_session::{Session, SessionId, Term};
use std::fmt;

/// A value of type `T` that may be symbolic. It is as small as two words, and copied as such.
#[derive(Clone, Copy)]
pub struct Sym<T> {
    pub(crate) repr: Repr<T>,
}

#[derive(Clone, Copy)]
pub(crate) enum Repr<T> {
    Plain(T),
    Term(SessionId, Term),
}

impl<T: Scalar> Sym<T> {
    /// A plain value, of which nothing is symbolic.
    pub const fn plain(value: T) -> Sym<T> {
        Sym { repr: Repr::Plain(value) }
    }

    /// Any value: a symbol of this name.
    ///
    /// # Panics
    /// Outside of a session.
    #[track_caller]
    pub fn any(name: &str) -> Sym<T> {
        let session = Session::current();
        let term = session.fresh(name, T::kind());
        let res = Sym::of(&session, term);
        // Not all 32 bits are a character.
        if T::NAME == "char" {
            let terms = session.terms();
            let limit = |it: u64| terms.bv_u64(terms.width(term), it);
            let surrogate = terms.and(terms.bv_ule(limit(0xd800), term), terms.bv_ule(term, limit(0xdfff)));
            session.assume(terms.and(terms.bv_ule(term, limit(0x10_ffff)), terms.not(surrogate)));
        }
        res
    }

    /// The value that a term of the session is.
    pub fn of(session: &Session, term: Term) -> Sym<T> {
        let terms = session.terms();
        let plain = match terms.as_bool(term) {
            Some(it) => Some(T::of_bits(u128::from(it))),
            None => terms.as_bv(term).map(|it| T::of_bits(it.to_u128().unwrap_or(0))),
        };
        match plain {
            Some(value) => Sym::plain(value),
            None => Sym { repr: Repr::Term(session.id(), term) },
        }
    }

    /// The plain value, if it depends on no symbol.
    pub fn as_plain(self) -> Option<T> {
        match self.repr {
            Repr::Plain(value) => Some(value),
            Repr::Term(..) => None,
        }
    }

    /// The session of a value that is symbolic.
    #[track_caller]
    pub(crate) fn session(self) -> Option<Session> {
        match self.repr {
            Repr::Plain(_) => None,
            Repr::Term(id, _) => Some(Session::of(id)),
        }
    }

    /// The term that the value is in this session.
    #[track_caller]
    pub fn term(self, session: &Session) -> Term {
        match self.repr {
            Repr::Plain(value) => value.term(session.terms()),
            Repr::Term(id, term) => {
                assert!(id == session.id(), "values of two sessions meet");
                term
            }
        }
    }

    /// One of its values; each is followed, up to the limit of the session.
    #[track_caller]
    pub fn value(self) -> T {
        match self.repr {
            Repr::Plain(value) => value,
            Repr::Term(id, term) => T::of_value(&Session::of(id).value(term)),
        }
    }

    /// As [`Sym::value`], where the place of the caller is within this library: `what` says which value it is.
    #[track_caller]
    pub(crate) fn value_for(self, what: &str) -> T {
        match self.repr {
            Repr::Plain(value) => value,
            Repr::Term(id, term) => T::of_value(&Session::of(id).value_of(term, what)),
        }
    }

    /// The session of two values, one of which is symbolic.
    #[track_caller]
    pub(crate) fn common<U: Scalar>(self, other: Sym<U>) -> Option<Session> {
        self.session().or_else(|| other.session())
    }
}

/// What stands beside a symbolic value: one of the same type, symbolic or plain.
pub trait Operand<T> {
    /// The value as a symbolic one.
    fn sym(self) -> Sym<T>;
}

impl<T: Scalar> Operand<T> for T {
    fn sym(self) -> Sym<T> {
        Sym::plain(self)
    }
}

impl<T: Scalar> Operand<T> for Sym<T> {
    fn sym(self) -> Sym<T> {
        self
    }
}

impl<T: Scalar> From<T> for Sym<T> {
    fn from(value: T) -> Sym<T> {
        Sym::plain(value)
    }
}

impl<T: Scalar + Default> Default for Sym<T> {
    fn default() -> Sym<T> {
        Sym::plain(T::default())
    }
}

/// Defines how a value is written by a formatting trait: a plain one as its type is, a symbolic one as one of its values,
/// each on a path of its own, or by its term where the text is for people (see `written`).
macro_rules! written {
    ($($trait:ident)*) => { $(
        impl<T: Scalar + fmt::$trait> fmt::$trait for Sym<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Repr::Term(id, term) = self.repr else {
                    return fmt::$trait::fmt(&self.value(), f);
                };
                match style(id) {
                    Style::Value => fmt::$trait::fmt(&self.value_for("a value that is written as text"), f),
                    Style::Term(session) => {
                        f.write_str(&crate::exp::of_term(session.terms(), term, T::SIGNED).to_string())
                    }
                    Style::Unknown => f.write_str("a symbolic value"),
                }
            }
        }
    )* };
}

written!(Debug Display Binary Octal LowerHex UpperHex LowerExp UpperExp);
