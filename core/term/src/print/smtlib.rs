//! SMT-LIB 2, with sharing: every node is defined once.
//!
//! Knows: SMT-LIB's notation of each operator. Never: the solver that reads it.
//! Source: The SMT-LIB Standard 2.6; truncated division is spelled out by `ite` and `div`. Powers are an uninterpreted
//! function; who asks adds what it has to know of it.

use super::quantified::{Open, text};
use crate::node::{BvOp, Monomial, Node, Term};
use crate::sort::{Sort, SortName};
use crate::symbol::{Function, Symbol};
use crate::terms::Terms;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The name of the function that is declared for powers.
const POWER: &str = "int.pow";

/// Remembers what it has declared and defined, so that one solver process is told everything once.
#[derive(Debug, Default)]
pub struct SmtPrinter {
    defined: FxHashMap<Term, String>,
    symbols: FxHashSet<Symbol>,
    functions: FxHashSet<Function>,
    sorts: FxHashSet<Sort>,
    powers: bool,
}

impl SmtPrinter {
    /// A printer that has printed nothing.
    pub fn new() -> SmtPrinter {
        SmtPrinter::default()
    }

    /// The number of terms that are defined.
    pub fn len(&self) -> usize {
        self.defined.len()
    }

    /// Whether nothing was defined yet.
    pub fn is_empty(&self) -> bool {
        self.defined.is_empty()
    }

    /// Appends the declarations and definitions that `term` needs and returns the name by which it goes.
    pub fn define(&mut self, terms: &Terms, term: Term, text: &mut String) -> String {
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            if self.defined.contains_key(&next) {
                work.pop();
                continue;
            }
            let node = terms.node(next);
            let before = work.len();
            let mut needed = |it: Term| {
                if !self.defined.contains_key(&it) {
                    work.push(it);
                }
            };
            match node {
                Node::Quantifier(_) => Open::of(terms, next).closed.into_iter().for_each(needed),
                _ => node.for_each_argument(&mut needed),
            }
            if work.len() > before {
                continue;
            }
            let name = self.define_one(terms, next, text);
            self.defined.insert(next, name);
            work.pop();
        }
        self.defined[&term].clone()
    }

    fn define_one(&mut self, terms: &Terms, term: Term, text: &mut String) -> String {
        let body = match terms.node(term) {
            Node::Quantifier(_) => {
                let open = Open::of(terms, term);
                self.declare_below(terms, term, &open, text);
                super::quantified::text(terms, term, &|it| self.defined.get(&it).cloned())
            }
            Node::Symbol(symbol) => {
                self.declare(terms, *symbol, text);
                return symbol_name(terms, *symbol);
            }
            Node::Apply(function, _) => {
                self.declare_function(terms, *function, text);
                shape(terms, term, &mut |it| self.defined[&it].clone())
            }
            Node::IntPow(..) => {
                self.declare_powers(text);
                shape(terms, term, &mut |it| self.defined[&it].clone())
            }
            Node::Bool(_) | Node::BitVec(_) | Node::Int(_) | Node::Real(_) => {
                return shape(terms, term, &mut |_| String::new());
            }
            Node::ConstArray(..) => {
                self.declare_sort(terms, terms.sort(term), text);
                shape(terms, term, &mut |it| self.defined[&it].clone())
            }
            _ => shape(terms, term, &mut |it| self.defined[&it].clone()),
        };
        let name = format!("t!{}", term.index());
        let _ = writeln!(text, "(define-fun {name} () {} {body})", sort_text(terms, terms.sort(term)));
        name
    }

    /// Declares what a quantified formula mentions beside terms that are defined.
    fn declare_below(&mut self, terms: &Terms, term: Term, open: &Open, text: &mut String) {
        for &next in &open.open {
            if let Node::Apply(function, _) = terms.node(next) {
                self.declare_function(terms, *function, text);
            }
            if let Node::IntPow(..) = terms.node(next) {
                self.declare_powers(text);
            }
            self.declare_sort(terms, terms.sort(next), text);
        }
        for &symbol in terms.symbols(term) {
            self.declare(terms, symbol, text);
        }
    }

    fn declare(&mut self, terms: &Terms, symbol: Symbol, text: &mut String) {
        if self.symbols.insert(symbol) {
            let sort = terms.symbol_info(symbol).sort;
            self.declare_sort(terms, sort, text);
            let _ = writeln!(text, "(declare-fun {} () {})", symbol_name(terms, symbol), sort_text(terms, sort));
        }
    }

    fn declare_function(&mut self, terms: &Terms, function: Function, text: &mut String) {
        if self.functions.insert(function) {
            let info = terms.function_info(function);
            info.arguments.iter().chain([&info.result]).for_each(|&it| self.declare_sort(terms, it, text));
            let arguments: Vec<String> = info.arguments.iter().map(|&it| sort_text(terms, it)).collect();
            let result = sort_text(terms, info.result);
            let _ =
                writeln!(text, "(declare-fun {} ({}) {result})", function_name(terms, function), arguments.join(" "));
        }
    }

    fn declare_powers(&mut self, text: &mut String) {
        if !std::mem::replace(&mut self.powers, true) {
            let _ = writeln!(text, "(declare-fun {POWER} (Int Int) Int)");
        }
    }

    fn declare_sort(&mut self, terms: &Terms, sort: Sort, text: &mut String) {
        match sort {
            Sort::Uninterpreted(name) if self.sorts.insert(sort) => {
                let _ = writeln!(text, "(declare-sort {} 0)", uninterpreted_name(terms, name));
            }
            Sort::Array(parts) => {
                let (index, element) = terms.array_parts(parts);
                self.declare_sort(terms, index, text);
                self.declare_sort(terms, element, text);
            }
            _ => {}
        }
    }

    /// The symbols that are declared.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.symbols.iter().copied()
    }
}

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

