//! Any text is a schema or refused, and any text a statement on its tables that is answered or refused: nothing panics.
//! What stands before the first line of dashes defines the tables, what comes after it are statements, a line each.
#![no_main]

use effigy_relations::database::StatementCache;
use effigy_relations::{Const, Database, Questions, Schema, SqlError, Start};
use effigy_term::{Sort, Term, Terms, Value};
use libfuzzer_sys::fuzz_target;
use std::rc::Rc;

/// Takes the sides that its bits say.
struct Bits(Rc<Terms>, u64);

impl Bits {
    fn next(&mut self, below: usize) -> usize {
        self.1 = self.1.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.1 >> 33) as usize % below.max(1)
    }
}

impl Questions for Bits {
    fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        self.0.input(name, sort)
    }

    fn decide(&mut self, _: Term) -> bool {
        self.next(2) == 0
    }

    fn among(&mut self, conds: &[Term]) -> usize {
        self.next(conds.len())
    }

    fn assume(&mut self, _: Term) {}

    fn witness(&mut self, term: Term, _: &str) -> Value {
        effigy_term::eval::default_value(&self.0, self.0.sort(term))
    }

    fn watches(&self) -> bool {
        self.1 % 2 == 0
    }

    fn witnessed(&mut self, _: &str) {}

    fn note(&mut self, _: &str) {}
}

const TABLES: &str = "CREATE TABLE u (id integer PRIMARY KEY, name varchar NOT NULL UNIQUE, age integer, boss integer, \
                      FOREIGN KEY (boss) REFERENCES u (id) ON DELETE SET NULL); \
                      CREATE TABLE c (id integer PRIMARY KEY AUTOINCREMENT, u integer NOT NULL, open boolean DEFAULT TRUE, \
                      kind varchar CHECK (kind IN ('a', 'b')), FOREIGN KEY (u) REFERENCES u (id) ON DELETE CASCADE)";

fuzz_target!(|text: &str| {
    let (tables, statements) = text.split_once("\n--\n").unwrap_or((TABLES, text));
    let schema = Schema::read(tables).or_else(|_| Schema::read(TABLES)).expect("the tables are understood");
    let terms = Rc::new(Terms::new());
    let mut ask = Bits(Rc::clone(&terms), text.len() as u64);
    let start = Start::rows_of_all(2);
    let Ok(mut database) = Database::open(Rc::clone(&terms), Rc::new(schema), &start, &StatementCache::default(), &mut ask)
    else {
        return;
    };
    for statement in statements.lines().take(8) {
        let values = [Const::Int(1), Const::text("a"), Const::Null, Const::Bool(true)];
        match database.run(statement, &values, &mut ask) {
            Ok(outcome) => {
                assert!(outcome.rows.iter().all(|it| it.len() == outcome.columns.len()));
                assert_eq!(outcome.columns.len(), outcome.origins.len());
            }
            Err(SqlError::Refused(it)) => assert!(!it.to_string().is_empty()),
            Err(it) => assert!(!it.to_string().is_empty()),
        }
    }
});
