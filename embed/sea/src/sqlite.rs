//! The database of a path on SQLite in memory.
//!
//! Knows: the statements that make tables and rows, the values that SQLite has. Never: terms.

use axum::http::request::Parts;
use effigy_relations::schema::Kind;
use effigy_relations::{Const, Schema, Table};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, QueryResult, Statement};

/// The statements that make the rows of a database: those of a path.
pub(crate) fn inserts(schema: &Schema, rows: &[Vec<Vec<Const>>], numbers: &[usize]) -> Vec<String> {
    let mut res = vec!["PRAGMA foreign_keys = OFF".to_owned()];
    for (table, rows) in schema.tables.iter().zip(rows) {
        let columns: Vec<String> = table.columns.iter().map(|it| quoted(&it.name)).collect();
        for row in rows {
            let values: Vec<String> = row.iter().map(ToString::to_string).collect();
            let (name, columns) = (quoted(&table.name), columns.join(", "));
            res.push(format!("INSERT INTO {name} ({columns}) VALUES ({})", values.join(", ")));
        }
    }
    // Rows that were deleted before have had the numbers up to the bound: the next one is the same in every database.
    for (table, number) in schema.tables.iter().zip(numbers).filter(|it| it.0.autoincrement) {
        let name = Const::text(&table.name);
        res.push(format!("DELETE FROM sqlite_sequence WHERE name = {name}"));
        res.push(format!("INSERT INTO sqlite_sequence (name, seq) VALUES ({name}, {number})"));
    }
    res.push("PRAGMA foreign_keys = ON".to_owned());
    res
}

pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A database in memory with these tables and rows.
pub(crate) async fn open(tables: &[String], rows: &[String]) -> Result<DatabaseConnection, DbErr> {
    let database = Database::connect("sqlite::memory:").await?;
    // At once: a connection has a thread of its own, and each statement would be a message to it.
    let all: Vec<&str> = tables.iter().chain(rows).map(String::as_str).collect();
    database.execute_unprepared(&all.join(";\n")).await?;
    Ok(database)
}

/// The statements that made the tables of a database, in order.
pub(crate) async fn tables(database: &DatabaseConnection) -> Result<Vec<String>, DbErr> {
    let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('table', 'index') \
               AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name NOT LIKE 'seaql\\_%' ESCAPE '\\' ORDER BY rowid";
    let rows = database.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await?;
    rows.iter().map(|it| it.try_get::<String>("", "sql")).collect()
}

/// The row of this number as it is now.
pub(crate) async fn row_now(
    database: &DatabaseConnection,
    schema: &Schema,
    table: usize,
    number: i64,
) -> Option<Vec<Const>> {
    let table = &schema.tables[table];
    let key = table.row_number().map_or("rowid".to_owned(), |it| quoted(&table.columns[it].name));
    let sql = format!("SELECT * FROM {} WHERE {key} = {number}", quoted(&table.name));
    let row = database.query_one_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.ok()??;
    values(&row, table)
}

/// All rows of all tables as they are now; `None` where a value cannot be read.
pub(crate) async fn all_rows(database: &DatabaseConnection, schema: &Schema) -> Option<Vec<Vec<Vec<Const>>>> {
    let mut res = Vec::new();
    for table in &schema.tables {
        let sql = format!("SELECT * FROM {}", quoted(&table.name));
        let rows = database.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.ok()?;
        res.push(rows.iter().map(|it| values(it, table)).collect::<Option<Vec<_>>>()?);
    }
    Some(res)
}

fn values(row: &QueryResult, table: &Table) -> Option<Vec<Const>> {
    let value = |name: &str, kind: Kind| {
        let some = match kind {
            Kind::Bool => row.try_get::<Option<bool>>("", name).ok()?.map(Const::Bool),
            Kind::Int(_) => row.try_get::<Option<i64>>("", name).ok()?.map(Const::Int),
            Kind::Text | Kind::Other => row.try_get::<Option<String>>("", name).ok()?.map(|it| Const::text(&it)),
            Kind::Real => row.try_get::<Option<f64>>("", name).ok()?.map(Const::Real),
            Kind::Bytes => row.try_get::<Option<Vec<u8>>>("", name).ok()?.map(|it| Const::Bytes(it.into())),
        };
        Some(some.unwrap_or(Const::Null))
    };
    table.columns.iter().map(|it| value(&it.name, it.kind)).collect()
}

/// A request as a test writes it.
pub(crate) fn written_request(parts: &Parts, body: &[u8]) -> String {
    let mut res =
        format!("axum::http::Request::builder().method({:?}).uri({:?})", parts.method.as_str(), parts.uri.to_string());
    for (name, value) in &parts.headers {
        res.push_str(&format!(".header({:?}, {:?})", name.as_str(), String::from_utf8_lossy(value.as_bytes())));
    }
    let body = if body.is_empty() {
        "axum::body::Body::empty()".to_owned()
    } else {
        format!("axum::body::Body::from({:?})", String::from_utf8_lossy(body))
    };
    res.push_str(&format!(".body({body}).unwrap()"));
    res
}
