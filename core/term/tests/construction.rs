//! Every construction agrees with an evaluation that knows nothing of terms.
//!
//! A program of bytes builds an expression twice: as a term, through the simplifying constructors, and as a value,
//! by arithmetic on `BigInt` alone. Proptest shrinks the program.

use effigy_term::eval::Evaluator;
use effigy_term::range::Ranges;
use effigy_term::{BvOp, BvValue, Model, Sort, Term, Terms, Value, Width};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};
use proptest::prelude::*;

/// Widths that matter: one bit, bytes, odd ones, words, wider than a word.
const WIDTHS: &[u32] = &[1, 3, 8, 16, 32, 64, 70];

/// A term with its value, the value always as an unsigned number.
#[derive(Clone, Debug)]
struct Pair {
    term: Term,
    value: BigUint,
}

struct Builder<'a> {
    terms: &'a Terms,
    bytes: std::slice::Iter<'a, u8>,
    model: Model,
    values: Vec<BigUint>,
}

fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
}

fn signed(value: &BigUint, width: u32) -> BigInt {
    let value = BigInt::from(value.clone());
    if value >= BigInt::from(modulus(width - 1)) { value - BigInt::from(modulus(width)) } else { value }
}

fn unsigned(value: &BigInt, width: u32) -> BigUint {
    let modulus = BigInt::from(modulus(width));
    (((value % &modulus) + &modulus) % &modulus).to_biguint().expect("a remainder is not negative")
}

impl Builder<'_> {
    fn byte(&mut self) -> u32 {
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

    fn width(&mut self) -> u32 {
        WIDTHS[self.byte() as usize % WIDTHS.len()]
    }

    fn bool(&mut self, depth: u32) -> Pair {
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

    fn word(&mut self, width: u32, depth: u32) -> Pair {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn bitvectors_and_truth_values(bytes in prop::collection::vec(any::<u8>(), 0..160), corners in prop::collection::vec(any::<u8>(), 0..30)) {
        let terms = Terms::new();
        let mut builder = Builder { terms: &terms, bytes: corners.iter(), model: Model::new(), values: Vec::new() };
        let values = (0..3).map(|_| builder.number(70)).collect();
        let mut builder = Builder { terms: &terms, bytes: bytes.iter(), model: Model::new(), values };
        let pair = builder.bool(5);
        let value = Evaluator::new(&terms, &builder.model).truth(pair.term);
        prop_assert_eq!(value, Some(pair.value.is_one()), "{}", effigy_term::print::math(&terms, pair.term));
        let width = builder.width();
        let pair = builder.word(width, 5);
        let value = Evaluator::new(&terms, &builder.model).value(pair.term);
        let expected = Value::BitVec(BvValue::from_biguint(Width::of(width), pair.value));
        prop_assert_eq!(value, Some(expected), "{}", effigy_term::print::math(&terms, pair.term));
    }

    /// What holds is assumed; then no range excludes the value that a term has, no truth is the wrong one, and a
    /// condition written by its values has the same truth.
    #[test]
    fn ranges_contain_the_value(bytes in prop::collection::vec(any::<u8>(), 0..200), corners in prop::collection::vec(any::<u8>(), 0..30)) {
        let terms = Terms::new();
        let mut builder = Builder { terms: &terms, bytes: corners.iter(), model: Model::new(), values: Vec::new() };
        let values = (0..3).map(|_| builder.number(70)).collect();
        let mut builder = Builder { terms: &terms, bytes: bytes.iter(), model: Model::new(), values };
        let mut ranges = Ranges::new(&terms);
        for _ in 0..builder.byte() % 5 {
            let depth = 1 + builder.byte() % 3;
            let pair = builder.bool(depth);
            ranges.assume(if pair.value.is_one() { pair.term } else { terms.not(pair.term) });
            let by_values = Evaluator::new(&terms, &builder.model).truth(terms.by_values(pair.term));
            prop_assert_eq!(by_values, Some(pair.value.is_one()), "{}", effigy_term::print::math(&terms, pair.term));
        }
        for depth in 0..4 {
            let pair = builder.bool(depth);
            if let Some(truth) = ranges.truth(pair.term) {
                prop_assert_eq!(truth, pair.value.is_one(), "{}", effigy_term::print::math(&terms, pair.term));
            }
            let width = builder.width();
            let pair = builder.word(width, depth);
            if let Some(range) = ranges.range(pair.term) {
                let (low, high) = range.unsigned();
                let value = BigInt::from(pair.value.clone());
                prop_assert!(BigInt::from(low) <= value && value <= BigInt::from(high), "{value} in {range:?}");
                let (low, high) = range.signed();
                let value = signed(&pair.value, width);
                prop_assert!(BigInt::from(low) <= value && value <= BigInt::from(high), "{value} in {range:?}");
            }
        }
    }
}

#[test]
fn deep_terms_need_no_stack() {
    let small = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        let terms = Terms::new();
        let width = Width::W32;
        let mut term = terms.input("x", Sort::BitVec(width));
        for at in 0..50_000 {
            let other = terms.input(&format!("y{}", at % 7), Sort::BitVec(width));
            term = terms.bv_mul(terms.bv_xor(term, other), other);
        }
        let model = Model::new();
        assert!(Evaluator::new(&terms, &model).value(term).is_some());
        assert!(!effigy_term::print::math(&terms, term).is_empty());
        let mut text = String::new();
        effigy_term::print::SmtPrinter::new().define(&terms, term, &mut text);
        assert!(text.len() > 1_000_000);
        assert_eq!(terms.rename_undefined(term), term);
    });
    small.expect("a thread starts").join().expect("no overflow");
}
