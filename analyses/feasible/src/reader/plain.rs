//! Plain text: `file:line[:T|F]`, a step each.
//!
//! Knows: blank lines, comments after `#`. Never: other formats.

use super::{TraceError, chosen};
use crate::trace::{Step, Trace};

pub(super) fn read(text: &str, choice: usize) -> Result<Trace, TraceError> {
    let mut res = Trace::default();
    chosen(1, choice, "trace", &mut res.remarks)?;
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let said = line.trim();
        if said.is_empty() || said.starts_with('#') {
            continue;
        }
        let said = said.split_once(" #").map_or(said, |it| it.0.trim_end());
        let column = line.len() - line.trim_start().len() + 1;
        res.steps.push(step(said).ok_or_else(|| {
            let shown: String = said.chars().take(60).collect();
            TraceError::at(
                at + 1,
                column,
                format!("`file:line`, `file:line:T` or `file:line:F` was expected, not `{shown}`"),
            )
        })?);
    }
    Ok(res)
}

fn step(said: &str) -> Option<Step> {
    let outcome = |it: &str| match it.trim() {
        "T" | "t" | "true" => Some(true),
        "F" | "f" | "false" => Some(false),
        _ => None,
    };
    let (place, outcome) = match said.rsplit_once(':') {
        Some((place, last)) if outcome(last).is_some() => (place, outcome(last)),
        _ => (said, None),
    };
    let (file, line) = place.rsplit_once(':')?;
    let line = line.trim().parse().ok().filter(|it| *it > 0)?;
    (!file.trim().is_empty()).then(|| Step { file: file.trim().to_owned(), line, outcome, constraint: None })
}
