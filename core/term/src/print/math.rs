//! Mathematical notation, with the user's names and no more parentheses than needed.
//!
//! Knows: precedence. Extensions of bitvectors are not shown, since they keep the number; a comparison of numbers
//! without sign is marked (`<ᵤ`), since it may not be what a reader expects.
//! Comparisons are written as a person would (`compare`).

mod absolute;
mod compare;
mod floats;

pub use absolute::absolute;
pub use compare::is_between;
pub(super) use compare::is_turned;
pub(super) use floats::float_format;

use crate::float::FloatOp;
use crate::node::{BvOp, Monomial, Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use compare::Order;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Longer formulas are cut: nobody reads them, and shared terms can unfold to any length.
const MOST_BYTES: usize = 160;

/// Deeper ones likewise.
const MOST_DEPTH: u32 = 200;

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    Quantifier,
    Or,
    And,
    /// Bits of machine integers: as in C they bind less than comparisons.
    Bits,
    Comparison,
    Sum,
    /// A quotient or remainder, which stands in parentheses in a product.
    Quotient,
    Product,
    Prefix,
    Atom,
}

/// The mathematical notation of a term, with the user's names.
pub fn math(terms: &Terms, term: Term) -> String {
    let mut printer = Printer { terms, text: String::new(), depth: 0 };
    printer.term(term, Level::Quantifier);
    printer.text
}

struct Printer<'a> {
    terms: &'a Terms,
    text: String,
    depth: u32,
}

impl<'a> Printer<'a> {
    fn term(&mut self, term: Term, outer: Level) {
        if self.depth >= MOST_DEPTH || self.text.len() >= MOST_BYTES {
            self.text.push('…');
            return;
        }
        self.depth += 1;
        let level = self.level(term);
        if level < outer {
            self.text.push('(');
            self.bare(term);
            self.text.push(')');
        } else {
            self.bare(term);
        }
        self.depth -= 1;
    }

    fn level(&self, term: Term) -> Level {
        match self.terms.node(term) {
            Node::Bool(_)
            | Node::Symbol(_)
            | Node::Apply(..)
            | Node::Select(..)
            | Node::Store(..)
            | Node::Extract { .. } => Level::Atom,
            Node::BitVec(value) if value.to_bigint_signed().is_negative() => Level::Prefix,
            Node::Int(value) if value.is_negative() => Level::Prefix,
            Node::Real(value) if value.is_negative() => Level::Prefix,
            Node::Real(value) if !value.is_integer() => Level::Product,
            Node::BitVec(_) | Node::Int(_) | Node::Real(_) | Node::ConstArray(..) | Node::Ite(..) => Level::Atom,
            Node::Not(inner) => match self.terms.node(*inner) {
                Node::Eq(..) | Node::Ult(..) | Node::Slt(..) | Node::IntLe(..) | Node::RealLe(..) => Level::Comparison,
                Node::Float(it) if matches!(it.op, FloatOp::Equal(_)) => Level::Comparison,
                Node::And(args) if compare::between(self.terms, args).is_some() => Level::Or,
                _ => Level::Prefix,
            },
            Node::And(args) if compare::between(self.terms, args).is_some() => Level::Comparison,
            Node::And(_) => Level::And,
            Node::Or(_) => Level::Or,
            Node::Eq(..) | Node::Ult(..) | Node::Slt(..) | Node::IntLe(..) | Node::RealLe(..) => Level::Comparison,
            Node::Float(it) => self.float_level(it),
            Node::BvSum(sum) => match &sum.summands[..] {
                [(factor, _)] if sum.constant.is_zero() => {
                    if factor.is_one() {
                        Level::Atom
                    } else {
                        Level::Product
                    }
                }
                _ => Level::Sum,
            },
            Node::IntPoly(poly) if poly.constant.is_zero() && poly.monomials.len() == 1 => Level::Product,
            Node::RealPoly(poly) if poly.constant.is_zero() && poly.monomials.len() == 1 => Level::Product,
            Node::IntPoly(_) | Node::RealPoly(_) => Level::Sum,
            Node::Bv(..)
            | Node::IntQuot(..)
            | Node::IntRem(..)
            | Node::IntDiv(..)
            | Node::IntMod(..)
            | Node::RealDiv(..) => Level::Product,
            Node::IntPow(..) | Node::BvNot(_) => Level::Prefix,
            Node::Concat(..) => Level::Product,
            Node::ZeroExtend(_, a) | Node::SignExtend(_, a) | Node::IntToReal(a) => self.level(*a),
            Node::Quantifier(_) => Level::Quantifier,
        }
    }

    fn infix(&mut self, a: Term, op: &str, b: Term, level: Level) {
        self.term(a, level);
        self.text.push_str(op);
        self.term(b, next(level));
    }

