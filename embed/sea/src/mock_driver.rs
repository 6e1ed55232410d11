//! The mock driver: answers sea-orm's connection from the symbolic database of this thread's current path.
//!
//! Knows: sea-orm's trait of a driver. Never: SQL (`effigy-relations`), where a path goes (`effigy-session`).
//!
//! The driver is that of `mock`: `proxy` of sea-orm 2.0.4 does not compile together with a driver of sqlx, and an
//! application has one. A path that is over does not unwind through the application, whose transactions would roll back
//! with a lock that is poisoned: the statement fails, and [`take_over`] tells the path's owner.

use crate::constraint_errors::ConstraintErrors;
use crate::sym;
use crate::values::{from_sea, to_sea};
use effigy_relations::{Data, Database, Outcome, Questions, SentValue, SqlError, Val};
use effigy_session::{Session, SessionId};
use effigy_term::{Sort, Term, Value};
use sea_orm::{
    ColumnType, DatabaseConnection, DatabaseConnectionType, DbBackend, DbErr, ExecResult, MockDatabase,
    MockDatabaseConnection, MockDatabaseTrait, MockExecResult, QueryResult, RuntimeErr, Statement, Transaction,
};
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// The kinds of the columns of entities, by table and column.
pub(crate) type Kinds = BTreeMap<(String, String), ColumnType>;

/// What the thread's path has below its connection.
pub(crate) struct Below {
    pub(crate) database: Database,
    pub(crate) kinds: Rc<Kinds>,
    told: Rc<ConstraintErrors>,
    /// Statements, as they were asked.
    pub(crate) statements: Vec<String>,
    /// Statements whose rows came without an order.
    pub(crate) unordered: Vec<String>,
    /// The path is over; how it was left.
    over: Option<Box<dyn Any + Send>>,
}

thread_local! {
    static BELOW: RefCell<Option<Below>> = const { RefCell::new(None) };
}

/// The database of a new path; that of the last one is gone.
pub(crate) fn enter(
    database: Database,
    session: &Session,
    kinds: Rc<Kinds>,
    told: Rc<ConstraintErrors>,
) -> DatabaseConnection {
    let id = session.id();
    sym::forget();
    BELOW.set(Some(Below { database, kinds, told, statements: Vec::new(), unordered: Vec::new(), over: None }));
    let driver = MockDatabaseConnection::new(Driver { session: id });
    DatabaseConnectionType::MockDatabaseConnection(Arc::new(driver)).into()
}

/// Works on the database of this thread's path, or of the last one that it was on.
pub(crate) fn below<R>(work: impl FnOnce(&mut Below) -> R) -> Option<R> {
    BELOW.with_borrow_mut(|it| it.as_mut().map(work))
}

/// Goes on leaving a path that was left within a statement.
pub(crate) fn take_over() {
    let over = BELOW.with_borrow_mut(|it| it.as_mut().and_then(|it| it.over.take()));
    if let Some(payload) = over {
        std::panic::resume_unwind(payload);
    }
}

/// A session as whom the database asks.
pub(crate) struct Asker<'a>(pub(crate) &'a Session);

impl Questions for Asker<'_> {
    fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        let kind = match sort {
            Sort::BitVec(width) => effigy_session::Kind::Bits { width, signed: false },
            _ => effigy_session::Kind::Bool,
        };
        self.0.fresh(name, kind)
    }

    fn decide(&mut self, cond: Term) -> bool {
        self.0.decide(cond)
    }

    fn among(&mut self, conds: &[Term]) -> usize {
        self.0.decide_among(conds)
    }

    fn assume(&mut self, cond: Term) {
        self.0.assume(cond);
    }

    fn witness(&mut self, term: Term, what: &str) -> Value {
        self.0.witness(term, what)
    }

    fn watches(&self) -> bool {
        effigy_watch::is_on()
    }

    fn watched(&mut self, term: Term, what: &str, candidates: &[Value]) -> Value {
        self.0.watched(term, what, candidates)
    }

    fn witnessed(&mut self, what: &str) {
        self.0.witnessed(what);
    }

    fn note(&mut self, what: &str) {
        self.0.note(what);
    }
}

#[derive(Debug)]
struct Driver {
    session: SessionId,
}

