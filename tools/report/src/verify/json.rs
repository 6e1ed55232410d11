//! Verdicts as one JSON object.
//!
//! Knows: the names of its fields; the annotated tests of `effigy verify --expect-annotations` read them back.

use super::{Counts, FileReport, MemberReport, MemberVerdict, Problem};
use crate::failures::{Sources, id, message};
use effigy_verify::{Failure, Span};
use serde_json::{Value, json};

/// All files. `statistics` adds what differs from run to run.
pub fn json(files: &[FileReport], statistics: bool) -> Value {
    let counts = Counts::of(files);
    let files: Vec<Value> = files.iter().map(|it| file(it, statistics)).collect();
    json!({ "files": files, "summary": counts })
}

fn file(report: &FileReport, statistics: bool) -> Value {
    let sources = &report.sources;
    json!({
        "file": report.name,
        "problems": report.problems.iter().map(|it| problem(it, sources)).collect::<Vec<_>>(),
        "members": report.members.iter().map(|it| member(it, sources, statistics)).collect::<Vec<_>>(),
    })
}

fn problem(problem: &Problem, sources: &Sources) -> Value {
    json!({
        "id": &*problem.id,
        "message": problem.message,
        "place": problem.span.map(|it| place(it, sources)),
    })
}

fn member(report: &MemberReport, sources: &Sources, statistics: bool) -> Value {
    let mut res = json!({
        "kind": report.kind,
        "name": &*report.name,
        "place": place(report.span, sources),
        "verdict": report.verdict.word(),
    });
    match &report.verdict {
        MemberVerdict::Verified if report.rests_on.is_empty() => {}
        // Recursive functions without a measure that was shown to fall.
        MemberVerdict::Verified => res["rests_on"] = report.rests_on.iter().map(|it| Value::from(&**it)).collect(),
        MemberVerdict::Failed(failures) => {
            res["errors"] = failures.iter().map(|it| failure(it, &report.name, sources)).collect();
        }
        MemberVerdict::Undecided(why) => res["reason"] = Value::from(&**why),
        MemberVerdict::Unsupported(what, span) => {
            res["reason"] = Value::from(&**what);
            res["at"] = place(*span, sources);
        }
        MemberVerdict::Crashed(why) => res["reason"] = Value::from(why.as_str()),
    }
    if statistics {
        res["steps"] = report.effort.steps.into();
        res["paths"] = report.effort.paths.into();
        res["checks"] = report.effort.checks.into();
        res["queries"] = report.effort.queries.into();
        res["time"] = report.time.as_secs_f64().into();
        res["cached"] = report.cached.into();
    }
    res
}

fn failure(failure: &Failure, member: &str, sources: &Sources) -> Value {
    let branch = |it: &(Span, bool)| json!({ "place": place(it.0, sources), "side": it.1 });
    let value = |it: &(std::sync::Arc<str>, String)| (it.0.to_string(), Value::from(it.1.as_str()));
    let mut res = json!({
        "id": id(failure),
        "message": message(failure, member, sources),
        "place": place(failure.span, sources),
        "culprit": place(failure.culprit, sources),
        "branches": failure.branches.iter().map(branch).collect::<Vec<_>>(),
    });
    if !failure.counterexample.is_empty() {
        res["counterexample"] = Value::Object(failure.counterexample.iter().map(value).collect());
    }
    if let Some(why) = &failure.undecided {
        res["undecided"] = Value::from(&**why);
    }
    if !failure.trace.is_empty() {
        let state = |it: &effigy_verify::failure::TracedState| {
            json!({
                "place": place(it.span, sources),
                "action": it.action,
                "store": Value::Object(it.store.iter().map(value).collect()),
                "heap": it.heap,
                "facts": it.facts,
            })
        };
        res["trace"] = failure.trace.iter().map(state).collect();
    }
    res
}

fn place(span: Span, sources: &Sources) -> Value {
    json!({
        "file": sources.of(span).map(|it| &*it.name),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "text": sources.quote(span),
    })
}
