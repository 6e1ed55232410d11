//! The dense form of a program: names are slots, statements are operations, numbers and conditions are apart.
//!
//! Knows: what is executed. Never: how it was written (but for the texts that people are shown).
//!
//! One execution of a statement is one or more operations; the first of them `begins` it.

use crate::syntax::Comparison;
use effigy_engine::Topology;
use num_bigint::BigInt;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// The index of a statement in [`Procedure::statements`].
pub type StatementId = u32;

/// A program, lowered to operations.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The name of the file that it was read from.
    pub file: Arc<str>,
    /// The procedures, in the order of the source.
    pub procedures: Vec<Rc<Procedure>>,
    /// The number of STATIC variables.
    pub statics: u32,
}

/// A statement as people see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its number, as in King's figures: the how manieth line of the procedure on which a statement begins.
    pub number: u32,
    /// The name of the procedure in which it stands.
    pub procedure: Arc<str>,
    /// Its text on one line, without what is nested in it.
    pub text: Arc<str>,
    /// IF, or the test of a loop.
    pub branches: bool,
    /// The line on which it begins, from 1.
    pub line: u32,
    /// The column in which it begins, from 1.
    pub column: u32,
}

/// A procedure, lowered to operations.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// The name of the procedure, in capitals.
    pub name: Arc<str>,
    /// The number of parameters, which are the first slots.
    pub parameters: usize,
    /// The variables of the procedure, parameters first.
    pub slots: Vec<Slot>,
    /// Its statements, in the order of the source.
    pub statements: Vec<Statement>,
    /// The coverage site of its first statement; the others follow.
    pub first_site: u32,
    /// What it does. The first operation is the entry.
    pub ops: Vec<Op>,
    /// Whether an assertion names an entry value.
    pub uses_old: bool,
    /// The order of operations and loops, computed when a walk that merges asks for it.
    pub flow: OnceCell<Rc<Topology>>,
    /// The slots that are soon asked of, from each operation on.
    pub(crate) asked: OnceCell<Rc<[Box<[u32]>]>>,
}

/// A variable of a procedure.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its name; empty for what the user did not name.
    pub name: Arc<str>,
    /// The bounds, if it is an array.
    pub bounds: Option<ArrayBounds>,
    /// Its place among the STATIC variables, if it is one.
    pub is_static: Option<u32>,
    /// Initial values, each with how often.
    pub initial: Rc<[(Expr, u32)]>,
    /// The expression whose value it keeps through a loop that assigns to none of its variables.
    pub mirrors: Option<Expr>,
}

/// The bounds of an array.
#[derive(Clone, Debug)]
pub enum ArrayBounds {
    /// `(*)`: the bounds of the argument.
    Argument,
    /// `(lower:upper)`: both bounds are given.
    Range(Expr, Expr),
}

/// One operation of a procedure; a statement is lowered to several.
#[derive(Clone, Debug)]
pub struct Op {
    /// The operation's kind, with its operands.
    pub kind: OpKind,
    /// The statement that it belongs to.
    pub statement: StatementId,
    /// Whether an execution of the statement begins with it.
    pub begins: bool,
}

/// The kinds of operations, with their operands.
#[derive(Clone, Debug)]
pub enum OpKind {
    /// The procedure begins: its variables come into being.
    Enter,
    /// Assigns a number to a variable or element.
    Assign(Target, Expr),
    /// Goes on at one of two operations.
    Branch(Cond, u32, u32),
    /// Continues at the operation with this index.
    Jump(u32),
    /// Calls a procedure; its value goes into the slot.
    Call(u32, Box<[Argument]>, Option<u32>),
    /// Ends the call, with a value for a function.
    Return(Option<Expr>),
    /// Reads the next symbolic input.
    Read(Target),
    /// Appends values to the output.
    Write(Box<[Expr]>),
    /// `ASSUME`: paths on which the condition is false are dropped.
    Assume(Cond),
    /// `PROVE`: a bug is reported where the condition is false.
    Prove(Cond),
    /// `ASSERT`: a check, or a cut point of a proof ([`crate::Asserts`]).
    Assert(Cond),
    /// The null statement, which does nothing.
    Null,
}

