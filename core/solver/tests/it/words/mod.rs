//! Random words and conditions of two symbols of 5 bits, of which all values can be tried.
#![allow(dead_code, reason = "each test uses a part")]

use effigy_term::eval::Evaluator;
use effigy_term::{BvOp, BvValue, Model, Sort, Symbol, Term, Terms, Value, Width};

const OPS: [BvOp; 9] =
    [BvOp::Mul, BvOp::UDiv, BvOp::URem, BvOp::SDiv, BvOp::SRem, BvOp::And, BvOp::Xor, BvOp::Shl, BvOp::AShr];

pub const SYMBOLS: [&str; 2] = ["x", "y"];

pub fn symbol(terms: &Terms, name: &str) -> Term {
    terms.input(name, Sort::BitVec(Width::of(WIDTHS[0])))
}

/// Two symbols of 5 bits, and words made of them at 5 and at 12 bits.
pub struct Words<'a> {
    terms: &'a Terms,
    of: [Vec<Term>; 2],
}

pub const WIDTHS: [u32; 2] = [5, 12];

impl<'a> Words<'a> {
    pub fn new(terms: &'a Terms) -> Words<'a> {
        let wide = Width::of(WIDTHS[1]);
        let of: Vec<Term> = SYMBOLS.iter().map(|it| symbol(terms, it)).collect();
        let extended = of.iter().map(|&it| terms.bv_sign_extend(wide, it)).collect();
        Words { terms, of: [of, extended] }
    }

    pub fn pick(&self, wide: usize, at: u8) -> Term {
        self.of[wide][at as usize % self.of[wide].len()]
    }

    /// One more word, from four bytes.
    pub fn grow(&mut self, [kind, which, left, right]: [u8; 4]) {
        let (terms, wide) = (self.terms, usize::from(which & 1 == 1));
        let (a, b) = (self.pick(wide, left), self.pick(wide, right));
        let constant = terms.bv_u64(Width::of(WIDTHS[wide]), u64::from(right) % 40);
        let word = match kind % 16 {
            it @ 0..=8 if which & 2 == 0 => terms.bv_op(OPS[it as usize], a, b),
            it @ 0..=8 => terms.bv_op(OPS[it as usize], a, constant),
            9 | 10 => terms.bv_add(a, b),
            11 => terms.bv_add(terms.bv_mul(a, constant), b),
            12 => terms.ite(terms.bv_slt(a, b), a, b),
            13 | 14 => self.read_table(wide, which, left, right),
            _ => {
                let wider = terms.bv_sign_extend(Width::of(WIDTHS[1]), self.pick(0, left));
                self.of[1].push(wider);
                return;
            }
        };
        self.of[wide].push(word);
    }

    /// An element of a table with some elements of its own at constant places, the last of them perhaps at a place that
    /// is not known.
    pub fn read_table(&self, wide: usize, which: u8, left: u8, right: u8) -> Term {
        let terms = self.terms;
        let (index, element) = (Width::of(WIDTHS[0]), Width::of(WIDTHS[wide]));
        let sorts = terms.array_sort(Sort::BitVec(index), Sort::BitVec(element));
        let mut table = terms.const_array(sorts, self.pick(wide, right));
        for at in 0..which % 8 {
            let place = terms.bv_u64(index, u64::from(at.wrapping_mul(left)) % 32);
            table = terms.store(table, place, terms.bv_u64(element, u64::from(at ^ right)));
        }
        if which & 8 == 8 {
            table = terms.store(table, self.pick(0, right), self.pick(wide, left));
        }
        terms.select(table, self.pick(0, left))
    }

    /// A condition, mostly a bound.
    pub fn cond(&self, [kind, which, left, right]: [u8; 4]) -> Term {
        let (terms, wide) = (self.terms, usize::from(which & 1 == 1));
        let (a, b) = (self.pick(wide, left), self.pick(wide, right));
        let constant = terms.bv_u64(Width::of(WIDTHS[wide]), u64::from(right) % 40);
        match kind % 7 {
            0 => terms.bv_ult(a, constant),
            1 => terms.bv_slt(constant, a),
            2 => terms.bv_slt(a, constant),
            3 => terms.not(terms.bv_ult(a, constant)),
            4 => terms.eq(a, constant),
            5 => terms.bv_slt(a, b),
            _ => terms.ne(a, b),
        }
    }
}

/// The conditions of a path, one after the other.
pub fn conditions(terms: &Terms, steps: &[([u8; 4], bool)]) -> Vec<Term> {
    let mut words = Words::new(terms);
    let mut res = Vec::new();
    for &(bytes, is_cond) in steps {
        if is_cond {
            res.push(words.cond(bytes));
        } else {
            words.grow(bytes);
        }
    }
    res
}

/// Each assignment of values to these symbols of 5 bits.
pub fn assignments(symbols: Vec<Symbol>) -> impl Iterator<Item = Model> {
    (0..1u64 << (5 * symbols.len())).map(move |values| {
        let mut model = Model::new();
        for (at, &symbol) in symbols.iter().enumerate() {
            model.set(symbol, Value::BitVec(BvValue::from_u64(Width::of(WIDTHS[0]), values >> (5 * at))));
        }
        model
    })
}

pub fn satisfiable_by_trying(terms: &Terms, conds: &[Term]) -> bool {
    let all = terms.and_all(conds.to_vec());
    assignments(terms.symbols(all).to_vec()).any(|it| Evaluator::new(terms, &it).truth(all) == Some(true))
}
