//! The functions of `math.h`, and LLVM's intrinsics on floats.
//!
//! Knows: which of them IEEE 754 defines to the last bit: those are exact on symbolic arguments. The others are what the
//! library of this machine says, on concrete arguments alone. Never: `errno`.
//! Source: C17, 7.12; LLVM Language Reference, "Standard C/C++ Library Intrinsics".

use super::intrinsics::lanes;
use super::{result_width, width_of};
use crate::code::{Call, Shape};
use crate::floats;
use crate::machine::{Flow, Machine};
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::float::{FloatOp, Format, Rounding};
use effigy_term::{BvValue, Term, Terms, Width};
use std::num::FpCategory;

type Done = Flow<Option<Val>>;

/// The class of the note that a function may have set `errno`.
const MATH_ERRNO: &str = "math-errno";

impl Machine<'_, '_> {
    /// An argument of a function that is not computed on terms: on the run of given values the value that it has there.
    fn number(&mut self, arguments: &[Val], at: usize) -> Flow<Val> {
        let argument = self.argument(arguments, at);
        self.run_value(&argument)
    }
}

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
fn integral(terms: &Terms, mode: Rounding, args: &[Term]) -> Term {
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
    lanes(it, call, arguments, 3, |terms, args| {
        let product = floats::apply(terms, FloatOp::Mul, mode, &args[..2]);
        floats::apply(terms, FloatOp::Add, mode, &[product, args[2]])
    })
}

// Integers.

fn width_of_result(call: &Call) -> Width {
    match &call.result {
        Some(Shape::Aggregate(lanes)) => match lanes.first() {
            Some((_, Shape::Scalar { width, .. })) => Width::of(*width),
            _ => Width::W64,
        },
        _ => result_width(call),
    }
}

/// `llvm.fptosi.sat`: the nearest integer of the type, zero for a NaN.
pub(crate) fn to_signed_saturated(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    saturated(it, call, arguments, true)
}

/// `llvm.fptoui.sat`
pub(crate) fn to_unsigned_saturated(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    saturated(it, call, arguments, false)
}

fn saturated(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], signed: bool) -> Done {
    let to = width_of_result(call);
    lanes(it, call, arguments, 1, |terms, args| {
        let (least, most) = match signed {
            true => (BvValue::min_signed(to), BvValue::min_signed(to).not()),
            false => (BvValue::zero(to), BvValue::ones(to)),
        };
        let x = args[0];
        let fits = floats::fits_integer(terms, signed, to, x);
        let value = floats::to_integer(terms, signed, to, Rounding::TowardZero, x);
        let end = terms.ite(floats::is_negative(terms, x), terms.bv(least), terms.bv(most));
        let other = terms.ite(floats::is_nan(terms, x), terms.bv(BvValue::zero(to)), end);
        terms.ite(fits, value, other)
    })
}

/// `lrint`, `llrint`: the nearest integer by the rounding mode. What fits none is the least one, as x86-64 has it.
pub(crate) fn lrint(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let mode = it.rounding();
    nearest_integer(it, call, arguments, mode)
}

/// `lround`, `llround`
pub(crate) fn lround(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    nearest_integer(it, call, arguments, Rounding::NearestAway)
}

fn nearest_integer(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], mode: Rounding) -> Done {
    let to = width_of_result(call);
    lanes(it, call, arguments, 1, |terms, args| {
        let whole = integral(terms, mode, args);
        let fits = floats::fits_integer(terms, true, to, whole);
        let value = floats::to_integer(terms, true, to, Rounding::TowardZero, whole);
        terms.ite(fits, value, terms.bv(BvValue::min_signed(to)))
    })
}

// Classes.

/// The bits of `llvm.is.fpclass`, of quiet and signaling NaNs on.
const CLASSES: u32 = 10;

