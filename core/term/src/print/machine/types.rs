//! Types of integers, and texts with the type and the range of what they say.
//!
//! Knows: conversions and casts. Never: terms.

use super::polynomial::Polynomial;
use super::{Dialect, Level, Printer};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// An integer type of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Type {
    /// 8, 16, 32, 64 or 128; more for what no language has.
    pub bits: u32,
    pub signed: bool,
}

impl Type {
    /// The narrowest type with at least `width` bits.
    pub(super) fn of_width(width: u32, signed: bool) -> Type {
        Type { bits: width.next_power_of_two().max(8), signed }
    }

    /// Whether a type has just this many bits.
    pub(super) fn is_standard(width: u32) -> bool {
        width.is_power_of_two() && width >= 8
    }

    pub(super) fn low(self) -> BigInt {
        if self.signed { -power(self.bits - 1) } else { BigInt::zero() }
    }

    pub(super) fn high(self) -> BigInt {
        power(if self.signed { self.bits - 1 } else { self.bits }) - 1
    }

    fn name(self, dialect: Dialect) -> String {
        let Type { bits, signed } = self;
        match (dialect, bits, signed) {
            (Dialect::Rust, _, true) => format!("i{bits}"),
            (Dialect::Rust, _, false) => format!("u{bits}"),
            (Dialect::C, 8, true) => "signed char".to_owned(),
            (Dialect::C, 8, false) => "unsigned char".to_owned(),
            (Dialect::C, 16, true) => "short".to_owned(),
            (Dialect::C, 16, false) => "unsigned short".to_owned(),
            (Dialect::C, 32, true) => "int".to_owned(),
            (Dialect::C, 32, false) => "unsigned".to_owned(),
            (Dialect::C, 64, true) => "long".to_owned(),
            (Dialect::C, 64, false) => "unsigned long".to_owned(),
            (Dialect::C, 128, true) => "__int128".to_owned(),
            (Dialect::C, 128, false) => "unsigned __int128".to_owned(),
            (Dialect::C, _, true) => format!("_BitInt({bits})"),
            (Dialect::C, _, false) => format!("unsigned _BitInt({bits})"),
        }
    }
}

/// 2 to the power of `bits`.
pub(super) fn power(bits: u32) -> BigInt {
    BigInt::one() << bits
}

/// A text, its type, and between which numbers its value lies by the rules of the language.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub text: String,
    pub level: Level,
    pub ty: Type,
    pub low: BigInt,
    pub high: BigInt,
    /// A number, whose type is what the language makes of it.
    pub is_literal: bool,
    /// The integer that it is on the path, where it is known as one.
    pub number: Option<Polynomial>,
}

impl Piece {
    /// An atom with any value of `width` bits that its type has.
    pub(super) fn of_type(text: String, ty: Type, width: u32) -> Piece {
        let high = if ty.signed { ty.high() } else { power(width) - 1 };
        Piece { text, level: Level::Atom, ty, low: ty.low(), high, is_literal: false, number: None }
    }

    /// A number, of the first of `int`, `long`, `unsigned long`, `__int128` that has it.
    pub(super) fn literal(value: BigInt) -> Piece {
        let types = [(32, true), (64, true), (64, false), (128, true), (128, false)];
        let mut types = types.into_iter().map(|(bits, signed)| Type { bits, signed });
        // The sign before a number does not belong to it.
        let ty = types.find(|it| value.abs() <= it.high());
        let number = Some(Polynomial::constant(value.clone()));
        let ty = ty.unwrap_or_else(|| Type::of_width(value.bits() as u32 + 1, true));
        let (text, level) = match value.is_negative() {
            true => (format!("−{}", value.abs()), Level::Prefix),
            false => (value.to_string(), Level::Atom),
        };
        // The least `long` has no literal: the sign of one that has the type `unsigned long` changes nothing.
        if value.is_negative() && !ty.signed {
            let (text, level) = (format!("−{} − 1", value.abs() - 1), Level::Sum);
            let ty = Type { bits: ty.bits, signed: true };
            return Piece { text, level, ty, low: value.clone(), high: value, is_literal: true, number };
        }
        Piece { text, level, ty, low: value.clone(), high: value, is_literal: true, number }
    }

    /// The text as an operand that must bind at least as tightly as `outer`.
    pub(super) fn at(&self, outer: Level) -> String {
        Printer::in_parentheses(self.text.clone(), self.level, outer)
    }

    /// Whether the value is the number that a term of `width` bits stands for with this sign.
    pub(super) fn is_exact(&self, width: u32, signed: bool) -> bool {
        match signed {
            true => self.low >= -power(width - 1) && self.high < power(width - 1),
            false => !self.low.is_negative() && self.high < power(width),
        }
    }

