//! The last step: linear arithmetic over what is known of numbers.
//!
//! Knows: which facts may matter to a goal. Never: how they are decided (`layers::linear`).

use super::Local;
use crate::layers::linear::Refuter;
use effigy_term::{Sort, Symbol, Term, Terms};
use rustc_hash::FxHashSet;

/// More facts are left to a solver.
const MOST_FACTS: usize = 48;

/// So many facts are looked through.
const MOST_SEEN: usize = 400;

/// What decides.
#[derive(Default)]
pub(super) struct Linear {
    refuter: Refuter,
}

impl Local {
    /// Whether what is known of numbers contradicts itself, `contrary` being a part of it.
    pub(super) fn contradicts_arithmetic(&mut self, terms: &Terms, contrary: Term) -> bool {
        if self.arithmetic.len() < 2 || self.arithmetic.len() > MOST_SEEN {
            return false;
        }
        let mut seen = FxHashSet::default();
        let mut facts: Vec<Term> = Vec::new();
        for &(term, truth) in &self.arithmetic {
            let term = self.rebuilt(terms, term);
            let fact = if truth { term } else { terms.not(term) };
            if terms.as_bool(fact).is_none() && seen.insert(fact) {
                facts.push(fact);
            }
        }
        let facts = related(terms, facts, self.rebuilt(terms, contrary));
        self.work += facts.len() as u64;
        let integers = |it: &Term| terms.symbols(*it).iter().any(|it| terms.symbol_info(*it).sort != Sort::Real);
        if facts.len() > MOST_FACTS || !facts.iter().any(integers) {
            return false;
        }
        self.linear.refuter.refutes(terms, &facts)
    }
}

/// The facts that share symbols with the start, directly or by others.
fn related(terms: &Terms, mut facts: Vec<Term>, start: Term) -> Vec<Term> {
    let mut symbols: FxHashSet<Symbol> = terms.symbols(start).iter().copied().collect();
    let mut res = Vec::new();
    loop {
        let before = res.len();
        facts.retain(|&fact| {
            if !terms.symbols(fact).iter().any(|it| symbols.contains(it)) {
                return true;
            }
            symbols.extend(terms.symbols(fact));
            res.push(fact);
            false
        });
        if res.len() == before || res.len() > MOST_FACTS {
            return res;
        }
    }
}