/// `llvm.is.fpclass(x, classes)`
pub(crate) fn is_fpclass(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let Val::Int(classes) = it.argument(arguments, 1) else {
        return Err(it.unsupported("classes that are not known (llvm.is.fpclass)"));
    };
    lanes(it, call, &arguments[..1], 1, |terms, args| {
        let format = floats::format_of(terms.width(args[0]).bits());
        let x = floats::number(terms, args[0]);
        let is = (0..CLASSES).filter(|it| classes >> it & 1 == 1).map(|it| is_of_class(terms, format, x, it));
        terms.or_all(is.collect::<Vec<_>>())
    })
}

fn is_of_class(terms: &Terms, format: Format, x: Term, class: u32) -> Term {
    let negative = floats::is_negative(terms, x);
    let signed = |wanted: bool, it: Term| terms.and(if wanted { negative } else { terms.not(negative) }, it);
    let is_normal = || {
        let special =
            [terms.float_is_not_finite(format, x), terms.float_is_zero(format, x), terms.float_is_subnormal(format, x)];
        terms.not(terms.or_all(special))
    };
    let is_quiet = || {
        let bit = format.fraction_bits() - 1;
        terms.eq(terms.bv_extract(bit, bit, x), terms.bv_u64(Width::W1, 1))
    };
    match class {
        0 => terms.and(terms.float_is_nan(format, x), terms.not(is_quiet())),
        1 => terms.and(terms.float_is_nan(format, x), is_quiet()),
        2 | 9 => signed(class == 2, terms.float_is_infinite(format, x)),
        3 | 8 => signed(class == 3, is_normal()),
        4 | 7 => signed(class == 4, terms.float_is_subnormal(format, x)),
        _ => signed(class == 5, terms.float_is_zero(format, x)),
    }
}

/// A function that says in an `int` what a number is.
fn classified(
    it: &mut Machine<'_, '_>,
    call: &Call,
    arguments: &[Val],
    class: impl Fn(&Terms, Format, Term) -> Term,
) -> Done {
    lanes(it, call, arguments, 1, |terms, args| {
        let format = floats::format_of(terms.width(args[0]).bits());
        class(terms, format, floats::number(terms, args[0]))
    })
}

fn int(terms: &Terms, value: i64) -> Term {
    terms.bv(BvValue::from_i64(Width::W32, value))
}

/// `__isnan`
pub(crate) fn isnan(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    classified(it, call, arguments, |terms, format, x| terms.bv_of_bool(Width::W32, terms.float_is_nan(format, x)))
}

/// `__isinf`: 1, or −1 for minus infinity.
pub(crate) fn isinf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    classified(it, call, arguments, |terms, format, x| {
        let sign = terms.ite(floats::is_negative(terms, x), int(terms, -1), int(terms, 1));
        terms.ite(terms.float_is_infinite(format, x), sign, int(terms, 0))
    })
}

/// `finite`, `__finite`
pub(crate) fn finite(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    classified(it, call, arguments, |terms, format, x| {
        terms.bv_of_bool(Width::W32, terms.not(terms.float_is_not_finite(format, x)))
    })
}

/// `__signbit`
pub(crate) fn signbit(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    classified(it, call, arguments, |terms, _, x| terms.bv_of_bool(Width::W32, floats::is_negative(terms, x)))
}

/// `__fpclassify`: FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4.
pub(crate) fn fpclassify(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    classified(it, call, arguments, |terms, format, x| {
        let classes = [
            (terms.float_is_nan(format, x), 0),
            (terms.float_is_infinite(format, x), 1),
            (terms.float_is_zero(format, x), 2),
            (terms.float_is_subnormal(format, x), 3),
        ];
        classes.into_iter().rev().fold(int(terms, 4), |res, (is, class)| terms.ite(is, int(terms, class), res))
    })
}

// Parts of a number.

/// Two to the power of `exponent`, which the format has as a normal number.
fn power_of_two(terms: &Terms, format: Format, exponent: i64) -> Term {
    let stored = BvValue::from_i64(format.width(), exponent + format.bias());
    terms.bv(stored.shl_bits(format.fraction_bits()))
}

