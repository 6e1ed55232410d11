//! Plain types that have a symbolic counterpart: integers, truth values, characters.
//!
//! Knows: bits of a value, Rust's own arithmetic. Never: a session.

use effigy_session::{BvValue, Kind, Term, Terms, Value, Width};

/// A type whose values are a few bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no symbolic counterpart",
    note = "integers, `bool` and `char` have"
)]
pub trait Scalar: Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The name of the type.
    const NAME: &'static str;
    /// The number of bits of a value.
    const BITS: u32;
    /// The highest bit is a sign.
    const SIGNED: bool;

    /// The kind of the symbols of this type.
    fn kind() -> Kind {
        if Self::SIGNED { Kind::signed(Self::BITS) } else { Kind::unsigned(Self::BITS) }
    }

    /// The bits of a value, the others zero.
    fn to_bits(self) -> u128;

    /// The value of these bits. What is no value of the type is replaced by one.
    fn of_bits(bits: u128) -> Self;

    /// As it is written in a program.
    fn literal(self) -> String;

    /// The value as a term.
    fn term(self, terms: &Terms) -> Term {
        terms.bv(BvValue::from_u128(Width::of(Self::BITS), self.to_bits()))
    }

    /// The value that a model gives.
    fn of_value(value: &Value) -> Self {
        match value {
            Value::BitVec(it) => Self::of_bits(it.to_u128().unwrap_or(0)),
            Value::Bool(it) => Self::of_bits(u128::from(*it)),
            _ => Self::of_bits(0),
        }
    }
}

impl Scalar for bool {
    const NAME: &'static str = "bool";
    const BITS: u32 = 1;
    const SIGNED: bool = false;

    fn kind() -> Kind {
        Kind::Bool
    }

    fn to_bits(self) -> u128 {
        u128::from(self)
    }

    fn of_bits(bits: u128) -> bool {
        bits != 0
    }

    fn literal(self) -> String {
        self.to_string()
    }

    fn term(self, terms: &Terms) -> Term {
        terms.bool(self)
    }
}

impl Scalar for char {
    const NAME: &'static str = "char";
    const BITS: u32 = 32;
    const SIGNED: bool = false;

    fn to_bits(self) -> u128 {
        u128::from(u32::from(self))
    }

    fn of_bits(bits: u128) -> char {
        u32::try_from(bits).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn literal(self) -> String {
        format!("{self:?}")
    }
}

/// A binary operator of Rust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
}

/// The integer types of Rust.
pub trait Int: Scalar + Ord {
    /// The smallest value of the type.
    const LEAST: Self;
    /// The largest value of the type.
    const MOST: Self;

    /// Rust's own operator; `None` where it panics.
    fn checked(op: Op, a: Self, b: Self) -> Option<Self>;

    /// Rust's own operator, modulo 2 to the power of the bits. `None` for a divisor of zero.
    fn wrapping(op: Op, a: Self, b: Self) -> Option<Self>;
}

macro_rules! ints {
    ($($type:ident $signed:literal)*) => { $(
        impl Scalar for $type {
            const NAME: &'static str = stringify!($type);
            const BITS: u32 = $type::BITS;
            const SIGNED: bool = $signed;

            fn to_bits(self) -> u128 {
                // The sign is cut off above the type's bits.
                (self as u128) & (u128::MAX >> (128 - $type::BITS))
            }

            fn of_bits(bits: u128) -> $type {
                bits as $type
            }

            fn literal(self) -> String {
                format!("{self}{}", stringify!($type))
            }
        }

        impl Int for $type {
            const LEAST: $type = $type::MIN;
            const MOST: $type = $type::MAX;

            fn checked(op: Op, a: $type, b: $type) -> Option<$type> {
                match op {
                    Op::Add => a.checked_add(b),
                    Op::Sub => a.checked_sub(b),
                    Op::Mul => a.checked_mul(b),
                    Op::Div => a.checked_div(b),
                    Op::Rem => a.checked_rem(b),
                    Op::And => Some(a & b),
                    Op::Or => Some(a | b),
                    Op::Xor => Some(a ^ b),
                }
            }

            fn wrapping(op: Op, a: $type, b: $type) -> Option<$type> {
                match op {
                    Op::Add => Some(a.wrapping_add(b)),
                    Op::Sub => Some(a.wrapping_sub(b)),
                    Op::Mul => Some(a.wrapping_mul(b)),
                    Op::Div => (b != 0).then(|| a.wrapping_div(b)),
                    Op::Rem => (b != 0).then(|| a.wrapping_rem(b)),
                    Op::And => Some(a & b),
                    Op::Or => Some(a | b),
                    Op::Xor => Some(a ^ b),
                }
            }
        }
    )* };
}

ints! {
    u8 false u16 false u32 false u64 false u128 false usize false
    i8 true i16 true i32 true i64 true i128 true isize true
}
