//! What is known of a function that IEEE 754 does not define: its sign, its range, its values at special arguments.
//!
//! Knows: what holds of each implementation that errs by less than two units in the last place, as glibc's do. Bounds that
//! are irrational are rounded up. Never: how close a result is.
//! Source: C17, Annex F.10; glibc manual, "Known Maximum Errors in Math Functions".

use super::classes::is_signaling;
use effigy_term::float::{Exact, FloatOp, Format, Rounding};
use effigy_term::{BvValue, Term, Terms};
use num_bigint::BigInt;

/// A function of `math.h` that IEEE 754 does not define to the last bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Cbrt,
    Pow,
    Atan2,
    Hypot,
}

impl Function {
    /// Its name in C, for `double`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::Tan => "tan",
            Function::Asin => "asin",
            Function::Acos => "acos",
            Function::Atan => "atan",
            Function::Sinh => "sinh",
            Function::Cosh => "cosh",
            Function::Tanh => "tanh",
            Function::Exp => "exp",
            Function::Exp2 => "exp2",
            Function::Expm1 => "expm1",
            Function::Log => "log",
            Function::Log2 => "log2",
            Function::Log10 => "log10",
            Function::Log1p => "log1p",
            Function::Cbrt => "cbrt",
            Function::Pow => "pow",
            Function::Atan2 => "atan2",
            Function::Hypot => "hypot",
        }
    }

    /// Whether a result of zero, or a subnormal one, may stand for a number that is smaller still.
    pub(super) fn is_rounded_to_zero(self, terms: &Terms, format: Format, arguments: &[Term]) -> Term {
        let finite = arguments.iter().map(|it| terms.not(terms.float_is_not_finite(format, *it)));
        let finite = terms.and_all(finite.collect::<Vec<_>>());
        match self {
            Function::Cos | Function::Cosh | Function::Acos | Function::Log | Function::Log2 | Function::Log10 => {
                terms.bool(false)
            }
            Function::Exp | Function::Exp2 => finite,
            _ => terms.and(finite, terms.not(terms.float_is_zero(format, arguments[0]))),
        }
    }
}

/// Facts about results in a format.
pub(super) struct Bounds<'a> {
    /// Where facts are made.
    pub terms: &'a Terms,
    /// The format of arguments and results.
    pub format: Format,
}

