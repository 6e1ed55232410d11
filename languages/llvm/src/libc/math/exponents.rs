//! Exponents and significands: taken apart and put together.
//!
//! Source: C17, 7.12.6.

use super::super::width_of;
use super::classes::classified;
use super::{Done, int};
use crate::code::Call;
use crate::floats;
use crate::machine::Machine;
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::float::{FloatOp, Format, Rounding};
use effigy_term::{BvValue, Term, Terms, Width};

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
