//! Arithmetic with Rust's own meaning: where the operator panics, there is a path that does.
//!
//! Knows: when `+`, `-`, `*`, `/`, `%`, `<<`, `>>` and `-x` panic, as they do with overflow checks. Never: comparisons.
//! Source: The Rust Reference, "Operator expressions", section "Overflow".

use crate::scalar::{Int, Op};
use crate::sym::Sym;
use effigy_session::{BvOp, Purpose, Session, Term, Terms, Width};
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul, MulAssign,
    Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

/// The term of an operator, modulo 2 to the power of the width.
pub(crate) fn wrapped(terms: &Terms, op: Op, a: Term, b: Term, signed: bool) -> Term {
    match op {
        Op::Add => terms.bv_add(a, b),
        Op::Sub => terms.bv_sub(a, b),
        Op::Mul => terms.bv_mul(a, b),
        Op::Div => terms.bv_op(if signed { BvOp::SDiv } else { BvOp::UDiv }, a, b),
        Op::Rem => terms.bv_op(if signed { BvOp::SRem } else { BvOp::URem }, a, b),
        Op::And => terms.bv_and(a, b),
        Op::Or => terms.bv_or(a, b),
        Op::Xor => terms.bv_xor(a, b),
    }
}

/// When the result of an operator is in the range of the type; of a division only if the divisor is not zero.
pub(crate) fn fits(terms: &Terms, op: Op, a: Term, b: Term, signed: bool) -> Term {
    let width = terms.width(a);
    let wide = |by: u32| {
        let width = Width::of(width.bits() + by);
        let extend = |it: Term| match signed {
            true => terms.bv_sign_extend(width, it),
            false => terms.bv_zero_extend(width, it),
        };
        let exact = wrapped(terms, op, extend(a), extend(b), signed);
        terms.eq(exact, extend(wrapped(terms, op, a, b, signed)))
    };
    match op {
        Op::And | Op::Or | Op::Xor => terms.bool(true),
        Op::Add if !signed => terms.bv_ule(a, terms.bv_add(a, b)),
        Op::Sub if !signed => terms.bv_ule(b, a),
        Op::Add | Op::Sub => wide(1),
        Op::Mul => wide(width.bits()),
        Op::Div | Op::Rem if signed => {
            let least = terms.bv(effigy_session::BvValue::min_signed(width));
            let minus_one = terms.bv(effigy_session::BvValue::ones(width));
            terms.not(terms.and(terms.eq(a, least), terms.eq(b, minus_one)))
        }
        Op::Div | Op::Rem => terms.bool(true),
    }
}

/// What Rust says where an operator panics.
fn message(op: Op, by_zero: bool) -> &'static str {
    match (op, by_zero) {
        (Op::Add, _) => "attempt to add with overflow",
        (Op::Sub, _) => "attempt to subtract with overflow",
        (Op::Mul, _) => "attempt to multiply with overflow",
        (Op::Div, true) => "attempt to divide by zero",
        (Op::Div, false) => "attempt to divide with overflow",
        (Op::Rem, true) => "attempt to calculate the remainder with a divisor of zero",
        (Op::Rem, false) => "attempt to calculate the remainder with overflow",
        (Op::And | Op::Or | Op::Xor, _) => "a bitwise operator does not fail",
    }
}

impl<T: Int> Sym<T> {
    /// Two values as terms of their session; `None` where both are plain.
    #[track_caller]
    pub(crate) fn terms_with(self, other: Sym<T>) -> Result<(Session, Term, Term), (T, T)> {
        match (self.as_plain(), other.as_plain(), self.common(other)) {
            (_, _, Some(session)) => {
                let (a, b) = (self.term(&session), other.term(&session));
                Ok((session, a, b))
            }
            (a, b, None) => Err((a.unwrap_or(T::LEAST), b.unwrap_or(T::LEAST))),
        }
    }

