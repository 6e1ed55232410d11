//! Query count estimation: the variables on which one of the next branches, a subscript or a divisor depends.
//!
//! Knows: how values flow to questions within a procedure. Never: states, which of them become one; what a procedure
//! asks that is called: of what it is given, anything.
//! Source: Kuznetsov, Kinder, Bucur, Candea, "Efficient state merging in symbolic execution", PLDI 2012, section 3.2,
//! as in `languages/llvm/src/flow/soon.rs`.

use crate::code::{Argument, Arithmetic, Cond, Expr, Op, OpKind, Procedure, Target};
use std::collections::BTreeMap;

/// So many branches ahead are looked at.
const AHEAD: u8 = 5;

/// The slots that are asked of, and after how many branches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct HotVariables(BTreeMap<u32, u8>);

impl HotVariables {
    /// The slots that are asked of.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u32> {
        self.0.keys().copied()
    }

    /// From each operation of a procedure on.
    pub(super) fn of(procedure: &Procedure) -> Vec<HotVariables> {
        let mut res = vec![HotVariables::default(); procedure.ops.len()];
        loop {
            let mut changed = false;
            for at in (0..procedure.ops.len()).rev() {
                let soon = before(procedure, at, &res);
                changed |= soon != res[at];
                res[at] = soon;
            }
            if !changed {
                return res;
            }
        }
    }

    fn add(&mut self, slot: u32, after: u8) {
        if after <= AHEAD {
            let known = self.0.entry(slot).or_insert(after);
            *known = after.min(*known);
        }
    }

    fn add_all(&mut self, other: &HotVariables, further: u8) {
        other.0.iter().for_each(|(slot, after)| self.add(*slot, after + further));
    }

    /// An expression is evaluated; `hot` says after how many branches its value is asked of.
    fn expr(&mut self, expr: &Expr, hot: Option<u8>) {
        match expr {
            Expr::Load(slot) | Expr::LowerBound(slot) | Expr::UpperBound(slot) => {
                hot.into_iter().for_each(|it| self.add(*slot, it));
            }
            Expr::Element(slot, at) => {
                hot.into_iter().for_each(|it| self.add(*slot, it));
                self.expr(at, Some(0));
            }
            Expr::Binary(op, a, b) => {
                self.expr(a, hot);
                let asks = matches!(op, Arithmetic::Divide | Arithmetic::Mod | Arithmetic::Rem | Arithmetic::Power);
                self.expr(b, if asks { Some(0) } else { hot });
            }
            Expr::Conditional(cond, a, b) => {
                self.cond(cond);
                self.expr(a, hot);
                self.expr(b, hot);
            }
            Expr::Abs(inner) | Expr::At(_, inner) => self.expr(inner, hot),
            Expr::OldElement(_, at) => self.expr(at, Some(0)),
            Expr::Number(_) | Expr::Symbol(_) | Expr::Bound(_) | Expr::Old(_) => {}
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Constant(_) => {}
            Cond::Compare(_, a, b) => {
                self.expr(a, Some(0));
                self.expr(b, Some(0));
            }
            Cond::And(a, b) | Cond::Or(a, b) | Cond::Implies(a, b) => {
                self.cond(a);
                self.cond(b);
            }
            Cond::Not(inner) | Cond::Quantifier(_, _, inner) => self.cond(inner),
        }
    }

    /// A value that is asked of after so many branches is written; a whole variable forgets what it was.
    fn write(&mut self, target: &Target) -> Option<u8> {
        match target {
            Target::Scalar(slot) => self.0.remove(slot),
            Target::Element(slot, at) => {
                let hot = self.0.get(slot).copied();
                self.expr(at, Some(0));
                hot
            }
        }
    }
}

/// What is asked of before an operation, from what is after those that can follow it.
fn before(procedure: &Procedure, at: usize, after: &[HotVariables]) -> HotVariables {
    let Op { kind, .. } = &procedure.ops[at];
    let mut res = HotVariables::default();
    match kind {
        OpKind::Branch(_, then, otherwise) => {
            [then, otherwise].into_iter().filter_map(|it| after.get(*it as usize)).for_each(|it| res.add_all(it, 1));
        }
        OpKind::Jump(to) => after.get(*to as usize).into_iter().for_each(|it| res.add_all(it, 0)),
        OpKind::Return(_) => {}
        _ => after.get(at + 1).into_iter().for_each(|it| res.add_all(it, 0)),
    }
    match kind {
        OpKind::Assign(target, value) => {
            let hot = res.write(target);
            res.expr(value, hot);
        }
        OpKind::Branch(cond, ..) | OpKind::Assume(cond) | OpKind::Prove(cond) | OpKind::Assert(cond) => res.cond(cond),
        OpKind::Call(_, arguments, result) => {
            if let Some(result) = result {
                res.0.remove(result);
            }
            for argument in arguments {
                match argument {
                    Argument::Reference(Target::Scalar(slot)) | Argument::Array(slot) => res.add(*slot, 0),
                    Argument::Reference(Target::Element(slot, at)) => {
                        res.add(*slot, 0);
                        res.expr(at, Some(0));
                    }
                    Argument::Dummy(value) => res.expr(value, Some(0)),
                }
            }
        }
        OpKind::Return(value) => {
            // Whoever has called it may ask; so may another call of a STATIC variable.
            value.iter().for_each(|it| res.expr(it, Some(1)));
            let kept = (0..).zip(&procedure.slots).filter(|it| it.1.is_static.is_some());
            kept.for_each(|(slot, _)| res.add(slot, 1));
        }
        OpKind::Read(target) => {
            res.write(target);
        }
        OpKind::Write(values) => values.iter().for_each(|it| res.expr(it, None)),
        OpKind::Enter | OpKind::Jump(_) | OpKind::Null => {}
    }
    res
}
