//! Statements as they are written.
//!
//! Knows: their shape. Never: names' meanings, types.

use super::{Annotation, Binding, Decreases, Exp, Macro, Name, Span};

/// `{ ... }`.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// With the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `var x: T, y: U := e`.
    Var(Vec<Binding>, Option<Exp>),
    /// `a, b.f := e`; the right side may be a method call or `new(...)`. The targets are [`super::ExpKind::Var`],
    /// [`super::ExpKind::Field`] or (a macro only, or an error) [`super::ExpKind::Call`].
    Assign(Vec<Exp>, Exp),
    /// `m(e)`: a method or macro. Also a lone name, which was no macro if it is still here after expansion.
    Call(Exp),
    /// `assert`.
    Assert(Exp),
    /// `assume`.
    Assume(Exp),
    /// `inhale`.
    Inhale(Exp),
    /// `exhale`.
    Exhale(Exp),
    /// `refute`.
    Refute(Exp),
    /// `fold`: a [`super::ExpKind::Acc`] or a [`super::ExpKind::Call`].
    Fold(Exp),
    /// `unfold`: likewise.
    Unfold(Exp),
    /// `if (c) {} else {}`. For `elseif`, the second block is one `if`.
    If(Exp, Block, Option<Block>),
    /// `while (c) invariant ... {}`.
    While {
        /// The condition.
        cond: Exp,
        /// Invariants, in order.
        invariants: Vec<Exp>,
        /// `decreases`, in order.
        decreases: Vec<Decreases>,
        /// The body.
        body: Block,
    },
    /// `goto l`.
    Goto(Name),
    /// `label l invariant ...`.
    Label {
        /// Its name.
        name: Name,
        /// Invariants, in order.
        invariants: Vec<Exp>,
        /// `decreases`, in order.
        decreases: Vec<Decreases>,
    },
    /// `package a --* b { ... }`.
    Package(Exp, Option<Block>),
    /// `apply a --* b`.
    Apply(Exp),
    /// `{ ... }`.
    Block(Block),
    /// `define`; gone after expansion.
    Define(Box<Macro>),
    /// `quasihavoc c ==> resource`.
    Quasihavoc(Option<Exp>, Exp),
    /// `quasihavocall x: T :: c ==> resource`.
    Quasihavocall(Vec<Binding>, Option<Exp>, Exp),
    /// `@key("value") s`.
    Annotated(Annotation, Box<Stmt>),
}
