//! Expressions over unbounded integers, each with its value by arithmetic on `BigInt` alone.

use effigy_term::{Model, Sort, SymbolKind, Term, Terms, Value};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Reads bytes and builds expressions twice, over the symbols `n0`, `n1`, `n2`.
#[derive(Debug)]
pub struct Integers<'a> {
    terms: &'a Terms,
    bytes: std::slice::Iter<'a, u8>,
    /// The values of the symbols.
    pub model: Model,
    symbols: Vec<(Term, BigInt)>,
}

impl<'a> Integers<'a> {
    /// Expressions from `bytes`; the first three of them are the symbols' values.
    pub fn new(terms: &'a Terms, bytes: &'a [u8]) -> Integers<'a> {
        let mut res = Integers { terms, bytes: bytes.iter(), model: Model::new(), symbols: Vec::new() };
        for at in 0..3 {
            let value = BigInt::from(res.byte() as i8);
            let symbol = terms.symbol(&format!("n{at}"), Sort::Int, SymbolKind::Input);
            res.model.set(symbol, Value::Int(value.clone()));
            res.symbols.push((terms.of_symbol(symbol), value));
        }
        res
    }

    /// What the symbols equal, as a formula.
    pub fn pinned(&self) -> Term {
        let terms = self.terms;
        terms.and_all(self.symbols.iter().map(|(term, value)| terms.eq(*term, terms.int(value.clone()))))
    }

    fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    /// A truth value of at most this depth.
    pub fn truth(&mut self, depth: u32) -> (Term, bool) {
        let terms = self.terms;
        let op = self.byte() % if depth == 0 { 3 } else { 6 };
        if op >= 3 {
            let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
            return match op {
                3 => (terms.and(a.0, b.0), a.1 && b.1),
                4 => (terms.or(a.0, b.0), a.1 || b.1),
                _ => (terms.not(a.0), !a.1),
            };
        }
        let (a, b) = (self.number(depth), self.number(depth));
        match op {
            0 => (terms.int_le(a.0, b.0), a.1 <= b.1),
            1 => (terms.int_lt(a.0, b.0), a.1 < b.1),
            _ => (terms.eq(a.0, b.0), a.1 == b.1),
        }
    }

    /// A number of at most this depth.
    pub fn number(&mut self, depth: u32) -> (Term, BigInt) {
        let terms = self.terms;
        let op = self.byte() % if depth == 0 { 2 } else { 12 };
        match op {
            0 => {
                let at = usize::from(self.byte()) % 3;
                self.symbols[at].clone()
            }
            1 => {
                let value = BigInt::from(self.byte() as i8);
                (terms.int(value.clone()), value)
            }
            2..=4 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                match op {
                    2 => (terms.int_add(a.0, b.0), a.1 + b.1),
                    3 => (terms.int_sub(a.0, b.0), a.1 - b.1),
                    _ => (terms.int_mul(a.0, b.0), a.1 * b.1),
                }
            }
            5 => {
                let a = self.number(depth - 1);
                (terms.int_neg(a.0), -a.1)
            }
            6 => {
                let exponent = self.byte() % 4;
                let a = self.number(depth - 1);
                (terms.int_pow(a.0, terms.int(exponent)), a.1.pow(u32::from(exponent)))
            }
            7 => {
                let (c, a, b) = (self.truth(depth - 1), self.number(depth - 1), self.number(depth - 1));
                (terms.ite(c.0, a.0, b.0), if c.1 { a.1 } else { b.1 })
            }
            _ => {
                let (a, mut b) = (self.number(depth - 1), self.number(depth - 1));
                if b.1.is_zero() {
                    b = (terms.int(-3), BigInt::from(-3));
                }
                let euclidean = |a: &BigInt, b: &BigInt| ((a % b) + b.abs()) % b.abs();
                match op {
                    8 => (terms.int_quot(a.0, b.0), a.1 / b.1),
                    9 => (terms.int_rem(a.0, b.0), a.1 % b.1),
                    10 => {
                        let rest = euclidean(&a.1, &b.1);
                        (terms.int_div(a.0, b.0), (a.1 - rest) / b.1)
                    }
                    _ => (terms.int_mod(a.0, b.0), euclidean(&a.1, &b.1)),
                }
            }
        }
    }
}
