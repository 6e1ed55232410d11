//! What `assume` assumes of an assertion.
//!
//! Knows: which permissions a conjunct says are held beside those of the conjuncts before. Never: a heap that changes.

use crate::machine::{Machine, Res, Scene};
use effigy_contracts::program::{BinaryOp, Exp, ExpKind};
use effigy_heap::heap::Resource;
use effigy_term::Term;

impl<'a> Machine<'a, '_> {
    /// What `assume` assumes of an assertion: that the permissions are held. `before` are those of the conjuncts before,
    /// with what they are of and under which condition: they are held beside these.
    pub(super) fn assumed(
        &mut self,
        scene: &Scene<'_, 'a>,
        exp: &'a Exp,
        before: &mut Vec<(Resource, Vec<Term>, Term)>,
    ) -> Res<Term> {
        match &*exp.kind {
            _ if exp.is_pure() => self.eval(scene, exp),
            ExpKind::Binary(BinaryOp::And, left, right) => {
                let left = self.assumed(scene, left, before)?;
                let right = self.assumed(scene, right, before)?;
                Ok(self.terms.and(left, right))
            }
            ExpKind::Binary(BinaryOp::Implies, cond, then) => {
                let cond = self.eval(scene, cond)?;
                self.assumed_under(scene, cond, then, before)
            }
            ExpKind::Cond(cond, then, other) => {
                let cond = self.eval(scene, cond)?;
                let then = self.assumed_under(scene, cond, then, before)?;
                let negated = self.terms.not(cond);
                let other = self.assumed_under(scene, negated, other, before)?;
                Ok(self.terms.and(then, other))
            }
            ExpKind::InhaleExhale(inhaled, _) => self.assumed(scene, inhaled, before),
            ExpKind::AccField(receiver, field, perm) => {
                let receiver = self.eval(scene, receiver)?;
                self.assumed_held(scene, Resource::Field(*field), vec![receiver], perm.as_ref(), before)
            }
            ExpKind::AccPredicate(instance) => {
                let args = self.eval_all(scene, &instance.args)?;
                let resource = Resource::Predicate(instance.predicate);
                self.assumed_held(scene, resource, args, instance.perm.as_deref(), before)
            }
            ExpKind::Unsupported(what) => self.unsupported(what, exp.span),
            ExpKind::Quantified(_) => self.unsupported("quantified permissions", exp.span),
            _ => self.unsupported("assume of this assertion", exp.span),
        }
    }

    pub(super) fn assumed_under(
        &mut self,
        scene: &Scene<'_, 'a>,
        cond: Term,
        exp: &'a Exp,
        before: &mut Vec<(Resource, Vec<Term>, Term)>,
    ) -> Res<Term> {
        let mut inside = before.clone();
        let fact = self.under(cond, &mut |machine| machine.assumed(scene, exp, &mut inside))?;
        let none = self.no_permission();
        for (resource, args, amount) in inside.drain(before.len()..).collect::<Vec<_>>() {
            before.push((resource, args, self.terms.ite(cond, amount, none)));
        }
        Ok(fact.map_or(self.terms.not(cond), |fact| self.terms.implies(cond, fact)))
    }

    pub(super) fn assumed_held(
        &mut self,
        scene: &Scene<'_, 'a>,
        resource: Resource,
        args: Vec<Term>,
        perm: Option<&'a Exp>,
        before: &mut Vec<(Resource, Vec<Term>, Term)>,
    ) -> Res<Term> {
        let amount = match perm {
            None => self.write(),
            Some(perm) => self.permission(scene, perm)?,
        };
        let held = self.held(scene.heap, resource, &args);
        let mut sum = amount.term;
        for (other, other_args, other_amount) in before.iter() {
            if *other == resource {
                let pairs = args.iter().zip(other_args).map(|(&a, &b)| self.terms.eq(a, b));
                let same = self.terms.and_all(pairs);
                let part = self.terms.ite(same, *other_amount, self.no_permission());
                sum = self.terms.real_add(sum, part);
            }
        }
        before.push((resource, args, amount.term));
        Ok(self.terms.real_le(sum, held))
    }
}
