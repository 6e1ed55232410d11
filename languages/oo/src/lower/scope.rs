//! What is known inside of a member.
//!
//! Knows: variables, where a construct may stand. Never: the tree.

use crate::classes::Typ;
use effigy_contracts::Span;
use effigy_contracts::program::{Exp, ExpKind, MemberVariable, Stmt, StmtKind, Type, VarId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The construct that an expression stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Position {
    /// The precondition of a method.
    Pre,
    /// A postcondition of a mutator.
    Post,
    /// A postcondition of a pure method.
    PurePost,
    /// The body of a pure method.
    Pure,
    /// The body of a predicate.
    Predicate,
    /// A statement that is executed.
    Code,
    /// An `assert`, a `join`, or an invariant.
    Inline,
}

impl Position {
    /// Whether access and predicates may stand there.
    pub(super) fn is_assertion(self) -> bool {
        matches!(self, Self::Pre | Self::Post | Self::Predicate | Self::Inline)
    }
}

/// A member while it is lowered.
pub(super) struct Scope {
    pub(super) class: Option<usize>,
    pub(super) variables: Vec<MemberVariable>,
    /// The type of each variable.
    pub(super) types: Vec<Typ>,
    /// The variables by name, innermost scope last.
    names: Vec<FxHashMap<Arc<str>, VarId>>,
    pub(super) position: Position,
    /// The meaning and type of `result`, where it is allowed.
    pub(super) result: Option<(ExpKind, Typ)>,
    /// Where `return e;` puts its value.
    pub(super) returned: Option<(VarId, Typ)>,
    /// The statements that were lowered so far.
    pub(super) out: Vec<Stmt>,
    /// Something jumps to the end.
    pub(super) jumps: bool,
    /// Inside of an operand that may not be evaluated.
    pub(super) conditional: u32,
    /// A pure method or predicate of `this` was called.
    pub(super) calls_this: bool,
}

impl Scope {
    pub(super) fn new(class: Option<usize>) -> Scope {
        Scope {
            class,
            variables: Vec::new(),
            types: Vec::new(),
            names: vec![FxHashMap::default()],
            position: Position::Pre,
            result: None,
            returned: None,
            out: Vec::new(),
            jumps: false,
            conditional: 0,
            calls_this: false,
        }
    }

    pub(super) fn enter(&mut self) {
        self.names.push(FxHashMap::default());
    }

    pub(super) fn leave(&mut self) {
        self.names.pop();
    }

    /// A variable without a name that can be written.
    pub(super) fn add(&mut self, name: Arc<str>, typ: Typ, span: Span) -> VarId {
        self.variables.push(MemberVariable { name, typ: typ.lowered(), span });
        self.types.push(typ);
        VarId(self.variables.len() as u32 - 1)
    }

    pub(super) fn declare(&mut self, name: Arc<str>, typ: Typ, span: Span) -> VarId {
        let res = self.add(name.clone(), typ, span);
        self.name(name, res);
        res
    }

    /// From here on the name means this variable.
    pub(super) fn name(&mut self, name: Arc<str>, variable: VarId) {
        if let Some(names) = self.names.last_mut() {
            names.insert(name, variable);
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<VarId> {
        self.names.iter().rev().find_map(|it| it.get(name)).copied()
    }

    pub(super) fn push(&mut self, kind: StmtKind, span: Span) {
        self.out.push(Stmt { kind, span });
    }

    /// Keeps a value in a variable of its own.
    pub(super) fn keep(&mut self, value: Exp, typ: &Typ) -> Exp {
        let span = value.span;
        let variable = self.add("value".into(), typ.clone(), span);
        self.push(StmtKind::Local(variable), span);
        self.push(StmtKind::Assign(variable, value), span);
        self.variable(variable, span)
    }

    pub(super) fn variable(&self, variable: VarId, span: Span) -> Exp {
        Exp::new(ExpKind::Var(variable), self.variables[variable.index()].typ.clone(), span)
    }

    pub(super) fn labels(&self) -> Vec<Arc<str>> {
        if self.jumps { vec!["end".into()] } else { Vec::new() }
    }

    /// Whether an expression is the receiver of the member.
    pub(super) fn is_this(&self, exp: &Exp) -> bool {
        self.class.is_some() && matches!(*exp.kind, ExpKind::Var(VarId(0)))
    }
}

/// An expression of the program with its type in the language.
#[derive(Clone, Debug)]
pub(super) struct TypedExp {
    pub(super) exp: Exp,
    pub(super) typ: Typ,
}

impl TypedExp {
    pub(super) fn new(kind: ExpKind, typ: Typ, span: Span) -> TypedExp {
        TypedExp { exp: Exp::new(kind, typ.lowered(), span), typ }
    }

    /// An assertion or condition, of type Bool.
    pub(super) fn truth(kind: ExpKind, span: Span) -> TypedExp {
        TypedExp { exp: Exp::new(kind, Type::Bool, span), typ: Typ::Bool }
    }

    /// In place of what is wrong; an error was reported.
    pub(super) fn wrong(span: Span) -> TypedExp {
        TypedExp { exp: Exp::new(ExpKind::Null, Type::Ref, span), typ: Typ::Wrong }
    }
}
