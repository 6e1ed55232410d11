//! The last step: linear arithmetic over what is known of numbers.
//!
//! Knows: which facts may matter to a goal. Never: how they are decided (`layers::linear` for integers, elimination for
//! reals).

use super::Local;
use super::elimination::contradict;
use crate::layers::linear::Refuter;
use effigy_term::{Node, Sort, Symbol, Term, Terms};
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
        // That nothing holds is about everything.
        let facts = match terms.as_bool(contrary) {
            Some(_) => facts,
            None => related(terms, facts, self.symbols_of(terms, contrary)),
        };
        self.work += facts.len() as u64;
        if facts.len() > MOST_FACTS {
            return false;
        }
        contradict(terms, &facts)
            || (facts.iter().any(|it| is_about_integers(terms, *it)) && self.linear.refuter.refutes(terms, &facts))
    }

    /// The symbols of a formula, and those of what stands for them.
    fn symbols_of(&self, terms: &Terms, formula: Term) -> FxHashSet<Symbol> {
        let mut res: FxHashSet<Symbol> = terms.symbols(formula).iter().copied().collect();
        let mut work = vec![formula];
        let mut seen = FxHashSet::default();
        while let Some(next) = work.pop().filter(|_| seen.len() < MOST_SEEN) {
            if seen.insert(next)
                && let Some(id) = self.classes.find(next)
            {
                res.extend(terms.symbols(self.classes.canonical(id)));
            }
            terms.node(next).for_each_argument(|it| work.push(it));
        }
        res
    }
}

fn is_about_integers(terms: &Terms, fact: Term) -> bool {
    let atom = match *terms.node(fact) {
        Node::Not(inner) => inner,
        _ => fact,
    };
    match *terms.node(atom) {
        Node::Eq(a, _) => terms.sort(a) == Sort::Int,
        Node::IntLe(..) => true,
        _ => false,
    }
}

/// The facts that share symbols with the start, directly or by others.
fn related(terms: &Terms, mut facts: Vec<Term>, mut symbols: FxHashSet<Symbol>) -> Vec<Term> {
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
