//! A program that is executed: names resolved, types checked, everything but the paper's own statements desugared.
//!
//! Knows: classes, routines, statements, expressions, where they stand. Never: text, terms, states.
//! Source: de Boer and Bonsangue 2021, sections 2 (basic language), 2.1 (arrays), 3 (procedures), 4 (objects).
//!
//! Expressions have no side effects: calls and creations stand at statements only (section 4's grammar). Everything is
//! behind `Rc`: a state that forks shares its program.

use effigy_contracts::Span;
use num_bigint::BigInt;
use std::rc::Rc;
use std::sync::Arc;

effigy_term::ids! {
    /// Index into [`Program::classes`].
    ClassId,
    /// Index into [`Program::fields`].
    FieldId,
    /// Index into [`Program::variables`].
    VarId,
    /// Index into [`Program::routines`].
    RoutineId,
    /// Index into [`Program::statements`].
    StmtId
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file's name, as the user gave it.
    pub name: Arc<str>,
    /// The lines of the text, for pictures and errors.
    pub lines: Vec<Arc<str>>,
    /// Classes; each type of arrays by reference (`T[]`) is one, too.
    pub classes: Vec<Class>,
    /// The fields of all classes.
    pub fields: Vec<Field>,
    /// The variables of all routines.
    pub variables: Vec<Variable>,
    /// Procedures and methods; [`Program::MAIN`] is the main statement.
    pub routines: Vec<Routine>,
    /// What is known of each statement beside its effect.
    pub statements: Vec<StmtInfo>,
}

impl Program {
    /// The main statement.
    pub const MAIN: RoutineId = RoutineId(0);

    /// What a variable is.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }

    /// What a field is.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// What a class is.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// What a routine is.
    pub fn routine(&self, id: RoutineId) -> &Routine {
        &self.routines[id.index()]
    }
}

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name; `int[]` for arrays.
    pub name: Arc<str>,
    /// Its fields. Arrays have one, `length`, which is never assigned but at the creation.
    pub fields: Vec<FieldId>,
    /// The type of the elements, for arrays by reference.
    pub element: Option<Type>,
}

/// A field of a class.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name, without the class.
    pub name: Arc<str>,
    /// Its class.
    pub class: ClassId,
    /// Its type: `Int`, `Bool` or `Object`.
    pub typ: Type,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Unbounded integers.
    Int,
    /// Truth values.
    Bool,
    /// `nil` or an object of this class.
    Object(ClassId),
    /// An array of section 2.1: a value, not an object.
    Map(Rc<MapType>),
}

/// The type T → T' of an array as a mathematical function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MapType {
    /// T, which is `Int` for bounded arrays; no map.
    pub index: Type,
    /// T'; no map.
    pub element: Type,
    /// Whether there is a length |a| (type ℕ → T').
    pub bounded: bool,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; of temporaries made by desugaring `t1`, `t2`, ... (names that the text does not use).
    pub name: Arc<str>,
    /// Its type; a map only for globals.
    pub typ: Type,
    /// A variable of the main statement: visible everywhere, its value at the start an input. Others start as
    /// `0`, `false` or `nil`, and live as long as their call.
    pub global: bool,
    /// Made by desugaring: neither an input (it is assigned before it is read) nor shown to the user.
    pub temporary: bool,
}

/// A procedure (section 3) or a method (section 4).
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its name: `P`, `C.m`, `C.init`; `main`.
    pub name: Arc<str>,
    /// The variable `this`, for methods.
    pub this: Option<VarId>,
    /// The formal parameters, in order, without `this`.
    pub parameters: Vec<VarId>,
    /// All its variables that are not global: `this`, parameters, locals, temporaries.
    pub locals: Vec<VarId>,
    /// The type of what it returns.
    pub result: Option<Type>,
    /// Its body.
    pub body: Block,
}

/// Statements in sequence.
pub type Block = Rc<[Stmt]>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: Rc<StmtKind>,
    /// Its entry in [`Program::statements`].
    pub id: StmtId,
}

