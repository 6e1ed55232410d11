//! One path, as a specification sees it: rows of the database before the application ran, requests, what must hold.
//!
//! Knows: the path's connection, whether it is symbolic or on SQLite. Never: how paths are found.
//!
//! A specification is run on symbolic tables and again on SQLite; it cannot tell which.

use crate::exposure::ExposedRow;
use crate::formula::{Field, Formula};
use crate::mock_driver::{self, Asker};
use crate::sqlite;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use effigy_relations::value::CellId;
use effigy_relations::{Const, Database, Schema, Val};
use effigy_session::Session;
use effigy_term::{Term, Terms};
use sea_orm::DatabaseConnection;
use std::cell::RefCell;
use std::rc::Rc;
use tower::ServiceExt;

/// The longest answer that is read, in bytes.
const LONGEST: usize = 1 << 24;

/// The application's answer to one request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The request: method and path.
    pub request: String,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The body of the answer, as text.
    pub body: String,
}

impl Answer {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or(serde_json::Value::Null)
    }

    /// Whether the request was granted.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// What was chosen and heard on a path.
#[derive(Clone, Default, Debug)]
pub(crate) struct Record {
    /// The rows that [`Path::any`] took.
    pub(crate) choices: Vec<usize>,
    /// Variables with their tables, in order.
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) assumptions: Vec<String>,
    /// What must hold, in words.
    pub(crate) checks: Vec<String>,
    pub(crate) answers: Vec<Answer>,
    /// Requests as they are written in a test.
    pub(crate) requests: Vec<String>,
    /// The cells that the answers show.
    pub(crate) shown: Vec<ExposedRow>,
    /// The conditions of the path before the application ran.
    pub(crate) granted: Vec<Term>,
    /// All rows at the end, where they can be read.
    pub(crate) after: Option<Vec<Vec<Vec<Const>>>>,
    /// A check that failed, where the path is on SQLite.
    pub(crate) failed: Option<String>,
    /// An assumption that did not hold, where the path is on SQLite.
    pub(crate) outside: bool,
}

/// A path that is left, where it is on SQLite.
pub(crate) struct AbandonedPath;

pub(crate) enum Mode {
    Symbolic(Session),
    /// On SQLite: the rows of each table at the start, and what was chosen.
    Concrete {
        rows: Vec<Vec<Vec<Const>>>,
        choices: Vec<usize>,
    },
}

/// One path of the application, as a specification sees it.
#[derive(Clone)]
pub struct Path {
    pub(crate) mode: Rc<Mode>,
    pub(crate) schema: Rc<Schema>,
    pub(crate) terms: Rc<Terms>,
    connection: DatabaseConnection,
    pub(crate) record: Rc<RefCell<Record>>,
}

impl Path {
    pub(crate) fn new(mode: Mode, schema: Rc<Schema>, terms: Rc<Terms>, connection: DatabaseConnection) -> Path {
        Path { mode: Rc::new(mode), schema, terms, connection, record: Rc::default() }
    }

    /// The connection that the application is given.
    pub fn connection(&self) -> DatabaseConnection {
        self.connection.clone()
    }

    fn table(&self, table: &str) -> usize {
        match self.schema.table(table) {
            Some(it) => it,
            None => panic!("no such table: {table}"),
        }
    }

