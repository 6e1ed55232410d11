//! Expressions over truth values and bitvectors, each with its value by arithmetic on `BigInt` alone.
//!
//! A program of bytes builds an expression twice: as a term, through the simplifying constructors, and as a value.

use effigy_term::eval::Evaluator;
use effigy_term::{BvOp, BvValue, Model, Node, Sort, Term, Terms, Value, Width};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Widths that matter: one bit, bytes, odd ones, words, wider than a word.
pub const WIDTHS: &[u32] = &[1, 3, 8, 16, 32, 64, 70];

/// A term with its value, the value always as an unsigned number.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The term, through the simplifying constructors.
    pub term: Term,
    /// Its value by arithmetic alone.
    pub value: BigUint,
}

/// Reads bytes and builds expressions twice.
#[derive(Debug)]
pub struct Builder<'a> {
    terms: &'a Terms,
    bytes: std::slice::Iter<'a, u8>,
    /// The values of the symbols that were used.
    pub model: Model,
    values: Vec<BigUint>,
}

fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
}

/// A number of `width` bits read with sign.
pub fn signed(value: &BigUint, width: u32) -> BigInt {
    let value = BigInt::from(value.clone());
    if value >= BigInt::from(modulus(width - 1)) { value - BigInt::from(modulus(width)) } else { value }
}

fn unsigned(value: &BigInt, width: u32) -> BigUint {
    let modulus = BigInt::from(modulus(width));
    (((value % &modulus) + &modulus) % &modulus).to_biguint().expect("a remainder is not negative")
}

/// Whether C and Rust give each part a value: no divisor of zero, no quotient that overflows, no shift by the width.
pub fn has_a_value(terms: &Terms, term: Term, model: &Model) -> bool {
    let value = |it: Term| match Evaluator::new(terms, model).value(it) {
        Some(Value::BitVec(value)) => Some(value),
        _ => None,
    };
    let mut work = vec![term];
    while let Some(next) = work.pop() {
        terms.node(next).for_each_argument(|it| work.push(it));
        let Node::Bv(op, a, b) = *terms.node(next) else { continue };
        let (Some(a), Some(b)) = (value(a), value(b)) else { return false };
        let has_a_value = match op {
            BvOp::UDiv | BvOp::URem => !b.is_zero(),
            BvOp::SDiv | BvOp::SRem => !(b.is_zero() || b.is_ones() && a == BvValue::min_signed(a.width())),
            BvOp::Shl | BvOp::LShr | BvOp::AShr => b.to_u64().is_some_and(|it| it < u64::from(a.width().bits())),
            _ => true,
        };
        if !has_a_value {
            return false;
        }
    }
    true
}

/// Whether a text has a number of more than 64 bits, for which C has no literal.
pub fn has_long_literal(text: &str) -> bool {
    let is_long = |it: &str| it.parse::<u128>().is_ok_and(|it| it > u128::from(u64::MAX));
    text.split(|it: char| !it.is_ascii_digit()).any(is_long)
}

