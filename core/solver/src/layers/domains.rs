//! Sets of values: conditions on one symbol of at most 8 bits are sets of at most 256 values.
//!
//! Knows: the domain of each factor, computed once. Never: conditions on several symbols, except that they are
//! unsatisfiable where one of their symbols has no value left.

use super::over::Layer;
use crate::path_condition::Factor;
use crate::theories::domains::{domain, intersect, least};
use crate::{Answer, Query};
use effigy_term::truth_table::{TruthTable, TruthTables, value_of};
use effigy_term::{Model, Symbol, Terms};

/// The layer `domains`.
pub(super) struct Domains;

impl Layer for Domains {
    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        let factors = query.only?;
        let &[symbol] = terms.symbols(query.goal) else { return None };
        let tables = query.path.tables();
        let mut domain = tables.table(terms, query.goal)?;
        for factor in factors {
            if factor.symbols() != [symbol] {
                return None;
            }
            domain = intersect(domain, of_factor(terms, tables, factor)?);
        }
        Some(match least(domain) {
            Some(value) => Answer::Sat(query.complete(assignment(terms, symbol, value))),
            None => Answer::Unsat,
        })
    }
}

/// The values that satisfy a factor of one small symbol.
fn of_factor(terms: &Terms, tables: &TruthTables, factor: &Factor) -> Option<TruthTable> {
    *factor.domain.get_or_init(|| domain(terms, tables, factor.conjuncts()))
}

fn assignment(terms: &Terms, symbol: Symbol, value: u32) -> Model {
    let mut model = Model::new();
    model.set(symbol, value_of(terms.symbol_info(symbol).sort, value));
    model
}
