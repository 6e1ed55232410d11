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
    /// The number of a class, an index into [`Program::classes`].
    ClassId,
    /// The number of a field, an index into [`Program::fields`].
    FieldId,
    /// The number of a variable, an index into [`Program::variables`].
    VarId,
    /// The number of a routine, an index into [`Program::routines`].
    RoutineId,
    /// The number of a statement, an index into [`Program::statements`].
    StmtId
}

/// A whole program, typed and without syntactic sugar.
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
    /// The routine whose body is the main statement.
    pub const MAIN: RoutineId = RoutineId(0);

    /// The declaration of a variable.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The declaration of a field.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// The declaration of a class.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The declaration of a routine.
    pub fn routine(&self, id: RoutineId) -> &Routine {
        &self.routines[id.index()]
    }
}

/// A class, or the type of arrays by reference.
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
    /// The class that declares the field.
    pub class: ClassId,
    /// Its type: `Int`, `Bool` or `Object`.
    pub typ: Type,
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// The integers without a bound.
    Int,
    /// The truth values `true` and `false`.
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
    /// T', the type of the elements; no map.
    pub element: Type,
    /// Whether there is a length |a| (type ℕ → T').
    pub bounded: bool,
}

/// A variable: global, parameter, local or temporary.
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
    /// The statements of the routine.
    pub body: Block,
}

/// Statements that are executed one after the other.
pub type Block = Rc<[Stmt]>;

/// A statement with its number.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The form of the statement, with its parts.
    pub kind: Rc<StmtKind>,
    /// The statement's entry in [`Program::statements`].
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

/// The forms of statements, with their parts.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `h := e`: the assignment of a value.
    Assign(Target, Expr),
    /// `h := new C`: fields are `0`, `false`, `nil`.
    New(Target, ClassId),
    /// `h := new T[e]`, an array by reference.
    NewArray(Target, ClassId, Expr),
    /// `P(ē)`, `h := e0.m(ē)`: a call of a procedure or method.
    Call(Box<Call>),
    /// `return e`: ends the call, or the program.
    Return(Option<Expr>),
    /// `if b {S1} {S2}`: a choice.
    If(Expr, Block, Block),
    /// `while b {S}`: an iteration.
    While(Expr, Block),
    /// `assume b`: only inputs with b matter.
    Assume(Expr),
    /// `assert b`: a fault where b is false.
    Assert(Expr),
    /// `|a| = e`: the array has this many elements (section 2.1); an assumption about the input.
    Bound(VarId, Expr),
    /// `par {S1} ... {Sn}`: the interleavings of its threads; the statement ends when all threads have ended.
    Par(Vec<Block>),
    /// `atomic {S}`: no other thread moves meanwhile.
    Atomic(Block),
    /// `{S}`: statements as one statement.
    Block(Block),
}

/// The call of a routine.
#[derive(Clone, Debug)]
pub struct Call {
    /// The variable or location that receives the result.
    pub target: Option<Target>,
    /// What is called; there is no overriding.
    pub callee: RoutineId,
    /// The receiver e0 of a method call; `None` for a procedure.
    pub receiver: Option<Expr>,
    /// ē, as many as the callee has parameters.
    pub arguments: Vec<Expr>,
}

/// The left side h of an assignment.
#[derive(Clone, Debug)]
pub enum Target {
    /// The variable `x`, which is no map.
    Var(VarId),
    /// The field `e.f` of an object.
    Field(Expr, FieldId),
    /// The element `a[e]` of a map.
    Element(VarId, Expr),
    /// `e[e']`, an array by reference.
    Item(Expr, Expr),
}

/// An expression where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The operator and its operands.
    pub kind: Rc<ExprKind>,
    /// The source range of the expression.
    pub span: Span,
}

/// The forms of expressions, with their parts.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `nil`, which every class has.
    Nil,
    /// The literal of an integer.
    Int(BigInt),
    /// The literal `true` or `false`.
    Bool(bool),
    /// `x`; never a map by itself.
    Var(VarId),
    /// `e.f`: the value of a field.
    Field(Expr, FieldId),
    /// `a[e]`: the element of a map.
    Element(VarId, Expr),
    /// `|a|`, of a bounded map.
    Length(VarId),
    /// `e[e']`, an array by reference; its length is the field `length`.
    Item(Expr, Expr),
    /// The operation op on values e1, ..., en.
    Op(Op, Vec<Expr>),
    /// `if b then e1 else e2 fi`.
    Cond(Expr, Expr, Expr),
}

/// Operations. `And`, `Or` and `Implies` evaluate from left to right and only as far as needed, unless the paper's
/// strict semantics is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// ¬b: the negation of a truth value.
    Not,
    /// b1 ∧ ... ∧ bn, of any number of operands.
    And,
    /// b1 ∨ ... ∨ bn, of any number of operands.
    Or,
    /// b1 ⇒ b2: implication between truth values.
    Implies,
    /// Equality of two of one type.
    Eq,
    /// Inequality of two values of one type.
    Ne,
    /// The first integer is less than the second.
    Lt,
    /// Less or equal. (`>` and `>=` are these with their operands exchanged.)
    Le,
    /// The sum of two integers.
    Add,
    /// The difference of two integers.
    Sub,
    /// The product of two integers.
    Mul,
    /// -e: the negation of an integer.
    Neg,
    /// The Euclidean quotient of two integers, as Viper's `/`.
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