    /// Whether a divisor is not zero, and the result in range: both are asked.
    #[track_caller]
    pub(crate) fn asked(self, op: Op, other: Sym<T>) -> Result<Sym<T>, &'static str> {
        match self.terms_with(other) {
            Err((a, b)) => match T::checked(op, a, b) {
                Some(value) => Ok(Sym::plain(value)),
                None => Err(message(op, b.to_bits() == 0)),
            },
            Ok((session, a, b)) => {
                let terms = session.terms();
                if matches!(op, Op::Div | Op::Rem) {
                    let zero = terms.bv_u64(terms.width(b), 0);
                    if session.decide_for(Purpose::Fails(message(op, true)), terms.eq(b, zero)) {
                        return Err(message(op, true));
                    }
                }
                if !session.decide_for(Purpose::Fails(message(op, false)), fits(terms, op, a, b, T::SIGNED)) {
                    return Err(message(op, false));
                }
                Ok(Sym::of(&session, wrapped(terms, op, a, b, T::SIGNED)))
            }
        }
    }

    #[track_caller]
    fn operate(self, op: Op, other: Sym<T>) -> Sym<T> {
        match self.asked(op, other) {
            Ok(value) => value,
            Err(message) => panic!("{message}"),
        }
    }

    /// A shift by an amount that is less than the bits; `None` where Rust panics.
    #[track_caller]
    pub(crate) fn shifted<U: Int>(self, amount: Sym<U>, left: bool) -> Option<Sym<T>> {
        let Some(session) = self.common(amount) else {
            let (value, by) = (self.as_plain()?, amount.as_plain()?.to_bits());
            return (by < u128::from(T::BITS)).then(|| Sym::plain(shift(value, by as u32, left)));
        };
        let terms = session.terms();
        let by = amount.term(&session);
        // A negative amount is a large one; 128 bits are a byte's number.
        let limit = terms.bv_u64(terms.width(by), u64::from(T::BITS));
        if !session.decide_for(Purpose::Fails("attempt to shift with overflow"), terms.bv_ult(by, limit)) {
            return None;
        }
        Some(self.shifted_within(&session, by, left))
    }

    /// A shift by a term that is less than the bits.
    pub(crate) fn shifted_within(self, session: &Session, by: Term, left: bool) -> Sym<T> {
        let (terms, value) = (session.terms(), self.term(session));
        let width = terms.width(value);
        let by = match terms.width(by).bits().cmp(&width.bits()) {
            std::cmp::Ordering::Less => terms.bv_zero_extend(width, by),
            std::cmp::Ordering::Equal => by,
            std::cmp::Ordering::Greater => terms.bv_truncate(width, by),
        };
        let op = match (left, T::SIGNED) {
            (true, _) => BvOp::Shl,
            (false, true) => BvOp::AShr,
            (false, false) => BvOp::LShr,
        };
        Sym::of(session, terms.bv_op(op, value, by))
    }

    /// The negation, and whether it is in range.
    #[track_caller]
    pub(crate) fn negated(self) -> Option<Sym<T>> {
        let zero = Sym::plain(T::of_bits(0));
        zero.asked(Op::Sub, self).ok()
    }
}

