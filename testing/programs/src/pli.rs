//! Random programs of King's language, and what they do on given inputs, computed without terms.
//!
//! Knows: PL/I's semantics on numbers, as issue 3 says. Never: terms, or the reader that it is the oracle of.
//! Generators read bytes; a zero is the simplest choice, so that a shrunk byte string is a short program.

mod generate;
mod run;
mod text;

pub use generate::program;
pub use run::{Behaviour, Content, Inputs, Kind, run};

/// A program: the first procedure is called.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its procedures.
    pub procedures: Vec<Procedure>,
    /// The arguments of the call.
    pub call: Vec<Actual>,
    /// The source text.
    pub source: String,
    /// The text of the call.
    pub call_text: String,
    /// Whether an ASSUME is in it: inputs may be dropped.
    pub assumes: bool,
}

/// An argument of the outermost call, with the name of its variable.
#[derive(Clone, Debug)]
pub enum Actual {
    /// A number that is an input of the same name.
    Number(&'static str),
    /// A variable without a value.
    Nothing(&'static str),
    /// A constant.
    Constant(i128),
    /// An array of inputs, whose extent is not known.
    Open(&'static str),
    /// An array with these bounds; its first elements are these inputs.
    Declared(&'static str, i128, i128, Vec<&'static str>),
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: &'static str,
    /// The first so many variables are parameters.
    pub parameters: usize,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// The lines of PROC and of END.
    pub lines: (u32, u32),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub shape: Shape,
    /// STATIC.
    pub is_static: bool,
    /// INITIAL.
    pub initial: Vec<i128>,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A number.
    Number,
    /// `A(*)`
    Star,
    /// `A(lower:upper)`
    Array(i128, i128),
}

/// A statement, on a line of its own.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its label.
    pub label: Option<usize>,
    /// Its line.
    pub line: u32,
    /// What it is.
    pub kind: StatementKind,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `;`
    Null,
    /// `X, A(I) = e;`
    Assign(Vec<Target>, Expr),
    /// `IF c THEN DO; ... END; ELSE DO; ... END;`
    If(Cond, Vec<Statement>, Option<Vec<Statement>>),
    /// `DO I = a TO b BY c WHILE (d); ... END;`
    Loop(Box<Loop>),
    /// `GO TO l;`
    Goto(usize),
    /// `CALL p(...);`
    Call(usize, Vec<Argument>),
    /// `RETURN (e);`
    Return(Option<Expr>),
    /// `READ (X);`
    Read(Target),
    /// `WRITE (e, ...);`
    Write(Vec<Expr>),
    /// `ASSUME (c);`
    Assume(Cond),
    /// `PROVE (c);`
    Prove(Cond),
}

/// A loop: at least one of its parts is there.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The variable, its first value, its last one, its step.
    pub control: Option<(usize, Expr, Expr, Option<Expr>)>,
    /// WHILE.
    pub condition: Option<Cond>,
    /// The body.
    pub body: Vec<Statement>,
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub enum Target {
    /// A number.
    Number(usize),
    /// An element.
    Element(usize, Expr),
}

/// An argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A variable or an element, by reference.
    Reference(Target),
    /// An array.
    Array(usize),
    /// An expression.
    Dummy(Expr),
}

/// A number.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A constant.
    Constant(i128),
    /// A variable.
    Variable(usize),
    /// An element.
    Element(usize, Box<Expr>),
    /// `-e`
    Minus(Box<Expr>),
    /// `ABS(e)`
    Abs(Box<Expr>),
    /// Two operands.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// A call of a function, with a number of its own within the procedure.
    Call(usize, usize, Vec<Argument>),
}

/// Operators on numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "they are their names")]
pub enum Op {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Mod,
    Rem,
    Min,
    Max,
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Cond {
    /// A comparison, by its sign.
    Compare(&'static str, Expr, Expr),
    /// `&`
    And(Box<Cond>, Box<Cond>),
    /// `|`
    Or(Box<Cond>, Box<Cond>),
    /// `⊃`
    Implies(Box<Cond>, Box<Cond>),
    /// `¬`
    Not(Box<Cond>),
}
