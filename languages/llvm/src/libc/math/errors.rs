//! Functions of `math.h` that are exact and set `errno` where the domain has no result or the format no number.
//!
//! Knows: when glibc sets it. Never: intrinsics, which leave it alone (`arithmetic`).
//! Source: C17, 7.12.1; glibc, math_error(7).

use super::super::width_of;
use super::{Done, arithmetic, exponents};
use crate::code::{Call, Shape};
use crate::floats::{self, format_of};
use crate::machine::{Flow, Machine};
use crate::value::Val;
use effigy_term::float::{FloatOp, Format};
use effigy_term::{Term, Terms};

/// The result is not defined for these arguments.
pub(super) const EDOM: u64 = 33;
/// The result is too large, or too small, for the format.
pub(super) const ERANGE: u64 = 34;

/// What a function was given and what it returned, as numbers of one format.
struct Outcome<'a> {
    terms: &'a Terms,
    format: Format,
    arguments: Vec<Term>,
    result: Term,
}

impl Outcome<'_> {
    fn is_nan(&self, it: Term) -> Term {
        self.terms.float_is_nan(self.format, it)
    }

    fn is_zero(&self, it: Term) -> Term {
        self.terms.float_is_zero(self.format, it)
    }

    fn is_infinite(&self, it: Term) -> Term {
        self.terms.float_is_infinite(self.format, it)
    }

    fn is_finite(&self, it: Term) -> Term {
        self.terms.not(self.terms.float_is_not_finite(self.format, it))
    }

    fn is_subnormal(&self, it: Term) -> Term {
        self.terms.float_is_subnormal(self.format, it)
    }

    fn equal(&self, a: Term, b: Term) -> Term {
        self.terms.float(FloatOp::Equal(self.format), &[a, b])
    }

    /// The argument is less than zero.
    fn has_no_root(&self) -> Term {
        self.terms.float(FloatOp::Less(self.format), &[self.arguments[0], self.terms.bv(self.format.zero(false))])
    }

    /// A remainder of an infinity, or one by zero.
    fn has_no_remainder(&self) -> Term {
        let (x, y) = (self.arguments[0], self.arguments[1]);
        let is_none = self.terms.or(self.is_infinite(x), self.is_zero(y));
        self.terms.and(is_none, self.terms.not(self.terms.or(self.is_nan(x), self.is_nan(y))))
    }

    /// The first argument is a finite number, not zero, and the result is zero or infinite.
    fn leaves_the_range(&self) -> Term {
        let (x, res) = (self.arguments[0], self.result);
        let started = self.terms.and(self.is_finite(x), self.terms.not(self.is_zero(x)));
        self.terms.and(started, self.terms.or(self.is_infinite(res), self.is_zero(res)))
    }

    /// Of two different numbers the next one after the first is infinite, or less than a normal number.
    fn next_leaves_the_range(&self) -> Term {
        let (x, y, res) = (self.arguments[0], self.arguments[1], self.result);
        let moves = self.terms.not(self.terms.or(self.equal(x, y), self.is_zero(x)));
        let small = self.terms.or(self.is_subnormal(res), self.is_zero(res));
        let large = self.terms.and(self.is_infinite(res), self.is_finite(x));
        self.terms.and(moves, self.terms.or(small, large))
    }

    /// An infinite difference of finite numbers.
    fn is_too_large(&self) -> Term {
        let finite = self.terms.and_all(self.arguments.iter().map(|it| self.is_finite(*it)));
        self.terms.and(finite, self.is_infinite(self.result))
    }

    /// The argument has no exponent.
    fn has_no_exponent(&self) -> Term {
        let x = self.arguments[0];
        self.terms.or(self.terms.not(self.is_finite(x)), self.is_zero(x))
    }
}

/// Sets `errno` where `cond` holds of a call: of its first `count` arguments, which have one format, and its result.
fn report(
    it: &mut Machine<'_, '_>,
    call: &Call,
    arguments: &[Val],
    count: usize,
    result: &Option<Val>,
    (error, cond): (u64, fn(&Outcome<'_>) -> Term),
) -> Flow<()> {
    let width = width_of(call, 0);
    let given: Vec<Val> = (0..count).map(|at| it.argument(arguments, at)).collect();
    let Some(result) = result else { return Ok(()) };
    if given.iter().chain([result]).any(|it| matches!(it, Val::Undef)) {
        return Ok(());
    }
    let given: Vec<Term> = given.iter().map(|value| it.term(value, width)).collect();
    let result_is_number = call.result.as_ref() == call.arguments.first().map(|it| &it.shape);
    let result = if result_is_number { it.term(result, width) } else { given[0] };
    if result_is_number {
        it.check_float(&given, result, "the function")?;
    }
    let terms = it.ctx.terms;
    let outcome = Outcome {
        terms,
        format: format_of(width.bits()),
        arguments: given.into_iter().map(|it| floats::number(terms, it)).collect(),
        result: floats::number(terms, result),
    };
    let cond = cond(&outcome);
    it.set_errno(cond, error);
    Ok(())
}

/// `llvm.sqrt`, which leaves `errno` alone.
pub(crate) fn silent_sqrt(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let res = arithmetic::sqrt(it, call, arguments)?;
    if let (Some(Shape::Scalar { .. }), Some(result)) = (&call.result, &res)
        && !matches!(result, Val::Undef)
    {
        let (width, given) = (width_of(call, 0), it.argument(arguments, 0));
        let (given, result) = (it.term(&given, width), it.term(result, width));
        it.check_float(&[given], result, "the function")?;
    }
    Ok(res)
}

macro_rules! reporting {
    ($($(#[$doc:meta])* $name:ident = $exact:path, $count:literal, $error:ident, $cond:path;)*) => {
        $($(#[$doc])*
        pub(crate) fn $name(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
            let res = $exact(it, call, arguments)?;
            report(it, call, arguments, $count, &res, ($error, |it| $cond(it)))?;
            Ok(res)
        })*
    };
}

reporting! {
    /// `double sqrt(double x)`: no number less than zero has a root.
    sqrt = arithmetic::sqrt, 1, EDOM, Outcome::has_no_root;
    /// `double fmod(double x, double y)`
    fmod = arithmetic::fmod, 2, EDOM, Outcome::has_no_remainder;
    /// `double remainder(double x, double y)`
    remainder = arithmetic::remainder, 2, EDOM, Outcome::has_no_remainder;
    /// `double fdim(double x, double y)`
    fdim = arithmetic::fdim, 2, ERANGE, Outcome::is_too_large;
    /// `double nextafter(double x, double y)`
    nextafter = arithmetic::nextafter, 2, ERANGE, Outcome::next_leaves_the_range;
    /// `double ldexp(double x, int n)`, `scalbn`
    ldexp = exponents::ldexp, 1, ERANGE, Outcome::leaves_the_range;
    /// `int ilogb(double x)`
    ilogb = exponents::ilogb, 1, EDOM, Outcome::has_no_exponent;
}
