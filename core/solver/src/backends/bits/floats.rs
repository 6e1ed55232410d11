//! Operations on floats as circuits.
//!
//! Knows: which circuit is which operation, and about how large it is. Never: terms, the exact numbers that the circuits
//! agree with (`effigy_term::float`).
//!
//! Numbers are taken apart once, worked on with exponents that have room, and put together by one rounder. The plan is that
//! of Brain, Schanda and Sun, "Building Better Bit-Blasting for Floating-Point Problems", TACAS 2019; exponents stay biased
//! here, which saves an adder for each number that is taken apart or put together.

mod add;
mod compare;
mod convert;
mod divide;
mod integral;
mod multiply;
mod multiply_add;
mod remainder;
mod round;
mod square_root;
#[cfg(test)]
mod tests;
mod unpacked;
mod words;

use super::circuit::Result;
use super::circuits::Word;
use super::gates::Gates;
use effigy_term::float::{FloatOp, Format};
use round::Mode;

/// About the most gates that an operation takes.
pub(super) fn most_gates(op: FloatOp) -> usize {
    let significand = |it: Format| it.significand_bits() as usize;
    // Some shifters over a width, with what is around them.
    let linear = |width: usize, format: Format| {
        let stages = width.ilog2() as usize + 4;
        6 * (width + format.exponent_bits() as usize) * stages + 200
    };
    let squared = |format: Format| significand(format).saturating_mul(significand(format));
    match op {
        FloatOp::Add(it) | FloatOp::RoundToIntegral(it) => linear(significand(it), it),
        FloatOp::Mul(it) | FloatOp::Div(it) => 5 * squared(it) + linear(significand(it), it),
        FloatOp::Sqrt(it) => 3 * squared(it) + linear(significand(it), it),
        FloatOp::MulAdd(it) => 5 * squared(it) + 2 * linear(2 * significand(it), it),
        // What is refused takes none.
        FloatOp::Remainder(it) | FloatOp::Modulo(it) => match remainder::steps(it) {
            Some(steps) => 6 * steps * (significand(it) + 3) + linear(significand(it), it),
            None => 0,
        },
        FloatOp::Less(it) | FloatOp::LessOrEqual(it) | FloatOp::Equal(it) => 8 * it.width().bits() as usize + 20,
        FloatOp::Convert { from, to } => linear(significand(from), from) + linear(significand(to), to),
        FloatOp::FromInteger { from, to, .. } => linear(from.bits() as usize, to) + 4 * to.width().bits() as usize,
        FloatOp::ToInteger { from, to, .. } => linear(to.bits() as usize, from) + 4 * from.width().bits() as usize,
    }
}

/// The bits of an operation on words of the widths that it takes.
///
/// # Errors
/// What is not made into a circuit, by what it is.
pub(super) fn operation(gates: &mut Gates, op: FloatOp, arguments: &[&Word]) -> Result<Word> {
    let (mode, arguments) = match arguments {
        [mode, rest @ ..] if op.rounds() => (Mode::new(gates, mode), rest),
        _ => (Mode::TOWARD_ZERO, arguments),
    };
    Ok(match (op, arguments) {
        (FloatOp::Add(it), &[a, b]) => gates.float_sum(it, mode, a, b),
        (FloatOp::Mul(it), &[a, b]) => gates.float_product(it, mode, a, b),
        (FloatOp::Div(it), &[a, b]) => gates.float_quotient(it, mode, a, b),
        (FloatOp::MulAdd(it), &[a, b, c]) => gates.float_multiply_add(it, mode, [a, b, c]),
        (FloatOp::Sqrt(it), &[a]) => gates.float_square_root(it, mode, a),
        (FloatOp::RoundToIntegral(it), &[a]) => gates.float_integral(it, mode, a),
        (FloatOp::Remainder(it), &[a, b]) => gates.float_remainder(it, a, b, true)?,
        (FloatOp::Modulo(it), &[a, b]) => gates.float_remainder(it, a, b, false)?,
        (FloatOp::Less(it), &[a, b]) => vec![gates.float_less(it, a, b, false)],
        (FloatOp::LessOrEqual(it), &[a, b]) => vec![gates.float_less(it, a, b, true)],
        (FloatOp::Equal(it), &[a, b]) => vec![gates.float_equal(it, a, b)],
        (FloatOp::Convert { from, to }, &[a]) => gates.float_converted(from, to, mode, a),
        (FloatOp::FromInteger { signed, to, .. }, &[a]) => gates.float_of_integer(signed, to, mode, a),
        (FloatOp::ToInteger { signed, from, to }, &[a]) => {
            gates.integer_of_float(signed, from, to.bits() as usize, mode, a)
        }
        _ => return Err("floating-point operations on other arguments".to_owned()),
    })
}
