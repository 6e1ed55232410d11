//! Sorts and values as SMT-LIB 2 writes them, with the names of the script.
//!
//! Knows: notation. Never: models.

use crate::words::{is_reserved, is_word};
use effigy_term::model::FunctionValue;
use effigy_term::symbol::FunctionInfo;
use effigy_term::value::ArrayValue;
use effigy_term::{BvValue, Sort, Terms, Value};
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
pub(crate) fn sort_text(terms: &Terms, sort: Sort) -> String {
    effigy_term::print::sort_text_by(terms, sort, &|name| name_text(terms.sort_name(name)))
}

/// A value of a sort.
pub(crate) fn value_text(terms: &Terms, sort: Sort, value: &Value) -> String {
    match (value, sort) {
        (Value::Bool(it), _) => it.to_string(),
        (Value::BitVec(it), _) => bits_text(it),
        (Value::Int(it), _) => int_text(it),
        (Value::Real(it), _) => real_text(it),
        (Value::Array(it), Sort::Array(parts)) => array_text(terms, sort, terms.array_parts(parts), it),
        (Value::Element(it), _) => format!("(as @{it} {})", sort_text(terms, sort)),
        // A model's values have the sorts of their symbols.
        (Value::Array(_), _) => String::new(),
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

fn array_text(terms: &Terms, sort: Sort, (index, element): (Sort, Sort), array: &ArrayValue) -> String {
    let stores: String = array
        .entries
        .iter()
        .map(|(at, it)| format!(" {} {})", value_text(terms, index, at), value_text(terms, element, it)))
        .collect();
    let default = value_text(terms, element, &array.default);
    format!("{}((as const {}) {default}){stores}", "(store ".repeat(array.entries.len()), sort_text(terms, sort))
}

/// The definition of a constant in a model: `(define-fun c () S v)`.
pub(crate) fn constant_text(terms: &Terms, name: &str, sort: Sort, value: &Value) -> String {
    format!("  (define-fun {} () {} {})\n", name_text(name), sort_text(terms, sort), value_text(terms, sort, value))
}

/// `(define-fun f ((x!1 S)) T (ite (= x!1 v) w d))`
pub(crate) fn function_text(terms: &Terms, name: &str, info: &FunctionInfo, function: &FunctionValue) -> String {
    let parameters: Vec<String> = info
        .arguments
        .iter()
        .enumerate()
        .map(|(at, &sort)| format!("(x!{} {})", at + 1, sort_text(terms, sort)))
        .collect();
    let mut body = String::new();
    for (arguments, result) in &function.entries {
        let equal: Vec<String> = arguments
            .iter()
            .zip(&info.arguments)
            .enumerate()
            .map(|(at, (value, &sort))| format!("(= x!{} {})", at + 1, value_text(terms, sort, value)))
            .collect();
        let all = if equal.len() == 1 { equal.concat() } else { format!("(and {})", equal.join(" ")) };
        body.push_str(&format!("(ite {all} {} ", value_text(terms, info.result, result)));
    }
    body.push_str(&value_text(terms, info.result, &function.default));
    body.push_str(&")".repeat(function.entries.len()));
    let result = sort_text(terms, info.result);
    format!("  (define-fun {} ({}) {result} {body})\n", name_text(name), parameters.join(" "))
}
