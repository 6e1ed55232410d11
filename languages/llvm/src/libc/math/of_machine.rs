//! Functions that IEEE 754 does not define to the last bit: on concrete arguments what the library of this machine says,
//! on symbolic ones any number within their bounds (`bounds`).
//!
//! Knows: which results set `errno`, and which may.
//! Source: C17, 7.12.1; glibc, math(3) and math_error(7).

use super::super::width_of;
use super::Done;
use super::bounds::{Bounds, Function};
use super::errors::{EDOM, ERANGE};
use crate::code::Call;
use crate::floats::{self, format_of};
use crate::machine::{Flow, Machine};
use crate::process::Application;
use crate::value::Val;
use effigy_term::{Term, Width};
use std::rc::Rc;
use std::sync::Arc;

/// The class of the note that the result of a function is any number within its bounds.
const MATH_VALUES: &str = "math-values";

/// The class of the note that a function may have set `errno`.
const MATH_ERRNO: &str = "math-errno";

impl Machine<'_, '_> {
    /// An argument of a function that is not computed on terms: on the run of given values the value that it has there.
    fn number(&mut self, arguments: &[Val], at: usize) -> Flow<Val> {
        let argument = self.argument(arguments, at);
        self.run_value(&argument)
    }
}

/// Functions that IEEE 754 does not define to the last bit.
macro_rules! of_this_machine {
    ($($name:ident, $function:expr, |$numbers:pat_param| $double:expr, $float:expr;)*) => {
        $(pub(crate) fn $name(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
            of_library(it, call, arguments, $function, |$numbers| $double, |$numbers| $float)
        })*
    };
}

of_this_machine! {
    sin, Function::Sin, |[a]| a.sin(), a.sin();
    cos, Function::Cos, |[a]| a.cos(), a.cos();
    tan, Function::Tan, |[a]| a.tan(), a.tan();
    asin, Function::Asin, |[a]| a.asin(), a.asin();
    acos, Function::Acos, |[a]| a.acos(), a.acos();
    atan, Function::Atan, |[a]| a.atan(), a.atan();
    sinh, Function::Sinh, |[a]| a.sinh(), a.sinh();
    cosh, Function::Cosh, |[a]| a.cosh(), a.cosh();
    tanh, Function::Tanh, |[a]| a.tanh(), a.tanh();
    exp, Function::Exp, |[a]| a.exp(), a.exp();
    exp2, Function::Exp2, |[a]| a.exp2(), a.exp2();
    expm1, Function::Expm1, |[a]| a.exp_m1(), a.exp_m1();
    log, Function::Log, |[a]| a.ln(), a.ln();
    log2, Function::Log2, |[a]| a.log2(), a.log2();
    log10, Function::Log10, |[a]| a.log10(), a.log10();
    log1p, Function::Log1p, |[a]| a.ln_1p(), a.ln_1p();
    cbrt, Function::Cbrt, |[a]| a.cbrt(), a.cbrt();
    pow, Function::Pow, |[a, b]| a.powf(b), a.powf(b);
    atan2, Function::Atan2, |[a, b]| a.atan2(b), a.atan2(b);
    hypot, Function::Hypot, |[a, b]| a.hypot(b), a.hypot(b);
}

