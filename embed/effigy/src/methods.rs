//! The methods of the integer types: checked, wrapping, saturating and overflowing arithmetic, conversions.
//!
//! Knows: what each method of Rust's integers returns. Never: operators that panic.

use crate::arith::{fits, wrapped};
use crate::scalar::{Int, Op, Scalar};
use crate::sym::{Operand, Sym};
use effigy_session::{Session, Term};

impl<T: Int> Sym<T> {
    /// The smallest value of the type.
    pub const MIN: Sym<T> = Sym::plain(T::LEAST);
    /// The largest value of the type.
    pub const MAX: Sym<T> = Sym::plain(T::MOST);
    /// The bits of the type.
    pub const BITS: u32 = T::BITS;

    fn wrapping(self, op: Op, other: Sym<T>) -> Sym<T> {
        match self.terms_with(other) {
            Err((a, b)) => Sym::plain(T::wrapping(op, a, b).unwrap_or(T::LEAST)),
            Ok((session, a, b)) => Sym::of(&session, wrapped(session.terms(), op, a, b, T::SIGNED)),
        }
    }

    fn in_range(self, op: Op, other: Sym<T>) -> Sym<bool> {
        match self.terms_with(other) {
            Err((a, b)) => Sym::plain(T::checked(op, a, b).is_some()),
            Ok((session, a, b)) => Sym::of(&session, fits(session.terms(), op, a, b, T::SIGNED)),
        }
    }

    /// As the method of the type; forks on whether there is a result.
    #[track_caller]
    pub fn checked_add(self, other: impl Operand<T>) -> Option<Sym<T>> {
        self.asked(Op::Add, other.sym()).ok()
    }

    /// As the method of the type; forks on whether there is a result.
    #[track_caller]
    pub fn checked_sub(self, other: impl Operand<T>) -> Option<Sym<T>> {
        self.asked(Op::Sub, other.sym()).ok()
    }

    /// As the method of the type; forks on whether there is a result.
    #[track_caller]
    pub fn checked_mul(self, other: impl Operand<T>) -> Option<Sym<T>> {
        self.asked(Op::Mul, other.sym()).ok()
    }

    /// As the method of the type; forks on whether there is a result.
    #[track_caller]
    pub fn checked_div(self, other: impl Operand<T>) -> Option<Sym<T>> {
        self.asked(Op::Div, other.sym()).ok()
    }

    /// As the method of the type; forks on whether there is a result.
    #[track_caller]
    pub fn checked_rem(self, other: impl Operand<T>) -> Option<Sym<T>> {
        self.asked(Op::Rem, other.sym()).ok()
    }

    /// As the method of the type; forks on whether there is a result.
    #[track_caller]
    pub fn checked_neg(self) -> Option<Sym<T>> {
        self.negated()
    }

    /// As the method of the type; forks on whether there is a result.
    #[track_caller]
    pub fn checked_shl(self, by: impl Operand<u32>) -> Option<Sym<T>> {
        self.shifted(by.sym(), true)
    }

