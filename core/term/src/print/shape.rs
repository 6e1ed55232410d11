//! One node in SMT-LIB 2, its arguments written by someone else.
//!
//! Knows: SMT-LIB's notation of each operator (those of floats: `floats`). Never: what is shared, what is bound.
//! Source: The SMT-LIB Standard 2.6; truncated division is spelled out by `ite` and `div`. Powers are an uninterpreted
//! function; who asks adds what it has to know of it.

use super::floats;
use super::names::{POWER, function_name, sort_text, symbol_name};
use crate::bv::BvValue;
use crate::node::{BvOp, Monomial, Node, Term};
use crate::terms::Terms;
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// The text of one node, its arguments written by `of`, and so a quantified formula: where it stands says what is bound.
pub(super) fn shape(terms: &Terms, term: Term, of: &mut dyn FnMut(Term) -> String) -> String {
    let constant = |value: &BvValue| format!("(_ bv{value} {})", value.width().bits());
    let int = |value: &BigInt| match value.sign() {
        Sign::Minus => format!("(- {})", value.magnitude()),
        _ => value.to_string(),
    };
    match terms.node(term) {
        Node::Bool(value) => value.to_string(),
        Node::BitVec(value) => constant(value),
        Node::Int(value) => int(value),
        Node::Real(value) => real(value),
        Node::Symbol(symbol) => symbol_name(terms, *symbol),
        &Node::Not(a) => format!("(not {})", of(a)),
        Node::And(args) => format!("(and {})", args.iter().map(|&it| of(it)).collect::<Vec<_>>().join(" ")),
        Node::Or(args) => format!("(or {})", args.iter().map(|&it| of(it)).collect::<Vec<_>>().join(" ")),
        &Node::Eq(a, b) => format!("(= {} {})", of(a), of(b)),
        &Node::Ite(c, a, b) => format!("(ite {} {} {})", of(c), of(a), of(b)),
        Node::BvSum(sum) => {
            let mut parts = Vec::with_capacity(sum.summands.len() + 1);
            for (factor, it) in &sum.summands {
                let it = of(*it);
                parts.push(if factor.is_one() { it } else { format!("(bvmul {} {it})", constant(factor)) });
            }
            if !sum.constant.is_zero() || parts.is_empty() {
                parts.push(constant(&sum.constant));
            }
            parts.into_iter().reduce(|res, part| format!("(bvadd {res} {part})")).unwrap_or_default()
        }
        &Node::Bv(op, a, b) => {
            let name = match op {
                BvOp::Mul => "bvmul",
                BvOp::UDiv => "bvudiv",
                BvOp::URem => "bvurem",
                BvOp::SDiv => "bvsdiv",
                BvOp::SRem => "bvsrem",
                BvOp::And => "bvand",
                BvOp::Or => "bvor",
                BvOp::Xor => "bvxor",
                BvOp::Shl => "bvshl",
                BvOp::LShr => "bvlshr",
                BvOp::AShr => "bvashr",
            };
            format!("({name} {} {})", of(a), of(b))
        }
        &Node::BvNot(a) => format!("(bvnot {})", of(a)),
        &Node::Ult(a, b) => format!("(bvult {} {})", of(a), of(b)),
        &Node::Slt(a, b) => format!("(bvslt {} {})", of(a), of(b)),
        &Node::Extract { high, low, arg } => format!("((_ extract {high} {low}) {})", of(arg)),
        &Node::Concat(a, b) => format!("(concat {} {})", of(a), of(b)),
        &Node::ZeroExtend(width, a) => {
            format!("((_ zero_extend {}) {})", width.bits() - terms.width(a).bits(), of(a))
        }
        &Node::SignExtend(width, a) => {
            format!("((_ sign_extend {}) {})", width.bits() - terms.width(a).bits(), of(a))
        }
        Node::Float(it) => {
            let arguments: Vec<String> = it.arguments.iter().map(|&it| of(it)).collect();
            floats::shape(it.op, &arguments, terms.as_bv(it.arguments[0]))
        }
        Node::IntPoly(poly) => {
            let (constant, parts) = (&poly.constant, &poly.monomials);
            sum(
                parts.iter().map(|(k, it)| ((!k.is_one()).then(|| int(k)), it)),
                (!constant.is_zero()).then(|| int(constant)),
                of,
            )
        }
        &Node::IntLe(a, b) => format!("(<= {} {})", of(a), of(b)),
        &Node::IntQuot(a, b) => {
            let (a, b) = (of(a), of(b));
            format!("(ite (>= {a} 0) (div {a} {b}) (- (div (- {a}) {b})))")
        }
        &Node::IntRem(a, b) => {
            let (a, b) = (of(a), of(b));
            format!("(ite (>= {a} 0) (mod {a} {b}) (- (mod (- {a}) {b})))")
        }
        &Node::IntDiv(a, b) => format!("(div {} {})", of(a), of(b)),
        &Node::IntMod(a, b) => format!("(mod {} {})", of(a), of(b)),
        &Node::IntPow(a, b) => format!("({POWER} {} {})", of(a), of(b)),
        Node::RealPoly(poly) => {
            let (constant, parts) = (&poly.constant, &poly.monomials);
            sum(
                parts.iter().map(|(k, it)| ((!k.is_one()).then(|| real(k)), it)),
                (!constant.is_zero()).then(|| real(constant)),
                of,
            )
        }
        &Node::RealLe(a, b) => format!("(<= {} {})", of(a), of(b)),
        &Node::RealDiv(a, b) => format!("(/ {} {})", of(a), of(b)),
        &Node::IntToReal(a) => format!("(to_real {})", of(a)),
        &Node::Select(a, b) => format!("(select {} {})", of(a), of(b)),
        &Node::Store(a, b, c) => format!("(store {} {} {})", of(a), of(b), of(c)),
        &Node::ConstArray(_, a) => format!("((as const {}) {})", sort_text(terms, terms.sort(term)), of(a)),
        Node::Apply(function, args) => {
            let args: Vec<String> = args.iter().map(|&it| of(it)).collect();
            format!("({} {})", function_name(terms, *function), args.join(" "))
        }
        Node::Quantifier(_) => of(term),
    }
}

/// A fraction as SMT-LIB writes it: `(- (/ 1.0 2.0))`.
fn real(value: &BigRational) -> String {
    let amount = match value.is_integer() {
        true => format!("{}.0", value.numer().magnitude()),
        false => format!("(/ {}.0 {}.0)", value.numer().magnitude(), value.denom()),
    };
    if value.is_negative() { format!("(- {amount})") } else { amount }
}

/// A sum of products; a coefficient of one and a constant of zero are not written.
fn sum<'a>(
    parts: impl Iterator<Item = (Option<String>, &'a Monomial)>,
    constant: Option<String>,
    of: &mut dyn FnMut(Term) -> String,
) -> String {
    let mut summands: Vec<String> = Vec::new();
    for (coefficient, monomial) in parts {
        let mut factors: Vec<String> = coefficient.into_iter().collect();
        for &(it, exponent) in monomial.iter() {
            let it = of(it);
            (0..exponent).for_each(|_| factors.push(it.clone()));
        }
        summands.push(nested("*", factors));
    }
    summands.extend(constant);
    nested("+", summands)
}

/// An operator on its operands; on one it is nothing.
fn nested(op: &str, mut parts: Vec<String>) -> String {
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => format!("({op} {})", parts.join(" ")),
    }
}