/// The exponent of the first digit of a number that is neither zero nor special, and the number with the exponent −1.
fn parts(terms: &Terms, format: Format, x: Term) -> (Term, Term) {
    let digits = i64::from(format.significand_bits());
    let scale = power_of_two(terms, format, digits);
    let is_small = terms.float_is_subnormal(format, x);
    let scaled = terms.float(FloatOp::Mul(format), &[terms.rounding(Rounding::NearestEven), x, scale]);
    let y = terms.ite(is_small, scaled, x);
    let (last, sign) = (format.fraction_bits(), format.width().bits() - 1);
    let stored = terms.bv_zero_extend(Width::W32, terms.bv_extract(sign - 1, last, y));
    let less = terms.ite(is_small, int(terms, digits), int(terms, 0));
    let exponent = terms.bv_sub(terms.bv_sub(stored, int(terms, format.bias())), less);
    let half = terms.bv(BvValue::from_i64(Width::of(format.exponent_bits()), format.bias() - 1));
    let fraction = terms.bv_concat(half, terms.bv_extract(last - 1, 0, y));
    (exponent, terms.bv_concat(terms.bv_extract(sign, sign, y), fraction))
}

/// Whether a number has neither an exponent nor digits to speak of: zeros, infinities and NaNs.
fn is_special(terms: &Terms, format: Format, x: Term) -> Term {
    terms.or(terms.float_is_not_finite(format, x), terms.float_is_zero(format, x))
}

/// A number of an argument that is a scalar, with its format.
fn scalar(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Option<(Format, Term)> {
    let argument = it.argument(arguments, 0);
    if matches!(argument, Val::Undef) {
        return None;
    }
    let width = width_of(call, 0);
    let term = it.term(&argument, width);
    Some((floats::format_of(width.bits()), floats::number(it.ctx.terms, term)))
}

/// `double frexp(double x, int *exponent)`
pub(crate) fn frexp(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let Some((format, x)) = scalar(it, call, arguments) else { return Ok(Some(Val::Undef)) };
    let at = it.argument(arguments, 1);
    let spot = it.resolve(&at, 4, Access::Write)?;
    let terms = it.ctx.terms;
    let ((exponent, fraction), special) = (parts(terms, format, x), is_special(terms, format, x));
    let exponent = terms.ite(special, int(terms, 0), terms.bv_add(exponent, int(terms, 1)));
    let fraction = floats::bits(terms, terms.ite(special, x, fraction));
    let exponent = it.of_term(exponent);
    it.write(spot, &exponent, 4, 32);
    Ok(Some(it.of_term(fraction)))
}

/// `double modf(double x, double *whole)`
pub(crate) fn modf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let Some((format, x)) = scalar(it, call, arguments) else { return Ok(Some(Val::Undef)) };
    let width = width_of(call, 0).bits();
    let at = it.argument(arguments, 1);
    let size = u64::from(width.div_ceil(8));
    let spot = it.resolve(&at, size, Access::Write)?;
    let terms = it.ctx.terms;
    let mode = terms.rounding(Rounding::NearestEven);
    let whole = terms.float(FloatOp::RoundToIntegral(format), &[terms.rounding(Rounding::TowardZero), x]);
    let rest = terms.float(FloatOp::Add(format), &[mode, x, terms.float_neg(format, whole)]);
    let sign = terms.bv_and(x, terms.bv(format.sign_bit()));
    // What is left of infinity is zero, and a zero has the sign of the number.
    let infinite = terms.float_is_infinite(format, x);
    let rest = terms.ite(infinite, terms.bv(format.zero(false)), rest);
    let rest = terms.ite(terms.float_is_nan(format, x), rest, terms.bv_or(floats::magnitude(terms, rest), sign));
    let (whole, rest) = (floats::bits(terms, whole), floats::bits(terms, rest));
    let whole = it.of_term(whole);
    it.write(spot, &whole, size as usize, width);
    Ok(Some(it.of_term(rest)))
}

