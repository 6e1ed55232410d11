//! Recording a walk as an execution tree.
//!
//! Knows: the events of a walk over any language that can be inspected. Never: how a tree is drawn.
//! Source: King 1976, section 4: a node for each execution of a statement, with the execution state at it.

mod letters;

use crate::tree::{Leaf, LeafKind, Node, StateDetail, Tree};
use effigy_engine::readable::{self, paired};
use effigy_engine::{
    Context, Coverage, Decision, Ended, Engine, Inputs, Inspect, Notes, Observer, Outcome, PathId, Statement, Trail,
    Variable, VariableValue,
};
use effigy_term::print::PathBounds;
use effigy_term::{Term, Terms};
use letters::Words;
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
    showing: StateDetail,
}

/// Where a path stands in the tree.
#[derive(Clone, Default)]
struct Position {
    node: Option<usize>,
    /// Which execution of a statement the node is.
    execution: Option<(u64, u32, usize)>,
    /// It forked here, and has not gone on yet.
    arc: Option<(String, Term)>,
    /// The values with which the path goes on, where the statement that forked has changed some.
    entered: Option<Vec<Variable>>,
}

struct Raw {
    statement: Statement,
    depth: usize,
    parent: Option<usize>,
    arc: Option<(String, Term)>,
    /// The values that the statement of the parent has left on this side of its fork.
    entered: Option<Vec<Variable>>,
    children: Vec<usize>,
    /// The values when the statement was done; `None` while it is not, or where another procedure went on.
    values: Option<Vec<Variable>>,
    trail: Trail,
    assumptions: Vec<Term>,
    leaf: Option<(LeafKind, Vec<Variable>, String)>,
    /// Where states are shown: the one before the statement, and that at the end.
    before: Option<Snapshot>,
    after: Option<Snapshot>,
}

/// A state as it was, not yet in words.
struct Snapshot {
    location: String,
    memory: Vec<Variable>,
    trail: Trail,
    assumptions: Vec<Term>,
}

