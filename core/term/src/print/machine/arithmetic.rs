//! Sums, products, quotients, bits and shifts of machine integers.
//!
//! Knows: when the type of an operation is wide enough for its result. Never: comparisons.
//! Source: integer arithmetic of C17, 6.3.1.8 and 6.5.

use super::types::{Piece, Type, power, resigned};
use super::wrapping::{Operation, Range};
use super::{Dialect, Level, Printer};
use crate::node::{BvOp, BvSum, Node, Term};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Of more summands other orders are not tried.
const MOST_REORDERED: usize = 4;

/// Summands, each with whether it is taken away.
type Summands = Vec<(bool, Piece)>;

impl Printer<'_> {
    /// What is added before what is taken away, signs between them; `3 − x` where nothing else is added. In another order
    /// where no sum before the last overflows in that one: `y − z + x`.
    pub(super) fn sum(&mut self, sum: &BvSum, width: u32) -> Piece {
        let summands: Vec<(BigInt, Piece)> =
            sum.summands.iter().map(|(factor, term)| (factor.to_bigint_signed(), self.value(*term))).collect();
        let constant = sum.constant.to_bigint_signed();
        let natural = |it: &BigInt| if it.is_negative() { it + power(width) } else { it.clone() };
        // Rust adds 200 to eight bits without sign where C may as well take 56 away.
        let is_natural = self.dialect == Dialect::Rust && summands.iter().all(|it| !it.1.ty.signed);
        let readings = [(false, false), (false, true), (true, true)];
        let readings = if is_natural { &readings[..] } else { &readings[..1] };
        let before = self.wraps.get();
        let mut first = None;
        for &(natural_factors, natural_constant) in readings {
            self.wraps.set(before);
            let factor = |it: &BigInt| if natural_factors { natural(it) } else { it.clone() };
            let parts = summands.iter().map(|(it, piece)| (factor(it), piece.clone())).collect();
            let constant = if natural_constant { natural(&constant) } else { constant.clone() };
            let parts = self.signed_parts(parts, &constant, width);
            let made = self.wraps.get();
            let res = self.added_up(parts.clone(), width);
            if self.wraps.get() == before {
                return res;
            }
            if made == before && (3..=MOST_REORDERED).contains(&parts.len()) {
                for order in orders(parts.len()) {
                    let parts: Summands = order.iter().map(|&at| parts[at].clone()).collect();
                    if parts[0].0 {
                        continue;
                    }
                    self.wraps.set(before);
                    let res = self.added_up(parts, width);
                    if self.wraps.get() == before {
                        return res;
                    }
                }
            }
            first = first.or(Some((res, made.max(before + 1))));
        }
        let (res, wraps) = first.unwrap_or_else(|| (Piece::literal(BigInt::zero()), self.wraps.get()));
        self.wraps.set(wraps);
        res
    }

    /// The summands of a sum, those that are taken away last, with the constant.
    fn signed_parts(&mut self, summands: Vec<(BigInt, Piece)>, constant: &BigInt, width: u32) -> Summands {
        let mut parts: Summands = Vec::with_capacity(summands.len() + 1);
        for (factor, mut piece) in summands {
            if !factor.abs().is_one() {
                let factor = self.literal(factor.abs());
                piece = self.congruent(width, [factor, piece], Operation::Mul);
            }
            parts.push((factor.is_negative(), piece));
        }
        parts.sort_by_key(|it| it.0);
        if !constant.is_zero() {
            let first = constant.is_positive() && parts.iter().all(|it| it.0);
            let piece = self.literal(constant.abs());
            parts.insert(if first { 0 } else { parts.len() }, (constant.is_negative(), piece));
        }
        parts
    }

    fn added_up(&mut self, parts: Summands, width: u32) -> Piece {
        let mut parts = parts.into_iter();
        let mut res = match parts.next() {
            None => return self.literal(BigInt::zero()),
            Some((false, first)) => first,
            Some((true, first)) => self.negative(first, width),
        };
        for (is_taken, piece) in parts {
            let operation = if is_taken { Operation::Sub } else { Operation::Add };
            res = self.congruent(width, [res, piece], operation);
        }
        res
    }

    pub(super) fn binary(&mut self, op: BvOp, a: Term, b: Term, width: u32) -> Piece {
        match op {
            BvOp::Mul => {
                let (a, b) = (self.value(a), self.value(b));
                self.congruent(width, [a, b], Operation::Mul)
            }
            BvOp::And | BvOp::Or | BvOp::Xor => {
                let [a, b] = [a, b].map(|it| self.value(it));
                // A mask has the sign of what it is laid on.
                let as_other = |it: Piece, other: &Piece| match it.is_literal {
                    true => Piece::literal(resigned(&it.low, width, other.low.is_negative())),
                    false => it,
                };
                let (a, b) = (as_other(a.clone(), &b), as_other(b, &a));
                self.congruent(width, [a, b], Operation::Bits(op))
            }
            BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem => {
                let signed = matches!(op, BvOp::SDiv | BvOp::SRem);
                let is_quotient = matches!(op, BvOp::UDiv | BvOp::SDiv);
                let (a, b) = self.ordered_operands(a, b, signed);
                let (a, b) = self.divided(a, b, width);
                let ty = self.common(&a, &b);
                let (low, high) = match a.is_kept_by(ty) && b.is_kept_by(ty) {
                    true => range_of_quotient(is_quotient, &a, &b),
                    false => (ty.low(), ty.high()),
                };
                let sign = if is_quotient { "/" } else { "%" };
                let text = format!("{} {sign} {}", a.at(Level::Prefix), b.at(Level::Prefix));
                let (low, high) = (low.max(ty.low()), high.min(ty.high()));
                Piece { text, level: Level::Quotient, ty, low, high, is_literal: false, number: None }
            }
            BvOp::Shl | BvOp::LShr | BvOp::AShr => {
                let amount = self.value(b);
                let amount = self.with_sign(amount, width, false);
                let a = self.value(a);
                let left = op == BvOp::Shl;
                let a = match op {
                    BvOp::Shl => a,
                    _ => self.with_sign(a, width, op == BvOp::AShr),
                };
                let most = amount.is_literal.then(|| u32::try_from(&amount.high).ok()).flatten();
                let range = match most {
                    Some(by) if left && by < width => (&a.low << by, &a.high << by),
                    _ if left => (-power(2 * width), power(2 * width)),
                    Some(by) => (&a.low >> by, &a.high >> by),
                    None => (a.low.clone().min(BigInt::zero()), a.high.clone().max(BigInt::zero())),
                };
                self.shift(a, left, &amount, range, width)
            }
        }
    }

    /// The operands of a quotient or remainder, wide enough for −2^31 / −1 where the narrow type has no such quotient: the
    /// program computed it in the type of `width` bits.
    fn divided(&self, a: Piece, b: Piece, width: u32) -> (Piece, Piece) {
        let ty = self.common(&a, &b);
        let is_minus_one = !b.high.is_negative() && b.low.is_negative() || b.high == BigInt::from(-1);
        if !ty.signed || ty.bits >= width || a.low > ty.low() || !is_minus_one {
            return (a, b);
        }
        let wide = Type::of_width(width, true);
        match self.dialect {
            Dialect::C => (self.cast(a, wide), b),
            Dialect::Rust => (self.cast(a, wide), self.converted(b, wide)),
        }
    }

    pub(super) fn complement(&mut self, a: Term, width: u32) -> Piece {
        let piece = self.value(a);
        let ideal = |it: &Piece| (-&it.high - 1, -&it.low - 1);
        let fits = |ty: Type, it: &Piece| ty.low() <= ideal(it).0 && ideal(it).1 <= ty.high();
        let ty = self.promoted(piece.ty);
        let piece = match ty.bits < width && !fits(ty, &piece) {
            true => self.cast(piece, Type::of_width(width, true)),
            false => piece,
        };
        let ty = self.promoted(piece.ty);
        let (low, high) = if fits(ty, &piece) { ideal(&piece) } else { (ty.low(), ty.high()) };
        let text = format!("~{}", piece.at(Level::Prefix));
        Piece { text, level: Level::Prefix, ty, low, high, is_literal: false, number: None }
    }

    /// Bits from `low` upwards: those above the width asked for are taken away where it matters.
    pub(super) fn extract(&mut self, low: u32, arg: Term) -> Piece {
        let piece = self.value(arg);
        if low == 0 {
            return piece;
        }
        // A value that is congruent modulo 2 to the power of its width has the same bits there, in any wider type; where
        // its type is narrower the value is exact.
        let by = Piece::literal(BigInt::from(low));
        let range = (&piece.low >> low, &piece.high >> low);
        self.shift(piece, false, &by, range, self.terms.width(arg).bits())
    }

    /// `(high << 8) | low`: each part at its place.
    pub(super) fn concatenation(&mut self, term: Term, width: u32) -> Piece {
        let mut parts = Vec::new();
        let mut rest = vec![term];
        let mut at = 0;
        while let Some(next) = rest.pop() {
            match *self.terms.node(next) {
                Node::Concat(high, low) => rest.extend([high, low]),
                _ => {
                    parts.push((at, next));
                    at += self.terms.width(next).bits();
                }
            }
        }
        let mut res: Option<Piece> = None;
        for (at, part) in parts.into_iter().rev() {
            let own = self.terms.width(part).bits();
            let piece = self.value(part);
            // What lies above the highest part is taken away in any case.
            let piece = if at + own == width { piece } else { self.with_sign(piece, own, false) };
            if piece.is_literal && piece.high.is_zero() && res.is_some() {
                continue;
            }
            let piece = match at {
                0 => piece,
                _ => {
                    let range = (&piece.low << at, &piece.high << at);
                    self.shift(piece, true, &Piece::literal(BigInt::from(at)), range, width)
                }
            };
            res = Some(match res {
                None => piece,
                Some(before) => self.congruent(width, [before, piece], Operation::Join),
            });
        }
        res.unwrap_or_else(|| Piece::literal(BigInt::zero()))
    }

    pub(super) fn choice(&mut self, cond: Term, then: Term, other: Term, width: u32) -> Piece {
        let cond = self.truth(cond, Level::Or);
        let [then, other] = [then, other].map(|it| self.value(it));
        self.congruent(width, [then, other], Operation::Choice(&cond))
    }
}

/// All orders of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut res = vec![Vec::new()];
    for _ in 0..count {
        let with_next = |order: &Vec<usize>| {
            let order = order.clone();
            let rest: Vec<usize> = (0..count).filter(|it| !order.contains(it)).collect();
            rest.into_iter().map(move |it| [&order[..], &[it]].concat())
        };
        res = res.iter().flat_map(with_next).collect();
    }
    res
}

/// Quotients and remainders that are rounded towards zero.
fn range_of_quotient(is_quotient: bool, a: &Piece, b: &Piece) -> Range {
    let most = a.low.abs().max(a.high.abs());
    let most = match is_quotient {
        true => most,
        false => most.min(b.low.abs().max(b.high.abs())),
    };
    let has_sign = a.low.is_negative() || is_quotient && b.low.is_negative();
    (if has_sign { -&most } else { BigInt::zero() }, most)
}
