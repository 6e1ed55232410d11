//! The database of one path.
//!
//! Knows: rows with the conditions under which they are there, what was decided on the path, what stands when a
//! transaction is left. Never: how a statement is read.

use crate::ask::Questions;
use crate::bounds;
use crate::cells::{Cells, name_of};
use crate::error::{Refusal, SqlError};
use crate::logic::{Compare, compare};
use crate::schema::{Kind, Schema};
use crate::start::Start;
use crate::value::{CellId, Const, Data, SentValue, Val};
use effigy_term::{Node, Sort, Term, Terms};
use sqlparser::ast::Statement;
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Span, Token};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A row of a table, which may exist or not.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The condition under which the row exists.
    pub(crate) present: Term,
    /// Its number: rows are found in this order.
    pub(crate) number: i64,
    /// The values of the row, by column.
    pub(crate) cells: Rc<[Val]>,
}

/// What stands when a transaction is left.
#[derive(Debug)]
struct Savepoint {
    tables: Vec<Rc<Vec<Row>>>,
    highest: Vec<i64>,
}

/// The result of a statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The columns of tables that they are, where they are: table and column.
    pub origins: Vec<Option<(Rc<str>, Rc<str>)>>,
    /// The rows of the result, in order.
    pub rows: Vec<Vec<SentValue>>,
    /// The statement leaves the order of these rows to the database; here it is that of their numbers.
    pub unordered: bool,
    /// How many rows were written.
    pub changed: u64,
    /// The number of the row that was inserted last.
    pub last_number: i64,
}

/// Statements that were read, by their text.
#[derive(Clone, Default, Debug)]
pub struct StatementCache(Rc<RefCell<BTreeMap<String, Rc<ParsedStatement>>>>);

/// A statement, and where its parameters stand.
#[derive(Debug)]
pub(crate) struct ParsedStatement {
    pub(crate) statement: Statement,
    placeholders: Vec<(u64, u64)>,
}

/// Statements that are kept: a program has a few hundred, unless it writes values into them.
const MOST_READ: usize = 4_000;

/// The database of one path.
#[derive(Debug)]
pub struct Database {
    pub(crate) terms: Rc<Terms>,
    pub(crate) schema: Rc<Schema>,
    pub(crate) start: Start,
    pub(crate) tables: Vec<Rc<Vec<Row>>>,
    pub(crate) first: Vec<Rc<Vec<Row>>>,
    saved: Vec<Savepoint>,
    /// What cells of the start turned out to be.
    bound: BTreeMap<CellId, Const>,
    /// What the program was sent of cells that are watched: they may be something else.
    sent: BTreeMap<CellId, Const>,
    /// Terms that are watched, in the order in which they were sent.
    watched: Vec<Term>,
    /// Cells that are in some term.
    looked: BTreeMap<CellId, Val>,
    symbols: BTreeMap<String, Term>,
    /// What was decided on the path.
    known: BTreeMap<Term, bool>,
    /// The highest number that a row of each table ever had.
    pub(crate) highest: Vec<i64>,
    pub(crate) last_number: i64,
    read: StatementCache,
}

impl Database {
    /// The database of a path before anything is in it.
    pub(crate) fn empty(terms: Rc<Terms>, schema: Rc<Schema>, start: &Start, read: &StatementCache) -> Database {
        Database {
            terms,
            schema,
            start: start.clone(),
            tables: Vec::new(),
            first: Vec::new(),
            saved: Vec::new(),
            bound: BTreeMap::new(),
            sent: BTreeMap::new(),
            watched: Vec::new(),
            looked: BTreeMap::new(),
            symbols: BTreeMap::new(),
            known: BTreeMap::new(),
            highest: Vec::new(),
            last_number: 0,
            read: read.clone(),
        }
    }

    pub(crate) fn at_start(&self, cell: CellId) -> Val {
        let it =
            Cells { terms: &self.terms, schema: &self.schema, start: &self.start, symbol: &mut |_, _| unreachable!() };
        match it.constant(cell) {
            Some(it) => Val::of(&self.terms, &it),
            None => Val { null: self.terms.bool(false), data: Data::Cell(cell) },
        }
    }