/// A shift of plain bits.
pub(crate) fn shift<T: Int>(value: T, by: u32, left: bool) -> T {
    let bits = value.to_bits();
    match (left, T::SIGNED) {
        (true, _) => T::of_bits(bits << by & (u128::MAX >> (128 - T::BITS))),
        (false, false) => T::of_bits(bits >> by),
        (false, true) => {
            // The sign comes to the highest bit of 128, and back.
            let up = 128 - T::BITS;
            T::of_bits(((((bits << up) as i128) >> up) >> by) as u128 & (u128::MAX >> (128 - T::BITS)))
        }
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $op:expr;)*) => { $(
        impl<T: Int> $trait for Sym<T> {
            type Output = Sym<T>;

            #[track_caller]
            fn $method(self, other: Sym<T>) -> Sym<T> {
                self.operate($op, other)
            }
        }

        impl<T: Int> $trait<T> for Sym<T> {
            type Output = Sym<T>;

            #[track_caller]
            fn $method(self, other: T) -> Sym<T> {
                self.operate($op, Sym::plain(other))
            }
        }

        impl<'a, T: Int> $trait<&'a Sym<T>> for Sym<T> {
            type Output = Sym<T>;

            #[track_caller]
            fn $method(self, other: &'a Sym<T>) -> Sym<T> {
                self.operate($op, *other)
            }
        }

        impl<T: Int> $trait<Sym<T>> for &Sym<T> {
            type Output = Sym<T>;

            #[track_caller]
            fn $method(self, other: Sym<T>) -> Sym<T> {
                self.operate($op, other)
            }
        }

        impl<'a, T: Int> $trait<&'a Sym<T>> for &Sym<T> {
            type Output = Sym<T>;

            #[track_caller]
            fn $method(self, other: &'a Sym<T>) -> Sym<T> {
                self.operate($op, *other)
            }
        }

        impl<T: Int> $assign for Sym<T> {
            #[track_caller]
            fn $assign_method(&mut self, other: Sym<T>) {
                *self = self.operate($op, other);
            }
        }

        impl<T: Int> $assign<T> for Sym<T> {
            #[track_caller]
            fn $assign_method(&mut self, other: T) {
                *self = self.operate($op, Sym::plain(other));
            }
        }

        impl<'a, T: Int> $assign<&'a Sym<T>> for Sym<T> {
            #[track_caller]
            fn $assign_method(&mut self, other: &'a Sym<T>) {
                *self = self.operate($op, *other);
            }
        }

        operators!(plain $trait $method: u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    )* };
    (plain $trait:ident $method:ident: $($type:ident)*) => { $(
        impl $trait<Sym<$type>> for $type {
            type Output = Sym<$type>;

            #[track_caller]
            fn $method(self, other: Sym<$type>) -> Sym<$type> {
                $trait::$method(Sym::plain(self), other)
            }
        }
    )* };
}

operators! {
    Add add AddAssign add_assign Op::Add;
    Sub sub SubAssign sub_assign Op::Sub;
    Mul mul MulAssign mul_assign Op::Mul;
    Div div DivAssign div_assign Op::Div;
    Rem rem RemAssign rem_assign Op::Rem;
}

// `bool` has `&`, `|` and `^` as well, so these are for each integer type.
macro_rules! bitwise {
    ($($type:ident)*) => { $(
        bitwise!($type BitAnd bitand BitAndAssign bitand_assign Op::And);
        bitwise!($type BitOr bitor BitOrAssign bitor_assign Op::Or);
        bitwise!($type BitXor bitxor BitXorAssign bitxor_assign Op::Xor);

        impl Not for Sym<$type> {
            type Output = Sym<$type>;

            #[track_caller]
            fn not(self) -> Sym<$type> {
                self.operate(Op::Xor, Sym::plain(!0))
            }
        }
    )* };
    ($type:ident $trait:ident $method:ident $assign:ident $assign_method:ident $op:expr) => {
        impl $trait for Sym<$type> {
            type Output = Sym<$type>;

            #[track_caller]
            fn $method(self, other: Sym<$type>) -> Sym<$type> {
                self.operate($op, other)
            }
        }

        impl $trait<$type> for Sym<$type> {
            type Output = Sym<$type>;

            #[track_caller]
            fn $method(self, other: $type) -> Sym<$type> {
                self.operate($op, Sym::plain(other))
            }
        }

        impl $trait<Sym<$type>> for $type {
            type Output = Sym<$type>;

            #[track_caller]
            fn $method(self, other: Sym<$type>) -> Sym<$type> {
                Sym::plain(self).operate($op, other)
            }
        }

        impl $assign for Sym<$type> {
            #[track_caller]
            fn $assign_method(&mut self, other: Sym<$type>) {
                *self = self.operate($op, other);
            }
        }

        impl $assign<$type> for Sym<$type> {
            #[track_caller]
            fn $assign_method(&mut self, other: $type) {
                *self = self.operate($op, Sym::plain(other));
            }
        }
    };
}