impl Driver {
    fn answer(&self, statement: &Statement) -> Result<(Outcome, Vec<BTreeMap<String, sea_orm::Value>>), DbErr> {
        let error = |what: String| DbErr::Query(RuntimeErr::Internal(what));
        // A thread that is not in the session is told so, and the verdict is an error.
        let session = Session::of(self.session);
        let answered = below(|it| {
            if it.over.is_some() {
                return Err(error("the path is over".to_owned()));
            }
            it.statements.push(statement.to_string());
            let done = catch_unwind(AssertUnwindSafe(|| run(it, &session, statement)));
            match done {
                Ok(done) => done.map_err(|violated| DbErr::Query(it.told.error(&violated.to_string()))),
                Err(payload) => {
                    it.over = Some(payload);
                    Err(error("the path is over".to_owned()))
                }
            }
        });
        answered.unwrap_or_else(|| Err(error("no path is on this thread".to_owned())))
    }
}

type Rows = Vec<BTreeMap<String, sea_orm::Value>>;

fn run(it: &mut Below, session: &Session, statement: &Statement) -> Result<(Outcome, Rows), SqlError> {
    let of = statement.values.as_ref().map_or(&[][..], |it| it.0.as_slice());
    let given = |it: &sea_orm::Value| match sym::given(session, it) {
        Some(term) => Ok(Val::some(session.terms(), Data::Int(term))),
        None => from_sea(it).map(|it| Val::of(session.terms(), &it)),
    };
    let values: Result<Vec<Val>, String> = of.iter().map(given).collect();
    let values = values.unwrap_or_else(|what| session.unsupported(&format!("{what} in {}", statement.sql)));
    let outcome = match it.database.run_with(&statement.sql, &values, &mut Asker(session)) {
        Ok(outcome) => outcome,
        Err(SqlError::Refused(it)) => session.unsupported(&it.to_string()),
        Err(violated) => return Err(violated),
    };
    if outcome.unordered {
        it.unordered.push(statement.sql.clone());
    }
    let mut rows = Vec::new();
    for row in &outcome.rows {
        let mut res = BTreeMap::new();
        for (at, value) in row.iter().enumerate() {
            let kind = outcome.origins[at]
                .as_ref()
                .and_then(|(table, column)| it.kinds.get(&(table.to_ascii_lowercase(), column.to_ascii_lowercase())));
            let value = match value {
                SentValue::Certain(it) => to_sea(it, kind),
                SentValue::Number(term) => Ok(sym::send(session, *term, Some(shown(&outcome, at)))),
            };
            let value = match value {
                Ok(it) => it,
                Err(what) => session.unsupported(&format!("{what} in {}", statement.sql)),
            };
            // sea-orm reads a row of this driver by number in the order of names: these come first, in the right one.
            res.insert(format!("\0{at:06}"), value.clone());
            res.insert(outcome.columns[at].clone(), value);
        }
        rows.push(res);
    }
    Ok((outcome, rows))
}

/// A column as a verdict names it.
fn shown(outcome: &Outcome, at: usize) -> String {
    match &outcome.origins[at] {
        Some((table, column)) => format!("{table}.{column}"),
        None => outcome.columns[at].clone(),
    }
}

impl MockDatabaseTrait for Driver {
    fn execute(&mut self, _: usize, statement: Statement) -> Result<ExecResult, DbErr> {
        let (outcome, _) = self.answer(&statement)?;
        let result = MockExecResult {
            last_insert_id: u64::try_from(outcome.last_number).unwrap_or(0),
            rows_affected: outcome.changed,
        };
        MockDatabase::new(DbBackend::Sqlite).append_exec_results([result]).execute(0, statement)
    }

    fn query(&mut self, _: usize, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let (_, rows) = self.answer(&statement)?;
        MockDatabase::new(DbBackend::Sqlite).append_query_results([rows]).query(0, statement)
    }

    fn begin(&mut self) {
        below(|it| it.database.begin());
    }

    fn commit(&mut self) {
        below(|it| it.database.commit());
    }

    fn rollback(&mut self) {
        below(|it| it.database.roll_back());
    }

    fn drain_transaction_log(&mut self) -> Vec<Transaction> {
        Vec::new()
    }

    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Sqlite
    }

    fn ping(&self) -> Result<(), DbErr> {
        Ok(())
    }
}
