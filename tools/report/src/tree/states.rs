//! The tree of states: each node its location, its symbolic memory and its path condition.
//!
//! Knows: what has changed from a node to the next, the lines of a terminal. Never: colours, the terminal itself.
//! Source: King 1976, section 3; Strejček, IA159 Formal Methods for Software Analysis (the execution trees of the slides).

use super::wording::{self, clip};
use super::{Leaf, LeafKind, Node, State, StateDetail, Tree, children, one_line};
use std::collections::VecDeque;
use unicode_width::UnicodeWidthStr;

/// A line has place for so much at least behind its branches.
const LEAST: usize = 40;

/// So much of an arc's label is shown.
const ARC_COLUMNS: usize = 48;

/// So much of a statement is shown beside its number.
const TEXT_COLUMNS: usize = 60;

/// What a picture says of a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lines {
    /// Where it is: `2`, `end`.
    pub(crate) location: String,
    /// `x → α`, one for each variable that is shown.
    pub(crate) memory: Vec<String>,
    /// The path condition, if it is shown.
    pub(crate) condition: Option<String>,
    /// How the path ends here, if it does.
    pub(crate) end: Option<String>,
}

impl Lines {
    fn of(state: &State, before: Option<&State>, all: bool) -> Lines {
        let known = |it: &&(String, String)| all || before.is_none_or(|before| !before.memory.contains(it));
        let memory = state.memory.iter().filter(known);
        // An empty condition is none: `true` is written where it is one.
        let changed = !state.condition.is_empty() && before.is_none_or(|it| it.condition != state.condition);
        Lines {
            location: one_line(&state.location).into_owned(),
            memory: memory.map(mapping).collect(),
            condition: (changed || all && !state.condition.is_empty()).then(|| one_line(&state.condition).into_owned()),
            end: None,
        }
    }
}

/// `x → α`; what has no name is a remark.
fn mapping((name, value): &(String, String)) -> String {
    let text = if name.is_empty() { value.clone() } else { format!("{name} → {value}") };
    one_line(&text).into_owned()
}

/// What is said of the state before the statement of a node, and how a path ends there that is not completed.
pub(crate) fn of_node(tree: &Tree, at: usize) -> Lines {
    let node = &tree.nodes[at];
    if tree.showing == StateDetail::Texts {
        let name = if super::several_procedures(tree) { format!("{}:", node.procedure) } else { String::new() };
        let end = node.leaf.as_ref().filter(|it| it.kind != LeafKind::Completed);
        return Lines {
            location: format!("{name}{}", node.statement),
            memory: vec![one_line(&node.text).into_owned()],
            // Where a path ends it is said when.
            condition: end.and_then(|_| wording::condition(node)).map(|it| one_line(it).into_owned()),
            end: end.map(|it| wording::end(it, "⋮ the tree goes on", ": ")),
        };
    }
    let state = node.state.clone().unwrap_or_default();
    let before = node.parent.and_then(|it| tree.nodes.get(it)?.state.as_ref());
    let mut res = Lines::of(&state, before, tree.showing == StateDetail::States);
    if let Some(leaf) = node.leaf.as_ref().filter(|it| it.kind != LeafKind::Completed) {
        res.end = Some(wording::end(leaf, "⋮ the tree goes on", ": "));
    }
    res
}

/// What is said of the state at the end of a path that is completed.
pub(crate) fn of_end(tree: &Tree, node: &Node, leaf: &Leaf) -> Option<Lines> {
    if tree.showing == StateDetail::Texts && leaf.kind == LeafKind::Completed {
        return Some(Lines {
            location: "end".to_owned(),
            memory: vec![wording::end(leaf, "", ": ")],
            condition: wording::condition(node).map(|it| one_line(it).into_owned()),
            end: None,
        });
    }
    // A function without a result ends at its last line, of which all is said already.
    if leaf.state.is_some() && leaf.state == node.state {
        return None;
    }
    (leaf.kind == LeafKind::Completed).then(|| match &leaf.state {
        Some(state) => Lines::of(state, node.state.as_ref(), tree.showing == StateDetail::States),
        None => Lines { location: "end".to_owned(), ..Lines::default() },
    })
}

