//! V(e): the value of an expression, or ⊥.
//!
//! Knows: the operations, and in which order and how far they evaluate. Never: statements.
//! Source: de Boer and Bonsangue 2021, sections 2, 2.1 and 4 ("we define the value V(e)").

use super::super::program::{Expr, ExprKind, Op, Program, Semantics, Target, Type, VarId};
use super::{Fault, Locals, ObjectId, Valuation, Value};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Products with more bits are refused: x = x * x in a loop would fill the memory.
const MOST_BITS: u64 = 1 << 16;

/// V(e). Recurs as deep as the expression, which a reader bounds.
pub fn evaluate(
    program: &Program,
    semantics: Semantics,
    valuation: &Valuation,
    locals: &Locals,
    expr: &Expr,
) -> Result<Value, Fault> {
    View { program, semantics, valuation, locals }.value(expr)
}

/// Where an assignment goes: the value of a heap variable's parts.
#[derive(Clone, Debug)]
pub(super) enum Location {
    Var(VarId),
    Field(ObjectId, super::super::program::FieldId),
    Element(VarId, Value),
    Item(ObjectId, BigInt),
}

/// All that the value of an expression depends on.
pub(super) struct View<'a> {
    pub program: &'a Program,
    pub semantics: Semantics,
    pub valuation: &'a Valuation,
    pub locals: &'a Locals,
}

