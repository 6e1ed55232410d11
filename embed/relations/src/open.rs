//! The database of a path: how it starts, and how it is asked.
//!
//! Knows: what the schema says of every database; statements. Never: what a statement means (`expression`).

use crate::ask::Questions;
use crate::database::{Database, Outcome, Row, StatementCache};
use crate::error::{Refusal, SqlError};
use crate::expression::Evaluator;
use crate::schema::Schema;
use crate::start::Start;
use crate::value::{CellId, Const, Val};
use effigy_term::Terms;
use sqlparser::tokenizer::Span;
use std::rc::Rc;

impl Database {
    /// The database before the first statement: what its schema says of it is assumed.
    pub fn open(
        terms: Rc<Terms>,
        schema: Rc<Schema>,
        start: &Start,
        read: &StatementCache,
        ask: &mut dyn Questions,
    ) -> Result<Database, SqlError> {
        let mut database = Database::empty(terms, schema, start, read);
        database.fill(ask)?;
        Ok(database)
    }

    /// Executes a statement of which all values are certain.
    pub fn run(&mut self, sql: &str, values: &[Const], ask: &mut dyn Questions) -> Result<Outcome, SqlError> {
        let values: Vec<Val> = values.iter().map(|it| Val::of(&self.terms, it)).collect();
        self.run_with(sql, &values, ask)
    }

    /// As [`Database::run`], with values that may be symbolic.
    pub fn run_with(&mut self, sql: &str, values: &[Val], ask: &mut dyn Questions) -> Result<Outcome, SqlError> {
        let statement = self.parse(sql)?;
        Evaluator::new(self, ask, sql, values).statement(&statement.statement)
    }

    fn fill(&mut self, ask: &mut dyn Questions) -> Result<(), SqlError> {
        let schema = Rc::clone(&self.schema);
        let terms = Rc::clone(&self.terms);
        for (table, it) in schema.tables.iter().enumerate() {
            for foreign in &it.foreign {
                if schema.target(foreign).is_none() {
                    let what = format!("{} refers to {}, which is not there", it.name, foreign.table);
                    return Err(Refusal::at(what, Span::empty(), "the schema").into());
                }
            }
            let mut rows = Vec::new();
            for row in 0..self.start.rows(&it.name) {
                let present = self.with_cells(ask, |cells| cells.present(table, row));
                let cells = (0..it.columns.len()).map(|column| self.at_start(CellId { table, row, column })).collect();
                rows.push(Row { present, number: row as i64 + 1, cells });
            }
            // Rows have no other names than their numbers: those that are there may be the first ones.
            for pair in rows.windows(2) {
                ask.assume(terms.implies(pair[1].present, pair[0].present));
            }
            self.highest.push(rows.len() as i64);
            self.tables.push(Rc::new(rows));
        }
        self.first = self.tables.clone();
        for table in 0..schema.tables.len() {
            self.assume_constraints(table, ask)?;
        }
        Ok(())
    }

    /// References, what is unique over several columns, and checks are assumed at once: who never looks at a cell must
    /// not be shown a database that cannot be. A column that is unique on its own is made so when it is looked at.
    fn assume_constraints(&mut self, table: usize, ask: &mut dyn Questions) -> Result<(), SqlError> {
        let schema = Rc::clone(&self.schema);
        let terms = Rc::clone(&self.terms);
        let it = &schema.tables[table];
        let rows = Rc::clone(&self.tables[table]);
        for foreign in &it.foreign {
            for row in 0..rows.len() {
                self.look(CellId { table, row, column: foreign.column }, ask);
            }
        }
        let mut keys: Vec<&Vec<usize>> = it.unique.iter().collect();
        keys.push(&it.primary);
        for key in keys {
            let alone = matches!(key.as_slice(), [only] if it.reference(*only).is_none());
            if key.is_empty() || alone {
                continue;
            }
            for (later, row) in rows.iter().enumerate() {
                for earlier in &rows[..later] {
                    let both = terms.and(row.present, earlier.present);
                    let same = self.same_key(key, &row.cells, &earlier.cells, ask)?;
                    ask.assume(terms.not(terms.and(both, same)));
                }
            }
        }
        for check in &it.checks {
            for row in rows.iter() {
                let sql = check.to_string();
                let holds = Evaluator::new(self, ask, &sql, &[]).check(table, &row.cells, check)?;
                ask.assume(terms.implies(row.present, terms.not(holds.no)));
            }
        }
        Ok(())
    }
}
