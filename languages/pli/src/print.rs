//! Formulas in the notation of the language: what is printed can be typed again.
//!
//! Knows: precedence, and in which of two equal forms the program wrote a bound (`X > 5` or `X ≥ 6`).
//! Never: where a formula comes from.

use effigy_term::plain::{Fact, by_cases, facts};
use effigy_term::print::{absolute, is_between};
use effigy_term::{Node, Polynomial, SymbolKind, Term, Terms};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

/// Longer formulas are cut: shared terms can unfold to any length.
const MOST_BYTES: usize = 4000;

/// Formulas that are nested deeper are cut, too.
const MOST_DEPTH: u32 = 100;

/// How `a ≤ c` with a constant was written first: `true` for `a < c + 1` (and its negation for `a ≥ c + 1`).
pub(crate) type Forms = FxHashMap<Term, bool>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Implies,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Prefix,
    Atom,
}

/// The notation of a term, conditional values without what their own conditions decide.
pub(crate) fn show(terms: &Terms, forms: &Forms, term: Term) -> String {
    show_as_is(terms, forms, by_cases(terms, term))
}

/// The notation of a term.
pub(crate) fn show_as_is(terms: &Terms, forms: &Forms, term: Term) -> String {
    let mut printer = Printer { terms, forms, text: String::new(), depth: 0 };
    printer.term(term, Level::Implies);
    printer.text
}

