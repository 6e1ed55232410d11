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
    /// The name exactly as it is written.
    pub text: Arc<str>,
    /// The source range of the name.
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

impl Program {
    /// Whether there is a `decreases` clause in it.
    pub fn has_measures(&self) -> bool {
        let mut todo: Vec<&Stmt> = Vec::new();
        for item in &self.items {
            match item {
                Item::Function(it) if !it.decreases.is_empty() => return true,
                Item::Method(it) if !it.decreases.is_empty() => return true,
                Item::Method(it) => todo.extend(it.body.iter().flat_map(|it| &it.stmts)),
                _ => {}
            }
        }
        while let Some(it) = todo.pop() {
            match &it.kind {
                StmtKind::While { decreases, .. } | StmtKind::Label { decreases, .. } if !decreases.is_empty() => {
                    return true;
                }
                StmtKind::While { body, .. } | StmtKind::Block(body) | StmtKind::Package(_, Some(body)) => {
                    todo.extend(&body.stmts);
                }
                StmtKind::If(_, then, other) => {
                    todo.extend(then.stmts.iter().chain(other.iter().flat_map(|it| &it.stmts)))
                }
                StmtKind::Annotated(_, inner) => todo.push(inner),
                _ => {}
            }
        }
        false
    }
}

/// A declaration at the top level of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// `import "file"`; gone after imports were followed.
    Import(Import),
    /// `define`: a macro; macro expansion removes it.
    Macro(Macro),
    /// `field f: T, g: U`.
    Fields(Fields),
    /// The declaration of a method.
    Method(Method),
    /// The declaration of a function that may read the heap.
    Function(Function),
    /// The declaration of a predicate.
    Predicate(Predicate),
    /// The declaration of a domain with its axioms.
    Domain(Domain),
    /// The declaration of an algebraic data type (`adt`).
    Adt(Adt),
}

/// `@key("value", ...)` before a declaration, a statement or an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The key; may contain dots.
    pub key: Name,
    /// The values, as string literals, in order.
    pub values: Vec<Text>,
    /// The source range of the whole annotation.
    pub span: Span,
}

/// `import "path"` or `import <path>`.
#[derive(Clone, Debug)]
pub struct Import {
    /// The annotations in front of the import.
    pub annotations: Vec<Annotation>,
    /// The path as it is written.
    pub path: Text,
    /// `<path>`: of the standard library, not relative to the importing file.
    pub standard: bool,
    /// The source range of the whole import.
    pub span: Span,
}

/// `define name(params) body`: a macro with its definition.
#[derive(Clone, Debug)]
pub struct Macro {
    /// The annotations in front of the macro.
    pub annotations: Vec<Annotation>,
    /// The name of the macro, as written.
    pub name: Name,
    /// Its parameters; `None`: it is used without parentheses.
    pub parameters: Option<Vec<Name>>,
    /// The expression or block that a use of the macro is replaced by.
    pub body: MacroBody,
    /// The source range of the whole macro.
    pub span: Span,
}

/// What a macro stands for.
#[derive(Clone, Debug)]
pub enum MacroBody {
    /// An expression, for macros that are used in expressions.
    Exp(Exp),
    /// A block, for macros that are used as statements.
    Block(Block),
}

/// `name: type`: a variable, parameter or field with its type.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name that is bound.
    pub name: Name,
    /// The type that the binding declares.
    pub typ: Type,
    /// The source range of the whole binding.
    pub span: Span,
}

/// `field f: T, g: U`.
#[derive(Clone, Debug)]
pub struct Fields {
    /// The annotations in front of the declaration.
    pub annotations: Vec<Annotation>,
    /// The fields, at least one.
    pub fields: Vec<Binding>,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// A method with its contract, as it is written.
#[derive(Clone, Debug)]
pub struct Method {
    /// The annotations in front of the method.
    pub annotations: Vec<Annotation>,
    /// The name of the method, as written.
    pub name: Name,
    /// The parameters of the method, in order.
    pub parameters: Vec<Binding>,
    /// The result variables of the method, in order.
    pub results: Vec<Binding>,
    /// The preconditions (`requires`), in the order of the source.
    pub pre: Vec<Exp>,
    /// The postconditions (`ensures`), in the order of the source.
    pub post: Vec<Exp>,
    /// `decreases`, in order, wherever they stand in the contract.
    pub decreases: Vec<Decreases>,
    /// Its body; `None` is abstract.
    pub body: Option<Block>,
    /// The source range of the whole method.
    pub span: Span,
}

/// A function with its contract, as it is written.
#[derive(Clone, Debug)]
pub struct Function {
    /// The annotations in front of the function.
    pub annotations: Vec<Annotation>,
    /// The name of the function, as written.
    pub name: Name,
    /// The parameters of the function, in order.
    pub parameters: Vec<Binding>,
    /// The type of its result.
    pub result: Type,
    /// The preconditions (`requires`), in the order of the source.
    pub pre: Vec<Exp>,
    /// The postconditions (`ensures`), in the order of the source.
    pub post: Vec<Exp>,
    /// `decreases`, in order, wherever they stand in the contract.
    pub decreases: Vec<Decreases>,
    /// Its body; `None` is abstract.
    pub body: Option<Exp>,
    /// The source range of the whole function.
    pub span: Span,
}

/// A predicate with its body, as it is written.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The annotations in front of the predicate.
    pub annotations: Vec<Annotation>,
    /// The name of the predicate, as written.
    pub name: Name,
    /// The parameters of the predicate, in order.
    pub parameters: Vec<Binding>,
    /// Its body; `None` is abstract.
    pub body: Option<Exp>,
    /// The source range of the whole predicate.
    pub span: Span,
}

