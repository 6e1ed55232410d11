//! The inputs of a generational search: the tree of their paths, and the tree of who came from whom.
//!
//! Knows: text and numbers; both trees are drawn as trees of states are. Never: terms, how inputs are found.
//! Source: Godefroid, Levin, Molnar 2008, figure 2; the slides of IA159, "Example".

use crate::concolic::{at, ended, inputs};
use crate::document::{ProgramSection, Writer};
use crate::leaf::LeafEnd;
use crate::test_case::{TestInput, TestPlace};
use crate::tree::{Leaf, LeafKind, Node, State, StateDetail, Tree, children, end, one_line};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What came of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Generations {
    /// The build of effigy that wrote the report.
    pub effigy: Writer,
    /// The language of the program.
    pub language: &'static str,
    /// The program that was searched.
    pub program: ProgramSection,
    /// What stands above the trees.
    #[serde(skip)]
    pub title: String,
    /// The inputs, in the order in which they were run.
    pub inputs: Vec<GeneratedInput>,
    /// Whether every input was expanded.
    pub complete: bool,
    /// What became of the sides that were not taken, by name.
    pub sides: serde_json::Value,
    /// The same on one line, for people.
    #[serde(skip)]
    pub told: String,
}

/// An input that the search ran.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GeneratedInput {
    /// The number of the input from whose run it was computed.
    pub parent: Option<usize>,
    /// How far it is from the seed.
    pub generation: u32,
    /// Blocks that no input before it covered.
    pub score: usize,
    /// The condition of its parent that it turns, by number; its own run is expanded from there.
    pub bound: usize,
    /// The input's values, by name.
    pub inputs: Vec<TestInput>,
    /// The condition that was negated to compute it; `None` for a seed.
    pub turned: Option<NegatedCondition>,
    /// How the input's run ended.
    pub end: LeafEnd,
    /// The sides that its path takes.
    pub path: Vec<Turn>,
    /// It left the path that was predicted for it.
    pub diverged: bool,
}

/// A condition that is turned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NegatedCondition {
    /// The place of the condition in the source.
    pub place: TestPlace,
    /// The side that is taken instead.
    pub side: String,
    /// The condition that the input is to satisfy instead.
    pub holds: String,
    /// The layer of the solver that answered the query.
    pub layer: &'static str,
}

/// A question of a path, with its answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Turn {
    /// The place of the question in the source.
    pub place: TestPlace,
    /// The label of the side that was taken.
    pub side: String,
}

impl GeneratedInput {
    /// Its value; without a name where all have one only.
    fn shown(&self, single: bool) -> String {
        match &self.inputs[..] {
            [only] if single => only.display(),
            _ => inputs(&self.inputs),
        }
    }

    fn state(&self, single: bool) -> State {
        let blocks = if self.score == 1 { "1 new block".to_owned() } else { format!("{} new blocks", self.score) };
        let memory = vec![remark(&format!("generation {}: {blocks}", self.generation))];
        State { location: self.shown(single), memory, condition: String::new() }
    }

    fn leaf(&self) -> Option<Leaf> {
        let kind = match &self.end {
            LeafEnd::Exit(_) | LeafEnd::Redundant => return None,
            LeafEnd::Bug(_) => LeafKind::Error,
            LeafEnd::Dropped => LeafKind::Dropped,
            LeafEnd::Unsupported { .. } | LeafEnd::Undecided { .. } => LeafKind::Unknown,
            LeafEnd::Cut(_) => LeafKind::Cut,
        };
        let result = match &self.end {
            LeafEnd::Dropped => String::new(),
            other => ended(other),
        };
        Some(Leaf { kind, result, state: None })
    }

    fn node(&self, single: bool, parent: Option<usize>, arc: Option<String>) -> Node {
        Node { parent, arc, state: Some(self.state(single)), leaf: self.leaf(), ..Node::default() }
    }
}

/// What is said of an input: of no variable.
fn remark(text: &str) -> (String, String) {
    (String::new(), text.to_owned())
}

/// A question, or the end of a path, among all paths.
#[derive(Default)]
struct Fork {
    place: TestPlace,
    sides: BTreeMap<(u8, String), usize>,
    inputs: Vec<usize>,
}

/// The side on which a condition does not hold stands on the left.
fn order(side: &str) -> (u8, String) {
    let rank = match side {
        "F" => 0,
        "T" => 1,
        _ => 2,
    };
    (rank, side.to_owned())
}

impl Generations {
    /// Whether every input is one value.
    fn single(&self) -> bool {
        self.inputs.iter().all(|it| it.inputs.len() <= 1)
    }

    /// A place; without its file where there is one only.
    fn at(&self) -> impl Fn(&TestPlace) -> String {
        let paths = self.inputs.iter().flat_map(|it| it.path.iter().map(|it| &it.place.file));
        let mut turned = paths.chain(self.inputs.iter().filter_map(|it| it.turned.as_ref().map(|it| &it.place.file)));
        let one = turned.next().is_some_and(|first| turned.all(|it| it == first));
        move |place| if one && place.line > 0 { place.line.to_string() } else { at(place) }
    }

