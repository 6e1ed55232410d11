//! Schemas and statements with tokens deleted, doubled, swapped and replaced: they are answered, or refused with words.

use crate::refused::First;
use effigy_relations::database::StatementCache;
use effigy_relations::{Const, Database, Schema, Start};
use effigy_term::Terms;
use effigy_testing::reader_trial::try_reader;
use std::rc::Rc;

const TABLES: &str = "CREATE TABLE u (id integer PRIMARY KEY, name varchar NOT NULL UNIQUE, age integer, boss integer, \
                      FOREIGN KEY (boss) REFERENCES u (id) ON DELETE SET NULL); \
                      CREATE TABLE c (id integer PRIMARY KEY AUTOINCREMENT, u integer NOT NULL, open boolean DEFAULT TRUE, \
                      kind varchar CHECK (kind IN ('a', 'b')), FOREIGN KEY (u) REFERENCES u (id) ON DELETE CASCADE)";

const STATEMENTS: [&str; 6] = [
    "SELECT u.name, COUNT(*) AS n FROM u LEFT JOIN c ON c.u = u.id WHERE u.age > ? GROUP BY u.name HAVING n > 1",
    "INSERT INTO u (id, name, age) VALUES (1, 'a', NULL), (?, ?, 3) RETURNING id",
    "UPDATE c SET open = NOT open, kind = 'b' WHERE u IN (SELECT id FROM u WHERE boss IS NULL)",
    "DELETE FROM u WHERE id BETWEEN 1 AND 9 OR name LIKE 'a%'",
    "SELECT DISTINCT age + 1, MAX(id) FROM u ORDER BY age DESC, 2 LIMIT 3 OFFSET 1",
    "SELECT CASE WHEN EXISTS (SELECT 1 FROM c) THEN 'x' ELSE COALESCE(name, '') END FROM u UNION SELECT kind FROM c",
];

#[test]
fn mutants_of_schemas_are_read_or_refused() {
    try_reader("sql-schema", [TABLES], &["CHECK", "--", "/*", "\"", "WITHOUT ROWID", "REAL", "'"], |text| {
        if let Err(error) = Schema::read(&String::from_utf8_lossy(text)) {
            assert!(!error.to_string().is_empty());
        }
    });
}

#[test]
fn mutants_of_statements_are_answered_or_refused() {
    try_reader("sql", STATEMENTS, &["--", "/*", "\"", "'", "WITH", "OVER", "CAST", "?1", "::"], |text| {
        let schema = Schema::read(TABLES).expect("the tables are understood");
        let terms = Rc::new(Terms::new());
        let mut ask = First(Rc::clone(&terms));
        let open = Database::open(
            Rc::clone(&terms),
            Rc::new(schema),
            &Start::rows_of_all(1),
            &StatementCache::default(),
            &mut ask,
        );
        let mut database = open.expect("a database with a row in each table");
        let values = [Const::Int(1), Const::text("a"), Const::Null, Const::Bool(true)];
        match database.run(&String::from_utf8_lossy(text), &values, &mut ask) {
            Ok(outcome) => assert!(outcome.rows.iter().all(|it| it.len() == outcome.columns.len())),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
}