/// `decreases` in a contract or at a loop.
#[derive(Clone, Debug)]
pub struct Decreases {
    /// The termination measure that the clause gives.
    pub measure: Measure,
    /// `if`: under which condition the clause applies.
    pub condition: Option<Exp>,
    /// The source range of the whole clause.
    pub span: Span,
}

/// The termination measure of a `decreases` clause.
#[derive(Clone, Debug)]
pub enum Measure {
    /// `decreases a, b`: a lexicographic tuple, perhaps empty.
    Tuple(Vec<Exp>),
    /// `decreases _`: the wildcard, by which termination is assumed.
    Wildcard,
    /// `decreases *`: it may run for ever.
    Star,
}

/// A domain with its functions and axioms, as it is written.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The annotations in front of the domain.
    pub annotations: Vec<Annotation>,
    /// The name of the domain, as written.
    pub name: Name,
    /// The type variables of the domain, in order.
    pub type_variables: Vec<Name>,
    /// `interpretation (SMTLIB: "...", Boogie: "...")`: the backends' types that the domain stands for; `None` if it
    /// has no such clause.
    pub interpretations: Option<Vec<Interpretation>>,
    /// The functions that the domain declares.
    pub functions: Vec<DomainFunction>,
    /// The axioms that the domain declares.
    pub axioms: Vec<Axiom>,
    /// The source range of the whole domain.
    pub span: Span,
}

/// `SMTLIB: "(_ BitVec 32)"`: the domain in the notation of a backend.
#[derive(Clone, Debug)]
pub struct Interpretation {
    /// The backend whose notation the text is in.
    pub backend: Name,
    /// What the domain is there.
    pub text: Text,
}

/// A function of a domain.
#[derive(Clone, Debug)]
pub struct DomainFunction {
    /// The annotations in front of the function.
    pub annotations: Vec<Annotation>,
    /// Differs from all other `unique` functions.
    pub unique: bool,
    /// The name of the function, as written.
    pub name: Name,
    /// Its parameters; their names may be missing.
    pub parameters: Vec<(Option<Name>, Type)>,
    /// The type of its result.
    pub result: Type,
    /// `interpretation "bvadd"`: the function of the backend that it stands for.
    pub interpretation: Option<Text>,
    /// The source range of the whole function.
    pub span: Span,
}

/// An axiom of a domain.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// The annotations in front of the axiom.
    pub annotations: Vec<Annotation>,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The formula that the axiom asserts.
    pub body: Exp,
    /// The source range of the whole axiom.
    pub span: Span,
}

/// An algebraic data type (`adt`), as it is written.
#[derive(Clone, Debug)]
pub struct Adt {
    /// The annotations in front of the data type.
    pub annotations: Vec<Annotation>,
    /// The name of the data type, as written.
    pub name: Name,
    /// The type variables of the data type, in order.
    pub type_variables: Vec<Name>,
    /// The constructors of the data type, in order.
    pub constructors: Vec<Constructor>,
    /// `derives { ... }`: the derived functions; `None` if it has no such block.
    pub derives: Option<Vec<Derive>>,
    /// The source range of the whole data type.
    pub span: Span,
}

/// A constructor of an algebraic data type.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// The annotations in front of the constructor.
    pub annotations: Vec<Annotation>,
    /// The name of the constructor, as written.
    pub name: Name,
    /// Its parameters, which are the destructors too.
    pub parameters: Vec<Binding>,
    /// The source range of the whole constructor.
    pub span: Span,
}

/// What an algebraic data type derives: `contains[Int] without value`.
#[derive(Clone, Debug)]
pub struct Derive {
    /// The name of the derived function, such as `contains`.
    pub name: Name,
    /// The type in brackets, if one is given.
    pub parameter: Option<Type>,
    /// Destructors that are left out.
    pub without: Vec<Name>,
    /// The source range of the whole entry.
    pub span: Span,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct Type {
    /// The form of the type, with its arguments.
    pub kind: TypeKind,
    /// The source range of the type.
    pub span: Span,
}

/// The forms of types, with their arguments.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `Int`, the integers without a bound.
    Int,
    /// `Bool`, the two truth values.
    Bool,
    /// `Ref`, references to objects, and `null`.
    Ref,
    /// `Perm`, or its old name `Rational`.
    Perm,
    /// `Seq[T]`: finite sequences of `T`.
    Seq(Box<Type>),
    /// `Set[T]`: finite sets of `T`.
    Set(Box<Type>),
    /// `Multiset[T]`: finite multisets of `T`.
    Multiset(Box<Type>),
    /// `Map[K, V]`: finite maps from `K` to `V`.
    Map(Box<Type>, Box<Type>),
    /// A domain, an ADT or a type variable: `Pair[A, B]`.
    Named(Name, Vec<Type>),
}
