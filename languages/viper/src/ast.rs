//! The syntax tree of a `.vpr` file: what is written, before names are resolved and types are known.
//!
//! Knows: silver's grammar and where everything stands. Never: what a name means, types, verification.
//! Source: silver's `FastParser.scala` and its plugins (ADTs, termination, refute, predicate instances).
//!
//! Trees are at most [`MAX_DEPTH`] deep, whatever the input: whoever walks them may recurse.
//! After [`crate::parse`] and the expansion of macros there is no [`Item::Import`], no [`Item::Macro`] and no
//! [`StmtKind::Define`] left.

mod exp;
mod stmt;

pub use effigy_contracts::Span;
pub use exp::{
    BinaryOp, Collection, Exp, ExpKind, MAX_DEPTH, NewFields, OldLabel, Quantified, TooDeep, Trigger, UnaryOp,
};
pub use stmt::{Block, Stmt, StmtKind};

use crate::ReadError;
use std::sync::Arc;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// As it is written.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A string literal with its place; there are no escapes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// What stands between the quotes.
    pub text: Arc<str>,
    /// Where it stands, with the quotes.
    pub span: Span,
}

/// What a file, and what it imports, declares.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The names of the files; [`Span::file`] is an index into them. The first is the one that was asked for.
    pub files: Vec<Arc<str>>,
    /// Declarations in the order of the source; those of imported files follow those of the importing file.
    pub items: Vec<Item>,
    /// What is odd, and no error.
    pub warnings: Vec<ReadError>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Item {
    /// `import "file"`; gone after imports were followed.
    Import(Import),
    /// `define`; gone after expansion.
    Macro(Macro),
    /// `field f: T, g: U`.
    Fields(Fields),
    /// `method`.
    Method(Method),
    /// `function`.
    Function(Function),
    /// `predicate`.
    Predicate(Predicate),
    /// `domain`.
    Domain(Domain),
    /// `adt`.
    Adt(Adt),
}

/// `@key("value", ...)` before a declaration, a statement or an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The key; may contain dots.
    pub key: Name,
    /// The values.
    pub values: Vec<Text>,
    /// All of it.
    pub span: Span,
}

/// `import "path"` or `import <path>`.
#[derive(Clone, Debug)]
pub struct Import {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// The path as it is written.
    pub path: Text,
    /// `<path>`: of the standard library, not relative to the importing file.
    pub standard: bool,
    /// All of it.
    pub span: Span,
}

/// `define name(params) body`.
#[derive(Clone, Debug)]
pub struct Macro {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// Its name.
    pub name: Name,
    /// Its parameters; `None`: it is used without parentheses.
    pub parameters: Option<Vec<Name>>,
    /// What it stands for.
    pub body: MacroBody,
    /// All of it.
    pub span: Span,
}

/// What a macro stands for.
#[derive(Clone, Debug)]
pub enum MacroBody {
    /// An expression.
    Exp(Exp),
    /// A block of statements.
    Block(Block),
}

/// `name: type`.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name.
    pub name: Name,
    /// Its type.
    pub typ: Type,
    /// All of it.
    pub span: Span,
}

/// `field f: T, g: U`.
#[derive(Clone, Debug)]
pub struct Fields {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// The fields, at least one.
    pub fields: Vec<Binding>,
    /// All of it.
    pub span: Span,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Binding>,
    /// Its results.
    pub results: Vec<Binding>,
    /// `requires`, in order.
    pub pre: Vec<Exp>,
    /// `ensures`, in order.
    pub post: Vec<Exp>,
    /// `decreases`, in order, wherever they stand in the contract.
    pub decreases: Vec<Decreases>,
    /// Its body; `None` is abstract.
    pub body: Option<Block>,
    /// All of it.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Binding>,
    /// The type of its result.
    pub result: Type,
    /// `requires`, in order.
    pub pre: Vec<Exp>,
    /// `ensures`, in order.
    pub post: Vec<Exp>,
    /// `decreases`, in order, wherever they stand in the contract.
    pub decreases: Vec<Decreases>,
    /// Its body; `None` is abstract.
    pub body: Option<Exp>,
    /// All of it.
    pub span: Span,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Binding>,
    /// Its body; `None` is abstract.
    pub body: Option<Exp>,
    /// All of it.
    pub span: Span,
}

