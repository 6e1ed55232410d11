//! Values of SQL: null under a condition, otherwise of one kind.
//!
//! Knows: terms of numbers and truth values; texts are `text`. Never: tables, statements.

use crate::text::{self, Text};
use effigy_term::{BvValue, Term, Terms, Value, Width};
use std::fmt;
use std::rc::Rc;

/// A value as it comes from the program and goes to it.
#[derive(Clone, PartialEq, Debug)]
pub enum Const {
    /// The value NULL of SQL.
    Null,
    /// An integer of 64 bits.
    Int(i64),
    /// A truth value; SQLite has 0 and 1.
    Bool(bool),
    /// A text, encoded in UTF-8.
    Text(Rc<str>),
    /// A number with a fraction.
    Real(f64),
    /// A string of any bytes.
    Bytes(Rc<[u8]>),
}

impl Const {
    /// The value that is this text.
    pub fn text(text: &str) -> Const {
        Const::Text(text.into())
    }
}

/// Writes the value as a literal of SQL.
impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Const::Null => f.write_str("NULL"),
            Const::Int(it) => write!(f, "{it}"),
            Const::Bool(it) => f.write_str(if *it { "TRUE" } else { "FALSE" }),
            Const::Text(it) => write!(f, "'{}'", it.replace('\'', "''")),
            Const::Real(it) => write!(f, "{it:?}"),
            Const::Bytes(it) => {
                f.write_str("x'")?;
                it.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str("'")
            }
        }
    }
}

/// A value that a statement sends to the program.
#[derive(Clone, PartialEq, Debug)]
pub enum SentValue {
    /// A value that is certain on the path.
    Certain(Const),
    /// An integer of 64 bits that the program takes as a term ([`crate::schema::Column::symbolic`]).
    Number(Term),
}

/// The place of a cell in the database at the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CellId {
    /// The number of the table.
    pub table: usize,
    /// The number of the row, from zero.
    pub row: usize,
    /// The number of the column.
    pub column: usize,
}

/// What a value is where it is not null.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    /// Nothing: the value is null everywhere.
    Nothing,
    /// A truth value: 0 or 1.
    Bool(Term),
    /// An integer of 64 bits.
    Int(Term),
    /// A text, which may depend on symbols.
    Text(Text),
    /// A number with a fraction, which is always a certain one.
    Real(f64),
    /// Bytes, which are always certain ones.
    Bytes(Rc<[u8]>),
    /// A cell of the start at which nobody has looked so far; whether it is null is in it, too.
    Cell(CellId),
}

/// A value of SQL that may depend on symbols.
#[derive(Clone, PartialEq, Debug)]
pub struct Val {
    /// The condition under which it is null.
    pub null: Term,
    /// The value where it is not null.
    pub data: Data,
}

impl Val {
    /// The value that is null everywhere.
    pub fn null(terms: &Terms) -> Val {
        Val { null: terms.bool(true), data: Data::Nothing }
    }

    /// A value that is not null.
    pub fn some(terms: &Terms, data: Data) -> Val {
        Val { null: terms.bool(false), data }
    }

    /// A value that does not depend on symbols.
    pub fn of(terms: &Terms, value: &Const) -> Val {
        let data = match value {
            Const::Null => return Val::null(terms),
            Const::Int(it) => Data::Int(int(terms, *it)),
            Const::Bool(it) => Data::Bool(terms.bool(*it)),
            Const::Text(it) => Data::Text(Text::certain(terms, it)),
            Const::Real(it) => Data::Real(*it),
            Const::Bytes(it) => Data::Bytes(Rc::clone(it)),
        };
        Val::some(terms, data)
    }

    /// The value, if it is a certain one.
    pub fn certain(&self, terms: &Terms) -> Option<Const> {
        if matches!(self.data, Data::Cell(_)) {
            return None;
        }
        match terms.as_bool(self.null) {
            Some(true) => return Some(Const::Null),
            None => return None,
            Some(false) => {}
        }
        match &self.data {
            Data::Nothing => Some(Const::Null),
            Data::Bool(it) => terms.as_bool(*it).map(Const::Bool),
            Data::Int(it) => terms.as_bv(*it).and_then(BvValue::to_i64).map(Const::Int),
            Data::Text(it) => it.certainly(terms).map(Const::Text),
            Data::Real(it) => Some(Const::Real(*it)),
            Data::Bytes(it) => Some(Const::Bytes(Rc::clone(it))),
            Data::Cell(_) => None,
        }
    }

    /// What a value is where terms have these values.
    pub(crate) fn under(&self, value: &mut dyn FnMut(Term) -> Option<Value>) -> Option<Const> {
        if value(self.null)? == Value::Bool(true) {
            return Some(Const::Null);
        }
        Some(match &self.data {
            Data::Nothing => Const::Null,
            Data::Bool(it) => Const::Bool(value(*it)? == Value::Bool(true)),
            Data::Int(it) => match value(*it)? {
                Value::BitVec(it) => Const::Int(BvValue::to_i64(&it)?),
                _ => return None,
            },
            Data::Text(Text::Bits(it)) => Const::text(&text::decode(&value(*it)?)?),
            Data::Text(Text::OneOf(of)) => {
                for (cond, text) in of.iter() {
                    if value(*cond)? == Value::Bool(true) {
                        return Some(Const::Text(Rc::clone(text)));
                    }
                }
                // Where no case holds the row is not there.
                Const::Null
            }
            Data::Real(it) => Const::Real(*it),
            Data::Bytes(it) => Const::Bytes(Rc::clone(it)),
            Data::Cell(_) => return None,
        })
    }
}

/// The term of an integer of 64 bits.
pub fn int(terms: &Terms, value: i64) -> Term {
    terms.bv(BvValue::from_i64(Width::W64, value))
}