/// The name of a symbol in SMT-LIB: numbered, since two symbols may have one name.
pub(crate) fn symbol_name(terms: &Terms, symbol: Symbol) -> String {
    let quoted = quoted(&terms.symbol_info(symbol).name);
    format!("|s{}!{}", symbol.index(), &quoted[1..])
}

/// Numbered too: a sort may be called `Int`.
fn uninterpreted_name(terms: &Terms, name: SortName) -> String {
    let quoted = quoted(terms.sort_name(name));
    format!("|u{}!{}", name.0, &quoted[1..])
}

fn function_name(terms: &Terms, function: Function) -> String {
    let quoted = quoted(&terms.function_info(function).name);
    format!("|f{}!{}", function.0, &quoted[1..])
}

/// A sort in SMT-LIB.
pub fn sort_text(terms: &Terms, sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::Real => "Real".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {})", width.bits()),
        Sort::Array(parts) => {
            let (index, element) = terms.array_parts(parts);
            format!("(Array {} {})", sort_text(terms, index), sort_text(terms, element))
        }
        Sort::Uninterpreted(name) => uninterpreted_name(terms, name),
    }
}

/// The text of one node, its arguments written by `of`.
pub(super) fn shape(terms: &Terms, term: Term, of: &mut dyn FnMut(Term) -> String) -> String {
    let constant = |value: &crate::bv::BvValue| format!("(_ bv{value} {})", value.width().bits());
    let int = |value: &num_bigint::BigInt| match value.sign() {
        num_bigint::Sign::Minus => format!("(- {})", value.magnitude()),
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
            let mut res = constant(&sum.constant);
            for (factor, it) in &sum.summands {
                let it = of(*it);
                let part = if factor.is_one() { it } else { format!("(bvmul {} {it})", constant(factor)) };
                res = format!("(bvadd {res} {part})");
            }
            res
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
        Node::Quantifier(_) => text(terms, term, &|_| None),
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

/// The names of symbols as a solver prints them in its models.
pub fn name_of(terms: &Terms, symbol: Symbol) -> String {
    symbol_name(terms, symbol)
}
