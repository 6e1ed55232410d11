//! A model in which what does not matter is zero, and what does is near zero: it reads better.
//!
//! Knows: evaluation. Never: a solver.

use crate::PathCondition;
use effigy_term::eval::{Evaluator, default_value};
use effigy_term::{BvValue, Model, Symbol, Term, Terms, Value};

/// Conjuncts that are looked at and terms that are evaluated for one model: a report is not worth more.
const MOST_TERMS: usize = 200_000;

/// A model of the path condition, made of one of its models: each symbol of Booleans or bitvectors in turn is zero
/// where it can be, else each of its bits is, from the highest, where it can be; the bits of a negative number are one,
/// so that it is near zero as well. The same each time.
pub fn smaller(terms: &Terms, path: &PathCondition, model: &Model) -> Model {
    let mut search = Search { terms, model: model.clone(), left: MOST_TERMS };
    let mut symbols: Vec<Symbol> = model.symbols().map(|it| it.0).collect();
    symbols.sort_unstable();
    for symbol in symbols {
        search.shrink(symbol, path);
    }
    search.model
}

struct Search<'a> {
    terms: &'a Terms,
    model: Model,
    left: usize,
}

impl Search<'_> {
    fn shrink(&mut self, symbol: Symbol, path: &PathCondition) {
        let zero = default_value(self.terms, self.terms.symbol_info(symbol).sort);
        let value = match self.model.get(symbol) {
            Some(value @ (Value::Bool(_) | Value::BitVec(_))) if *value != zero => value.clone(),
            _ => return,
        };
        let factors = path.touched(&[symbol]);
        let about: Vec<Term> = factors.iter().flat_map(|it| it.conjuncts()).copied().collect();
        self.left = self.left.saturating_sub(about.len());
        let conjuncts: Vec<Term> = about.into_iter().filter(|&it| self.terms.symbols(it).contains(&symbol)).collect();
        if self.holds(symbol, zero, &conjuncts) {
            return;
        }
        let Value::BitVec(mut value) = value else { return };
        let width = value.width();
        let sign = BvValue::min_signed(width);
        if value.is_negative() && self.holds(symbol, Value::BitVec(value.xor(&sign)), &conjuncts) {
            value = value.xor(&sign);
        }
        let negative = value.is_negative();
        for bit in (0..width.bits()).rev() {
            if value.bit(bit) == negative {
                continue;
            }
            // Nearer to zero in this bit, whatever is below it; or as far from zero below it as can be.
            let flip = BvValue::one(width).shl_bits(bit);
            let below = flip.sub(&BvValue::one(width));
            let nearer = value.xor(&flip);
            let far = if negative { nearer.and(&below.not()) } else { nearer.or(&below) };
            if let Some(it) =
                [nearer, far].into_iter().find(|it| self.holds(symbol, Value::BitVec(it.clone()), &conjuncts))
            {
                value = it;
            }
        }
    }

    /// Takes the value, if the conjuncts are true with it.
    fn holds(&mut self, symbol: Symbol, value: Value, conjuncts: &[Term]) -> bool {
        let before = match self.model.get(symbol) {
            Some(it) if self.left > 0 => it.clone(),
            _ => return false,
        };
        self.model.set(symbol, value);
        let mut evaluator = Evaluator::new(self.terms, &self.model);
        let all = conjuncts.iter().all(|&it| evaluator.truth(it) == Some(true));
        self.left = self.left.saturating_sub(evaluator.into_memo().len() + 1);
        if !all {
            self.model.set(symbol, before);
        }
        all
    }
}
