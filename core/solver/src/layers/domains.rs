//! Sets of values: conditions on one symbol of at most 8 bits are sets of at most 256 values.
//!
//! Knows: truth tables of such conditions, each computed once. Never: conditions on several symbols, except that
//! they are unsatisfiable where one of their symbols has no value left.

use super::{Counter, below};
use crate::path_condition::Factor;
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::truth_table::{TruthTable, TruthTables, value_of};
use effigy_term::{Model, Symbol, Terms};

/// The layer `domains`.
pub struct Domains {
    below: Box<dyn Solver>,
    counter: Counter,
}

impl Domains {
    /// Over `below`.
    pub fn new(below: Box<dyn Solver>) -> Domains {
        Domains { below, counter: Counter::new("domains") }
    }

    /// The values that satisfy a factor of one small symbol.
    fn domain(terms: &Terms, tables: &TruthTables, factor: &Factor) -> Option<TruthTable> {
        if let Some(known) = factor.domain.get() {
            return *known;
        }
        let domain = factor
            .conjuncts()
            .iter()
            .try_fold([u64::MAX; 4], |domain, &it| Some(intersect(domain, tables.table(terms, it)?)));
        let _ = factor.domain.set(domain);
        domain
    }

    fn decide(terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        let factors = query.only?;
        let &[symbol] = terms.symbols(query.goal) else { return None };
        let tables = query.path.tables();
        let mut domain = tables.table(terms, query.goal)?;
        for factor in factors {
            if factor.symbols() != [symbol] {
                return None;
            }
            domain = intersect(domain, Self::domain(terms, tables, factor)?);
        }
        Some(match least(domain) {
            Some(value) => Answer::Sat(query.complete(assignment(terms, symbol, value))),
            None => Answer::Unsat,
        })
    }
}

fn intersect(a: TruthTable, b: TruthTable) -> TruthTable {
    std::array::from_fn(|it| a[it] & b[it])
}

fn least(domain: TruthTable) -> Option<u32> {
    let word = domain.iter().position(|it| *it != 0)?;
    Some(word as u32 * 64 + domain[word].trailing_zeros())
}

fn assignment(terms: &Terms, symbol: Symbol, value: u32) -> Model {
    let mut model = Model::new();
    model.set(symbol, value_of(terms.symbol_info(symbol).sort, value));
    model
}

impl Solver for Domains {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.counter.begin();
        match Self::decide(terms, query) {
            Some(answer) => {
                self.counter.answered(since);
                answer
            }
            None => below!(self, since, terms, query),
        }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.counter.report(into);
        self.below.statistics(into);
    }
}