/// The left side of an assignment.
#[derive(Clone, Debug)]
pub enum Target {
    /// A scalar variable, by its slot.
    Scalar(u32),
    /// An element of an array.
    Element(u32, Box<Expr>),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Argument {
    /// By reference: the procedure changes the caller's variable.
    Reference(Target),
    /// A whole array, by reference.
    Array(u32),
    /// An expression: a dummy variable.
    Dummy(Expr),
}

/// An expression whose value is a number.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A literal of any size.
    Number(BigInt),
    /// The symbolic input of this name.
    Symbol(Arc<str>),
    /// A scalar variable, by its slot.
    Load(u32),
    /// An element of an array.
    Element(u32, Box<Expr>),
    /// An operator of two numbers.
    Binary(Arithmetic, Box<Expr>, Box<Expr>),
    /// The absolute value of a number.
    Abs(Box<Expr>),
    /// The first where the condition holds, else the second.
    Conditional(Box<Cond>, Box<Expr>, Box<Expr>),
    /// A variable of a quantifier.
    Bound(Arc<str>),
    /// The value that a variable had at the entry of the procedure.
    Old(u32),
    /// An element of an array at the entry of the procedure.
    OldElement(u32, Box<Expr>),
    /// The lower bound of an array.
    LowerBound(u32),
    /// The upper bound of an array.
    UpperBound(u32),
    /// What stands at this place of the program: an error in it is shown there.
    At(SourcePosition, Box<Expr>),
}

/// A place in the program, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourcePosition {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

/// The operators on two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// `+`: the sum of two numbers.
    Add,
    /// `-`: the difference of two numbers.
    Subtract,
    /// `*`: the product of two numbers.
    Multiply,
    /// `/`: the quotient, truncated towards zero.
    Divide,
    /// `**`: the first to the power of the second.
    Power,
    /// `MOD`: the remainder that is never negative.
    Mod,
    /// `REM`: the remainder that belongs to `/`.
    Rem,
    /// `MIN`: the smaller of two numbers.
    Min,
    /// `MAX`: the greater of two numbers.
    Max,
}

/// An expression whose value is a truth value.
#[derive(Clone, Debug)]
pub enum Cond {
    /// A condition that is always true, or always false.
    Constant(bool),
    /// The comparison of two numbers.
    Compare(Comparison, Expr, Expr),
    /// `&`: the second is only evaluated where the first holds.
    And(Box<Cond>, Box<Cond>),
    /// `|`: the second is only evaluated where the first does not hold.
    Or(Box<Cond>, Box<Cond>),
    /// `⊃`: the second is only evaluated where the first holds.
    Implies(Box<Cond>, Box<Cond>),
    /// `¬`: the negation of a condition.
    Not(Box<Cond>),
    /// `FORALL` (true) or `EXISTS` (false) over these variables.
    Quantifier(bool, Rc<[Arc<str>]>, Box<Cond>),
}

impl Expr {
    /// The expression without its [`Expr::At`] wrappers.
    pub fn bare(&self) -> &Expr {
        match self {
            Expr::At(_, inner) => inner.bare(),
            it => it,
        }
    }
}

impl Procedure {
    /// The slot of a variable.
    pub fn slot(&self, name: &str) -> Option<u32> {
        self.slots.iter().position(|it| *it.name == *name && !name.is_empty()).map(|it| it as u32)
    }

    /// The name of a slot.
    pub fn name_of(&self, slot: u32) -> &Arc<str> {
        &self.slots[slot as usize].name
    }
}

impl Code {
    /// The procedure of this name.
    pub fn procedure(&self, name: &str) -> Option<u32> {
        self.procedures.iter().position(|it| *it.name == *name).map(|it| it as u32)
    }
}
