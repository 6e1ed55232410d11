//! Sets of values of a symbol of at most 8 bits.
//!
//! Knows: that conditions on one small symbol are sets of at most 256 values. Never: conditions on several symbols.

use effigy_term::truth_table::{TruthTable, TruthTables};
use effigy_term::{Term, Terms};

/// The set of all 256 values.
const ALL: TruthTable = [u64::MAX; 4];

/// The values that satisfy all conditions; `None` where one is about more than one small symbol.
pub(crate) fn domain(terms: &Terms, tables: &TruthTables, conds: &[Term]) -> Option<TruthTable> {
    conds.iter().try_fold(ALL, |domain, &it| Some(intersect(domain, tables.table(terms, it)?)))
}

/// The values that both sets have.
pub(crate) fn intersect(a: TruthTable, b: TruthTable) -> TruthTable {
    std::array::from_fn(|it| a[it] & b[it])
}

/// The least value, by number.
pub(crate) fn least(domain: TruthTable) -> Option<u32> {
    let word = domain.iter().position(|it| *it != 0)?;
    Some(word as u32 * 64 + domain[word].trailing_zeros())
}