impl View<'_> {
    pub fn value(&self, expr: &Expr) -> Result<Value, Fault> {
        match &*expr.kind {
            ExprKind::Nil => Ok(Value::Nil),
            ExprKind::Int(value) => Ok(Value::Int(value.clone())),
            ExprKind::Bool(value) => Ok(Value::Bool(*value)),
            ExprKind::Var(var) => self.variable(*var),
            ExprKind::Field(receiver, field) => {
                let object = self.receiver(receiver)?;
                self.valuation.heap.field(self.program, object, *field)
            }
            ExprKind::Element(array, index) => {
                let index = self.subscript(*array, index)?;
                Ok(self.valuation.map(self.program, *array)?.get(&index).clone())
            }
            ExprKind::Length(array) => match &self.program.variable(*array).typ {
                Type::Map(typ) if typ.bounded => Ok(Value::Int(self.valuation.map(self.program, *array)?.length)),
                _ => Err(Fault::Unfit),
            },
            ExprKind::Item(array, index) => {
                let (object, index) = self.place_of_item(array, index)?;
                self.valuation.heap.item(self.program, object, &index)
            }
            ExprKind::Op(op, operands) => self.operation(*op, operands),
            ExprKind::Cond(cond, then, other) => {
                let cond = self.truth(cond)?;
                if self.semantics.paper {
                    let (then, other) = (self.value(then)?, self.value(other)?);
                    return Ok(if cond { then } else { other });
                }
                self.value(if cond { then } else { other })
            }
        }
    }

    pub fn truth(&self, expr: &Expr) -> Result<bool, Fault> {
        match self.value(expr)? {
            Value::Bool(it) => Ok(it),
            _ => Err(Fault::Unfit),
        }
    }

    pub fn number(&self, expr: &Expr) -> Result<BigInt, Fault> {
        match self.value(expr)? {
            Value::Int(it) => Ok(it),
            _ => Err(Fault::Unfit),
        }
    }

    /// The object that an expression denotes: it must not be nil.
    pub fn receiver(&self, expr: &Expr) -> Result<ObjectId, Fault> {
        match self.value(expr)? {
            Value::Object(it) => Ok(it),
            Value::Nil => Err(Fault::NilDereference),
            _ => Err(Fault::Unfit),
        }
    }

    /// The parts of h, in order.
    pub fn location(&self, target: &Target) -> Result<Location, Fault> {
        Ok(match target {
            Target::Var(var) if matches!(self.program.variable(*var).typ, Type::Map(_)) => return Err(Fault::Unfit),
            Target::Var(var) => Location::Var(*var),
            Target::Field(receiver, field) => Location::Field(self.receiver(receiver)?, *field),
            Target::Element(array, index) => Location::Element(*array, self.subscript(*array, index)?),
            Target::Item(array, index) => {
                let (object, index) = self.place_of_item(array, index)?;
                Location::Item(object, index)
            }
        })
    }

    fn variable(&self, var: VarId) -> Result<Value, Fault> {
        let known = self.program.variable(var);
        match self.locals.get(&var) {
            _ if known.global => self.valuation.global(self.program, var),
            Some(value) => Ok(value.clone()),
            None => Value::default_of(&known.typ),
        }
    }

    fn place_of_item(&self, array: &Expr, index: &Expr) -> Result<(ObjectId, BigInt), Fault> {
        let object = self.receiver(array)?;
        let index = self.number(index)?;
        self.in_bounds(&index, &self.valuation.heap.length(self.program, object)?)?;
        Ok((object, index))
    }

    /// The value of e in `a[e]`.
    fn subscript(&self, array: VarId, index: &Expr) -> Result<Value, Fault> {
        let Type::Map(typ) = &self.program.variable(array).typ else { return Err(Fault::Unfit) };
        let index = self.value(index)?;
        if typ.bounded {
            let Value::Int(index) = &index else { return Err(Fault::Unfit) };
            self.in_bounds(index, &self.valuation.map(self.program, array)?.length)?;
        }
        Ok(index)
    }

    /// Section 2.1 has 0 ≤ e ≤ |a|.
    fn in_bounds(&self, index: &BigInt, length: &BigInt) -> Result<(), Fault> {
        let below = if self.semantics.paper { index <= length } else { index < length };
        if !index.is_negative() && below { Ok(()) } else { Err(Fault::OutOfBounds) }
    }

    fn operation(&self, op: Op, operands: &[Expr]) -> Result<Value, Fault> {
        match op {
            Op::And => self.connective(operands, false).map(Value::Bool),
            Op::Or => self.connective(operands, true).map(Value::Bool),
            Op::Implies => {
                let [left, right] = operands else { return Err(Fault::Unfit) };
                let left = self.truth(left)?;
                if !self.semantics.paper && !left {
                    return Ok(Value::Bool(true));
                }
                let right = self.truth(right)?;
                Ok(Value::Bool(!left || right))
            }
            Op::Not | Op::Neg => {
                let [operand] = operands else { return Err(Fault::Unfit) };
                match (op, self.value(operand)?) {
                    (Op::Not, Value::Bool(it)) => Ok(Value::Bool(!it)),
                    (Op::Neg, Value::Int(it)) => Ok(Value::Int(-it)),
                    _ => Err(Fault::Unfit),
                }
            }
            _ => {
                let [left, right] = operands else { return Err(Fault::Unfit) };
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.binary(op, &left, &right)
            }
        }
    }

    /// `∧` or `∨`, which are decided by an operand that is `deciding`.
    fn connective(&self, operands: &[Expr], deciding: bool) -> Result<bool, Fault> {
        let mut res = !deciding;
        for operand in operands {
            if self.truth(operand)? == deciding {
                res = deciding;
                if !self.semantics.paper {
                    break;
                }
            }
        }
        Ok(res)
    }

    fn binary(&self, op: Op, left: &Value, right: &Value) -> Result<Value, Fault> {
        match op {
            Op::Eq => return equal(left, right).map(Value::Bool),
            Op::Ne => return equal(left, right).map(|it| Value::Bool(!it)),
            _ => {}
        }
        let (Value::Int(left), Value::Int(right)) = (left, right) else { return Err(Fault::Unfit) };
        Ok(match op {
            Op::Lt => Value::Bool(left < right),
            Op::Le => Value::Bool(left <= right),
            Op::Add => Value::Int(left + right),
            Op::Sub => Value::Int(left - right),
            Op::Mul if left.bits() + right.bits() > MOST_BITS => return Err(Fault::Unfit),
            Op::Mul => Value::Int(left * right),
            Op::Div | Op::Mod if right.is_zero() => match (self.semantics.paper, op) {
                (true, Op::Div) => Value::Int(BigInt::zero()),
                (true, _) => Value::Int(left.clone()),
                (false, _) => return Err(Fault::DivisionByZero),
            },
            Op::Div => Value::Int(euclidean(left, right).0),
            Op::Mod => Value::Int(euclidean(left, right).1),
            _ => return Err(Fault::Unfit),
        })
    }
}

/// Equality of two values of one type.
fn equal(left: &Value, right: &Value) -> Result<bool, Fault> {
    match (left, right) {
        (Value::Int(_), Value::Int(_)) | (Value::Bool(_), Value::Bool(_)) => Ok(left == right),
        (Value::Nil | Value::Object(_), Value::Nil | Value::Object(_)) => Ok(left == right),
        _ => Err(Fault::Unfit),
    }
}

/// q and r with left = q · right + r and 0 ≤ r < |right|.
fn euclidean(left: &BigInt, right: &BigInt) -> (BigInt, BigInt) {
    let (quotient, remainder) = (left / right, left % right);
    match (remainder.is_negative(), right.is_negative()) {
        (false, _) => (quotient, remainder),
        (true, false) => (quotient - 1, remainder + right),
        (true, true) => (quotient + 1, remainder - right),
    }
}
