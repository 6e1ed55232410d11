//! Exposures: without a specification, which rows an answer shows, and when.
//!
//! Knows: texts of rows in answers, patterns of access control. Never: what an application is about.
//! Source: Near and Jackson, "Derailer" (ASE 2014) and "Finding security bugs in web applications using a catalog of
//! access control patterns" (ICSE 2016).
//!
//! A text that no statement looked at is a name of its cell, such as `contact-name-1`: an answer that has it shows the
//! cell. Numbers, truth values and texts out of few are not traced.

use crate::exposure::{ExposedRow, Exposure};
use crate::formula::Formula;
use crate::path::{Path, Record, Row};
use crate::report::Report;
use crate::world::{EndedPath, World};
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use effigy_relations::{Const, Schema};
use effigy_term::{Node, Term, Terms};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// A reason for which a user may see a row.
#[derive(Clone)]
pub struct Pattern {
    name: String,
    #[expect(clippy::type_complexity, reason = "me, the row, one of its columns; none: it says nothing of such a row")]
    holds: Rc<dyn Fn(&Path, &Row, &Row, &str) -> Option<Formula>>,
}

impl Pattern {
    /// A reason of one's own: given who is signed in, the row and a column of it; `None` where it says nothing of these.
    pub fn new(name: &str, holds: impl Fn(&Path, &Row, &Row, &str) -> Option<Formula> + 'static) -> Pattern {
        Pattern { name: name.to_owned(), holds: Rc::new(holds) }
    }

    /// The row refers to the user by this column.
    pub fn owner(column: &str) -> Pattern {
        let column = column.to_owned();
        Pattern::new("owner", move |_, me, row, _| row.has(&column).then(|| row.refers(&column, me)))
    }

    /// A column of the row has this value.
    pub fn public(column: &str, value: &str) -> Pattern {
        let (column, value) = (column.to_owned(), value.to_owned());
        Pattern::new(&value.clone(), move |_, _, row, _| row.has(&column).then(|| row.is(&column, value.as_str())))
    }

    /// This column of the user is true; of these tables.
    pub fn admin(column: &str, tables: &[&str]) -> Pattern {
        let column = column.to_owned();
        let tables: Vec<String> = tables.iter().map(|it| (*it).to_owned()).collect();
        Pattern::new("admin", move |_, me, row, _| {
            tables.iter().any(|it| it.eq_ignore_ascii_case(row.table_name())).then(|| me.get(&column).holds())
        })
    }

    /// A row of the table `of` refers to the row and to the user: `row` and `user` are its columns.
    pub fn member(of: &str, row: &str, user: &str, table: &str) -> Pattern {
        let [of, by_row, by_user, table] = [of, row, user, table].map(ToOwned::to_owned);
        Pattern::new("member", move |path, me, row, _| {
            if !table.eq_ignore_ascii_case(row.table_name()) {
                return None;
            }
            let any = path
                .every(&of, "m")
                .into_iter()
                .map(|it| it.there() & it.refers(&by_row, row) & it.refers(&by_user, me));
            any.reduce(|a, b| a | b)
        })
    }

    /// The row is the user.
    pub fn oneself(table: &str) -> Pattern {
        let table = table.to_owned();
        Pattern::new("oneself", move |path, me, row, _| {
            table.eq_ignore_ascii_case(row.table_name()).then(|| path.fact(row.id() == me.id(), "it is the user"))
        })
    }

    /// Whoever is signed in may see this column.
    pub fn signed_in(table: &str, column: &str) -> Pattern {
        let (table, column) = (table.to_owned(), column.to_owned());
        Pattern::new("signed in", move |path, _, row, of| {
            let fits = table.eq_ignore_ascii_case(row.table_name()) && column.eq_ignore_ascii_case(of);
            fits.then(|| path.fact(true, "somebody is signed in"))
        })
    }
}

/// How often, and the shortest condition with its rows.
#[derive(Clone, Debug)]
pub struct ExposureRecord {
    /// So many paths show it.
    pub paths: u64,
    /// The shortest condition of them.
    pub when: Vec<String>,
    /// The row that is shown.
    pub row: i64,
}

/// The columns that a request shows, and to whom.
#[derive(Clone, Debug)]
pub struct Exposures {
    /// Columns with those who see them.
    pub shown: BTreeMap<Exposure, ExposureRecord>,
    /// What came of the exploration.
    pub report: Report,
    request: String,
}

impl Exposures {
    /// What is shown though no pattern allows it.
    pub fn unprotected(&self) -> Vec<&Exposure> {
        self.shown.keys().filter(|it| it.allowed_by.is_empty()).collect()
    }
}