struct Printer<'a> {
    terms: &'a Terms,
    forms: &'a Forms,
    text: String,
    depth: u32,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn term(&mut self, term: Term, outer: Level) {
        if self.depth >= MOST_DEPTH || self.text.len() >= MOST_BYTES {
            return self.push("…");
        }
        self.depth += 1;
        let open = self.level(term) < outer;
        if open {
            self.push("(");
        }
        self.bare(term);
        if open {
            self.push(")");
        }
        self.depth -= 1;
    }

    fn level(&self, term: Term) -> Level {
        match self.terms.node(term) {
            Node::Int(value) if value.is_negative() => Level::Sum,
            Node::And(_) => Level::And,
            Node::Or(args) if implication(self.terms, args).is_some() => Level::Implies,
            Node::Or(_) => Level::Or,
            Node::Eq(..) | Node::IntLe(..) => Level::Comparison,
            Node::Not(inner) => match self.terms.node(*inner) {
                Node::Eq(..) | Node::IntLe(..) => Level::Comparison,
                _ => Level::Prefix,
            },
            Node::IntPoly(poly) => match &poly.monomials[..] {
                [(factor, monomial)] if poly.constant.is_zero() && factor.is_positive() => {
                    if factor.is_one() && monomial.len() == 1 { Level::Prefix } else { Level::Product }
                }
                _ => Level::Sum,
            },
            Node::IntQuot(..) | Node::IntDiv(..) => Level::Product,
            Node::IntPow(..) => Level::Prefix,
            _ => Level::Atom,
        }
    }

    fn list(&mut self, args: &[Term], separator: &str, level: Level) {
        for (at, &arg) in args.iter().enumerate() {
            if at > 0 {
                self.push(separator);
            }
            self.term(arg, level);
        }
    }

    fn infix(&mut self, a: Term, op: &str, b: Term, left: Level, right: Level) {
        self.term(a, left);
        self.push(op);
        self.term(b, right);
    }

    fn call(&mut self, name: &str, args: &[Term]) {
        self.push(name);
        self.push("(");
        self.list(args, ", ", Level::Implies);
        self.push(")");
    }

    fn bare(&mut self, term: Term) {
        let terms = self.terms;
        match terms.node(term) {
            Node::Bool(value) => self.push(if *value { "true" } else { "false" }),
            Node::Int(value) => self.push(&value.to_string()),
            Node::Symbol(symbol) => {
                let info = terms.symbol_info(*symbol);
                let bare = info.kind == SymbolKind::Bound
                    || info.name.starts_with('α')
                    || info.name.contains('(')
                    || matches!(info.sort, effigy_term::Sort::Array(_));
                if bare {
                    self.push(&info.name);
                } else {
                    self.push(&format!("\"{}\"", info.name));
                }
            }
            Node::Not(inner) => match *terms.node(*inner) {
                Node::Eq(a, b) => self.infix(a, " ≠ ", b, Level::Sum, Level::Sum),
                Node::IntLe(a, b) => self.order(*inner, a, b, true),
                _ => {
                    self.push("¬");
                    self.term(*inner, Level::Atom);
                }
            },
            Node::And(args) => {
                let mut args = args.to_vec();
                // The lower of two bounds stands first.
                if let &[a, b] = &args[..]
                    && is_between(terms, a, b)
                    && facts(terms, a).is_some_and(|it| matches!(it.1[..], [Fact::AtMost(_)]))
                {
                    args.reverse();
                }
                self.list(&args, " & ", Level::Comparison);
            }
            Node::Or(args) => match implication(terms, args) {
                Some((guard, goals)) => {
                    self.list(&guard, " & ", Level::Comparison);
                    self.push(" ⊃ ");
                    self.list(&goals, " | ", Level::And);
                }
                None => self.list(args, " | ", Level::And),
            },
            Node::Eq(a, b) => self.infix(*a, " = ", *b, Level::Sum, Level::Sum),
            Node::IntLe(a, b) => self.order(term, *a, *b, false),
            Node::Ite(cond, then, other) => {
                if let Some(of) = absolute(terms, *cond, *then, *other) {
                    return self.call("ABS", &[of]);
                }
                self.push("(if ");
                self.term(*cond, Level::Implies);
                self.push(" then ");
                self.term(*then, Level::Implies);
                self.push(" else ");
                self.term(*other, Level::Implies);
                self.push(")");
            }
            Node::IntPoly(poly) => self.polynomial(poly),
            Node::IntQuot(a, b) => self.infix(*a, "/", *b, Level::Product, Level::Prefix),
            Node::IntRem(a, b) => self.call("REM", &[*a, *b]),
            Node::IntMod(a, b) => self.call("MOD", &[*a, *b]),
            // The quotient that belongs to MOD, which the language has no name for.
            Node::IntDiv(a, b) => {
                self.push("(");
                self.term(*a, Level::Sum);
                self.push(" - ");
                self.call("MOD", &[*a, *b]);
                self.push(")/");
                self.term(*b, Level::Prefix);
            }
            Node::IntPow(a, b) => self.infix(*a, "**", *b, Level::Atom, Level::Atom),
            Node::Select(array, index) => self.element(*array, *index),
            Node::Store(array, index, value) => {
                self.term(*array, Level::Atom);
                self.push("(");
                self.term(*index, Level::Implies);
                self.push(" ← ");
                self.term(*value, Level::Implies);
                self.push(")");
            }
            Node::ConstArray(_, _) => self.push("?"),
            Node::Apply(function, args) => self.call(&terms.function_info(*function).name, args),
            Node::Quantifier(quantified) => {
                self.push(if quantified.universal { "FORALL " } else { "EXISTS " });
                let names: Vec<&str> = quantified.variables.iter().map(|&it| &*terms.symbol_info(it).name).collect();
                self.push(&names.join(", "));
                self.push(" (");
                self.term(quantified.body, Level::Implies);
                self.push(")");
            }
            // The language has numbers and conditions only.
            _ => self.push(&effigy_term::print::math(terms, term)),
        }
    }

    /// King 1976, section 9: "if i = 1 then x else if i = 3 then y else ...".
    fn element(&mut self, array: Term, index: Term) {
        match *self.terms.node(array) {
            Node::Store(inner, at, value) => {
                self.push("(if ");
                self.infix(index, " = ", at, Level::Sum, Level::Sum);
                self.push(" then ");
                self.term(value, Level::Implies);
                self.push(" else ");
                let rest = self.terms.select(inner, index);
                self.term(rest, Level::Implies);
                self.push(")");
            }
            _ => {
                self.term(array, Level::Atom);
                self.push("(");
                self.term(index, Level::Implies);
                self.push(")");
            }
        }
    }

    /// `a ≤ b`, or its negation.
    fn order(&mut self, atom: Term, a: Term, b: Term, negated: bool) {
        let terms = self.terms;
        let below = |strict: bool| match (negated, strict) {
            (false, false) => " ≤ ",
            (false, true) => " < ",
            (true, false) => " > ",
            (true, true) => " ≥ ",
        };
        if let Some(bound) = terms.as_int(b) {
            let strict = self.forms.get(&atom).copied().unwrap_or(false);
            let bound = terms.int(if strict { bound + 1 } else { bound.clone() });
            return self.infix(a, below(strict), bound, Level::Sum, Level::Sum);
        }
        // a' + 1 ≤ b is a' < b.
        let one = match terms.node(a) {
            Node::IntPoly(poly) => poly.constant.is_one(),
            _ => false,
        };
        let a = if one { terms.int_sub(a, terms.int(1)) } else { a };
        self.infix(a, below(one), b, Level::Sum, Level::Sum);
    }

    fn polynomial(&mut self, poly: &Polynomial) {
        let constant = &poly.constant;
        // `3 - X`, not `-X + 3`.
        let constant_first = constant.is_positive() && poly.monomials.iter().all(|it| it.0.is_negative());
        let mut first = true;
        if constant_first {
            self.summand(&mut first, constant, &[]);
        }
        for (factor, monomial) in &poly.monomials {
            self.summand(&mut first, factor, monomial);
        }
        if !constant_first && !constant.is_zero() {
            self.summand(&mut first, constant, &[]);
        }
    }

    fn summand(&mut self, first: &mut bool, factor: &BigInt, monomial: &[(Term, u32)]) {
        self.push(match (std::mem::take(first), factor.is_negative()) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        let factor = factor.abs();
        if monomial.is_empty() || !factor.is_one() {
            self.push(&factor.to_string());
        }
        for (at, &(term, exponent)) in monomial.iter().enumerate() {
            if at > 0 || !factor.is_one() {
                self.push("*");
            }
            // `3*(N/2)`: as a factor among others, a quotient stands in parentheses.
            let alone = factor.is_one() && monomial.len() == 1;
            self.term(
                term,
                if exponent > 1 {
                    Level::Atom
                } else if alone {
                    Level::Product
                } else {
                    Level::Prefix
                },
            );
            if exponent > 1 {
                self.push(&format!("**{exponent}"));
            }
        }
    }
}

