//! Conditions: comparisons, connectives, quantifiers.
//!
//! Knows: which operands matter, and which quantifiers can be written out. Never: numbers (`evaluate`).

use super::{EvalResult, Evaluation};
use crate::code::{Cond, Expr};
use crate::syntax::Comparison;
use effigy_term::{Sort, SymbolKind, Term};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// A quantifier over a known range of at most this many values is expanded.
const MOST_INSTANCES: usize = 2048;

impl Evaluation<'_, '_> {
    pub(crate) fn condition(&mut self, cond: &Cond) -> EvalResult<Term> {
        let terms = self.terms();
        match cond {
            Cond::Constant(value) => Ok(terms.bool(*value)),
            Cond::Compare(op, a, b) => {
                let a = self.number(a)?;
                let b = self.number(b)?;
                Ok(self.compare(*op, a, b))
            }
            Cond::Not(inner) => {
                let inner = self.condition(inner)?;
                Ok(terms.not(inner))
            }
            Cond::And(a, b) => {
                let a = self.condition(a)?;
                let b = self.guarded(a, b)?;
                Ok(terms.and(a, b))
            }
            Cond::Or(a, b) => {
                let a = self.condition(a)?;
                let b = self.guarded(terms.not(a), b)?;
                Ok(terms.or(a, b))
            }
            Cond::Implies(a, b) => {
                let a = self.condition(a)?;
                let b = self.guarded(a, b)?;
                Ok(terms.implies(a, b))
            }
            Cond::Quantifier(universal, variables, body) => self.quantifier(*universal, variables, body),
        }
    }

    /// A condition that only matters where `guard` holds: its questions are asked there only.
    fn guarded(&mut self, guard: Term, cond: &Cond) -> EvalResult<Term> {
        let terms = self.terms();
        if terms.as_bool(guard) == Some(false) {
            return Ok(terms.bool(true));
        }
        self.where_it_holds(guard, |it| it.condition(cond))
    }

    /// What is computed only where `guard` holds.
    pub(super) fn where_it_holds(
        &mut self,
        guard: Term,
        compute: impl FnOnce(&mut Self) -> EvalResult<Term>,
    ) -> EvalResult<Term> {
        let outer = self.guard;
        self.guard = self.terms().and(outer, guard);
        let res = compute(self);
        self.guard = outer;
        res
    }

    fn compare(&mut self, op: Comparison, a: Term, b: Term) -> Term {
        let terms = self.terms();
        let res = match op {
            Comparison::Equal => terms.eq(a, b),
            Comparison::NotEqual => terms.ne(a, b),
            Comparison::Less => terms.int_lt(a, b),
            Comparison::LessEqual => terms.int_le(a, b),
            Comparison::Greater => terms.int_lt(b, a),
            Comparison::GreaterEqual => terms.int_le(b, a),
        };
        self.program.remember(terms, res, op);
        res
    }

    // Quantifiers.

    fn quantifier(&mut self, universal: bool, variables: &[Arc<str>], body: &Cond) -> EvalResult<Term> {
        let terms = self.terms();
        if variables.is_empty() {
            return self.condition(body);
        }
        // A variable with a known range is written out: this decides concrete runs.
        let ranges = self.known_ranges(universal, variables, body)?;
        for (at, variable) in variables.iter().enumerate() {
            let Some((low, high)) = &ranges[at] else { continue };
            let count = (high - low + 1u32).max(BigInt::from(0));
            let Some(count) = count.to_usize().filter(|it| self.instances + it <= MOST_INSTANCES) else { continue };
            self.instances += count;
            let others = variables.iter().enumerate().filter(|it| it.0 != at);
            let others: Vec<Arc<str>> = others.map(|it| Arc::clone(it.1)).collect();
            let mut instances = Vec::with_capacity(count);
            for step in 0..count {
                self.bound.push((Arc::clone(variable), terms.int(low + step)));
                let instance = self.quantifier(universal, &others, body);
                self.bound.pop();
                instances.push(instance?);
            }
            return Ok(if universal { terms.and_all(instances) } else { terms.or_all(instances) });
        }
        let mut symbols = Vec::with_capacity(variables.len());
        let depth = self.bound.len();
        for variable in variables {
            let symbol = terms.symbol(variable, Sort::Int, SymbolKind::Bound);
            symbols.push(symbol);
            self.bound.push((Arc::clone(variable), terms.of_symbol(symbol)));
        }
        let body = self.condition(body);
        self.bound.truncate(depth);
        let body = body?;
        Ok(if universal { terms.forall(&symbols, &[], body) } else { terms.exists(&symbols, &[], body) })
    }

