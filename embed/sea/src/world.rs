//! What an application is explored in: its tables, how large they are, and what the tester says of columns.
//!
//! Knows: how a specification is run for each path, and again on SQLite. Never: how a path is answered (`mock_driver`).

use crate::constraint_errors::ConstraintErrors;
use crate::mock_driver::{self, Asker, Kinds};
use crate::path::{AbandonedPath, Answer, Mode, Path, Record};
use crate::report::{Counterexample, Report};
use crate::{sqlite, sym};
use effigy_relations::database::StatementCache;
use effigy_relations::{Const, Database, Schema, SqlError, Start};
use effigy_session::{Limits, RunEnd, RunEnding, Session, explore_with};
use effigy_term::{Term, Terms, Value};
use sea_orm::{ColumnTrait, ColumnType, DatabaseConnection, DbErr, EntityTrait, IdenStatic, Iterable};
use std::cell::RefCell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// What an application is explored in.
#[derive(Clone)]
pub struct World {
    pub(crate) schema: Rc<Schema>,
    pub(crate) tables: Rc<Vec<String>>,
    kinds: Rc<Kinds>,
    told: Rc<ConstraintErrors>,
    start: Start,
    limits: Limits,
    compared: u64,
    setup: Option<Rc<str>>,
}

/// Why there is no world.
#[derive(Debug)]
pub struct Unfit(String);

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unfit {}

impl From<DbErr> for Unfit {
    fn from(it: DbErr) -> Unfit {
        Unfit(it.to_string())
    }
}

impl From<SqlError> for Unfit {
    fn from(it: SqlError) -> Unfit {
        Unfit(it.to_string())
    }
}

/// The executor of the application's futures: one thread, that of the session.
pub(crate) fn executor() -> tokio::runtime::Runtime {
    let made = tokio::runtime::Builder::new_current_thread().enable_time().build();
    made.unwrap_or_else(|it| panic!("an executor of one thread needs nothing that could be missing: {it}"))
}

impl World {
    /// A world of the tables of a database, as the application's own migrations make them.
    pub fn of<M, F>(migrate: M) -> Result<World, Unfit>
    where
        M: FnOnce(DatabaseConnection) -> F,
        F: Future<Output = Result<(), DbErr>>,
    {
        let tables = executor().block_on(async {
            let database = sea_orm::Database::connect("sqlite::memory:").await?;
            migrate(database.clone()).await?;
            sqlite::tables(&database).await
        })?;
        let mut schema = Schema::default();
        for statement in &tables {
            schema.apply(statement)?;
        }
        let told = executor().block_on(ConstraintErrors::hear(&schema))?;
        Ok(World {
            schema: Rc::new(schema),
            tables: Rc::new(tables),
            kinds: Rc::default(),
            told: Rc::new(told),
            start: Start::rows_of_all(2),
            limits: Limits::default(),
            compared: u64::MAX,
            setup: None,
        })
    }

    /// The kinds of the columns of an entity: without it a number is taken for an `i64`.
    #[must_use]
    pub fn entity<E: EntityTrait>(mut self, entity: E) -> World {
        let table = entity.table_name().to_ascii_lowercase();
        for column in E::Column::iter() {
            let kind = column.def().get_column_type().clone();
            let name = column.as_str().to_ascii_lowercase();
            if let ColumnType::Enum { variants, .. } = &kind
                && let Some(it) = Rc::make_mut(&mut self.schema).column_mut(&table, &name)
            {
                it.domain = Some(variants.iter().map(|it| Const::text(&it.to_string())).collect());
            }
            if sym::is_symbolic(&kind)
                && let Some(it) = Rc::make_mut(&mut self.schema).column_mut(&table, &name)
            {
                it.symbolic = true;
            }
            Rc::make_mut(&mut self.kinds).insert((table.clone(), name), kind);
        }
        self
    }

    /// The values of a column are these.
    ///
    /// # Panics
    /// Where there is no such column.
    #[must_use]
    pub fn finite(mut self, table: &str, column: &str, values: &[&str]) -> World {
        match Rc::make_mut(&mut self.schema).column_mut(table, column) {
            Some(it) => it.domain = Some(values.iter().map(|it| Const::text(it)).collect()),
            None => panic!("no such column: {table}.{column}"),
        }
        self
    }

    /// The values of a column are names, such as tokens: different in each row, and only compared for being the same.
    ///
    /// # Panics
    /// Where there is no such column.
    #[must_use]
    pub fn key(mut self, table: &str, column: &str) -> World {
        match Rc::make_mut(&mut self.schema).column_mut(table, column) {
            Some(it) => it.opaque = true,
            None => panic!("no such column: {table}.{column}"),
        }
        self
    }