/// What stands above a tree of states: the letters, and what is to be known of all of it.
pub(crate) fn heading(tree: &Tree) -> Vec<String> {
    if !tree.showing.has_states() {
        return Vec::new();
    }
    let letters = tree.letters.iter().map(|it| format!("{} = {}", it.letter, it.input)).collect::<Vec<_>>();
    let mut res: Vec<String> = tree.remarks.clone();
    if !letters.is_empty() {
        res.push(format!("inputs: {}", letters.join(", ")));
    }
    res.iter().map(|it| one_line(it).into_owned()).collect()
}

/// The tree, with lines of at most `width` columns where that is possible; branches of a deep tree stand further below
/// under a number, as in [`super::text`].
pub fn render(tree: &Tree, width: usize) -> String {
    let mut res = String::new();
    if !tree.call.is_empty() {
        res.push_str(&format!("{}\n", one_line(&tree.call)));
    }
    heading(tree).iter().for_each(|it| res.push_str(&format!("{it}\n")));
    if tree.nodes.is_empty() {
        return res;
    }
    if !res.is_empty() {
        res.push('\n');
    }
    let width = width.max(2 * LEAST);
    let several = super::several_procedures(tree);
    let mut later: VecDeque<(usize, usize)> = VecDeque::new();
    let mut count = 0;
    let mut todo = vec![(0, String::new(), None::<String>)];
    loop {
        while let Some((first, prefix, lead)) = todo.pop() {
            if let Some(lead) = lead {
                res.push_str(&format!("{lead}\n"));
            }
            let mut at = first;
            let below = loop {
                let below: Vec<usize> = children(tree, at).collect();
                node(&mut res, tree, at, several, &prefix, width);
                match below[..] {
                    [next] => at = next,
                    _ => break below,
                }
            };
            if below.is_empty() {
                continue;
            }
            if prefix.width() + LEAST > width {
                count += 1;
                later.push_back((count, at));
                res.push_str(&format!("{prefix}→ [{count}]\n"));
            } else {
                fork(tree, &below, &prefix, &mut todo);
            }
        }
        let Some((number, at)) = later.pop_front() else { break };
        res.push_str(&format!("\n[{number}] {}\n", super::qualified(&tree.nodes[at], several)));
        fork(tree, &children(tree, at).collect::<Vec<_>>(), "", &mut todo);
    }
    res
}

/// Adds the branches below a fork, the first one to be taken next.
fn fork(tree: &Tree, below: &[usize], prefix: &str, todo: &mut Vec<(usize, String, Option<String>)>) {
    for (place, &child) in below.iter().enumerate().rev() {
        let (corner, bar) = if place + 1 < below.len() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
        let arc = wording::arc(&tree.nodes[child], place, ARC_COLUMNS);
        todo.push((child, format!("{prefix}{bar}"), Some(format!("{prefix}{corner}{arc}"))));
    }
}

/// A node, and the end of the path that is completed there.
fn node(res: &mut String, tree: &Tree, at: usize, several: bool, prefix: &str, width: usize) {
    let node = &tree.nodes[at];
    let mut said = of_node(tree, at);
    let text = one_line(&node.text).into_owned();
    if tree.showing == StateDetail::Texts {
        said.memory.clear();
        block(res, &said, &said.location, &clip(&text, TEXT_COLUMNS), prefix, width);
        if let Some(said) = node.leaf.as_ref().and_then(|it| of_end(tree, node, it)) {
            block(
                res,
                &Lines { memory: Vec::new(), ..said.clone() },
                &said.location,
                &said.memory.join(", "),
                prefix,
                width,
            );
        }
        return;
    }
    let name = if several && !node.procedure.is_empty() { format!("{}:", node.procedure) } else { String::new() };
    block(res, &said, &format!("{name}{}", said.location), &clip(&text, TEXT_COLUMNS), prefix, width);
    if let Some(leaf) = &node.leaf
        && let Some(said) = of_end(tree, node, leaf)
    {
        block(res, &said, &said.location, "", prefix, width);
    }
}

