//! The oracle is SQLite: the same statements on the same rows.
//!
//! A database is drawn at random and becomes a model of the symbols; the symbolic database answers with what that model
//! decides. Then its rows are what [`Database::at`] says of the model, and SQLite answers on these.

use crate::draw::Draw;
use effigy_relations::database::StatementCache;
use effigy_relations::{Const, Database, Questions, Schema, SentValue, SqlError, Start, Violation};
use effigy_term::eval::Evaluator;
use effigy_term::{BvValue, Model, Node, Sort, SymbolKind, Term, Terms, Value};
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value as Sql;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

const ROWS: usize = 3;

/// Answers as one model does.
struct Follow {
    terms: Rc<Terms>,
    values: BTreeMap<String, Drawn>,
    model: Model,
}

/// The value of a symbol that is drawn.
#[derive(Clone, Debug)]
enum Drawn {
    Bool(bool),
    Number(i64),
    Text(String),
}

impl Follow {
    fn value(&self, term: Term) -> Value {
        Evaluator::new(&self.terms, &self.model).value(term).expect("no quantifier, no division of integers")
    }

    fn truth(&self, term: Term) -> bool {
        self.value(term) == Value::Bool(true)
    }
}

impl Questions for Follow {
    fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        let symbol = self.terms.symbol(name, sort, SymbolKind::Input);
        let value = match (self.values.get(name), sort) {
            (Some(Drawn::Bool(it)), Sort::Bool) => Value::Bool(*it),
            (Some(Drawn::Number(it)), Sort::BitVec(width)) => Value::BitVec(BvValue::from_i64(width, *it)),
            (Some(Drawn::Text(it)), Sort::BitVec(width)) => {
                let mut number: u128 = 0;
                for at in 0..width.bits() as usize / 8 {
                    number = number << 8 | u128::from(it.as_bytes().get(at).copied().unwrap_or(0));
                }
                Value::BitVec(BvValue::from_u128(width, number))
            }
            (drawn, _) => panic!("the symbol {name} was drawn as {drawn:?}"),
        };
        self.model.set(symbol, value);
        self.terms.of_symbol(symbol)
    }

    fn decide(&mut self, cond: Term) -> bool {
        assert!(!matches!(self.terms.node(cond), Node::Bool(_)), "a constant is no question");
        self.truth(cond)
    }

    fn among(&mut self, conds: &[Term]) -> usize {
        let holding: Vec<usize> = (0..conds.len()).filter(|at| self.truth(conds[*at])).collect();
        assert_eq!(holding.len(), 1, "exactly one holds");
        holding[0]
    }

    fn assume(&mut self, cond: Term) {
        assert!(
            self.truth(cond),
            "a database that SQLite takes is not looked at: {}",
            effigy_term::print::math(&self.terms, cond)
        );
    }

    fn witness(&mut self, term: Term, _: &str) -> Value {
        self.value(term)
    }

    fn witnessed(&mut self, _: &str) {}

    fn note(&mut self, _: &str) {}
}

const SCHEMA: &str = r#"
CREATE TABLE "user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar NOT NULL,
  "email" varchar NOT NULL UNIQUE, "is_admin" boolean NOT NULL DEFAULT FALSE, "boss_id" integer,
  FOREIGN KEY ("boss_id") REFERENCES "user" ("id") ON DELETE SET NULL);
CREATE TABLE "contact" ("id" integer NOT NULL PRIMARY KEY, "name" varchar, "user_id" integer NOT NULL,
  "access" varchar NOT NULL CHECK ("access" IN ('public', 'private')), "score" integer,
  FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE);
CREATE TABLE "permission" ("contact_id" integer NOT NULL, "user_id" integer NOT NULL, "level" bigint DEFAULT 2,
  PRIMARY KEY ("contact_id", "user_id"), CHECK ("level" <> 13),
  FOREIGN KEY ("contact_id") REFERENCES "contact" ("id") ON DELETE CASCADE,
  FOREIGN KEY ("user_id") REFERENCES "user" ("id"));
"#;

