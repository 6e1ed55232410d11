//! Operands that may not be evaluated: `&&`, `||`, `==>`, `? :`.
//!
//! Knows: where an operand has an effect, the choice becomes a statement over a temporary. Never: arithmetic.

use super::scope::Checker;
use super::value::{Ty, Value, place};
use crate::run::program::{Expr, ExprKind, Op, StmtKind, Target, Type, VarId};
use crate::syntax;
use effigy_contracts::Span;
use std::rc::Rc;

/// More operands with effects in a row are an error: each is a statement inside of the one before.
const MOST_EFFECTS: usize = 50;

impl Checker {
    /// `b1 op ... op bn`, evaluated only as far as needed.
    pub(super) fn connective(&mut self, op: Op, parts: &[&syntax::Expr], span: Span) -> Value {
        let effects = parts.iter().skip(1).filter(|it| self.has_effects(it)).count();
        if effects > MOST_EFFECTS {
            let message = format!("at most {MOST_EFFECTS} operands with effects in a row were expected");
            return self.wrong(span, message);
        }
        self.connected(op, parts, span)
    }

    fn connected(&mut self, op: Op, parts: &[&syntax::Expr], span: Span) -> Value {
        let effect = (1..parts.len()).find(|it| self.has_effects(parts[*it]));
        let Some(effect) = effect else {
            let mut operands = Vec::with_capacity(parts.len());
            for part in parts {
                let operand = self.expression(part);
                operands.push(self.expect(operand, &Ty::Bool));
            }
            return match operands.len() {
                1 => operands.remove(0),
                _ => self.op(op, operands, Ty::Bool, span),
            };
        };
        let left = self.connected(op, &parts[..effect], span);
        let res = self.temporary(Type::Bool);
        self.push(StmtKind::Assign(Target::Var(res), left.exp), span);
        let id = self.statement_id(span);
        let right = self.apart(|it| {
            let right = it.connected(op, &parts[effect..], span);
            it.push(StmtKind::Assign(Target::Var(res), right.exp), span);
        });
        let condition = place(ExprKind::Var(res), span);
        let otherwise: Rc<[_]> = Rc::from(Vec::new());
        let choice = match op {
            Op::Or => StmtKind::If(condition, otherwise, right),
            Op::Implies => {
                let holds = self.apart(|it| {
                    it.push(StmtKind::Assign(Target::Var(res), place(ExprKind::Bool(true), span)), span);
                });
                StmtKind::If(condition, right, holds)
            }
            _ => StmtKind::If(condition, right, otherwise),
        };
        self.push_as(id, choice);
        self.read_variable(res, span)
    }

    /// Checks a conditional expression, `b ? e1 : e2`.
    pub(super) fn choice(
        &mut self,
        condition: &syntax::Expr,
        positive: &syntax::Expr,
        negative: &syntax::Expr,
        span: Span,
    ) -> Value {
        let has_effects = self.has_effects(positive) || self.has_effects(negative);
        let condition = self.expression(condition);
        let condition = self.expect(condition, &Ty::Bool);
        if has_effects {
            return self.choice_statement(condition.exp, positive, negative, span);
        }
        let (positive, negative) = (self.expression(positive), self.expression(negative));
        let typ = self.joined(&positive, &negative, span);
        if typ == Ty::Wrong || condition.is_wrong() {
            return Value::wrong(span);
        }
        let depth = condition.depth.max(positive.depth).max(negative.depth);
        self.node(ExprKind::Cond(condition.exp, positive.exp, negative.exp), typ, depth, span)
    }

    fn choice_statement(
        &mut self,
        condition: Expr,
        positive: &syntax::Expr,
        negative: &syntax::Expr,
        span: Span,
    ) -> Value {
        let id = self.statement_id(span);
        let mut values = Vec::new();
        let mut blocks = [positive, negative].map(|side| {
            let before = std::mem::take(&mut self.out);
            values.push(self.expression(side));
            std::mem::replace(&mut self.out, before)
        });
        let (first, second) = (&values[0], &values[1]);
        let typ = self.joined(first, second, span);
        // Where both are `nil` there is nothing to keep.
        let res: Option<VarId> = typ.of_variable().map(|it| self.temporary(it));
        for (block, value) in blocks.iter_mut().zip(values) {
            let Some(res) = res else { continue };
            std::mem::swap(&mut self.out, block);
            self.push(StmtKind::Assign(Target::Var(res), value.exp), span);
            std::mem::swap(&mut self.out, block);
        }
        let [positive, negative] = blocks;
        self.push_as(id, StmtKind::If(condition, positive.into(), negative.into()));
        match res {
            Some(res) => self.read_variable(res, span),
            None => Value::leaf(ExprKind::Nil, typ, span),
        }
    }

    /// The type of two values one of which is taken.
    fn joined(&mut self, one: &Value, other: &Value, span: Span) -> Ty {
        if one.is_wrong() || other.is_wrong() {
            return Ty::Wrong;
        }
        one.typ.joined(&other.typ).unwrap_or_else(|| {
            let (one, other) = (self.name_of(&one.typ), self.name_of(&other.typ));
            self.error(span, format!("two values of one type were expected, not `{one}` and `{other}`"));
            Ty::Wrong
        })
    }
}