    fn database<R>(&self, work: impl FnOnce(&mut Database, &mut Asker<'_>) -> R) -> R {
        let Mode::Symbolic(session) = &*self.mode else { unreachable!("a path on SQLite has no symbolic database") };
        match mock_driver::below(|it| work(&mut it.database, &mut Asker(session))) {
            Some(it) => it,
            None => panic!("the path is asked on another thread"),
        }
    }

    /// Whichever row of a table: the path is run for each. It is there.
    ///
    /// # Panics
    /// Where there is no such table.
    pub fn any(&self, table: &str, name: &str) -> Row {
        let number = self.table(table);
        let at = self.record.borrow().choices.len();
        let row = match &*self.mode {
            Mode::Symbolic(session) => {
                let rows = self.database(|it, _| it.rows_at_start(number));
                session.choose(rows.max(1))
            }
            Mode::Concrete { choices, .. } => choices.get(at).copied().unwrap_or(0),
        };
        let mut record = self.record.borrow_mut();
        record.choices.push(row);
        record.variables.push((name.to_owned(), table.to_owned()));
        drop(record);
        let row = Row { path: self.clone(), table: number, row, name: name.to_owned() };
        let there = row.there();
        self.granted(&there);
        row
    }

    /// Every row that a table can have, whether it is there or not; nothing is decided.
    ///
    /// # Panics
    /// Where there is no such table.
    pub fn every(&self, table: &str, name: &str) -> Vec<Row> {
        let number = self.table(table);
        let rows = match &*self.mode {
            Mode::Symbolic(_) => self.database(|it, _| it.rows_at_start(number)),
            Mode::Concrete { rows, .. } => rows[number].len(),
        };
        let variable = (name.to_owned(), table.to_owned());
        let mut record = self.record.borrow_mut();
        if !record.variables.contains(&variable) {
            record.variables.push(variable);
        }
        drop(record);
        (0..rows).map(|row| Row { path: self.clone(), table: number, row, name: name.to_owned() }).collect()
    }

    /// Only databases matter of which this holds.
    pub fn assume(&self, formula: &Formula) {
        self.record.borrow_mut().assumptions.push(formula.text().to_owned());
        self.granted(formula);
    }

    fn granted(&self, formula: &Formula) {
        match &*self.mode {
            Mode::Symbolic(session) => session.assume(formula.term),
            Mode::Concrete { .. } => {
                if self.terms.as_bool(formula.term) != Some(true) {
                    self.record.borrow_mut().outside = true;
                    std::panic::resume_unwind(Box::new(AbandonedPath));
                }
            }
        }
    }

    /// Whether it holds on this path; the other answer is another path.
    pub fn decide(&self, formula: &Formula) -> bool {
        match &*self.mode {
            Mode::Symbolic(session) => session.decide(formula.term),
            Mode::Concrete { .. } => self.terms.as_bool(formula.term) == Some(true),
        }
    }

    /// This must hold of each of these rows that is there.
    pub fn check_every(&self, rows: &[Row], formula: impl Fn(&Row) -> Formula) {
        let mut all = self.terms.bool(true);
        let mut text = None;
        for row in rows {
            let holds = formula(row);
            all = self.terms.and(all, self.terms.implies(row.there().term, holds.term));
            text.get_or_insert_with(|| holds.text().to_owned());
        }
        if let Some(text) = text {
            self.check(&Formula::atom(&self.terms, all, text));
        }
    }

    /// Checks that `formula` holds on this path; a failure is a counterexample.
    pub fn check(&self, formula: &Formula) {
        let text = formula.text().to_owned();
        self.record.borrow_mut().checks.push(text.clone());
        match &*self.mode {
            Mode::Symbolic(session) => session.check(formula.term, &text),
            Mode::Concrete { .. } => {
                if self.terms.as_bool(formula.term) != Some(true) {
                    self.record.borrow_mut().failed = Some(text);
                    std::panic::resume_unwind(Box::new(AbandonedPath));
                }
            }
        }
    }

    /// Sends a request to the application, and hears its answer.
    ///
    /// # Panics
    /// Where the body of the answer cannot be read.
    pub async fn send(&self, app: &Router, request: Request<Body>) -> Answer {
        let shown = format!("{} {}", request.method(), request.uri());
        let (parts, body) = request.into_parts();
        let bytes = axum::body::to_bytes(body, LONGEST).await.unwrap_or_default();
        if let Mode::Symbolic(session) = &*self.mode
            && self.record.borrow().requests.is_empty()
        {
            let granted = session.path_condition();
            self.record.borrow_mut().granted = granted;
        }
        self.record.borrow_mut().requests.push(sqlite::written_request(&parts, &bytes));
        let request = Request::from_parts(parts, Body::from(bytes));
        let response = match app.clone().oneshot(request).await {
            Ok(it) => it,
            Err(never) => match never {},
        };
        mock_driver::take_over();
        let status = response.status().as_u16();
        let body = match axum::body::to_bytes(response.into_body(), LONGEST).await {
            Ok(it) => String::from_utf8_lossy(&it).into_owned(),
            Err(it) => panic!("the answer to {shown} cannot be read: {it}"),
        };
        mock_driver::take_over();
        let answer = Answer { request: shown, status, body };
        self.record.borrow_mut().answers.push(answer.clone());
        answer
    }

    /// Something that is said in a specification and is known, such as whether an answer shows a row.
    pub fn fact(&self, holds: bool, text: &str) -> Formula {
        Formula::atom(&self.terms, self.terms.bool(holds), text.to_owned())
    }

    /// Records that an answer shows a cell.
    pub(crate) fn shows(&self, shown: ExposedRow) {
        self.record.borrow_mut().shown.push(shown);
    }

    /// Every row that a table can have; no variable of a specification.
    pub(crate) fn all_rows(&self, table: &str) -> Vec<Row> {
        let number = self.table(table);
        let rows = match &*self.mode {
            Mode::Symbolic(_) => self.database(|it, _| it.rows_at_start(number)),
            Mode::Concrete { rows, .. } => rows[number].len(),
        };
        (0..rows).map(|row| Row { path: self.clone(), table: number, row, name: table.to_owned() }).collect()
    }
}

/// A row of the database as it was before the application ran.
#[derive(Clone)]
pub struct Row {
    pub(crate) path: Path,
    pub(crate) table: usize,
    pub(crate) row: usize,
    name: String,
}

impl Row {
    /// The row's number, from one.
    pub fn id(&self) -> i64 {
        self.row as i64 + 1
    }

    /// The formula that the row exists at the start.
    pub fn there(&self) -> Formula {
        let terms = &self.path.terms;
        let term = match &*self.path.mode {
            Mode::Symbolic(_) => {
                let there = self.path.database(|it, _| it.present_at_start(self.table, self.row));
                there.unwrap_or_else(|| terms.bool(false))
            }
            Mode::Concrete { rows, .. } => terms.bool(self.row < rows[self.table].len()),
        };
        Formula::atom(terms, term, format!("{} exists", self.name))
    }

