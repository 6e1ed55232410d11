//! Rows of operators.
//!
//! Knows: precedences below `&&`: comparisons (chains of order only), `+ -`, `* / %`. Never: other constructs.

use super::scope::Checker;
use super::value::{Ty, Value};
use crate::run::program::{Expr, ExprKind, Op};
use crate::syntax::{self, ChainOp, join};
use effigy_contracts::Span;

/// Longer rows are an error: they become trees that lean to the left.
const MOST_OPERATORS: usize = 200;

/// The middle of `a < e < b` is used twice: with more nodes than this, nested ones could double too often.
const MOST_SHARED: u32 = 100;

impl Checker {
    pub(super) fn chain(&mut self, parts: &[syntax::Expr], ops: &[ChainOp], span: Span) -> Value {
        let parts: Vec<&syntax::Expr> = parts.iter().collect();
        let operands = self.operands(&parts);
        if operands.iter().any(Value::is_wrong) {
            return Value::wrong(span);
        }
        let separates = |k: usize| operands[k].typ != Ty::Int || operands[k + 1].typ != Ty::Int;
        if (0..ops.len()).any(|k| ops[k] == ChainOp::Star && separates(k)) {
            return self.specified("the separating `*`", span);
        }
        if ops.len() > MOST_OPERATORS {
            let message = format!("at most {MOST_OPERATORS} operators in a row were expected: use parentheses");
            return self.wrong(span, message);
        }
        let comparisons: Vec<usize> = (0..ops.len()).filter(|k| ops[*k].is_comparison()).collect();
        if comparisons.len() > 1 && comparisons.iter().any(|k| matches!(ops[*k], ChainOp::Eq | ChainOp::Ne)) {
            return self.wrong(span, "parentheses were expected: `=` and `≠` are not chained");
        }
        let mut sides = Vec::with_capacity(comparisons.len() + 1);
        let mut rest = operands.into_iter();
        let mut start = 0;
        for end in comparisons.iter().copied().chain([ops.len()]) {
            let row: Vec<Value> = rest.by_ref().take(end - start + 1).collect();
            sides.push(self.sum(row, &ops[start..end]));
            start = end + 1;
        }
        if comparisons.is_empty() {
            return sides.pop().unwrap_or_else(|| Value::wrong(span));
        }
        let middle = sides.len() - 1;
        for side in &sides[1..middle] {
            let mut left = MOST_SHARED;
            if !is_small(&side.exp, &mut left) {
                let message = format!("at most {MOST_SHARED} operations were expected in the middle of a chain");
                return self.wrong(side.exp.span, message);
            }
        }
        let mut res = Vec::with_capacity(comparisons.len());
        for (k, pair) in comparisons.iter().zip(sides.windows(2)) {
            res.push(self.compare(ops[*k], &pair[0], &pair[1]));
        }
        match (res.len(), res.pop()) {
            (1, Some(only)) => only,
            (_, Some(last)) => {
                res.push(last);
                self.op(Op::And, res, Ty::Bool, span)
            }
            _ => Value::wrong(span),
        }
    }

    fn compare(&mut self, op: ChainOp, a: &Value, b: &Value) -> Value {
        let span = join(a.exp.span, b.exp.span);
        if matches!(op, ChainOp::Eq | ChainOp::Ne) {
            if a.typ.joined(&b.typ).is_none() {
                let (one, other) = (self.name_of(&a.typ), self.name_of(&b.typ));
                let message = format!("two values of one type were expected, not `{one}` and `{other}`");
                return self.wrong(span, message);
            }
        } else if !self.expect_type(a.exp.span, &Ty::Int, &a.typ) | !self.expect_type(b.exp.span, &Ty::Int, &b.typ) {
            return Value::wrong(span);
        }
        let (a, b) = (a.clone(), b.clone());
        let (op, operands) = match op {
            ChainOp::Eq => (Op::Eq, vec![a, b]),
            ChainOp::Ne => (Op::Ne, vec![a, b]),
            ChainOp::Lt => (Op::Lt, vec![a, b]),
            ChainOp::Le => (Op::Le, vec![a, b]),
            ChainOp::Gt => (Op::Lt, vec![b, a]),
            _ => (Op::Le, vec![b, a]),
        };
        self.op(op, operands, Ty::Bool, span)
    }

    /// Checks a chain of `+ - * / %`, from left to right.
    fn sum(&mut self, operands: Vec<Value>, ops: &[ChainOp]) -> Value {
        let mut rest = operands.into_iter();
        let Some(first) = rest.next() else { return Value::wrong(Span::default()) };
        if ops.is_empty() {
            return first;
        }
        let mut total: Option<(Value, Op)> = None;
        let mut product = self.expect(first, &Ty::Int);
        for (op, operand) in ops.iter().zip(rest) {
            let operand = self.expect(operand, &Ty::Int);
            let factor = match op {
                ChainOp::Star => Op::Mul,
                ChainOp::Div => Op::Div,
                ChainOp::Mod => Op::Mod,
                _ => {
                    let op = if *op == ChainOp::Add { Op::Add } else { Op::Sub };
                    total = Some((self.added(total, product), op));
                    product = operand;
                    continue;
                }
            };
            product = self.arithmetic(factor, product, operand);
        }
        self.added(total, product)
    }

    fn added(&mut self, total: Option<(Value, Op)>, product: Value) -> Value {
        match total {
            Some((total, op)) => self.arithmetic(op, total, product),
            None => product,
        }
    }

    fn arithmetic(&mut self, op: Op, a: Value, b: Value) -> Value {
        let span = join(a.exp.span, b.exp.span);
        self.op(op, vec![a, b], Ty::Int, span)
    }
}

/// Whether an expression has no more than `left` nodes, shared ones counted as often as they are used.
fn is_small(exp: &Expr, left: &mut u32) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match &*exp.kind {
        ExprKind::Nil | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Var(_) | ExprKind::Length(_) => true,
        ExprKind::Field(a, _) | ExprKind::Element(_, a) => is_small(a, left),
        ExprKind::Item(a, b) => is_small(a, left) && is_small(b, left),
        ExprKind::Op(_, operands) => operands.iter().all(|it| is_small(it, left)),
        ExprKind::Cond(a, b, c) => is_small(a, left) && is_small(b, left) && is_small(c, left),
    }
}