/// `decreases` in a contract or at a loop.
#[derive(Clone, Debug)]
pub struct Decreases {
    /// What decreases.
    pub measure: Measure,
    /// `if`: under which condition the clause applies.
    pub condition: Option<Exp>,
    /// All of it.
    pub span: Span,
}

/// What decreases.
#[derive(Clone, Debug)]
pub enum Measure {
    /// `decreases a, b`: a lexicographic tuple, perhaps empty.
    Tuple(Vec<Exp>),
    /// `decreases _`: termination is assumed.
    Wildcard,
    /// `decreases *`: it may run for ever.
    Star,
}

/// A domain.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// Its name.
    pub name: Name,
    /// Its type variables.
    pub type_variables: Vec<Name>,
    /// `interpretation (SMTLIB: "...", Boogie: "...")`.
    pub interpretations: Option<Vec<Interpretation>>,
    /// Its functions.
    pub functions: Vec<DomainFunction>,
    /// Its axioms.
    pub axioms: Vec<Axiom>,
    /// All of it.
    pub span: Span,
}

/// `SMTLIB: "(_ BitVec 32)"`.
#[derive(Clone, Debug)]
pub struct Interpretation {
    /// Whose notation it is.
    pub backend: Name,
    /// What the domain is there.
    pub text: Text,
}

/// A function of a domain.
#[derive(Clone, Debug)]
pub struct DomainFunction {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// Differs from all other `unique` functions.
    pub unique: bool,
    /// Its name.
    pub name: Name,
    /// Its parameters; their names may be missing.
    pub parameters: Vec<(Option<Name>, Type)>,
    /// The type of its result.
    pub result: Type,
    /// `interpretation "bvadd"`.
    pub interpretation: Option<Text>,
    /// All of it.
    pub span: Span,
}

/// An axiom of a domain.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// What it says.
    pub body: Exp,
    /// All of it.
    pub span: Span,
}

/// An algebraic data type.
#[derive(Clone, Debug)]
pub struct Adt {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// Its name.
    pub name: Name,
    /// Its type variables.
    pub type_variables: Vec<Name>,
    /// Its constructors.
    pub constructors: Vec<Constructor>,
    /// `derives`.
    pub derives: Option<Vec<Derive>>,
    /// All of it.
    pub span: Span,
}

/// A constructor of an algebraic data type.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Annotations before it.
    pub annotations: Vec<Annotation>,
    /// Its name.
    pub name: Name,
    /// Its parameters, which are the destructors too.
    pub parameters: Vec<Binding>,
    /// All of it.
    pub span: Span,
}

/// What an algebraic data type derives: `contains[Int] without value`.
#[derive(Clone, Debug)]
pub struct Derive {
    /// What is derived.
    pub name: Name,
    /// For which type.
    pub parameter: Option<Type>,
    /// Destructors that are left out.
    pub without: Vec<Name>,
    /// All of it.
    pub span: Span,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct Type {
    /// Which one.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// Which type.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `Int`.
    Int,
    /// `Bool`.
    Bool,
    /// `Ref`.
    Ref,
    /// `Perm`, or its old name `Rational`.
    Perm,
    /// `Seq[T]`.
    Seq(Box<Type>),
    /// `Set[T]`.
    Set(Box<Type>),
    /// `Multiset[T]`.
    Multiset(Box<Type>),
    /// `Map[K, V]`.
    Map(Box<Type>, Box<Type>),
    /// A domain, an ADT or a type variable: `Pair[A, B]`.
    Named(Name, Vec<Type>),
}
