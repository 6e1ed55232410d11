//! Comparisons of machine integers: which casts make both operands the numbers that are compared.
//!
//! Knows: the type in which a language compares. Never: what is computed.

use super::types::{Piece, resigned};
use super::{Dialect, Level, Printer};
use crate::node::{Node, Term};
use crate::print::math::{is_turned, next};

impl Printer<'_> {
    /// Whether comparing the two texts compares the terms as numbers with this sign.
    fn compares(&self, a: &Piece, b: &Piece, width: u32, signed: bool) -> bool {
        let ty = self.common(a, b);
        let exact = |it: &Piece| it.is_exact(width, signed) && it.is_kept_by(ty);
        let is_right = exact(a) && exact(b) || ty.bits == width && ty.signed == signed;
        is_right && self.is_allowed(a, b)
    }

    /// Whether equality of the two texts is that of the terms.
    fn equates(&self, a: &Piece, b: &Piece, width: u32) -> bool {
        let ty = self.common(a, b);
        let exact = |signed| [a, b].iter().all(|it| it.is_exact(width, signed) && it.is_kept_by(ty));
        (ty.bits == width || exact(false) || exact(true)) && self.is_allowed(a, b)
    }

    /// Rust compares values of one type.
    fn is_allowed(&self, a: &Piece, b: &Piece) -> bool {
        let fits = |it: &Piece, other: &Piece| it.is_literal && it.is_kept_by(other.ty);
        self.dialect == Dialect::C || a.ty == b.ty || fits(a, b) || fits(b, a)
    }

    /// The operands with as few casts as make `is_right` hold, which both casts together do.
    fn cast_as_needed(
        &mut self,
        a: Piece,
        b: Piece,
        width: u32,
        signed: bool,
        is_right: impl Fn(&Self, &Piece, &Piece) -> bool,
    ) -> (Piece, Piece) {
        let literal = |it: Piece| match it.is_literal {
            true => Piece::literal(resigned(&it.low, width, signed)),
            false => it,
        };
        let (a, b) = (literal(a), literal(b));
        if is_right(self, &a, &b) {
            return (a, b);
        }
        let first = self.forced(a.clone(), width, signed);
        if is_right(self, &first, &b) {
            return (first, b);
        }
        let second = self.forced(b.clone(), width, signed);
        if is_right(self, &a, &second) {
            return (a, second);
        }
        if is_right(self, &first, &second) {
            return (first, second);
        }
        // Both are the numbers now, in types that the language would not compare so.
        let ty = super::Type { bits: first.ty.bits.max(second.ty.bits), signed };
        let in_type = |it: Piece| if it.is_literal || it.ty == ty { it } else { self.cast(it, ty) };
        (in_type(first), in_type(second))
    }

    /// The number of this sign, in the type of this width and sign where there is one.
    fn forced(&mut self, piece: Piece, width: u32, signed: bool) -> Piece {
        let ty = super::Type { bits: width, signed };
        match super::Type::is_standard(width) && !piece.is_literal && piece.ty != ty {
            true => self.cast(piece, ty),
            false => self.with_sign(piece, width, signed),
        }
    }

    /// The operands of `<`, `/` and `%` on numbers with this sign.
    pub(super) fn ordered_operands(&mut self, a: Term, b: Term, signed: bool) -> (Piece, Piece) {
        let width = self.terms.width(a).bits();
        let (a, b) = (self.value(a), self.value(b));
        self.cast_as_needed(a, b, width, signed, |it, a, b| it.compares(a, b, width, signed))
    }

    /// The operands of `=`.
    pub(super) fn equal_operands(&mut self, a: Term, b: Term) -> (Piece, Piece) {
        let width = self.terms.width(a).bits();
        let (a, b) = (self.value(a), self.value(b));
        // Numbers with the sign that the other side has.
        let signed = match (a.is_literal, b.is_literal) {
            (false, true) => a.ty.bits == width && a.ty.signed,
            (true, false) => b.ty.bits == width && b.ty.signed,
            _ => a.ty.signed && b.ty.signed,
        };
        self.cast_as_needed(a, b, width, signed, |it, a, b| it.equates(a, b, width))
    }

    /// `a < b` or, if not `strict`, `a ≤ b`: numbers to the right, of two others what came last.
    pub(super) fn ordered(&mut self, a: Term, b: Term, strict: bool, signed: bool) -> String {
        let turned = is_turned(self.terms, a, b);
        let (a, b) = self.ordered_operands(a, b, signed);
        let [a, b] = [a, b].map(|it| it.at(next(Level::Comparison)));
        match (turned, strict) {
            (false, true) => format!("{a} < {b}"),
            (false, false) => format!("{a} ≤ {b}"),
            (true, true) => format!("{b} > {a}"),
            (true, false) => format!("{b} ≥ {a}"),
        }
    }

    /// `low ≤ x ≤ high`, if the conjuncts are two such bounds.
    pub(super) fn between(&mut self, args: &[Term]) -> Option<String> {
        let &[x, y] = args else { return None };
        let (x, y) = (self.bound(x)?, self.bound(y)?);
        let is_number = |it: Term| self.terms.as_bv(it).is_some();
        let (low, high) = match () {
            () if x.greater == y.lesser && is_number(x.lesser) && is_number(y.greater) => (x, y),
            () if y.greater == x.lesser && is_number(y.lesser) && is_number(x.greater) => (y, x),
            () => return None,
        };
        if low.signed != high.signed {
            return None;
        }
        let (signed, width) = (low.signed, self.terms.width(low.greater).bits());
        let (first, middle) = self.ordered_operands(low.lesser, low.greater, signed);
        let (other, last) = self.ordered_operands(high.lesser, high.greater, signed);
        // With one cast in the middle for both.
        let middle = if middle.text.len() >= other.text.len() { middle } else { other };
        if !self.compares(&first, &middle, width, signed) || !self.compares(&middle, &last, width, signed) {
            return None;
        }
        let sign = |strict| if strict { "<" } else { "≤" };
        let [first, middle, last] = [first, middle, last].map(|it| it.at(next(Level::Comparison)));
        Some(format!("{first} {} {middle} {} {last}", sign(low.strict), sign(high.strict)))
    }

    fn bound(&self, cond: Term) -> Option<Bound> {
        let (lesser, greater, strict, signed) = match *self.terms.node(cond) {
            Node::Ult(a, b) => (a, b, true, false),
            Node::Slt(a, b) => (a, b, true, true),
            Node::Not(inner) => match *self.terms.node(inner) {
                Node::Ult(b, a) => (a, b, false, false),
                Node::Slt(b, a) => (a, b, false, true),
                _ => return None,
            },
            _ => return None,
        };
        Some(Bound { lesser, greater, strict, signed })
    }
}

/// `lesser < greater`, or `≤`.
struct Bound {
    lesser: Term,
    greater: Term,
    strict: bool,
    signed: bool,
}
