//! The cells of the database at the start.
//!
//! Knows: what a cell is before anybody has looked at it, and what is assumed of all of them. Never: statements.
//!
//! * The number of a row is a constant: rows have no other names, so which of them is which does not matter.
//! * A reference is one of the rows of the other table that are there.
//! * A column of few values is one of these; any other is anything of its kind.

use crate::schema::{Kind, Schema};
use crate::start::Start;
use crate::text::{self, Text};
use crate::value::{CellId, Const, Data, Val, int};
use effigy_term::{Sort, Term, Terms, Width};
use std::rc::Rc;

/// A column that is a name: different in each row, and the same in every database.
pub(crate) fn name_of(schema: &Schema, cell: CellId) -> Const {
    let table = &schema.tables[cell.table];
    let column = &table.columns[cell.column];
    let number = cell.row as i64 + 1;
    match column.kind {
        // Different from what the program has as a constant, and from other columns.
        Kind::Int(_) => Const::Int(5_000 + 100 * cell.column as i64 + number),
        Kind::Bool => Const::Bool(number == 1),
        Kind::Real => Const::Real(number as f64 + 0.5),
        Kind::Bytes => Const::Bytes(format!("{}-{number}", column.name).into_bytes().into()),
        Kind::Text | Kind::Other => Const::text(&format!("{}-{}-{number}", table.name, column.name)),
    }
}

/// A value that a cell can have.
#[derive(Clone)]
pub(crate) struct Choice {
    pub(crate) value: Const,
    /// The row that it refers to: table and number.
    row: Option<(usize, usize)>,
}

impl Choice {
    fn only(value: Const) -> Choice {
        Choice { value, row: None }
    }
}

/// Makes the value of a cell.
pub(crate) struct Cells<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) schema: &'a Schema,
    pub(crate) start: &'a Start,
    /// The symbol of this name, which is made once.
    pub(crate) symbol: &'a mut dyn FnMut(&str, Sort) -> Term,
}

impl Cells<'_> {
    /// The name of a cell: `contact[1].access`.
    pub(crate) fn name(&self, cell: CellId) -> String {
        let table = &self.schema.tables[cell.table];
        format!("{}[{}].{}", table.name, cell.row + 1, table.columns[cell.column].name)
    }

    /// When a row is there.
    pub(crate) fn present(&mut self, table: usize, row: usize) -> Term {
        (self.symbol)(&format!("{}[{}]", self.schema.tables[table].name, row + 1), Sort::Bool)
    }

    /// When a cell is null.
    pub(crate) fn null(&mut self, cell: CellId) -> Term {
        if self.schema.tables[cell.table].columns[cell.column].nullable {
            let name = format!("{} is null", self.name(cell));
            (self.symbol)(&name, Sort::Bool)
        } else {
            self.terms.bool(false)
        }
    }

    /// The constant that a cell is in every database, if it is one.
    pub(crate) fn constant(&self, cell: CellId) -> Option<Const> {
        let table = &self.schema.tables[cell.table];
        if table.row_number() == Some(cell.column) && table.reference(cell.column).is_none() {
            return Some(Const::Int(cell.row as i64 + 1));
        }
        table.columns[cell.column].opaque.then(|| name_of(self.schema, cell))
    }

    /// The values that a cell can have, where these are few: of a reference, with the row that each is of.
    pub(crate) fn domain(&self, cell: CellId) -> Option<Vec<Choice>> {
        let table = &self.schema.tables[cell.table];
        if let Some(foreign) = table.reference(cell.column) {
            let (other, column) = self.schema.target(foreign)?;
            let rows = 0..self.start.rows(&self.schema.tables[other].name);
            return rows
                .map(|row| {
                    Some(Choice {
                        value: self.constant(CellId { table: other, row, column })?,
                        row: Some((other, row)),
                    })
                })
                .collect();
        }
        let column = &table.columns[cell.column];
        match (&column.domain, column.kind) {
            (Some(of), _) => Some(of.iter().filter(|it| **it != Const::Null).cloned().map(Choice::only).collect()),
            (None, Kind::Bool) => Some([false, true].map(Const::Bool).map(Choice::only).into()),
            _ => None,
        }
    }

    /// The value of a cell with what is assumed of it wherever its row is there. `None` where its kind has no terms.
    pub(crate) fn value(&mut self, cell: CellId) -> Option<(Val, Term)> {
        let terms = self.terms;
        if let Some(it) = self.constant(cell) {
            return Some((Val::of(terms, &it), terms.bool(true)));
        }
        let null = self.null(cell);
        let column = &self.schema.tables[cell.table].columns[cell.column];
        if let Some(domain) = self.domain(cell) {
            if column.kind == Kind::Bool && column.domain.is_none() {
                let name = self.name(cell);
                let data = Data::Bool((self.symbol)(&name, Sort::Bool));
                return Some((Val { null, data }, terms.bool(true)));
            }
            return self.among(cell, null, &domain);
        }
        let name = self.name(cell);
        let (data, holds) = match column.kind {
            Kind::Int(bits) => {
                let width = Width::new(bits.clamp(1, 64))?;
                let it = (self.symbol)(&name, Sort::BitVec(width));
                (Data::Int(terms.bv_sign_extend(Width::W64, it)), terms.bool(true))
            }
            Kind::Text => {
                let bits = (self.symbol)(&name, text::sort());
                (Data::Text(Text::Bits(bits)), text::is_text(terms, bits))
            }
            Kind::Bool | Kind::Real | Kind::Bytes | Kind::Other => return None,
        };
        Some((Val { null, data }, holds))
    }

    /// A cell of few values: the number of the value is the symbol.
    fn among(&mut self, cell: CellId, null: Term, domain: &[Choice]) -> Option<(Val, Term)> {
        let terms = self.terms;
        let width = Width::new(usize::BITS - domain.len().leading_zeros())?;
        let choice = match domain.len() {
            0 | 1 => terms.bv_u64(width, 0),
            _ => {
                let name = self.name(cell);
                (self.symbol)(&name, Sort::BitVec(width))
            }
        };
        let is = |at: usize| terms.eq(choice, terms.bv_u64(width, at as u64));
        let cases: Vec<Term> = domain
            .iter()
            .enumerate()
            .map(|(at, it)| {
                let there = it.row.map_or(terms.bool(true), |(table, row)| self.present(table, row));
                terms.and(is(at), there)
            })
            .collect();
        let holds = terms.or(null, terms.or_all(cases));
        let data = match domain.first().map(|it| &it.value) {
            None => Data::Nothing,
            Some(Const::Text(_)) => {
                let texts = domain.iter().enumerate().map(|(at, it)| match &it.value {
                    Const::Text(text) => Some((is(at), Rc::clone(text))),
                    _ => None,
                });
                Data::Text(Text::OneOf(texts.collect::<Option<Vec<_>>>()?.into()))
            }
            Some(_) => {
                let mut res = int(terms, 0);
                for (at, it) in domain.iter().enumerate().rev() {
                    let number = match &it.value {
                        Const::Int(it) => *it,
                        Const::Bool(it) => i64::from(*it),
                        _ => return None,
                    };
                    res = if at + 1 == domain.len() {
                        int(terms, number)
                    } else {
                        terms.ite(is(at), int(terms, number), res)
                    };
                }
                Data::Int(res)
            }
        };
        Some((Val { null, data }, holds))
    }
}
