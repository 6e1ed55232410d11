//! Integers that are nearest to a number.
//!
//! Knows: what is answered for a number that has none: saturation, or what x86-64 answers.
//! Source: C17, 7.12.9; LLVM Language Reference, "Saturating floating-point to integer conversions".

use super::super::intrinsics::lanes;
use super::super::result_width;
use super::Done;
use super::arithmetic::integral;
use crate::code::{Call, Shape};
use crate::floats;
use crate::machine::Machine;
use crate::value::Val;
use effigy_term::float::Rounding;
use effigy_term::{BvValue, Width};

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
