//! Sorts and values as SMT-LIB 2 writes them, with the names of the script.
//!
//! Knows: notation. Never: which values a model has.

use crate::scope::Signature;
use crate::typed::{ScriptSort, is_nan};
use crate::words::{is_reserved, is_word};
use effigy_term::float::{Format, Rounding};
use effigy_term::model::FunctionValue;
use effigy_term::value::ArrayValue;
use effigy_term::{BvValue, Terms, Value};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::Signed;

/// A name, between bars where it needs them.
pub(crate) fn name_text(name: &str) -> String {
    let first = name.bytes().next();
    let simple = first.is_some_and(|it| !it.is_ascii_digit()) && name.bytes().all(is_word);
    if simple && !is_reserved(name) { name.to_owned() } else { format!("|{name}|") }
}

/// The sort in the notation of SMT-LIB.
pub(crate) fn sort_text(terms: &Terms, sort: &ScriptSort) -> String {
    match sort {
        ScriptSort::Plain(sort) => {
            effigy_term::print::sort_text_by(terms, *sort, &|name| name_text(terms.sort_name(name)))
        }
        ScriptSort::Float(format) => {
            format!("(_ FloatingPoint {} {})", format.exponent_bits(), format.significand_bits())
        }
        ScriptSort::Rounding => "RoundingMode".to_owned(),
        ScriptSort::Array(_) => match sort.array_parts(terms) {
            Some((index, element)) => format!("(Array {} {})", sort_text(terms, &index), sort_text(terms, &element)),
            None => String::new(),
        },
    }
}

/// A value of a sort.
pub(crate) fn value_text(terms: &Terms, sort: &ScriptSort, value: &Value) -> String {
    match (value, sort) {
        (Value::Bool(it), _) => it.to_string(),
        (Value::BitVec(it), ScriptSort::Float(format)) => float_text(*format, it),
        (Value::BitVec(it), ScriptSort::Rounding) => Rounding::of_number(it).smtlib().to_owned(),
        (Value::BitVec(it), _) => bits_text(it),
        (Value::Int(it), _) => int_text(it),
        (Value::Real(it), _) => real_text(it),
        (Value::Array(it), _) => match sort.array_parts(terms) {
            Some(parts) => array_text(terms, sort, parts, it),
            // A model's values have the sorts of their symbols.
            None => String::new(),
        },
        (Value::Element(it), _) => format!("(as @{it} {})", sort_text(terms, sort)),
    }
}

fn bits_text(value: &BvValue) -> String {
    let width = value.width().bits() as usize;
    let number = value.to_biguint();
    match width % 4 {
        0 => format!("#x{:0>digits$}", number.to_str_radix(16), digits = width / 4),
        _ => format!("#b{:0>width$}", number.to_str_radix(2)),
    }
}

/// The parts of a float, or the name of one that has one.
fn float_text(format: Format, bits: &BvValue) -> String {
    let (exponent, significand) = (format.exponent_bits(), format.significand_bits());
    let negative = bits.bit(format.width().bits() - 1);
    let sign = if negative { '-' } else { '+' };
    if is_nan(format, bits) {
        return format!("(_ NaN {exponent} {significand})");
    }
    for (special, name) in [(format.infinity(negative), "oo"), (format.zero(negative), "zero")] {
        if *bits == special {
            return format!("(_ {sign}{name} {exponent} {significand})");
        }
    }
    let digits = format!("{:0>width$}", bits.to_biguint().to_str_radix(2), width = format.width().bits() as usize);
    let (sign, rest) = digits.split_at(1);
    let (exponent, fraction) = rest.split_at(exponent as usize);
    format!("(fp #b{sign} #b{exponent} #b{fraction})")
}

fn int_text(value: &BigInt) -> String {
    match value.sign() {
        Sign::Minus => format!("(- {})", value.magnitude()),
        _ => value.to_string(),
    }
}

fn real_text(value: &BigRational) -> String {
    let amount = match value.is_integer() {
        true => format!("{}.0", value.numer().magnitude()),
        false => format!("(/ {}.0 {}.0)", value.numer().magnitude(), value.denom()),
    };
    if value.is_negative() { format!("(- {amount})") } else { amount }
}

fn array_text(
    terms: &Terms,
    sort: &ScriptSort,
    (index, element): (ScriptSort, ScriptSort),
    array: &ArrayValue,
) -> String {
    // At other indices nobody looks.
    let entries: Vec<(&Value, &Value)> = array.entries.iter().filter(|it| index.has_value(it.0)).collect();
    let stores: String = entries
        .iter()
        .map(|(at, it)| format!(" {} {})", value_text(terms, &index, at), value_text(terms, &element, it)))
        .collect();
    let default = value_text(terms, &element, &array.default);
    format!("{}((as const {}) {default}){stores}", "(store ".repeat(entries.len()), sort_text(terms, sort))
}

/// The definition of a constant in a model: `(define-fun c () S v)`.
pub(crate) fn constant_text(terms: &Terms, name: &str, sort: &ScriptSort, value: &Value) -> String {
    format!("  (define-fun {} () {} {})\n", name_text(name), sort_text(terms, sort), value_text(terms, sort, value))
}

/// `(define-fun f ((x!1 S)) T (ite (= x!1 v) w d))`
pub(crate) fn function_text(terms: &Terms, name: &str, signature: &Signature, function: &FunctionValue) -> String {
    let parameters: Vec<String> = signature
        .arguments
        .iter()
        .enumerate()
        .map(|(at, sort)| format!("(x!{} {})", at + 1, sort_text(terms, sort)))
        .collect();
    let mut body = String::new();
    let mut open = 0;
    for (arguments, result) in &function.entries {
        // With other arguments nobody asks.
        if !arguments.iter().zip(&signature.arguments).all(|(value, sort)| sort.has_value(value)) {
            continue;
        }
        open += 1;
        let equal: Vec<String> = arguments
            .iter()
            .zip(&signature.arguments)
            .enumerate()
            .map(|(at, (value, sort))| format!("(= x!{} {})", at + 1, value_text(terms, sort, value)))
            .collect();
        let all = if equal.len() == 1 { equal.concat() } else { format!("(and {})", equal.join(" ")) };
        body.push_str(&format!("(ite {all} {} ", value_text(terms, &signature.result, result)));
    }
    body.push_str(&value_text(terms, &signature.result, &function.default));
    body.push_str(&")".repeat(open));
    let result = sort_text(terms, &signature.result);
    format!("  (define-fun {} ({}) {result} {body})\n", name_text(name), parameters.join(" "))
}