    /// For each variable the values outside of which the body says nothing of it, where these are constants.
    fn known_ranges(
        &mut self,
        universal: bool,
        variables: &[Arc<str>],
        body: &Cond,
    ) -> EvalResult<Vec<Option<(BigInt, BigInt)>>> {
        let mut ranges = vec![Range::default(); variables.len()];
        let guard = match body {
            Cond::Implies(guard, _) if universal => guard,
            Cond::And(..) if !universal => body,
            _ => return Ok(vec![None; variables.len()]),
        };
        let index = |it: &Expr| match it.bare() {
            Expr::Bound(name) => variables.iter().position(|known| known == name),
            _ => None,
        };
        // Of two variables: the first is at most the second, less one if strict.
        let mut ordered: Vec<(usize, usize, bool)> = Vec::new();
        let mut work = vec![guard];
        while let Some(next) = work.pop() {
            let (op, a, b) = match next {
                Cond::And(a, b) => {
                    work.extend([&**a, &**b]);
                    continue;
                }
                Cond::Compare(op, a, b) => (*op, a, b),
                _ => continue,
            };
            let (at, op, other) = match (index(a), index(b)) {
                (Some(a), Some(b)) => {
                    match op {
                        Comparison::Less | Comparison::LessEqual => ordered.push((a, b, op == Comparison::Less)),
                        Comparison::Greater | Comparison::GreaterEqual => {
                            ordered.push((b, a, op == Comparison::Greater));
                        }
                        Comparison::Equal => ordered.extend([(a, b, false), (b, a, false)]),
                        Comparison::NotEqual => {}
                    }
                    continue;
                }
                (Some(at), None) => (at, op, b),
                (None, Some(at)) => (at, mirrored(op), a),
                (None, None) => continue,
            };
            if mentions(other, variables) {
                continue;
            }
            let other = self.number(other)?;
            let Some(value) = self.terms().as_int(other).cloned() else { continue };
            let range = &mut ranges[at];
            match op {
                Comparison::Greater => range.raise(value + 1),
                Comparison::GreaterEqual => range.raise(value),
                Comparison::Less => range.lower(value - 1),
                Comparison::LessEqual => range.lower(value),
                Comparison::Equal => {
                    range.raise(value.clone());
                    range.lower(value);
                }
                Comparison::NotEqual => {}
            }
        }
        // `1 <= I & I <= K & K <= 5` bounds both.
        for _ in 0..variables.len() {
            for &(less, greater, strict) in &ordered {
                if let Some(low) = ranges[less].low.clone() {
                    ranges[greater].raise(low + i32::from(strict));
                }
                if let Some(high) = ranges[greater].high.clone() {
                    ranges[less].lower(high - i32::from(strict));
                }
            }
        }
        Ok(ranges.into_iter().map(|it| it.low.zip(it.high)).collect())
    }
}

/// What is known of a variable of a quantifier.
#[derive(Clone, Default)]
struct Range {
    low: Option<BigInt>,
    high: Option<BigInt>,
}

impl Range {
    fn raise(&mut self, value: BigInt) {
        self.low = Some(self.low.take().map_or(value.clone(), |known| known.max(value)));
    }

    fn lower(&mut self, value: BigInt) {
        self.high = Some(self.high.take().map_or(value.clone(), |known| known.min(value)));
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: Comparison) -> Comparison {
    match op {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        Comparison::Equal | Comparison::NotEqual => op,
    }
}

/// Whether an expression mentions a variable of a quantifier whose value is not known yet.
fn mentions(expr: &Expr, variables: &[Arc<str>]) -> bool {
    match expr {
        Expr::Bound(name) => variables.contains(name),
        Expr::Element(_, a) | Expr::OldElement(_, a) | Expr::Abs(a) | Expr::At(_, a) => mentions(a, variables),
        Expr::Binary(_, a, b) => mentions(a, variables) || mentions(b, variables),
        // Only typed expressions have it, and these are computed once.
        Expr::Conditional(..) => true,
        Expr::Number(_) | Expr::Symbol(_) | Expr::Load(_) | Expr::Old(_) => false,
        Expr::LowerBound(_) | Expr::UpperBound(_) => false,
    }
}
