//! Sums, products, quotients, bits and shifts of machine integers.
//!
//! Knows: when the type of an operation is wide enough for its result. Never: comparisons.
//! Source: integer arithmetic of C17, 6.3.1.8 and 6.5.

use super::types::{Piece, Type, power, resigned};
use super::{Dialect, Level, Printer};
use crate::node::{BvOp, BvSum, Node, Term};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// The range of an operation whose result is any number.
type Range = (BigInt, BigInt);

impl Printer<'_> {
    /// An operation whose result modulo 2 to the power of `width` only needs its operands modulo that: `range` bounds
    /// it where nothing wraps, and `text` writes it.
    fn congruent(
        &self,
        width: u32,
        operands: [Piece; 2],
        range: impl Fn(&Piece, &Piece) -> Option<Range>,
        write: impl Fn(&Piece, &Piece) -> (String, Level),
    ) -> Piece {
        let [mut a, mut b] = operands;
        let fits = |a: &Piece, b: &Piece, ty: Type| {
            let range = range(a, b).filter(|it| ty.low() <= it.0 && it.1 <= ty.high());
            range.filter(|_| a.is_kept_by(ty) && b.is_kept_by(ty))
        };
        let mut ty = self.common(&a, &b);
        if ty.bits < width && fits(&a, &b, ty).is_none() {
            // One wide operand is enough; the one that needs no parentheses for it.
            let wide = |it: &Piece| Type::of_width(width, it.low.is_negative());
            let second = a.level < Level::Prefix && b.level >= Level::Prefix || a.is_literal;
            match second && !b.is_literal {
                true => b = self.cast(b.clone(), wide(&b)),
                false => a = self.cast(a.clone(), wide(&a)),
            }
            ty = self.common(&a, &b);
        }
        let (low, high) = fits(&a, &b, ty).unwrap_or_else(|| (ty.low(), ty.high()));
        // Two literals of Rust have no other operand to take their type from, and are `i32`.
        if self.dialect == Dialect::Rust && a.is_literal && b.is_literal && ty != (Type { bits: 32, signed: true }) {
            a = self.cast(a, ty);
        }
        let [a, b] = [a, b].map(|it| self.converted(it, ty));
        let (text, level) = write(&a, &b);
        Piece { text, level, ty, low, high, is_literal: false }
    }

    fn infix(sign: &'static str, operands: Level, level: Level) -> impl Fn(&Piece, &Piece) -> (String, Level) {
        move |a, b| (format!("{}{sign}{}", a.at(operands), b.at(operands)), level)
    }

    /// What is added before what is taken away, signs between them; `3 − x` where nothing else is added.
    pub(super) fn sum(&mut self, sum: &BvSum, width: u32) -> Piece {
        let mut parts: Vec<(bool, Piece)> = Vec::with_capacity(sum.summands.len() + 1);
        for (factor, term) in &sum.summands {
            let factor = factor.to_bigint_signed();
            let mut piece = self.value(*term);
            if !factor.abs().is_one() {
                let factor = self.literal(factor.abs());
                piece = self.product(factor, piece, width);
            }
            parts.push((factor.is_negative(), piece));
        }
        parts.sort_by_key(|it| it.0);
        let constant = sum.constant.to_bigint_signed();
        if !constant.is_zero() {
            let first = constant.is_positive() && parts.iter().all(|it| it.0);
            let piece = self.literal(constant.abs());
            parts.insert(if first { 0 } else { parts.len() }, (constant.is_negative(), piece));
        }
        let mut parts = parts.into_iter();
        let mut res = match parts.next() {
            None => return self.literal(BigInt::zero()),
            Some((false, first)) => first,
            Some((true, first)) => self.negative(first, width),
        };
        for (is_taken, piece) in parts {
            res = match is_taken {
                false => {
                    let range = |a: &Piece, b: &Piece| Some((&a.low + &b.low, &a.high + &b.high));
                    self.congruent(width, [res, piece], range, |a, b| {
                        (format!("{} + {}", a.at(Level::Sum), b.at(Level::Quotient)), Level::Sum)
                    })
                }
                true => {
                    let range = |a: &Piece, b: &Piece| Some((&a.low - &b.high, &a.high - &b.low));
                    self.congruent(width, [res, piece], range, |a, b| {
                        (format!("{} − {}", a.at(Level::Sum), b.at(Level::Quotient)), Level::Sum)
                    })
                }
            };
        }
        res
    }

    fn negative(&mut self, piece: Piece, width: u32) -> Piece {
        let ty = self.promoted(piece.ty);
        let fits = |ty: Type, it: &Piece| it.is_kept_by(ty) && ty.low() <= -&it.high && -&it.low <= ty.high();
        let piece = match ty.bits < width && !fits(ty, &piece) {
            true => self.cast(piece, Type::of_width(width, true)),
            false => piece,
        };
        let ty = self.promoted(piece.ty);
        // Rust has no sign before what has none.
        if self.dialect == Dialect::Rust && !ty.signed {
            let zero = Piece::literal(BigInt::zero());
            return self.congruent(
                width,
                [zero, piece],
                |_, _| None,
                |a, b| (format!("{} − {}", a.text, b.at(Level::Quotient)), Level::Sum),
            );
        }
        let (low, high) = if fits(ty, &piece) { (-&piece.high, -&piece.low) } else { (ty.low(), ty.high()) };
        // As a summand; between the signs of others it stands in parentheses.
        let text = format!("−{}", piece.at(Level::Product));
        Piece { text, level: Level::Sum, ty, low, high, is_literal: false }
    }

    fn product(&self, a: Piece, b: Piece, width: u32) -> Piece {
        let range = |a: &Piece, b: &Piece| {
            let ends = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
            Some((ends.iter().min()?.clone(), ends.iter().max()?.clone()))
        };
        // A quotient in a product stands in parentheses: `3·(n / 2)`, `(3·n) / 2`.
        self.congruent(width, [a, b], range, Self::infix("·", Level::Prefix, Level::Product))
    }

    pub(super) fn binary(&mut self, op: BvOp, a: Term, b: Term, width: u32) -> Piece {
        match op {
            BvOp::Mul => {
                let (a, b) = (self.value(a), self.value(b));
                self.product(a, b, width)
            }
            BvOp::And | BvOp::Or | BvOp::Xor => {
                let sign = match op {
                    BvOp::And => " & ",
                    BvOp::Or => " | ",
                    _ => " ^ ",
                };
                let range = |a: &Piece, b: &Piece| Some(range_of_bits(op, a, b));
                let [a, b] = [a, b].map(|it| self.value(it));
                // A mask has the sign of what it is laid on.
                let as_other = |it: Piece, other: &Piece| match it.is_literal {
                    true => Piece::literal(resigned(&it.low, width, other.low.is_negative())),
                    false => it,
                };
                let (a, b) = (as_other(a.clone(), &b), as_other(b, &a));
                self.congruent(width, [a, b], range, Self::infix(sign, Level::Prefix, Level::Bits))
            }
            BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem => {
                let signed = matches!(op, BvOp::SDiv | BvOp::SRem);
                let is_quotient = matches!(op, BvOp::UDiv | BvOp::SDiv);
                let (a, b) = self.ordered_operands(a, b, signed);
                let ty = self.common(&a, &b);
                let (low, high) = match a.is_kept_by(ty) && b.is_kept_by(ty) {
                    true => range_of_quotient(is_quotient, &a, &b),
                    false => (ty.low(), ty.high()),
                };
                let sign = if is_quotient { "/" } else { "%" };
                let text = format!("{} {sign} {}", a.at(Level::Prefix), b.at(Level::Prefix));
                let (low, high) = (low.max(ty.low()), high.min(ty.high()));
                Piece { text, level: Level::Quotient, ty, low, high, is_literal: false }
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
                self.shift(a, if left { " << " } else { " >> " }, &amount, range, width)
            }
        }
    }

    /// A shift of a term of `width` bits, in the type of what is shifted. That has `width` bits or more, unless the
    /// result fits and the amount is known to be less than its own.
    fn shift(&self, a: Piece, sign: &str, by: &Piece, range: Range, width: u32) -> Piece {
        let fits = |ty: Type| ty.low() <= range.0 && range.1 <= ty.high();
        let ty = self.promoted(a.ty);
        let a = match ty.bits < width && !(fits(ty) && by.high < BigInt::from(ty.bits)) {
            true => {
                let signed = a.low.is_negative();
                self.cast(a, Type::of_width(width, signed))
            }
            false => a,
        };
        // A literal before the sign has no other operand to take its type from.
        let a = match self.dialect {
            Dialect::Rust if a.is_literal => self.cast(a.clone(), a.ty),
            _ => a,
        };
        let ty = self.promoted(a.ty);
        let text = format!("{}{sign}{}", a.at(Level::Prefix), by.at(Level::Prefix));
        let (low, high) = if fits(ty) { range } else { (ty.low(), ty.high()) };
        Piece { text, level: Level::Bits, ty, low, high, is_literal: false }
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
        Piece { text: format!("~{}", piece.at(Level::Prefix)), level: Level::Prefix, ty, low, high, is_literal: false }
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
        self.shift(piece, " >> ", &by, range, self.terms.width(arg).bits())
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
                    self.shift(piece, " << ", &Piece::literal(BigInt::from(at)), range, width)
                }
            };
            res = Some(match res {
                None => piece,
                Some(before) => {
                    let range = |a: &Piece, b: &Piece| Some(range_of_bits(BvOp::Or, a, b));
                    self.congruent(width, [before, piece], range, |a, b| {
                        // `a | b | c` needs none.
                        let first = match a.text.contains(" | ") && a.level == Level::Bits {
                            true => a.text.clone(),
                            false => a.at(Level::Prefix),
                        };
                        (format!("{first} | {}", b.at(Level::Prefix)), Level::Bits)
                    })
                }
            });
        }
        res.unwrap_or_else(|| Piece::literal(BigInt::zero()))
    }

    pub(super) fn choice(&mut self, cond: Term, then: Term, other: Term, width: u32) -> Piece {
        let cond = self.truth(cond, Level::Or);
        let [then, other] = [then, other].map(|it| self.value(it));
        let range = |a: &Piece, b: &Piece| Some((a.low.clone().min(b.low.clone()), a.high.clone().max(b.high.clone())));
        self.congruent(width, [then, other], range, |a, b| {
            let [a, b] = [a, b].map(|it| it.at(Level::Bits));
            (format!("({cond} ? {a} : {b})"), Level::Atom)
        })
    }
}

/// What bits are made of numbers without sign, or of any.
fn range_of_bits(op: BvOp, a: &Piece, b: &Piece) -> Range {
    let is_natural = |it: &Piece| !it.low.is_negative();
    let bits = a.low.bits().max(a.high.bits()).max(b.low.bits()).max(b.high.bits()) as u32;
    match op {
        BvOp::And if is_natural(a) && is_natural(b) => (BigInt::zero(), a.high.clone().min(b.high.clone())),
        BvOp::And if is_natural(a) => (BigInt::zero(), a.high.clone()),
        BvOp::And if is_natural(b) => (BigInt::zero(), b.high.clone()),
        _ if is_natural(a) && is_natural(b) => (BigInt::zero(), power(bits) - 1),
        _ => (-power(bits), power(bits) - 1),
    }
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