/// A database that keeps its constraints, as values of symbols.
fn drawn(draw: &mut Draw) -> BTreeMap<String, Drawn> {
    let mut res = BTreeMap::new();
    let mut put = |name: String, value: Drawn| res.insert(name, value);
    let counts = [draw.below(ROWS + 1), draw.below(ROWS + 1), draw.below(ROWS + 1)];
    for (table, count) in ["user", "contact", "permission"].iter().zip(counts) {
        // A row refers to a user that is there, and a permission to a contact.
        let count = if counts[0] == 0 { 0 } else { count };
        let count = if *table == "permission" && counts[1] == 0 { 0 } else { count };
        for row in 1..=ROWS {
            put(format!("{table}[{row}]"), Drawn::Bool(row <= count));
        }
    }
    let users = counts[0].max(1);
    let contacts = counts[1].max(1);
    for row in 1..=ROWS {
        put(format!("user[{row}].name"), Drawn::Text(draw.short_text()));
        put(format!("user[{row}].email"), Drawn::Text(format!("{}{row}", draw.pick(&["", "a", "b@"]))));
        put(format!("user[{row}].is_admin"), Drawn::Bool(draw.coin()));
        put(format!("user[{row}].boss_id"), Drawn::Number(draw.below(users) as i64));
        put(format!("user[{row}].boss_id is null"), Drawn::Bool(draw.coin()));
        put(format!("contact[{row}].name"), Drawn::Text(draw.short_text()));
        put(format!("contact[{row}].name is null"), Drawn::Bool(draw.coin()));
        put(format!("contact[{row}].user_id"), Drawn::Number(draw.below(users) as i64));
        put(format!("contact[{row}].access"), Drawn::Number(draw.below(2) as i64));
        put(format!("contact[{row}].score"), Drawn::Number(draw.number()));
        put(format!("contact[{row}].score is null"), Drawn::Bool(draw.coin()));
        put(format!("permission[{row}].level"), Drawn::Number(draw.number()));
        put(format!("permission[{row}].level is null"), Drawn::Bool(draw.coin()));
    }
    // Different pairs.
    let mut pairs: Vec<(usize, usize)> = (0..contacts).flat_map(|c| (0..users).map(move |u| (c, u))).collect();
    for row in 1..=ROWS {
        let (contact, user) = if pairs.is_empty() { (0, 0) } else { pairs.swap_remove(draw.below(pairs.len())) };
        let there = counts[2] >= row && !(pairs.is_empty() && (contact, user) == (0, 0) && row > 1);
        if !there {
            for later in row..=ROWS {
                put(format!("permission[{later}]"), Drawn::Bool(false));
            }
        }
        put(format!("permission[{row}].contact_id"), Drawn::Number(contact as i64));
        put(format!("permission[{row}].user_id"), Drawn::Number(user as i64));
    }
    if counts[0] == 0 || counts[1] == 0 {
        for row in 1..=ROWS {
            put(format!("permission[{row}]"), Drawn::Bool(false));
        }
    }
    res
}

