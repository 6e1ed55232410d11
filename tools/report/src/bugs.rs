//! Bug reports for people: what, where with the source line, how one gets there, with which input.
//!
//! Knows: layout. Colours are the terminal's affair: a [`Style`] says how to mark.

use crate::document::FoundBug;
use crate::excerpt::{Stretch, excerpt};
use crate::place_words::at;
use crate::plural::counted;
pub use crate::style::Style;
use crate::test_case::ScheduledTurn;
use effigy_engine::Violation;

/// So many conjuncts of a path condition are shown.
const CONJUNCTS: usize = 12;

/// So many turns of a schedule are shown, the last ones.
const TURNS: usize = 16;

/// The turns of the threads as a table: a column for each thread, a row for each turn, with the line where it begins.
fn schedule(turns: &[ScheduledTurn]) -> String {
    let Some(last) = turns.iter().map(|it| it.thread).max() else { return String::new() };
    let name = |thread: u32| if thread == 0 { "main".to_owned() } else { format!("thread {thread}") };
    let cell = |turn: &ScheduledTurn| match turn.place.line {
        0 => turn.place.function.clone(),
        line => format!("{}:{line}", turn.place.function),
    };
    // Turns of one thread in a row are one row.
    let mut rows: Vec<(u32, String)> = Vec::new();
    for turn in turns {
        match rows.last_mut() {
            Some((thread, text)) if *thread == turn.thread => text.push_str(&format!(" {}", turn.place.line)),
            _ => rows.push((turn.thread, cell(turn))),
        }
    }
    let left_out = rows.len().saturating_sub(TURNS);
    let rows = &rows[left_out..];
    let width = |thread: u32| {
        let cells = rows.iter().filter(|it| it.0 == thread).map(|it| it.1.chars().count());
        cells.chain([name(thread).len()]).max().unwrap_or(0)
    };
    let line = |text: &dyn Fn(u32) -> String| {
        let cells: Vec<String> = (0..=last).map(|it| format!("{:<1$}", text(it), width(it))).collect();
        format!("  {}\n", cells.join(" | ").trim_end())
    };
    let mut res = format!("  schedule, by the lines where threads go on:\n{}", line(&name));
    if left_out > 0 {
        res.push_str(&format!("  ({} before)\n", counted(left_out as u64, "turn")));
    }
    for (thread, text) in rows {
        res.push_str(&line(&|column| if column == *thread { text.clone() } else { String::new() }));
    }
    res
}

/// One bug. `source` gives the text of a line of a file.
pub fn render(found: &FoundBug, style: Style, source: &dyn Fn(&str, u32) -> Option<String>) -> String {
    let FoundBug { bug, inputs, path_condition, .. } = found;
    let kind = if bug.possible { format!("possible {}", bug.kind) } else { bug.kind.clone() };
    let mut res = format!("{}: {}\n", style.error(&kind), style.strong(&bug.message));
    let place = &bug.place;
    if place.line > 0 {
        let column = if place.column > 0 { format!(":{}", place.column) } else { String::new() };
        res.push_str(&format!("  --> {}:{}{column} in {}\n", place.file, place.line, place.function));
        if let Some(text) = source(&place.file, place.line) {
            res.push_str(&excerpt(place.line, &text, Stretch::at(place.column), style));
        }
    } else if !place.function.is_empty() {
        res.push_str(&format!("  --> in {}\n", place.function));
    }
    for caller in &bug.stack {
        res.push_str(&format!("  called from {}{}\n", caller.function, at(&caller.file, caller.line)));
    }
    if bug.stack.len() >= Violation::MOST_CALLS {
        res.push_str("  and so on\n");
    }
    for input in inputs {
        res.push_str(&format!("  input {} = {}\n", style.strong(&input.name), input.display()));
    }
    res.push_str(&schedule(&found.schedule));
    for (at, conjunct) in path_condition.iter().take(CONJUNCTS).enumerate() {
        res.push_str(if at == 0 { "  when " } else { "   and " });
        res.push_str(conjunct);
        res.push('\n');
    }
    if !found.assumed
        && found.schedule.is_empty()
        && path_condition.is_empty()
        && (inputs.is_empty() || found.every_run)
    {
        res.push_str("  on every run\n");
    }
    if path_condition.len() > CONJUNCTS {
        let more = (path_condition.len() - CONJUNCTS) as u64;
        res.push_str(&format!("   and {}\n", counted(more, "more condition")));
    }
    let mut notes = Vec::new();
    if !found.test.is_empty() {
        notes.push(format!("shown by {}", found.test));
    }
    if found.paths > 1 {
        notes.push(format!("{} paths end here", found.paths));
    }
    if found.assumed {
        notes.push("it depends on an assumption that a native run may not meet".to_owned());
    }
    if !notes.is_empty() {
        res.push_str(&format!("  {}\n", style.faint(&notes.join("; "))));
    }
    res
}