/// What is known of a statement beside its effect.
#[derive(Clone, Debug)]
pub struct StmtInfo {
    /// Where it stands (for what desugaring made: where its origin stands).
    pub span: Span,
    /// The routine in which it stands.
    pub routine: RoutineId,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `h := e`.
    Assign(Target, Expr),
    /// `h := new C`: fields are `0`, `false`, `nil`.
    New(Target, ClassId),
    /// `h := new T[e]`, an array by reference.
    NewArray(Target, ClassId, Expr),
    /// `P(ē)`, `h := e0.m(ē)`.
    Call(Box<Call>),
    /// `return e`: ends the call, or the program.
    Return(Option<Expr>),
    /// `if b {S1} {S2}`.
    If(Expr, Block, Block),
    /// `while b {S}`.
    While(Expr, Block),
    /// `assume b`: only inputs with b matter.
    Assume(Expr),
    /// `assert b`.
    Assert(Expr),
    /// `|a| = e`: the array has this many elements (section 2.1); an assumption about the input.
    Bound(VarId, Expr),
    /// `par {S1} ... {Sn}`: the interleavings of its threads; goes on when all have ended.
    Par(Vec<Block>),
    /// `atomic {S}`: no other thread moves meanwhile.
    Atomic(Block),
    /// `{S}`.
    Block(Block),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Where the result goes.
    pub target: Option<Target>,
    /// What is called; there is no overriding.
    pub callee: RoutineId,
    /// e0, for methods.
    pub receiver: Option<Expr>,
    /// ē, as many as the callee has parameters.
    pub arguments: Vec<Expr>,
}

/// What is assigned.
#[derive(Clone, Debug)]
pub enum Target {
    /// `x`, no map.
    Var(VarId),
    /// `e.f`.
    Field(Expr, FieldId),
    /// `a[e]`, a map.
    Element(VarId, Expr),
    /// `e[e']`, an array by reference.
    Item(Expr, Expr),
}

/// An expression where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Rc<ExprKind>,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `nil`, of any class.
    Nil,
    /// A number.
    Int(BigInt),
    /// A truth value.
    Bool(bool),
    /// `x`; never a map by itself.
    Var(VarId),
    /// `e.f`.
    Field(Expr, FieldId),
    /// `a[e]`, a map.
    Element(VarId, Expr),
    /// `|a|`, of a bounded map.
    Length(VarId),
    /// `e[e']`, an array by reference; its length is the field `length`.
    Item(Expr, Expr),
    /// op(e1, ..., en).
    Op(Op, Vec<Expr>),
    /// `if b then e1 else e2 fi`.
    Cond(Expr, Expr, Expr),
}

/// Operations. `And`, `Or` and `Implies` evaluate from left to right and only as far as needed, unless the paper's
/// strict semantics is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// ¬b.
    Not,
    /// b1 ∧ ... ∧ bn.
    And,
    /// b1 ∨ ... ∨ bn.
    Or,
    /// b1 ⇒ b2.
    Implies,
    /// Equality of two of one type.
    Eq,
    /// Inequality.
    Ne,
    /// Less.
    Lt,
    /// Less or equal. (`>` and `>=` are these with their operands exchanged.)
    Le,
    /// Sum of two.
    Add,
    /// Difference.
    Sub,
    /// Product of two.
    Mul,
    /// -e.
    Neg,
    /// Euclidean quotient, as Viper's `/`.
    Div,
    /// Euclidean remainder, never negative, as Viper's `%`.
    Mod,
}

/// What the paper defines otherwise than programmers expect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Semantics {
    /// `x div 0 = 0` (and `x mod 0 = x`), subscripts 0 ≤ e ≤ |a|, all operations strict (an error in `e2` of
    /// `e1 ∧ e2` is one whatever `e1` is). Without it division by zero is an error, 0 ≤ e < |a|, and the
    /// connectives evaluate no more than needed.
    pub paper: bool,
}

/// All statements of a block, at any depth. Nesting is bounded by the parser.
pub(super) fn visit(block: &Block, look: &mut dyn FnMut(&Stmt)) {
    for stmt in block.iter() {
        look(stmt);
        match &*stmt.kind {
            StmtKind::If(_, yes, no) => {
                visit(yes, look);
                visit(no, look);
            }
            StmtKind::While(_, body) | StmtKind::Atomic(body) | StmtKind::Block(body) => visit(body, look),
            StmtKind::Par(threads) => threads.iter().for_each(|it| visit(it, look)),
            _ => {}
        }
    }
}
