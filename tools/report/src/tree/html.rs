//! The tree as an HTML page: the picture, and every node in words.
//!
//! Knows: HTML. Never: other files; the page needs no network and no script.

use super::svg::escaped;
use super::{Tree, states, svg};
use std::fmt::Write;

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:2em;color:#1f2328;background:#fff}
pre{font:13px/1.4 ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;overflow-x:auto}
.picture{overflow-x:auto}
summary{cursor:pointer}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}}
";

/// So wide are the lines of the text.
const COLUMNS: usize = 120;

/// Renders the page of one tree.
pub fn render(tree: &Tree) -> String {
    render_all(&[tree])
}

/// The page of several trees of one program, of which the first says what it is.
pub fn render_all(trees: &[&Tree]) -> String {
    let Some(tree) = trees.first() else { return String::new() };
    let title = escaped(if tree.call.is_empty() { "execution tree" } else { &tree.call });
    let mut res = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    let _ = writeln!(res, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>");
    for tree in trees {
        part(&mut res, tree);
    }
    res.push_str("</body>\n</html>\n");
    res
}

/// One tree: the picture, and every node in words.
fn part(res: &mut String, tree: &Tree) {
    for line in states::heading(tree) {
        let _ = writeln!(res, "<p>{}</p>", escaped(&line));
    }
    let _ = writeln!(res, "<div class=\"picture\">\n{}</div>", svg::render(tree));
    let text = match tree.showing {
        super::StateDetail::Statements => super::text::render(tree, COLUMNS),
        _ => states::render(tree, COLUMNS),
    };
    let _ = writeln!(res, "<details>\n<summary>As text</summary>\n<pre>{}</pre>\n</details>", escaped(&text));
}
