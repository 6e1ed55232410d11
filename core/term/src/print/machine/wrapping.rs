//! Operations whose result modulo 2 to the power of a width only needs their operands modulo that, and how they are
//! written where they wrap around.
//!
//! Knows: which type an operation is computed in, and whether it can overflow there: by the types of its operands, or
//! on the path. Never: terms.
//! Source: C17, 6.5 (5): an overflow of a type with sign is undefined behaviour; 6.2.5 (9): one without sign has none.
//! The Rust Reference, "Operator expressions": each overflow is a panic.

use super::polynomial::Polynomial;
use super::types::{Piece, Type, power};
use super::{Dialect, Level, Printer};
use crate::node::BvOp;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The range of an operation whose result is any number.
pub(super) type Range = (BigInt, BigInt);

/// An operation on two values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation<'a> {
    Add,
    Sub,
    Mul,
    /// Bits of both.
    Bits(BvOp),
    /// Bits that the two do not share; of `a | b | c` none stand in parentheses.
    Join,
    /// The first under a condition, else the second.
    Choice(&'a str),
}

impl Operation<'_> {
    /// Between which numbers the result lies where nothing wraps.
    fn range(self, a: &Piece, b: &Piece) -> Range {
        match self {
            Operation::Add => (&a.low + &b.low, &a.high + &b.high),
            Operation::Sub => (&a.low - &b.high, &a.high - &b.low),
            Operation::Mul => {
                let mut ends = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
                ends.sort_unstable();
                let [low, _, _, high] = ends;
                (low, high)
            }
            Operation::Bits(op) => range_of_bits(op, a, b),
            Operation::Join => range_of_bits(BvOp::Or, a, b),
            Operation::Choice(_) => (a.low.clone().min(b.low.clone()), a.high.clone().max(b.high.clone())),
        }
    }

    /// The integer that the result is where nothing wraps.
    fn number(self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        match self {
            Operation::Add => a.plus(b),
            Operation::Sub => a.minus(b),
            Operation::Mul => a.times(b),
            _ => None,
        }
    }

    /// The method of Rust that wraps around; `None` for what cannot overflow.
    fn method(self) -> Option<&'static str> {
        match self {
            Operation::Add => Some("wrapping_add"),
            Operation::Sub => Some("wrapping_sub"),
            Operation::Mul => Some("wrapping_mul"),
            _ => None,
        }
    }

    fn written(self, a: &Piece, b: &Piece) -> (String, Level) {
        let infix = |sign: &str, first: Level, second: Level| format!("{}{sign}{}", a.at(first), b.at(second));
        match self {
            Operation::Add => (infix(" + ", Level::Sum, Level::Quotient), Level::Sum),
            Operation::Sub => (infix(" − ", Level::Sum, Level::Quotient), Level::Sum),
            // A quotient in a product stands in parentheses: `3·(n / 2)`, `(3·n) / 2`.
            Operation::Mul => (infix("·", Level::Prefix, Level::Product), Level::Product),
            Operation::Bits(op) => {
                let sign = match op {
                    BvOp::And => " & ",
                    BvOp::Or => " | ",
                    _ => " ^ ",
                };
                (infix(sign, Level::Prefix, Level::Prefix), Level::Bits)
            }
            Operation::Join => {
                let first = match a.text.contains(" | ") && a.level == Level::Bits {
                    true => Level::Bits,
                    false => Level::Prefix,
                };
                (infix(" | ", first, Level::Prefix), Level::Bits)
            }
            Operation::Choice(cond) => {
                (format!("({cond} ? {} : {})", a.at(Level::Bits), b.at(Level::Bits)), Level::Atom)
            }
        }
    }
}

