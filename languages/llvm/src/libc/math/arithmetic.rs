//! Functions with one operation of IEEE 754, and those that choose among their arguments.
//!
//! Knows: what each computes on terms, and on doubles of this machine. Never: `errno` (`errors`).
//! Source: C17, 7.12; LLVM Language Reference, "Standard C/C++ Library Intrinsics".

use super::super::intrinsics::lanes;
use super::Done;
use crate::code::{Call, Shape};
use crate::floats;
use crate::ir::BinaryOp;
use crate::machine::Machine;
use crate::value::Val;
use effigy_term::float::{FloatOp, Rounding};
use effigy_term::{BvValue, Term, Terms};

/// A function of this machine on doubles, which is also right on `float`s: they are doubles, and the result is rounded.
fn on_doubles<const N: usize>(call: &Call, arguments: &[Val], op: impl Fn([f64; N]) -> f64) -> Option<Val> {
    let width = match call.arguments.first()?.shape {
        Shape::Scalar { width, .. } => width,
        Shape::Aggregate(_) => return None,
    };
    let mut numbers = [0.0; N];
    for (at, number) in numbers.iter_mut().enumerate() {
        let Val::Int(bits) = arguments.get(at)? else { return None };
        *number = match width {
            32 => f64::from(f32::from_bits(*bits as u32)),
            64 => f64::from_bits(*bits),
            _ => return None,
        };
    }
    let res = op(numbers);
    Some(Val::Int(if width == 32 { u64::from((res as f32).to_bits()) } else { res.to_bits() }))
}

