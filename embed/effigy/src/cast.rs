//! `as` between numbers, plain or symbolic: what `#[effigy::symbolic(casts)]` writes for it.
//!
//! Knows: the numbers of the language. Never: enums, pointers.

use crate::scalar::{Int, Scalar};
use crate::sym::Sym;

/// The cast `self as U`, for plain and symbolic values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be cast to `{U}` here",
    note = "`#[effigy::symbolic(casts)]` knows numbers, `bool` and `char`; without `casts` it leaves `as` alone"
)]
pub trait As<U> {
    /// The value as `U`: a plain one of a symbolic value is each of its values.
    fn cast_as(self) -> U;
}

macro_rules! plain {
    ($($from:ident => $($to:ident)*;)*) => { $( $(
        impl As<$to> for $from {
            #[inline(always)]
            fn cast_as(self) -> $to {
                self as $to
            }
        }

        impl As<$to> for Sym<$from> {
            #[track_caller]
            fn cast_as(self) -> $to {
                self.value().cast_as()
            }
        }
    )* )* };
}

plain! {
    u8 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 char;
    u16 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    u32 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    u64 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    u128 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    usize => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    i8 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    i16 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    i32 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    i64 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    i128 => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    isize => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64;
    bool => bool u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize;
    char => char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize;
}

macro_rules! floats {
    ($($from:ident)*) => { $(
        floats!($from => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);
    )* };
    ($from:ident => $($to:ident)*) => { $(
        impl As<$to> for $from {
            #[inline(always)]
            fn cast_as(self) -> $to {
                self as $to
            }
        }
    )* };
}

floats!(f32 f64);

impl<T: Int, U: Int> As<Sym<U>> for Sym<T> {
    #[track_caller]
    fn cast_as(self) -> Sym<U> {
        self.cast()
    }
}

impl<U: Int> As<Sym<U>> for Sym<bool> {
    #[track_caller]
    fn cast_as(self) -> Sym<U> {
        self.cast()
    }
}

impl As<Sym<char>> for Sym<u8> {
    #[track_caller]
    fn cast_as(self) -> Sym<char> {
        let wide: Sym<u32> = self.cast();
        match (wide.as_plain(), wide.session()) {
            (None, Some(session)) => Sym::of(&session, wide.term(&session)),
            (plain, _) => Sym::plain(char::of_bits(u128::from(plain.unwrap_or(0)))),
        }
    }
}

impl<U: Int> As<Sym<U>> for Sym<char> {
    #[track_caller]
    fn cast_as(self) -> Sym<U> {
        let same: Sym<u32> = match (self.as_plain(), self.session()) {
            (None, Some(session)) => Sym::of(&session, self.term(&session)),
            (plain, _) => Sym::plain(plain.map_or(0, u32::from)),
        };
        same.cast()
    }
}

impl<T: Int, U: Int> As<Sym<U>> for T {
    fn cast_as(self) -> Sym<U> {
        Sym::plain(self).cast()
    }
}
