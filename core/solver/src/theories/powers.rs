//! Powers for solvers that know none: an uninterpreted function and instances of what defines it.
//!
//! Knows: x**0 = 1 and x**(e + 1) = x · x**e for e >= 0, at the exponents of a query. Never: the process.
//!
//! A power with a negative exponent is any number, here as in the evaluator. Instances follow from the definition,
//! so *unsatisfiable* is sound; a model must be evaluated.

use effigy_term::eval::Evaluator;
use effigy_term::{Model, Node, SymbolKind, Term, Terms, Value};
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

/// Powers of one base with exponents that differ by at most this are related.
const MOST_DIFFERENCE: u32 = 8;

/// Powers of a symbolic base up to this are spelled out as products.
const MOST_FACTORS: u32 = 4;

/// Powers of constants up to this are computed.
const MOST_COMPUTED: u32 = 256;

/// A query with more powers gets only the instances of the first ones.
const MOST_POWERS: usize = 40;

/// A power: `term` is `base ** exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Power {
    term: Term,
    base: Term,
    exponent: Term,
}

/// The powers in a query, in the order of their making; those of bound variables have no instances.
#[derive(Debug, Default)]
pub(crate) struct Powers {
    powers: Vec<Power>,
    /// The roots in which powers occur.
    roots: Vec<Term>,
}

impl Powers {
    /// The powers that occur in `roots`.
    pub(crate) fn of(terms: &Terms, roots: &[Term]) -> Powers {
        let mut res = Powers::default();
        let mut found = FxHashSet::default();
        for &root in roots {
            let mut seen = FxHashSet::default();
            let mut work = vec![root];
            let mut here = false;
            while let Some(term) = work.pop() {
                if !seen.insert(term) {
                    continue;
                }
                if let &Node::IntPow(base, exponent) = terms.node(term) {
                    here = true;
                    let bound = |it: &_| terms.symbol_info(*it).kind == SymbolKind::Bound;
                    if !terms.symbols(term).iter().any(bound) && found.insert(term) {
                        res.powers.push(Power { term, base, exponent });
                    }
                }
                terms.node(term).for_each_argument(|it| work.push(it));
            }
            if here {
                res.roots.push(root);
            }
        }
        res.powers.sort_unstable_by_key(|it| it.term);
        res.powers.truncate(MOST_POWERS);
        res
    }

    /// Instances of the definition of powers, as formulas.
    pub(crate) fn instances(&self, terms: &Terms) -> Vec<Term> {
        let mut res = Vec::new();
        let (zero, one) = (terms.int(0), terms.int(1));
        let mut powers = self.powers.clone();
        for &Power { term, base, exponent } in &self.powers {
            // match: (pow x e), e >= 1   result: (* x (pow x (- e 1)))
            let before = terms.int_sub(exponent, one);
            let less = terms.int_pow(base, before);
            let positive = terms.int_le(one, exponent);
            res.push(terms.implies(positive, terms.eq(term, terms.int_mul(base, less))));
            if let Node::IntPow(..) = terms.node(less) {
                powers.push(Power { term: less, base, exponent: before });
            }
            // match: (pow 1 e), e >= 0   result: 1
            let not_negative = terms.int_le(zero, exponent);
            res.push(terms.implies(terms.and(not_negative, terms.eq(base, one)), terms.eq(term, one)));
            // match: (pow 0 e), e >= 1   result: 0
            res.push(terms.implies(terms.and(positive, terms.eq(base, zero)), terms.eq(term, zero)));
        }
        for &power in &powers {
            // match: (pow x 0)   result: 1
            // match: (pow x 1)   result: x
            res.push(at(terms, power, 0));
            res.push(at(terms, power, 1));
            if let (Some(base), Some(exponent)) = (terms.as_int(power.base), terms.as_int(power.exponent))
                && let Some(exponent) = exponent.to_u32().filter(|it| *it <= MOST_COMPUTED)
            {
                res.push(terms.eq(power.term, terms.int(base.pow(exponent))));
            }
        }
        for above in &self.powers {
            for below in &self.powers {
                let difference = terms.int_sub(above.exponent, below.exponent);
                let difference = terms.as_int(difference).and_then(|it| it.to_u32());
                if let Some(difference) = difference.filter(|it| (1..=MOST_DIFFERENCE).contains(it))
                    && above.base == below.base
                {
                    // match: (pow x (+ e #k)), e >= 0   result: (* x ... x (pow x e))
                    let factor = terms.int_pow(above.base, terms.int(difference));
                    let same = terms.eq(above.term, terms.int_mul(factor, below.term));
                    res.push(terms.implies(terms.int_le(zero, below.exponent), same));
                }
            }
        }
        kept(terms, res)
    }

    /// Instances at the values that a model gives to exponents and bases: what this model violates if it is wrong.
    pub(crate) fn instances_at(&self, terms: &Terms, model: &Model) -> Vec<Term> {
        let mut evaluator = Evaluator::new(terms, model);
        let mut res = Vec::new();
        for &power in &self.powers {
            let mut value = |it: Term| match evaluator.value(it) {
                Some(Value::Int(value)) => Some(value),
                _ => None,
            };
            let (Some(base), Some(exponent)) = (value(power.base), value(power.exponent)) else { continue };
            let Some(exponent) = exponent.to_u32().filter(|it| *it <= MOST_COMPUTED) else { continue };
            if exponent <= MOST_FACTORS {
                res.push(at(terms, power, exponent));
            } else {
                let same = terms
                    .and(terms.eq(power.base, terms.int(base.clone())), terms.eq(power.exponent, terms.int(exponent)));
                res.push(terms.implies(same, terms.eq(power.term, terms.int(base.pow(exponent)))));
            }
        }
        kept(terms, res)
    }

    /// Whether evaluation confirms (`Some(true)`) or refutes the model where powers occur; otherwise nobody can say.
    pub(crate) fn confirmed(&self, terms: &Terms, model: &Model) -> Option<bool> {
        let mut evaluator = Evaluator::new(terms, model);
        let truths: Vec<Option<bool>> = self.roots.iter().map(|&it| evaluator.truth(it)).collect();
        if truths.contains(&Some(false)) {
            return Some(false);
        }
        truths.iter().all(Option::is_some).then_some(true)
    }
}

/// match: (pow x e), e = #n   result: x · ... · x
fn at(terms: &Terms, power: Power, exponent: u32) -> Term {
    let exponent = terms.int(exponent);
    terms.implies(terms.eq(power.exponent, exponent), terms.eq(power.term, terms.int_pow(power.base, exponent)))
}

/// Each instance once, in the order in which they were made, without those that say nothing.
fn kept(terms: &Terms, instances: Vec<Term>) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    instances.into_iter().filter(|it| terms.as_bool(*it) != Some(true) && seen.insert(*it)).collect()
}
