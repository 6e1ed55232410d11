//! Expressions.
//!
//! Knows: the value of an expression in a heap. Never: statements, collections' operations.

use super::value::{ConcreteValue, ObjectId};
use super::world::World;
use super::{ConcreteErrorKind, ConcreteResult, Interpreter, Scope, fail, unsupported};
use crate::program::{BinaryOp, Exp, ExpKind, FunctionId, Quantified, Span, Type, UnaryOp, VarId};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Euclid, One, ToPrimitive, Zero};

/// A number of more bits is too large.
const MOST_BITS: u64 = 1 << 16;

/// The truth value of a value of type Bool.
pub(super) fn truth(value: &ConcreteValue, span: Span) -> ConcreteResult<bool> {
    match value {
        ConcreteValue::Bool(value) => Ok(*value),
        _ => unsupported("a condition that is no truth value", span),
    }
}

impl Interpreter<'_> {
    pub(super) fn evaluate(&mut self, world: &World, scope: &mut Scope, exp: &Exp) -> ConcreteResult<ConcreteValue> {
        self.enter(exp.span)?;
        let res = self.part(world, scope, exp);
        self.depth -= 1;
        res
    }

    fn condition(&mut self, world: &World, scope: &mut Scope, exp: &Exp) -> ConcreteResult<bool> {
        let value = self.evaluate(world, scope, exp)?;
        truth(&value, exp.span)
    }

    fn part(&mut self, world: &World, scope: &mut Scope, exp: &Exp) -> ConcreteResult<ConcreteValue> {
        let span = exp.span;
        match &*exp.kind {
            ExpKind::Bool(value) => Ok(ConcreteValue::Bool(*value)),
            ExpKind::Int(value) => Ok(ConcreteValue::Int(value.clone())),
            ExpKind::Null => Ok(ConcreteValue::Null),
            ExpKind::NoPerm => Ok(ConcreteValue::Perm(BigRational::zero())),
            ExpKind::FullPerm => Ok(ConcreteValue::Perm(BigRational::one())),
            ExpKind::Wildcard => unsupported("`wildcard` as a value", span),
            ExpKind::Var(variable) => match scope.variables.get(variable.index()) {
                Some(Some(value)) => Ok(value.clone()),
                _ => unsupported("a variable without a value", span),
            },
            ExpKind::Result => match &scope.result {
                Some(value) => Ok(value.clone()),
                None => unsupported("`result` here", span),
            },
            ExpKind::Unary(op, a) => {
                let a = self.evaluate(world, scope, a)?;
                match (op, a) {
                    (UnaryOp::Not, ConcreteValue::Bool(a)) => Ok(ConcreteValue::Bool(!a)),
                    (UnaryOp::Neg, ConcreteValue::Int(a)) => Ok(ConcreteValue::Int(-a)),
                    (UnaryOp::Neg, ConcreteValue::Perm(a)) => Ok(ConcreteValue::Perm(-a)),
                    _ => unsupported("an operand of another type", span),
                }
            }
            ExpKind::Binary(op, a, b) => self.binary(world, scope, *op, a, b, span),
            ExpKind::Cond(condition, a, b) => {
                let side = if self.condition(world, scope, condition)? { a } else { b };
                self.evaluate(world, scope, side)
            }
            ExpKind::Let(variable, value, body) => {
                let value = self.evaluate(world, scope, value)?;
                let before = scope.variables[variable.index()].replace(value);
                let res = self.evaluate(world, scope, body);
                scope.variables[variable.index()] = before;
                res
            }
            ExpKind::Old(label, body) => {
                let world = scope.old(*label, span)?;
                self.evaluate(&world, scope, body)
            }
            ExpKind::Quantified(quantified) => {
                let res = self.quantified(world, scope, quantified, span, &mut |it, scope, body| {
                    it.condition(world, scope, body)
                });
                Ok(ConcreteValue::Bool(res?))
            }
            ExpKind::Field(receiver, field) => match self.evaluate(world, scope, receiver)? {
                ConcreteValue::Object(object) => match world.field(object, *field) {
                    Some(value) => Ok(value.clone()),
                    None => fail(ConcreteErrorKind::MissingField, span),
                },
                _ => fail(ConcreteErrorKind::NullDereference, receiver.span),
            },
            ExpKind::Call(function, args) => {
                let args = self.all(world, scope, args)?;
                self.apply(world, *function, &args, span)
            }
            ExpKind::DomainCall(function, args, _) => {
                let args = self.all(world, scope, args)?;
                match world.function(*function, &args) {
                    Some(value) => Ok(value.clone()),
                    None => unsupported("a domain function without a value", span),
                }
            }
            ExpKind::Unfolding(_, body) | ExpKind::Using(_, body) | ExpKind::Reveal(body) => {
                self.evaluate(world, scope, body)
            }
            // A run that ends has terminated.
            ExpKind::Terminates(_) => Ok(ConcreteValue::Bool(true)),
            ExpKind::Asserting(condition, body) => {
                if !self.holds(world, scope, condition)? {
                    return fail(ConcreteErrorKind::AssertionFalse, condition.span);
                }
                self.evaluate(world, scope, body)
            }
            ExpKind::Collection(op, args) => {
                let args = self.all(world, scope, args)?;
                self.collection(*op, args, exp)
            }
            ExpKind::AccField(..) | ExpKind::AccPredicate(_) | ExpKind::Untouched(_) | ExpKind::InhaleExhale(..) => {
                Ok(ConcreteValue::Bool(self.holds(world, scope, exp)?))
            }
            ExpKind::PermField(..) | ExpKind::PermPredicate(..) => unsupported("`perm`", span),
            ExpKind::ForPerm(_) => unsupported("`forperm`", span),
            ExpKind::Unsupported(what) => unsupported(what, span),
        }
    }

    /// Values from left to right.
    pub(super) fn all(&mut self, world: &World, scope: &mut Scope, exps: &[Exp]) -> ConcreteResult<Vec<ConcreteValue>> {
        exps.iter().map(|it| self.evaluate(world, scope, it)).collect()
    }

    fn apply(
        &mut self,
        world: &World,
        function: FunctionId,
        args: &[ConcreteValue],
        span: Span,
    ) -> ConcreteResult<ConcreteValue> {
        let program = self.program;
        let callee = &program.functions[function.index()];
        let Some(body) = &callee.body else { return unsupported("an abstract function", span) };
        let mut scope = Scope::new(&callee.variables, args, world, 0);
        self.evaluate(world, &mut scope, body)
    }

    fn binary(
        &mut self,
        world: &World,
        scope: &mut Scope,
        op: BinaryOp,
        a: &Exp,
        b: &Exp,
        span: Span,
    ) -> ConcreteResult<ConcreteValue> {
        match op {
            BinaryOp::And => {
                return Ok(ConcreteValue::Bool(self.condition(world, scope, a)? && self.condition(world, scope, b)?));
            }
            BinaryOp::Or => {
                return Ok(ConcreteValue::Bool(self.condition(world, scope, a)? || self.condition(world, scope, b)?));
            }
            BinaryOp::Implies => {
                return Ok(ConcreteValue::Bool(!self.condition(world, scope, a)? || self.condition(world, scope, b)?));
            }
            _ => {}
        }
        let a = self.evaluate(world, scope, a)?;
        let b = self.evaluate(world, scope, b)?;
        match op {
            BinaryOp::Iff => return Ok(ConcreteValue::Bool(a == b)),
            BinaryOp::Eq | BinaryOp::Ne => {
                let equal = match (&a, &b) {
                    (ConcreteValue::Int(a), ConcreteValue::Perm(b))
                    | (ConcreteValue::Perm(b), ConcreteValue::Int(a)) => BigRational::from(a.clone()) == *b,
                    _ => a == b,
                };
                return Ok(ConcreteValue::Bool(equal == (op == BinaryOp::Eq)));
            }
            _ => {}
        }
        match (a, b) {
            (ConcreteValue::Int(a), ConcreteValue::Int(b)) if op != BinaryOp::PermDiv => on_integers(op, a, b, span),
            (a, b) => match (fraction(a), fraction(b)) {
                (Some(a), Some(b)) => on_fractions(op, a, b, span),
                _ => unsupported("operands of other types", span),
            },
        }
    }

    /// Whether a quantified formula holds. Its variables must range over what can be listed: truth values, objects, and
    /// integers between bounds that the formula begins with.
    pub(super) fn quantified(
        &mut self,
        world: &World,
        scope: &mut Scope,
        quantified: &Quantified,
        span: Span,
        body: &mut dyn FnMut(&mut Self, &mut Scope, &Exp) -> ConcreteResult<bool>,
    ) -> ConcreteResult<bool> {
        self.range(world, scope, quantified, 0, span, body)
    }

    fn range(
        &mut self,
        world: &World,
        scope: &mut Scope,
        quantified: &Quantified,
        at: usize,
        span: Span,
        body: &mut dyn FnMut(&mut Self, &mut Scope, &Exp) -> ConcreteResult<bool>,
    ) -> ConcreteResult<bool> {
        let Some(variable) = quantified.variables.get(at) else { return body(self, scope, &quantified.body) };
        let values = self.values(world, scope, quantified, *variable, span)?;
        for value in values {
            self.charge(1, span)?;
            let before = scope.variables[variable.index()].replace(value);
            let holds = self.range(world, scope, quantified, at + 1, span, body);
            scope.variables[variable.index()] = before;
            if holds? != quantified.universal {
                return Ok(!quantified.universal);
            }
        }
        Ok(quantified.universal)
    }

    /// What a bound variable ranges over.
    fn values(
        &mut self,
        world: &World,
        scope: &mut Scope,
        quantified: &Quantified,
        variable: VarId,
        span: Span,
    ) -> ConcreteResult<Vec<ConcreteValue>> {
        match scope.declared.get(variable.index()).map(|it| &it.typ) {
            Some(Type::Bool) => Ok(vec![ConcreteValue::Bool(false), ConcreteValue::Bool(true)]),
            Some(Type::Ref) => {
                let objects = (0..world.objects()).map(|it| ConcreteValue::Object(ObjectId(it)));
                Ok([ConcreteValue::Null].into_iter().chain(objects).collect())
            }
            Some(Type::Int) => {
                let guard = match (&*quantified.body.kind, quantified.universal) {
                    (ExpKind::Binary(BinaryOp::Implies, guard, _), true) => guard,
                    _ if !quantified.universal => &quantified.body,
                    _ => return unsupported("a quantifier without bounds", span),
                };
                let (mut low, mut high) = (None, None);
                self.bounds(world, scope, guard, variable, &mut low, &mut high)?;
                let (Some(low), Some(high)) = (low, high) else {
                    return unsupported("a quantifier without bounds", span);
                };
                let size = (&high - &low).to_u64().unwrap_or(if high < low { 0 } else { u64::MAX });
                self.charge(size, span)?;
                Ok((0..size).map(|it| ConcreteValue::Int(&low + BigInt::from(it))).collect())
            }
            _ => unsupported("a quantifier over this type", span),
        }
    }

    /// Bounds of a variable, the lower inclusive, the upper exclusive, from the conjuncts that can be evaluated.
    fn bounds(
        &mut self,
        world: &World,
        scope: &mut Scope,
        guard: &Exp,
        variable: VarId,
        low: &mut Option<BigInt>,
        high: &mut Option<BigInt>,
    ) -> ConcreteResult<()> {
        let ExpKind::Binary(op, a, b) = &*guard.kind else { return Ok(()) };
        if *op == BinaryOp::And {
            self.bounds(world, scope, a, variable, low, high)?;
            return self.bounds(world, scope, b, variable, low, high);
        }
        let is_variable = |it: &Exp| matches!(*it.kind, ExpKind::Var(found) if found == variable);
        // As `variable op other`.
        let (op, other) = match (is_variable(a), is_variable(b), op) {
            (true, false, op) => (*op, b),
            (false, true, BinaryOp::Lt) => (BinaryOp::Gt, a),
            (false, true, BinaryOp::Le) => (BinaryOp::Ge, a),
            (false, true, BinaryOp::Gt) => (BinaryOp::Lt, a),
            (false, true, BinaryOp::Ge) => (BinaryOp::Le, a),
            _ => return Ok(()),
        };
        // A bound that depends on a variable that has no value yet is none.
        let Ok(ConcreteValue::Int(value)) = self.evaluate(world, scope, other) else { return Ok(()) };
        match op {
            BinaryOp::Ge => raise(low, value),
            BinaryOp::Gt => raise(low, value + 1),
            BinaryOp::Lt => sink(high, value),
            BinaryOp::Le => sink(high, value + 1),
            _ => {}
        }
        Ok(())
    }
}

