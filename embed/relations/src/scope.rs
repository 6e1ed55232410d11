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
    /// The name of the column.
    pub(crate) name: Rc<str>,
    /// The column of a table that it is, where it is one.
    pub(crate) origin: Option<(Rc<str>, Rc<str>)>,
}

/// A row of a result.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The condition under which the row is in the result.
    pub(crate) cond: Term,
    /// The values of the row, by column.
    pub(crate) values: Vec<Val>,
}

/// A result: rows under conditions, with the names of their columns.
#[derive(Clone, Debug)]
pub(crate) struct Rel {
    /// The names of the columns.
    pub(crate) names: Vec<Name>,
    /// The rows of the result, in order.
    pub(crate) lines: Vec<Line>,
}

/// The names that an expression can use.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The columns that can be named.
    pub(crate) names: &'a [Name],
    /// The values of the row that is looked at.
    pub(crate) values: &'a [Val],
    /// The rows over which aggregates are.
    pub(crate) group: Option<&'a [Line]>,
    /// The scope of the statement around this one.
    pub(crate) outer: Option<&'a Scope<'a>>,
}

/// Why a name stands for nothing.
pub(crate) enum ResolutionError {
    /// There is no such column.
    Unknown,
    /// Several columns have this name.
    Ambiguous,
}

impl<'a> Scope<'a> {
    /// The scope in which no name means anything.
    pub(crate) const EMPTY: Scope<'static> = Scope { names: &[], values: &[], group: None, outer: None };

    /// The scope of one row, with these columns.
    pub(crate) fn row(names: &'a [Name], values: &'a [Val], outer: Option<&'a Scope<'a>>) -> Scope<'a> {
        Scope { names, values, group: None, outer }
    }

    /// The value of a name; inner ones hide outer ones.
    pub(crate) fn value(&self, table: Option<&str>, name: &str) -> Result<&'a Val, ResolutionError> {
        match position(self.names, table, name) {
            Ok(at) => self.values.get(at).ok_or(ResolutionError::Unknown),
            Err(ResolutionError::Ambiguous) => Err(ResolutionError::Ambiguous),
            Err(ResolutionError::Unknown) => {
                self.outer.map_or(Err(ResolutionError::Unknown), |it| it.value(table, name))
            }
        }
    }
}

/// The column of a name.
pub(crate) fn position(names: &[Name], table: Option<&str>, name: &str) -> Result<usize, ResolutionError> {
    let fits = |it: &&(usize, &Name)| {
        it.1.name.eq_ignore_ascii_case(name) && table.is_none_or(|table| it.1.table.eq_ignore_ascii_case(table))
    };
    let all: Vec<(usize, &Name)> = names.iter().enumerate().collect();
    let mut found = all.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(it), None) => Ok(it.0),
        (Some(_), Some(_)) => Err(ResolutionError::Ambiguous),
        (None, _) => Err(ResolutionError::Unknown),
    }
}
