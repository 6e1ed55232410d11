//! The report on scripts: a line for each, a table, JSON.
//!
//! Knows: layout. Never: how a query is answered.

use super::ScriptOutcome;
use effigy_smtlib::{CheckedQuery, Status};
use effigy_solver::Statistics;
use serde_json::{Value, json};

fn count(queries: &[CheckedQuery], status: Status) -> usize {
    queries.iter().filter(|it| it.answer == status).count()
}

/// `sat`, or how many of which.
fn answers(solved: &ScriptOutcome) -> String {
    if solved.error.is_some() {
        return "error".to_owned();
    }
    match &solved.queries[..] {
        [] => "nothing asked".to_owned(),
        [only] => only.answer.to_string(),
        many => {
            let counts = [Status::Sat, Status::Unsat, Status::Unknown].map(|it| (count(many, it), it));
            let counts = counts.iter().filter(|it| it.0 > 0).map(|it| format!("{} {}", it.0, it.1));
            counts.collect::<Vec<_>>().join(", ")
        }
    }
}

fn seconds(queries: &[CheckedQuery]) -> (f64, f64) {
    let sum = |of: fn(&CheckedQuery) -> f64| queries.iter().map(of).sum();
    (sum(|it| it.reading.as_secs_f64()), sum(|it| it.solving.as_secs_f64()))
}

/// The line of one script among several.
pub(super) fn line(solved: &ScriptOutcome) -> String {
    let wrong = if solved.queries.iter().any(CheckedQuery::is_wrong) { " (wrong)" } else { "" };
    let answers = format!("{}{wrong}", answers(solved));
    format!("{answers:<8} {}  {:.2} s\n", solved.name, seconds(&solved.queries).1)
}

/// The table of all scripts.
pub(super) fn summary(solved: &[ScriptOutcome]) -> String {
    let all: Vec<CheckedQuery> = solved.iter().flat_map(|it| it.queries.iter().cloned()).collect();
    let (reading, solving) = seconds(&all);
    let mut res = String::from("\n");
    let mut row = |name: &str, value: String| res.push_str(&format!("{name:<9} {value}\n"));
    row("files", solved.len().to_string());
    row("queries", all.len().to_string());
    for status in [Status::Sat, Status::Unsat, Status::Unknown] {
        row(&status.to_string(), count(&all, status).to_string());
    }
    row("wrong", all.iter().filter(|it| it.is_wrong()).count().to_string());
    row("errors", solved.iter().filter(|it| it.error.is_some()).count().to_string());
    row("time", format!("{solving:.2} s, and {reading:.2} s for reading"));
    res
}

/// The table of what each layer answered.
pub(super) fn layers(statistics: &Statistics) -> String {
    let mut res = format!("{:<13} {:>9} {:>9} {:>9}\n", "layer", "queries", "answered", "seconds");
    for it in &statistics.layers {
        let seconds = it.time.as_secs_f64();
        res.push_str(&format!("{:<13} {:>9} {:>9} {seconds:>9.3}\n", it.name, it.queries, it.answered));
    }
    res
}

/// How often each simplification rule was used.
pub(super) fn rules(statistics: &Statistics) -> String {
    effigy_report::summary::rules(statistics.rules.iter().map(|it| (*it.0, *it.1)))
}

/// All of them for programs.
pub(super) fn json(solved: &[ScriptOutcome], statistics: &Statistics) -> Value {
    let query = |it: &CheckedQuery| {
        json!({
            "line": it.place.line,
            "answer": it.answer.to_string(),
            "reason": it.reason,
            "status": it.expected.map(|it| it.to_string()),
            "wrong": it.is_wrong(),
            "parse": it.reading.as_secs_f64(),
            "solve": it.solving.as_secs_f64(),
        })
    };
    let file = |it: &ScriptOutcome| {
        json!({
            "file": it.name,
            "queries": it.queries.iter().map(query).collect::<Vec<_>>(),
            "error": it.error,
        })
    };
    let layer = |it: &effigy_solver::LayerStatistics| json!({ "name": it.name, "queries": it.queries, "answered": it.answered, "time": it.time.as_secs_f64() });
    json!({
        "files": solved.iter().map(file).collect::<Vec<_>>(),
        "layers": statistics.layers.iter().map(layer).collect::<Vec<_>>(),
        "rules": statistics.rules,
    })
}
