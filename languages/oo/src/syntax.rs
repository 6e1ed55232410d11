//! The syntax tree: figure 4 with the sugar of the paper's examples, and de Boer and Bonsangue's statements.
//!
//! Knows: what was written, and where. Never: what a name means, types.

use effigy_contracts::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// A name where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
}

/// The classes, the procedures, and the main routine, if there is one.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) classes: Vec<Class>,
    pub(crate) procedures: Vec<Routine>,
    pub(crate) main: Vec<Statement>,
    /// The first class behind a statement; contracts want them before.
    pub(crate) late_class: Option<Span>,
    /// Blocks behind `if (b) {..}`: an else branch in the paper's notation, a block in the Java-like one.
    pub(crate) ambiguous: Vec<Span>,
    /// The position where the text ends.
    pub(crate) end: Span,
}

#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) name: Name,
    pub(crate) fields: Vec<(TypeName, Name)>,
    /// In the order of the text: the termination check depends on it.
    pub(crate) routines: Vec<Routine>,
}

/// `int`, `bool`, a class, or an array of one of them.
#[derive(Clone, Debug)]
pub(crate) struct TypeName {
    pub(crate) base: Name,
    pub(crate) dimensions: u32,
}

/// A member or procedure with parameters.
#[derive(Debug)]
pub(crate) struct Routine {
    pub(crate) kind: RoutineKind,
    pub(crate) name: Name,
    pub(crate) parameters: Vec<(TypeName, Name)>,
    pub(crate) requires: Vec<Expr>,
    pub(crate) ensures: Vec<Expr>,
}

#[derive(Debug)]
pub(crate) enum RoutineKind {
    Constructor(Vec<Statement>),
    /// No result type is `void`.
    Mutator(Option<TypeName>, Vec<Statement>),
    Pure(TypeName, Expr),
    Predicate(Expr),
}

#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum StatementKind {
    /// `C x;`, `C x := e;`.
    Local(TypeName, Name, Option<Expr>),
    /// `x := e;`, `e.f := e;`, `a[i] := e;`.
    Assign(Expr, Expr),
    /// An expression for its effect: `e.m(...);`, `i++;`.
    Effect(Expr),
    If(Expr, Vec<Statement>, Vec<Statement>),
    While(Expr, Vec<Expr>, Vec<Statement>),
    Block(Vec<Statement>),
    Return(Option<Expr>),
    Assert(Expr),
    Open(Expr),
    Close(Expr),
    Use(Expr),
    Join(Expr),
    /// `T -> T' a;`: an array as a function.
    Map(TypeName, TypeName, Name),
    /// `|a| = e;`: sets the length of an array.
    Bound(Name, Expr),
    Assume(Expr),
    /// `par {..} {..}`: runs its blocks as threads.
    Par(Vec<Vec<Statement>>),
    Atomic(Vec<Statement>),
    Skip,
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: Box<ExprKind>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Null,
    Bool(bool),
    Int(BigInt),
    This,
    Result,
    Name(Arc<str>),
    Field(Expr, Name),
    /// Without a receiver it is `this`.
    Call(Option<Expr>, Name, Vec<Expr>),
    Index(Expr, Expr),
    /// `new C` allocates only; `new C(...)` calls the constructor.
    New(Name, Option<Vec<Expr>>),
    NewArray(TypeName, Expr),
    /// `e++` (true) or `e--` (false).
    Step(Expr, bool),
    Not(Expr),
    Neg(Expr),
    /// Operands with arithmetic, comparisons and `*` between them, as written: which `*` is multiplication and which is
    /// the separating conjunction is known when the types are.
    Chain(Vec<Expr>, Vec<ChainOp>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Implies(Expr, Expr),
    Cond(Expr, Expr, Expr),
    Old(Expr),
    Acc(Expr),
    Untouched(Expr),
    Opening(Expr, Expr),
    Using(Expr, Expr),
    /// `|a|`: the length of an array.
    Length(Name),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChainOp {
    Star,
    Div,
    Mod,
    Add,
    Sub,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl ChainOp {
    pub(crate) fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }
}

/// From the start of one place to the end of another.
pub(crate) fn join(from: Span, to: Span) -> Span {
    Span { end_line: to.end_line, end_column: to.end_column, ..from }
}

impl ExprKind {
    /// The expressions that it is made of, in the order in which they are evaluated.
    pub(crate) fn parts(&self) -> Vec<&Expr> {
        match self {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::This => Vec::new(),
            ExprKind::Result | ExprKind::Name(_) | ExprKind::New(_, None) | ExprKind::Length(_) => Vec::new(),
            ExprKind::Field(a, _) | ExprKind::NewArray(_, a) | ExprKind::Step(a, _) | ExprKind::Not(a) => vec![a],
            ExprKind::Neg(a) | ExprKind::Old(a) | ExprKind::Acc(a) | ExprKind::Untouched(a) => vec![a],
            ExprKind::Call(receiver, _, args) => receiver.iter().chain(args).collect(),
            ExprKind::New(_, Some(args)) => args.iter().collect(),
            ExprKind::Chain(parts, _) | ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().collect(),
            ExprKind::Index(a, b) | ExprKind::Implies(a, b) | ExprKind::Opening(a, b) | ExprKind::Using(a, b) => {
                vec![a, b]
            }
            ExprKind::Cond(a, b, c) => vec![a, b, c],
        }
    }
}
