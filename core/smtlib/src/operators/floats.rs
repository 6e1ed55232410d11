//! FloatingPoint: constants, operations, comparisons, classes.
//!
//! Knows: how each is made of the operations that terms have. Never: other theories, conversions.
//!
//! Arguments are canonical (`typed`), and so is what is made of them.

use super::{Call, TypedResult};
use crate::error::Problem;
use crate::sorts::format_of;
use crate::typed::{ScriptSort, Typed, is_the_nan};
use effigy_term::float::{FloatOp, Format, Rounding};
use effigy_term::{BvValue, Sort, SymbolKind, Term, Terms, Width};

/// A float with a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Special {
    Nan,
    Infinite(bool),
    Zero(bool),
}

impl Special {
    /// The float of this name.
    pub(crate) fn of_name(name: &str) -> Option<Special> {
        Some(match name {
            "NaN" => Special::Nan,
            "+oo" => Special::Infinite(false),
            "-oo" => Special::Infinite(true),
            "+zero" => Special::Zero(false),
            "-zero" => Special::Zero(true),
            _ => return None,
        })
    }

    /// Its bits in a format.
    pub(crate) fn bits(self, format: Format) -> BvValue {
        match self {
            Special::Nan => format.nan(),
            Special::Infinite(negative) => format.infinity(negative),
            Special::Zero(negative) => format.zero(negative),
        }
    }
}

/// The constant of this name: a rounding mode.
pub(crate) fn constant(terms: &Terms, name: &str) -> Option<Typed> {
    let mode = match name {
        "RNE" | "roundNearestTiesToEven" => Rounding::NearestEven,
        "RNA" | "roundNearestTiesToAway" => Rounding::NearestAway,
        "RTP" | "roundTowardPositive" => Rounding::Up,
        "RTN" | "roundTowardNegative" => Rounding::Down,
        "RTZ" | "roundTowardZero" => Rounding::TowardZero,
        _ => return None,
    };
    Some(Typed { term: terms.rounding(mode), sort: ScriptSort::Rounding })
}

impl Call<'_> {
    /// The format of the arguments, if they are so many floats of one, behind a rounding mode where there should be one.
    fn floats(&self, rounds: bool, count: usize) -> Result<Format, Problem> {
        let mode = usize::from(rounds);
        let fits = self.sorts.len() == count + mode && (!rounds || self.sorts[0] == ScriptSort::Rounding);
        match (fits, self.sorts.get(mode)) {
            (true, Some(first @ ScriptSort::Float(format))) if self.sorts[mode..].iter().all(|it| it == first) => {
                Ok(*format)
            }
            _ => {
                let mode = if rounds { "a rounding mode and " } else { "" };
                self.refuse(match count {
                    1 => format!("{mode}a float"),
                    _ => format!("{mode}{count} floats of one format"),
                })
            }
        }
    }

    /// The format of at least two arguments, all of it.
    fn comparable(&self) -> Result<Format, Problem> {
        match self.sorts.first() {
            Some(first @ ScriptSort::Float(format))
                if self.sorts.len() >= 2 && self.sorts.iter().all(|it| it == first) =>
            {
                Ok(*format)
            }
            _ => self.refuse("at least 2 floats of one format"),
        }
    }
}