    /// The tree of the paths: the questions on which they part, and the inputs at their ends.
    pub fn by_path(&self) -> Tree {
        let (at, single) = (self.at(), self.single());
        let mut forks = vec![Fork::default()];
        for (number, input) in self.inputs.iter().enumerate() {
            let mut here = 0;
            for turn in &input.path {
                let next = forks.len();
                forks[here].place = turn.place.clone();
                here = *forks[here].sides.entry(order(&turn.side)).or_insert(next);
                if here == next {
                    forks.push(Fork::default());
                }
            }
            forks[here].inputs.push(number);
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut todo: Vec<(usize, Option<usize>, Option<String>)> = vec![(0, None, None)];
        while let Some((mut here, parent, arc)) = todo.pop() {
            // Where all go one way, nothing is drawn.
            while let (1, true) = (forks[here].sides.len(), forks[here].inputs.is_empty()) {
                here = forks[here].sides.values().copied().next().unwrap_or(here);
            }
            let fork = &forks[here];
            let own = nodes.len();
            let mut inputs = fork.inputs.iter().map(|it| &self.inputs[*it]);
            let node = match inputs.next() {
                Some(first) if fork.sides.is_empty() => {
                    let mut node = first.node(single, parent, arc);
                    // Several inputs with one path: the others have diverged, or it was asked optimistically.
                    if let Some(state) = &mut node.state {
                        state.memory.extend(inputs.map(|it| remark(&format!("also: {}", it.shown(single)))));
                    }
                    node
                }
                _ => {
                    let location = at(&fork.place);
                    let state = State { location, ..State::default() };
                    Node { parent, arc, branches: true, state: Some(state), ..Node::default() }
                }
            };
            nodes.push(node);
            if let Some(parent) = parent {
                nodes[parent].children.push(own);
            }
            let below = fork.sides.iter().rev().map(|((_, side), next)| (*next, Some(own), Some(side.clone())));
            todo.extend(below.collect::<Vec<_>>());
        }
        self.tree(nodes)
    }

    /// The tree of the generations: from whose run each input was computed.
    pub fn by_generation(&self) -> Tree {
        let (at, single) = (self.at(), self.single());
        let mut nodes: Vec<Node> = Vec::new();
        for input in &self.inputs {
            let arc = input.turned.as_ref().map(|it| format!("{}  {}", at(&it.place), it.holds));
            nodes.push(input.node(single, input.parent, arc));
        }
        for (number, input) in self.inputs.iter().enumerate() {
            if let Some(parent) = input.parent {
                nodes[parent].children.push(number);
            }
        }
        self.tree(nodes)
    }

    fn tree(&self, nodes: Vec<Node>) -> Tree {
        Tree { call: self.title.clone(), nodes, showing: StateDetail::Changes, ..Tree::default() }
    }

    /// The numbers of generations and the inputs, from the left to the right of the tree of the paths.
    pub fn line(&self) -> String {
        let single = self.single();
        let mut order: Vec<(Vec<(u8, String)>, &GeneratedInput)> = Vec::new();
        for input in &self.inputs {
            order.push((input.path.iter().map(|it| self::order(&it.side)).collect(), input));
        }
        order.sort_by(|a, b| a.0.cmp(&b.0));
        order.iter().map(|it| format!("{} {}", it.1.generation, it.1.shown(single))).collect::<Vec<_>>().join("  ")
    }

    /// Both trees for a terminal, and what came of the search.
    pub fn render(&self) -> String {
        let mut res = format!("{}\n\n", one_line(&self.title));
        lines(&mut res, &self.by_path());
        res.push_str("\ngenerations\n\n");
        lines(&mut res, &self.by_generation());
        res.push('\n');
        if self.inputs.len() <= 64 {
            let _ = writeln!(res, "{}\n", self.line());
        }
        let last = self.inputs.iter().map(|it| it.generation).max().unwrap_or(0);
        let errors = self.inputs.iter().filter(|it| matches!(it.end, LeafEnd::Bug(_))).count();
        let plural =
            |count: usize, what: &str| if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") };
        let _ = writeln!(
            res,
            "{} in {}, {} with an error{}",
            plural(self.inputs.len(), "input"),
            plural(last as usize + 1, "generation"),
            errors,
            if self.complete { "; no side is left to be asked about" } else { "; stopped by a limit" }
        );
        if !self.told.is_empty() {
            let _ = writeln!(res, "{}", self.told);
        }
        res
    }
}

/// In a tree that is deeper, branches show their depth instead of indentation.
const DEEPEST: usize = 24;

/// A tree with a line for each node.
fn lines(res: &mut String, tree: &Tree) {
    let mut todo = match tree.nodes.is_empty() {
        true => Vec::new(),
        false => vec![(0, 0, String::new(), String::new())],
    };
    while let Some((at, depth, lead, below)) = todo.pop() {
        let node = &tree.nodes[at];
        let arc = node.arc.as_ref().map(|it| format!("{}  ", one_line(it)));
        let state = node.state.clone().unwrap_or_default();
        let mut line = format!("{lead}{}{}", arc.unwrap_or_default(), one_line(&state.location));
        for (_, remark) in &state.memory {
            let _ = write!(line, "  {}", one_line(remark));
        }
        if let Some(leaf) = &node.leaf {
            let _ = write!(line, "  {}", end(leaf, "cut", ": "));
        }
        let _ = writeln!(res, "{line}");
        let next: Vec<usize> = children(tree, at).collect();
        for (place, &child) in next.iter().enumerate().rev() {
            let (corner, bar) = if place + 1 < next.len() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
            let (lead, below) = match depth < DEEPEST {
                true => (format!("{below}{corner}"), format!("{below}{bar}")),
                false => (format!("{below}[{}] ", depth + 1), below.clone()),
            };
            todo.push((child, depth + 1, lead, below));
        }
    }
}