    pub(crate) fn with_cells<R>(&mut self, ask: &mut dyn Questions, make: impl FnOnce(&mut Cells<'_>) -> R) -> R {
        let symbols = &mut self.symbols;
        let mut symbol = |name: &str, sort: Sort| match symbols.get(name) {
            Some(it) => *it,
            None => *symbols.entry(name.to_owned()).or_insert_with(|| ask.fresh(name, sort)),
        };
        make(&mut Cells { terms: &self.terms, schema: &self.schema, start: &self.start, symbol: &mut symbol })
    }

    /// When the values of two rows are the same in all columns of a key: never where one is null.
    pub(crate) fn same_key(
        &mut self,
        key: &[usize],
        one: &[Val],
        other: &[Val],
        ask: &mut dyn Questions,
    ) -> Result<Term, SqlError> {
        let mut res = self.terms.bool(true);
        for column in key {
            let one = self.seen(&one[*column], ask);
            let other = self.seen(&other[*column], ask);
            let same = compare(&self.terms, Compare::Equal, &one, &other)
                .map_err(|it| Refusal::at(format!("a key of {} and {}", it.0, it.1), Span::empty(), "a constraint"))?;
            res = self.terms.and(res, same.yes);
            if self.terms.as_bool(res) == Some(false) {
                break;
            }
        }
        Ok(res)
    }

    /// The value, with a cell of the start replaced by its content.
    pub(crate) fn seen(&mut self, value: &Val, ask: &mut dyn Questions) -> Val {
        match value.data {
            Data::Cell(cell) => self.look(cell, ask),
            _ => value.clone(),
        }
    }

    /// The value of a cell of the start, in terms.
    pub(crate) fn look(&mut self, cell: CellId, ask: &mut dyn Questions) -> Val {
        if let Some(it) = self.bound.get(&cell) {
            return Val::of(&self.terms, it);
        }
        if let Some(it) = self.looked.get(&cell) {
            return it.clone();
        }
        let Some((val, holds)) = self.with_cells(ask, |it| it.value(cell)) else {
            // A kind without terms: one value stands for all.
            return self.bind_name(cell, ask);
        };
        let present = self.first[cell.table][cell.row].present;
        ask.assume(self.terms.implies(present, holds));
        self.looked.insert(cell, val.clone());
        self.keep_unique(cell, &val, ask);
        val
    }

    /// A column that is unique on its own: different from all cells of it that are known so far.
    fn keep_unique(&mut self, cell: CellId, val: &Val, ask: &mut dyn Questions) {
        let table = &self.schema.tables[cell.table];
        let alone = |it: &Vec<usize>| it.as_slice() == [cell.column];
        if table.reference(cell.column).is_some() || !(table.unique.iter().any(alone) || alone(&table.primary)) {
            return;
        }
        let rows = Rc::clone(&self.first[cell.table]);
        for row in (0..rows.len()).filter(|it| *it != cell.row) {
            let other = CellId { row, ..cell };
            let known = self.bound.get(&other).map(|it| Val::of(&self.terms, it));
            if let Some(known) = known.or_else(|| self.looked.get(&other).cloned())
                && let Ok(same) = compare(&self.terms, Compare::Equal, val, &known)
            {
                let both = self.terms.and(rows[row].present, rows[cell.row].present);
                ask.assume(self.terms.not(self.terms.and(both, same.yes)));
            }
        }
    }

    /// Nobody has looked at the cell: it is null, or a value that no other cell has. No question is asked for the value,
    /// since nothing on the path depends on it.
    pub(crate) fn bind_name(&mut self, cell: CellId, ask: &mut dyn Questions) -> Val {
        let null = self.with_cells(ask, |it| it.null(cell));
        let value = if self.decide(null, ask) {
            Const::Null
        } else {
            let schema = Rc::clone(&self.schema);
            let table = &schema.tables[cell.table];
            let column = &table.columns[cell.column];
            ask.witnessed(&format!("{}.{}", table.name, column.name));
            name_of(&schema, cell)
        };
        self.bind(cell, value.clone());
        Val::of(&self.terms, &value)
    }

    /// What a cell of the start is, from here on.
    pub(crate) fn bind(&mut self, cell: CellId, value: Const) {
        self.bound.insert(cell, value);
    }

    /// What the program has of a cell, which may be something else.
    pub(crate) fn send(&mut self, cell: CellId, value: Const) {
        self.sent.insert(cell, value);
    }

    /// The number of a term among those that are watched.
    pub(crate) fn watched_term(&mut self, term: Term) -> usize {
        self.watched.iter().position(|it| *it == term).unwrap_or_else(|| {
            self.watched.push(term);
            self.watched.len() - 1
        })
    }

    /// Whether some term mentions the cell.
    pub(crate) fn is_looked(&self, cell: CellId) -> bool {
        self.looked.contains_key(&cell)
    }

    /// Whether another cell of a column that is unique is in some term: then a name might be one that it must not be.
    pub(crate) fn is_unique_among_looked(&self, cell: CellId) -> bool {
        let table = &self.schema.tables[cell.table];
        table.unique.iter().any(|it| it.contains(&cell.column))
            && self.looked.keys().any(|it| it.table == cell.table && it.column == cell.column)
    }

    /// The values of a cell, if these are few.
    pub(crate) fn domain(&mut self, cell: CellId, ask: &mut dyn Questions) -> Option<Vec<Const>> {
        let domain = self.with_cells(ask, |it| it.domain(cell))?;
        Some(domain.into_iter().map(|it| it.value).collect())
    }

    /// When a cell is null, without a look at what it is.
    pub(crate) fn null_of(&mut self, cell: CellId, ask: &mut dyn Questions) -> Term {
        match self.bound.get(&cell) {
            Some(it) => self.terms.bool(*it == Const::Null),
            None => self.with_cells(ask, |it| it.null(cell)),
        }
    }

    /// What a cell turned out to be.
    pub(crate) fn bound(&self, cell: CellId) -> Option<&Const> {
        self.bound.get(&cell)
    }

    /// Decides, unless the path has decided it before.
    pub(crate) fn decide(&mut self, cond: Term, ask: &mut dyn Questions) -> bool {
        let cond = self.simplified(cond);
        if let Some(it) = self.terms.as_bool(cond) {
            return it;
        }
        let answer = ask.decide(cond);
        self.learn(cond, answer);
        answer
    }

    /// Which of some conditions holds, of which exactly one does.
    pub(crate) fn among(&mut self, conds: &[Term], ask: &mut dyn Questions) -> usize {
        let simple: Vec<Term> = conds.iter().map(|it| self.simplified(*it)).collect();
        if let Some(at) = simple.iter().position(|it| self.terms.as_bool(*it) == Some(true)) {
            return at;
        }
        let open: Vec<usize> = (0..simple.len()).filter(|at| self.terms.as_bool(simple[*at]).is_none()).collect();
        let at = match open.as_slice() {
            [] => 0,
            [only] => *only,
            _ => open[ask.among(&open.iter().map(|at| simple[*at]).collect::<Vec<_>>())],
        };
        for (other, cond) in simple.iter().enumerate() {
            self.learn(*cond, other == at);
        }
        at
    }

    /// What a condition is, with what the path has decided. Its parts only: nothing is derived.
    pub(crate) fn simplified(&self, cond: Term) -> Term {
        if let Some(it) = self.known.get(&cond) {
            return self.terms.bool(*it);
        }
        match self.terms.node(cond) {
            Node::Not(it) => self.terms.not(self.simplified(*it)),
            Node::And(of) => self.terms.and_all(of.iter().map(|it| self.simplified(*it)).collect::<Vec<_>>()),
            Node::Or(of) => self.terms.or_all(of.iter().map(|it| self.simplified(*it)).collect::<Vec<_>>()),
            _ => cond,
        }
    }

    fn learn(&mut self, cond: Term, holds: bool) {
        let terms = Rc::clone(&self.terms);
        if terms.as_bool(cond).is_some() {
            return;
        }
        self.known.insert(cond, holds);
        match terms.node(cond) {
            Node::Not(it) => self.learn(*it, !holds),
            Node::And(of) if holds => of.iter().for_each(|it| self.learn(*it, true)),
            Node::Or(of) if !holds => of.iter().for_each(|it| self.learn(*it, false)),
            _ => {}
        }
    }

    /// The number of the parameter `?` at a place.
    pub(crate) fn placeholder(&self, sql: &str, span: Span) -> Option<usize> {
        let read = self.read.0.borrow();
        let place = (span.start.line, span.start.column);
        read.get(sql)?.placeholders.iter().position(|it| *it == place)
    }

    pub(crate) fn parse(&self, sql: &str) -> Result<Rc<ParsedStatement>, SqlError> {
        if let Some(it) = self.read.0.borrow().get(sql) {
            return Ok(Rc::clone(it));
        }
        let tokens = bounds::tokens(sql)?;
        let placeholders = tokens
            .iter()
            .filter(|it| matches!(&it.token, Token::Placeholder(text) if text == "?"))
            .map(|it| (it.span.start.line, it.span.start.column))
            .collect();
        let mut statements =
            Parser::parse_sql(&SQLiteDialect {}, sql).map_err(|it| Refusal::at(it.to_string(), Span::empty(), sql))?;
        let (Some(statement), true) = (statements.pop(), statements.is_empty()) else {
            return Err(Refusal::at("not one statement", Span::empty(), sql).into());
        };
        let parsed = Rc::new(ParsedStatement { statement, placeholders });
        let mut read = self.read.0.borrow_mut();
        if read.len() >= MOST_READ {
            read.clear();
        }
        read.insert(sql.to_owned(), Rc::clone(&parsed));
        Ok(parsed)
    }

    /// A transaction begins, or one within it.
    pub fn begin(&mut self) {
        self.saved.push(Savepoint { tables: self.tables.clone(), highest: self.highest.clone() });
    }

    /// Ends the innermost transaction and keeps what it wrote.
    pub fn commit(&mut self) {
        self.saved.pop();
    }

    /// It is undone. Numbers of rows that AUTOINCREMENT gave are given again, as in SQLite.
    pub fn roll_back(&mut self) {
        if let Some(Savepoint { tables, highest }) = self.saved.pop() {
            self.tables = tables;
            self.highest = highest;
        }
    }

    /// The arena of the database's terms.
    pub fn terms(&self) -> &Rc<Terms> {
        &self.terms
    }

    /// The tables with their columns and constraints.
    pub fn schema(&self) -> &Rc<Schema> {
        &self.schema
    }

    /// When a row of the start is there; `None` where there is none of this number.
    pub fn present_at_start(&self, table: usize, row: usize) -> Option<Term> {
        Some(self.first.get(table)?.get(row)?.present)
    }

    /// How many rows a table has at most at the start.
    pub fn rows_at_start(&self, table: usize) -> usize {
        self.first.get(table).map_or(0, |it| it.len())
    }

    /// The value of a cell at the start, in terms.
    pub fn value_at_start(&mut self, cell: CellId, ask: &mut dyn Questions) -> Val {
        let value = self.first[cell.table][cell.row].cells[cell.column].clone();
        self.seen(&value, ask)
    }

    /// What the program was sent for a cell of the start, if it was sent it.
    pub fn sent(&self, cell: CellId) -> Option<Const> {
        self.bound.get(&cell).or_else(|| self.sent.get(&cell)).cloned()
    }

    /// The rows of a table as they are now: number, when it is there, and its values in terms.
    pub fn rows_now(&mut self, table: usize, ask: &mut dyn Questions) -> Vec<(i64, Term, Vec<Val>)> {
        let rows = Rc::clone(&self.tables[table]);
        rows.iter()
            .map(|row| (row.number, row.present, row.cells.iter().map(|it| self.seen(it, ask)).collect()))
            .collect()
    }

    /// The database at the start as it is where symbols have these values: the rows of each table that are there. What
    /// nobody has looked at has a value that is allowed.
    pub fn at(&self, mut value: impl FnMut(Term) -> Option<effigy_term::Value>) -> Vec<Vec<Vec<Const>>> {
        self.under(&self.first, &mut value)
    }

    /// The same of the database as it is now.
    pub fn now_at(&self, mut value: impl FnMut(Term) -> Option<effigy_term::Value>) -> Vec<Vec<Vec<Const>>> {
        self.under(&self.tables, &mut value)
    }

    fn under(
        &self,
        tables: &[Rc<Vec<Row>>],
        value: &mut dyn FnMut(Term) -> Option<effigy_term::Value>,
    ) -> Vec<Vec<Vec<Const>>> {
        let mut res = Vec::new();
        for rows in tables {
            let mut there = Vec::new();
            for row in rows.iter() {
                if matches!(value(row.present), Some(effigy_term::Value::Bool(true))) {
                    there.push(row.cells.iter().map(|it| self.value_of(it, value)).collect());
                }
            }
            res.push(there);
        }
        res
    }

    fn value_of(&self, val: &Val, value: &mut dyn FnMut(Term) -> Option<effigy_term::Value>) -> Const {
        let looked = match val.data {
            Data::Cell(cell) => match (self.bound.get(&cell), self.looked.get(&cell)) {
                (Some(it), _) => return it.clone(),
                (None, Some(it)) => it,
                (None, None) => return self.anything(cell, value),
            },
            _ => val,
        };
        looked.under(value).unwrap_or(Const::Null)
    }

    /// A value for a cell at which nobody has looked.
    fn anything(&self, cell: CellId, value: &mut dyn FnMut(Term) -> Option<effigy_term::Value>) -> Const {
        let column = &self.schema.tables[cell.table].columns[cell.column];
        let mut none = |_: &str, _: Sort| self.terms.bool(false);
        let cells = Cells { terms: &self.terms, schema: &self.schema, start: &self.start, symbol: &mut none };
        let null = self.symbols.get(&format!("{} is null", cells.name(cell)));
        if null.is_some_and(|it| matches!(value(*it), Some(effigy_term::Value::Bool(true)))) {
            return Const::Null;
        }
        match cells.domain(cell).as_deref() {
            Some([it, ..]) if column.kind != Kind::Bool || column.domain.is_some() => it.value.clone(),
            Some(_) => Const::Bool(false),
            None => name_of(&self.schema, cell),
        }
    }

    /// Columns of which nobody may say what they are, by name: they are treated as names.
    pub fn opaque_columns(&self) -> BTreeSet<String> {
        let all = self.schema.tables.iter().flat_map(|table| table.columns.iter().map(move |it| (table, it)));
        all.filter(|it| it.1.opaque).map(|(table, it)| format!("{}.{}", table.name, it.name)).collect()
    }
}
