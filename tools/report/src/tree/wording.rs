//! The wording of the parts of a tree, the same in every picture.
//!
//! Knows: nodes and leaves. Never: a picture's syntax or layout.

use super::{Leaf, LeafKind, Node, Tree};
use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The children that really are: a node that stands after its parent and names it.
/// So every walk over them ends.
pub(crate) fn children(tree: &Tree, at: usize) -> impl Iterator<Item = usize> + '_ {
    let own = move |it: &usize| *it > at && tree.nodes.get(*it).is_some_and(|child| child.parent == Some(at));
    tree.nodes[at].children.iter().copied().filter(own)
}

/// What an execution of a statement is for its picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A statement with one way on.
    Plain,
    /// A branch that went one way only.
    NotForking,
    /// A branch that went several.
    Forking,
}

/// The shape of a node.
pub(crate) fn shape(tree: &Tree, at: usize) -> Shape {
    match children(tree, at).take(2).count() {
        2 => Shape::Forking,
        1 if tree.nodes[at].branches => Shape::NotForking,
        _ => Shape::Plain,
    }
}

/// The label of the arc to the child at `place` of a forking node: what the tree says, or the case's number.
pub(crate) fn arc(child: &Node, place: usize, columns: usize) -> String {
    match &child.arc {
        Some(arc) if !arc.is_empty() => clip(&one_line(arc), columns).into_owned(),
        _ => (place + 1).to_string(),
    }
}

/// The path condition, if it says anything.
pub(crate) fn condition(node: &Node) -> Option<&str> {
    let it = node.condition.as_str();
    (!it.is_empty() && it != "true").then_some(it)
}

/// Whether statements of several procedures were executed, so that a number alone does not name one.
pub(crate) fn several_procedures(tree: &Tree) -> bool {
    tree.nodes.iter().any(|it| it.procedure != tree.nodes[0].procedure)
}

/// The statement's number, with its procedure if there are several.
pub(crate) fn qualified(node: &Node, several: bool) -> String {
    // The end of what has no statement there.
    if node.statement == 0 && node.text == "end" {
        return "end".to_owned();
    }
    if several && !node.procedure.is_empty() {
        format!("{}:{}", node.procedure, node.statement)
    } else {
        node.statement.to_string()
    }
}

/// How a path ended. `cut` says that it was cut; `glue` stands between that and the reason.
pub(crate) fn end(leaf: &Leaf, cut: &str, glue: &str) -> String {
    let (kind, glue) = match leaf.kind {
        LeafKind::Completed => ("", ": "),
        LeafKind::Error => ("error", ": "),
        LeafKind::Cut => (cut, glue),
        LeafKind::Dropped => ("dropped", ": "),
        LeafKind::Unknown => ("unknown", ": "),
    };
    let res = match (kind, leaf.result.as_str()) {
        ("", "") => "completed".to_owned(),
        ("", result) => result.to_owned(),
        (kind, "") => kind.to_owned(),
        (kind, result) => format!("{kind}{glue}{result}"),
    };
    one_line(&res).into_owned()
}

/// A box at the end of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EndBox {
    /// The result, then the path condition.
    pub(crate) lines: Vec<String>,
    /// All of it, where the lines do not show all.
    pub(crate) whole: Option<String>,
}

/// So wide and so high is a box at most.
const BOX_COLUMNS: usize = 48;
const BOX_LINES: usize = 6;

/// What stands in the box at the end of a path.
pub(crate) fn end_box(node: &Node, leaf: &Leaf) -> EndBox {
    let result = end(leaf, "✂ cut", ": ");
    let mut lines = vec![clip(&result, BOX_COLUMNS).into_owned()];
    let mut whole = lines[0] != result;
    let pc = condition(node).map(one_line);
    if let Some(pc) = &pc {
        let mut line = String::new();
        for piece in conjuncts(pc) {
            if !line.is_empty() && line.width() + 1 + piece.width() > BOX_COLUMNS {
                lines.push(std::mem::take(&mut line));
            }
            if lines.len() > BOX_LINES {
                break;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            let shown = clip(piece, BOX_COLUMNS);
            whole |= shown != piece;
            line.push_str(&shown);
        }
        if lines.len() > BOX_LINES {
            whole = true;
            lines.truncate(BOX_LINES);
            lines.push("…".to_owned());
        } else if !line.is_empty() {
            lines.push(line);
        }
    }
    let all = || [Some(result.as_str().into()), pc.map(|it| format!("pc: {it}"))];
    EndBox { whole: whole.then(|| all().into_iter().flatten().collect::<Vec<_>>().join("\n")), lines }
}

/// So much of a path condition within the tree is shown beside a node; a leaf shows all of its own.
const NOTE_COLUMNS: usize = 400;

/// What a picture tells of a node that is pointed at, line by line.
pub(crate) fn note(tree: &Tree, node: &Node) -> Vec<String> {
    let mut res = vec![format!("{} {}: {}", node.procedure, node.statement, node.text)];
    if node.procedure.is_empty() {
        res[0] = format!("{}: {}", node.statement, node.text);
    }
    res.extend(tree.variables.iter().zip(&node.values).map(|(name, value)| format!("{name} = {value}")));
    res.extend(condition(node).map(|it| format!("pc: {}", clip(it, NOTE_COLUMNS))));
    res.iter().map(|it| one_line(it).trim_end_matches([' ', ':']).to_owned()).collect()
}

/// The conjuncts of a condition, each from its `∧` or `&` on, for breaking lines.
pub(crate) fn conjuncts(condition: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(condition);
    std::iter::from_fn(move || {
        let it = rest?;
        let connected = |at: usize| it[at..].starts_with(" ∧ ") || it[at..].starts_with(" & ");
        match it.char_indices().skip(1).find(|at| connected(at.0)) {
            None => rest.take(),
            Some((end, _)) => {
                rest = Some(&it[end + 1..]);
                Some(&it[..end])
            }
        }
    })
}

/// The text on one line, its control characters as pictures: a terminal obeys no label, XML has no place for them.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let picture = |it: char| match it {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + it as u32),
        '\u{7f}' => Some('␡'),
        // C1 controls, line separators, changes of direction that show a text as another, no characters at all.
        '\u{80}'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => {
            Some(char::REPLACEMENT_CHARACTER)
        }
        _ => None,
    };
    if text.chars().all(|it| picture(it).is_none()) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|it| picture(it).unwrap_or(it)).collect::<String>().into()
}

/// The text, cut to at most this many columns.
pub(crate) fn clip(text: &str, columns: usize) -> Cow<'_, str> {
    // No character is wider than it has bytes.
    if text.len() <= columns || text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let mut res = String::new();
    let mut used = 0;
    for it in text.chars() {
        used += it.width().unwrap_or(0);
        if used + 1 > columns {
            break;
        }
        res.push(it);
    }
    res.push('…');
    res.into()
}
