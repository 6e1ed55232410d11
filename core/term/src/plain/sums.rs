//! What is said of one sum of integers in several conjuncts, said once: of `n ≥ 1`, `n ≠ 1`, `n ≥ 2` is left.
//!
//! Knows: the integers that comparisons with constants leave. Never: machine integers (`ranges`), a solver.

use super::known::{Fact, facts};
use crate::node::Term;
use crate::terms::Terms;
use num_bigint::BigInt;

/// What is known of one sum of integers.
struct Bounds {
    /// The sum without its constant.
    sum: Term,
    low: Option<BigInt>,
    high: Option<BigInt>,
    not: Vec<BigInt>,
    /// Where the last conjunct about it stood.
    last: usize,
}

/// What is said of one sum of integers in several conjuncts, said once: `x ≥ 1 ∧ x ≤ 1` is `x = 1`,
/// `x ≥ 1 ∧ x ≠ 1` is `x ≥ 2`.
pub(super) fn sums(terms: &Terms, conjuncts: Vec<Term>) -> Vec<Term> {
    let mut about: Vec<Bounds> = Vec::new();
    let mut rest: Vec<(usize, Term)> = Vec::new();
    for (at, &cond) in conjuncts.iter().enumerate() {
        let Some((sum, facts)) = facts(terms, cond) else {
            rest.push((at, cond));
            continue;
        };
        let index = about.iter().position(|it| it.sum == sum).unwrap_or_else(|| {
            about.push(Bounds { sum, low: None, high: None, not: Vec::new(), last: at });
            about.len() - 1
        });
        let bounds = &mut about[index];
        bounds.last = at;
        for fact in facts {
            match fact {
                Fact::AtLeast(it) => raise(&mut bounds.low, it),
                Fact::AtMost(it) => lower(&mut bounds.high, it),
                Fact::Not(it) => bounds.not.push(it),
            }
        }
    }
    for mut it in about {
        it.not.sort();
        it.not.dedup();
        while let Some(low) = it.low.clone()
            && it.not.contains(&low)
        {
            it.not.retain(|value| *value != low);
            it.low = Some(low + 1);
        }
        while let Some(high) = it.high.clone()
            && it.not.contains(&high)
        {
            it.not.retain(|value| *value != high);
            it.high = Some(high - 1);
        }
        let (low, high) = (it.low.clone(), it.high.clone());
        it.not.retain(|value| {
            low.as_ref().is_none_or(|low| value > low) && high.as_ref().is_none_or(|high| value < high)
        });
        let number = |value: &BigInt| terms.int(value.clone());
        match (&low, &high) {
            (Some(value), Some(other)) if value == other => rest.push((it.last, terms.eq(it.sum, number(value)))),
            _ => {
                rest.extend(low.iter().map(|value| (it.last, terms.int_le(number(value), it.sum))));
                rest.extend(high.iter().map(|value| (it.last, terms.int_le(it.sum, number(value)))));
            }
        }
        rest.extend(it.not.iter().map(|value| (it.last, terms.ne(it.sum, number(value)))));
    }
    rest.sort_by_key(|it| it.0);
    rest.into_iter().map(|it| it.1).filter(|&it| terms.as_bool(it) != Some(true)).collect()
}

fn raise(bound: &mut Option<BigInt>, value: BigInt) {
    if bound.as_ref().is_none_or(|it| *it < value) {
        *bound = Some(value);
    }
}

fn lower(bound: &mut Option<BigInt>, value: BigInt) {
    if bound.as_ref().is_none_or(|it| *it > value) {
        *bound = Some(value);
    }
}
