//! What tables there are, and what holds of their rows.
//!
//! Knows: columns, keys, constraints, which values a column has. Never: rows.

use crate::value::Const;
use sqlparser::ast::Expr;
use std::rc::Rc;

/// What values of a column are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A truth value, true or false.
    Bool,
    /// An integer with this number of bits.
    Int(u32),
    /// A text, as in `TEXT` and `VARCHAR`.
    Text,
    /// A number with a fraction.
    Real,
    /// A string of bytes, as in `BLOB`.
    Bytes,
    /// Something that is only passed on: a date, a document.
    Other,
}

/// A reference to a row of another table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignKey {
    /// The number of the column.
    pub column: usize,
    /// The name of the table.
    pub table: Rc<str>,
    /// The name of its column; `None` is its primary key.
    pub target: Option<Rc<str>>,
    /// What happens to the row when the other is deleted.
    pub on_delete: OnDelete,
}

/// What becomes of a row when the row to which it refers is deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDelete {
    /// The deletion is refused, if the row is there when the statement is done.
    Refuse,
    /// The deletion is refused at once.
    Restrict,
    /// The row that refers to it is deleted, too.
    Cascade,
    /// The column that refers to it becomes null.
    SetNull,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name of the column.
    pub name: Rc<str>,
    /// The kind of values that the column holds.
    pub kind: Kind,
    /// Whether the column can be null.
    pub nullable: bool,
    /// What it is where an INSERT says nothing.
    pub default: Option<Const>,
    /// The values that it has, if these are few.
    pub domain: Option<Rc<[Const]>>,
    /// Its values are names: different in every row, and nothing but whether they are the same matters.
    pub opaque: bool,
    /// The program takes its values as terms, if they are integers: none has to stand for all.
    pub symbolic: bool,
}

/// A table with its columns and constraints.
#[derive(Clone, Debug)]
pub struct Table {
    /// The name of the table.
    pub name: Rc<str>,
    /// The columns, in the order of the definition.
    pub columns: Vec<Column>,
    /// The columns of its primary key.
    pub primary: Vec<usize>,
    /// Numbers of deleted rows are not given again.
    pub autoincrement: bool,
    /// Columns that are together different in each row.
    pub unique: Vec<Vec<usize>>,
    /// The references to rows of other tables.
    pub foreign: Vec<ForeignKey>,
    /// What must not be false of a row.
    pub checks: Vec<Expr>,
}

impl Table {
    /// The number of the column of this name, in whatever letters.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|it| it.name.eq_ignore_ascii_case(name))
    }

    /// The column that is the number of the row: the only one of the primary key, an integer.
    pub fn row_number(&self) -> Option<usize> {
        match self.primary.as_slice() {
            [only] if matches!(self.columns[*only].kind, Kind::Int(_)) => Some(*only),
            _ => None,
        }
    }

    /// The reference that this column is.
    pub fn reference(&self, column: usize) -> Option<&ForeignKey> {
        self.foreign.iter().find(|it| it.column == column)
    }
}

/// The tables of a database.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// In the order in which they were made.
    pub tables: Vec<Table>,
}

impl Schema {
    /// The number of the table of this name, in whatever letters.
    pub fn table(&self, name: &str) -> Option<usize> {
        self.tables.iter().position(|it| it.name.eq_ignore_ascii_case(name))
    }

    /// The column of these names.
    pub fn column_mut(&mut self, table: &str, column: &str) -> Option<&mut Column> {
        let table = self.table(table)?;
        let column = self.tables[table].column(column)?;
        Some(&mut self.tables[table].columns[column])
    }

    /// The table and the column that a reference is to.
    pub fn target(&self, foreign: &ForeignKey) -> Option<(usize, usize)> {
        let table = self.table(&foreign.table)?;
        let column = match &foreign.target {
            Some(name) => self.tables[table].column(name)?,
            None => *self.tables[table].primary.first()?,
        };
        Some((table, column))
    }
}
