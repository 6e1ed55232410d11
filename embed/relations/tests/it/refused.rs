//! What is not understood is refused with its place, and nothing that is sent makes it panic.

use effigy_relations::database::StatementCache;
use effigy_relations::{Const, Database, Questions, Schema, SqlError, Start};
use effigy_term::{Sort, Term, Terms, Value};
use proptest::prelude::*;
use std::rc::Rc;

/// Takes the first side of everything.
pub(crate) struct First(pub(crate) Rc<Terms>);

impl Questions for First {
    fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        self.0.input(name, sort)
    }

    fn decide(&mut self, _: Term) -> bool {
        true
    }

    fn among(&mut self, _: &[Term]) -> usize {
        0
    }

    fn assume(&mut self, _: Term) {}

    fn witness(&mut self, term: Term, _: &str) -> Value {
        effigy_term::eval::default_value(&self.0, self.0.sort(term))
    }

    fn witnessed(&mut self, _: &str) {}

    fn note(&mut self, _: &str) {}
}

fn run(sql: &str) -> Result<usize, String> {
    let terms = Rc::new(Terms::new());
    let mut ask = First(Rc::clone(&terms));
    let schema = Schema::read(
        "CREATE TABLE \"user\" (\"id\" integer PRIMARY KEY, \"name\" varchar NOT NULL, \"at\" timestamp_text);
         CREATE TABLE \"contact\" (\"id\" integer PRIMARY KEY, \"user_id\" integer NOT NULL REFERENCES \"user\" (\"id\"))",
    );
    let schema = Rc::new(schema.expect("the schema"));
    let mut database = Database::open(terms, schema, &Start::rows_of_all(2), &StatementCache::default(), &mut ask)
        .expect("a database");
    match database.run(sql, &[Const::Int(1)], &mut ask) {
        Ok(it) => Ok(it.rows.len()),
        Err(SqlError::Refused(it)) => Err(format!("{}:{} {}", it.line, it.column, it.what)),
        Err(SqlError::Violated(it)) => Err(it.to_string()),
    }
}

#[test]
fn what_is_not_understood_is_named_with_its_place() {
    let refused = [
        ("SELECT nothing FROM \"user\"", "1:8 no such column: nothing"),
        ("SELECT id FROM \"user\", contact", "1:8 ambiguous column name: id"),
        ("SELECT * FROM nobody", "1:15 no such table: nobody"),
        ("SELECT ROW_NUMBER() OVER () FROM \"user\"", "1:8 the window function row_number"),
        ("WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a", "1:1 WITH RECURSIVE"),
        ("WITH contact AS (SELECT * FROM contact) SELECT 1", "1:32 WITH that refers to itself or to a later one"),
        ("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT 1", "1:26 WITH that refers to itself or to a later one"),
        ("WITH a (x, y) AS (SELECT 1) SELECT x FROM a", "1:6 names for another number of columns"),
        ("SELECT name FROM \"user\" WHERE\n  name LIKE name", "2:13 LIKE with a pattern that is not known"),
        ("SELECT AVG(id) FROM \"user\"", "1:8 the aggregate avg"),
        ("SELECT id + name FROM \"user\"", "1:8 arithmetic of an integer with a text"),
        ("SELECT id FROM \"user\" WHERE id = 'a'", "1:29 an integer with a text"),
        ("SELECT random()", "1:8 the function random"),
        ("SELECT id, COUNT(*) FROM \"user\"", "1:1 a column beside aggregates without GROUP BY"),
        ("SELECT id FROM \"user\" INTERSECT SELECT id FROM contact", "1:1 this query"),
        ("UPDATE \"user\" SET id = 5", "1:19 an UPDATE of a primary key"),
        ("INSERT OR REPLACE INTO \"user\" (id) VALUES (1)", "1:1 INSERT OR"),
        ("DROP TABLE \"user\"", "1:1 this statement"),
        ("SELECT ? + ? FROM \"user\"", "1:12 no value for ?"),
        ("SELECT 9223372036854775807 + 1", "1:8 a result of more than 64 bits"),
    ];
    for (sql, told) in refused {
        assert_eq!(run(sql), Err(told.to_owned()), "{sql}");
    }
    assert_eq!(run("SELECT * FROM \"user\" WHERE id = ?"), Ok(1));
    // A name of WITH hides the table of that name, within its statement only.
    assert_eq!(run("WITH contact (x) AS (SELECT 7) SELECT x FROM contact"), Ok(1));
    assert!(run("SELECT x FROM (WITH a (x) AS (SELECT 7) SELECT x FROM a) AS b, a").is_err());
}

#[test]
fn nesting_is_bounded() {
    let deep = format!("SELECT {}1{}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(run(&deep).is_err());
    let long = format!("SELECT 1{}", " AND 1".repeat(100_000));
    assert_eq!(run(&long), Err("1:1 a statement of so many operators".to_owned()));
    // A definition as a statement; a table of many columns is not deep.
    let check = format!("CREATE TABLE t (a integer CHECK (1{}))", " + 1".repeat(100_000));
    assert!(Schema::read(&check).is_err_and(|it| it.to_string().starts_with("a statement of so many operators")));
    let chain = format!("SELECT 1{}", " NOT NULL".repeat(100_000));
    assert!(run(&chain).is_err());
    let columns: Vec<String> = (0..1_000).map(|it| format!("c{it} integer NOT NULL")).collect();
    assert!(Schema::read(&format!("CREATE TABLE t ({})", columns.join(", "))).is_ok());
}

/// What a statement looks at is bounded, queries within queries counted each time.
#[test]
fn joins_of_joins_are_refused() {
    let users = |count: usize| {
        let names: Vec<String> = (0..count).map(|it| format!("\"user\" AS u{it}")).collect();
        names.join(", ")
    };
    assert_eq!(run(&format!("SELECT COUNT(*) FROM {}", users(30))), Err("1:1 a join of so many rows".to_owned()));
    let many = users(10);
    let within = format!("EXISTS (SELECT 1 FROM {many} WHERE EXISTS (SELECT 1 FROM {many}))");
    assert_eq!(run(&format!("SELECT id FROM \"user\" WHERE {within}")), Err("1:1 a join of so many rows".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_it_panic(words in prop::collection::vec(
        prop::sample::select(vec![
            "SELECT", "FROM", "\"user\"", "contact", "id", "name", "at", "*", ",", "(", ")", "WHERE", "=", "<", "AND",
            "NOT", "IN", "EXISTS", "ORDER BY", "LIMIT", "OFFSET", "1", "-1", "'a'", "?", "NULL", "IS", "GROUP BY", "COUNT",
            "HAVING", "UNION", "WITH", "RIGHT JOIN", "FULL JOIN", "JOIN", "LEFT JOIN", "ON", "INSERT INTO", "VALUES", "UPDATE", "SET", "DELETE FROM",
            "CASE", "WHEN", "THEN", "END", "MAX", "||", "+", "/", "0", "LIKE", "user_id", ".", "AS", "RETURNING",
        ]), 0..24))
    {
        let _ = run(&words.join(" "));
    }
}
