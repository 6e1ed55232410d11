//! Functions that say what kind of number one is.
//!
//! Source: C17, 7.12.3; LLVM Language Reference, "llvm.is.fpclass".

use super::super::intrinsics::lanes;
use super::{Done, int};
use crate::code::Call;
use crate::floats;
use crate::machine::Machine;
use crate::value::Val;
use effigy_term::float::Format;
use effigy_term::{Term, Terms, Width};

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
    match class {
        0 => is_signaling(terms, format, x),
        1 => terms.and(terms.float_is_nan(format, x), terms.not(is_signaling(terms, format, x))),
        2 | 9 => signed(class == 2, terms.float_is_infinite(format, x)),
        3 | 8 => signed(class == 3, is_normal()),
        4 | 7 => signed(class == 4, terms.float_is_subnormal(format, x)),
        _ => signed(class == 5, terms.float_is_zero(format, x)),
    }
}

/// Whether a number is a NaN whose first fraction bit is not set.
pub(super) fn is_signaling(terms: &Terms, format: Format, x: Term) -> Term {
    let bit = format.fraction_bits() - 1;
    let is_quiet = terms.eq(terms.bv_extract(bit, bit, x), terms.bv_u64(Width::W1, 1));
    terms.and(terms.float_is_nan(format, x), terms.not(is_quiet))
}

/// A function that says in an `int` what a number is.
pub(super) fn classified(
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
