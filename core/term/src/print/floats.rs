//! Operations on floats in SMT-LIB 2.
//!
//! Knows: that a float is a bitvector here and a sort of its own there. Never: what is shared.
//! Source: SMT-LIB 2.6, theory FloatingPoint; `fp.to_ieee_bv`, the bits of a number, is an extension of z3's.

use crate::bv::BvValue;
use crate::float::{FloatOp, Format, Rounding};

/// The text of an operation with arguments that are bitvectors; `mode` is its rounding mode, where that is known.
pub(super) fn shape(op: FloatOp, arguments: &[String], mode: Option<&BvValue>) -> String {
    let mode = match (op.rounds(), mode) {
        (false, _) => String::new(),
        (true, Some(mode)) => Rounding::of_number(mode).smtlib().to_owned(),
        (true, None) => any_mode(&arguments[0]),
    };
    let rest = &arguments[usize::from(op.rounds())..];
    let float = |at: usize| {
        let format = op.argument_format().unwrap_or(Format::DOUBLE);
        format!("({} {})", to_float(format), rest[at])
    };
    let compared = |name: &str| format!("({name} {} {})", float(0), float(1));
    match op {
        FloatOp::Add(it) => bits(it, &format!("(fp.add {mode} {} {})", float(0), float(1))),
        FloatOp::Mul(it) => bits(it, &format!("(fp.mul {mode} {} {})", float(0), float(1))),
        FloatOp::Div(it) => bits(it, &format!("(fp.div {mode} {} {})", float(0), float(1))),
        FloatOp::MulAdd(it) => bits(it, &format!("(fp.fma {mode} {} {} {})", float(0), float(1), float(2))),
        FloatOp::Sqrt(it) => bits(it, &format!("(fp.sqrt {mode} {})", float(0))),
        FloatOp::RoundToIntegral(it) => bits(it, &format!("(fp.roundToIntegral {mode} {})", float(0))),
        FloatOp::Remainder(it) => bits(it, &compared("fp.rem")),
        FloatOp::Modulo(it) => bits(it, &modulo(&float(0), &float(1))),
        FloatOp::Less(_) => compared("fp.lt"),
        FloatOp::LessOrEqual(_) => compared("fp.leq"),
        FloatOp::Equal(_) => compared("fp.eq"),
        FloatOp::Convert { to, .. } => bits(to, &format!("({} {mode} {})", to_float(to), float(0))),
        FloatOp::FromInteger { signed: true, to, .. } => bits(to, &format!("({} {mode} {})", to_float(to), rest[0])),
        FloatOp::FromInteger { signed: false, to, .. } => {
            let (exponent, significand) = (to.exponent_bits(), to.significand_bits());
            bits(to, &format!("((_ to_fp_unsigned {exponent} {significand}) {mode} {})", rest[0]))
        }
        FloatOp::ToInteger { signed, from, to } => {
            let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
            let (fits, width) = (fits(signed, from, to.bits()), to.bits());
            format!(
                "(let ((r (fp.roundToIntegral {mode} {}))) (ite {fits} ((_ {name} {width}) RTZ r) (_ bv0 {width})))",
                float(0)
            )
        }
    }
}

fn to_float(format: Format) -> String {
    format!("(_ to_fp {} {})", format.exponent_bits(), format.significand_bits())
}

/// The bits of a float, those of the one NaN that operations make where it is none.
fn bits(format: Format, float: &str) -> String {
    let (nan, width) = (format.nan(), format.width().bits());
    format!("(let ((r {float})) (ite (fp.isNaN r) (_ bv{nan} {width}) (fp.to_ieee_bv r)))")
}

/// `fmod` from the remainder of the nearest quotient: what has another sign than the dividend is a divisor too small.
fn modulo(a: &str, b: &str) -> String {
    format!(
        "(let ((x {a}) (y {b})) (let ((m (fp.rem x y))) \
         (ite (fp.isZero m) (ite (fp.isNegative x) (fp.neg (fp.abs m)) (fp.abs m)) \
         (ite (= (fp.isNegative m) (fp.isNegative x)) m \
         (fp.add RNE m (ite (fp.isNegative x) (fp.neg (fp.abs y)) (fp.abs y)))))))"
    )
}

/// Whether the integral float `r` is an integer of this width.
fn fits(signed: bool, from: Format, width: u32) -> String {
    let power = |exponent: u32| {
        let bits = format!("#b0{}{}", biased(from, exponent), "0".repeat(from.fraction_bits() as usize));
        format!("({} {bits})", to_float(from))
    };
    let magnitude = if signed { width - 1 } else { width };
    let is_number = "(not (fp.isNaN r)) (not (fp.isInfinite r))";
    let zero = format!("(_ +zero {} {})", from.exponent_bits(), from.significand_bits());
    if i64::from(magnitude) > from.bias() {
        let low = if signed { String::new() } else { format!(" (fp.leq {zero} r)") };
        return format!("(and {is_number}{low})");
    }
    let low = if signed { format!("(fp.leq (fp.neg {}) r)", power(magnitude)) } else { format!("(fp.leq {zero} r)") };
    format!("(and {is_number} {low} (fp.lt r {}))", power(magnitude))
}

/// The stored exponent of a power of two, as binary digits.
fn biased(format: Format, exponent: u32) -> String {
    let stored = format.bias() + i64::from(exponent);
    format!("{stored:0width$b}", width = format.exponent_bits() as usize)
}

/// The mode of a number that is not known.
fn any_mode(number: &str) -> String {
    let (last, others) = Rounding::ALL.split_last().expect("there are modes");
    others.iter().rev().fold(last.smtlib().to_owned(), |res, it| {
        format!("(ite (= {number} (_ bv{} {})) {} {res})", it.number(), Rounding::WIDTH.bits(), it.smtlib())
    })
}
