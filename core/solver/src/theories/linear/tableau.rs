//! Formulas of forms as bounds on the columns of a tableau.
//!
//! Knows: which column each unknown and each sum has. Never: how bounds are satisfied.

use super::form::{Form, Formula, Unknown};
use super::simplex::{Bound, Column, Simplex};
use super::system::direction;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A formula whose atoms are bounds of columns.
#[derive(Debug)]
pub(super) enum Case {
    Bound(Column, Bound, i128),
    All(Vec<Case>),
    Any(Vec<Case>),
}

/// Columns by unknown and by sum.
#[derive(Default)]
pub(super) struct Tableau {
    pub(super) simplex: Simplex,
    pub(super) columns: BTreeMap<Unknown, Column>,
    sums: FxHashMap<Vec<(Unknown, i128)>, Column>,
}

impl Tableau {
    fn column(&mut self, parts: Vec<(Unknown, i128)>) -> Option<Column> {
        if let [(unknown, 1)] = parts[..] {
            return self.columns.get(&unknown).copied();
        }
        if let Some(&known) = self.sums.get(&parts) {
            return Some(known);
        }
        let columns: Option<Vec<(Column, i128)>> =
            parts.iter().map(|&(it, k)| Some((*self.columns.get(&it)?, k))).collect();
        let column = self.simplex.sum(&columns?).ok()?;
        self.sums.insert(parts, column);
        Some(column)
    }

    /// The bound that an inequality puts on a column.
    pub(super) fn bound(&mut self, form: &Form) -> Option<Case> {
        let (parts, bound, at) = direction(form);
        Some(Case::Bound(self.column(parts)?, bound, at))
    }

    /// The formula with its atoms as bounds of columns.
    pub(super) fn case(&mut self, formula: &Formula) -> Option<Case> {
        match formula {
            Formula::AtLeast(form) => self.bound(form),
            Formula::Zero(form) => {
                let (parts, _, at) = direction(form);
                let column = self.column(parts)?;
                Some(Case::All(vec![Case::Bound(column, Bound::Lower, at), Case::Bound(column, Bound::Upper, at)]))
            }
            Formula::All(parts) => Some(Case::All(parts.iter().map(|it| self.case(it)).collect::<Option<_>>()?)),
            Formula::Any(parts) => Some(Case::Any(parts.iter().map(|it| self.case(it)).collect::<Option<_>>()?)),
        }
    }
}
