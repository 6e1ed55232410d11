//! Verdicts as SARIF 2.1.0, which code hosts and editors read.
//!
//! Knows: the format (OASIS, Static Analysis Results Interchange Format). Never: the terminal.

use super::{FileReport, MemberReport, MemberVerdict};
use crate::failures::{Sources, id, message};
use effigy_verify::{Failure, Span};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One run over all files.
pub fn sarif(files: &[FileReport], version: &str) -> Value {
    let mut rules: BTreeMap<String, String> = BTreeMap::new();
    let mut results = Vec::new();
    for file in files {
        for problem in &file.problems {
            let open = !problem.is_input_error();
            let about = if open { "A construct that the verifier does not know" } else { "The input is not valid" };
            rules.entry(problem.id.to_string()).or_insert_with(|| about.to_owned());
            let at = match problem.span {
                Some(span) => location(span, &file.sources),
                None => json!({ "physicalLocation": { "artifactLocation": { "uri": uri(&file.name) } } }),
            };
            results.push(result(&problem.id, &problem.message, open, at));
        }
        for member in &file.members {
            member_results(member, &file.sources, &mut rules, &mut results);
        }
    }
    let rules: Vec<Value> =
        rules.iter().map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } })).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "effigy", "version": version, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn member_results(
    member: &MemberReport,
    sources: &Sources,
    rules: &mut BTreeMap<String, String>,
    results: &mut Vec<Value>,
) {
    let mut open = |rule: &str, about: &str, text: String, span: Span| {
        rules.entry(rule.to_owned()).or_insert_with(|| about.to_owned());
        results.push(result(rule, &text, true, location(span, sources)));
    };
    let subject = format!("{} {}", member.kind, member.name);
    match &member.verdict {
        MemberVerdict::Verified => {
            if let Some(why) = member.reservation() {
                let about = "What is proved holds if functions terminate, which nothing shows";
                open("termination", about, format!("{subject} is verified, and {why}"), member.span);
            }
        }
        MemberVerdict::Undecided(why) => {
            open("undecided", "There is no verdict", format!("{subject} is undecided: {why}"), member.span);
        }
        MemberVerdict::Unsupported(what, span) => {
            let about = "A construct that the verifier does not know";
            open(super::UNSUPPORTED, about, format!("{subject} uses {what}"), *span);
        }
        MemberVerdict::Crashed(why) => {
            open("crashed", "A bug in effigy", format!("{subject} was not verified: {why}"), member.span);
        }
        MemberVerdict::Failed(failures) => {
            for failure in failures {
                let text = format!("{} {}", failure.error.text(), failure.reason.text()).replace("{}", "…");
                rules.entry(id(failure)).or_insert(text);
                results.push(failed(failure, &member.name, sources));
            }
        }
    }
}

fn failed(failure: &Failure, member: &str, sources: &Sources) -> Value {
    let at = location(failure.span, sources);
    let mut res = result(&id(failure), &message(failure, member, sources), false, at);
    if failure.culprit.line > 0 && failure.culprit != failure.span {
        let mut culprit = location(failure.culprit, sources);
        culprit["message"] = json!({ "text": failure.reason.text().replace("{}", "this") });
        res["relatedLocations"] = json!([culprit]);
    }
    if !failure.branches.is_empty() {
        let step = |it: &(Span, bool)| {
            let mut at = location(it.0, sources);
            at["message"] = json!({ "text": format!("where this is {}", it.1) });
            json!({ "location": at })
        };
        let steps: Vec<Value> = failure.branches.iter().map(step).collect();
        res["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    res
}

/// What is open is no error: SARIF has a kind for it, without a level.
fn result(rule: &str, text: &str, open: bool, at: Value) -> Value {
    let (kind, level) = if open { ("open", "none") } else { ("fail", "error") };
    json!({ "ruleId": rule, "kind": kind, "level": level, "message": { "text": text }, "locations": [at] })
}

fn location(span: Span, sources: &Sources) -> Value {
    let name = sources.of(span).map_or("", |it| &*it.name);
    let mut region = json!({ "startLine": span.line.max(1), "startColumn": span.column.max(1) });
    if (span.end_line, span.end_column) > (span.line, span.column) {
        region["endLine"] = span.end_line.into();
        region["endColumn"] = span.end_column.max(1).into();
    }
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(name) }, "region": region } })
}

/// A file name as a relative or `file:` URI.
fn uri(name: &str) -> String {
    let mut res = String::new();
    if name.starts_with('/') {
        res.push_str("file://");
    }
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => res.push(char::from(byte)),
            _ => res.push_str(&format!("%{byte:02X}")),
        }
    }
    res
}
