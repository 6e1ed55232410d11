//! The operations of floats, and their values.

use super::exact::{Exact, Number};
use super::format::Format;
use super::rounding::Rounding;
use crate::bv::BvValue;
use crate::sort::{Sort, Width};
use crate::value::Value;
use num_bigint::BigInt;

/// An operation on floats. What rounds has the rounding mode as its first argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatOp {
    /// Mode, `a`, `b`: their sum. A difference is the sum with the negation.
    Add(Format),
    /// Mode, `a`, `b`: their product.
    Mul(Format),
    /// Mode, `a`, `b`: their quotient.
    Div(Format),
    /// Mode, `a`, `b`, `c`: `a · b + c`, rounded once.
    MulAdd(Format),
    /// Mode, `a`: the square root.
    Sqrt(Format),
    /// Mode, `a`: the nearest integer, as a float.
    RoundToIntegral(Format),
    /// `a`, `b`: `a - b · n`, where `n` is the integer nearest to `a / b`, of two the even one (IEEE 754's `remainder`).
    Remainder(Format),
    /// `a`, `b`: `a - b · n`, where `n` is `a / b` cut off (C's `fmod`, LLVM's `frem`).
    Modulo(Format),
    /// `a`, `b`: whether `a < b`; false where one is a NaN.
    Less(Format),
    /// `a`, `b`: whether `a <= b`; false where one is a NaN.
    LessOrEqual(Format),
    /// `a`, `b`: whether they are the same number; zeros are, a NaN is none.
    Equal(Format),
    /// Mode, `a`: the number in another format.
    Convert {
        /// The format of the argument.
        from: Format,
        /// The format of the result.
        to: Format,
    },
    /// Mode, an integer: the number as a float.
    FromInteger {
        /// Whether the integer has a sign.
        signed: bool,
        /// The width of the integer.
        from: Width,
        /// The format of the result.
        to: Format,
    },
    /// Mode, `a`: the nearest integer; zero where it does not fit, or where there is none.
    ToInteger {
        /// Whether the integer has a sign.
        signed: bool,
        /// The format of the argument.
        from: Format,
        /// The width of the integer.
        to: Width,
    },
}

impl FloatOp {
    /// The sort of the result.
    pub fn sort(self) -> Sort {
        match (self.result_format(), self) {
            (Some(format), _) => Sort::BitVec(format.width()),
            (None, FloatOp::ToInteger { to, .. }) => Sort::BitVec(to),
            _ => Sort::Bool,
        }
    }

    /// The format of the result, where it is a float.
    pub fn result_format(self) -> Option<Format> {
        match self {
            FloatOp::Add(format)
            | FloatOp::Mul(format)
            | FloatOp::Div(format)
            | FloatOp::MulAdd(format)
            | FloatOp::Sqrt(format)
            | FloatOp::RoundToIntegral(format)
            | FloatOp::Remainder(format)
            | FloatOp::Modulo(format)
            | FloatOp::Convert { to: format, .. }
            | FloatOp::FromInteger { to: format, .. } => Some(format),
            FloatOp::Less(_) | FloatOp::LessOrEqual(_) | FloatOp::Equal(_) | FloatOp::ToInteger { .. } => None,
        }
    }

    /// The format of the arguments that are floats.
    pub fn argument_format(self) -> Option<Format> {
        match self {
            FloatOp::Less(format) | FloatOp::LessOrEqual(format) | FloatOp::Equal(format) => Some(format),
            FloatOp::Convert { from, .. } | FloatOp::ToInteger { from, .. } => Some(from),
            FloatOp::FromInteger { .. } => None,
            _ => self.result_format(),
        }
    }

    /// Whether the first argument is a rounding mode.
    pub fn rounds(self) -> bool {
        !matches!(
            self,
            FloatOp::Remainder(_) | FloatOp::Modulo(_) | FloatOp::Less(_) | FloatOp::LessOrEqual(_) | FloatOp::Equal(_)
        )
    }

    /// The number of arguments, with the rounding mode.
    pub fn arity(self) -> usize {
        match self {
            FloatOp::MulAdd(_) => 4,
            FloatOp::Add(_) | FloatOp::Mul(_) | FloatOp::Div(_) => 3,
            _ => 2,
        }
    }

    /// The width of an argument.
    pub fn argument_width(self, at: usize) -> Width {
        match self {
            _ if at == 0 && self.rounds() => Rounding::WIDTH,
            FloatOp::FromInteger { from, .. } => from,
            _ => self.argument_format().unwrap_or(Format::DOUBLE).width(),
        }
    }

