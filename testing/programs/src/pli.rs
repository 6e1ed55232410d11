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
    /// The procedures; the first one is called.
    pub procedures: Vec<Procedure>,
    /// The arguments of the call.
    pub call: Vec<Actual>,
    /// The source text of all procedures.
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
    /// A constant as the argument.
    Constant(i128),
    /// An array of inputs, whose extent is not known.
    Open(&'static str),
    /// An array with these bounds; its first elements are these inputs.
    Declared(&'static str, i128, i128, Vec<&'static str>),
}

/// A procedure of a random program.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// The name of the procedure.
    pub name: &'static str,
    /// The number of parameters, which are the first variables.
    pub parameters: usize,
    /// The variables, parameters first, then locals.
    pub variables: Vec<Variable>,
    /// The statements of the body.
    pub body: Vec<Statement>,
    /// The lines of PROC and of END.
    pub lines: (u32, u32),
}

/// A variable of a random program.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name of the variable.
    pub name: &'static str,
    /// Whether it is a number or an array.
    pub shape: Shape,
    /// Whether it is declared STATIC.
    pub is_static: bool,
    /// The values of the INITIAL attribute.
    pub initial: Vec<i128>,
}

/// The shape of a variable's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A number, without a bound.
    Number,
    /// `A(*)`: an array with the bounds of its argument.
    Star,
    /// `A(lower:upper)`: an array with constant bounds.
    Array(i128, i128),
}

/// A statement, on a line of its own.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The number of its label, if it has one.
    pub label: Option<usize>,
    /// The line on which it stands.
    pub line: u32,
    /// The form of the statement, with its parts.
    pub kind: StatementKind,
}

/// The forms of statements, with their parts.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `;`: the null statement, which does nothing.
    Null,
    /// `X, A(I) = e;`: one value for several targets.
    Assign(Vec<Target>, Expr),
    /// `IF c THEN DO; ... END; ELSE DO; ... END;`
    If(Cond, Vec<Statement>, Option<Vec<Statement>>),
    /// `DO I = a TO b BY c WHILE (d); ... END;`
    Loop(Box<Loop>),
    /// `GO TO l;`: a jump to a label.
    Goto(usize),
    /// `CALL p(...);`: a call of a procedure by its index.
    Call(usize, Vec<Argument>),
    /// `RETURN (e);`, or `RETURN;` without a value.
    Return(Option<Expr>),
    /// `READ (X);`: reads one value into the target.
    Read(Target),
    /// `WRITE (e, ...);`: writes the values in order.
    Write(Vec<Expr>),
    /// `ASSUME (c);`: drops the run where `c` is false.
    Assume(Cond),
    /// `PROVE (c);`: an error where `c` is false.
    Prove(Cond),
}

/// A loop: at least one of its parts is there.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The variable, its first value, its last one, its step.
    pub control: Option<(usize, Expr, Expr, Option<Expr>)>,
    /// The condition of WHILE, tested before each iteration.
    pub condition: Option<Cond>,
    /// The statements that are repeated.
    pub body: Vec<Statement>,
}

/// The left side of an assignment.
#[derive(Clone, Debug)]
pub enum Target {
    /// A number, by the index of its variable.
    Number(usize),
    /// An element of an array, with its subscript.
    Element(usize, Expr),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A variable or an element, by reference.
    Reference(Target),
    /// A whole array, by reference.
    Array(usize),
    /// An expression, passed by value.
    Dummy(Expr),
}

/// An expression whose value is a number.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A constant that fits into an `i128`.
    Constant(i128),
    /// The value of a variable, by its index.
    Variable(usize),
    /// The value of an element of an array.
    Element(usize, Box<Expr>),
    /// `-e`: the negation of a number.
    Minus(Box<Expr>),
    /// `ABS(e)`: the absolute value of a number.
    Abs(Box<Expr>),
    /// An operator on two numbers.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// A call of a function, with a number of its own within the procedure.
    Call(usize, usize, Vec<Argument>),
}

/// The operators on two numbers.
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

/// A condition of IF, WHILE, ASSUME or PROVE.
#[derive(Clone, Debug)]
pub enum Cond {
    /// A comparison, by its sign.
    Compare(&'static str, Expr, Expr),
    /// `&`: the conjunction of two conditions.
    And(Box<Cond>, Box<Cond>),
    /// `|`: the disjunction of two conditions.
    Or(Box<Cond>, Box<Cond>),
    /// `⊃`: the implication between two conditions.
    Implies(Box<Cond>, Box<Cond>),
    /// `¬`: the negation of a condition.
    Not(Box<Cond>),
}
