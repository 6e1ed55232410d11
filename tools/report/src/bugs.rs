//! Bug reports for people: what, where with the source line, how one gets there, with which input.
//!
//! Knows: layout. Colours are the terminal's affair: a [`Style`] says how to mark.

use crate::document::FoundBug;
use crate::excerpt::{Stretch, excerpt};
use crate::plural::counted;
pub use crate::style::Style;
use effigy_engine::Violation;

/// So many conjuncts of a path condition are shown.
const CONJUNCTS: usize = 12;

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
        let at = if caller.line > 0 { format!(" at {}:{}", caller.file, caller.line) } else { String::new() };
        res.push_str(&format!("  called from {}{at}\n", caller.function));
    }
    if bug.stack.len() >= Violation::MOST_CALLS {
        res.push_str("  and so on\n");
    }
    for input in inputs {
        res.push_str(&format!("  input {} = {}\n", style.strong(&input.name), input.display()));
    }
    for (at, conjunct) in path_condition.iter().take(CONJUNCTS).enumerate() {
        res.push_str(if at == 0 { "  when " } else { "   and " });
        res.push_str(conjunct);
        res.push('\n');
    }
    if !found.assumed && path_condition.is_empty() && (inputs.is_empty() || found.every_run) {
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
