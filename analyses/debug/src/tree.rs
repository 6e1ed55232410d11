//! The part of the execution tree that a session has walked.
//!
//! Knows: stretches of execution, where they part, what is at their ends. Never: states.
//! Source: King 1976, section 4.

/// The number of a stretch between two forks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeId(usize);

/// All that was walked: a root for each start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// For a root, how it was started.
    title: String,
    parts: Vec<Part>,
    saved: Vec<usize>,
    end: Option<String>,
}

/// A place where a stretch parts, or is changed by hand.
#[derive(Clone, Debug)]
struct Part {
    /// The statement and what is asked there, or the command.
    at: String,
    sides: Vec<(String, Option<NodeId>)>,
}

/// Deeper stretches are not indented further: lines stay readable.
const DEEPEST: usize = 24;

impl Tree {
    pub(crate) fn root(&mut self, title: String) -> NodeId {
        let id = self.add(Node { title, ..Node::default() });
        self.roots.push(id);
        id
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    /// A question that was met on the stretch `node`, with the labels of its ways on.
    pub(crate) fn asked(&mut self, node: NodeId, at: &str, labels: &[String]) {
        let parts = &mut self.nodes[node.0].parts;
        if !parts.iter().any(|it| it.at == at && it.sides.iter().map(|it| &it.0).eq(labels)) {
            parts.push(Part { at: at.to_owned(), sides: labels.iter().map(|it| (it.clone(), None)).collect() });
        }
    }

    /// The stretch that begins by `label` at the question or command `at`.
    pub(crate) fn taken(&mut self, node: NodeId, at: &str, label: &str) -> NodeId {
        let parts = &mut self.nodes[node.0].parts;
        let has = |it: &Part| it.at == at && it.sides.iter().any(|it| it.0 == label);
        let part = match parts.iter().position(has) {
            Some(part) => part,
            None => match parts.iter().position(|it| it.at == at) {
                // A value that was not listed.
                Some(part) => {
                    parts[part].sides.push((label.to_owned(), None));
                    part
                }
                None => {
                    parts.push(Part { at: at.to_owned(), sides: vec![(label.to_owned(), None)] });
                    parts.len() - 1
                }
            },
        };
        let side = parts[part].sides.iter().position(|it| it.0 == label).unwrap_or(0);
        if let Some(known) = parts[part].sides[side].1 {
            return known;
        }
        let child = self.add(Node::default());
        self.nodes[node.0].parts[part].sides[side].1 = Some(child);
        child
    }

    pub(crate) fn saved(&mut self, node: NodeId, number: usize) {
        self.nodes[node.0].saved.push(number);
    }

    pub(crate) fn ended(&mut self, node: NodeId, how: String) {
        self.nodes[node.0].end = Some(how);
    }

    /// The tree as indented text; `current` is marked.
    pub(crate) fn text(&self, current: NodeId) -> String {
        enum Line {
            Node(NodeId, String, usize),
            Part(String, usize),
            Open(String, usize),
        }
        let mut res = String::new();
        let mut left: Vec<Line> =
            self.roots.iter().rev().map(|&it| Line::Node(it, self.nodes[it.0].title.clone(), 0)).collect();
        // A stack of lines still to be written, not recursion: a session can be deep.
        while let Some(line) = left.pop() {
            let (text, depth) = match line {
                Line::Node(id, label, depth) => {
                    let node = &self.nodes[id.0];
                    for part in node.parts.iter().rev() {
                        for (label, child) in part.sides.iter().rev() {
                            left.push(match child {
                                Some(child) => Line::Node(*child, label.clone(), depth + 2),
                                None => Line::Open(label.clone(), depth + 2),
                            });
                        }
                        left.push(Line::Part(part.at.clone(), depth + 1));
                    }
                    let mut text = label;
                    if let Some(end) = &node.end {
                        text.push_str(&format!("  [{end}]"));
                    }
                    for number in node.saved.iter().take(10) {
                        text.push_str(&format!("  (state {number})"));
                    }
                    if node.saved.len() > 10 {
                        text.push_str(&format!("  ({} states more)", node.saved.len() - 10));
                    }
                    if id == current {
                        text.push_str("  <- here");
                    }
                    (text, depth)
                }
                Line::Part(text, depth) => (text, depth),
                Line::Open(label, depth) => (format!("{label}  [not walked]"), depth),
            };
            res.push_str(&"  ".repeat(depth.min(DEEPEST)));
            res.push_str(text.trim_end());
            res.push('\n');
        }
        res.trim_end().to_owned()
    }
}
