//! The execution tree of a walk, as data: what the pictures are drawn from.
//!
//! Knows: nodes, arcs, leaves, all as text. Never: terms, languages, how a tree is drawn (its submodules).
//! Source: King 1976, section 4.

pub mod dot;
pub mod html;
pub mod layout;
pub mod states;
pub mod svg;
pub mod text;
mod wording;

pub(crate) use wording::{children, condition, end, one_line, qualified, several_procedures};

use serde::Serialize;

/// An execution tree. Every node is one execution of a statement.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tree {
    /// The call that was executed, as the user wrote it.
    pub call: String,
    /// The names of the variables of [`Node::values`].
    pub variables: Vec<String>,
    /// The nodes; a parent stands before its children. Node 0 is the root.
    pub nodes: Vec<Node>,
    /// Where states were asked for: the letters that stand for inputs which are called as variables are, in the order in
    /// which they occur.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub letters: Vec<Letter>,
    /// What a reader has to know of all of it, a sentence each.
    #[serde(skip)]
    pub remarks: Vec<String>,
    /// What the picture shows of states.
    #[serde(skip)]
    pub showing: StateDetail,
}

/// A letter that stands for an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Letter {
    /// The letter itself, such as `α`.
    pub letter: String,
    /// The name of the input.
    pub input: String,
}

/// What a picture shows of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StateDetail {
    /// None: numbers of statements, and results.
    #[default]
    Statements,
    /// None: numbers and texts of statements, and results.
    Texts,
    /// The variables that have changed since the node before.
    Changes,
    /// The whole state at each node.
    States,
}

impl StateDetail {
    /// Whether the picture shows states.
    pub fn has_states(self) -> bool {
        matches!(self, StateDetail::Changes | StateDetail::States)
    }
}

/// A state of symbolic execution: where it is, its symbolic memory, its path condition (King 1976, section 3).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct State {
    /// The number of the statement that is executed next, `2`; with its procedure where there are several, `f:2`; `end`.
    pub location: String,
    /// Names and values of the variables that have one; a remark has no name.
    pub memory: Vec<(String, String)>,
    /// The path condition, as text.
    pub condition: String,
}

/// One execution of a statement.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Node {
    /// The number of the statement in its procedure.
    pub statement: u32,
    /// The procedure that it belongs to.
    pub procedure: String,
    /// Its source text on one line; may be empty.
    pub text: String,
    /// Whether the statement is an IF or a loop's test, whether or not it forked here.
    pub branches: bool,
    /// The index of the node that was executed before; `None` at the root.
    pub parent: Option<usize>,
    /// How this node was reached from its parent, if the parent forked: `T`, `F`, or a case.
    pub arc: Option<String>,
    /// What holds on that arc alone, where [`Node::condition`] is the whole path condition.
    pub arc_condition: Option<String>,
    /// The nodes executed next, in the order T, F or that of the cases. More than one: a forking execution.
    pub children: Vec<usize>,
    /// The values after the statement, one for each of [`Tree::variables`]; `?` is uninitialised.
    pub values: Vec<String>,
    /// The values before the statement, which differ from those of the parent where a statement forked and then changed
    /// some on this side.
    #[serde(skip)]
    pub values_on_arc: Vec<String>,
    /// The path condition after the statement, without what is implied by the rest.
    pub condition: String,
    /// Set where a path ends.
    pub leaf: Option<Leaf>,
    /// The state before the statement, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
}

/// The end of a path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Leaf {
    /// How the path ended, as one word.
    pub kind: LeafKind,
    /// What came of it, for people: `RETURNS α₁`, `FOUND = 1, J = 3`, or the error.
    pub result: String,
    /// The state at the end of a path that is completed, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
}

/// The ways in which a path of the tree ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeafKind {
    /// The program ended by itself.
    Completed,
    /// The path ended in a bug.
    Error,
    /// A limit ended the path: the tree continues here.
    Cut,
    /// The program dropped the path (an assumption that cannot hold).
    Dropped,
    /// Unsupported, or not known to exist.
    Unknown,
}
