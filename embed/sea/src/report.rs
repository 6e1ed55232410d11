//! What came of an exploration, for people, and as a plain test.
//!
//! Knows: accounts, rows, answers. Never: how they came about.

use crate::path::Record;
use effigy_relations::{Const, Schema};
use effigy_session::{Account, Verdict};
use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// A path on which something fails, with its rows.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub(crate) message: String,
    pub(crate) schema: Rc<Schema>,
    pub(crate) rows: Vec<Vec<Vec<Const>>>,
    pub(crate) record: Record,
    /// The statements that make the rows.
    pub inserts: Vec<String>,
    /// The statements that the application sent to the database.
    pub statements: Vec<String>,
    pub(crate) setup: Option<Rc<str>>,
    /// It was the path of this number.
    pub path: u64,
    /// Whether the run on SQLite ends in the same way.
    pub confirmed: bool,
}

/// What came of an exploration.
#[derive(Clone, Debug)]
pub struct Report {
    start: String,
    /// Paths, failures, what was cut.
    pub account: Account,
    /// Paths that fail, with rows.
    pub counterexamples: Vec<Counterexample>,
    /// Paths that were run again on SQLite.
    pub compared: u64,
    /// Where SQLite says otherwise: a fault of ours.
    pub differences: Vec<String>,
    /// Statements of which SQL does not say in which order their rows come: they came in the order of their numbers.
    pub unordered: BTreeSet<String>,
    /// Columns that are taken for names.
    pub names: BTreeSet<String>,
    pub(crate) heard_of: u64,
    formula: Option<String>,
}

impl Report {
    pub(crate) fn new(start: String) -> Report {
        Report {
            start,
            account: Account::default(),
            counterexamples: Vec::new(),
            compared: 0,
            differences: Vec::new(),
            unordered: BTreeSet::new(),
            names: BTreeSet::new(),
            heard_of: 0,
            formula: None,
        }
    }

    pub(crate) fn heard(&mut self, record: &Record) {
        self.heard_of += 1;
        // A path on which nothing is asked has less to say.
        if !record.checks.is_empty() && self.formula.is_none() {
            self.formula = Some(formula(record));
        }
    }

    /// The verification condition, as it is read: `all u: user, c: contact | ...`.
    pub fn formula(&self) -> &str {
        self.formula.as_deref().unwrap_or("nothing is checked")
    }

    /// Whether nothing fails on any path, and SQLite says the same of those that were compared.
    pub fn is_ok(&self) -> bool {
        self.differences.is_empty() && self.account.is_ok()
    }

    /// # Panics
    /// Where something fails, or was left out.
    pub fn assert_holds(&self) {
        assert!(self.is_ok(), "{self}");
    }

    /// The first counterexample.
    ///
    /// # Panics
    /// Where nothing fails, or where SQLite says otherwise.
    pub fn counterexample(&self) -> &Counterexample {
        match self.counterexamples.first() {
            Some(it) if self.differences.is_empty() => it,
            _ => panic!("no counterexample that SQLite confirms\n{self}"),
        }
    }
}

