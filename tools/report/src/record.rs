//! Recording a walk as an execution tree.
//!
//! Knows: the events of a walk over any language that can be inspected. Never: how a tree is drawn.
//! Source: King 1976, section 4: a node for each execution of a statement, with the execution state at it.

use crate::tree::{Leaf, LeafKind, Node, Tree};
use effigy_engine::{
    Context, Coverage, Decision, Ended, Engine, Inputs, Inspect, Notes, Observer, Outcome, PathId, Statement, Trail,
    Variable, VariableValue,
};
use effigy_term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Records a walk. Give it to the walk as its observer, then ask for the [`Recorder::tree`].
pub struct Recorder<'a, L: Inspect> {
    language: &'a L,
    terms: &'a Terms,
    nodes: Vec<Raw>,
    positions: FxHashMap<PathId, Position>,
    coverage: Coverage,
    notes: Notes,
}

/// Where a path stands in the tree.
#[derive(Clone, Default)]
struct Position {
    node: Option<usize>,
    /// Which execution of a statement the node is.
    execution: Option<(u64, u32, usize)>,
    /// It forked here, and has not gone on yet.
    arc: Option<(String, Term)>,
}

struct Raw {
    statement: Statement,
    depth: usize,
    parent: Option<usize>,
    arc: Option<(String, Term)>,
    children: Vec<usize>,
    /// The values when the statement was done; `None` while it is not, or where another procedure went on.
    values: Option<Vec<Variable>>,
    trail: Trail,
    assumptions: Vec<Term>,
    leaf: Option<(LeafKind, Vec<Variable>, String)>,
}

impl<'a, L: Inspect> Recorder<'a, L> {
    /// A recorder of a walk of `language`.
    pub fn new(language: &'a L, terms: &'a Terms) -> Recorder<'a, L> {
        Recorder {
            language,
            terms,
            nodes: Vec::new(),
            positions: FxHashMap::default(),
            coverage: Coverage::default(),
            notes: Notes::default(),
        }
    }

    fn variables(&mut self, state: &L::State, results: bool) -> Vec<Variable> {
        let inputs = Inputs::Symbolic;
        let mut ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut self.notes);
        match results {
            true => self.language.results(&mut ctx, state),
            false => self.language.variables(&mut ctx, state),
        }
    }

    fn add(&mut self, position: &mut Position, statement: Statement, state: &L::State, trail: &Trail) -> usize {
        let index = self.nodes.len();
        if let Some(parent) = position.node {
            self.nodes[parent].children.push(index);
        }
        self.nodes.push(Raw {
            statement,
            depth: self.language.depth(state),
            parent: position.node,
            arc: position.arc.take(),
            children: Vec::new(),
            values: None,
            trail: trail.clone(),
            assumptions: self.language.assumptions(state),
            leaf: None,
        });
        position.node = Some(index);
        index
    }

    /// The tree, with conditions and values made readable by `engine`.
    pub fn tree(self, engine: &mut Engine<'_>, call: &str) -> Tree {
        let (language, terms) = (self.language, self.terms);
        let Some(root) = self.nodes.first() else { return Tree { call: call.to_owned(), ..Tree::default() } };
        let main = (Arc::clone(&root.statement.procedure), root.depth);
        let mut columns: Vec<String> = Vec::new();
        let mut shown: Vec<Node> = Vec::with_capacity(self.nodes.len());
        for raw in &self.nodes {
            let mut values = raw.parent.map_or_else(Vec::new, |it| shown[it].values.clone());
            for variable in raw.values.iter().flatten() {
                let name = match (&raw.statement.procedure, raw.depth) == (&main.0, main.1) {
                    true => variable.name.to_string(),
                    false => format!("{}.{}", raw.statement.procedure, variable.name),
                };
                let at = columns.iter().position(|it| *it == name).unwrap_or_else(|| {
                    columns.push(name);
                    columns.len() - 1
                });
                values.resize(values.len().max(at + 1), String::new());
                values[at] = value_text(engine, language, &raw.trail, &variable.value);
            }
            let condition = condition_text(engine, language, &raw.trail, &raw.assumptions);
            let arc_condition = raw.arc.as_ref().map(|(_, cond)| language.show(terms, *cond));
            let leaf = raw.leaf.as_ref().map(|(kind, results, message)| {
                let result = match kind {
                    LeafKind::Completed => results_text(engine, language, &raw.trail, results),
                    _ => message.clone(),
                };
                Leaf { kind: *kind, result }
            });
            shown.push(Node {
                statement: raw.statement.number,
                procedure: raw.statement.procedure.to_string(),
                text: raw.statement.text.to_string(),
                branches: raw.statement.branches,
                parent: raw.parent,
                arc: raw.arc.as_ref().map(|it| it.0.clone()),
                arc_condition,
                children: raw.children.clone(),
                values,
                condition,
                leaf,
            });
        }
        for node in &mut shown {
            node.values.resize(columns.len(), String::new());
        }
        Tree { call: call.to_owned(), variables: columns, nodes: shown }
    }
}

