//! Names in statements, and literals.
//!
//! Knows: how a name and a literal are written. Never: what they stand for.

use crate::value::Const;
use sqlparser::ast::{Expr, Ident, ObjectName, ObjectNamePart, UnaryOperator, Value};

/// A name without its schema; `None` where it is computed.
pub(crate) fn last(name: &ObjectName) -> Option<&Ident> {
    match name.0.last()? {
        ObjectNamePart::Identifier(it) => Some(it),
        ObjectNamePart::Function(_) => None,
    }
}

/// The constant that a literal writes.
pub(crate) fn literal(expr: &Expr) -> Option<Const> {
    match expr {
        Expr::Value(it) => of_value(&it.value),
        Expr::Nested(it) => literal(it),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match literal(expr)? {
            Const::Int(it) => it.checked_neg().map(Const::Int),
            Const::Real(it) => Some(Const::Real(-it)),
            _ => None,
        },
        _ => None,
    }
}

/// The constant that a token writes.
pub(crate) fn of_value(value: &Value) -> Option<Const> {
    match value {
        Value::Number(text, _) => match text.parse::<i64>() {
            Ok(it) => Some(Const::Int(it)),
            Err(_) => text.parse::<f64>().ok().filter(|it| it.is_finite()).map(Const::Real),
        },
        Value::SingleQuotedString(it) => Some(Const::text(it)),
        Value::Boolean(it) => Some(Const::Bool(*it)),
        Value::Null => Some(Const::Null),
        _ => None,
    }
}
