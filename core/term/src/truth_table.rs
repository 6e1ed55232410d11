//! Conditions on one symbol of at most 8 bits: at most 256 values, each tried once.
//!
//! Knows: evaluation. Never: conditions on several symbols.

use crate::bv::BvValue;
use crate::eval::{Evaluator, Memo};
use crate::model::Model;
use crate::node::{Node, Term};
use crate::sort::{Sort, Width};
use crate::symbol::Symbol;
use crate::terms::Terms;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Bit v is set when the condition holds for the value v.
pub type TruthTable = [u64; 4];

/// A condition is written as ranges only where they are few.
const MOST_RANGES: usize = 4;

/// A condition of fewer operators than this reads better as the program wrote it.
const FEW_OPERATORS: usize = 8;

/// Truth tables of conditions, each made once. It belongs to one arena of terms, and to whoever asks it: what it remembers
/// is a pure function of the terms.
#[derive(Debug, Default)]
pub struct TruthTables {
    tables: RefCell<FxHashMap<Term, Option<TruthTable>>>,
    by_values: RefCell<FxHashMap<Term, Term>>,
    /// What a table says of a symbol, as ranges. Paths of one loop say the same thousands of times.
    ranges: RefCell<FxHashMap<(Symbol, TruthTable), Option<Term>>>,
}

impl TruthTables {
    /// Nothing was asked yet.
    pub fn new() -> TruthTables {
        TruthTables::default()
    }

    /// The truth table of a condition on one symbol of at most 8 bits; `None` for other conditions, and where evaluation
    /// cannot decide.
    pub fn table(&self, terms: &Terms, cond: Term) -> Option<TruthTable> {
        let &[symbol] = terms.symbols(cond) else { return None };
        // Its truth depends on what the function is, too.
        if terms.applies_functions(cond) {
            return None;
        }
        if let Some(known) = self.tables.borrow().get(&cond) {
            return *known;
        }
        let sort = terms.symbol_info(symbol).sort;
        let table = small(sort).and_then(|count| {
            let mut res = [0; 4];
            let (mut model, mut memo) = (Model::new(), Memo::default());
            for value in 0..count {
                model.set(symbol, value_of(sort, value));
                let mut evaluator = Evaluator::resume(terms, &model, memo);
                if evaluator.truth(cond)? {
                    res[value as usize / 64] |= 1 << (value % 64);
                }
                // Only its room is kept.
                memo = evaluator.into_memo().emptied();
            }
            Some(res)
        });
        self.tables.borrow_mut().insert(cond, table);
        table
    }

    /// The truth of a condition under a model, where its table is known already.
    pub fn truth(&self, terms: &Terms, cond: Term, model: &Model) -> Option<bool> {
        let &[symbol] = terms.symbols(cond) else { return None };
        let table = (*self.tables.borrow().get(&cond)?)?;
        let value = match model.get(symbol) {
            Some(Value::BitVec(it)) => it.to_u64()?,
            Some(Value::Bool(it)) => u64::from(*it),
            Some(_) => return None,
            // As the evaluator has it.
            None => 0,
        };
        let word = table.get(value as usize / 64)?;
        Some(word >> (value % 64) & 1 == 1)
    }

    /// A long condition on one small bitvector, such as a look-up in a table of character classes, as the ranges of
    /// values that satisfy it. Any other term is returned as it is.
    pub fn by_values(&self, terms: &Terms, cond: Term) -> Term {
        if terms.symbols(cond).len() != 1 {
            return cond;
        }
        if let Some(known) = self.by_values.borrow().get(&cond) {
            return *known;
        }
        let res = is_long(terms, cond).then(|| self.as_ranges(terms, cond)).flatten().unwrap_or(cond);
        self.by_values.borrow_mut().insert(cond, res);
        res
    }

    /// A condition on one bitvector of at most 8 bits as the ranges of values that satisfy it; `None` for other
    /// conditions, and where the ranges are many.
    pub fn as_ranges(&self, terms: &Terms, cond: Term) -> Option<Term> {
        self.all_as_ranges(terms, &[cond])
    }