    fn list(&mut self, args: &[Term], separator: &str, level: Level) {
        for (at, &arg) in args.iter().enumerate() {
            if at > 0 {
                self.text.push_str(separator);
            }
            self.term(arg, level);
        }
    }

    fn bare(&mut self, term: Term) {
        let terms = self.terms;
        match terms.node(term) {
            Node::Bool(value) => self.text.push_str(if *value { "true" } else { "false" }),
            Node::BitVec(value) => self.number(&value.to_bigint_signed()),
            Node::Int(value) => self.number(value),
            Node::Real(value) => self.fraction(value),
            Node::Symbol(symbol) => {
                // A field as a whole: `f`; the elements of arrays by reference: `int[]`.
                let name = &*terms.symbol_info(*symbol).name;
                let field = if matches!(terms.sort(term), Sort::Array(_)) { name.strip_prefix('.') } else { None };
                match field.and_then(|it| it.strip_prefix("[]")) {
                    Some(elements) if elements.ends_with("[]") => self.text.push_str(elements),
                    Some(elements) => self.text.push_str(&format!("{elements}[]")),
                    None => self.text.push_str(field.unwrap_or(name)),
                }
            }
            Node::Not(inner) => self.negation(*inner),
            Node::And(args) => match compare::between(terms, args) {
                Some(between) => self.within(&between),
                None => self.list(args, " ∧ ", next(Level::And)),
            },
            Node::Or(args) => self.list(args, " ∨ ", next(Level::Or)),
            Node::Eq(a, b) => self.equation(*a, " = ", *b),
            Node::Ite(cond, then, other) => {
                if let Some(of) = absolute(terms, *cond, *then, *other) {
                    self.text.push_str("abs(");
                    self.term(of, Level::Quantifier);
                    return self.text.push(')');
                }
                self.text.push('(');
                self.term(*cond, next(Level::Quantifier));
                self.text.push_str(" ? ");
                self.term(*then, next(Level::Quantifier));
                self.text.push_str(" : ");
                self.term(*other, next(Level::Quantifier));
                self.text.push(')');
            }
            Node::Ult(a, b) => self.ordered(*a, *b, Order::of("<ᵤ")),
            Node::Slt(a, b) => self.ordered(*a, *b, Order::of("<")),
            Node::IntLe(a, b) => self.integers(*a, *b, false),
            Node::RealLe(a, b) => self.ordered(*a, *b, Order::of("≤")),
            Node::Float(it) => self.float(it),
            Node::BvSum(sum) => {
                let mut parts: Vec<(BigRational, String)> = Vec::new();
                for (factor, it) in &sum.summands {
                    parts.push((factor.to_bigint_signed().into(), self.nested(*it, Level::Product)));
                }
                self.sum(&parts, &sum.constant.to_bigint_signed().into());
            }
            Node::IntPoly(poly) => {
                let parts: Vec<(BigRational, String)> =
                    poly.monomials.iter().map(|(k, it)| (k.clone().into(), self.product(it))).collect();
                self.sum(&parts, &poly.constant.clone().into());
            }
            Node::RealPoly(poly) => {
                let parts: Vec<(BigRational, String)> =
                    poly.monomials.iter().map(|(k, it)| (k.clone(), self.product(it))).collect();
                self.sum(&parts, &poly.constant);
            }
            Node::Bv(op, a, b) => {
                let op = match op {
                    BvOp::Mul => "·",
                    BvOp::UDiv => " /ᵤ ",
                    BvOp::URem => " modᵤ ",
                    BvOp::SDiv => " / ",
                    BvOp::SRem => " mod ",
                    BvOp::And => " & ",
                    BvOp::Or => " | ",
                    BvOp::Xor => " ^ ",
                    BvOp::Shl => " << ",
                    BvOp::LShr => " >>ᵤ ",
                    BvOp::AShr => " >> ",
                };
                self.infix(*a, op, *b, Level::Product);
            }
            Node::IntQuot(a, b) | Node::RealDiv(a, b) => self.infix(*a, "/", *b, Level::Product),
            Node::IntRem(a, b) => self.infix(*a, " rem ", *b, Level::Product),
            Node::IntDiv(a, b) => self.infix(*a, " div ", *b, Level::Product),
            Node::IntMod(a, b) => self.infix(*a, " mod ", *b, Level::Product),
            Node::IntPow(a, b) => {
                self.term(*a, Level::Atom);
                self.text.push_str("**");
                self.term(*b, Level::Atom);
            }
            Node::BvNot(a) => {
                self.text.push('~');
                self.term(*a, Level::Atom);
            }
            Node::Extract { high, low, arg } => {
                self.term(*arg, Level::Atom);
                self.text.push_str(&format!("⟨{high}:{low}⟩"));
            }
            Node::Concat(a, b) => self.infix(*a, " ∥ ", *b, Level::Product),
            Node::ZeroExtend(_, a) | Node::SignExtend(_, a) | Node::IntToReal(a) => self.bare(*a),
            Node::Select(a, index) if self.field(*a).is_some() => {
                let name = self.field(*a).unwrap_or_default();
                self.term(*index, Level::Atom);
                self.text.push_str(name);
            }
            Node::Select(a, index) => {
                self.term(*a, Level::Atom);
                self.text.push('[');
                self.term(*index, Level::Quantifier);
                self.text.push(']');
            }
            Node::Store(a, index, element) => {
                self.term(*a, Level::Atom);
                self.text.push('[');
                self.term(*index, Level::Quantifier);
                self.text.push_str(" := ");
                self.term(*element, Level::Quantifier);
                self.text.push(']');
            }
            Node::ConstArray(_, element) => {
                self.text.push_str("[… := ");
                self.term(*element, Level::Quantifier);
                self.text.push(']');
            }
            Node::Apply(function, args) => {
                self.text.push_str(&terms.function_info(*function).name);
                self.text.push('(');
                self.list(args, ", ", Level::Quantifier);
                self.text.push(')');
            }
            Node::Quantifier(quantified) => {
                self.text.push(if quantified.universal { '∀' } else { '∃' });
                let names: Vec<&str> = quantified.variables.iter().map(|&it| &*terms.symbol_info(it).name).collect();
                self.text.push_str(&names.join(", "));
                self.text.push_str(". ");
                self.term(quantified.body, Level::Quantifier);
            }
        }
    }