    /// Up to `rows` rows in every table.
    #[must_use]
    pub fn rows(mut self, rows: usize) -> World {
        self.start = Start::rows_of_all(rows);
        self
    }

    /// Up to `rows` rows in this table.
    #[must_use]
    pub fn rows_of(mut self, table: &str, rows: usize) -> World {
        self.start = self.start.with(table, rows);
        self
    }

    /// Sets what the exploration may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> World {
        self.limits = limits;
        self
    }

    /// So many paths are run again on SQLite, and those that fail.
    #[must_use]
    pub fn compared(mut self, paths: u64) -> World {
        self.compared = paths;
        self
    }

    /// The expression with which a written test makes the application, from a connection `database` on which the tables
    /// are to be made. A test that is written without it does not compile, and says what is missing.
    #[must_use]
    pub fn written_with(mut self, application: &str) -> World {
        self.setup = Some(application.into());
        self
    }

    /// Runs a specification for each path of the application.
    pub fn check<S>(&self, specification: S) -> Report
    where
        S: AsyncFn(Path),
    {
        self.walk(specification, &mut |_, _| {})
    }

    /// The same; `look` is told of the record of each path that ended and of its rows at the start.
    pub(crate) fn walk<S>(&self, specification: S, look: &mut dyn FnMut(&Record, &EndedPath<'_>)) -> Report
    where
        S: AsyncFn(Path),
    {
        let executor = executor();
        let read = StatementCache::default();
        let last: RefCell<Option<Path>> = RefCell::new(None);
        let mut report = Report::new(self.start_text());
        let mut run = || {
            let session = Session::current();
            let terms = session.arena();
            let schema = Rc::clone(&self.schema);
            let opened =
                Database::open(Rc::clone(&terms), Rc::clone(&schema), &self.start, &read, &mut Asker(&session));
            let database = match opened {
                Ok(it) => it,
                Err(it) => session.unsupported(&it.to_string()),
            };
            let connection = mock_driver::enter(database, &session, Rc::clone(&self.kinds), Rc::clone(&self.told));
            let path = Path::new(Mode::Symbolic(session), schema, terms, connection);
            last.replace(Some(path.clone()));
            executor.block_on(async { specification(path).await });
            mock_driver::take_over();
        };
        let account = explore_with(&self.limits, &mut run, &mut |end: &RunEnd<'_>| {
            let failed = match &end.ending {
                RunEnding::Ended => None,
                RunEnding::Failed(message) => Some(message.clone()),
                _ => return,
            };
            let Some(path) = last.borrow().clone() else { return };
            let model = |term: Term| -> Option<Value> {
                match end.failure {
                    // With the smaller model that is reported.
                    Some(it) => effigy_term::eval::Evaluator::new(end.terms, &it.model).value(term),
                    None => end.trail.witness.as_ref().and_then(|it| it.value(end.terms, term)),
                }
            };
            let Some(rows) = mock_driver::below(|it| it.database.at(model)) else { return };
            let mut record = path.record.borrow().clone();
            record.after = mock_driver::below(|it| it.database.now_at(model));
            report.heard(&record);
            look(&record, &EndedPath { end, schema: &self.schema });
            if failed.is_none() && report.compared >= self.compared {
                return;
            }
            let again = self.again(&executor, &specification, &rows, &record);
            let unordered = mock_driver::below(|it| it.unordered.clone()).unwrap_or_default();
            let difference = difference(&record, failed.as_deref(), &again, !unordered.is_empty());
            report.unordered.extend(unordered);
            report.compared += 1;
            let inserts = sqlite::inserts(&self.schema, &rows, &self.numbers());
            if let Some(what) = &difference {
                report.differences.push(format!("{what}; {}", inserts.join("; ")));
            }
            if let Some(message) = failed {
                let statements = mock_driver::below(|it| it.statements.clone()).unwrap_or_default();
                report.counterexamples.push(Counterexample {
                    message,
                    schema: Rc::clone(&self.schema),
                    rows,
                    record,
                    inserts,
                    statements,
                    setup: self.setup.clone(),
                    path: report.heard_of,
                    confirmed: difference.is_none(),
                });
            }
        });
        report.names = mock_driver::below(|it| it.database.opaque_columns()).unwrap_or_default();
        report.account = account;
        report
    }

    fn start_text(&self) -> String {
        let counts: Vec<usize> = self.numbers();
        match (counts.iter().min(), counts.iter().max()) {
            (Some(least), Some(most)) if least == most => format!("up to {least} rows a table"),
            _ => {
                let of = self.schema.tables.iter().zip(counts).map(|(table, it)| format!("{} {it}", table.name));
                format!("rows up to: {}", of.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn numbers(&self) -> Vec<usize> {
        self.schema.tables.iter().map(|it| self.start.rows(&it.name)).collect()
    }

    /// The specification on SQLite, with these rows and these choices.
    fn again<S>(
        &self,
        executor: &tokio::runtime::Runtime,
        specification: &S,
        rows: &[Vec<Vec<Const>>],
        record: &Record,
    ) -> Result<Record, String>
    where
        S: AsyncFn(Path),
    {
        let inserts = sqlite::inserts(&self.schema, rows, &self.numbers());
        let database = executor
            .block_on(sqlite::open(&self.tables, &inserts))
            .map_err(|it| format!("SQLite does not take the rows: {it}"))?;
        let mode = Mode::Concrete { rows: rows.to_vec(), choices: record.choices.clone() };
        let path = Path::new(mode, Rc::clone(&self.schema), Rc::new(Terms::new()), database.clone());
        let done = catch_unwind(AssertUnwindSafe(|| executor.block_on(async { specification(path.clone()).await })));
        let mut record = path.record.borrow().clone();
        record.after = executor.block_on(sqlite::all_rows(&database, &self.schema));
        drop(path);
        let _ = executor.block_on(database.close());
        match done {
            Ok(()) => Ok(record),
            Err(payload) if payload.is::<AbandonedPath>() => Ok(record),
            Err(payload) => Err(crate::report::panic_text(&*payload)),
        }
    }
}

/// A path that has ended.
pub(crate) struct EndedPath<'a> {
    pub(crate) end: &'a RunEnd<'a>,
    pub(crate) schema: &'a Schema,
}

/// The difference between the path and its run on SQLite; `None` if both end in the same way.
fn difference(
    record: &Record,
    failed: Option<&str>,
    again: &Result<Record, String>,
    unordered: bool,
) -> Option<String> {
    let again = match (again, failed) {
        (Ok(it), _) => it,
        // The application panics in both.
        (Err(panic), Some(failed)) if panic == failed => return None,
        (Err(panic), _) => return Some(format!("on SQLite: {panic}")),
    };
    for (at, symbolic) in record.answers.iter().enumerate() {
        match again.answers.get(at) {
            Some(it) if it == symbolic => {}
            // What SQL does not say, SQLite may do otherwise.
            Some(it) if unordered && same_in_some_order(it, symbolic) => {}
            Some(it) => {
                let text = |it: &Answer| format!("{} {}", it.status, it.body);
                return Some(format!("{}: {} here, {} on SQLite", symbolic.request, text(symbolic), text(it)));
            }
            None => return Some(format!("{} is not sent on SQLite", symbolic.request)),
        }
    }
    if let (Some(ours), Some(theirs)) = (&record.after, &again.after)
        && sorted_rows(ours) != sorted_rows(theirs)
    {
        return Some(format!("the tables are {ours:?} in the end, {theirs:?} on SQLite"));
    }
    if again.outside {
        return Some("an assumption does not hold on SQLite".to_owned());
    }
    match (failed, &again.failed) {
        (Some(_), None) => Some("nothing fails on SQLite".to_owned()),
        (None, Some(it)) => Some(format!("on SQLite this fails: {it}")),
        _ => None,
    }
}

/// Whether two answers are the same but for the order of lists.
fn same_in_some_order(one: &Answer, other: &Answer) -> bool {
    fn sorted(mut json: serde_json::Value) -> serde_json::Value {
        match &mut json {
            serde_json::Value::Array(of) => {
                of.iter_mut().for_each(|it| *it = sorted(it.take()));
                of.sort_by_key(ToString::to_string);
            }
            serde_json::Value::Object(of) => of.values_mut().for_each(|it| *it = sorted(it.take())),
            _ => {}
        }
        json
    }
    one.status == other.status && one.json() != serde_json::Value::Null && sorted(one.json()) == sorted(other.json())
}

/// Rows in some order, truth values as the numbers that they are in SQLite.
fn sorted_rows(tables: &[Vec<Vec<Const>>]) -> Vec<Vec<Vec<String>>> {
    let text = |it: &Const| match it {
        Const::Bool(it) => i64::from(*it).to_string(),
        other => other.to_string(),
    };
    let rows = tables.iter().map(|rows| {
        let mut rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(text).collect()).collect();
        rows.sort();
        rows
    });
    rows.collect()
}