    /// The same for several conditions on one bitvector that hold together. Their conjunction is not evaluated: its table
    /// is what their tables share.
    pub fn all_as_ranges(&self, terms: &Terms, conds: &[Term]) -> Option<Term> {
        let &[symbol] = terms.symbols(*conds.first()?) else { return None };
        let mut table = [u64::MAX; 4];
        for &cond in conds {
            if terms.symbols(cond) != [symbol] {
                return None;
            }
            table.iter_mut().zip(self.table(terms, cond)?).for_each(|(all, it)| *all &= it);
        }
        self.table_as_ranges(terms, symbol, table)
    }

    /// That a bitvector of at most 8 bits is one of the values of a table; `None` where their ranges are many, and for what
    /// is no bitvector.
    pub fn table_as_ranges(&self, terms: &Terms, symbol: Symbol, table: TruthTable) -> Option<Term> {
        let Sort::BitVec(width) = terms.symbol_info(symbol).sort else { return None };
        let count = small(Sort::BitVec(width))?;
        *self.ranges.borrow_mut().entry((symbol, table)).or_insert_with(|| said(terms, symbol, width, &table, count))
    }
}

/// That a symbol is one of the values of a table; `None` where their ranges are many.
fn said(terms: &Terms, symbol: Symbol, width: Width, table: &TruthTable, count: u32) -> Option<Term> {
    let symbol = terms.of_symbol(symbol);
    let constant = |it: u32| terms.bv(BvValue::from_u64(width, u64::from(it)));
    let holds = ranges(table, count)?;
    let fails = ranges(&table.map(|it| !it), count);
    // All but one value reads better by what it is not.
    if let Some([(low, high)]) = fails.as_deref()
        && low == high
    {
        return Some(terms.ne(symbol, constant(*low)));
    }
    Some(terms.or_all(holds.iter().map(|&(low, high)| {
        if low == high {
            return terms.eq(symbol, constant(low));
        }
        terms.and(terms.bv_ule(constant(low), symbol), terms.bv_ule(symbol, constant(high)))
    })))
}

fn is_long(terms: &Terms, cond: Term) -> bool {
    let mut work = vec![cond];
    let mut seen = 0;
    while let Some(next) = work.pop() {
        let node = terms.node(next);
        if !matches!(node, Node::Symbol(_) | Node::BitVec(_) | Node::Bool(_)) {
            seen += 1;
        }
        if seen >= FEW_OPERATORS {
            return true;
        }
        node.for_each_argument(|it| work.push(it));
    }
    false
}

/// The maximal ranges of values in a table; `None` when they are many.
fn ranges(table: &TruthTable, count: u32) -> Option<Vec<(u32, u32)>> {
    // From one change to the next: a table is mostly of long runs.
    let next = |from: u32, bit: u64| -> u32 {
        let mut at = from;
        while at < count {
            let word = table[at as usize / 64] ^ bit.wrapping_sub(1);
            let rest = word >> (at % 64);
            if rest != 0 {
                return (at + rest.trailing_zeros()).min(count);
            }
            at = (at / 64 + 1) * 64;
        }
        count
    };
    let mut res: Vec<(u32, u32)> = Vec::new();
    let mut at = next(0, 1);
    while at < count {
        if res.len() == MOST_RANGES {
            return None;
        }
        let end = next(at, 0);
        res.push((at, end - 1));
        at = next(end, 1);
    }
    Some(res)
}

/// The number of values of a sort that has few.
fn small(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(2),
        Sort::BitVec(width) if width.bits() <= 8 => Some(1 << width.bits()),
        _ => None,
    }
}

/// Number `value` of a small sort.
pub fn value_of(sort: Sort, value: u32) -> Value {
    match sort {
        Sort::BitVec(width) => Value::BitVec(BvValue::from_u64(width, u64::from(value))),
        _ => Value::Bool(value == 1),
    }
}