/// A disjunction with the negation of a conjunction in it, or with one side that is not negated, is an implication.
fn implication(terms: &Terms, args: &[Term]) -> Option<(Vec<Term>, Vec<Term>)> {
    // Where a number is not: `α₁ ≤ 0 | α₁ > 10`.
    let about = |it: Term| facts(terms, it).map(|it| it.0);
    if let Some(sum) = about(args[0])
        && args.iter().all(|&it| about(it) == Some(sum))
    {
        return None;
    }
    let conjunction = |it: Term| match terms.node(it) {
        Node::Not(inner) => match terms.node(*inner) {
            Node::And(parts) => Some(parts.to_vec()),
            _ => None,
        },
        _ => None,
    };
    if let Some((at, guard)) = args.iter().enumerate().find_map(|(at, it)| conjunction(*it).map(|guard| (at, guard))) {
        let goals = args.iter().enumerate().filter(|it| it.0 != at).map(|it| *it.1).collect();
        return Some((guard, goals));
    }
    let (guard, goals): (Vec<Term>, Vec<Term>) = args.iter().partition(|it| matches!(terms.node(**it), Node::Not(_)));
    (goals.len() == 1 && !guard.is_empty()).then(|| (guard.into_iter().map(|it| terms.not(it)).collect(), goals))
}