    /// The name of its table.
    pub fn table_name(&self) -> &str {
        &self.path.schema.tables[self.table].name
    }

    /// Whether it has this column.
    pub fn has(&self, column: &str) -> bool {
        self.path.schema.tables[self.table].column(column).is_some()
    }

    /// The text of a column that the application was sent, or may have been.
    pub(crate) fn sent(&self, column: &str) -> Option<Const> {
        let cell = CellId { table: self.table, row: self.row, column: self.column(column) };
        match &*self.path.mode {
            Mode::Symbolic(_) => self.path.database(|it, _| it.sent(cell)),
            Mode::Concrete { rows, .. } => rows[self.table].get(self.row).map(|it| it[cell.column].clone()),
        }
    }

    fn column(&self, column: &str) -> usize {
        let table = &self.path.schema.tables[self.table];
        match table.column(column) {
            Some(it) => it,
            None => panic!("no such column: {}.{column}", table.name),
        }
    }

    fn value(&self, column: usize) -> Val {
        match &*self.path.mode {
            Mode::Symbolic(_) => {
                let cell = CellId { table: self.table, row: self.row, column };
                self.path.database(|it, ask| it.value_at_start(cell, ask))
            }
            Mode::Concrete { rows, .. } => match rows[self.table].get(self.row) {
                Some(it) => Val::of(&self.path.terms, &it[column]),
                None => Val::null(&self.path.terms),
            },
        }
    }

    /// A value of it.
    ///
    /// # Panics
    /// Where there is no such column.
    pub fn get(&self, column: &str) -> Field {
        let value = self.value(self.column(column));
        Field { terms: Rc::clone(&self.path.terms), value, text: format!("{}.{column}", self.name) }
    }

    /// Its number, as a value.
    pub fn number(&self) -> Field {
        let value = Val::of(&self.path.terms, &Const::Int(self.id()));
        Field { terms: Rc::clone(&self.path.terms), value, text: self.name.clone() }
    }

    /// A value of it is this one.
    pub fn is(&self, column: &str, value: impl Into<Literal>) -> Formula {
        let value = value.into().0;
        let other = Field {
            terms: Rc::clone(&self.path.terms),
            value: Val::of(&self.path.terms, &value),
            text: value.to_string(),
        };
        self.get(column).equals(&other)
    }

    /// It refers to the other row by this column.
    pub fn refers(&self, column: &str, other: &Row) -> Formula {
        self.get(column).equals(&other.number())
    }

    /// The text of a column whose values are names ([`crate::World::key`]).
    ///
    /// # Panics
    /// Where the column is not such a one.
    pub fn key(&self, column: &str) -> String {
        match self.value(self.column(column)).certain(&self.path.terms) {
            Some(Const::Text(it)) => it.to_string(),
            Some(Const::Int(it)) => it.to_string(),
            _ => panic!("{}.{column} is no key: World::key declares it", self.name),
        }
    }

    /// Its number is among these.
    pub fn is_in(&self, numbers: &[i64], of: &str) -> Formula {
        self.path.fact(numbers.contains(&self.id()), &format!("{} in {of}", self.name))
    }

    /// It is there still, with the values that it had.
    pub async fn unchanged(&self) -> Formula {
        let terms = Rc::clone(&self.path.terms);
        let text = format!("{} is unchanged", self.name);
        let before: Vec<Val> =
            (0..self.path.schema.tables[self.table].columns.len()).map(|it| self.value(it)).collect();
        let same = |now: &[Val]| {
            let all = before
                .iter()
                .zip(now)
                .map(|(a, b)| effigy_relations::logic::same(&terms, a, b).unwrap_or_else(|_| terms.bool(false)));
            terms.and_all(all.collect::<Vec<_>>())
        };
        let term = match &*self.path.mode {
            Mode::Symbolic(_) => {
                let rows = self.path.database(|it, ask| it.rows_now(self.table, ask));
                terms.or_all(
                    rows.iter()
                        .filter(|it| it.0 == self.id())
                        .map(|it| terms.and(it.1, same(&it.2)))
                        .collect::<Vec<_>>(),
                )
            }
            Mode::Concrete { .. } => {
                let now = sqlite::row_now(&self.path.connection, &self.path.schema, self.table, self.id()).await;
                match now {
                    None => terms.bool(false),
                    Some(now) => same(&now.iter().map(|it| Val::of(&terms, it)).collect::<Vec<_>>()),
                }
            }
        };
        Formula::atom(&terms, term, text)
    }
}

/// A value that is written in a specification.
pub struct Literal(pub(crate) Const);

impl From<&str> for Literal {
    fn from(it: &str) -> Literal {
        Literal(Const::text(it))
    }
}

impl From<bool> for Literal {
    fn from(it: bool) -> Literal {
        Literal(Const::Bool(it))
    }
}

impl From<i64> for Literal {
    fn from(it: i64) -> Literal {
        Literal(Const::Int(it))
    }
}
