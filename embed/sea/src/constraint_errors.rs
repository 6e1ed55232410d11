//! SQLite's errors for violated constraints, as sea-orm's own errors: `DbErr::sql_err` recognises no others.
//!
//! Knows: keys of tables. Never: which statement does not keep them.

use effigy_relations::{Schema, Violation};
use sea_orm::{ConnectionTrait, Database, DbErr, RuntimeErr};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::sqlite::quoted;

/// SQLite's errors for violated constraints, by their messages.
#[derive(Debug, Default)]
pub(crate) struct ConstraintErrors(BTreeMap<String, RuntimeErr>);

impl ConstraintErrors {
    /// Breaks each key of a schema once, in a database of its own, and keeps what is said.
    pub(crate) async fn hear(schema: &Schema) -> Result<ConstraintErrors, DbErr> {
        let mut res = ConstraintErrors::default();
        let mut statements = Vec::new();
        for table in &schema.tables {
            let keys =
                std::iter::once(("PRIMARY KEY", &table.primary)).chain(table.unique.iter().map(|it| ("UNIQUE", it)));
            for (what, key) in keys.filter(|it| !it.1.is_empty()) {
                let columns: Vec<String> = key.iter().map(|it| quoted(&table.columns[*it].name)).collect();
                let (name, list) = (quoted(&table.name), columns.join(", "));
                let typed: Vec<String> = columns.iter().map(|it| format!("{it} integer")).collect();
                let values = vec!["1"; key.len()].join(", ");
                let insert = format!("INSERT INTO {name} ({list}) VALUES ({values})");
                statements.push(vec![
                    format!("CREATE TABLE {name} ({}, {what} ({list}))", typed.join(", ")),
                    insert.clone(),
                    insert,
                ]);
            }
        }
        let refers = "CREATE TABLE one (id integer PRIMARY KEY, two integer REFERENCES one (id))";
        statements.push(vec![refers.to_owned(), "INSERT INTO one (two) VALUES (5)".to_owned()]);
        for several in statements {
            let database = Database::connect("sqlite::memory:").await?;
            for it in several {
                if let Err(DbErr::Exec(error) | DbErr::Query(error)) = database.execute_unprepared(&it).await {
                    res.keep(schema, error);
                }
            }
            database.close().await?;
        }
        Ok(res)
    }

    fn keep(&mut self, schema: &Schema, error: RuntimeErr) {
        let text = error.to_string();
        let of_key = schema.tables.iter().flat_map(|table| {
            let keys = std::iter::once(&table.primary).chain(&table.unique);
            keys.map(|key| {
                let names = key.iter().map(|it| format!("{}.{}", table.name, table.columns[*it].name));
                Violation::Unique(names.collect()).to_string()
            })
        });
        let known = of_key.chain([Violation::ForeignKey.to_string()]).find(|it| text.ends_with(it.as_str()));
        if let Some(known) = known {
            self.0.entry(known).or_insert(error);
        }
    }

    /// What is said of a violation.
    pub(crate) fn error(&self, violation: &str) -> RuntimeErr {
        match self.0.get(violation) {
            Some(RuntimeErr::SqlxError(it)) => RuntimeErr::SqlxError(Arc::clone(it)),
            _ => RuntimeErr::Internal(violation.to_owned()),
        }
    }
}
