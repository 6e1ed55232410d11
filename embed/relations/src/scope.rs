//! What names in an expression stand for.
//!
//! Knows: rows of values with names, inner ones before outer ones. Never: expressions.

use crate::value::Val;
use effigy_term::Term;
use std::rc::Rc;

/// A column of a result.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Name {
    /// The table, by the name that the statement gives it; empty where it has none.
    pub(crate) table: Rc<str>,
    /// The column.
    pub(crate) name: Rc<str>,
    /// The column of a table that it is, where it is one.
    pub(crate) origin: Option<(Rc<str>, Rc<str>)>,
}

/// A row of a result.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// When it is in.
    pub(crate) cond: Term,
    /// Its values.
    pub(crate) values: Vec<Val>,
}

/// A result.
#[derive(Clone, Debug)]
pub(crate) struct Rel {
    /// Its columns.
    pub(crate) names: Vec<Name>,
    /// Its rows, in order.
    pub(crate) lines: Vec<Line>,
}

/// The names that an expression can use.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// Their columns.
    pub(crate) names: &'a [Name],
    /// The values of the row that is looked at.
    pub(crate) values: &'a [Val],
    /// The rows over which aggregates are.
    pub(crate) group: Option<&'a [Line]>,
    /// The statement around.
    pub(crate) outer: Option<&'a Scope<'a>>,
}

/// Why a name stands for nothing.
pub(crate) enum Unresolved {
    /// There is no such column.
    Unknown,
    /// There are several.
    Ambiguous,
}

impl<'a> Scope<'a> {
    /// Nothing has a name.
    pub(crate) const EMPTY: Scope<'static> = Scope { names: &[], values: &[], group: None, outer: None };

    /// One row.
    pub(crate) fn row(names: &'a [Name], values: &'a [Val], outer: Option<&'a Scope<'a>>) -> Scope<'a> {
        Scope { names, values, group: None, outer }
    }

    /// The value of a name; inner ones hide outer ones.
    pub(crate) fn value(&self, table: Option<&str>, name: &str) -> Result<&'a Val, Unresolved> {
        match position(self.names, table, name) {
            Ok(at) => self.values.get(at).ok_or(Unresolved::Unknown),
            Err(Unresolved::Ambiguous) => Err(Unresolved::Ambiguous),
            Err(Unresolved::Unknown) => self.outer.map_or(Err(Unresolved::Unknown), |it| it.value(table, name)),
        }
    }
}

/// The column of a name.
pub(crate) fn position(names: &[Name], table: Option<&str>, name: &str) -> Result<usize, Unresolved> {
    let fits = |it: &&(usize, &Name)| {
        it.1.name.eq_ignore_ascii_case(name) && table.is_none_or(|table| it.1.table.eq_ignore_ascii_case(table))
    };
    let all: Vec<(usize, &Name)> = names.iter().enumerate().collect();
    let mut found = all.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(it), None) => Ok(it.0),
        (Some(_), Some(_)) => Err(Unresolved::Ambiguous),
        (None, _) => Err(Unresolved::Unknown),
    }
}