/// Functions with an operation of IEEE 754 for each lane, and what this machine computes for concrete doubles.
macro_rules! exact {
    ($($(#[$doc:meta])* $name:ident, $count:literal, $fast:expr, |$terms:ident, $mode:pat_param, $args:ident| $body:expr;)*) => {
        $($(#[$doc])*
        pub(crate) fn $name(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
            let known = on_doubles::<$count>(call, arguments, $fast).filter(|_| it.rounds_to_nearest());
            let $mode = it.rounding();
            match known {
                Some(known) => Ok(Some(known)),
                None => lanes(it, call, arguments, $count, |$terms, $args| $body),
            }
        })*
    };
}

exact! {
    /// `sqrt`; correctly rounded, also through `double` for `float`.
    sqrt, 1, |[a]| a.sqrt(), |terms, mode, args| floats::apply(terms, FloatOp::Sqrt, mode, args);
    /// `floor`
    floor, 1, |[a]| a.floor(), |terms, _, args| integral(terms, Rounding::Down, args);
    /// `ceil`
    ceil, 1, |[a]| a.ceil(), |terms, _, args| integral(terms, Rounding::Up, args);
    /// `trunc`
    trunc, 1, |[a]| a.trunc(), |terms, _, args| integral(terms, Rounding::TowardZero, args);
    /// `rint`, `nearbyint`: by the rounding mode.
    rint, 1, |[a]| a.round_ties_even(), |terms, mode, args| integral(terms, mode, args);
    /// `roundeven`
    roundeven, 1, |[a]| a.round_ties_even(), |terms, _, args| integral(terms, Rounding::NearestEven, args);
    /// `round`: of two integers the one that is farther from zero.
    round, 1, |[a]| a.round(), |terms, _, args| integral(terms, Rounding::NearestAway, args);
    /// `fmin`, `llvm.minnum`: the other one where one is not a number.
    fmin, 2, |[a, b]| if a < b || b.is_nan() { a } else { b }, |terms, _, args| chosen(terms, args[0], args[1], false);
    /// `fmax`, `llvm.maxnum`: the other one where one is not a number.
    fmax, 2, |[a, b]| if a > b || b.is_nan() { a } else { b }, |terms, _, args| chosen(terms, args[0], args[1], true);
    /// `fmod`
    fmod, 2, |[a, b]| a % b, |terms, _, args| floats::apply(terms, FloatOp::Modulo, Rounding::NearestEven, args);
}

/// The integral number that is nearest by a mode.
pub(super) fn integral(terms: &Terms, mode: Rounding, args: &[Term]) -> Term {
    floats::apply(terms, FloatOp::RoundToIntegral, mode, args)
}

fn less(terms: &Terms, a: Term, b: Term) -> Term {
    floats::apply(terms, FloatOp::Less, Rounding::NearestEven, &[a, b])
}

fn less_or_equal(terms: &Terms, a: Term, b: Term) -> Term {
    floats::apply(terms, FloatOp::LessOrEqual, Rounding::NearestEven, &[a, b])
}

/// The smaller or the larger of two numbers, the number where the other is none; of two zeros the second, as glibc has it
/// on x86-64.
fn chosen(terms: &Terms, a: Term, b: Term, largest: bool) -> Term {
    let first = if largest { less(terms, b, a) } else { less(terms, a, b) };
    terms.ite(terms.or(first, floats::is_nan(terms, b)), a, b)
}

macro_rules! on_terms {
    ($($(#[$doc:meta])* $name:ident, $count:literal, |$terms:ident, $mode:pat_param, $args:ident| $body:expr;)*) => {
        $($(#[$doc])*
        pub(crate) fn $name(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
            let $mode = it.rounding();
            lanes(it, call, arguments, $count, |$terms, $args| $body)
        })*
    };
}

on_terms! {
    /// `fabs`: the sign bit cleared.
    fabs, 1, |terms, _, args| floats::magnitude(terms, args[0]);
    /// `copysign`
    copysign, 2, |terms, _, args| {
        let sign = terms.bv(BvValue::min_signed(terms.width(args[0])));
        terms.bv_or(floats::magnitude(terms, args[0]), terms.bv_and(args[1], sign))
    };
    /// `fma`, `llvm.fma`: rounded once.
    fma, 3, |terms, mode, args| floats::apply(terms, FloatOp::MulAdd, mode, args);
    /// `remainder`
    remainder, 2, |terms, _, args| floats::apply(terms, FloatOp::Remainder, Rounding::NearestEven, args);
    /// `fdim`: the difference, or zero where it would be negative.
    fdim, 2, |terms, mode, args| {
        let (a, b) = (args[0], args[1]);
        let zero = terms.bv(BvValue::zero(terms.width(a)));
        let difference = floats::apply(terms, FloatOp::Add, mode, &[a, floats::negated(terms, b)]);
        terms.ite(less_or_equal(terms, a, b), zero, difference)
    };
    /// `llvm.minimum`: a NaN where one is, and minus zero is less than zero.
    minimum, 2, |terms, _, args| with_nan(terms, args, false);
    /// `llvm.maximum`
    maximum, 2, |terms, _, args| with_nan(terms, args, true);
    /// `llvm.canonicalize`: the one NaN for any.
    canonicalize, 1, |terms, _, args| {
        let one = terms.bv(floats::format_of(terms.width(args[0]).bits()).one());
        floats::apply(terms, FloatOp::Mul, Rounding::NearestEven, &[args[0], floats::bits(terms, one)])
    };
    /// `nextafter`
    nextafter, 2, |terms, _, args| next_after(terms, args[0], args[1]);
}

fn with_nan(terms: &Terms, args: &[Term], largest: bool) -> Term {
    let (a, b) = (args[0], args[1]);
    // Of equal numbers those of zero differ, in their sign.
    let same = match largest {
        true => terms.bv_and(a, b),
        false => terms.bv_or(a, b),
    };
    let equal = floats::apply(terms, FloatOp::Equal, Rounding::NearestEven, args);
    let nan = floats::bits(terms, terms.bv(floats::format_of(terms.width(a).bits()).nan()));
    let none = terms.or(floats::is_nan(terms, a), floats::is_nan(terms, b));
    let ordered = terms.ite(equal, same, chosen(terms, a, b, largest));
    terms.ite(none, nan, ordered)
}

/// The next number from `a` in the direction of `b`.
fn next_after(terms: &Terms, a: Term, b: Term) -> Term {
    let format = floats::format_of(terms.width(a).bits());
    let (x, y) = (floats::number(terms, a), floats::number(terms, b));
    let width = format.width();
    let (zero, one) = (terms.bv(BvValue::zero(width)), terms.bv(BvValue::one(width)));
    let up = terms.eq(less(terms, a, b), terms.not(floats::is_negative(terms, x)));
    let step = terms.ite(up, terms.bv_add(x, one), terms.bv_sub(x, one));
    let from_zero = terms.bv_or(one, terms.bv_and(y, terms.bv(format.sign_bit())));
    let is_zero = terms.eq(floats::magnitude(terms, x), zero);
    let next = terms.ite(is_zero, from_zero, step);
    let equal = floats::apply(terms, FloatOp::Equal, Rounding::NearestEven, &[a, b]);
    let none = terms.or(floats::is_nan(terms, a), floats::is_nan(terms, b));
    floats::bits(terms, terms.ite(none, terms.bv(format.nan()), terms.ite(equal, y, next)))
}

/// `llvm.fmuladd(a, b, c)`: a multiplication and an addition, as x86-64 without FMA compiles it.
pub(crate) fn fmuladd(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let mode = it.rounding();
    if let Some(Shape::Scalar { width, .. }) = call.arguments.first().map(|it| &it.shape) {
        let values: Vec<Val> = (0..3).map(|at| it.argument(arguments, at)).collect();
        let product = it.float_binary(BinaryOp::FMul, *width, &values[0], &values[1])?;
        return it.float_binary(BinaryOp::FAdd, *width, &product, &values[2]).map(Some);
    }
    lanes(it, call, arguments, 3, |terms, args| {
        let product = floats::apply(terms, FloatOp::Mul, mode, &args[..2]);
        floats::apply(terms, FloatOp::Add, mode, &[product, args[2]])
    })
}
