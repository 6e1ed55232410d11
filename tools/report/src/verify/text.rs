//! Verdicts as the terminal shows them: a line a member, the errors, the summary.
//!
//! Knows: layout. Never: times, unless they are asked for, so that two runs print the same.

use super::{Counts, FileReport, MemberReport, MemberVerdict, Problem, reservation};
use crate::bugs::Style;
use crate::failures::{Detail, Sources, excerpt, one_line, render};
use crate::plural::counted;

/// Renders the line of one member: verdict, kind and name.
pub fn member(report: &MemberReport, sources: &Sources, statistics: bool, style: Style) -> String {
    let word = format!("{:<11}", report.verdict.word());
    let word = match report.verdict {
        MemberVerdict::Verified => word,
        MemberVerdict::Failed(_) | MemberVerdict::Crashed(_) => style.error(&word),
        MemberVerdict::Undecided(_) | MemberVerdict::Unsupported(..) => style.strong(&word),
    };
    let mut res = format!("{word}  {:<9}  {}", report.kind, one_line(&report.name));
    match &report.verdict {
        MemberVerdict::Verified | MemberVerdict::Failed(_) => {}
        MemberVerdict::Undecided(why) => res.push_str(&format!(": {}", one_line(why))),
        MemberVerdict::Unsupported(what, span) => {
            res.push_str(&format!(": {} ({})", one_line(what), sources.place(*span)));
        }
        MemberVerdict::Crashed(message) => {
            res.push_str(&format!(": a bug in effigy, please report it: {}", one_line(message)));
        }
    }
    if statistics {
        let effort = report.effort;
        let time = if report.cached { "known".to_owned() } else { format!("{:.3} s", report.time.as_secs_f64()) };
        let (steps, paths) = (counted(effort.steps, "step"), counted(effort.paths, "path"));
        let (checks, queries) = (counted(effort.checks, "check"), counted(effort.queries, "query"));
        let text = format!("  {time}, {steps}, {paths}, {checks}, {queries}");
        res.push_str(&style.faint(&text));
    }
    res.push('\n');
    res
}

/// The errors of one member, each after an empty line.
pub fn failures(report: &MemberReport, sources: &Sources, detail: Detail, style: Style) -> String {
    let MemberVerdict::Failed(failures) = &report.verdict else { return String::new() };
    let member = &*report.name;
    failures.iter().map(|it| format!("\n{}", render(it, member, sources, detail, style))).collect()
}

/// What is wrong with a file.
pub fn problem(problem: &Problem, sources: &Sources, style: Style) -> String {
    let message = style.strong(&one_line(&problem.message));
    let mut res = format!("{}: {message} [{}]\n", style.error("error"), problem.id);
    if let Some(span) = problem.span {
        res.push_str(&format!("  --> {}\n", sources.place(span)));
        res.push_str(&excerpt(sources, span, style));
    }
    res
}

/// All of one file but its heading, of the members that are wanted.
pub fn file(
    report: &FileReport,
    wanted: &dyn Fn(&MemberReport) -> bool,
    detail: Detail,
    statistics: bool,
    style: Style,
) -> String {
    let mut res = String::new();
    report.problems.iter().for_each(|it| res.push_str(&problem(it, &report.sources, style)));
    let shown = report.members.iter().filter(|it| wanted(it));
    shown.for_each(|it| res.push_str(&member(it, &report.sources, statistics, style)));
    let mut unproved: Vec<&str> = Vec::new();
    for name in report.members.iter().flat_map(|it| &it.rests_on) {
        if !unproved.contains(&&**name) {
            unproved.push(name);
        }
    }
    if !unproved.is_empty() {
        let note = format!("note: {}", one_line(&reservation(&unproved)));
        res.push_str(&format!("{}\n", style.faint(&note)));
    }
    report.members.iter().for_each(|it| res.push_str(&failures(it, &report.sources, detail, style)));
    res
}

/// Renders the last line, with the counts of all verdicts.
pub fn summary(counts: &Counts) -> String {
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let mut parts = vec![format!("{} verified", counts.verified)];
    let rest = [
        (counts.failed, "failed"),
        (counts.undecided, "undecided"),
        (counts.unsupported, "unsupported"),
        (counts.crashed, "crashed"),
    ];
    parts.extend(rest.iter().filter(|it| it.0 > 0).map(|it| format!("{} {}", it.0, it.1)));
    if counts.input_errors > 0 {
        parts.push(plural(counts.input_errors, "input error"));
    }
    let files = if counts.files == 1 { String::new() } else { format!(" of {}", plural(counts.files, "file")) };
    format!("{}{files}: {}\n", plural(counts.members, "member"), parts.join(", "))
}
