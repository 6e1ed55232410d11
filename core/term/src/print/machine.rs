//! Machine integers as a programming language writes them: what is printed, read by the rules of that language, is the
//! term.
//!
//! Knows: integer promotion, the usual conversions, where a cast is needed for a text to mean what the term means.
//! Never: sorts other than truth values, bitvectors and arrays of them; those are left to [`math`].
//!
//! The signs are those of mathematics where one exists (`·`, `≤`, `≠`, `∧`); the precedence and the types are the
//! language's. A literal has the type that the language gives it. `low ≤ x ≤ high` says both.
//! Quotients, remainders and shifts mean the term where the language gives them a value: not for a divisor of zero,
//! nor for shifts by the width or more. A sum, product or shift is written as one that must not overflow only where it
//! does not, by the types or by what is known of the path; what wraps is written with operands without sign (C), or as
//! `wrapping_add` (Rust).

mod arithmetic;
mod comparison;
mod path_bounds;
mod polynomial;
mod types;
mod wrapping;

use super::math::{Level, float_format, is_between, is_turned, math, next};
use crate::node::{Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::truth_table::TruthTables;
use num_bigint::BigInt;
use path_bounds::Integers;
pub use path_bounds::PathBounds;
use std::cell::{Cell, RefCell};
use types::{Piece, Type};

/// Longer formulas are cut: nobody reads them, and shared terms can unfold to any length.
const MOST_BYTES: usize = 160;

/// Deeper ones likewise.
const MOST_DEPTH: u32 = 100;

/// By how many bits a value is shifted at most; wider terms are not printed to be read.
const MOST_SHIFTED: u32 = 1 << 12;

/// Whose rules a printed formula follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// C and C++: operands narrower than `int` become `int`, the narrower of two operands becomes as wide as the other,
    /// and of two of one width the one with a sign loses it (C17, 6.3.1).
    C,
    /// Rust: operands have one type, a literal that of the other operand, and nothing is converted without `as`.
    Rust,
}

/// The notation of a term of sort Bool or BitVec, with the user's names, by the rules of `dialect`.
///
/// A symbol of 8, 16, 32, 64 or 128 bits is a variable of that width, with a sign unless
/// [`Terms::set_unsigned`] says otherwise; one of another width is a variable without sign of the next of these.
pub fn machine(terms: &Terms, dialect: Dialect, term: Term) -> String {
    machine_on(terms, dialect, term, &PathBounds::default())
}

/// [`machine`] on a path: what cannot overflow under its condition is written as a sum that does not.
pub fn machine_on(terms: &Terms, dialect: Dialect, term: Term, path: &PathBounds) -> String {
    let tables = TruthTables::new();
    let integers = RefCell::new(Integers::new(terms, &tables, path));
    let mut printer = Printer { terms, dialect, integers, wraps: Cell::new(0), depth: 0, spent: 0 };
    match terms.sort(term) {
        Sort::BitVec(_) => printer.exact(term).text,
        Sort::Bool => printer.truth(term, Level::Quantifier),
        Sort::Array(_) => printer.array(term),
        _ => math(terms, term),
    }
}

struct Printer<'a> {
    terms: &'a Terms,
    dialect: Dialect,
    /// What is known of integers on the path.
    integers: RefCell<Integers<'a>>,
    /// How many operations were written so that they wrap around.
    wraps: Cell<u32>,
    depth: u32,
    /// Bytes of names and literals that were written so far.
    spent: usize,
}

