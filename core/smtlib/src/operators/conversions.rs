//! FloatingPoint: from and to bitvectors, Reals, Ints, other formats.
//!
//! Knows: which conversion is meant by which arguments, and when an integer has no place for a float. Never: other
//! theories.

use super::{Call, TypedResult};
use crate::error::Problem;
use crate::sorts::format_of;
use crate::typed::{ScriptSort, Typed};
use effigy_term::float::{Exact, FloatOp, Format, Number, Rounding};
use effigy_term::{Sort, Term, Terms, Width};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

/// As a fraction, a float with a larger exponent is too long.
const MOST_EXPONENT: i64 = 1 << 16;

/// The term of an operator; none where it is of another theory.
pub(super) fn apply(call: &Call<'_>) -> Option<TypedResult> {
    Some(match call.name {
        "to_fp" => to_float(call),
        "to_fp_unsigned" => format(call).and_then(|to| match call.sorts {
            [ScriptSort::Rounding, ScriptSort::Plain(Sort::BitVec(from))] => Ok(of_integer(call, false, *from, to)),
            _ => call.refuse("a rounding mode and a bitvector"),
        }),
        "fp.to_ubv" => to_integer(call, false),
        "fp.to_sbv" => to_integer(call, true),
        "fp.to_real" => call.plain().and_then(|()| to_real(call)),
        // Not in the standard, but in z3: the bits of the float.
        "fp.to_ieee_bv" => call.plain().and_then(|()| match call.sorts {
            [ScriptSort::Float(_)] => Ok(Typed::plain(call.terms, call.arguments[0])),
            _ => call.refuse("a float"),
        }),
        _ => return None,
    })
}

/// The format of the indices.
fn format(call: &Call<'_>) -> Result<Format, Problem> {
    let [exponent, significand] = call.indexed()?;
    format_of(exponent, significand)
}

fn to_float(call: &Call<'_>) -> TypedResult {
    let (to, terms) = (format(call)?, call.terms);
    let of_constant = |value: &dyn Fn(Rounding) -> Term| Ok(Typed::float(to, by_mode(terms, call.arguments[0], value)));
    match call.sorts {
        [ScriptSort::Plain(Sort::BitVec(width))] if *width == to.width() => {
            Ok(Typed::free(terms, ScriptSort::Float(to), call.arguments[0]))
        }
        [ScriptSort::Rounding, ScriptSort::Float(from)] if *from == to => Ok(Typed::float(to, call.arguments[1])),
        [ScriptSort::Rounding, ScriptSort::Float(from)] => {
            Ok(Typed::float(to, terms.float(FloatOp::Convert { from: *from, to }, call.arguments)))
        }
        [ScriptSort::Rounding, ScriptSort::Plain(Sort::BitVec(from))] => Ok(of_integer(call, true, *from, to)),
        [ScriptSort::Rounding, ScriptSort::Plain(Sort::Real)] => match terms.as_real(call.arguments[1]) {
            Some(value) => {
                let exact = Exact::of_fraction(value, to);
                of_constant(&|mode| terms.bv(exact.rounded(to, mode)))
            }
            None => Err(Problem::Unsupported("`to_fp` of a Real that is not a constant".to_owned())),
        },
        [ScriptSort::Rounding, ScriptSort::Plain(Sort::Int)] => match terms.as_int(call.arguments[1]) {
            Some(value) => {
                let exact = Exact::of_integer(value);
                of_constant(&|mode| terms.bv(exact.rounded(to, mode)))
            }
            None => Err(Problem::Unsupported("`to_fp` of an Int that is not a constant".to_owned())),
        },
        _ => call.refuse(format!(
            "a bitvector of {} bits, or a rounding mode and a float, a Real or a bitvector",
            to.width().bits()
        )),
    }
}

fn of_integer(call: &Call<'_>, signed: bool, from: Width, to: Format) -> Typed {
    Typed::float(to, call.terms.float(FloatOp::FromInteger { signed, from, to }, call.arguments))
}

/// What it is for each rounding mode.
fn by_mode(terms: &Terms, mode: Term, of: &dyn Fn(Rounding) -> Term) -> Term {
    if let Some(number) = terms.as_bv(mode) {
        return of(Rounding::of_number(number));
    }
    let others = [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down];
    others
        .iter()
        .fold(of(Rounding::TowardZero), |rest, &it| terms.ite(terms.eq(mode, terms.rounding(it)), of(it), rest))
}