/// What came of a statement, in a form that both have.
#[derive(PartialEq, Debug)]
enum Came {
    Rows(Vec<Vec<String>>),
    Changed(u64),
    Violated(&'static str),
}

fn sent(value: &SentValue) -> String {
    match value {
        SentValue::Certain(it) => text(it),
        SentValue::Number(_) => panic!("no column is symbolic"),
    }
}

fn text(value: &Const) -> String {
    match value {
        Const::Bool(it) => i64::from(*it).to_string(),
        other => other.to_string(),
    }
}

fn ours(outcome: Result<effigy_relations::Outcome, SqlError>, reads: bool) -> Result<Came, String> {
    Ok(match outcome {
        Ok(it) if reads => Came::Rows(it.rows.iter().map(|row| row.iter().map(sent).collect()).collect()),
        Ok(it) => Came::Changed(it.changed),
        Err(SqlError::Violated(it)) => Came::Violated(match it {
            Violation::Unique(_) => "UNIQUE",
            Violation::ForeignKey => "FOREIGN",
            Violation::NotNull(_) => "NOT NULL",
            Violation::Check(_) => "CHECK",
        }),
        Err(SqlError::Refused(it)) => return Err(it.to_string()),
    })
}

fn of_sqlite(value: Sql) -> String {
    match value {
        Sql::Null => "NULL".to_owned(),
        Sql::Integer(it) => it.to_string(),
        Sql::Real(it) => format!("{it:?}"),
        Sql::Text(it) => Const::text(&it).to_string(),
        Sql::Blob(it) => Const::Bytes(it.into()).to_string(),
    }
}

fn parameter(value: &Const) -> Sql {
    match value {
        Const::Null => Sql::Null,
        Const::Int(it) => Sql::Integer(*it),
        Const::Bool(it) => Sql::Integer(i64::from(*it)),
        Const::Text(it) => Sql::Text(it.to_string()),
        Const::Real(it) => Sql::Real(*it),
        Const::Bytes(it) => Sql::Blob(it.to_vec()),
    }
}

fn theirs(sqlite: &Connection, sql: &str, values: &[Const], reads: bool) -> Came {
    let values = rusqlite::params_from_iter(values.iter().map(parameter));
    let done = if reads {
        sqlite.prepare(sql).and_then(|mut it| {
            let columns = it.column_count();
            let rows = it.query_map(values, |row| (0..columns).map(|at| row.get(at).map(of_sqlite)).collect())?;
            Ok(Came::Rows(rows.collect::<Result<_, _>>()?))
        })
    } else {
        sqlite.execute(sql, values).map(|it| Came::Changed(it as u64))
    };
    done.unwrap_or_else(|error| {
        let told = error.to_string();
        let class = ["UNIQUE", "FOREIGN", "NOT NULL", "CHECK"].into_iter().find(|it| told.contains(it));
        Came::Violated(class.unwrap_or_else(|| panic!("SQLite says {told} of {sql}")))
    })
}

/// Rows without an order.
fn bag(came: Came) -> Came {
    match came {
        Came::Rows(mut rows) => {
            rows.sort();
            Came::Rows(rows)
        }
        other => other,
    }
}

thread_local! {
    static ANSWERED: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

fn agrees(seed: u64) -> Result<(), TestCaseError> {
    let mut draw = Draw::new(seed);
    let terms = Rc::new(Terms::new());
    let mut ask = Follow { terms: Rc::clone(&terms), values: drawn(&mut draw), model: Model::new() };
    let schema = Rc::new(Schema::read(SCHEMA).expect("the schema"));
    let start = Start::rows_of_all(ROWS);
    let mut database =
        Database::open(Rc::clone(&terms), Rc::clone(&schema), &start, &StatementCache::default(), &mut ask)
            .expect("a database");
    let statements: Vec<crate::draw::Statement> = (0..1 + draw.below(6)).map(|_| draw.statement()).collect();
    let mut came = Vec::new();
    for it in &statements {
        match it.sql.as_str() {
            "BEGIN" => database.begin(),
            "COMMIT" => database.commit(),
            "ROLLBACK" => database.roll_back(),
            sql => {
                let (answered, refused) = ANSWERED.get();
                match ours(database.run(sql, &it.values, &mut ask), it.reads) {
                    Ok(it) => {
                        ANSWERED.set((answered + 1, refused));
                        came.push(it);
                        continue;
                    }
                    // What is refused ends a path.
                    Err(_) => {
                        ANSWERED.set((answered, refused + 1));
                        break;
                    }
                }
            }
        }
        came.push(Came::Changed(0));
    }
    let rows = database.at(|term| Some(ask.value(term)));
    let after = database.now_at(|term| Some(ask.value(term)));
    let done = came.len();
    let sqlite = Connection::open_in_memory().expect("SQLite");
    sqlite.execute_batch(SCHEMA).expect("the schema");
    sqlite.execute_batch("PRAGMA foreign_keys = OFF").expect("a pragma");
    let mut shown = String::new();
    for (table, rows) in schema.tables.iter().zip(&rows) {
        for row in rows {
            let values: Vec<String> = row.iter().map(ToString::to_string).collect();
            let insert = format!("INSERT INTO \"{}\" VALUES ({})", table.name, values.join(", "));
            shown.push_str(&format!("{insert};\n"));
            sqlite.execute(&insert, []).unwrap_or_else(|it| panic!("{it}: {insert}"));
        }
    }
    let sequence = format!("DELETE FROM sqlite_sequence; INSERT INTO sqlite_sequence VALUES ('user', {ROWS});");
    sqlite.execute_batch(&sequence).expect("the sequence");
    let broken: i64 =
        sqlite.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |it| it.get(0)).expect("a check");
    prop_assert_eq!(broken, 0, "the rows refer to nothing:\n{}", shown);
    sqlite.execute_batch("PRAGMA foreign_keys = ON").expect("a pragma");
    for (it, ours) in statements.iter().zip(came) {
        shown.push_str(&format!("{}; -- {:?}\n", it.sql, it.values));
        if matches!(it.sql.as_str(), "BEGIN" | "COMMIT" | "ROLLBACK") {
            sqlite.execute_batch(&it.sql).expect("a transaction");
            continue;
        }
        let theirs = theirs(&sqlite, &it.sql, &it.values, it.reads);
        let (ours, theirs) = if it.ordered { (ours, theirs) } else { (bag(ours), bag(theirs)) };
        prop_assert_eq!(ours, theirs, "ours, SQLite's:\n{}", shown);
    }
    // What was written, where all statements were answered.
    if done == statements.len() {
        for (table, rows) in schema.tables.iter().zip(after) {
            let ours = Came::Rows(rows.iter().map(|row| row.iter().map(text).collect()).collect());
            let theirs = theirs(&sqlite, &format!("SELECT * FROM \"{}\"", table.name), &[], true);
            prop_assert_eq!(bag(ours), bag(theirs), "{} afterwards, ours, SQLite's:\n{}", table.name, shown);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300 * times(), ..ProptestConfig::default() })]

    #[test]
    fn sqlite_answers_the_same(seed in any::<u64>()) {
        agrees(seed)?;
    }
}

fn times() -> u32 {
    std::env::var("EFFIGY_CASES_TIMES").ok().and_then(|it| it.parse().ok()).unwrap_or(1)
}

/// A test that refuses everything would pass.
#[test]
fn most_statements_are_answered() {
    (0..400).for_each(|seed| agrees(seed).unwrap_or_else(|it| panic!("seed {seed}: {it}")));
    let (answered, refused) = ANSWERED.get();
    assert!(refused * 20 < answered, "{answered} answered, {refused} refused");
}
