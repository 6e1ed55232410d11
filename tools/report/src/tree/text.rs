//! The tree for a terminal.
//!
//! Knows: box-drawing characters and the width of a line. Never: colours, the terminal itself.
//! Source: King 1976, figure 6.

use super::wording::{self, Shape};
use super::{Tree, children, condition, end, one_line, qualified, several_procedures};
use std::collections::VecDeque;
use unicode_width::UnicodeWidthStr;

/// The width of a line for those who do not know better.
pub const WIDTH: usize = 100;

/// A line has place for so much at least behind its branches.
const LEAST: usize = 24;

/// So much of an arc's label is shown.
const ARC_COLUMNS: usize = 24;

/// The tree, with lines of at most `width` columns where that is possible (a result is never broken), and a legend.
///
/// Executions that follow each other stand in a line.
/// Where the branches of a deep tree leave too little place, they are drawn further below under a number:
/// `4◆ → [1]`.
pub fn render(tree: &Tree, width: usize) -> String {
    let mut res = String::new();
    if !tree.call.is_empty() {
        res.push_str(&one_line(&tree.call));
        res.push('\n');
    }
    if tree.nodes.is_empty() {
        return res;
    }
    let several = several_procedures(tree);
    let width = width.max(2 * LEAST);
    let mut legend = Legend::default();
    // Forks whose branches stand further below.
    let mut later: VecDeque<(usize, usize)> = VecDeque::new();
    let mut count = 0;
    let root = Branch { at: 0, lead: String::new(), wrapped: String::new(), below: String::new() };
    let mut todo = vec![root];
    loop {
        while let Some(branch) = todo.pop() {
            let mut lines = Lines::new(&mut res, width, branch.lead, branch.wrapped);
            let last = chain(tree, branch.at, several, &mut lines, &mut legend);
            let forks = wording::shape(tree, last) == Shape::Forking;
            if forks && branch.below.width() + LEAST > width * 4 / 5 {
                count += 1;
                later.push_back((count, last));
                lines.word(" →", " ", &format!("[{count}]"));
            } else if forks {
                fork(tree, last, &branch.below, &mut todo);
            }
            res.push('\n');
        }
        let Some((number, at)) = later.pop_front() else { break };
        res.push_str(&format!("\n[{number}] {}◆\n", qualified(&tree.nodes[at], several)));
        fork(tree, at, "", &mut todo);
    }
    res.push_str(&legend.line());
    res
}

/// A part of the tree that begins a line of its own.
struct Branch {
    at: usize,
    /// What its first line begins with.
    lead: String,
    /// The prefix of continuation lines, if the line is too long.
    wrapped: String,
    /// What the lines of its own branches begin with.
    below: String,
}

/// Adds the branches below a fork, the first one to be taken next.
fn fork(tree: &Tree, at: usize, prefix: &str, todo: &mut Vec<Branch>) {
    let first = todo.len();
    let mut all = children(tree, at).enumerate().peekable();
    while let Some((place, child)) = all.next() {
        let (corner, bar) = if all.peek().is_some() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
        let arc = wording::arc(&tree.nodes[child], place, ARC_COLUMNS);
        let below = format!("{prefix}{bar}");
        let wrapped = format!("{below}{}", " ".repeat(arc.width() + 3));
        todo.push(Branch { at: child, lead: format!("{prefix}{corner}{arc} ─ "), wrapped, below });
    }
    todo[first..].reverse();
}

/// Writes executions up to the next fork or end; gives the last.
fn chain(tree: &Tree, from: usize, several: bool, lines: &mut Lines<'_>, legend: &mut Legend) -> usize {
    let mut at = from;
    let mut procedure = None;
    loop {
        let node = &tree.nodes[at];
        // A procedure is named where it is entered, or a line begins.
        let name = several && procedure != Some(&node.procedure);
        procedure = Some(&node.procedure);
        let mut word = one_line(&qualified(node, name)).into_owned();
        match wording::shape(tree, at) {
            Shape::Plain => {}
            Shape::NotForking => {
                word.push('◇');
                legend.not_forking = true;
            }
            Shape::Forking => {
                word.push('◆');
                legend.forking = true;
            }
        }
        if at == from {
            lines.word("", "", &word)
        } else {
            lines.word(" →", " ", &word)
        }
        if let Some(leaf) = &node.leaf {
            legend.cut |= leaf.kind == super::LeafKind::Cut;
            lines.word("", "  ", &end(leaf, "✂ cut", ": "));
            let pc = condition(node).map(one_line);
            for (place, conjunct) in pc.iter().flat_map(|it| wording::conjuncts(it)).enumerate() {
                let when = if place == 0 { "when " } else { "" };
                lines.word("", if place == 0 { "  " } else { " " }, &format!("{when}{conjunct}"));
            }
        }
        let mut next = children(tree, at);
        match (next.next(), next.next()) {
            (Some(child), None) => at = child,
            _ => return at,
        }
    }
}

/// Words on lines of limited width.
struct Lines<'a> {
    text: &'a mut String,
    width: usize,
    used: usize,
    wrapped: String,
    empty: bool,
}

impl<'a> Lines<'a> {
    fn new(text: &'a mut String, width: usize, lead: String, wrapped: String) -> Self {
        text.push_str(&lead);
        Lines { text, width, used: lead.width(), wrapped, empty: true }
    }

    /// A word after the one before: `mark` ends that one even where a line ends, `space` does not.
    fn word(&mut self, mark: &str, space: &str, word: &str) {
        // Each line keeps place for the next mark.
        let more = mark.width() + space.width() + word.width();
        self.text.push_str(mark);
        if !self.empty && self.used + more + 2 > self.width {
            self.text.push('\n');
            self.text.push_str(&self.wrapped);
            self.used = self.wrapped.width() + word.width();
        } else {
            self.text.push_str(space);
            self.used += more;
        }
        self.text.push_str(word);
        self.empty = false;
    }
}

/// What the signs mean that were used.
#[derive(Default)]
struct Legend {
    forking: bool,
    not_forking: bool,
    cut: bool,
}

impl Legend {
    fn line(&self) -> String {
        let all = [
            (self.forking, "◆ forks"),
            (self.not_forking, "◇ branches, one way only is possible"),
            (self.cut, "✂ the tree goes on"),
        ];
        let used: Vec<&str> = all.iter().filter(|it| it.0).map(|it| it.1).collect();
        if used.is_empty() { String::new() } else { format!("\n{}\n", used.join("   ")) }
    }
}