impl<'a> Builder<'a> {
    /// Expressions from `bytes`, over symbols whose values come from `corners`.
    pub fn new(terms: &'a Terms, bytes: &'a [u8], corners: &'a [u8]) -> Builder<'a> {
        let mut values = Builder { terms, bytes: corners.iter(), model: Model::new(), values: Vec::new() };
        let values = (0..3).map(|_| values.number(70)).collect();
        Builder { terms, bytes: bytes.iter(), model: Model::new(), values }
    }

    /// The next byte; zero at the end.
    pub fn byte(&mut self) -> u32 {
        u32::from(self.bytes.next().copied().unwrap_or(0))
    }

    /// A value near the corners more often than not.
    fn number(&mut self, width: u32) -> BigUint {
        let byte = self.byte();
        let value = match byte % 6 {
            0 => BigUint::zero(),
            1 => BigUint::one(),
            2 => modulus(width) - 1u32,
            3 => modulus(width - 1),
            4 => BigUint::from(self.byte()),
            _ => (0..9).fold(BigUint::zero(), |res, _| (res << 8u32) + self.byte()),
        };
        value % modulus(width)
    }

    fn leaf(&mut self, width: u32) -> Pair {
        let constant = self.byte().is_multiple_of(2);
        if width == 0 {
            let index = self.byte() as usize % 3;
            let value = self.values[index].bit(0);
            let symbol = self.terms.symbol(&format!("b{index}"), Sort::Bool, effigy_term::SymbolKind::Input);
            self.model.set(symbol, Value::Bool(value));
            let term = if constant { self.terms.bool(value) } else { self.terms.of_symbol(symbol) };
            return Pair { term, value: BigUint::from(u32::from(value)) };
        }
        let w = Width::of(width);
        if constant {
            let value = self.number(width);
            let term = self.terms.bv(BvValue::from_biguint(w, value.clone()));
            return Pair { term, value };
        }
        let index = self.byte() as usize % 3;
        let value = &self.values[index] % modulus(width);
        let symbol = self.terms.symbol(&format!("x{index}w{width}"), Sort::BitVec(w), effigy_term::SymbolKind::Input);
        self.model.set(symbol, Value::BitVec(BvValue::from_biguint(w, value.clone())));
        Pair { term: self.terms.of_symbol(symbol), value }
    }

    /// A bit width of [`WIDTHS`], chosen by the next byte.
    pub fn width(&mut self) -> u32 {
        WIDTHS[self.byte() as usize % WIDTHS.len()]
    }

    /// A truth value of at most this depth.
    pub fn bool(&mut self, depth: u32) -> Pair {
        let terms = self.terms;
        let of = |term: Term, value: bool| Pair { term, value: BigUint::from(u32::from(value)) };
        if depth == 0 {
            return self.leaf(0);
        }
        match self.byte() % 9 {
            0 => {
                let a = self.bool(depth - 1);
                of(terms.not(a.term), a.value.is_zero())
            }
            1 => {
                let (a, b) = (self.bool(depth - 1), self.bool(depth - 1));
                of(terms.and(a.term, b.term), a.value.is_one() && b.value.is_one())
            }
            2 => {
                let (a, b) = (self.bool(depth - 1), self.bool(depth - 1));
                of(terms.or(a.term, b.term), a.value.is_one() || b.value.is_one())
            }
            3 => {
                let (a, b) = (self.bool(depth - 1), self.bool(depth - 1));
                of(terms.eq(a.term, b.term), a.value == b.value)
            }
            4 => {
                let (c, a, b) = (self.bool(depth - 1), self.bool(depth - 1), self.bool(depth - 1));
                let value = if c.value.is_one() { &a.value } else { &b.value };
                of(terms.ite(c.term, a.term, b.term), value.is_one())
            }
            5 | 6 => {
                let width = self.width();
                let (a, b) = (self.word(width, depth - 1), self.word(width, depth - 1));
                of(terms.eq(a.term, b.term), a.value == b.value)
            }
            7 => {
                let width = self.width();
                let (a, b) = (self.word(width, depth - 1), self.word(width, depth - 1));
                of(terms.bv_ult(a.term, b.term), a.value < b.value)
            }
            _ => {
                let width = self.width();
                let (a, b) = (self.word(width, depth - 1), self.word(width, depth - 1));
                of(terms.bv_slt(a.term, b.term), signed(&a.value, width) < signed(&b.value, width))
            }
        }
    }

    /// A bitvector of at most this depth.
    pub fn word(&mut self, width: u32, depth: u32) -> Pair {
        let terms = self.terms;
        if depth == 0 {
            return self.leaf(width);
        }
        let of = |term: Term, value: BigUint| Pair { term, value: value % modulus(width) };
        match self.byte() % 20 {
            0 => {
                let (a, b) = (self.word(width, depth - 1), self.word(width, depth - 1));
                of(terms.bv_add(a.term, b.term), a.value + b.value)
            }
            1 => {
                let (a, b) = (self.word(width, depth - 1), self.word(width, depth - 1));
                of(terms.bv_sub(a.term, b.term), a.value + modulus(width) - b.value)
            }
            2 => {
                let (a, b) = (self.word(width, depth - 1), self.word(width, depth - 1));
                of(terms.bv_mul(a.term, b.term), a.value * b.value)
            }
            op @ 3..=6 => {
                let (a, b) = (self.word(width, depth - 1), self.word(width, depth - 1));
                let (x, y) = (signed(&a.value, width), signed(&b.value, width));
                let zero = b.value.is_zero();
                match op {
                    3 => of(
                        terms.bv_udiv(a.term, b.term),
                        if zero { modulus(width) - 1u32 } else { &a.value / &b.value },
                    ),
                    4 => of(terms.bv_urem(a.term, b.term), if zero { a.value.clone() } else { &a.value % &b.value }),
                    5 => {
                        let quotient = match (zero, x.is_negative()) {
                            (true, true) => BigInt::one(),
                            (true, false) => -BigInt::one(),
                            (false, _) => x / y,
                        };
                        of(terms.bv_sdiv(a.term, b.term), unsigned(&quotient, width))
                    }
                    _ => {
                        let rest = if zero { x } else { x % y };
                        of(terms.bv_srem(a.term, b.term), unsigned(&rest, width))
                    }
                }
            }
            op @ 7..=9 => {
                let (a, b) = (self.word(width, depth - 1), self.word(width, depth - 1));
                let (op, value) = match op {
                    7 => (BvOp::And, a.value & b.value),
                    8 => (BvOp::Or, a.value | b.value),
                    _ => (BvOp::Xor, a.value ^ b.value),
                };
                of(terms.bv_op(op, a.term, b.term), value)
            }
            op @ 10..=12 => {
                let (a, b) = (self.word(width, depth - 1), self.word(width, depth - 1));
                let amount = b.value.to_u32().unwrap_or(u32::MAX).min(width);
                match op {
                    10 => of(terms.bv_shl(a.term, b.term), a.value << amount),
                    11 => of(terms.bv_lshr(a.term, b.term), a.value >> amount),
                    _ => {
                        let shifted = signed(&a.value, width) >> amount;
                        of(terms.bv_ashr(a.term, b.term), unsigned(&shifted, width))
                    }
                }
            }
            13 => {
                let a = self.word(width, depth - 1);
                of(terms.bv_not(a.term), modulus(width) - 1u32 - a.value)
            }
            14 => {
                let (c, a, b) = (self.bool(depth - 1), self.word(width, depth - 1), self.word(width, depth - 1));
                let value = if c.value.is_one() { a.value } else { b.value };
                of(terms.ite(c.term, a.term, b.term), value)
            }
            15 => {
                let larger = width + self.byte() % 40;
                let low = self.byte() % (larger - width + 1);
                let a = self.word(larger, depth - 1);
                of(terms.bv_extract(low + width - 1, low, a.term), a.value >> low)
            }
            16 | 17 if width > 1 => {
                let cut = 1 + self.byte() % (width - 1);
                let (high, low) = (self.word(width - cut, depth - 1), self.word(cut, depth - 1));
                of(terms.bv_concat(high.term, low.term), (high.value << cut) + low.value)
            }
            18 => {
                let narrow = 1 + self.byte() % width;
                let a = self.word(narrow, depth - 1);
                of(terms.bv_zero_extend(Width::of(width), a.term), a.value)
            }
            _ => {
                let narrow = 1 + self.byte() % width;
                let a = self.word(narrow, depth - 1);
                of(terms.bv_sign_extend(Width::of(width), a.term), unsigned(&signed(&a.value, narrow), width))
            }
        }
    }
}