impl fmt::Display for Exposures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.request)?;
        let mut lines: Vec<(&Exposure, &ExposureRecord)> = self.shown.iter().collect();
        lines.sort_by_key(|it| (!it.0.allowed_by.is_empty(), it.1.when.len(), it.0.clone()));
        for (exposure, seen) in lines {
            let who = match exposure.allowed_by.as_slice() {
                [] => "NOBODY ALLOWS IT".to_owned(),
                of => of.join(", "),
            };
            let times = if seen.paths == 1 { "path" } else { "paths" };
            writeln!(f, "  {}[{}]: {who} ({} {times})", exposure.what, seen.row, seen.paths)?;
            for it in &seen.when {
                writeln!(f, "    {it}")?;
            }
        }
        write!(f, "{}", self.report)
    }
}

impl World {
    /// What a request shows: `request` signs a user in, and makes the request.
    pub fn exposures(
        &self,
        application: impl Fn(sea_orm::DatabaseConnection) -> Router,
        request: impl Fn(&Path) -> (Row, Request<Body>),
        patterns: &[Pattern],
    ) -> Exposures {
        let mut shown: BTreeMap<Exposure, ExposureRecord> = BTreeMap::new();
        let mut asked = String::new();
        let report = self.walk(
            async |path: Path| {
                let (me, request) = request(&path);
                let app = application(path.connection());
                let answer = path.send(&app, request).await;
                let cells = cells_in(&path, &answer.body);
                for (row, column) in cells {
                    let holding = patterns.iter().filter(|it| {
                        (it.holds)(&path, &me, &row, &column).is_some_and(|formula| path.decide(&formula))
                    });
                    let allowed_by = holding.map(|it| it.name.clone()).collect();
                    let what = format!("{}.{column}", row.table_name());
                    path.shows(ExposedRow { exposure: Exposure { what, allowed_by }, row: row.id() });
                }
            },
            &mut |record: &Record, ended: &EndedPath<'_>| {
                if let Some(it) = record.answers.first() {
                    asked.clone_from(&it.request);
                }
                let conjuncts = ended.end.trail.condition.conjuncts();
                let decided = conjuncts.iter().filter(|it| !record.granted.contains(it));
                let when: Vec<String> = decided.map(|it| readable(ended.end.terms, ended.schema, *it)).collect();
                for it in &record.shown {
                    let seen = shown.entry(it.exposure.clone()).or_insert_with(|| ExposureRecord {
                        paths: 0,
                        when: when.clone(),
                        row: it.row,
                    });
                    seen.paths += 1;
                    if when.len() < seen.when.len() {
                        seen.when.clone_from(&when);
                        seen.row = it.row;
                    }
                }
            },
        );
        Exposures { shown, report, request: asked }
    }
}

/// The cells whose texts an answer has.
fn cells_in(path: &Path, body: &str) -> Vec<(Row, String)> {
    let mut res = Vec::new();
    for table in &path.schema.tables {
        for row in path.all_rows(&table.name) {
            for column in &table.columns {
                if let Some(Const::Text(text)) = row.sent(&column.name)
                    && column.domain.is_none()
                    && !text.is_empty()
                    && body.contains(&serde_json::Value::String(text.to_string()).to_string())
                {
                    res.push((row.clone(), column.name.to_string()));
                }
            }
        }
    }
    res
}

/// A condition in the words of the schema: `contact[1].access = 'public'`.
fn readable(terms: &Terms, schema: &Schema, cond: Term) -> String {
    let joined = |of: &[Term], word: &str| {
        let parts: Vec<String> = of.iter().map(|it| readable(terms, schema, *it)).collect();
        format!("({})", parts.join(word))
    };
    match terms.node(cond) {
        Node::And(of) => joined(of, " and "),
        Node::Or(of) => joined(of, " or "),
        Node::Not(it) => match terms.node(*it) {
            Node::Symbol(symbol) => {
                let name = &terms.symbol_info(*symbol).name;
                match name.strip_suffix(" is null") {
                    Some(it) => format!("{it} is not null"),
                    None if name.ends_with(']') => format!("no {name}"),
                    None => format!("not {name}"),
                }
            }
            _ => format!("not {}", readable(terms, schema, *it)),
        },
        Node::Symbol(symbol) => terms.symbol_info(*symbol).name.to_string(),
        Node::Eq(a, b) => match (terms.node(*a), terms.as_bv(*b).and_then(effigy_term::BvValue::to_u64)) {
            (Node::Symbol(symbol), Some(number)) => {
                let name = &terms.symbol_info(*symbol).name;
                match meant(schema, name, number) {
                    Some(value) => format!("{name} = {value}"),
                    None => format!("{name} = {number}"),
                }
            }
            _ => effigy_term::print::math(terms, cond),
        },
        _ => effigy_term::print::math(terms, cond),
    }
}

/// The value of a cell of few values, of which the symbol is the number.
fn meant(schema: &Schema, name: &str, number: u64) -> Option<String> {
    let (place, column) = name.rsplit_once('.')?;
    let (table, _) = place.split_once('[')?;
    let table = &schema.tables[schema.table(table)?];
    let column = table.column(column)?;
    if table.reference(column).is_some() {
        return Some((number + 1).to_string());
    }
    Some(table.columns[column].domain.as_ref()?.get(usize::try_from(number).ok()?)?.to_string())
}