fn of_library<const N: usize>(
    it: &mut Machine<'_, '_>,
    call: &Call,
    arguments: &[Val],
    function: Function,
    on_doubles: impl Fn([f64; N]) -> f64,
    on_floats: impl Fn([f32; N]) -> f32,
) -> Done {
    let name = function.name();
    let mut values = Vec::with_capacity(N);
    for at in 0..N {
        match it.number(arguments, at)? {
            Val::Undef => return Ok(Some(Val::Undef)),
            value @ (Val::Int(_) | Val::Term(_)) => values.push(value),
            _ => return Err(it.unsupported(&format!("{name} of values that are long or vectors"))),
        }
    }
    if !it.rounds_to_nearest() {
        return Err(it.unsupported(&format!("{name} in another rounding mode")));
    }
    let width = width_of(call, 0);
    if width != Width::W32 && width != Width::W64 {
        return Err(it.unsupported(&format!("{name} of a long number")));
    }
    let known: Option<Vec<u64>> = values.iter().map(Val::as_int).collect();
    let res = match known {
        Some(known) => {
            let mut numbers = [0; N];
            numbers.copy_from_slice(&known);
            let res = match width.bits() {
                32 => u64::from(on_floats(numbers.map(|it| f32::from_bits(it as u32))).to_bits()),
                _ => on_doubles(numbers.map(f64::from_bits)).to_bits(),
            };
            it.ctx.terms.bv_u64(width, res)
        }
        None => {
            let arguments: Rc<[Term]> = values.iter().map(|value| it.term(value, width)).collect();
            within_bounds(it, function, arguments, width)?
        }
    };
    let arguments: Vec<Term> = values.iter().map(|value| it.term(value, width)).collect();
    it.check_float(&arguments, res, name)?;
    report(it, function, &arguments, res);
    Ok(Some(it.of_term(res)))
}

/// Any number that the function may return: the same one where it has been given the same.
fn within_bounds(it: &mut Machine<'_, '_>, function: Function, arguments: Rc<[Term]>, width: Width) -> Flow<Term> {
    for &argument in arguments.iter() {
        it.require_defined(argument, "an argument of a function of math.h")?;
    }
    let name = function.name();
    let key: Arc<str> = format!("{name} of {} bits", width.bits()).into();
    let before: Vec<Application> = it.state.process.applied.to_vec().into_iter().filter(|it| it.name == key).collect();
    if let Some(before) = before.iter().find(|it| it.arguments == arguments) {
        return Ok(before.result);
    }
    // The symbol counts when nothing is asked any more: until then this call may be executed again.
    let res = it.next_any(name, width.bits());
    let terms = it.ctx.terms;
    let bounds = Bounds { terms, format: format_of(width.bits()) };
    let mut facts = vec![bounds.of(function, &arguments, res)];
    for before in &before {
        let pairs = before.arguments.iter().zip(arguments.iter());
        facts.push(terms.implies(terms.and_all(pairs.map(|(a, b)| terms.eq(*a, *b))), terms.eq(before.result, res)));
    }
    it.assume(terms.and_all(facts))?;
    it.note(MATH_VALUES, &format!("{name} of a symbolic number is any number within its bounds"), false);
    it.state.called_unknown = true;
    it.state.fresh += 1;
    it.state.process.applied.push(Application { name: key, arguments, result: res });
    Ok(res)
}

/// Sets `errno` as glibc does: where the domain has no result, and where the result has no finite number. Whether a result
/// that is too small for a normal number sets it, nobody says.
fn report(it: &mut Machine<'_, '_>, function: Function, arguments: &[Term], res: Term) {
    let terms = it.ctx.terms;
    let format = format_of(terms.width(res).bits());
    let none = terms.or_all(arguments.iter().map(|it| floats::is_nan(terms, *it)));
    let not_finite = terms.or_all(arguments.iter().map(|it| terms.float_is_not_finite(format, *it)));
    let domain = terms.and(floats::is_nan(terms, res), terms.not(none));
    let range = terms.and(terms.float_is_infinite(format, res), terms.not(not_finite));
    it.set_errno(domain, EDOM);
    it.set_errno(range, ERANGE);
    let small = terms.or(terms.float_is_subnormal(format, res), terms.float_is_zero(format, res));
    let small = terms.and(small, function.is_rounded_to_zero(terms, format, arguments));
    if terms.as_bool(small) == Some(false) {
        return;
    }
    // Of a result that is made up another note tells.
    if terms.as_bv(res).is_some() {
        let what = format!("whether {} sets errno for a result that is too small is open", function.name());
        it.note(MATH_ERRNO, &what, false);
    }
    it.state.called_unknown = true;
    let reported = it.any("errno", 8);
    let terms = it.ctx.terms;
    let reported = terms.eq(terms.bv_extract(0, 0, reported), terms.bv_u64(Width::W1, 1));
    it.set_errno(terms.and(small, reported), ERANGE);
}
