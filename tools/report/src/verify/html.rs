//! Verdicts as one HTML page: each error with the symbolic states on the way to it.
//!
//! Knows: HTML. Never: other files; the page needs no network and no script.
//! Source: Smans et al. 2010, section 6.2: the states on the path to an error, each with store, heap and path condition.

use super::named::named;
use super::{Counts, FileReport, MemberReport, MemberVerdict};
use crate::failures::{Source, Sources, id, message};
use effigy_verify::failure::TracedState;
use effigy_verify::{Failure, Span};
use std::fmt::Write;

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222;background:#fff}
code,pre,td{font-family:ui-monospace,monospace;font-size:13px}
pre{background:#f6f6f4;padding:.6em;overflow-x:auto}
mark{background:#ffd7d5;border-bottom:2px solid #c00}
table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.15em 1em .15em 0}
.failed,.crashed{color:#b00}.undecided,.unsupported{color:#850}.verified{color:#070}
details{border-left:3px solid #ddd;margin:.3em 0;padding-left:.8em}summary{cursor:pointer}
.new{background:#e6f4e6}.state th{font-weight:normal;color:#777}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1c1c1c}pre{background:#262626}mark{background:#5a2222;color:#fff}.new{background:#203520}}
";

/// Renders the page of all files.
pub fn html(files: &[FileReport]) -> String {
    let counts = Counts::of(files);
    let mut res = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    let _ = writeln!(res, "<title>effigy verify</title>\n<style>\n{STYLE}</style>\n</head>\n<body>");
    let _ = writeln!(res, "<h1>effigy verify</h1>\n<p>{}</p>", escape(super::text::summary(&counts).trim_end()));
    for file in files {
        let _ = writeln!(res, "<h2>{}</h2>", escape(&file.name));
        for problem in &file.problems {
            let at = problem.span.map_or_else(String::new, |it| format!(" at {}", file.sources.place(it)));
            let text = escape(&problem.message);
            let _ =
                writeln!(res, "<p class=\"failed\">{text} <code>[{}]</code>{}</p>", escape(&problem.id), escape(&at));
            if let Some(span) = problem.span {
                res.push_str(&source_lines(span, &file.sources));
            }
        }
        if !file.members.is_empty() {
            res.push_str("<table>\n");
            file.members.iter().for_each(|it| res.push_str(&row(it, &file.sources)));
            res.push_str("</table>\n");
        }
        for member in &file.members {
            if let MemberVerdict::Failed(failures) = &member.verdict {
                failures.iter().for_each(|it| res.push_str(&error(it, &member.name, &file.sources)));
            }
        }
    }
    res.push_str("</body>\n</html>\n");
    res
}

fn row(member: &MemberReport, sources: &Sources) -> String {
    let word = member.verdict.word();
    let note = match &member.verdict {
        MemberVerdict::Verified => member.reservation().unwrap_or_default(),
        MemberVerdict::Failed(_) => String::new(),
        MemberVerdict::Undecided(why) => why.to_string(),
        MemberVerdict::Unsupported(what, span) => format!("{what} ({})", sources.place(*span)),
        MemberVerdict::Crashed(why) => why.clone(),
    };
    let cells = [member.kind, &*member.name, &*note];
    let cells: String = cells.iter().map(|it| format!("<td>{}</td>", escape(it))).collect();
    format!("<tr><td class=\"{word}\">{word}</td>{cells}</tr>\n")
}

fn error(failure: &Failure, member: &str, sources: &Sources) -> String {
    let mut res = format!("<h3>{}</h3>\n", escape(&message(failure, member, sources)));
    let place = escape(&sources.place(failure.span));
    let _ = writeln!(res, "<p><code>{place}</code> in {} <code>[{}]</code></p>", escape(member), id(failure));
    let (span, culprit) = (failure.span, failure.culprit);
    if culprit.line == 0 || (span.file, span.line) != (culprit.file, culprit.line) {
        res.push_str(&source_lines(span, sources));
    }
    if culprit.line > 0 {
        res.push_str(&source_lines(culprit, sources));
    }
    if !failure.branches.is_empty() {
        res.push_str("<ul>\n");
        for (at, side) in &failure.branches {
            let quote = sources.quote(*at).unwrap_or_default();
            let place = escape(&sources.place(*at));
            let _ = writeln!(res, "<li><code>{place}</code>: <code>{}</code> is {side}</li>", escape(&quote));
        }
        res.push_str("</ul>\n");
    }
    if let Some(why) = &failure.undecided {
        let _ = writeln!(res, "<p>The solver did not decide this ({}): it may hold all the same.</p>", escape(why));
    }
    if !failure.counterexample.is_empty() {
        res.push_str("<p>Counterexample</p>\n");
        res.push_str(&table(failure.counterexample.iter().map(|it| (&*it.0, &*it.1))));
    }
    let trace = named(&failure.trace);
    let last = trace.len();
    let mut before: Option<&TracedState> = None;
    for (number, at) in (1..).zip(&trace) {
        res.push_str(&state(number, number == last, at, before, sources));
        before = Some(at);
    }
    res
}

/// One state; what is new since the one before is marked, and the last stands open.
fn state(number: usize, open: bool, state: &TracedState, before: Option<&TracedState>, sources: &Sources) -> String {
    let quote = sources.quote(state.span).unwrap_or_default();
    let open = if open { " open=\"open\"" } else { "" };
    let place = escape(&sources.place(state.span));
    let mut res = format!(
        "<details{open}><summary>{number}. {} <code>{}</code> <small>{place}</small></summary>\n",
        escape(state.action),
        escape(&quote)
    );
    let is_new = |known: Option<bool>| if known == Some(false) { " class=\"new\"" } else { "" };
    res.push_str("<table class=\"state\">\n");
    // What a group of rows is stands once, before its first.
    let mut group = "";
    let mut put = |of: &'static str, new: &str, text: &str| {
        let label = if group == of { "" } else { of };
        group = of;
        let _ = writeln!(res, "<tr{new}><th>{label}</th><td>{}</td></tr>", escape(text));
    };
    for entry in &state.store {
        let new = is_new(before.map(|it| it.store.contains(entry)));
        put("store", new, &format!("{} = {}", entry.0, entry.1));
    }
    for chunk in &state.heap {
        put("heap", is_new(before.map(|it| it.heap.contains(chunk))), chunk);
    }
    for fact in &state.facts {
        put("path condition", is_new(before.map(|it| it.facts.contains(fact))), fact);
    }
    res.push_str("</table>\n</details>\n");
    res
}

fn table<'a>(rows: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let rows: String =
        rows.map(|it| format!("<tr><td>{}</td><td>{}</td></tr>\n", escape(it.0), escape(it.1))).collect();
    format!("<table>\n{rows}</table>\n")
}

/// The first line of a place with what is meant marked.
fn source_lines(span: Span, sources: &Sources) -> String {
    let line = |it: &Source| it.line(span.line).map(str::to_owned);
    let Some(line) = sources.of(span).and_then(line) else { return String::new() };
    let from = (span.column.max(1) - 1) as usize;
    let to = if span.end_line > span.line { usize::MAX } else { (span.end_column.max(1) - 1) as usize };
    let to = to.max(from + 1);
    let part = |skip: usize, until: usize| -> String { line.chars().take(until).skip(skip).take(2000).collect() };
    let (before, marked, after) = (part(0, from), part(from, to), part(to, usize::MAX));
    let number = span.line;
    format!("<pre>{number} | {}<mark>{}</mark>{}</pre>\n", escape(&before), escape(&marked), escape(&after))
}

/// Text as HTML and XML take it.
fn escape(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => res.push_str("&amp;"),
            '<' => res.push_str("&lt;"),
            '>' => res.push_str("&gt;"),
            '"' => res.push_str("&quot;"),
            '\t' | '\n' => res.push(c),
            c if c.is_control() => res.push(' '),
            // No characters of XML.
            '\u{fffe}' | '\u{ffff}' => res.push('\u{fffd}'),
            c => res.push(c),
        }
    }
    res
}