fn raise(low: &mut Option<BigInt>, value: BigInt) {
    *low = Some(low.take().map_or(value.clone(), |it| it.max(value)));
}

fn sink(high: &mut Option<BigInt>, value: BigInt) {
    *high = Some(high.take().map_or(value.clone(), |it| it.min(value)));
}

fn fraction(value: ConcreteValue) -> Option<BigRational> {
    match value {
        ConcreteValue::Int(value) => Some(BigRational::from(value)),
        ConcreteValue::Perm(value) => Some(value),
        _ => None,
    }
}

fn on_integers(op: BinaryOp, a: BigInt, b: BigInt, span: Span) -> ConcreteResult<ConcreteValue> {
    if matches!(op, BinaryOp::Div | BinaryOp::Mod) && b.is_zero() {
        return fail(ConcreteErrorKind::DivisionByZero, span);
    }
    if a.bits() + b.bits() > MOST_BITS {
        return fail(ConcreteErrorKind::OutOfSteps, span);
    }
    Ok(match op {
        BinaryOp::Add => ConcreteValue::Int(a + b),
        BinaryOp::Sub => ConcreteValue::Int(a - b),
        BinaryOp::Mul => ConcreteValue::Int(a * b),
        BinaryOp::Div => ConcreteValue::Int(a.div_euclid(&b)),
        BinaryOp::Mod => ConcreteValue::Int(a.rem_euclid(&b)),
        BinaryOp::Lt => ConcreteValue::Bool(a < b),
        BinaryOp::Le => ConcreteValue::Bool(a <= b),
        BinaryOp::Gt => ConcreteValue::Bool(a > b),
        BinaryOp::Ge => ConcreteValue::Bool(a >= b),
        _ => return unsupported("operands of other types", span),
    })
}

fn on_fractions(op: BinaryOp, a: BigRational, b: BigRational, span: Span) -> ConcreteResult<ConcreteValue> {
    if op == BinaryOp::PermDiv && b.is_zero() {
        return fail(ConcreteErrorKind::DivisionByZero, span);
    }
    if a.numer().bits() + a.denom().bits() + b.numer().bits() + b.denom().bits() > MOST_BITS {
        return fail(ConcreteErrorKind::OutOfSteps, span);
    }
    Ok(match op {
        BinaryOp::Add => ConcreteValue::Perm(a + b),
        BinaryOp::Sub => ConcreteValue::Perm(a - b),
        BinaryOp::Mul => ConcreteValue::Perm(a * b),
        BinaryOp::PermDiv => ConcreteValue::Perm(a / b),
        BinaryOp::Lt => ConcreteValue::Bool(a < b),
        BinaryOp::Le => ConcreteValue::Bool(a <= b),
        BinaryOp::Gt => ConcreteValue::Bool(a > b),
        BinaryOp::Ge => ConcreteValue::Bool(a >= b),
        _ => return unsupported("operands of other types", span),
    })
}
