//! Sets of values: conditions on one symbol of at most 8 bits are sets of at most 256 values.
//!
//! Knows: the domain of each factor, computed once. Never: conditions on several symbols, except that they are
//! unsatisfiable where one of their symbols has no value left.

use super::over::Layer;
use crate::theories::domains::{intersect, least};
use crate::{Answer, Query};
use effigy_term::truth_table::value_of;
use effigy_term::{Model, Symbol, Terms};

/// The layer `domains`: sets of values of small symbols.
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
            domain = intersect(domain, factor.domain(terms, tables)?);
        }
        Some(match least(domain) {
            Some(value) => Answer::Sat(query.complete(assignment(terms, symbol, value))),
            None => Answer::Unsat,
        })
    }
}

fn assignment(terms: &Terms, symbol: Symbol, value: u32) -> Model {
    let mut model = Model::new();
    model.set(symbol, value_of(terms.symbol_info(symbol).sort, value));
    model
}
