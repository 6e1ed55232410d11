//! The tree in Graphviz's language.
//!
//! Knows: the syntax and the shapes. Never: where anything is drawn.
//! Source: King 1976, figure 6; <https://graphviz.org/doc/info/lang.html>.

use super::wording::{self, Shape};
use super::{LeafKind, Tree, children, one_line};

/// So much of an arc's label is shown.
const ARC_COLUMNS: usize = 40;

/// The tree as a `digraph`: statements are circles, forking branches diamonds, branches that did not fork double circles,
/// ends of paths boxes. What a node did stands in its tooltip.
pub fn render(tree: &Tree) -> String {
    let mut res = "digraph execution {\n".to_owned();
    res.push_str(&format!("  graph [label={}, labelloc=t, fontname=\"Helvetica\"];\n", quoted([&tree.call])));
    res.push_str("  node [shape=circle, fontname=\"Helvetica\", fontsize=12, margin=0.05];\n");
    res.push_str("  edge [arrowhead=none, fontname=\"Helvetica\", fontsize=11];\n");
    for (at, node) in tree.nodes.iter().enumerate() {
        let shape = match wording::shape(tree, at) {
            Shape::Plain => "",
            Shape::NotForking => ", shape=doublecircle",
            Shape::Forking => ", shape=diamond",
        };
        let tooltip = quoted(wording::note(tree, node));
        res.push_str(&format!("  n{at} [label=\"{}\"{shape}, tooltip={tooltip}];\n", node.statement));
        let forks = children(tree, at).nth(1).is_some();
        for (place, child) in children(tree, at).enumerate() {
            let arc = forks.then(|| wording::arc(&tree.nodes[child], place, ARC_COLUMNS));
            let label = arc.map(|it| format!(" [label={}]", quoted([&it])));
            res.push_str(&format!("  n{at} -> n{child}{};\n", label.unwrap_or_default()));
        }
        if let Some(leaf) = &node.leaf {
            let end = wording::end_box(node, leaf);
            let cut = leaf.kind == LeafKind::Cut;
            let (style, edge) = if cut { ("\"rounded,dashed\"", " [style=dashed]") } else { ("rounded", "") };
            let colour = if leaf.kind == LeafKind::Error { ", color=red" } else { "" };
            let tooltip = end.whole.as_ref().map_or("\" \"".to_owned(), |it| quoted(it.split('\n')));
            let label = quoted(&end.lines);
            res.push_str(&format!("  e{at} [shape=box, style={style}{colour}, label={label}, tooltip={tooltip}];\n"));
            res.push_str(&format!("  n{at} -> e{at}{edge};\n"));
        }
    }
    res.push_str("}\n");
    res
}

/// Lines as a quoted string. Labels are read three times: as a string, for `\`, and for `&`.
fn quoted<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> String {
    let mut res = "\"".to_owned();
    for (at, line) in lines.into_iter().enumerate() {
        if at > 0 {
            res.push_str("\\n");
        }
        for it in one_line(line.as_ref()).chars() {
            match it {
                '"' => res.push_str("\\\""),
                '\\' => res.push_str("\\\\"),
                '&' => res.push_str("&amp;"),
                _ => res.push(it),
            }
        }
    }
    res.push('"');
    res
}
