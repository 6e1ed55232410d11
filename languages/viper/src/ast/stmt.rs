//! Statements as they are written.
//!
//! Knows: their shape. Never: names' meanings, types.

use super::{Annotation, Binding, Decreases, Exp, Macro, Name, Span};

/// `{ ... }`: statements in a scope of their own.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements of the block, in order.
    pub stmts: Vec<Stmt>,
    /// The source range, braces included.
    pub span: Span,
}

/// A statement as it is written, macros included.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The form of the statement, with its parts.
    pub kind: StmtKind,
    /// The source range of the statement.
    pub span: Span,
}

/// The forms of statements, with their parts.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `var x: T, y: U := e`.
    Var(Vec<Binding>, Option<Exp>),
    /// `a, b.f := e`; the right side may be a method call or `new(...)`. The targets are [`super::ExpKind::Var`],
    /// [`super::ExpKind::Field`] or (a macro only, or an error) [`super::ExpKind::Call`].
    Assign(Vec<Exp>, Exp),
    /// `m(e)`: a method or macro. Also a lone name, which was no macro if it is still here after expansion.
    Call(Exp),
    /// `assert`: checks an assertion and keeps its permissions.
    Assert(Exp),
    /// `assume`: assumes the formula and adds no permission.
    Assume(Exp),
    /// `inhale`: adds permissions and assumes the rest.
    Inhale(Exp),
    /// `exhale`: checks an assertion and gives its permissions away.
    Exhale(Exp),
    /// `refute`: fails if the assertion holds on every path.
    Refute(Exp),
    /// `fold`: a [`super::ExpKind::Acc`] or a [`super::ExpKind::Call`].
    Fold(Exp),
    /// `unfold`: a [`super::ExpKind::Acc`] or a [`super::ExpKind::Call`], as in `fold`.
    Unfold(Exp),
    /// `if (c) {} else {}`. For `elseif`, the second block is one `if`.
    If(Exp, Block, Option<Block>),
    /// `while (c) invariant ... {}`: a loop with its contract.
    While {
        /// The condition under which the body is executed again.
        cond: Exp,
        /// The invariants, in the order of the source.
        invariants: Vec<Exp>,
        /// The `decreases` clauses, in the order of the source.
        decreases: Vec<Decreases>,
        /// The statements that are repeated.
        body: Block,
    },
    /// `goto l`: a jump to a label.
    Goto(Name),
    /// `label l invariant ...`: a target of jumps and of `old[l]`.
    Label {
        /// The name of the label, as written.
        name: Name,
        /// The invariants, in the order of the source.
        invariants: Vec<Exp>,
        /// The `decreases` clauses, in the order of the source.
        decreases: Vec<Decreases>,
    },
    /// `package a --* b { ... }`: creates a magic wand, with an optional proof script.
    Package(Exp, Option<Block>),
    /// `apply a --* b`: gives up a wand and its left side for its right side.
    Apply(Exp),
    /// `{ ... }`: a block within a block.
    Block(Block),
    /// `define`: a local macro; macro expansion removes it.
    Define(Box<Macro>),
    /// `quasihavoc c ==> resource`: forgets the value of a resource where `c` holds.
    Quasihavoc(Option<Exp>, Exp),
    /// `quasihavocall x: T :: c ==> resource`.
    Quasihavocall(Vec<Binding>, Option<Exp>, Exp),
    /// `@key("value") s`: a statement with an annotation.
    Annotated(Annotation, Box<Stmt>),
}