impl<'a, L: Inspect> Recorder<'a, L> {
    /// A recorder of a walk of `language`.
    pub fn new(language: &'a L, terms: &'a Terms, showing: StateDetail) -> Recorder<'a, L> {
        Recorder {
            language,
            terms,
            nodes: Vec::new(),
            positions: FxHashMap::default(),
            coverage: Coverage::default(),
            notes: Notes::default(),
            showing,
        }
    }

    /// A state, where they are shown.
    fn snapshot(&self, location: String, memory: Vec<Variable>, state: &L::State, trail: &Trail) -> Option<Snapshot> {
        let assumptions = self.language.assumptions(state);
        self.showing.has_states().then(|| Snapshot { location, memory, trail: trail.clone(), assumptions })
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
        let memory = if self.showing.has_states() { self.variables(state, false) } else { Vec::new() };
        let before = self.snapshot(location(&statement), memory, state, trail);
        if let Some(parent) = position.node {
            self.nodes[parent].children.push(index);
        }
        self.nodes.push(Raw {
            statement,
            depth: self.language.depth(state),
            parent: position.node,
            arc: position.arc.take(),
            entered: position.entered.take(),
            children: Vec::new(),
            values: None,
            trail: trail.clone(),
            assumptions: self.language.assumptions(state),
            leaf: None,
            before,
            after: None,
        });
        position.node = Some(index);
        index
    }

    /// Whether a statement that is no branch forked before it changed anything, as an assignment does at a subscript: what
    /// it changes belongs to the side on which it is executed.
    fn changes_one_side(&self, position: &Position, at: usize) -> bool {
        let node = &self.nodes[at];
        let follows = |parent: &Raw| {
            parent.values.is_some()
                && (&parent.statement.procedure, parent.depth) == (&node.statement.procedure, node.depth)
        };
        position.arc.is_some() && !node.statement.branches && node.parent.is_some_and(|it| follows(&self.nodes[it]))
    }

    /// Whether another arc of the same node has this label.
    fn is_shared(&self, raw: &Raw, label: &str) -> bool {
        let siblings = raw.parent.map(|it| &self.nodes[it].children).into_iter().flatten();
        let has_label = |it: &&usize| self.nodes[**it].arc.as_ref().is_some_and(|(own, _)| own == label);
        siblings.filter(has_label).count() > 1
    }

    /// The tree, with conditions and values made readable by `engine`.
    pub fn tree(self, engine: &mut Engine<'_>, call: &str) -> Tree {
        let (language, terms) = (self.language, self.terms);
        let Some(root) = self.nodes.first() else { return Tree { call: call.to_owned(), ..Tree::default() } };
        let main = (Arc::clone(&root.statement.procedure), root.depth);
        let letters = self.letters();
        let mut columns: Vec<String> = Vec::new();
        let mut shown: Vec<Node> = Vec::with_capacity(self.nodes.len());
        for raw in &self.nodes {
            let mut values = raw.parent.map_or_else(Vec::new, |it| shown[it].values.clone());
            let mut values_on_arc = values.clone();
            let forking = raw.parent.map(|it| &self.nodes[it]);
            let entered = forking.into_iter().flat_map(|it| raw.entered.iter().flatten().map(move |value| (it, value)));
            let own = raw.values.iter().flatten().map(|it| (raw, it));
            let count = entered.clone().count();
            for (place, (of, variable)) in entered.chain(own).enumerate() {
                let name = match (&of.statement.procedure, of.depth) == (&main.0, main.1) {
                    true => variable.name.to_string(),
                    false => format!("{}.{}", of.statement.procedure, variable.name),
                };
                let at = columns.iter().position(|it| *it == name).unwrap_or_else(|| {
                    columns.push(name);
                    columns.len() - 1
                });
                values.resize(values.len().max(at + 1), String::new());
                values[at] = value_text(engine, language, &raw.trail, &variable.value);
                if place + 1 == count {
                    values_on_arc.clone_from(&values);
                }
            }
            let condition = condition_text(engine, language, &raw.trail, &raw.assumptions);
            let bounds = raw.trail.bounds(terms);
            let arc_condition = raw.arc.as_ref().map(|(_, cond)| language.show_on(terms, *cond, &bounds));
            let mut words = Words { engine: &mut *engine, language, letters: &letters };
            let state = raw.before.as_ref().map(|it| words.state(it));
            let end = raw.after.as_ref().map(|it| words.state(it));
            let leaf = raw.leaf.as_ref().map(|(kind, results, message)| {
                let result = match kind {
                    LeafKind::Completed => results_text(engine, language, &raw.trail, results),
                    _ => message.clone(),
                };
                Leaf { kind: *kind, result, state: end }
            });
            shown.push(Node {
                statement: raw.statement.number,
                procedure: raw.statement.procedure.to_string(),
                text: raw.statement.text.to_string(),
                branches: raw.statement.branches,
                parent: raw.parent,
                arc: raw.arc.as_ref().map(|(label, cond)| {
                    let shown = || {
                        let bounds = letters.bounds(terms, &raw.trail);
                        language.show_on(terms, letters.rename(terms, *cond), &bounds)
                    };
                    match label.as_str() {
                        // One side of `a || b` by a, the other by b.
                        "T" | "F" if self.is_shared(raw, label) => format!("{label}: {}", shown()),
                        "T" | "F" => label.clone(),
                        _ if terms.as_bool(*cond) == Some(true) => label.clone(),
                        _ => shown(),
                    }
                }),
                arc_condition,
                children: raw.children.clone(),
                values,
                values_on_arc,
                condition,
                leaf,
                state,
            });
        }
        for node in &mut shown {
            node.values_on_arc.resize(columns.len(), String::new());
            node.values.resize(columns.len(), String::new());
        }
        let letters = letters.told();
        Tree {
            call: call.to_owned(),
            variables: columns,
            nodes: shown,
            letters,
            showing: self.showing,
            ..Tree::default()
        }
    }
}

/// The number of a statement; that of no statement is the end.
fn location(statement: &Statement) -> String {
    if statement.number == 0 { "end".to_owned() } else { statement.number.to_string() }
}

/// φ on one line, without what is implied and what is assumed.
pub fn condition_text<L: Inspect>(
    engine: &mut Engine<'_>,
    language: &L,
    trail: &Trail,
    assumptions: &[Term],
) -> String {
    let conjuncts = engine.readable_in(language, trail, assumptions);
    conjunction(engine.terms, language, &conjuncts, &trail.bounds(engine.terms))
}

/// Conditions on one line; two bounds of one term around it.
fn conjunction<L: Inspect>(terms: &Terms, language: &L, conjuncts: &[Term], bounds: &PathBounds) -> String {
    let shown = paired(terms, conjuncts).into_iter().map(|it| language.show_on(terms, it, bounds));
    readable::conjunction(&shown.collect::<Vec<String>>())
}

