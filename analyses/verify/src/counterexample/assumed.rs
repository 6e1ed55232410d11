//! Whether values that are about to be shown agree with a precondition.
//!
//! Knows: values as they are printed, expressions without a heap. Never: terms: it is a check of what was made of them.

use effigy_contracts::program::{BinaryOp, Exp, ExpKind, UnaryOp};
use num_bigint::BigInt;

/// A value that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Bool(bool),
    Int(BigInt),
    Null,
    /// An object, by a name that tells it from others.
    Object(String),
}

impl Known {
    /// The value that is printed as `text`; `None` if it is no literal.
    pub(super) fn of_text(text: &str) -> Option<Known> {
        match text {
            "true" => Some(Known::Bool(true)),
            "false" => Some(Known::Bool(false)),
            _ => text.parse().ok().map(Known::Int),
        }
    }
}

/// The truth of an assertion for these values of variables; `None` where they do not decide it. Permissions are taken to
/// be held, and what stands in the heap is not known.
pub(super) fn truth(exp: &Exp, values: &[Option<Known>]) -> Option<bool> {
    match value(exp, values) {
        Some(Known::Bool(it)) => Some(it),
        _ => None,
    }
}

fn value(exp: &Exp, values: &[Option<Known>]) -> Option<Known> {
    Some(match &*exp.kind {
        ExpKind::Bool(it) => Known::Bool(*it),
        ExpKind::Int(it) => Known::Int(it.clone()),
        ExpKind::Null => Known::Null,
        ExpKind::Var(it) => values.get(it.index())?.clone()?,
        ExpKind::Unary(UnaryOp::Not, operand) => Known::Bool(!truth(operand, values)?),
        ExpKind::Unary(UnaryOp::Neg, operand) => match value(operand, values)? {
            Known::Int(it) => Known::Int(-it),
            _ => return None,
        },
        ExpKind::Cond(cond, then, other) => match truth(cond, values)? {
            true => value(then, values)?,
            false => value(other, values)?,
        },
        ExpKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
            // One operand decides where it has this value.
            let (decides, result) = match op {
                BinaryOp::And => ([false, false], false),
                BinaryOp::Or => ([true, true], true),
                _ => ([false, true], true),
            };
            let both = [truth(left, values), truth(right, values)];
            if both[0] == Some(decides[0]) || both[1] == Some(decides[1]) {
                Known::Bool(result)
            } else {
                both[0].and(both[1])?;
                Known::Bool(!result)
            }
        }
        ExpKind::Binary(op, left, right) => {
            let (left, right) = (value(left, values)?, value(right, values)?);
            match (op, &left, &right) {
                (BinaryOp::Eq, ..) => Known::Bool(left == right),
                (BinaryOp::Ne, ..) => Known::Bool(left != right),
                (_, Known::Int(left), Known::Int(right)) => match op {
                    BinaryOp::Lt => Known::Bool(left < right),
                    BinaryOp::Le => Known::Bool(left <= right),
                    BinaryOp::Gt => Known::Bool(left > right),
                    BinaryOp::Ge => Known::Bool(left >= right),
                    BinaryOp::Add => Known::Int(left + right),
                    BinaryOp::Sub => Known::Int(left - right),
                    BinaryOp::Mul => Known::Int(left * right),
                    _ => return None,
                },
                _ => return None,
            }
        }
        _ => return None,
    })
}