    /// As the method of the type; forks on whether there is a result.
    #[track_caller]
    pub fn checked_shr(self, by: impl Operand<u32>) -> Option<Sym<T>> {
        self.shifted(by.sym(), false)
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn wrapping_add(self, other: impl Operand<T>) -> Sym<T> {
        self.wrapping(Op::Add, other.sym())
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn wrapping_sub(self, other: impl Operand<T>) -> Sym<T> {
        self.wrapping(Op::Sub, other.sym())
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn wrapping_mul(self, other: impl Operand<T>) -> Sym<T> {
        self.wrapping(Op::Mul, other.sym())
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn wrapping_neg(self) -> Sym<T> {
        Sym::plain(T::of_bits(0)).wrapping(Op::Sub, self)
    }

    /// As the method of the type; a divisor of zero panics.
    #[track_caller]
    pub fn wrapping_div(self, other: impl Operand<T>) -> Sym<T> {
        let other = other.sym();
        assert!(other.differs(T::of_bits(0)).holds(), "attempt to divide by zero");
        self.wrapping(Op::Div, other)
    }

    /// As the method of the type; a divisor of zero panics.
    #[track_caller]
    pub fn wrapping_rem(self, other: impl Operand<T>) -> Sym<T> {
        let other = other.sym();
        assert!(other.differs(T::of_bits(0)).holds(), "attempt to calculate the remainder with a divisor of zero");
        self.wrapping(Op::Rem, other)
    }

    fn wrapping_shift(self, by: Sym<u32>, left: bool) -> Sym<T> {
        // The bits of a type are a power of two.
        let by = by & (T::BITS - 1);
        match self.common(by) {
            Some(session) => self.shifted_within(&session, by.term(&session), left),
            None => {
                let by = by.as_plain().unwrap_or(0);
                Sym::plain(crate::arith::shift(self.as_plain().unwrap_or(T::LEAST), by, left))
            }
        }
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn wrapping_shl(self, by: impl Operand<u32>) -> Sym<T> {
        self.wrapping_shift(by.sym(), true)
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn wrapping_shr(self, by: impl Operand<u32>) -> Sym<T> {
        self.wrapping_shift(by.sym(), false)
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn overflowing_add(self, other: impl Operand<T>) -> (Sym<T>, Sym<bool>) {
        let other = other.sym();
        (self.wrapping(Op::Add, other), !self.in_range(Op::Add, other))
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn overflowing_sub(self, other: impl Operand<T>) -> (Sym<T>, Sym<bool>) {
        let other = other.sym();
        (self.wrapping(Op::Sub, other), !self.in_range(Op::Sub, other))
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn overflowing_mul(self, other: impl Operand<T>) -> (Sym<T>, Sym<bool>) {
        let other = other.sym();
        (self.wrapping(Op::Mul, other), !self.in_range(Op::Mul, other))
    }

    fn saturating(self, op: Op, other: Sym<T>, low: Sym<bool>) -> Sym<T> {
        let bound = low.select(Sym::<T>::MIN, Sym::<T>::MAX);
        self.in_range(op, other).select(self.wrapping(op, other), bound)
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn saturating_add(self, other: impl Operand<T>) -> Sym<T> {
        let other = other.sym();
        // Both have the same sign where the sum is out of range.
        let low = self.less(T::of_bits(0));
        self.saturating(Op::Add, other, low)
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn saturating_sub(self, other: impl Operand<T>) -> Sym<T> {
        let low = if T::SIGNED { self.less(T::of_bits(0)) } else { Sym::plain(true) };
        self.saturating(Op::Sub, other.sym(), low)
    }

    /// As the method of the type, without asking.
    #[track_caller]
    pub fn saturating_mul(self, other: impl Operand<T>) -> Sym<T> {
        let other = other.sym();
        let low = self.less(T::of_bits(0)) ^ other.less(T::of_bits(0));
        self.saturating(Op::Mul, other, low)
    }

    /// As the method of the type: repeated multiplication, which can overflow.
    #[track_caller]
    pub fn pow(self, exponent: u32) -> Sym<T> {
        let mut res = Sym::plain(T::of_bits(1));
        for _ in 0..exponent {
            res *= self;
        }
        res
    }

    /// The distance, as the method of the unsigned types; of signed ones it can overflow.
    #[track_caller]
    pub fn distance(self, other: impl Operand<T>) -> Sym<T> {
        let other = other.sym();
        if self < other { other - self } else { self - other }
    }

    /// The smaller one, without asking.
    #[track_caller]
    pub fn least(self, other: impl Operand<T>) -> Sym<T> {
        let other = other.sym();
        self.at_most(other).select(self, other)
    }

    /// The larger one, without asking.
    #[track_caller]
    pub fn most(self, other: impl Operand<T>) -> Sym<T> {
        let other = other.sym();
        self.at_least(other).select(self, other)
    }

    /// The value as another type, as `as` does.
    #[track_caller]
    pub fn cast<U: Int>(self) -> Sym<U> {
        match (self.as_plain(), self.session()) {
            (None, Some(session)) => Sym::of(&session, resized::<T>(&session, self.term(&session), U::BITS)),
            (value, _) => {
                let bits = value.map_or(0, T::to_bits);
                let up = 128 - T::BITS;
                let wide = if T::SIGNED { (((bits << up) as i128) >> up) as u128 } else { bits };
                Sym::plain(U::of_bits(wide & (u128::MAX >> (128 - U::BITS))))
            }
        }
    }

    /// The value as another type, if it has it; forks on whether it has.
    #[track_caller]
    pub fn try_cast<U: Int>(self) -> Option<Sym<U>> {
        let there: Sym<U> = self.cast();
        let back: Sym<T> = there.cast();
        let sign = self.less(T::of_bits(0)) ^ there.less(U::of_bits(0));
        (back.equals(self) & !sign).holds().then_some(there)
    }
}

/// A term of type `T` with this number of bits.
fn resized<T: Scalar>(session: &Session, term: Term, bits: u32) -> Term {
    let terms = session.terms();
    let width = effigy_session::Width::of(bits);
    match (bits.cmp(&T::BITS), T::SIGNED) {
        (std::cmp::Ordering::Equal, _) => term,
        (std::cmp::Ordering::Less, _) => terms.bv_truncate(width, term),
        (std::cmp::Ordering::Greater, true) => terms.bv_sign_extend(width, term),
        (std::cmp::Ordering::Greater, false) => terms.bv_zero_extend(width, term),
    }
}

macro_rules! signed {
    ($($type:ident $unsigned:ident)*) => { $(
        impl Sym<$type> {
            /// As the method of the type, without asking where it does not overflow.
            #[track_caller]
            pub fn abs(self) -> Sym<$type> {
                if self.differs($type::MIN).holds() {
                    self.wrapping_abs()
                } else {
                    panic!("attempt to negate with overflow")
                }
            }

            /// As the method of the type, without asking.
            #[track_caller]
            pub fn wrapping_abs(self) -> Sym<$type> {
                self.less(0).select(self.wrapping_neg(), self)
            }

            /// As the method of the type, without asking.
            #[track_caller]
            pub fn unsigned_abs(self) -> Sym<$unsigned> {
                self.wrapping_abs().cast()
            }

            /// As the method of the type, without asking.
            #[track_caller]
            pub fn signum(self) -> Sym<$type> {
                let other: Sym<$type> = self.equals(0).select(0, 1);
                self.less(0).select(-1, other)
            }

            /// As the method of the type; a truth value that is not asked.
            #[track_caller]
            pub fn is_negative(self) -> Sym<bool> {
                self.less(0)
            }

            /// As the method of the type; a truth value that is not asked.
            #[track_caller]
            pub fn is_positive(self) -> Sym<bool> {
                self.greater(0)
            }
        }
    )* };
}

signed!(i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize);

macro_rules! wider {
    ($($from:ident: $($into:ident)*;)*) => { $( $(
        impl From<Sym<$from>> for Sym<$into> {
            #[track_caller]
            fn from(value: Sym<$from>) -> Sym<$into> {
                value.cast()
            }
        }
    )* )* };
}

wider! {
    u8: u16 u32 u64 u128 usize i16 i32 i64 i128 isize;
    u16: u32 u64 u128 usize i32 i64 i128;
    u32: u64 u128 i64 i128;
    u64: u128 i128;
    i8: i16 i32 i64 i128 isize;
    i16: i32 i64 i128 isize;
    i32: i64 i128;
    i64: i128;
}

impl Sym<char> {
    /// The number of the character.
    #[track_caller]
    pub fn code(self) -> Sym<u32> {
        match (self.as_plain(), self.session()) {
            (None, Some(session)) => Sym::of(&session, self.term(&session)),
            (value, _) => Sym::plain(value.map_or(0, u32::from)),
        }
    }

    /// As the method of the type; a truth value that is not asked.
    #[track_caller]
    pub fn is_ascii_digit(self) -> Sym<bool> {
        self.at_least('0') & self.at_most('9')
    }

    /// As the method of the type; a truth value that is not asked.
    #[track_caller]
    pub fn is_ascii_alphabetic(self) -> Sym<bool> {
        (self.at_least('a') & self.at_most('z')) | (self.at_least('A') & self.at_most('Z'))
    }

    /// As the method of the type; a truth value that is not asked.
    #[track_caller]
    pub fn is_ascii(self) -> Sym<bool> {
        self.at_most('\u{7f}')
    }
}

impl Sym<bool> {
    /// One or zero, as `as` does.
    #[track_caller]
    pub fn cast<U: Int>(self) -> Sym<U> {
        self.select(U::of_bits(1), U::of_bits(0))
    }
}