/// A value, simplified under φ.
pub fn value_text<L: Inspect>(engine: &mut Engine<'_>, language: &L, trail: &Trail, value: &VariableValue) -> String {
    if let VariableValue::Text(text) = value {
        return text.clone();
    }
    let bounds = trail.bounds(engine.terms);
    let show = |it: Term| {
        let term = engine.simplified(trail, it);
        language.show_on(engine.terms, term, &bounds)
    };
    value.text(show).unwrap_or_else(|| "?".to_owned())
}

fn results_text<L: Inspect>(engine: &mut Engine<'_>, language: &L, trail: &Trail, results: &[Variable]) -> String {
    let mut parts = Vec::with_capacity(results.len());
    for it in results {
        let value = value_text(engine, language, trail, &it.value);
        if *it.name == *value {
            continue;
        }
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
        // A choice of who moves is named by who does.
        if let Some((label, cond)) = &mut position.arc
            && self.terms.as_bool(*cond) == Some(true)
            && let Some(mover) = self.language.mover(state)
        {
            *label = mover;
        }
        if let Some(before) = position.node {
            let procedure = &self.nodes[before].statement.procedure;
            let same = *procedure == statement.procedure && self.nodes[before].depth == depth;
            if same && self.nodes[before].values.is_none() {
                let values = Some(self.variables(state, false));
                match self.changes_one_side(&position, before) {
                    true => position.entered = values,
                    false => self.nodes[before].values = values,
                }
            }
        }
        // The call that the user typed is no statement, nor is what a library does; its caller is still at the same one.
        if statement.procedure.is_empty() && statement.number == 0 {
            self.positions.insert(path, position);
            return;
        }
        position.execution = execution;
        self.add(&mut position, statement, state, trail);
        self.positions.insert(path, position);
    }

    fn forked(&mut self, parent: PathId, child: PathId, decision: &Decision, cond: Term) {
        let mut position = self.positions.get(&parent).cloned().unwrap_or_default();
        let chooses = self.terms.as_bool(cond) == Some(true);
        let branches = !chooses && position.node.is_some_and(|it| self.nodes[it].statement.branches);
        let label = match (branches, decision) {
            (true, Decision::Alternative(0)) => "T".to_owned(),
            (true, Decision::Alternative(1)) => "F".to_owned(),
            _ => self.language.show(self.terms, cond),
        };
        // Beside an error the path goes on where the error is not.
        if matches!(decision, Decision::Fails(_)) {
            let holds = self.terms.not(cond);
            let mut on = position.clone();
            on.arc = Some((self.language.show(self.terms, holds), holds));
            self.positions.insert(parent, on);
        }
        position.arc = Some((label, cond));
        if chooses {
            // Whoever moves, what is executed next is a node of its own.
            position.execution = None;
            if let Some(on) = self.positions.get_mut(&parent).filter(|_| matches!(decision, Decision::Alternative(_))) {
                on.execution = None;
            }
        }
        self.positions.insert(child, position);
    }

    fn ended(&mut self, path: PathId, state: &L::State, trail: &Trail, end: Ended<'_>) {
        let mut position = self.positions.remove(&path).unwrap_or_default();
        let (kind, message) = match end {
            Ended::Cut => (LeafKind::Cut, String::new()),
            Ended::Undecided => (LeafKind::Unknown, "the solver could not tell whether this path exists".to_owned()),
            Ended::By(Outcome::Exit { .. }) => (LeafKind::Completed, String::new()),
            Ended::By(Outcome::Violation(it)) => (LeafKind::Error, it.message.clone()),
            Ended::By(Outcome::Silent) if self.language.is_redundant(state) => {
                (LeafKind::Dropped, "another order of the threads does the same".to_owned())
            }
            Ended::By(Outcome::Silent) => (LeafKind::Dropped, "an assumption cannot hold here".to_owned()),
            Ended::GaveUp(it) => (LeafKind::Unknown, it.to_string()),
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
        if kind == LeafKind::Completed && self.showing.has_states() {
            let inputs = Inputs::Symbolic;
            let mut ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut self.notes);
            let mut memory = self.language.variables_at_end(&mut ctx, state);
            // What is returned stands last.
            memory.retain(|it| !results.iter().any(|result| result.name == it.name));
            memory.extend(results.iter().cloned());
            let location = self.language.end(state).map_or_else(|| "end".to_owned(), |it| location(&it));
            self.nodes[node].after = self.snapshot(location, memory, state, trail);
        }
        self.nodes[node].trail = trail.clone();
        self.nodes[node].assumptions = self.language.assumptions(state);
        self.nodes[node].leaf = Some((kind, results, message));
    }
}