/// φ on one line, without what is implied and what is assumed.
pub fn condition_text<L: Inspect>(
    engine: &mut Engine<'_>,
    language: &L,
    trail: &Trail,
    assumptions: &[Term],
) -> String {
    let terms = engine.terms;
    let conjuncts = engine.readable(trail, assumptions);
    let shown: Vec<String> = conjuncts
        .into_iter()
        .map(|it| {
            let text = language.show(terms, it);
            if matches!(terms.node(it), effigy_term::Node::Or(_)) && !text.starts_with('(') {
                format!("({text})")
            } else {
                text
            }
        })
        .collect();
    if shown.is_empty() { "true".to_owned() } else { shown.join(" & ") }
}

/// A value, simplified under φ.
pub fn value_text<L: Inspect>(engine: &mut Engine<'_>, language: &L, trail: &Trail, value: &VariableValue) -> String {
    match value {
        VariableValue::Uninitialised => "?".to_owned(),
        VariableValue::Text(text) => text.clone(),
        VariableValue::Term(term) => {
            let term = engine.simplified(trail, *term);
            language.show(engine.terms, term)
        }
    }
}

fn results_text<L: Inspect>(engine: &mut Engine<'_>, language: &L, trail: &Trail, results: &[Variable]) -> String {
    let mut parts = Vec::with_capacity(results.len());
    for it in results {
        let value = value_text(engine, language, trail, &it.value);
        parts.push(match &*it.name {
            "RETURNS" | "WRITES" => format!("{} {value}", it.name),
            name => format!("{name} = {value}"),
        });
    }
    parts.join(", ")
}

impl<L: Inspect> Observer<L::State> for Recorder<'_, L> {
    fn follows_steps(&self) -> bool {
        true
    }

    fn stepping(&mut self, path: PathId, state: &L::State, trail: &Trail) {
        let statement = self.language.statement(state);
        let depth = self.language.depth(state);
        let execution = Some((self.language.clock(state), statement.number, depth));
        let mut position = self.positions.get(&path).cloned().unwrap_or_default();
        if position.execution == execution {
            return;
        }
        if let Some(before) = position.node {
            let procedure = &self.nodes[before].statement.procedure;
            let same = *procedure == statement.procedure && self.nodes[before].depth == depth;
            if same && self.nodes[before].values.is_none() {
                self.nodes[before].values = Some(self.variables(state, false));
            }
        }
        position.execution = execution;
        // The call that the user typed is no statement.
        if statement.procedure.is_empty() && statement.number == 0 {
            self.positions.insert(path, position);
            return;
        }
        self.add(&mut position, statement, state, trail);
        self.positions.insert(path, position);
    }

    fn forked(&mut self, parent: PathId, child: PathId, decision: &Decision, cond: Term) {
        let mut position = self.positions.get(&parent).cloned().unwrap_or_default();
        let branches = position.node.is_some_and(|it| self.nodes[it].statement.branches);
        let label = match (branches, decision) {
            (true, Decision::Alternative(0)) => "T".to_owned(),
            (true, Decision::Alternative(1)) => "F".to_owned(),
            _ => self.language.show(self.terms, cond),
        };
        position.arc = Some((label, cond));
        self.positions.insert(child, position);
    }

    fn ended(&mut self, path: PathId, state: &L::State, trail: &Trail, end: Ended<'_>) {
        let mut position = self.positions.remove(&path).unwrap_or_default();
        let (kind, message) = match end {
            Ended::Cut => (LeafKind::Cut, String::new()),
            Ended::Undecided => (LeafKind::Unknown, "the solver could not tell whether this path exists".to_owned()),
            Ended::By(Outcome::Exit { .. }) => (LeafKind::Completed, String::new()),
            Ended::By(Outcome::Violation(it)) => (LeafKind::Error, it.message.clone()),
            Ended::By(Outcome::Silent) => (LeafKind::Dropped, "an assumption cannot hold here".to_owned()),
            Ended::By(Outcome::Unsupported { what, .. }) => (LeafKind::Unknown, format!("not supported: {what}")),
        };
        let results = if kind == LeafKind::Completed { self.variables(state, true) } else { Vec::new() };
        let node = match position.node {
            // It forked, and ended before the next statement.
            Some(at) if position.arc.is_some() || !self.nodes[at].children.is_empty() => {
                let statement = self.nodes[at].statement.clone();
                self.add(&mut position, statement, state, trail)
            }
            Some(at) => at,
            None => self.add(&mut position, Statement::default(), state, trail),
        };
        self.nodes[node].trail = trail.clone();
        self.nodes[node].assumptions = self.language.assumptions(state);
        self.nodes[node].leaf = Some((kind, results, message));
    }
}
