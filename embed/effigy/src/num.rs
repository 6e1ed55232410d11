//! The traits of `num-traits` and `num-integer`: code that is generic over its number type runs on symbolic numbers.
//!
//! Knows: which operation each method is. Never: more than the operators know.

use crate::scalar::Int;
use crate::sym::Sym;
use num_integer::Integer;
use num_traits::{
    Bounded, CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, FromPrimitive, Num, One, Signed, ToPrimitive, Unsigned,
    Zero,
};

macro_rules! integers {
    ($($type:ident)*) => { $(
        impl Zero for Sym<$type> {
            fn zero() -> Sym<$type> {
                Sym::plain(0)
            }

            #[track_caller]
            fn is_zero(&self) -> bool {
                *self == 0
            }
        }

        impl One for Sym<$type> {
            fn one() -> Sym<$type> {
                Sym::plain(1)
            }
        }

        impl Num for Sym<$type> {
            type FromStrRadixErr = std::num::ParseIntError;

            fn from_str_radix(text: &str, radix: u32) -> Result<Sym<$type>, std::num::ParseIntError> {
                $type::from_str_radix(text, radix).map(Sym::plain)
            }
        }

        impl Integer for Sym<$type> {
            #[track_caller]
            fn div_floor(&self, other: &Sym<$type>) -> Sym<$type> {
                self.div_mod_floor(other).0
            }

            #[track_caller]
            fn mod_floor(&self, other: &Sym<$type>) -> Sym<$type> {
                self.div_mod_floor(other).1
            }

            #[track_caller]
            fn div_mod_floor(&self, other: &Sym<$type>) -> (Sym<$type>, Sym<$type>) {
                let (quotient, rest) = (*self / *other, *self % *other);
                let zero = Sym::plain(0);
                // The sign of the rest is that of the divisor.
                if rest != zero && ((rest < zero) != (*other < zero)) {
                    (quotient - 1, rest + *other)
                } else {
                    (quotient, rest)
                }
            }

            /// Euclid's algorithm: a path for each number of its steps.
            #[track_caller]
            fn gcd(&self, other: &Sym<$type>) -> Sym<$type> {
                let (mut a, mut b) = (*self, *other);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                if a < 0 { Sym::plain(0) - a } else { a }
            }

            #[track_caller]
            fn lcm(&self, other: &Sym<$type>) -> Sym<$type> {
                let gcd = self.gcd(other);
                if gcd == 0 {
                    return gcd;
                }
                let res = *self * (*other / gcd);
                if res < 0 { Sym::plain(0) - res } else { res }
            }

            #[track_caller]
            fn is_multiple_of(&self, other: &Sym<$type>) -> bool {
                if *other == 0 { *self == 0 } else { *self % *other == 0 }
            }

            #[track_caller]
            fn is_even(&self) -> bool {
                *self & 1 == 0
            }

            #[track_caller]
            fn is_odd(&self) -> bool {
                *self & 1 == 1
            }

            #[track_caller]
            fn div_rem(&self, other: &Sym<$type>) -> (Sym<$type>, Sym<$type>) {
                (*self / *other, *self % *other)
            }
        }
    )* };
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<T: Int> Bounded for Sym<T> {
    fn min_value() -> Sym<T> {
        Sym::MIN
    }

    fn max_value() -> Sym<T> {
        Sym::MAX
    }
}

macro_rules! checked {
    ($($trait:ident $method:ident)*) => { $(
        impl<T: Int> $trait for Sym<T> {
            #[track_caller]
            fn $method(&self, other: &Sym<T>) -> Option<Sym<T>> {
                Sym::$method(*self, *other)
            }
        }
    )* };
}

checked!(CheckedAdd checked_add CheckedSub checked_sub CheckedMul checked_mul CheckedDiv checked_div);

macro_rules! signed {
    ($($type:ident)*) => { $(
        impl Signed for Sym<$type> {
            #[track_caller]
            fn abs(&self) -> Sym<$type> {
                Sym::<$type>::abs(*self)
            }

            #[track_caller]
            fn abs_sub(&self, other: &Sym<$type>) -> Sym<$type> {
                if self <= other { Sym::plain(0) } else { *self - *other }
            }

            #[track_caller]
            fn signum(&self) -> Sym<$type> {
                Sym::<$type>::signum(*self)
            }

            #[track_caller]
            fn is_positive(&self) -> bool {
                *self > 0
            }

            #[track_caller]
            fn is_negative(&self) -> bool {
                *self < 0
            }
        }
    )* };
}

signed!(i8 i16 i32 i64 i128 isize);

macro_rules! unsigned {
    ($($type:ident)*) => { $(
        impl Unsigned for Sym<$type> {}
    )* };
}

unsigned!(u8 u16 u32 u64 u128 usize);

/// Defines each conversion by that of the plain type: the defaults of the trait go by 64 bits.
macro_rules! from_primitive {
    ($($method:ident $from:ident)*) => {
        impl<T: Int + FromPrimitive> FromPrimitive for Sym<T> {
            $(
                fn $method(value: $from) -> Option<Sym<T>> {
                    T::$method(value).map(Sym::plain)
                }
            )*
        }
    };
}

from_primitive! {
    from_i8 i8 from_i16 i16 from_i32 i32 from_i64 i64 from_i128 i128 from_isize isize
    from_u8 u8 from_u16 u16 from_u32 u32 from_u64 u64 from_u128 u128 from_usize usize
    from_f32 f32 from_f64 f64
}

macro_rules! to_primitive {
    ($($method:ident $to:ident)*) => {
        /// A number for what is not generic: one of its values; each is followed.
        impl<T: Int + ToPrimitive> ToPrimitive for Sym<T> {
            $(
                #[track_caller]
                fn $method(&self) -> Option<$to> {
                    self.value().$method()
                }
            )*
        }
    };
}

to_primitive! {
    to_i8 i8 to_i16 i16 to_i32 i32 to_i64 i64 to_i128 i128 to_isize isize
    to_u8 u8 to_u16 u16 to_u32 u32 to_u64 u64 to_u128 u128 to_usize usize
    to_f32 f32 to_f64 f64
}
