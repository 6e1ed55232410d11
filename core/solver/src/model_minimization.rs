//! Minimizes a model for readers: values that do not matter become zero, and the others are brought near zero.
//!
//! Knows: evaluation. Never: a solver.

use effigy_term::eval::{Evaluator, default_value};
use effigy_term::value::ArrayValue;
use effigy_term::{BvValue, Model, Symbol, Term, Terms, Value};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::sync::Arc;

/// Longer numbers stay as they are, and so do arrays with more exceptions.
const MOST_BITS: u64 = 256;
const MOST_ELEMENTS: usize = 32;

/// So many of the lowest bits of a number are tried alone.
const LOWEST: [u32; 4] = [4, 8, 16, 32];

/// Minimizes a model. `about` returns the conjuncts that mention a symbol, and perhaps more. Each symbol in turn is zero
/// where it can be, else each of its bits is, from the highest, where it can be; the bits of a negative number are one, so
/// that it is near zero as well. Of an array as many elements as can be are as all others, and what is left is near zero.
/// The same each time. At most so many terms are evaluated.
pub(crate) fn minimize_model(
    terms: &Terms,
    model: Model,
    symbols: impl IntoIterator<Item = Symbol>,
    about: impl Fn(Symbol) -> Vec<Term>,
    most_terms: usize,
) -> Model {
    let mut search = Search { terms, model, left: most_terms };
    let mut symbols: Vec<Symbol> = symbols.into_iter().collect();
    symbols.sort_unstable();
    symbols.dedup();
    for symbol in symbols {
        if search.may_shrink(symbol) {
            search.shrink(symbol, about(symbol));
        }
    }
    search.model
}

struct Search<'a> {
    terms: &'a Terms,
    model: Model,
    left: usize,
}

impl Search<'_> {
    /// Whether there is anything smaller, and room to look for it.
    fn may_shrink(&self, symbol: Symbol) -> bool {
        let zero = || default_value(self.terms, self.terms.symbol_info(symbol).sort);
        self.left > 0 && self.model.get(symbol).is_some_and(|it| *it != zero())
    }

    /// Of `about` only what mentions the symbol matters.
    fn shrink(&mut self, symbol: Symbol, about: Vec<Term>) {
        let Some(value) = self.model.get(symbol).cloned() else { return };
        let zero = default_value(self.terms, self.terms.symbol_info(symbol).sort);
        self.left = self.left.saturating_sub(about.len());
        let mentions = |it: &Term| self.terms.symbols(*it).binary_search(&symbol).is_ok();
        let conjuncts: Vec<Term> = about.into_iter().filter(mentions).collect();
        if self.holds(symbol, zero, &conjuncts) {
            return;
        }
        match value {
            Value::BitVec(value) => self.shrink_bits(symbol, value, &conjuncts),
            Value::Int(value) => self.shrink_number(symbol, &value, &|_, it| Some(Value::Int(it)), &conjuncts),
            Value::Array(array) => self.shrink_array(symbol, array, &conjuncts),
            _ => {}
        }
    }

    fn shrink_bits(&mut self, symbol: Symbol, mut value: BvValue, conjuncts: &[Term]) {
        let width = value.width();
        let sign = BvValue::min_signed(width);
        if value.is_negative() && self.holds(symbol, Value::BitVec(value.xor(&sign)), conjuncts) {
            value = value.xor(&sign);
        }
        // What is asked of a remainder may be asked of the lowest bits alone.
        let lowest = |bits: u32| value.and(&BvValue::one(width).shl_bits(bits).sub(&BvValue::one(width)));
        let mut lows = LOWEST.into_iter().filter(|&it| it < width.bits()).map(lowest).filter(|it| *it != value);
        if let Some(low) = lows.find(|it| self.holds(symbol, Value::BitVec(it.clone()), conjuncts)) {
            value = low;
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
                [nearer, far].into_iter().find(|it| self.holds(symbol, Value::BitVec(it.clone()), conjuncts))
            {
                value = it;
            }
        }
    }

    /// A number of the value that `within` puts it into.
    fn shrink_number(
        &mut self,
        symbol: Symbol,
        value: &BigInt,
        within: &dyn Fn(&Value, BigInt) -> Option<Value>,
        conjuncts: &[Term],
    ) {
        let mut takes = |it: BigInt| {
            let whole = self.model.get(symbol).and_then(|now| within(now, it));
            whole.is_some_and(|it| self.holds(symbol, it, conjuncts))
        };
        if value.is_zero() || value.bits() > MOST_BITS || takes(BigInt::zero()) {
            return;
        }
        let mut size = value.abs();
        let negative = value.is_negative() && !takes(size.clone());
        let signed = |it: &BigInt| if negative { -it } else { it.clone() };
        for bit in (0..size.bits()).rev() {
            if !size.bit(bit) {
                continue;
            }
            // Nearer to zero in this bit, whatever is below it; or as far from zero below it as can be.
            let flip = BigInt::from(1) << bit;
            let nearer = &size - &flip;
            let far = &nearer | (&flip - 1);
            if let Some(it) = [nearer, far].into_iter().find(|it| takes(signed(it))) {
                size = it;
            }
        }
    }

    fn shrink_array(&mut self, symbol: Symbol, array: Arc<ArrayValue>, conjuncts: &[Term]) {
        if array.entries.len() > MOST_ELEMENTS {
            return;
        }
        if let Value::Int(_) = array.default {
            let mut other = ArrayValue { default: Value::Int(BigInt::zero()), entries: array.entries.clone() };
            other.entries.retain(|_, it| *it != other.default);
            self.holds(symbol, Value::Array(other.into()), conjuncts);
        }
        for (index, element) in &array.entries {
            let Some(Value::Array(now)) = self.model.get(symbol) else { return };
            let default = now.default.clone();
            if with_element(&Value::Array(Arc::clone(now)), index, default)
                .is_some_and(|it| self.holds(symbol, it, conjuncts))
            {
                continue;
            }
            if let Value::Int(value) = element {
                let within = |now: &Value, it: BigInt| with_element(now, index, Value::Int(it));
                self.shrink_number(symbol, value, &within, conjuncts);
            }
        }
        if let Value::Int(value) = &array.default {
            let within = |now: &Value, it: BigInt| {
                let Value::Array(now) = now else { return None };
                let mut res = ArrayValue { default: Value::Int(it), entries: now.entries.clone() };
                res.entries.retain(|_, it| *it != res.default);
                Some(Value::Array(res.into()))
            };
            self.shrink_number(symbol, value, &within, conjuncts);
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

/// The array with another element.
fn with_element(array: &Value, index: &Value, element: Value) -> Option<Value> {
    let Value::Array(array) = array else { return None };
    let mut res = ArrayValue::clone(array);
    match element == res.default {
        true => drop(res.entries.remove(index)),
        false => drop(res.entries.insert(index.clone(), element)),
    }
    Some(Value::Array(res.into()))
}
