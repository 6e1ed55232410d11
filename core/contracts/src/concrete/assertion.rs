//! Assertions: whether they hold of a heap.
//!
//! Knows: what an assertion asks for, and that of a location there is only 1. Never: statements.

use super::evaluate::truth;
use super::value::{ConcreteValue, ObjectId};
use super::world::World;
use super::{ConcreteErrorKind, ConcreteResult, Interpreter, Scope, fail, unsupported};
use crate::program::{BinaryOp, Exp, ExpKind, FieldId, PredicateUse};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// How much of each location an assertion asks for.
pub(super) type Footprint = BTreeMap<(ObjectId, FieldId), BigRational>;

/// The full permission amount, which is one.
pub(super) fn whole() -> BigRational {
    BigRational::one()
}

impl Interpreter<'_> {
    /// Whether an assertion holds, on its own.
    pub(super) fn holds(&mut self, world: &World, scope: &mut Scope, exp: &Exp) -> ConcreteResult<bool> {
        self.takes(world, scope, exp, &whole(), &mut Footprint::default())
    }

    /// Whether an assertion holds, `scale` times, beside what was taken already.
    pub(super) fn takes(
        &mut self,
        world: &World,
        scope: &mut Scope,
        exp: &Exp,
        scale: &BigRational,
        taken: &mut Footprint,
    ) -> ConcreteResult<bool> {
        if exp.is_pure() {
            let value = self.evaluate(world, scope, exp)?;
            return truth(&value, exp.span);
        }
        self.enter(exp.span)?;
        let res = self.takes_part(world, scope, exp, scale, taken);
        self.depth -= 1;
        res
    }

    fn takes_part(
        &mut self,
        world: &World,
        scope: &mut Scope,
        exp: &Exp,
        scale: &BigRational,
        taken: &mut Footprint,
    ) -> ConcreteResult<bool> {
        let span = exp.span;
        match &*exp.kind {
            ExpKind::Binary(BinaryOp::And, a, b) => {
                Ok(self.takes(world, scope, a, scale, taken)? && self.takes(world, scope, b, scale, taken)?)
            }
            ExpKind::Binary(BinaryOp::Implies, a, b) => {
                Ok(!self.holds(world, scope, a)? || self.takes(world, scope, b, scale, taken)?)
            }
            ExpKind::Cond(condition, a, b) => {
                let side = if self.holds(world, scope, condition)? { a } else { b };
                self.takes(world, scope, side, scale, taken)
            }
            ExpKind::Let(variable, value, body) => {
                let value = self.evaluate(world, scope, value)?;
                let before = scope.variables[variable.index()].replace(value);
                let res = self.takes(world, scope, body, scale, taken);
                scope.variables[variable.index()] = before;
                res
            }
            ExpKind::Old(label, body) => {
                let world = scope.old(*label, span)?;
                self.takes(&world, scope, body, scale, taken)
            }
            ExpKind::AccField(receiver, field, amount) => {
                let receiver = self.evaluate(world, scope, receiver)?;
                let amount = self.amount(world, scope, amount.as_ref())?;
                Ok(match amount {
                    Some(amount) if amount.is_negative() => false,
                    Some(amount) if amount.is_zero() => true,
                    amount => take(world, &receiver, *field, amount.map(|it| it * scale), taken),
                })
            }
            ExpKind::AccPredicate(predicate) => self.takes_predicate(world, scope, predicate, scale, taken),
            ExpKind::Unfolding(_, body) | ExpKind::Using(_, body) | ExpKind::InhaleExhale(_, body) => {
                self.takes(world, scope, body, scale, taken)
            }
            ExpKind::Asserting(condition, body) => {
                if !self.holds(world, scope, condition)? {
                    return fail(ConcreteErrorKind::AssertionFalse, condition.span);
                }
                self.takes(world, scope, body, scale, taken)
            }
            ExpKind::Untouched(body) => {
                let before = scope.old(None, span)?;
                let (mut now, mut then) = (Footprint::default(), Footprint::default());
                let both = self.takes(world, scope, body, &whole(), &mut now)?
                    && self.takes(&before, scope, body, &whole(), &mut then)?;
                let same = |(object, field): &(ObjectId, FieldId)| {
                    world.field(*object, *field) == before.field(*object, *field)
                };
                Ok(both && now == then && now.keys().all(same))
            }
            ExpKind::Quantified(quantified) => {
                self.quantified(world, scope, quantified, span, &mut |it, scope, body| {
                    it.takes(world, scope, body, scale, taken)
                })
            }
            _ => unsupported("an assertion of this form", span),
        }
    }

    fn takes_predicate(
        &mut self,
        world: &World,
        scope: &mut Scope,
        predicate: &PredicateUse,
        scale: &BigRational,
        taken: &mut Footprint,
    ) -> ConcreteResult<bool> {
        let mut args = Vec::with_capacity(predicate.args.len());
        for arg in &predicate.args {
            args.push(self.evaluate(world, scope, arg)?);
        }
        let scale = match self.amount(world, scope, predicate.perm.as_deref())? {
            Some(amount) if amount.is_negative() => return Ok(false),
            Some(amount) => amount * scale,
            // Some amount, as small as it may be.
            None => BigRational::zero(),
        };
        let program = self.program;
        let declared = &program.predicates[predicate.predicate.index()];
        let Some(body) = &declared.body else { return Ok(true) };
        let mut inner = Scope::new(&declared.variables, &args, world, 0);
        self.takes(world, &mut inner, body, &scale, taken)
    }

    /// An amount; `None` is some positive one.
    fn amount(
        &mut self,
        world: &World,
        scope: &mut Scope,
        amount: Option<&Exp>,
    ) -> ConcreteResult<Option<BigRational>> {
        match amount {
            None => Ok(Some(whole())),
            Some(exp) if matches!(*exp.kind, ExpKind::Wildcard) => Ok(None),
            Some(exp) => match self.evaluate(world, scope, exp)? {
                ConcreteValue::Perm(amount) => Ok(Some(amount)),
                ConcreteValue::Int(amount) => Ok(Some(BigRational::from(amount))),
                _ => unsupported("a permission amount of another type", exp.span),
            },
        }
    }
}

/// Takes an amount of a location, if it exists and so much is left; without an amount, some.
fn take(
    world: &World,
    receiver: &ConcreteValue,
    field: FieldId,
    amount: Option<BigRational>,
    taken: &mut Footprint,
) -> bool {
    let ConcreteValue::Object(object) = receiver else { return false };
    if world.field(*object, field).is_none() {
        return false;
    }
    let sum = taken.entry((*object, field)).or_insert_with(BigRational::zero);
    match amount {
        Some(amount) => {
            *sum += amount;
            *sum <= whole()
        }
        None => *sum < whole(),
    }
}