/// The nearest integer. The standard does not say what it is where there is none of this width, but that it depends only
/// on the arguments: it is what a function gives of which nothing is known.
fn to_integer(call: &Call<'_>, signed: bool) -> TypedResult {
    let terms = call.terms;
    let [bits] = call.indexed()?;
    let [ScriptSort::Rounding, ScriptSort::Float(from)] = *call.sorts else {
        return call.refuse("a rounding mode and a float");
    };
    if bits == 0 {
        return call.refuse("an index of at least 1");
    }
    let to = call.width(u64::from(bits))?;
    let [mode, float] = call.exactly()?;
    let fits = by_mode(terms, mode, &|mode| in_range(terms, from, float, &range(mode, signed, to)));
    let known = terms.float(FloatOp::ToInteger { signed, from, to }, call.arguments);
    if terms.as_bool(fits) == Some(true) {
        return Ok(Typed::plain(terms, known));
    }
    // Names of a script have no `\`.
    let name = format!("{}\\{} {}", call.name, from.exponent_bits(), from.significand_bits());
    let open = terms.function(&name, &[Sort::BitVec(Rounding::WIDTH), Sort::BitVec(from.width())], Sort::BitVec(to));
    Ok(Typed::plain(terms, terms.ite(fits, known, terms.apply(open, call.arguments))))
}

/// Twice the end of a range, and whether it belongs to it.
type End = (BigInt, bool);

/// The numbers that a mode rounds to an integer of this width.
fn range(mode: Rounding, signed: bool, width: Width) -> (End, End) {
    let bits = if signed { width.bits() - 1 } else { width.bits() };
    let beyond = BigInt::one() << bits;
    let least = if signed { -&beyond } else { BigInt::default() };
    let most: BigInt = beyond - 1;
    // A half goes to the even one.
    let (least_even, most_even) = (!least.bit(0), !most.bit(0));
    let (least, most) = (least * 2, most * 2);
    match mode {
        Rounding::NearestEven => ((least - 1, least_even), (most + 1, most_even)),
        Rounding::NearestAway => ((least - 1, false), (most + 1, false)),
        Rounding::Up => ((least - 2, false), (most, true)),
        Rounding::Down => ((least, true), (most + 2, false)),
        Rounding::TowardZero => ((least - 2, false), (most + 2, false)),
    }
}

/// Whether a float lies in a range. An end that is no float is moved to the next that is one.
fn in_range(terms: &Terms, format: Format, float: Term, (least, most): &(End, End)) -> Term {
    let next = |twice: &BigInt, mode: Rounding| {
        let end = Exact { exponent: -1, ..Exact::of_integer(twice) };
        terms.bv(end.rounded(format, mode))
    };
    let above = match least {
        (end, true) => terms.float(FloatOp::LessOrEqual(format), &[next(end, Rounding::Up), float]),
        (end, false) => terms.float(FloatOp::Less(format), &[next(end, Rounding::Down), float]),
    };
    let below = match most {
        (end, true) => terms.float(FloatOp::LessOrEqual(format), &[float, next(end, Rounding::Down)]),
        (end, false) => terms.float(FloatOp::Less(format), &[float, next(end, Rounding::Up)]),
    };
    terms.and(above, below)
}

/// The fraction that a constant is.
fn to_real(call: &Call<'_>) -> TypedResult {
    let [ScriptSort::Float(format)] = *call.sorts else { return call.refuse("a float") };
    let unsupported = |of: &str| Err(Problem::Unsupported(format!("`fp.to_real` of {of}")));
    let Some(bits) = call.terms.as_bv(call.arguments[0]) else { return unsupported("what is not a constant") };
    let Number::Finite(exact) = Number::of_bits(format, bits) else { return unsupported("what is no number") };
    if exact.exponent.abs() > MOST_EXPONENT && !exact.is_zero() {
        return Err(Problem::Limit(format!("exponents up to {MOST_EXPONENT} in `fp.to_real`")));
    }
    let significand = BigInt::from(exact.significand.clone());
    let significand = if exact.negative { -significand } else { significand };
    let power = BigInt::one() << exact.exponent.unsigned_abs().min(MOST_EXPONENT as u64);
    let value = match exact.exponent < 0 {
        true => BigRational::new(significand, power),
        false => BigRational::from_integer(significand * power),
    };
    Ok(Typed::plain(call.terms, call.terms.real(value)))
}
