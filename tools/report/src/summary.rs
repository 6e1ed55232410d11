//! The account of a walk for people: a few lines of counts, or a table with a row for each leaf.
//!
//! Knows: layout. Never: how the numbers came about.
//! Source: King 1976, section 7 (TEST), for the table.

use crate::document::{Document, Incomplete};
use crate::leaf::{Leaf, LeafEnd};
use crate::place_words::at;
use crate::plural::counted;
use crate::table::Table;
use effigy_engine::readable::conjunction;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What is covered, what is in the folder, what was cut and why, the verdict.
pub fn counts(it: &Document, statistics: bool) -> String {
    let mut res = String::new();
    let paths = &it.paths;
    let mut ends = vec![format!("{} completed", paths.completed), format!("{} in a bug", paths.errored)];
    let rest = [
        (paths.cut, "cut"),
        (paths.dropped, "dropped by the program"),
        (paths.unsupported, "unsupported"),
        (paths.undecided, "undecided"),
    ];
    ends.extend(rest.iter().filter(|it| it.0 > 0).map(|it| format!("{} {}", it.0, it.1)));
    res.push_str(&format!("paths     {}\n", ends.join(", ")));
    let possible = it.bugs.iter().filter(|it| it.bug.possible).count();
    let known = it.bugs.iter().filter(|it| it.known && !it.bug.possible).count();
    let new = it.bugs.len() - possible - known;
    let beside = if known > 0 { format!(", and {known} that the baseline has") } else { String::new() };
    res.push_str(&format!("bugs      {new}{beside}\n"));
    if possible > 0 {
        res.push_str(&format!("possible  {possible}, resting on what is missed below\n"));
    }
    if let Some(coverage) = it.coverage.as_ref().filter(|it| it.lines_total > 0) {
        res.push_str(&format!(
            "coverage  {} of {} lines, {} of {} branches\n",
            coverage.lines_covered, coverage.lines_total, coverage.branches_covered, coverage.branches_total
        ));
    }
    if let Some(folder) = &it.folder {
        res.push_str(&format!("tests     {} in {folder}\n", it.tests));
    }
    let share = if it.time > 0.0 { 100.0 * it.solver.time / it.time } else { 0.0 };
    res.push_str(&format!(
        "time      {:.2} s, {share:.0} % of it in the solver; {}\n",
        it.time,
        counted(it.steps, "instruction")
    ));
    for cut in &it.cut {
        let paths = if cut.paths == 1 { "path" } else { "paths" };
        let at = cut.place.as_ref().map_or(String::new(), |it| format!(" ({}:{})", it.file, it.line));
        let more = cut.flag.map_or(String::new(), |it| format!("; {it} raises it"));
        res.push_str(&format!("cut       {} {paths}: {}{at}{more}\n", cut.paths, cut.limit));
    }
    it.incomplete.iter().for_each(|it| res.push_str(&approximation(it)));
    if statistics {
        res.push_str(&layers(it));
    }
    let verdict = match it.complete {
        true if paths.cut > 0 => "every path was explored to its end, or goes round for ever",
        true => "every path was explored to its end",
        false if it.vacuous => "the program itself dropped every path: nothing follows for any input",
        false => "not every path was explored: nothing follows for the rest",
    };
    res.push_str(&format!("verdict   {verdict}\n"));
    it.remarks.iter().for_each(|it| res.push_str(&format!("note      {it}\n")));
    res
}

fn approximation(it: &Incomplete) -> String {
    let label = if it.missed { "missed" } else { "note" };
    let place = if it.place.line > 0 { format!(" ({}:{})", it.place.file, it.place.line) } else { String::new() };
    let times = if it.count > 1 { format!(", {} times", it.count) } else { String::new() };
    format!("{label:<9} {}: {}{place}{times}\n", it.kind, it.what)
}

/// What each layer of the solver answered.
pub fn layers(it: &Document) -> String {
    let mut res = "layer            queries   answered   seconds\n".to_owned();
    for layer in &it.solver.layers {
        res.push_str(&format!("{:<14} {:>9}  {:>9}  {:>8.3}\n", layer.name, layer.queries, layer.answered, layer.time));
    }
    res.push_str(&rules(it.solver.rules.iter().map(|it| (it.0.as_str(), *it.1))));
    res
}

/// How often each simplification rule of terms was used, the one that was used most first; nothing where none was.
pub fn rules<'a>(used: impl Iterator<Item = (&'a str, u64)>) -> String {
    let mut used: Vec<(&str, u64)> = used.collect();
    if used.is_empty() {
        return String::new();
    }
    used.sort_by_key(|it| (std::cmp::Reverse(it.1), it.0));
    let mut res = format!("\n{:<25} {:>9}\n", "rule", "uses");
    for (name, uses) in used {
        let _ = writeln!(res, "{name:<25} {uses:>9}");
    }
    res
}

/// A row for each leaf that completed: path condition and results. What is on all paths as it was has no column.
pub fn table(leaves: &[&Leaf]) -> Table {
    let rows = || leaves.iter().filter(|it| matches!(it.end, LeafEnd::Exit(_)));
    let mut names: Vec<&str> = Vec::new();
    let mut known = BTreeSet::new();
    for (name, value) in rows().flat_map(|it| &it.results) {
        if name != value && known.insert(name) {
            names.push(name);
        }
    }
    let row = |leaf: &&Leaf| {
        let value =
            |name: &&str| leaf.results.iter().find(|it| it.0 == **name).map_or_else(String::new, |it| it.1.clone());
        std::iter::once(conjunction(&leaf.path_condition)).chain(names.iter().map(value)).collect()
    };
    let head = std::iter::once("path condition").chain(names.iter().copied()).map(str::to_owned).collect();
    Table { head, rows: rows().map(row).collect() }
}

/// The summary's lines for paths that are not known to exist.
pub fn unknown(leaves: &[&Leaf]) -> String {
    let mut res = String::new();
    for leaf in leaves {
        let _ = match &leaf.end {
            LeafEnd::Unsupported { what, place } => {
                writeln!(res, "not known: {what}{}", at(&place.file, place.line))
            }
            LeafEnd::Undecided { what, reason, place } => {
                writeln!(res, "not known: {what}{}: {reason}", at(&place.file, place.line))
            }
            _ => Ok(()),
        };
    }
    res
}

/// The line under a table: how many paths and errors, what was cut; then the remarks.
pub fn tally(it: &Document) -> String {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let mut res = format!("{} path{}", it.paths.completed, plural(it.paths.completed));
    let errors = it.bugs.len() as u64;
    if errors > 0 {
        let _ = write!(res, ", {errors} error{}", plural(errors));
    }
    if it.paths.cut > 0 {
        let _ = write!(res, ", {} cut", it.paths.cut);
    }
    if it.paths.dropped > 0 {
        let _ = write!(res, ", {} dropped (no input takes them)", it.paths.dropped);
    }
    if it.paths.undecided > 0 {
        let _ = write!(res, ", {} undecided", it.paths.undecided);
    }
    res.push('\n');
    it.remarks.iter().for_each(|it| {
        let _ = writeln!(res, "{it}");
    });
    res
}
