//! The tree as a picture for a browser, with light and dark colours and a note on each node.
//!
//! Knows: SVG, the shapes. Never: where things stand (`layout`).
//! Source: King 1976, figures 6 and 8.

use super::layout::{COLUMN, LINE, Layout, Place, layout};
use super::wording::{self, Shape};
use super::{Leaf, LeafKind, StateDetail, Tree, children, one_line, states};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The margin around the picture.
const MARGIN: f64 = 16.0;
/// So much of an arc's label is shown.
const ARC_COLUMNS: usize = 16;
/// So much of the call is shown.
const CALL_COLUMNS: usize = 120;

/// What every viewer understands are attributes.
const INK: &str = "#1f2328";
const PAPER: &str = "#ffffff";
const SOFT: &str = "#6e7781";
const BOX: &str = "#f6f8fa";
const BAD: &str = "#cf222e";
const FONT: &str = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/// In a browser that is dark, colours are others.
const DARK: &str = "\
@media(prefers-color-scheme:dark){
.effigy-tree{fill:#e6edf3}
.effigy-tree .paper,.effigy-tree .n circle,.effigy-tree .n polygon{fill:#0d1117}
.effigy-tree .n circle,.effigy-tree .n polygon{stroke:#e6edf3}
.effigy-tree .n .ring{fill:none}
.effigy-tree .n text{fill:#e6edf3}
.effigy-tree .e rect{fill:#161b22;stroke:#8b949e}
.effigy-tree .error rect{stroke:#ff7b72}
.effigy-tree .pc{fill:#8b949e}
.effigy-tree .line{stroke:#8b949e}
}
";

/// The tree as an SVG document: statements are circles, forking branches diamonds,
/// branches that did not fork circles with a ring, ends of paths boxes; a cut path is dashed.
pub fn render(tree: &Tree) -> String {
    let layout = layout(tree);
    let call = one_line(&tree.call);
    let call = wording::clip(&call, CALL_COLUMNS);
    let legend = legend(tree);
    let legend_width: f64 = legend.iter().map(|it| it.width).sum();
    let top = if call.is_empty() { MARGIN } else { MARGIN + 28.0 };
    let heading = states::heading(tree);
    let heading: Vec<_> = heading.iter().map(|it| wording::clip(it, CALL_COLUMNS)).collect();
    let top = top + 18.0 * heading.len() as f64;
    let inner = layout.width.max(heading.iter().map(|it| it.width() as f64 * COLUMN).fold(0.0, f64::max));
    let inner = inner.max(legend_width).max(call.width() as f64 * COLUMN);
    let foot = if legend.is_empty() { 0.0 } else { 44.0 };
    let (width, height) = (inner + 2.0 * MARGIN, top + layout.height + foot + MARGIN);
    let mut res = Picture(String::new());
    res.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"effigy-tree\" role=\"img\" aria-label=\"{}\" \
         viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         fill=\"{INK}\" font-family=\"{FONT}\" font-size=\"12\">\n<style>\n{DARK}</style>\n\
         <path class=\"paper\" fill=\"{PAPER}\" d=\"M0 0h{width:.1}v{height:.1}h-{width:.1}z\"/>\n",
        escaped(&call)
    ));
    if !call.is_empty() {
        res.put(format_args!("<text x=\"{MARGIN:.1}\" y=\"{:.1}\">{}</text>\n", MARGIN + 12.0, escaped(&call)));
    }
    for (at, line) in heading.iter().enumerate() {
        let y = top - 16.0 - 18.0 * (heading.len() - 1 - at) as f64;
        res.put(format_args!(
            "<text class=\"pc\" fill=\"{SOFT}\" x=\"{MARGIN:.1}\" y=\"{y:.1}\">{}</text>\n",
            escaped(line)
        ));
    }
    let left = MARGIN + (inner - layout.width) / 2.0;
    res.put(format_args!("<g transform=\"translate({left:.1} {top:.1})\">\n"));
    for place in &layout.places {
        res.arc(tree, &layout, place);
    }
    for place in &layout.places {
        let node = &tree.nodes[place.node];
        match &node.leaf {
            Some(leaf) if place.end => match states::of_end(tree, node, leaf) {
                Some(said) if tree.showing != StateDetail::Statements => res.state(&said, "e", "", place),
                _ => res.end(tree, leaf, place),
            },
            leaf if tree.showing != StateDetail::Statements => {
                let class = leaf.as_ref().map_or("e", |it| class_of(it.kind));
                let note = match tree.showing {
                    StateDetail::Texts => wording::note(tree, node).join("\n"),
                    _ => node.text.clone(),
                };
                res.state(&states::of_node(tree, place.node), class, &note, place);
            }
            _ => {
                let note = wording::note(tree, node).join("\n");
                let shape = wording::shape(tree, place.node);
                res.node(shape, &node.statement.to_string(), Some(&note), place);
            }
        }
    }
    res.put(format_args!("</g>\n"));
    res.arc_labels(tree, &layout, left, top);
    let mut x = MARGIN;
    for it in &legend {
        let y = top + layout.height + 20.0;
        it.draw(&mut res, x, y);
        x += it.width;
    }
    res.put(format_args!("</svg>\n"));
    res.0
}

/// What a sign of the picture means.
struct Sign {
    /// None: the sign of a cut path.
    shape: Option<Shape>,
    text: &'static str,
    width: f64,
}

/// The signs that occur in the tree, for the legend.
fn legend(tree: &Tree) -> Vec<Sign> {
    if tree.showing != StateDetail::Statements {
        return Vec::new();
    }
    let occurs = |shape| (0..tree.nodes.len()).any(|at| wording::shape(tree, at) == shape);
    let cut = tree.nodes.iter().flat_map(|it| &it.leaf).any(|it| it.kind == LeafKind::Cut);
    let all = [
        (occurs(Shape::Forking), Some(Shape::Forking), "forks"),
        (occurs(Shape::NotForking), Some(Shape::NotForking), "branches, one way only is possible"),
        (cut, None, "the tree goes on"),
    ];
    let used = all.into_iter().filter(|it| it.0);
    used.map(|(_, shape, text)| Sign { shape, text, width: text.width() as f64 * COLUMN + 56.0 }).collect()
}

impl Sign {
    fn draw(&self, res: &mut Picture, x: f64, y: f64) {
        let place = Place { node: 0, end: false, parent: None, x: x + 12.0, y: y + 2.0, width: 20.0, height: 20.0 };
        match self.shape {
            Some(shape) => res.node(shape, "", None, &place),
            None => res.line(true, &format!("M{:.1} {:.1}h20", x + 2.0, y + 12.0)),
        }
        res.put(format_args!(
            "<text class=\"pc\" fill=\"{SOFT}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            x + 30.0,
            y + 16.0,
            self.text
        ));
    }
}

struct Picture(String);

impl Picture {
    fn put(&mut self, it: std::fmt::Arguments<'_>) {
        self.0.write_fmt(it).expect("a string takes all text");
    }

    /// The line from a place's parent.
    fn arc(&mut self, tree: &Tree, layout: &Layout, place: &Place) {
        let Some(above) = place.parent.map(|it| &layout.places[it]) else { return };
        let cut = place.end && tree.nodes[place.node].leaf.as_ref().is_some_and(|it| it.kind == LeafKind::Cut);
        let bottom = above.y + above.height;
        self.line(cut, &format!("M{:.1} {bottom:.1}L{:.1} {:.1}", above.x, place.x, place.y));
    }

    fn line(&mut self, cut: bool, path: &str) {
        let dashes = if cut { " stroke-dasharray=\"4 3\"" } else { "" };
        self.put(format_args!(
            "<path class=\"line\" fill=\"none\" stroke=\"{SOFT}\" stroke-width=\"1.2\"{dashes} d=\"{path}\"/>\n"
        ));
    }

    /// The labels beside the arcs of forks, above all lines.
    fn arc_labels(&mut self, tree: &Tree, layout: &Layout, left: f64, top: f64) {
        for at in 0..tree.nodes.len() {
            if wording::shape(tree, at) != Shape::Forking {
                continue;
            }
            let above = &layout.places[at];
            let bottom = above.y + above.height;
            for (number, child) in children(tree, at).enumerate() {
                let place = &layout.places[child];
                let label = wording::arc(&tree.nodes[child], number, ARC_COLUMNS);
                // On the outer side, above the line where it leaves the label.
                let (x, y) = ((above.x + place.x) / 2.0, (bottom + place.y) / 2.0);
                let (anchor, x, y) = match place.x - above.x {
                    it if it < -0.05 => ("end", x - 5.0, y - 2.0),
                    it if it > 0.05 => ("start", x + 5.0, y - 2.0),
                    _ => ("start", x + 5.0, y + 4.0),
                };
                let (x, y) = (x + left, y + top);
                let label = escaped(&label);
                self.put(format_args!(
                    "<text font-size=\"11\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\">{label}</text>\n"
                ));
            }
        }
    }

    fn node(&mut self, shape: Shape, label: &str, note: Option<&str>, place: &Place) {
        let radius = place.width / 2.0;
        let (x, y) = (place.x, place.y + radius);
        self.put(format_args!(
            "<g class=\"n\" text-anchor=\"middle\" fill=\"{PAPER}\" stroke=\"{INK}\" stroke-width=\"1.3\">"
        ));
        if let Some(note) = note {
            self.put(format_args!("<title>{}</title>", escaped(note)));
        }
        match shape {
            Shape::Forking => self.put(format_args!(
                "<polygon points=\"{x:.1},{:.1} {:.1},{y:.1} {x:.1},{:.1} {:.1},{y:.1}\"/>",
                y - radius,
                x + radius,
                y + radius,
                x - radius
            )),
            _ => self.put(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>")),
        }
        if shape == Shape::NotForking {
            let inner = radius - 3.0;
            self.put(format_args!("<circle class=\"ring\" fill=\"none\" stroke-width=\"0.8\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{inner:.1}\"/>"));
        }
        if !label.is_empty() {
            self.put(format_args!(
                "<text fill=\"{INK}\" stroke=\"none\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>",
                y + 4.0
            ));
        }
        self.put(format_args!("</g>\n"));
    }

    /// A state in a box, its statement in a note.
    fn state(&mut self, said: &states::Lines, class: &str, note: &str, place: &Place) {
        self.put(format_args!("<g class=\"{class}\" text-anchor=\"middle\">"));
        if !note.is_empty() {
            self.put(format_args!("<title>{}</title>", escaped(note)));
        }
        self.frame(class, place);
        let y = place.y;
        for (at, (class, line)) in states::boxed(said).iter().enumerate() {
            let y = y + 5.0 + LINE * (at as f64 + 0.75);
            let x = place.x;
            let look = match *class {
                "at" => " font-weight=\"bold\"".to_owned(),
                "pc" => format!(" class=\"pc\" fill=\"{SOFT}\""),
                _ => String::new(),
            };
            self.put(format_args!("<text{look} x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(line)));
        }
        self.put(format_args!("</g>\n"));
    }

    /// The frame of a box.
    fn frame(&mut self, class: &str, place: &Place) {
        let stroke = if class.ends_with("error") { BAD } else { SOFT };
        let dashes = if class.ends_with("cut") { " stroke-dasharray=\"4 3\"" } else { "" };
        let (x, y, width, height) = (place.x - place.width / 2.0, place.y, place.width, place.height);
        self.put(format_args!(
            "<rect fill=\"{BOX}\" stroke=\"{stroke}\"{dashes} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" rx=\"4\"/>"
        ));
    }

    fn end(&mut self, tree: &Tree, leaf: &Leaf, place: &Place) {
        let class = class_of(leaf.kind);
        let end = wording::end_box(&tree.nodes[place.node], leaf);
        self.put(format_args!("<g class=\"{class}\" text-anchor=\"middle\">"));
        if let Some(whole) = &end.whole {
            self.put(format_args!("<title>{}</title>", escaped(whole)));
        }
        self.frame(class, place);
        let y = place.y;
        for (at, line) in end.lines.iter().enumerate() {
            let look = if at == 0 { String::new() } else { format!(" class=\"pc\" fill=\"{SOFT}\"") };
            let y = y + 5.0 + LINE * (at as f64 + 0.75);
            self.put(format_args!("<text{look} x=\"{:.1}\" y=\"{y:.1}\">{}</text>", place.x, escaped(line)));
        }
        self.put(format_args!("</g>\n"));
    }
}

fn class_of(kind: LeafKind) -> &'static str {
    match kind {
        LeafKind::Completed => "e",
        LeafKind::Error => "e error",
        LeafKind::Cut => "e cut",
        LeafKind::Dropped => "e dropped",
        LeafKind::Unknown => "e unknown",
    }
}

/// Text for XML, what it has no place for as pictures; lines stay lines.
pub(super) fn escaped(text: &str) -> String {
    let mut res = String::new();
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            res.push('\n');
        }
        for it in one_line(line).chars() {
            match it {
                '<' => res.push_str("&lt;"),
                '>' => res.push_str("&gt;"),
                '&' => res.push_str("&amp;"),
                '"' => res.push_str("&quot;"),
                _ => res.push(it),
            }
        }
    }
    res
}