/// `int ilogb(double x)`
pub(crate) fn ilogb(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    classified(it, call, arguments, |terms, format, x| {
        let (exponent, _) = parts(terms, format, x);
        let (least, most) = (int(terms, i64::from(i32::MIN)), int(terms, i64::from(i32::MAX)));
        let special = terms.ite(terms.float_is_infinite(format, x), most, least);
        terms.ite(is_special(terms, format, x), special, exponent)
    })
}

/// `double ldexp(double x, int n)`, `scalbn`: the product with a power of two, rounded once.
///
/// A power that the format does not have is reached in steps. Those downward end before the result is subnormal, so that
/// only the last one rounds.
pub(crate) fn ldexp(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let Some((format, x)) = scalar(it, call, arguments) else { return Ok(Some(Val::Undef)) };
    let width = width_of(call, 1);
    let n = it.argument(arguments, 1);
    let n = it.term(&n, width);
    let terms = it.ctx.terms;
    let constant = |value: i64| terms.bv(BvValue::from_i64(width, value));
    let mode = terms.rounding(it.rounding());
    let times = |x: Term, power: Term| terms.float(FloatOp::Mul(format), &[mode, x, power]);
    let (most, least) = (format.bias(), format.min_exponent());
    let down = least + i64::from(format.significand_bits());
    let (mut x, mut n) = (x, n);
    for _ in 0..2 {
        let is_large = terms.bv_slt(constant(most), n);
        let is_small = terms.bv_slt(n, constant(least));
        let up = (times(x, power_of_two(terms, format, most)), terms.bv_sub(n, constant(most)));
        let lower = (times(x, power_of_two(terms, format, down)), terms.bv_sub(n, constant(down)));
        x = terms.ite(is_large, up.0, terms.ite(is_small, lower.0, x));
        n = terms.ite(is_large, up.1, terms.ite(is_small, lower.1, n));
    }
    n = terms.ite(terms.bv_slt(constant(most), n), constant(most), n);
    n = terms.ite(terms.bv_slt(n, constant(least)), constant(least), n);
    let stored = terms.bv_add(n, constant(format.bias()));
    let stored = terms.bv_extract(format.exponent_bits() - 1, 0, stored);
    let power = terms.bv_concat(stored, terms.bv(BvValue::zero(Width::of(format.fraction_bits()))));
    let power = terms.bv_zero_extend(format.width(), power);
    let res = floats::bits(terms, times(x, power));
    Ok(Some(it.of_term(res)))
}

// The rounding mode.

/// The modes by the numbers that `fenv.h` gives them on x86-64.
const MODES: [(u64, Rounding); 4] =
    [(0, Rounding::NearestEven), (0x400, Rounding::Down), (0x800, Rounding::Up), (0xc00, Rounding::TowardZero)];

/// `int fesetround(int mode)`
pub(crate) fn fesetround(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mode = it.argument(arguments, 0);
    let mode = it.term(&mode, Width::W32);
    it.require_defined(mode, "a rounding mode")?;
    let terms = it.ctx.terms;
    for (number, rounding) in MODES {
        if it.decide_term(terms.eq(mode, terms.bv_u64(Width::W32, number)))? {
            it.state.process.rounding = (rounding != Rounding::NearestEven).then_some(rounding);
            return Ok(Some(Val::Int(0)));
        }
    }
    Ok(Some(Val::Int(1)))
}

/// `int fegetround(void)`
pub(crate) fn fegetround(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    let mode = it.rounding();
    Ok(MODES.iter().find(|known| known.1 == mode).map(|known| Val::Int(known.0)))
}

/// `llvm.get.rounding`: the number that `FLT_ROUNDS` of C has for the mode.
pub(crate) fn flt_rounds(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(Some(Val::Int(match it.rounding() {
        Rounding::TowardZero => 0,
        Rounding::NearestEven => 1,
        Rounding::Up => 2,
        Rounding::Down => 3,
        Rounding::NearestAway => 4,
    })))
}

// What the library of this machine says.