fn formula(record: &Record) -> String {
    let variables: Vec<String> = record.variables.iter().map(|(name, table)| format!("{name}: {table}")).collect();
    let given = match record.assumptions.as_slice() {
        [] => String::new(),
        of => format!("{}, ", of.join(", ")),
    };
    let given = if given.is_empty() { given } else { format!("given {given}") };
    let checks = record.checks.join("\n  and ");
    if variables.is_empty() {
        format!("{given}{checks}")
    } else {
        format!("all {} |\n  {given}{checks}", variables.join(", "))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(it) = &self.formula {
            writeln!(f, "{it}")?;
        }
        self.counterexamples.iter().try_for_each(|it| write!(f, "{it}"))?;
        let shown = self.counterexamples.len();
        for it in self.account.failures.iter().skip(shown) {
            writeln!(f, "{it}")?;
        }
        let verdict = match self.account.verdict() {
            Verdict::Passed => format!("holds: every path was run, {}", self.start),
            Verdict::Witnessed(of) => {
                format!(
                    "no counterexample: every path was run, {}; one value was taken for all of: {}",
                    self.start,
                    of.join(", ")
                )
            }
            Verdict::Compared { seen, taken } => {
                let of_taken = match taken.as_slice() {
                    [] => String::new(),
                    of => format!("; one value was taken for all of: {}", of.join(", ")),
                };
                format!(
                    "no counterexample: every path was run, {}; every comparison that was seen was followed of: {}{of_taken}; \
                     not seen: whether a text is one of another length, arithmetic before a comparison",
                    self.start,
                    seen.join(", ")
                )
            }
            other => other.to_string(),
        };
        let paths = &self.account.paths;
        write!(f, "{verdict} ({} paths, {} of them run again on SQLite", paths.total() - paths.dropped, self.compared)?;
        if !self.names.is_empty() {
            write!(f, "; names: {}", self.names.iter().cloned().collect::<Vec<_>>().join(", "))?;
        }
        write!(f, ")")?;
        for it in &self.unordered {
            write!(f, "\nrows without an order, taken in that of their numbers: {it}")?;
        }
        for it in &self.differences {
            write!(f, "\nSQLite says otherwise, which is a fault of effigy: {it}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let replayed = if self.confirmed { "; SQLite answers the same" } else { "; SQLITE ANSWERS OTHERWISE" };
        writeln!(f, "fails on path {}: {}{replayed}", self.path, self.message)?;
        for (table, rows) in self.schema.tables.iter().zip(&self.rows).filter(|it| !it.1.is_empty()) {
            write!(f, "{}", table_text(table, rows))?;
        }
        for it in &self.record.answers {
            writeln!(f, "  {} -> {} {}", it.request, it.status, it.body)?;
        }
        Ok(())
    }
}

/// Rows under the names of their columns.
fn table_text(table: &effigy_relations::Table, rows: &[Vec<Const>]) -> String {
    let mut lines: Vec<Vec<String>> = vec![table.columns.iter().map(|it| it.name.to_string()).collect()];
    lines.extend(rows.iter().map(|row| row.iter().map(ToString::to_string).collect()));
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|at| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0))
        .collect();
    let mut res = String::new();
    for (number, line) in lines.iter().enumerate() {
        let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let name = if number == 0 { table.name.to_string() } else { String::new() };
        res.push_str(format!("  {name:<12} {}", cells.join("  ")).trim_end());
        res.push('\n');
    }
    res
}

/// What a written test says where nobody has said how the application is made.
const NO_SETUP: &str = "compile_error!(\"say how the application is made, by World::written_with\")";

impl Counterexample {
    /// The rows of a table.
    pub fn rows(&self, table: &str) -> &[Vec<Const>] {
        self.schema.table(table).map_or(&[], |it| &self.rows[it])
    }

    /// A plain test, which needs nothing of us: the rows, the requests, and that the last answer is not this one.
    pub fn as_test(&self, name: &str) -> String {
        let mut res = String::new();
        let mut line = |text: &str| {
            res.push_str(text);
            res.push('\n');
        };
        line("// Written by effigy from a counterexample; it needs nothing of it.");
        line("#[tokio::test]");
        line(&format!("async fn {name}() {{"));
        line("    use sea_orm::ConnectionTrait;");
        line("    use tower::ServiceExt;");
        line("    let database = sea_orm::Database::connect(\"sqlite::memory:\").await.unwrap();");
        line(&format!("    let app = {};", self.setup.as_deref().unwrap_or(NO_SETUP)));
        for it in &self.inserts {
            line(&format!("    database.execute_unprepared({it:?}).await.unwrap();"));
        }
        let last = self.record.requests.len().saturating_sub(1);
        for (at, request) in self.record.requests.iter().enumerate() {
            line(&format!("    let request = {request};"));
            line("    let answer = app.clone().oneshot(request).await.unwrap();");
            if at == last
                && let Some(answer) = self.record.answers.get(at)
            {
                line("    let body = axum::body::to_bytes(answer.into_body(), 1 << 24).await.unwrap();");
                line(&format!("    // {}", self.message.replace('\n', " ")));
                line(&format!("    assert_ne!(String::from_utf8_lossy(&body), {:?});", answer.body));
            }
        }
        line("}");
        res
    }
}

/// The message that a panic carries.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(it), _) => (*it).to_owned(),
        (_, Some(it)) => it.clone(),
        _ => "a panic with a value that is no text".to_owned(),
    }
}