impl Printer<'_> {
    /// The operation, congruent modulo 2 to the power of `width` to that of numbers which its operands are congruent to.
    pub(super) fn congruent(&self, width: u32, operands: [Piece; 2], operation: Operation<'_>) -> Piece {
        let [mut a, mut b] = operands;
        let fits = |a: &Piece, b: &Piece, ty: Type| {
            let range = operation.range(a, b);
            let fits = ty.low() <= range.0 && range.1 <= ty.high() && a.is_kept_by(ty) && b.is_kept_by(ty);
            fits.then_some(range)
        };
        let mut ty = self.common(&a, &b);
        if ty.bits < width && fits(&a, &b, ty).is_none() {
            (a, b) = self.with_one_cast(a, b, |it| Type::of_width(width, it.low.is_negative()));
            ty = self.common(&a, &b);
        }
        let mut number = self.number_of(operation, &a, &b, ty);
        let method = operation.method().filter(|_| fits(&a, &b, ty).is_none() && self.can_overflow(number.as_ref()));
        if method.is_some() && self.dialect == Dialect::C && ty.signed {
            self.count_wrap();
            (a, b) = self.with_one_cast(a, b, |_| Type { bits: ty.bits, signed: false });
            ty = self.common(&a, &b);
            number = None;
        }
        let (low, high) = fits(&a, &b, ty).unwrap_or_else(|| (ty.low(), ty.high()));
        if let (Some(method), Dialect::Rust) = (method, self.dialect) {
            let (text, level) = self.called(method, a, b, ty);
            return Piece { text, level, ty, low, high, is_literal: false, number: None };
        }
        // Two literals of Rust have no other operand to take their type from, and are `i32`.
        if self.dialect == Dialect::Rust && a.is_literal && b.is_literal && ty != (Type { bits: 32, signed: true }) {
            a = self.cast(a, ty);
        }
        let [a, b] = [a, b].map(|it| self.converted(it, ty));
        let (text, level) = operation.written(&a, &b);
        Piece { text, level, ty, low, high, is_literal: false, number }
    }

    /// `x.wrapping_add(1)`. What a method is called on has a type of its own, which a literal has not.
    fn called(&self, method: &str, a: Piece, b: Piece, ty: Type) -> (String, Level) {
        let (a, b) = match a.is_literal && method != "wrapping_sub" {
            true => (b, a),
            false => (a, b),
        };
        let a = if a.is_literal || a.ty != ty { self.cast(a, ty) } else { a };
        let b = self.converted(b, ty);
        self.count_wrap();
        (format!("{}.{method}({})", a.at(Level::Atom), b.text), Level::Atom)
    }

    /// The operands with a cast of one, which the other follows: of the one that needs no parentheses for it.
    fn with_one_cast(&self, a: Piece, b: Piece, to: impl Fn(&Piece) -> Type) -> (Piece, Piece) {
        let second = a.level < Level::Prefix && b.level >= Level::Prefix || a.is_literal;
        match second && !b.is_literal {
            true => {
                let ty = to(&b);
                (a, self.cast(b, ty))
            }
            false => {
                let ty = to(&a);
                (self.cast(a, ty), b)
            }
        }
    }

    /// The integer that the operation is on the path, if it is computed there without a conversion or an overflow.
    fn number_of(&self, operation: Operation<'_>, a: &Piece, b: &Piece, ty: Type) -> Option<Polynomial> {
        let of = |it: &Piece| it.number.clone().filter(|it| self.is_of_type(it, ty));
        operation.number(&of(a)?, &of(b)?).filter(|it| self.is_of_type(it, ty))
    }

    /// Whether an operation that is not known as an integer on the path has to be written so that it wraps.
    fn can_overflow(&self, number: Option<&Polynomial>) -> bool {
        number.is_none() && !self.integers.borrow().is_exact()
    }

    fn count_wrap(&self) {
        self.wraps.set(self.wraps.get() + 1);
    }

    /// `−x`.
    pub(super) fn negative(&mut self, piece: Piece, width: u32) -> Piece {
        let ty = self.promoted(piece.ty);
        let fits = |ty: Type, it: &Piece| it.is_kept_by(ty) && ty.low() <= -&it.high && -&it.low <= ty.high();
        let mut piece = match ty.bits < width && !fits(ty, &piece) {
            true => self.cast(piece, Type::of_width(width, true)),
            false => piece,
        };
        let mut ty = self.promoted(piece.ty);
        let number = piece.number.as_ref().map(Polynomial::negated).filter(|it| self.is_of_type(it, ty));
        let wraps = !fits(ty, &piece) && self.can_overflow(number.as_ref());
        // Rust has no sign before what has none.
        if self.dialect == Dialect::Rust && (wraps || !ty.signed) {
            if wraps {
                self.count_wrap();
            }
            let text = format!("{}.wrapping_neg()", piece.at(Level::Atom));
            let (low, high) = (ty.low(), ty.high());
            return Piece { text, level: Level::Atom, ty, low, high, is_literal: false, number };
        }
        if wraps && ty.signed {
            self.count_wrap();
            piece = self.cast(piece, Type { bits: ty.bits, signed: false });
            ty = piece.ty;
        }
        let (low, high) = if fits(ty, &piece) { (-&piece.high, -&piece.low) } else { (ty.low(), ty.high()) };
        // As a summand; between the signs of others it stands in parentheses.
        let text = format!("−{}", piece.at(Level::Product));
        Piece { text, level: Level::Sum, ty, low, high, is_literal: false, number }
    }

    /// A shift of a term of `width` bits, in the type of what is shifted. That has `width` bits or more, unless the
    /// result, which lies in `range`, fits and the amount is known to be less than its own.
    pub(super) fn shift(&self, a: Piece, is_left: bool, by: &Piece, range: Range, width: u32) -> Piece {
        let fits = |ty: Type| ty.low() <= range.0 && range.1 <= ty.high();
        if is_left && a.is_literal && by.is_literal && range.0.bits() < 64 {
            return Piece::literal(range.0);
        }
        let ty = self.promoted(a.ty);
        let mut a = match ty.bits < width && !(fits(ty) && by.high < BigInt::from(ty.bits)) {
            true => {
                let signed = a.low.is_negative();
                self.cast(a, Type::of_width(width, signed))
            }
            false => a,
        };
        let mut ty = self.promoted(a.ty);
        // C has no shift to the left of a negative number, nor of bits into the sign (6.5.7).
        if is_left && self.dialect == Dialect::C && ty.signed && (a.low.is_negative() || !fits(ty)) {
            let number = a.number.as_ref().filter(|_| by.is_literal).map(|it| it.scaled(&power(shift_amount(by))));
            let is_natural = |it: &Polynomial| self.integers.borrow_mut().is_between(it, &BigInt::zero(), &ty.high());
            if self.can_overflow(number.filter(is_natural).as_ref()) {
                self.count_wrap();
                // A negative number keeps its bits only in a type of all of them.
                let bits = ty.bits.max(Type::of_width(width, false).bits);
                a = self.cast(a, Type { bits, signed: false });
                ty = a.ty;
            }
        }
        // A literal before the sign has no other operand to take its type from.
        if self.dialect == Dialect::Rust && a.is_literal {
            let own = a.ty;
            a = self.cast(a, own);
        }
        let sign = if is_left { " << " } else { " >> " };
        let text = format!("{}{sign}{}", a.at(Level::Prefix), by.at(Level::Prefix));
        let (low, high) = if fits(ty) { range } else { (ty.low(), ty.high()) };
        Piece { text, level: Level::Bits, ty, low, high, is_literal: false, number: None }
    }
}

/// The amount of a shift by a literal; the widest integers have fewer bits than this can say.
fn shift_amount(by: &Piece) -> u32 {
    u32::try_from(&by.high).unwrap_or(u32::MAX).min(super::MOST_SHIFTED)
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