/// Functions that IEEE 754 does not define to the last bit.
macro_rules! of_this_machine {
    ($($name:ident, $text:literal, |$numbers:pat_param| $double:expr, $float:expr;)*) => {
        $(pub(crate) fn $name(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
            of_library(it, call, arguments, $text, |$numbers| $double, |$numbers| $float)
        })*
    };
}

of_this_machine! {
    sin, "sin", |[a]| a.sin(), a.sin();
    cos, "cos", |[a]| a.cos(), a.cos();
    tan, "tan", |[a]| a.tan(), a.tan();
    asin, "asin", |[a]| a.asin(), a.asin();
    acos, "acos", |[a]| a.acos(), a.acos();
    atan, "atan", |[a]| a.atan(), a.atan();
    sinh, "sinh", |[a]| a.sinh(), a.sinh();
    cosh, "cosh", |[a]| a.cosh(), a.cosh();
    tanh, "tanh", |[a]| a.tanh(), a.tanh();
    exp, "exp", |[a]| a.exp(), a.exp();
    exp2, "exp2", |[a]| a.exp2(), a.exp2();
    expm1, "expm1", |[a]| a.exp_m1(), a.exp_m1();
    log, "log", |[a]| a.ln(), a.ln();
    log2, "log2", |[a]| a.log2(), a.log2();
    log10, "log10", |[a]| a.log10(), a.log10();
    log1p, "log1p", |[a]| a.ln_1p(), a.ln_1p();
    cbrt, "cbrt", |[a]| a.cbrt(), a.cbrt();
    pow, "pow", |[a, b]| a.powf(b), a.powf(b);
    atan2, "atan2", |[a, b]| a.atan2(b), a.atan2(b);
    hypot, "hypot", |[a, b]| a.hypot(b), a.hypot(b);
}

fn of_library<const N: usize>(
    it: &mut Machine<'_, '_>,
    call: &Call,
    arguments: &[Val],
    name: &str,
    on_doubles: impl Fn([f64; N]) -> f64,
    on_floats: impl Fn([f32; N]) -> f32,
) -> Done {
    if !it.rounds_to_nearest() {
        return Err(it.unsupported(&format!("{name} in another rounding mode")));
    }
    let mut bits = [0u64; N];
    for (at, bits) in bits.iter_mut().enumerate() {
        match it.number(arguments, at)? {
            Val::Undef => return Ok(Some(Val::Undef)),
            Val::Int(known) => *bits = known,
            _ => return Err(it.unsupported(&format!("{name} of values that are symbolic, long or vectors"))),
        }
    }
    let (res, class, classes) = match width_of(call, 0).bits() {
        32 => {
            let numbers = bits.map(|it| f32::from_bits(it as u32));
            let res = on_floats(numbers);
            (u64::from(res.to_bits()), res.classify(), numbers.map(f32::classify))
        }
        64 => {
            let numbers = bits.map(f64::from_bits);
            let res = on_doubles(numbers);
            (res.to_bits(), res.classify(), numbers.map(f64::classify))
        }
        _ => return Err(it.unsupported(&format!("{name} of a long number"))),
    };
    if may_set_errno(name, class, &classes) {
        // As of a function that is not known, it is assumed to change nothing.
        it.state.called_unknown = true;
        it.note(MATH_ERRNO, &format!("{name} may set errno, which is not followed"), true);
    }
    Ok(Some(Val::Int(res)))
}

/// Whether a function that has a result of this class reports an error of domain, pole or range (C17, 7.12.1).
fn may_set_errno(name: &str, result: FpCategory, arguments: &[FpCategory]) -> bool {
    let are_finite = arguments.iter().all(|it| !matches!(it, FpCategory::Nan | FpCategory::Infinite));
    match result {
        FpCategory::Nan => !arguments.contains(&FpCategory::Nan),
        FpCategory::Infinite | FpCategory::Subnormal => are_finite,
        // A power is never zero but where it is too small.
        FpCategory::Zero => {
            matches!(name, "exp" | "exp2" | "pow") && are_finite && arguments.first() != Some(&FpCategory::Zero)
        }
        FpCategory::Normal => false,
    }
}
