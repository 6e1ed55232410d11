//! Code flows of SARIF 2.1.0.
//!
//! Knows: where a location stands in a log, the words in which compilers tell how a branch goes. Never: other formats.
//! Source: OASIS, SARIF 2.1.0, sections 3.36 to 3.38 (`kinds` of a thread flow location: "branch", "true", "false"); the
//! messages of the analysers of clang ("Taking true branch", "Loop condition is false") and GCC ("following 'true' branch").

use super::{TraceError, chosen};
use crate::trace::{Step, Trace};
use serde_json::Value;

pub(super) fn read(text: &str, choice: usize) -> Result<Trace, TraceError> {
    // serde_json bounds the depth of what it reads.
    let log: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        // The place is told once, before the message.
        let what = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
        TraceError::at(line.max(1), column.max(1), what)
    })?;
    let list = |it: &Value, name: &str| it.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    if log.get("runs").and_then(Value::as_array).is_none() {
        return Err(TraceError::at(1, 1, "this is no SARIF log: it has no `runs`"));
    }
    let mut flows = Vec::new();
    for run in list(&log, "runs") {
        for result in list(&run, "results") {
            for flow in list(&result, "codeFlows") {
                let locations: Vec<Value> =
                    list(&flow, "threadFlows").iter().take(1).flat_map(|it| list(it, "locations")).collect();
                if !locations.is_empty() {
                    flows.push((run.clone(), locations));
                }
            }
        }
    }
    let mut res = Trace::default();
    let at = chosen(flows.len(), choice, "code flow", &mut res.remarks)?;
    let (run, locations) = flows.swap_remove(at);
    for (number, location) in locations.iter().enumerate() {
        match step(&run, location) {
            Some(step) => res.steps.push(step),
            None => res.remarks.push(format!("location {} of the code flow has no line; left out", number + 1)),
        }
    }
    Ok(res)
}

fn step(run: &Value, location: &Value) -> Option<Step> {
    let inner = location.get("location")?;
    let physical = inner.get("physicalLocation")?;
    let artifact = physical.get("artifactLocation")?;
    let named = artifact.get("uri").and_then(Value::as_str);
    let uri = named.or_else(|| {
        let index = artifact.get("index")?.as_u64()?;
        run.get("artifacts")?.get(usize::try_from(index).ok()?)?.get("location")?.get("uri")?.as_str()
    })?;
    let line = physical
        .get("region")?
        .get("startLine")?
        .as_u64()
        .and_then(|it| u32::try_from(it).ok())
        .filter(|it| *it > 0)?;
    Some(Step { file: path(uri), line, outcome: outcome(location, inner), constraint: None })
}

/// How a branch goes: by the kinds of the location, or else by its message.
fn outcome(location: &Value, inner: &Value) -> Option<bool> {
    let kinds: Vec<&str> = location
        .get("kinds")
        .and_then(Value::as_array)
        .map_or_else(Vec::new, |it| it.iter().filter_map(Value::as_str).collect());
    if kinds.contains(&"branch") {
        let (holds, fails) = (kinds.contains(&"true"), kinds.contains(&"false"));
        if holds != fails {
            return Some(holds);
        }
    }
    let message = inner.get("message").or_else(|| location.get("message"))?.get("text")?.as_str()?.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|it| message.contains(it));
    let holds = says(&["true branch", "'true' branch", "condition is true", "entering loop body"]);
    let fails = says(&["false branch", "'false' branch", "condition is false", "exiting loop"]);
    (holds != fails).then_some(holds)
}

/// The path of a URI, its escapes resolved.
fn path(uri: &str) -> String {
    let rest = uri.strip_prefix("file://").unwrap_or(uri);
    let mut res = Vec::new();
    let mut left = rest.as_bytes();
    while let Some((&first, after)) = left.split_first() {
        let digits = after.get(..2).filter(|_| first == b'%').and_then(|it| std::str::from_utf8(it).ok());
        match digits.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) => (res.push(byte), left = &after[2..]),
            None => (res.push(first), left = after),
        };
    }
    String::from_utf8_lossy(&res).into_owned()
}