impl Bounds<'_> {
    /// What holds of the result of a function.
    pub(super) fn of(&self, function: Function, arguments: &[Term], r: Term) -> Term {
        let x = arguments[0];
        match (function, arguments.get(1)) {
            (Function::Pow, Some(&y)) => self.of_pow(x, y, r),
            (Function::Atan2, Some(&y)) => self.of_atan2(x, y, r),
            (Function::Hypot, Some(&y)) => self.of_hypot(x, y, r),
            _ => self.of_one(function, x, r),
        }
    }

    fn of_one(&self, function: Function, x: Term, r: Term) -> Term {
        let (t, one) = (self.terms, self.integer(1));
        let (finite, nan_x) = (self.is_finite(x), self.is_nan(x));
        let same_sign = t.eq(self.is_negative(x), self.is_negative(r));
        let zero_is_kept = t.implies(self.is_zero(x), t.eq(r, x));
        let infinite_is_kept = t.implies(self.is_infinite(x), t.eq(r, x));
        let in_one = self.at_most(self.magnitude(r), one);
        // Where there is no result, and what holds of one.
        let (none, facts) = match function {
            Function::Sin => (t.not(finite), vec![in_one, zero_is_kept]),
            Function::Cos => (t.not(finite), vec![in_one, t.implies(self.is_zero(x), t.eq(r, one))]),
            Function::Tan => (t.not(finite), vec![self.is_finite(r), zero_is_kept]),
            Function::Asin => {
                let outside = self.less(one, self.magnitude(x));
                (t.or(nan_x, outside), vec![same_sign, zero_is_kept, self.at_most(self.magnitude(r), self.pi(-1))])
            }
            Function::Acos => {
                let outside = self.less(one, self.magnitude(x));
                let ends = t.implies(t.eq(x, one), self.is_plus_zero(r));
                let low = t.implies(self.at_most(self.integer(0), x), self.at_most(r, self.pi(-1)));
                (t.or(nan_x, outside), vec![t.not(self.is_negative(r)), self.at_most(r, self.pi(0)), ends, low])
            }
            Function::Atan => (nan_x, vec![same_sign, zero_is_kept, self.at_most(self.magnitude(r), self.pi(-1))]),
            Function::Sinh => (nan_x, vec![same_sign, zero_is_kept, infinite_is_kept]),
            Function::Cosh => {
                let plus = t.implies(self.is_infinite(x), t.eq(r, self.infinity()));
                (nan_x, vec![self.at_most(one, r), plus, t.implies(self.is_zero(x), t.eq(r, one))])
            }
            Function::Tanh => (nan_x, vec![same_sign, zero_is_kept, in_one]),
            Function::Exp | Function::Exp2 => {
                let zero = self.integer(0);
                let minus = t.implies(t.eq(x, self.minus_infinity()), self.is_plus_zero(r));
                let plus = t.implies(t.eq(x, self.infinity()), t.eq(r, self.infinity()));
                let up = t.implies(self.at_most(zero, x), self.at_most(one, r));
                let down = t.implies(self.at_most(x, zero), self.at_most(r, one));
                (nan_x, vec![t.not(self.is_negative(r)), minus, plus, up, down])
            }
            Function::Expm1 => {
                let plus = t.implies(t.eq(x, self.infinity()), t.eq(r, self.infinity()));
                (nan_x, vec![same_sign, zero_is_kept, plus, self.at_most(self.integer(-1), r)])
            }
            Function::Log | Function::Log2 | Function::Log10 => {
                let zero = self.integer(0);
                let pole = t.eq(self.is_zero(x), t.eq(r, self.minus_infinity()));
                let plus = t.eq(t.eq(x, self.infinity()), t.eq(r, self.infinity()));
                let up = t.implies(self.at_most(one, x), t.not(self.is_negative(r)));
                let down = t.implies(self.at_most(x, one), self.at_most(r, zero));
                let large = t.implies(self.is_finite(r), self.at_most(self.magnitude(r), self.integer(1100)));
                (t.or(nan_x, self.less(x, zero)), vec![pole, plus, up, down, large])
            }
            Function::Log1p => {
                let least = self.integer(-1);
                let pole = t.eq(t.eq(x, least), t.eq(r, self.minus_infinity()));
                let plus = t.eq(t.eq(x, self.infinity()), t.eq(r, self.infinity()));
                (t.or(nan_x, self.less(x, least)), vec![same_sign, zero_is_kept, pole, plus])
            }
            _ => (nan_x, vec![same_sign, zero_is_kept, t.eq(self.is_finite(x), self.is_finite(r)), infinite_is_kept]),
        };
        self.with_result(none, r, facts)
    }

    fn of_pow(&self, x: Term, y: Term, r: Term) -> Term {
        let (t, one, zero) = (self.terms, self.integer(1), self.integer(0));
        // A signaling NaN is one for any power.
        let signaling = t.or(self.is_signaling(x), self.is_signaling(y));
        let is_one = t.and(t.or(t.eq(x, one), self.is_zero(y)), t.not(signaling));
        let some_nan = t.or(self.is_nan(x), self.is_nan(y));
        let whole = t.float(FloatOp::RoundToIntegral(self.format), &[t.rounding(Rounding::TowardZero), y]);
        let is_whole = self.equal(whole, y);
        let negative = t.and(self.is_finite(x), self.less(x, zero));
        let none = t.or(some_nan, t.and_all([negative, self.is_finite(y), t.not(is_whole)]));
        let positive = t.implies(t.not(self.is_negative(x)), t.not(self.is_negative(r)));
        let not_less = t.implies(t.and(self.at_most(zero, x), self.at_most(zero, y)), self.at_most(zero, r));
        let first = t.implies(t.eq(y, one), t.eq(r, x));
        // A base above one grows with the exponent, one below it shrinks.
        let same = |a: Term, b: Term| t.and(self.at_most(one, a), self.at_most(zero, b));
        let grows = t.implies(same(x, y), self.at_most(one, r));
        let in_one = t.and(self.at_most(zero, x), self.at_most(x, one));
        let shrinks = t.implies(t.and(in_one, self.at_most(zero, y)), self.at_most(r, one));
        let res = self.with_result(none, r, vec![positive, not_less, first, grows, shrinks]);
        t.ite(is_one, t.eq(r, one), res)
    }

    fn of_atan2(&self, y: Term, x: Term, r: Term) -> Term {
        let t = self.terms;
        let same_sign = t.eq(self.is_negative(y), self.is_negative(r));
        let right = t.implies(t.not(self.is_negative(x)), self.at_most(self.magnitude(r), self.pi(-1)));
        let none = t.or(self.is_nan(x), self.is_nan(y));
        self.with_result(none, r, vec![same_sign, self.at_most(self.magnitude(r), self.pi(0)), right])
    }

    fn of_hypot(&self, x: Term, y: Term, r: Term) -> Term {
        let t = self.terms;
        let signaling = t.or(self.is_signaling(x), self.is_signaling(y));
        let infinite = t.and(t.or(self.is_infinite(x), self.is_infinite(y)), t.not(signaling));
        let none = t.or(self.is_nan(x), self.is_nan(y));
        let zero = t.implies(t.and(self.is_zero(x), self.is_zero(y)), self.is_plus_zero(r));
        let rest = self.with_result(none, r, vec![t.not(self.is_negative(r)), zero]);
        t.ite(infinite, t.eq(r, self.infinity()), rest)
    }

    fn with_result(&self, none: Term, r: Term, facts: Vec<Term>) -> Term {
        let t = self.terms;
        let facts = t.and(t.not(self.is_nan(r)), t.and_all(facts));
        t.ite(none, self.is_nan(r), facts)
    }

    fn integer(&self, value: i64) -> Term {
        let value = Exact::of_integer(&BigInt::from(value)).rounded(self.format, Rounding::NearestEven);
        self.terms.bv(value)
    }

    /// A number that is a little more than π · 2ⁿ.
    fn pi(&self, n: i64) -> Term {
        // 0x3.243f6b is more than π by 2⁻²⁴ at most, and a float has it to 2⁻²².
        const PI: u64 = 0x3243_f6b0;
        let scaled = Exact::of_integer(&BigInt::from(PI)).rounded(self.format, Rounding::Up);
        let stored = i64::from(self.format.fraction_bits());
        let down = BvValue::from_i64(self.format.width(), n - 28);
        self.terms.bv(scaled.add(&down.shl_bits(stored as u32)))
    }

    fn infinity(&self) -> Term {
        self.terms.bv(self.format.infinity(false))
    }

    fn minus_infinity(&self) -> Term {
        self.terms.bv(self.format.infinity(true))
    }

    fn magnitude(&self, x: Term) -> Term {
        crate::floats::magnitude(self.terms, x)
    }

    fn is_negative(&self, x: Term) -> Term {
        crate::floats::is_negative(self.terms, x)
    }

    fn is_nan(&self, x: Term) -> Term {
        self.terms.float_is_nan(self.format, x)
    }

    fn is_signaling(&self, x: Term) -> Term {
        is_signaling(self.terms, self.format, x)
    }

    fn is_zero(&self, x: Term) -> Term {
        self.terms.float_is_zero(self.format, x)
    }

    fn is_plus_zero(&self, x: Term) -> Term {
        self.terms.eq(x, self.terms.bv(self.format.zero(false)))
    }

    fn is_infinite(&self, x: Term) -> Term {
        self.terms.float_is_infinite(self.format, x)
    }

    fn is_finite(&self, x: Term) -> Term {
        self.terms.not(self.terms.float_is_not_finite(self.format, x))
    }

    fn equal(&self, a: Term, b: Term) -> Term {
        self.terms.float(FloatOp::Equal(self.format), &[a, b])
    }

    fn less(&self, a: Term, b: Term) -> Term {
        self.terms.float(FloatOp::Less(self.format), &[a, b])
    }

    fn at_most(&self, a: Term, b: Term) -> Term {
        self.terms.float(FloatOp::LessOrEqual(self.format), &[a, b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type OnDoubles = fn(f64, f64) -> f64;
    type OnFloats = fn(f32, f32) -> f32;

    /// What this machine computes; functions of one number leave the second one alone.
    const OF_MACHINE: &[(Function, usize, OnDoubles, OnFloats)] = &[
        (Function::Sin, 1, |a, _| a.sin(), |a, _| a.sin()),
        (Function::Cos, 1, |a, _| a.cos(), |a, _| a.cos()),
        (Function::Tan, 1, |a, _| a.tan(), |a, _| a.tan()),
        (Function::Asin, 1, |a, _| a.asin(), |a, _| a.asin()),
        (Function::Acos, 1, |a, _| a.acos(), |a, _| a.acos()),
        (Function::Atan, 1, |a, _| a.atan(), |a, _| a.atan()),
        (Function::Sinh, 1, |a, _| a.sinh(), |a, _| a.sinh()),
        (Function::Cosh, 1, |a, _| a.cosh(), |a, _| a.cosh()),
        (Function::Tanh, 1, |a, _| a.tanh(), |a, _| a.tanh()),
        (Function::Exp, 1, |a, _| a.exp(), |a, _| a.exp()),
        (Function::Exp2, 1, |a, _| a.exp2(), |a, _| a.exp2()),
        (Function::Expm1, 1, |a, _| a.exp_m1(), |a, _| a.exp_m1()),
        (Function::Log, 1, |a, _| a.ln(), |a, _| a.ln()),
        (Function::Log2, 1, |a, _| a.log2(), |a, _| a.log2()),
        (Function::Log10, 1, |a, _| a.log10(), |a, _| a.log10()),
        (Function::Log1p, 1, |a, _| a.ln_1p(), |a, _| a.ln_1p()),
        (Function::Cbrt, 1, |a, _| a.cbrt(), |a, _| a.cbrt()),
        (Function::Pow, 2, f64::powf, f32::powf),
        (Function::Atan2, 2, f64::atan2, f32::atan2),
        (Function::Hypot, 2, f64::hypot, f32::hypot),
    ];

    /// Numbers of every size, small integers, and those at which a function is special.
    fn number() -> impl Strategy<Value = f64> {
        let near_one = (-4i64..4).prop_map(|it| f64::from_bits((1f64.to_bits() as i64 + it) as u64));
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            -40.0..40.0,
            (-6i8..6).prop_map(f64::from),
            near_one.clone(),
            near_one.prop_map(|it| -it),
            prop::sample::select(vec![
                0.0,
                -0.0,
                0.5,
                -0.5,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
                5e-324,
                -5e-324
            ]),
            Just(f64::from_bits(0x7ff0_0000_0000_0001)),
            -800.0..800.0,
        ]
    }

    fn float_of(it: f64) -> f32 {
        // A conversion would make a signaling NaN quiet.
        if it.is_nan() { f32::from_bits(0x7f80_0001 | (it.to_bits() >> 29) as u32 & 0x0040_0000) } else { it as f32 }
    }

    fn holds(terms: &Terms, format: Format, function: Function, arguments: &[u64], result: u64) -> bool {
        let constant = |it: u64| terms.bv_u64(format.width(), it);
        let arguments: Vec<Term> = arguments.iter().map(|it| constant(*it)).collect();
        let fact = Bounds { terms, format }.of(function, &arguments, constant(result));
        terms.as_bool(fact) == Some(true)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// The bounds hold of what the library of this machine returns.
        #[test]
        fn the_machine_keeps_within_the_bounds(x in number(), y in number()) {
            let terms = Terms::new();
            for &(function, count, on_doubles, on_floats) in OF_MACHINE {
                let (bits, result) = ([x.to_bits(), y.to_bits()], on_doubles(x, y));
                prop_assert!(
                    holds(&terms, Format::DOUBLE, function, &bits[..count], result.to_bits()),
                    "{} of {x:?} {:#x}, {y:?} {:#x}: {result:?}", function.name(), bits[0], bits[1]
                );
                let (a, b) = (float_of(x), float_of(y));
                let (bits, result) = ([a, b].map(|it| u64::from(it.to_bits())), on_floats(a, b));
                prop_assert!(
                    holds(&terms, Format::SINGLE, function, &bits[..count], u64::from(result.to_bits())),
                    "{}f of {a:?} {:#x}, {b:?} {:#x}: {result:?}", function.name(), bits[0], bits[1]
                );
            }
        }
    }
}