    /// Whether a conversion to `ty` keeps the value.
    pub(super) fn is_kept_by(&self, ty: Type) -> bool {
        ty.low() <= self.low && self.high <= ty.high()
    }
}

impl Printer<'_> {
    /// What an operand of this type is computed in.
    pub(super) fn promoted(&self, ty: Type) -> Type {
        match self.dialect {
            Dialect::C if ty.bits < 32 => Type { bits: 32, signed: true },
            _ => ty,
        }
    }

    /// The type in which two operands are computed. In Rust a literal has the type of the other operand, and what has
    /// another type than this one is cast.
    pub(super) fn common(&self, a: &Piece, b: &Piece) -> Type {
        if self.dialect == Dialect::Rust {
            match (a.is_literal, b.is_literal) {
                (true, false) if a.is_kept_by(b.ty) => return b.ty,
                (false, true) if b.is_kept_by(a.ty) => return a.ty,
                _ => {}
            }
        }
        let (a, b) = (self.promoted(a.ty), self.promoted(b.ty));
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal => Type { bits: a.bits, signed: a.signed && b.signed },
        }
    }

    /// The operands of an operation in `ty`, with the casts that the language does not make by itself.
    pub(super) fn converted(&self, piece: Piece, ty: Type) -> Piece {
        match self.dialect {
            Dialect::Rust if piece.ty != ty && !(piece.is_literal && piece.is_kept_by(ty)) => self.cast(piece, ty),
            _ => piece,
        }
    }

    /// A cast to `ty`.
    pub(super) fn cast(&self, piece: Piece, ty: Type) -> Piece {
        if piece.is_literal && self.dialect == Dialect::Rust {
            let number = Piece::literal(resigned(&piece.low, ty.bits, ty.signed));
            let text = format!("{}{}", number.text, ty.name(self.dialect));
            return Piece { text, ty, is_literal: false, ..number };
        }
        let (low, high) = match piece.is_kept_by(ty) {
            true => (piece.low.clone(), piece.high.clone()),
            false => (ty.low(), ty.high()),
        };
        let number = piece.number.clone().filter(|it| self.is_of_type(it, ty));
        let name = ty.name(self.dialect);
        let (text, level) = match self.dialect {
            Dialect::C => (format!("({name}){}", piece.at(Level::Prefix)), Level::Prefix),
            Dialect::Rust => (format!("({} as {name})", piece.at(Level::Prefix)), Level::Atom),
        };
        Piece { text, level, ty, low, high, is_literal: false, number }
    }

    /// Whether a number has this type on the path.
    pub(super) fn is_of_type(&self, number: &Polynomial, ty: Type) -> bool {
        self.integers.borrow_mut().is_between(number, &ty.low(), &ty.high())
    }

    /// The piece, if its value is the number with this sign of the term of `width` bits; otherwise with the cast that
    /// makes it so.
    pub(super) fn with_sign(&mut self, piece: Piece, width: u32, signed: bool) -> Piece {
        if piece.is_exact(width, signed) {
            return piece;
        }
        if piece.is_literal {
            return Piece::literal(resigned(&piece.low, width, signed));
        }
        if Type::is_standard(width) {
            return self.cast(piece, Type { bits: width, signed });
        }
        // A type of no usual width: the bits above it are taken away, or filled with the sign.
        let ty = Type::of_width(width, false);
        let wide = if piece.ty.bits < ty.bits { self.cast(piece, ty) } else { piece };
        let mask = power(width) - 1;
        let ty = self.promoted(wide.ty);
        let text = format!("{} & {mask}", wide.at(Level::Prefix));
        let (low, high) = (BigInt::zero(), mask);
        let masked = Piece { text, level: Level::Bits, ty, low, high, is_literal: false, number: None };
        if !signed {
            return masked;
        }
        // (x ^ sign) − sign, in a type that has a sign.
        let sign = power(width - 1);
        let ty = Type { bits: ty.bits, signed: true };
        let masked = if masked.ty == ty { masked } else { self.cast(masked, ty) };
        let text = format!("({} ^ {sign}) − {sign}", masked.at(Level::Prefix));
        Piece { text, level: Level::Sum, ty, low: -&sign, high: sign - 1, is_literal: false, number: None }
    }
}

/// The number that is congruent to `value` modulo 2 to the power of `width`, with the sign asked for.
pub(super) fn resigned(value: &BigInt, width: u32, signed: bool) -> BigInt {
    let modulus = power(width);
    let rest = ((value % &modulus) + &modulus) % &modulus;
    if signed && rest >= power(width - 1) { rest - modulus } else { rest }
}