/// The term of an operator; none where it is of another theory.
pub(super) fn apply(call: &Call<'_>) -> Option<TypedResult> {
    let terms = call.terms;
    let rounded = |count: usize, op: fn(Format) -> FloatOp| {
        call.floats(true, count).map(|format| Typed::float(format, terms.float(op(format), call.arguments)))
    };
    let compared = |of: &dyn Fn(Format, Term, Term) -> Term| {
        let format = call.comparable()?;
        Ok(Typed::plain(terms, call.chain(|a, b| of(format, a, b))))
    };
    let less = |a: Term, b: Term, format: Format| terms.float(FloatOp::Less(format), &[a, b]);
    let at_most = |a: Term, b: Term, format: Format| terms.float(FloatOp::LessOrEqual(format), &[a, b]);
    let is = |of: &dyn Fn(Format, Term) -> Term| {
        let format = call.floats(false, 1)?;
        Ok(Typed::plain(terms, of(format, call.arguments[0])))
    };
    let built = match call.name {
        "fp" => of_parts(call),
        "fp.abs" => signed(call, Terms::float_abs),
        "fp.neg" => signed(call, Terms::float_neg),
        "fp.add" => rounded(2, FloatOp::Add),
        "fp.sub" => call.floats(true, 2).map(|format| {
            // The sign of a NaN does not matter to a sum.
            let arguments = [call.arguments[0], call.arguments[1], terms.float_neg(format, call.arguments[2])];
            Typed::float(format, terms.float(FloatOp::Add(format), &arguments))
        }),
        "fp.mul" => rounded(2, FloatOp::Mul),
        "fp.div" => rounded(2, FloatOp::Div),
        "fp.fma" => rounded(3, FloatOp::MulAdd),
        "fp.sqrt" => rounded(1, FloatOp::Sqrt),
        "fp.roundToIntegral" => rounded(1, FloatOp::RoundToIntegral),
        "fp.rem" => call
            .floats(false, 2)
            .map(|format| Typed::float(format, terms.float(FloatOp::Remainder(format), call.arguments))),
        "fp.min" => extreme(call, &less),
        "fp.max" => extreme(call, &|a, b, format| less(b, a, format)),
        "fp.leq" => compared(&|format, a, b| at_most(a, b, format)),
        "fp.lt" => compared(&|format, a, b| less(a, b, format)),
        "fp.geq" => compared(&|format, a, b| at_most(b, a, format)),
        "fp.gt" => compared(&|format, a, b| less(b, a, format)),
        "fp.eq" => compared(&|format, a, b| terms.float(FloatOp::Equal(format), &[a, b])),
        "fp.isNormal" => is(&|format, a| {
            let small = terms.or(terms.float_is_subnormal(format, a), terms.float_is_zero(format, a));
            terms.not(terms.or(small, terms.float_is_not_finite(format, a)))
        }),
        "fp.isSubnormal" => is(&|format, a| terms.float_is_subnormal(format, a)),
        "fp.isZero" => is(&|format, a| terms.float_is_zero(format, a)),
        "fp.isInfinite" => is(&|format, a| terms.float_is_infinite(format, a)),
        "fp.isNaN" => is(&|format, a| is_the_nan(terms, format, a)),
        "fp.isNegative" => is(&|format, a| terms.and(minus(terms, a), terms.not(is_the_nan(terms, format, a)))),
        "fp.isPositive" => is(&|format, a| terms.not(terms.or(minus(terms, a), is_the_nan(terms, format, a)))),
        _ => return None,
    };
    Some(call.plain().and(built))
}

/// Whether the bit of the sign is set.
fn minus(terms: &Terms, a: Term) -> Term {
    let last = terms.width(a).bits() - 1;
    terms.eq(terms.bv_extract(last, last, a), terms.bv(BvValue::one(Width::W1)))
}

/// Sign, exponent and fraction.
fn of_parts(call: &Call<'_>) -> TypedResult {
    let width = |at: usize| match call.sorts.get(at) {
        Some(ScriptSort::Plain(Sort::BitVec(width))) => width.bits(),
        _ => 0,
    };
    let (sign, exponent, fraction) = (width(0), width(1), width(2));
    if call.sorts.len() != 3 || sign != 1 || exponent == 0 || fraction == 0 {
        return call.refuse("a bit, and bitvectors for the exponent and the fraction");
    }
    let format = format_of(exponent, fraction.saturating_add(1))?;
    let bits = call.left(|a, b| call.terms.bv_concat(a, b));
    Ok(Typed::free(call.terms, ScriptSort::Float(format), bits))
}

/// A float with another sign; a NaN stays the one that it is.
fn signed(call: &Call<'_>, of: fn(&Terms, Format, Term) -> Term) -> TypedResult {
    let (format, terms) = (call.floats(false, 1)?, call.terms);
    let a = call.arguments[0];
    Ok(Typed::float(format, terms.ite(is_the_nan(terms, format, a), terms.bv(format.nan()), of(terms, format, a))))
}

/// The one that comes `first`, or the one that is a number. Of two zeros with different signs the standard does not say
/// which it is: it is either, the same each time.
fn extreme(call: &Call<'_>, first: &dyn Fn(Term, Term, Format) -> Term) -> TypedResult {
    let (format, terms) = (call.floats(false, 2)?, call.terms);
    let (a, b) = (call.arguments[0], call.arguments[1]);
    let is_first = terms.or(first(a, b, format), is_the_nan(terms, format, b));
    let known = terms.ite(is_the_nan(terms, format, a), b, terms.ite(is_first, a, b));
    let zeros = terms.and(terms.float_is_zero(format, a), terms.float_is_zero(format, b));
    let open = terms.and(zeros, terms.ne(a, b));
    if terms.as_bool(open) == Some(false) {
        return Ok(Typed::float(format, known));
    }
    // Names of a script have no `\`.
    let free = |which: &str| {
        let name = format!("{}\\{which} {} {}", call.name, format.exponent_bits(), format.significand_bits());
        terms.of_symbol(terms.symbol(&name, Sort::Bool, SymbolKind::Input))
    };
    let takes_first = terms.ite(minus(terms, a), free("-+"), free("+-"));
    Ok(Typed::float(format, terms.ite(open, terms.ite(takes_first, a, b), known)))
}
