//! Names in SMT-LIB 2: of symbols, functions and sorts.
//!
//! Knows: what a quoted name may hold. Never: terms.

use crate::sort::{Sort, SortName};
use crate::symbol::{FunctionSymbol, Symbol};
use crate::terms::Terms;
use std::fmt::Write;

/// The name of the function that is declared for powers.
pub(super) const POWER: &str = "int.pow";

/// A name between bars; what bars cannot hold is spelled as code points.
fn quoted(name: &str) -> String {
    let mut res = String::from("|");
    for c in name.chars() {
        match c {
            '|' | '\\' => {
                let _ = write!(res, "<{:x}>", c as u32);
            }
            c if c.is_ascii_graphic() || c == ' ' => res.push(c),
            c => {
                let _ = write!(res, "<{:x}>", c as u32);
            }
        }
    }
    res.push('|');
    res
}

/// A name as it is where SMT-LIB takes it so, between bars otherwise.
pub(super) fn quoted_if_needed(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    match name.chars().all(is_plain) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        true => name.to_owned(),
        false => quoted(name),
    }
}

/// The name of a symbol in SMT-LIB, which a solver prints in its models: numbered, since two symbols may have one name.
pub fn symbol_name(terms: &Terms, symbol: Symbol) -> String {
    let quoted = quoted(&terms.symbol_info(symbol).name);
    format!("|s{}!{}", symbol.index(), &quoted[1..])
}

/// Numbered too: a sort may be called `Int`.
pub(super) fn uninterpreted_name(terms: &Terms, name: SortName) -> String {
    let quoted = quoted(terms.sort_name(name));
    format!("|u{}!{}", name.0, &quoted[1..])
}

pub(super) fn function_name(terms: &Terms, function: FunctionSymbol) -> String {
    let quoted = quoted(&terms.function_info(function).name);
    format!("|f{}!{}", function.0, &quoted[1..])
}

/// A sort in SMT-LIB.
pub fn sort_text(terms: &Terms, sort: Sort) -> String {
    sort_text_by(terms, sort, &|name| uninterpreted_name(terms, name))
}

/// A sort in SMT-LIB, uninterpreted ones by names of the caller's.
pub fn sort_text_by(terms: &Terms, sort: Sort, named: &dyn Fn(SortName) -> String) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::Real => "Real".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {})", width.bits()),
        Sort::Array(parts) => {
            let (index, element) = terms.array_parts(parts);
            format!("(Array {} {})", sort_text_by(terms, index, named), sort_text_by(terms, element, named))
        }
        Sort::Uninterpreted(name) => named(name),
    }
}