bitwise!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! negation {
    ($($type:ident)*) => { $(
        impl Neg for Sym<$type> {
            type Output = Sym<$type>;

            #[track_caller]
            fn neg(self) -> Sym<$type> {
                match self.negated() {
                    Some(value) => value,
                    None => panic!("attempt to negate with overflow"),
                }
            }
        }

        impl Neg for &Sym<$type> {
            type Output = Sym<$type>;

            #[track_caller]
            fn neg(self) -> Sym<$type> {
                -*self
            }
        }
    )* };
}

negation!(i8 i16 i32 i64 i128 isize);

impl<T: Int, U: Int> Shl<Sym<U>> for Sym<T> {
    type Output = Sym<T>;

    #[track_caller]
    fn shl(self, by: Sym<U>) -> Sym<T> {
        match self.shifted(by, true) {
            Some(value) => value,
            None => panic!("attempt to shift left with overflow"),
        }
    }
}

impl<T: Int, U: Int> Shr<Sym<U>> for Sym<T> {
    type Output = Sym<T>;

    #[track_caller]
    fn shr(self, by: Sym<U>) -> Sym<T> {
        match self.shifted(by, false) {
            Some(value) => value,
            None => panic!("attempt to shift right with overflow"),
        }
    }
}

impl<T: Int, U: Int> ShlAssign<Sym<U>> for Sym<T> {
    #[track_caller]
    fn shl_assign(&mut self, by: Sym<U>) {
        *self = *self << by;
    }
}

impl<T: Int, U: Int> ShrAssign<Sym<U>> for Sym<T> {
    #[track_caller]
    fn shr_assign(&mut self, by: Sym<U>) {
        *self = *self >> by;
    }
}

macro_rules! plain_shifts {
    ($($type:ident)*) => { $(
        impl<T: Int> Shl<$type> for Sym<T> {
            type Output = Sym<T>;

            #[track_caller]
            fn shl(self, by: $type) -> Sym<T> {
                self << Sym::plain(by)
            }
        }

        impl<T: Int> Shr<$type> for Sym<T> {
            type Output = Sym<T>;

            #[track_caller]
            fn shr(self, by: $type) -> Sym<T> {
                self >> Sym::plain(by)
            }
        }

        impl<T: Int> ShlAssign<$type> for Sym<T> {
            #[track_caller]
            fn shl_assign(&mut self, by: $type) {
                *self = *self << by;
            }
        }

        impl<T: Int> ShrAssign<$type> for Sym<T> {
            #[track_caller]
            fn shr_assign(&mut self, by: $type) {
                *self = *self >> by;
            }
        }
    )* };
}

plain_shifts!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<T: Int> std::iter::Sum for Sym<T> {
    #[track_caller]
    fn sum<I: Iterator<Item = Sym<T>>>(iter: I) -> Sym<T> {
        iter.fold(Sym::plain(T::of_bits(0)), |a, b| a + b)
    }
}

impl<'a, T: Int> std::iter::Sum<&'a Sym<T>> for Sym<T> {
    #[track_caller]
    fn sum<I: Iterator<Item = &'a Sym<T>>>(iter: I) -> Sym<T> {
        iter.fold(Sym::plain(T::of_bits(0)), |a, b| a + *b)
    }
}

impl<T: Int> std::iter::Product for Sym<T> {
    #[track_caller]
    fn product<I: Iterator<Item = Sym<T>>>(iter: I) -> Sym<T> {
        iter.fold(Sym::plain(T::of_bits(1)), |a, b| a * b)
    }
}