    /// What is printed behind an object for an array that is a field: its symbol begins with a dot (`.f`, so that
    /// `.f` at `e` is `e.f`). The elements of arrays by reference begin with `.[]`; nothing is printed for them.
    fn field(&self, array: Term) -> Option<&'a str> {
        let terms = self.terms;
        let Node::Symbol(symbol) = *terms.node(array) else { return None };
        let name = &*terms.symbol_info(symbol).name;
        if name.starts_with(".[]") { Some("") } else { name.starts_with('.').then_some(name) }
    }

    fn number(&mut self, value: &BigInt) {
        if value.is_negative() {
            self.text.push('−');
        }
        self.text.push_str(&value.abs().to_string());
    }

    fn fraction(&mut self, value: &BigRational) {
        self.number(value.numer());
        if !value.is_integer() {
            self.text.push_str(&format!("/{}", value.denom()));
        }
    }

    fn product(&mut self, monomial: &Monomial) -> String {
        let mut res = Vec::new();
        for &(it, exponent) in monomial.iter() {
            let mut factor = self.nested(it, Level::Prefix);
            if exponent > 1 {
                factor.push_str(&superscript(exponent));
            }
            res.push(factor);
        }
        res.join("·")
    }

    fn nested(&mut self, term: Term, level: Level) -> String {
        let before = std::mem::take(&mut self.text);
        self.term(term, level);
        std::mem::replace(&mut self.text, before)
    }

    /// A sum: what is added before what is taken away, signs between them.
    fn sum(&mut self, parts: &[(BigRational, String)], constant: &BigRational) {
        let added = parts.iter().filter(|it| !it.0.is_negative());
        let ordered = added.chain(parts.iter().filter(|it| it.0.is_negative()));
        // `3 − x` where nothing else is added.
        let first = constant.is_positive() && !parts.is_empty() && parts.iter().all(|it| it.0.is_negative());
        if first {
            self.fraction(constant);
        }
        for (at, (factor, text)) in ordered.enumerate() {
            self.sign(at == 0 && !first, factor.is_negative());
            if !factor.abs().is_one() {
                self.fraction(&factor.abs());
                self.text.push('·');
            }
            self.text.push_str(text);
        }
        if !constant.is_zero() && !first {
            self.sign(parts.is_empty(), constant.is_negative());
            self.fraction(&constant.abs());
        }
    }

    fn sign(&mut self, first: bool, negative: bool) {
        self.text.push_str(match (first, negative) {
            (true, false) => "",
            (true, true) => "−",
            (false, false) => " + ",
            (false, true) => " − ",
        });
    }
}

pub(super) fn next(level: Level) -> Level {
    match level {
        Level::Quantifier => Level::Or,
        Level::Or => Level::And,
        Level::And | Level::Bits => Level::Comparison,
        Level::Comparison => Level::Sum,
        Level::Sum | Level::Quotient => Level::Product,
        Level::Product => Level::Prefix,
        Level::Prefix | Level::Atom => Level::Atom,
    }
}

fn superscript(exponent: u32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    exponent.to_string().bytes().map(|it| digits[usize::from(it - b'0')]).collect()
}
