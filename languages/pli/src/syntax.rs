//! The abstract syntax of a source file.
//!
//! Knows: what can be written. Never: what a name means (`lower`).

use num_bigint::BigInt;
use std::sync::Arc;

/// Bytes `start .. end` of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// From the beginning of this to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }
}

/// A name with its place. PL/I does not tell small letters from capitals; names are kept in capitals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name in capitals.
    pub text: Arc<str>,
    /// Where.
    pub span: Span,
}

/// An external procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// Its statements, up to its END.
    pub body: Vec<Statement>,
    /// The PROCEDURE statement, from its label.
    pub head: Span,
    /// The END statement.
    pub end: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Labels before it.
    pub labels: Vec<Name>,
    /// What it is.
    pub kind: StatementKind,
    /// From its first label, without what is nested in it: an IF ends at THEN.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `DECLARE ...`
    Declare(Vec<Declaration>),
    /// `X = e`, `X, A(I) = e`
    Assign(Vec<Target>, Expr),
    /// `IF c THEN s ELSE s`
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// `DO; ... END`
    Group(Vec<Statement>, Span),
    /// `DO I = ... WHILE (...); ... END`
    Loop(Box<Loop>),
    /// `GO TO l`
    Goto(Name),
    /// `CALL p(...)`
    Call(Name, Vec<Expr>),
    /// `RETURN`, `RETURN (e)`
    Return(Option<Expr>),
    /// `READ (X, A(I))`
    Read(Vec<Target>),
    /// `WRITE (e, ...)`
    Write(Vec<Expr>),
    /// `ASSUME (c)`
    Assume(Expr),
    /// `PROVE (c)`
    Prove(Expr),
    /// `ASSERT (c)`
    Assert(Expr),
    /// `;`
    Null,
    /// It could not be read; an error was reported.
    Error,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// `I = a TO b BY c`
    pub control: Option<Control>,
    /// `WHILE (c)`
    pub condition: Option<Expr>,
    /// What is repeated.
    pub body: Vec<Statement>,
    /// The END statement.
    pub end: Span,
}

/// The control variable of a loop.
#[derive(Clone, Debug)]
pub struct Control {
    /// The variable.
    pub variable: Target,
    /// Its first value.
    pub from: Expr,
    /// Its bound.
    pub to: Option<Expr>,
    /// Its step.
    pub by: Option<Expr>,
}

/// What is assigned to: a variable, or an element.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub name: Name,
    /// The subscript.
    pub subscript: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// One declared variable.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The variable.
    pub name: Name,
    /// Its bounds, if it is an array.
    pub bounds: Option<Bounds>,
    /// `STATIC`
    pub is_static: bool,
    /// `INITIAL (...)`: each with how often.
    pub initial: Vec<(Expr, u32)>,
}

/// The bounds of an array.
#[derive(Clone, Debug)]
pub enum Bounds {
    /// `(*)`: those of the argument.
    Argument,
    /// `(u)`, `(l:u)`
    Range(Option<Expr>, Expr),
}

/// An expression or a condition; `lower` tells them apart.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `12`
    Number(BigInt),
    /// `"X"`: a symbolic input.
    Symbol(Arc<str>),
    /// `X`
    Name(Arc<str>),
    /// `A(I)`, `F(X, Y)`
    Apply(Name, Vec<Expr>),
    /// `-e`, `+e`, `¬c`
    Prefix(Prefix, Box<Expr>),
    /// `a + b`
    Infix(Infix, Box<Expr>, Box<Expr>),
    /// `FORALL I, J (c)`, `EXISTS I (c)`
    Quantifier(bool, Vec<Name>, Box<Expr>),
    /// `(if c then a else b)`, as formulas are printed. Only typed expressions have it.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// It could not be read; an error was reported.
    Error,
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefix {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `¬`
    Not,
}

/// Infix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Infix {
    /// `**`
    Power,
    /// `*`
    Times,
    /// `/`
    Divide,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// A comparison.
    Compare(Comparison),
    /// `&`
    And,
    /// `|`
    Or,
    /// `⊃`
    Implies,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `¬=`
    NotEqual,
    /// `<`, `¬>=`
    Less,
    /// `<=`, `¬>`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`, `¬<`
    GreaterEqual,
}
