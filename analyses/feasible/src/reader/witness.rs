//! Violation witnesses 2.0 of SV-COMP.
//!
//! Knows: segments, waypoints, their kinds. Never: YAML's syntax (`tree`).
//! Source: Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček, "Software Verification Witnesses 2.0" (SPIN 2024).
//! Columns are not looked at. What this format can say and we cannot follow is refused by name, at its place.

use super::tree::{self, Kind, Node};
use super::{TraceError, chosen};
use crate::trace::{Constraint, Relation, Step, Trace};

pub(super) fn read(text: &str, choice: usize) -> Result<Trace, TraceError> {
    let document = tree::read(text)?;
    let entries = match document.kind {
        Kind::Sequence(_) => document.parts(),
        _ => std::slice::from_ref(&document),
    };
    let of_kind = |it: &&Node| it.get("entry_type").and_then(Node::text) == Some("violation_sequence");
    let sequences: Vec<&Node> = entries.iter().filter(of_kind).collect();
    let mut res = Trace::default();
    let entry = sequences[chosen(sequences.len(), choice, "violation sequence", &mut res.remarks)?];
    let content = entry.get("content").ok_or_else(|| entry.error("a violation sequence without `content`"))?;
    for part in content.parts() {
        let segment = part.get("segment").ok_or_else(|| part.error("a `segment` was expected"))?;
        for part in segment.parts() {
            let waypoint = part.get("waypoint").ok_or_else(|| part.error("a `waypoint` was expected"))?;
            res.steps.push(step(waypoint)?);
        }
    }
    Ok(res)
}

fn step(waypoint: &Node) -> Result<Step, TraceError> {
    let text = |node: &Node, key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let needed =
        |node: &Node, key: &str| text(node, key).ok_or_else(|| node.error(format!("`{key}` was expected here")));
    let kind = needed(waypoint, "type")?;
    match text(waypoint, "action").as_deref() {
        None | Some("follow") => {}
        Some("avoid") => return Err(waypoint.error("a waypoint that is to be avoided is not taken")),
        Some(other) => return Err(waypoint.error(format!("`{other}` is no action: `follow` was expected"))),
    }
    let location = waypoint.get("location").ok_or_else(|| waypoint.error("a waypoint without `location`"))?;
    let line = needed(location, "line")?;
    let line = line.parse().ok().filter(|it| *it > 0);
    let line = line.ok_or_else(|| location.error("`line` is no number of a line"))?;
    let mut step = Step { file: needed(location, "file_name")?, line, outcome: None, constraint: None };
    let constraint = waypoint.get("constraint");
    let value = || -> Result<(String, &Node), TraceError> {
        let constraint = constraint.ok_or_else(|| waypoint.error(format!("`{kind}` without `constraint`")))?;
        match text(constraint, "format").as_deref() {
            None | Some("c_expression") => {}
            // `\result` is no expression of C.
            Some("ext_c_expression") if kind == "function_return" => {}
            Some(other) => return Err(constraint.error(format!("a constraint in the format `{other}` is not taken"))),
        }
        Ok((needed(constraint, "value")?, constraint))
    };
    match kind.as_str() {
        "target" | "function_enter" => {}
        "assumption" => {
            let (value, _) = value()?;
            if !matches!(value.trim(), "1" | "true") {
                step.constraint = Some(Constraint::Condition(value.trim().to_owned()));
            }
        }
        "branching" => {
            let (value, at) = value()?;
            step.outcome = match value.trim() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => return Err(at.error("a way of a `switch` is not taken: `true` or `false` was expected")),
            };
        }
        "function_return" if constraint.is_none() => {}
        "function_return" => {
            let (value, at) = value()?;
            let known = input(&value);
            step.constraint = Some(
                known
                    .ok_or_else(|| at.error("of what a function returns `\\result == NUMBER` is taken (or `<`, …)"))?,
            );
        }
        other => return Err(waypoint.error(format!("a waypoint of type `{other}` is not taken"))),
    }
    Ok(step)
}

/// `\result == 5`, also in parentheses.
fn input(text: &str) -> Option<Constraint> {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        text = inner.trim();
    }
    let rest = text.strip_prefix("\\result")?.trim_start();
    let end = rest.find(|it: char| !matches!(it, '=' | '!' | '<' | '>'))?;
    let relation = Relation::of(&rest[..end])?;
    let mut number = rest[end..].trim();
    while let Some(inner) = number.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        number = inner.trim();
    }
    let number = number.trim_end_matches(['u', 'U', 'l', 'L']).replace(' ', "");
    Some(Constraint::Input(relation, number.parse().ok()?))
}
