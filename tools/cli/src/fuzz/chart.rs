//! The report as a page: coverage over time, the bugs, the numbers.
//!
//! Knows: SVG and HTML. Everything that the program could have written is escaped. Never: the folder.

use super::report::{Document, large};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 30.0;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
color:#222;background:#fff}table{border-collapse:collapse}td,th{text-align:left;padding:.2rem .8rem .2rem 0;\
vertical-align:top}code,pre{font:13px/1.5 ui-monospace,monospace}pre{white-space:pre-wrap}\
svg{width:100%;height:auto}.axis{stroke:#888;stroke-width:1}.grid{stroke:#ddd}.line{fill:none;stroke:#1f6feb;\
stroke-width:2}.bug{stroke:#c0392b;stroke-dasharray:3 3}svg text{font:12px system-ui,sans-serif;fill:#555}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.grid{stroke:#333}svg text{fill:#aaa}}";

/// The HTML page of a campaign's report.
pub(super) fn page(document: &Document) -> String {
    let title = escaped(&document.program.join(", "));
    let row = |name: &str, value: String| format!("<tr><th>{name}</th><td>{value}</td></tr>\n");
    let mut numbers = String::new();
    numbers.push_str(&row("edges", format!("{} of {}", document.edges.covered, document.edges.all)));
    numbers.push_str(&row("inputs", document.queue.to_string()));
    for (stage, count) in &document.found_by {
        numbers.push_str(&row(&format!("by {stage}"), count.to_string()));
    }
    let rate = large(document.runs_per_second as u64);
    numbers.push_str(&row("runs", format!("{}, {rate} each second", large(document.runs))));
    numbers.push_str(&row("time", format!("{:.1} s", document.seconds)));
    let mut bugs = String::new();
    for bug in &document.bugs {
        let mut stack = String::new();
        for place in &bug.stack {
            stack.push_str(&format!("{} in {}\n", escaped(&place.to_string()), escaped(&place.function)));
        }
        bugs.push_str(&format!(
            "<h3>{}</h3><p>{}</p><pre>{stack}</pre><p>{} bytes, after {:.1} s: <code>{}</code></p><pre>{}</pre>\n",
            bug.kind,
            escaped(&bug.message),
            bug.bytes,
            bug.seconds,
            escaped(&bug.file),
            escaped(&bug.reproduce)
        ));
    }
    if bugs.is_empty() {
        bugs.push_str("<p>None was found.</p>");
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>effigy fuzz: {title}</title>\n\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n<h2>Coverage over time</h2>\n{}\n\
         <table>\n{numbers}</table>\n<h2>Bugs</h2>\n{bugs}</html>\n",
        chart(document)
    )
}

fn chart(document: &Document) -> String {
    let end = document.coverage.last().map_or(1.0, |it| it.seconds).max(0.1);
    let top = document.coverage.iter().map(|it| it.edges).max().unwrap_or(1).max(1) as f64;
    let x = |seconds: f64| LEFT + (WIDTH - LEFT - 10.0) * seconds / end;
    let y = |edges: f64| 10.0 + (HEIGHT - 10.0 - BOTTOM) * (1.0 - edges / top);
    let mut res = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"covered edges over time\">\n\
         <line class=\"axis\" x1=\"{LEFT}\" y1=\"{0}\" x2=\"{WIDTH}\" y2=\"{0}\"/>\n",
        HEIGHT - BOTTOM
    );
    for part in 1..=4 {
        let edges = top * f64::from(part) / 4.0;
        res.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{WIDTH}\" y2=\"{0:.1}\"/>\
             <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{edges:.0}</text>\n",
            y(edges),
            LEFT - 6.0,
            y(edges) + 4.0
        ));
        let seconds = end * f64::from(part) / 4.0;
        res.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"end\">{seconds:.1} s</text>\n",
            x(seconds),
            HEIGHT - 8.0
        ));
    }
    // Coverage is what it was until it is more.
    let mut points = format!("{:.1},{:.1}", x(0.0), y(0.0));
    let mut before = 0.0;
    for point in &document.coverage {
        let edges = point.edges as f64;
        points.push_str(&format!(" {0:.1},{1:.1} {0:.1},{2:.1}", x(point.seconds), y(before), y(edges)));
        before = edges;
    }
    res.push_str(&format!("<polyline class=\"line\" points=\"{points}\"/>\n"));
    for bug in &document.bugs {
        let at = x(bug.seconds.min(end));
        res.push_str(&format!(
            "<line class=\"bug\" x1=\"{at:.1}\" y1=\"10\" x2=\"{at:.1}\" y2=\"{}\"><title>{}</title></line>\n",
            HEIGHT - BOTTOM,
            bug.kind
        ));
    }
    res.push_str("</svg>");
    res
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