impl Printer<'_> {
    fn is_at_its_end(&self) -> bool {
        self.depth >= MOST_DEPTH || self.spent >= MOST_BYTES
    }

    fn in_parentheses(text: String, level: Level, outer: Level) -> String {
        if level < outer { format!("({text})") } else { text }
    }

    /// A condition.
    fn truth(&mut self, term: Term, outer: Level) -> String {
        if self.is_at_its_end() {
            return "…".to_owned();
        }
        self.depth += 1;
        let (text, level) = self.bare_truth(term);
        self.depth -= 1;
        Self::in_parentheses(text, level, outer)
    }

    fn joined(&mut self, args: &[Term], sign: &str, level: Level) -> (String, Level) {
        let parts: Vec<String> = args.iter().map(|&it| self.truth(it, next(level))).collect();
        (parts.join(sign), level)
    }

    fn bare_truth(&mut self, term: Term) -> (String, Level) {
        let terms = self.terms;
        match *terms.node(term) {
            Node::And(ref args) => match self.between(args) {
                Some(text) => (text, Level::Comparison),
                // Two bounds of an integer.
                None if matches!(args[..], [a, b] if is_between(terms, a, b)) => self.foreign(term),
                None => self.joined(args, " ∧ ", Level::And),
            },
            Node::Or(ref args) => self.joined(args, " ∨ ", Level::Or),
            Node::Eq(a, b) => self.equation(a, b, true),
            Node::Ult(a, b) => (self.ordered(a, b, true, false), Level::Comparison),
            Node::Slt(a, b) => (self.ordered(a, b, true, true), Level::Comparison),
            Node::Not(inner) => match *terms.node(inner) {
                Node::Eq(a, b) => self.equation(a, b, false),
                Node::Ult(b, a) => (self.ordered(a, b, false, false), Level::Comparison),
                Node::Slt(b, a) => (self.ordered(a, b, false, true), Level::Comparison),
                // ¬(low ≤ x ≤ high) is x < low ∨ x > high.
                Node::And(ref args) if matches!(args[..], [a, b] if is_between(terms, a, b)) => {
                    let args = [terms.not(args[0]), terms.not(args[1])];
                    self.joined(&args, " ∨ ", Level::Or)
                }
                Node::And(_) | Node::Or(_) | Node::Ite(..) | Node::Symbol(_) | Node::Select(..) | Node::Not(_) => {
                    (format!("¬{}", self.truth(inner, Level::Atom)), Level::Prefix)
                }
                _ => self.foreign(term),
            },
            Node::Ite(cond, then, other) => {
                let [cond, then, other] = [cond, then, other].map(|it| self.truth(it, Level::Or));
                (format!("({cond} ? {then} : {other})"), Level::Atom)
            }
            Node::Symbol(_) => (self.name(term), Level::Atom),
            Node::Select(array, index) => (self.element(array, index), Level::Atom),
            _ => self.foreign(term),
        }
    }

    /// What is about other sorts, or about anything (a quantifier).
    fn foreign(&mut self, term: Term) -> (String, Level) {
        let text = math(self.terms, term);
        self.spent += text.len();
        let level = match self.terms.node(term) {
            _ if !text.contains(' ') => Level::Atom,
            Node::IntLe(..) | Node::Eq(..) | Node::And(_) | Node::Float(_) => Level::Comparison,
            Node::Not(inner) if matches!(self.terms.node(*inner), Node::IntLe(..) | Node::Eq(..) | Node::Float(_)) => {
                Level::Comparison
            }
            _ => Level::Quantifier,
        };
        (text, level)
    }

    fn name(&mut self, term: Term) -> String {
        let text = match self.terms.node(term) {
            Node::Symbol(symbol) => self.terms.symbol_info(*symbol).name.to_string(),
            _ => math(self.terms, term),
        };
        self.spent += text.len();
        text
    }

    /// `=` (or `≠`): numbers stand to the right, and of two others what came last.
    fn equation(&mut self, a: Term, b: Term, holds: bool) -> (String, Level) {
        let (a, b) = if is_turned(self.terms, a, b) { (b, a) } else { (a, b) };
        let sign = if holds { "=" } else { "≠" };
        match self.terms.sort(a) {
            Sort::BitVec(_) if float_format(self.terms, a).or_else(|| float_format(self.terms, b)).is_some() => {
                let equal = self.terms.eq(a, b);
                self.foreign(if holds { equal } else { self.terms.not(equal) })
            }
            Sort::BitVec(_) => {
                let (a, b) = self.equal_operands(a, b);
                let [a, b] = [a, b].map(|it| it.at(next(Level::Comparison)));
                (format!("{a} {sign} {b}"), Level::Comparison)
            }
            Sort::Bool => {
                let [a, b] = [a, b].map(|it| self.truth(it, next(Level::Comparison)));
                (format!("{a} {sign} {b}"), Level::Comparison)
            }
            Sort::Array(_) => {
                let [a, b] = [a, b].map(|it| self.array(it));
                (format!("{a} {sign} {b}"), Level::Comparison)
            }
            _ => {
                let equal = self.terms.eq(a, b);
                self.foreign(if holds { equal } else { self.terms.not(equal) })
            }
        }
    }

    /// An array as a whole: its name, with what was stored in it.
    fn array(&mut self, term: Term) -> String {
        if self.is_at_its_end() {
            return "…".to_owned();
        }
        self.depth += 1;
        let terms = self.terms;
        let text = match *terms.node(term) {
            Node::Store(array, index, value) => {
                let (array, index) = (self.array(array), self.index(index));
                let value = match terms.sort(value) {
                    Sort::BitVec(_) => self.exact(value).text,
                    _ => self.truth(value, Level::Quantifier),
                };
                format!("{array}[{index} := {value}]")
            }
            Node::ConstArray(_, value) if matches!(terms.sort(value), Sort::BitVec(_)) => {
                format!("[… := {}]", self.exact(value).text)
            }
            Node::Ite(cond, then, other) => {
                let cond = self.truth(cond, Level::Or);
                format!("({cond} ? {} : {})", self.array(then), self.array(other))
            }
            _ => self.name(term),
        };
        self.depth -= 1;
        text
    }

    fn index(&mut self, index: Term) -> String {
        match self.terms.sort(index) {
            Sort::BitVec(_) => self.exact(index).text,
            _ => math(self.terms, index),
        }
    }

    fn element(&mut self, array: Term, index: Term) -> String {
        let index = self.index(index);
        format!("{}[{index}]", self.array(array))
    }

    /// A value whose number the text is, with one sign or the other.
    fn exact(&mut self, term: Term) -> Piece {
        let width = self.terms.width(term).bits();
        let piece = self.value(term);
        match piece.is_exact(width, false) || piece.is_exact(width, true) {
            true => piece,
            false => self.with_sign(piece, width, false),
        }
    }

    /// A bitvector: a text whose value is congruent to the term modulo 2 to the power of its width.
    fn value(&mut self, term: Term) -> Piece {
        let width = self.terms.width(term).bits();
        if self.is_at_its_end() {
            return Piece::of_type("…".to_owned(), Type::of_width(width, false), width);
        }
        self.depth += 1;
        let res = self.bare_value(term, width);
        self.depth -= 1;
        self.with_number(res, term, width)
    }

    /// The piece with the integer that it is, where it is that of the term with one sign or the other.
    fn with_number(&self, mut piece: Piece, term: Term, width: u32) -> Piece {
        let is_exact = |signed| piece.is_exact(width, signed).then_some(signed);
        if piece.number.is_none()
            && let Some(signed) = is_exact(piece.ty.signed).or_else(|| is_exact(!piece.ty.signed))
        {
            piece.number = Some(self.integers.borrow_mut().number(term, signed));
        }
        piece
    }

    fn bare_value(&mut self, term: Term, width: u32) -> Piece {
        let terms = self.terms;
        match *terms.node(term) {
            Node::BitVec(ref value) => self.literal(value.to_bigint_signed()),
            Node::Symbol(symbol) => {
                let unsigned = !Type::is_standard(width) || terms.is_unsigned(symbol);
                let name = self.name(term);
                if terms.is_sign_unknown(symbol) {
                    let ty = Type::of_width(width, false);
                    return self.cast(Piece::of_type(name, ty, width), ty);
                }
                Piece::of_type(name, Type::of_width(width, !unsigned), width)
            }
            Node::Ite(cond, then, other) => self.choice(cond, then, other, width),
            Node::BvSum(ref sum) => self.sum(sum, width),
            Node::Bv(op, a, b) => self.binary(op, a, b, width),
            Node::BvNot(a) => self.complement(a, width),
            Node::Extract { low, arg, .. } => self.extract(low, arg),
            Node::Concat(..) => self.concatenation(term, width),
            Node::ZeroExtend(_, a) => {
                let (piece, width) = (self.value(a), terms.width(a).bits());
                self.with_sign(piece, width, false)
            }
            Node::SignExtend(_, a) => {
                let (piece, width) = (self.value(a), terms.width(a).bits());
                self.with_sign(piece, width, true)
            }
            Node::Select(array, index) => {
                let text = self.element(array, index);
                Piece::of_type(text, Type::of_width(width, false), width)
            }
            Node::Apply(function, ref args) => {
                let args: Vec<String> = args.iter().map(|&it| self.index(it)).collect();
                let name = &terms.function_info(function).name;
                self.spent += name.len();
                Piece::of_type(format!("{name}({})", args.join(", ")), Type::of_width(width, false), width)
            }
            _ => Piece::of_type(self.name(term), Type::of_width(width, false), width),
        }
    }

    fn literal(&mut self, value: BigInt) -> Piece {
        let piece = Piece::literal(value);
        self.spent += piece.text.len();
        piece
    }
}