/// A line with the location, and below it what is shown of the state.
fn block(res: &mut String, said: &Lines, location: &str, text: &str, prefix: &str, width: usize) {
    res.push_str(format!("{prefix}{location:<4} {text}").trim_end());
    res.push('\n');
    let mut words: Vec<String> = Vec::new();
    let count = said.memory.len();
    for (at, it) in said.memory.iter().enumerate() {
        words.push(if at + 1 < count { format!("{it},") } else { it.clone() });
    }
    let mut lines = vec![words];
    if let Some(condition) = &said.condition {
        let mut words: Vec<String> = wording::conjuncts(condition).map(|it| it.trim_start().to_owned()).collect();
        if let Some(first) = words.first_mut() {
            *first = format!("pc: {first}");
        }
        lines.push(words);
    }
    lines.extend(said.end.iter().map(|it| vec![it.clone()]));
    lines.retain(|it| !it.is_empty());
    // Memory and path condition on one line, where they fit.
    if lines.len() > 1 && said.condition.is_some() && count > 0 {
        let together: usize = lines[..2].iter().flatten().map(|it| it.width() + 1).sum();
        if prefix.width() + 5 + together + 2 <= width {
            let condition = lines.remove(1);
            lines[0].push("  ".to_owned() + &condition.join(" "));
        }
    }
    for words in lines {
        let indent = format!("{prefix}     ");
        let mut used = 0;
        for word in words {
            if used == 0 || used + 1 + word.width() > width {
                if used > 0 {
                    res.push('\n');
                }
                res.push_str(&indent);
                used = indent.width();
            } else {
                res.push(' ');
                used += 1;
            }
            res.push_str(&word);
            used += word.width();
        }
        res.push('\n');
    }
}

/// So wide is a box, and so many lines it has of memory and of the path condition at most.
const BOX_COLUMNS: usize = 44;
const BOX_LINES: usize = 8;

/// The lines of a box: what each line is stands in front.
pub(crate) fn boxed(said: &Lines) -> Vec<(&'static str, String)> {
    let mut res = vec![("at", said.location.clone())];
    wrapped(said.memory.iter().map(String::as_str), ", ", |it| res.push(("mem", it)));
    if let Some(condition) = &said.condition {
        wrapped(wording::conjuncts(condition).map(str::trim_start), " ", |it| res.push(("pc", it)));
    }
    if let Some(end) = &said.end {
        res.push(("end", clip(end, BOX_COLUMNS).into_owned()));
    }
    res
}

/// Whether the end of a path has a box of its own: only completed paths do; other ends are shown in the box of the
/// node.
pub(crate) fn has_own_end(tree: &Tree, node: &Node) -> bool {
    let completed = node.leaf.as_ref().is_some_and(|it| it.kind == LeafKind::Completed);
    node.leaf.is_some() && (tree.showing == StateDetail::Statements || completed)
}

fn wrapped<'a>(words: impl Iterator<Item = &'a str>, space: &str, mut line: impl FnMut(String)) {
    let (mut current, mut count) = (String::new(), 0);
    for word in words {
        let word = clip(word, BOX_COLUMNS);
        if !current.is_empty() && current.width() + space.len() + word.width() > BOX_COLUMNS {
            line(std::mem::take(&mut current));
            count += 1;
            if count == BOX_LINES {
                return line("…".to_owned());
            }
        }
        if !current.is_empty() {
            current.push_str(space);
        }
        current.push_str(&word);
    }
    if !current.is_empty() {
        line(current);
    }
}
