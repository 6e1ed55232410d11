//! Expressions with their types while they are checked.
//!
//! Knows: types, how deep an expression is. Never: names, statements.

use crate::run::program::{ClassId, Expr, ExprKind, Type};
use effigy_contracts::Span;
use std::rc::Rc;

/// Deeper expressions are an error: everything recurses over them.
pub(super) const MOST_DEPTH: u32 = 500;

/// The type of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Int,
    Bool,
    /// The type of the literal `nil`.
    Nil,
    Object(ClassId),
    /// Of something that is wrong: an error was reported, and no other follows from it.
    Wrong,
}

impl Ty {
    /// Whether a value of the other type may be put where this one is expected.
    pub(super) fn accepts(&self, other: &Ty) -> bool {
        self == other
            || *self == Ty::Wrong
            || *other == Ty::Wrong
            || (*other == Ty::Nil && matches!(self, Ty::Object(_)))
    }

    /// The type that holds the values of both.
    pub(super) fn joined(&self, other: &Ty) -> Option<Ty> {
        if self.accepts(other) {
            Some(self.clone())
        } else if other.accepts(self) {
            Some(other.clone())
        } else {
            None
        }
    }

    /// The type of a variable with such values, if one is known.
    pub(super) fn of_variable(&self) -> Option<Type> {
        match self {
            Ty::Int => Some(Type::Int),
            Ty::Bool => Some(Type::Bool),
            Ty::Object(class) => Some(Type::Object(*class)),
            Ty::Nil | Ty::Wrong => None,
        }
    }

    /// The type of a variable's value; a map has none.
    pub(super) fn of(typ: &Type) -> Ty {
        match typ {
            Type::Int => Ty::Int,
            Type::Bool => Ty::Bool,
            Type::Object(class) => Ty::Object(*class),
            Type::Map(_) => Ty::Wrong,
        }
    }
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) exp: Expr,
    pub(super) typ: Ty,
    /// The number of levels of the expression's tree.
    pub(super) depth: u32,
}

impl Value {
    /// An expression that has no operands.
    pub(super) fn leaf(kind: ExprKind, typ: Ty, span: Span) -> Value {
        Value { exp: place(kind, span), typ, depth: 1 }
    }

    /// In place of what is wrong; an error was reported.
    pub(super) fn wrong(span: Span) -> Value {
        Value::leaf(ExprKind::Nil, Ty::Wrong, span)
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.typ == Ty::Wrong
    }
}

pub(super) fn place(kind: ExprKind, span: Span) -> Expr {
    Expr { kind: Rc::new(kind), span }
}

/// What variables and fields are that were not set.
pub(super) fn default(typ: &Type, span: Span) -> Expr {
    let kind = match typ {
        Type::Int => ExprKind::Int(0.into()),
        Type::Bool => ExprKind::Bool(false),
        Type::Object(_) | Type::Map(_) => ExprKind::Nil,
    };
    place(kind, span)
}