    /// The value for arguments of the widths that the operation takes.
    ///
    /// # Panics
    /// For fewer arguments, or arguments of other widths.
    pub fn value(self, arguments: &[&BvValue]) -> Value {
        let (rounding, rest) = match self.rounds() {
            true => (Rounding::of_number(arguments[0]), &arguments[1..]),
            false => (Rounding::NearestEven, arguments),
        };
        let number = |at: usize, format: Format| Number::of_bits(format, rest[at]);
        match self {
            FloatOp::Add(format) => Value::BitVec(sum(&number(0, format), &number(1, format), format, rounding)),
            FloatOp::Mul(format) => {
                Value::BitVec(product(&number(0, format), &number(1, format)).rounded(format, rounding))
            }
            FloatOp::MulAdd(format) => {
                let product = product(&number(0, format), &number(1, format));
                Value::BitVec(sum(&product, &number(2, format), format, rounding))
            }
            FloatOp::Div(format) => Value::BitVec(quotient(&number(0, format), &number(1, format), format, rounding)),
            FloatOp::Sqrt(format) => Value::BitVec(square_root(&number(0, format), format, rounding)),
            FloatOp::RoundToIntegral(format) => Value::BitVec(match number(0, format) {
                Number::Finite(it) => it.to_integral(format, rounding),
                it => it.rounded(format, rounding),
            }),
            FloatOp::Remainder(format) | FloatOp::Modulo(format) => {
                let nearest = matches!(self, FloatOp::Remainder(_));
                Value::BitVec(remainder(&number(0, format), &number(1, format), nearest, format))
            }
            FloatOp::Less(format) => {
                Value::Bool(number(0, format).compare(&number(1, format)).is_some_and(std::cmp::Ordering::is_lt))
            }
            FloatOp::LessOrEqual(format) => {
                Value::Bool(number(0, format).compare(&number(1, format)).is_some_and(std::cmp::Ordering::is_le))
            }
            FloatOp::Equal(format) => {
                Value::Bool(number(0, format).compare(&number(1, format)).is_some_and(std::cmp::Ordering::is_eq))
            }
            FloatOp::Convert { from, to } => Value::BitVec(number(0, from).rounded(to, rounding)),
            FloatOp::FromInteger { signed, to, .. } => {
                let integer = if signed { rest[0].to_bigint_signed() } else { BigInt::from(rest[0].to_biguint()) };
                Value::BitVec(Exact::of_integer(&integer).rounded(to, rounding))
            }
            FloatOp::ToInteger { signed, from, to } => Value::BitVec(integer(&number(0, from), signed, to, rounding)),
        }
    }
}

fn sum(a: &Number, b: &Number, format: Format, rounding: Rounding) -> BvValue {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => format.nan(),
        (Number::Infinite(a), Number::Infinite(b)) if a != b => format.nan(),
        (Number::Infinite(negative), _) | (_, Number::Infinite(negative)) => format.infinity(*negative),
        (Number::Finite(a), Number::Finite(b)) => a.sum(b, format, rounding).rounded(format, rounding),
    }
}

fn product(a: &Number, b: &Number) -> Number {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinite(_), Number::Finite(it)) | (Number::Finite(it), Number::Infinite(_)) if it.is_zero() => {
            Number::Nan
        }
        (Number::Infinite(_), _) | (_, Number::Infinite(_)) => Number::Infinite(negative),
        (Number::Finite(a), Number::Finite(b)) => Number::Finite(a.product(b)),
    }
}

fn quotient(a: &Number, b: &Number, format: Format, rounding: Rounding) -> BvValue {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) | (Number::Infinite(_), Number::Infinite(_)) => format.nan(),
        (Number::Infinite(_), _) => format.infinity(negative),
        (_, Number::Infinite(_)) => format.zero(negative),
        (Number::Finite(a), Number::Finite(b)) => match (a.is_zero(), b.is_zero()) {
            (true, true) => format.nan(),
            (true, false) => format.zero(negative),
            (false, true) => format.infinity(negative),
            (false, false) => a.quotient(b, format).rounded(format, rounding),
        },
    }
}

fn square_root(a: &Number, format: Format, rounding: Rounding) -> BvValue {
    match a {
        // The root of minus zero is minus zero.
        Number::Finite(it) if it.is_zero() => format.zero(it.negative),
        _ if a.is_negative() => format.nan(),
        Number::Finite(it) => it.square_root(format).rounded(format, rounding),
        _ => a.rounded(format, rounding),
    }
}

fn remainder(a: &Number, b: &Number, nearest: bool, format: Format) -> BvValue {
    match (a, b) {
        (Number::Finite(a), Number::Finite(b)) if !b.is_zero() => {
            let rest = a.remainder(b, nearest);
            // A zero has the sign of what was divided; all is exact.
            let negative = if rest.is_zero() { a.negative } else { rest.negative };
            Exact { negative, ..rest }.rounded(format, Rounding::NearestEven)
        }
        (Number::Finite(a), Number::Infinite(_)) => a.rounded(format, Rounding::NearestEven),
        _ => format.nan(),
    }
}

fn integer(a: &Number, signed: bool, to: Width, rounding: Rounding) -> BvValue {
    let zero = BvValue::zero(to);
    let Number::Finite(number) = a else { return zero };
    let Some(integer) = number.to_integer(rounding, u64::from(to.bits())) else { return zero };
    let res = BvValue::from_bigint(to, &integer);
    let is_same = if signed { res.to_bigint_signed() == integer } else { BigInt::from(res.to_biguint()) == integer };
    if is_same { res } else { zero }
}
