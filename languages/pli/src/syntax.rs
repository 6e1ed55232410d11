//! The abstract syntax of a source file.
//!
//! Knows: what can be written. Never: what a name means (`lower`).

use num_bigint::BigInt;
use std::sync::Arc;

/// Bytes `start .. end` of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The offset of the first byte.
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
    /// The name, in capitals as PL/I compares names.
    pub text: Arc<str>,
    /// The source range of the name.
    pub span: Span,
}

/// An external procedure, as it is written.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// The name of the procedure, as written.
    pub name: Name,
    /// The parameters of the procedure, in order.
    pub parameters: Vec<Name>,
    /// Its statements, up to its END.
    pub body: Vec<Statement>,
    /// The PROCEDURE statement, from its label.
    pub head: Span,
    /// The source range of the END statement.
    pub end: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The labels in front of the statement.
    pub labels: Vec<Name>,
    /// The form of the statement, with its parts.
    pub kind: StatementKind,
    /// From its first label, without what is nested in it: an IF ends at THEN.
    pub span: Span,
}

/// The forms of statements, with their parts.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `DECLARE ...`: the declaration of variables.
    Declare(Vec<Declaration>),
    /// `X = e`, `X, A(I) = e`
    Assign(Vec<Target>, Expr),
    /// `IF c THEN s ELSE s`
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// `DO; ... END`: statements in a group; the range is that of END.
    Group(Vec<Statement>, Span),
    /// `DO I = ... WHILE (...); ... END`: a loop.
    Loop(Box<Loop>),
    /// `GO TO l`: a jump to a label.
    Goto(Name),
    /// `CALL p(...)`: a call of a procedure without a value.
    Call(Name, Vec<Expr>),
    /// `RETURN`, or `RETURN (e)` in a function.
    Return(Option<Expr>),
    /// `READ (X, A(I))`: an input for each target.
    Read(Vec<Target>),
    /// `WRITE (e, ...)`: writes the values of expressions.
    Write(Vec<Expr>),
    /// `ASSUME (c)`: only runs in which `c` holds are meant.
    Assume(Expr),
    /// `PROVE (c)`: `c` must hold here.
    Prove(Expr),
    /// `ASSERT (c)`: a check, or a cut point of a proof.
    Assert(Expr),
    /// `;`: the null statement, which does nothing.
    Null,
    /// It could not be read; an error was reported.
    Error,
}

/// A loop, counted or conditional or both.
#[derive(Clone, Debug)]
pub struct Loop {
    /// `I = a TO b BY c`
    pub control: Option<Control>,
    /// `WHILE (c)`: tested before each iteration.
    pub condition: Option<Expr>,
    /// The statements that are repeated.
    pub body: Vec<Statement>,
    /// The source range of the END statement.
    pub end: Span,
}

/// The control variable of a loop.
#[derive(Clone, Debug)]
pub struct Control {
    /// The variable that counts; it may be an element.
    pub variable: Target,
    /// The value before the first iteration.
    pub from: Expr,
    /// The bound, `TO b`; without it the loop has no end of its own.
    pub to: Option<Expr>,
    /// The step, `BY c`; 1 where it is missing.
    pub by: Option<Expr>,
}

/// What is assigned to: a variable, or an element.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable, or the array of the element.
    pub name: Name,
    /// The subscript of the element; `None` for a variable.
    pub subscript: Option<Expr>,
    /// The source range of the variable and its subscript.
    pub span: Span,
}

/// One variable of a DECLARE statement.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The name of the variable.
    pub name: Name,
    /// Its bounds, if it is an array.
    pub bounds: Option<DeclaredBounds>,
    /// Whether it is `STATIC`: it keeps its value between calls.
    pub is_static: bool,
    /// `INITIAL (...)`: each with how often.
    pub initial: Vec<(Expr, u32)>,
}

/// The bounds of an array.
#[derive(Clone, Debug)]
pub enum DeclaredBounds {
    /// `(*)`: the bounds of the argument.
    Argument,
    /// `(u)` or `(l:u)`; a missing lower bound is 1.
    Range(Option<Expr>, Expr),
}

/// An expression or a condition; `lower` tells them apart.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The operator and its operands.
    pub kind: ExprKind,
    /// The source range of the expression.
    pub span: Span,
}

/// The forms of expressions and conditions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `12`: a literal of any size.
    Number(BigInt),
    /// `"X"`: the symbolic input of this name.
    Symbol(Arc<str>),
    /// `X`: a variable, in capitals.
    Name(Arc<str>),
    /// `A(I)`, `F(X, Y)`: an element of an array, or a call.
    Apply(Name, Vec<Expr>),
    /// `-e`, `+e`, `¬c`: an operator with one operand.
    Prefix(Prefix, Box<Expr>),
    /// `a + b`: an operator with two operands.
    Infix(Infix, Box<Expr>, Box<Expr>),
    /// `FORALL I, J (c)`, `EXISTS I (c)`
    Quantifier(bool, Vec<Name>, Box<Expr>),
    /// `(if c then a else b)`, as formulas are printed. Only typed expressions have it.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// It could not be read; an error was reported.
    Error,
}

/// The operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefix {
    /// `-`: the negation of a number.
    Minus,
    /// `+`: the number as it is.
    Plus,
    /// `¬`: the negation of a condition.
    Not,
}

/// The operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Infix {
    /// `**`: the power of two numbers.
    Power,
    /// `*`: the product of two numbers.
    Times,
    /// `/`: the quotient of two numbers.
    Divide,
    /// `+`: the sum of two numbers.
    Plus,
    /// `-`: the difference of two numbers.
    Minus,
    /// A comparison of two numbers.
    Compare(Comparison),
    /// `&`: the conjunction of two conditions.
    And,
    /// `|`: the disjunction of two conditions.
    Or,
    /// `⊃`: the implication between two conditions.
    Implies,
}

/// The comparisons of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `=`: the two numbers are equal.
    Equal,
    /// `¬=`: the two numbers are different.
    NotEqual,
    /// `<` or `¬>=`: the first is less.
    Less,
    /// `<=` or `¬>`: the first is not greater.
    LessEqual,
    /// `>` or `¬<=`: the first is greater.
    Greater,
    /// `>=` or `¬<`: the first is not less.
    GreaterEqual,
}
