//! Which types have any value, and how it is made.

use crate::{assume, recorded};
use std::any::type_name;
use std::mem::{MaybeUninit, size_of};
use std::panic::Location;

/// A type of which there can be any value.
pub trait Arbitrary: Sized {
    /// Any value of the type.
    #[track_caller]
    fn any() -> Self;

    /// Any array of such values.
    #[track_caller]
    fn any_array<const N: usize>() -> [Self; N] {
        let mut values = Vec::with_capacity(N);
        for _ in 0..N {
            values.push(Self::any());
        }
        match values.try_into() {
            Ok(it) => it,
            Err(_) => unreachable!(),
        }
    }
}

/// Any bytes as a value of a type.
///
/// # Safety
/// All bytes must be a value of it.
#[track_caller]
unsafe fn bytes_of<T>(kind: &'static str) -> T {
    let mut res = MaybeUninit::<T>::uninit();
    // SAFETY: the storage has the size of the type; what is written is a value, as the caller promises.
    unsafe {
        recorded::fill(res.as_mut_ptr().cast(), size_of::<T>(), kind, Location::caller());
        res.assume_init()
    }
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Arbitrary for $number {
            #[track_caller]
            fn any() -> Self {
                // SAFETY: all bytes are a number.
                unsafe { bytes_of(stringify!($number)) }
            }

            #[track_caller]
            fn any_array<const N: usize>() -> [Self; N] {
                // SAFETY: all bytes are an array of numbers.
                unsafe { bytes_of(type_name::<[$number; N]>()) }
            }
        }
    )* };
}

numbers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 }

impl Arbitrary for bool {
    #[track_caller]
    fn any() -> Self {
        // SAFETY: all bytes are a byte.
        let byte: u8 = unsafe { bytes_of("bool") };
        assume(byte < 2);
        byte == 1
    }
}

impl Arbitrary for char {
    #[track_caller]
    fn any() -> Self {
        // SAFETY: all bytes are a number.
        let code: u32 = unsafe { bytes_of("char") };
        assume(code < 0xD800 || (0xE000..=0x10_FFFF).contains(&code));
        // SAFETY: what is no character was just dropped.
        unsafe { char::from_u32_unchecked(code) }
    }
}

macro_rules! nonzero {
    ($($name:ident of $number:ty),*) => { $(
        impl Arbitrary for std::num::$name {
            #[track_caller]
            fn any() -> Self {
                let number = <$number>::any();
                assume(number != 0);
                // SAFETY: zero was just dropped.
                unsafe { std::num::$name::new_unchecked(number) }
            }
        }
    )* };
}

nonzero! {
    NonZeroU8 of u8, NonZeroU16 of u16, NonZeroU32 of u32, NonZeroU64 of u64, NonZeroU128 of u128, NonZeroUsize of usize,
    NonZeroI8 of i8, NonZeroI16 of i16, NonZeroI32 of i32, NonZeroI64 of i64, NonZeroI128 of i128, NonZeroIsize of isize
}

impl Arbitrary for () {
    fn any() -> Self {}
}

impl<T: Arbitrary, const N: usize> Arbitrary for [T; N] {
    #[track_caller]
    fn any() -> Self {
        T::any_array()
    }
}

impl<T: Arbitrary> Arbitrary for Option<T> {
    #[track_caller]
    fn any() -> Self {
        if bool::any() { Some(T::any()) } else { None }
    }
}

impl<T: Arbitrary, E: Arbitrary> Arbitrary for Result<T, E> {
    #[track_caller]
    fn any() -> Self {
        if bool::any() { Ok(T::any()) } else { Err(E::any()) }
    }
}

impl<T: Arbitrary> Arbitrary for Box<T> {
    #[track_caller]
    fn any() -> Self {
        Box::new(T::any())
    }
}

impl<T: Arbitrary> Arbitrary for &'static T {
    #[track_caller]
    fn any() -> Self {
        Box::leak(Box::new(T::any()))
    }
}

impl<T: Arbitrary> Arbitrary for &'static mut T {
    #[track_caller]
    fn any() -> Self {
        Box::leak(Box::new(T::any()))
    }
}

impl<T> Arbitrary for std::marker::PhantomData<T> {
    fn any() -> Self {
        std::marker::PhantomData
    }
}

impl Arbitrary for std::cmp::Ordering {
    #[track_caller]
    fn any() -> Self {
        let sign = i8::any();
        assume((-1..=1).contains(&sign));
        sign.cmp(&0)
    }
}

impl Arbitrary for std::time::Duration {
    #[track_caller]
    fn any() -> Self {
        let nanoseconds = u32::any();
        assume(nanoseconds < 1_000_000_000);
        std::time::Duration::new(u64::any(), nanoseconds)
    }
}

impl<T: Arbitrary> Arbitrary for std::num::Wrapping<T> {
    #[track_caller]
    fn any() -> Self {
        std::num::Wrapping(T::any())
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)*) => { $(
        impl<$($name: Arbitrary),+> Arbitrary for ($($name,)+) {
            #[track_caller]
            fn any() -> Self {
                ($($name::any(),)+)
            }
        }
    )* };
}

tuples! {
    A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; A B C D E F G H I;
    A B C D E F G H I J; A B C D E F G H I J K; A B C D E F G H I J K L;
}
