//! Rows of operators: which `*` multiplies and which separates.
//!
//! Knows: precedences below `&&`: separating `*`, comparisons, `+ -`, `* / %`. Never: other constructs.

use super::Lowering;
use super::expression::{balanced, named};
use super::scope::{Scope, TypedExp};
use crate::classes::Typ;
use crate::syntax::{ChainOp, Expr, join};
use effigy_contracts::Span;
use effigy_contracts::program::{BinaryOp, Exp, ExpKind, Type};

/// Longer rows are an error: they become trees that lean to the left. Conjunctions, which may be long, are balanced.
const MOST_OPERATORS: usize = 200;

impl Lowering<'_> {
    pub(super) fn chain(&mut self, scope: &mut Scope, parts: &[Expr], ops: &[ChainOp], span: Span) -> TypedExp {
        let parts: Vec<&Expr> = parts.iter().collect();
        let operands = self.operands(scope, &parts);
        if operands.iter().any(|it| it.typ == Typ::Wrong) {
            return TypedExp::wrong(span);
        }
        let multiplies = |k: usize| operands[k].typ == Typ::Int && operands[k + 1].typ == Typ::Int;
        let separators: Vec<usize> = (0..ops.len()).filter(|k| ops[*k] == ChainOp::Star && !multiplies(*k)).collect();
        if separators.is_empty() {
            return self.comparison(scope, operands, ops);
        }
        self.separated(scope, operands, ops, separators, span)
    }

    /// The conjunction of the rows between these operators.
    fn separated(
        &mut self,
        scope: &mut Scope,
        operands: Vec<TypedExp>,
        ops: &[ChainOp],
        separators: Vec<usize>,
        span: Span,
    ) -> TypedExp {
        let mut conjuncts = Vec::with_capacity(separators.len() + 1);
        let mut rest = operands.into_iter();
        let mut start = 0;
        for end in separators.into_iter().chain([ops.len()]) {
            let row = rest.by_ref().take(end - start + 1).collect();
            let part = self.comparison(scope, row, &ops[start..end]);
            conjuncts.push(self.expect(part, &Typ::Bool).exp);
            start = end + 1;
        }
        let exp = balanced(BinaryOp::And, conjuncts).unwrap_or_else(|| TypedExp::wrong(span).exp);
        TypedExp { exp, typ: Typ::Bool }
    }

    /// A row without a separating `*`.
    fn comparison(&mut self, scope: &mut Scope, operands: Vec<TypedExp>, ops: &[ChainOp]) -> TypedExp {
        if ops.len() > MOST_OPERATORS {
            let message = format!("at most {MOST_OPERATORS} operators in a row were expected: use parentheses");
            self.error(operands[0].exp.span, message);
            return TypedExp::wrong(operands[0].exp.span);
        }
        let comparisons: Vec<usize> = (0..ops.len()).filter(|k| ops[*k].is_comparison()).collect();
        if comparisons.is_empty() {
            return self.sum(operands, ops);
        }
        let span = join(operands[0].exp.span, operands[operands.len() - 1].exp.span);
        // `a = b * c = d`: an equation is not chained, so the one `*` between two comparisons separates them.
        let mut separators = Vec::new();
        for pair in comparisons.windows(2) {
            let mut stars = (pair[0]..pair[1]).filter(|k| ops[*k] == ChainOp::Star);
            let equation = pair.iter().any(|k| matches!(ops[*k], ChainOp::Eq | ChainOp::Ne));
            match (equation, stars.next(), stars.next()) {
                (false, None, _) => {}
                (true, Some(only), None) => separators.push(only),
                (true, None, _) => {
                    self.error(span, "parentheses were expected: `=` and `≠` are not chained");
                    return TypedExp::wrong(span);
                }
                (_, Some(_), _) => {
                    let message = "parentheses were expected: `*` could multiply or separate here";
                    self.error(span, message);
                    return TypedExp::wrong(span);
                }
            }
        }
        if !separators.is_empty() {
            return self.separated(scope, operands, ops, separators, span);
        }
        let mut sides = Vec::new();
        let mut rest = operands.into_iter();
        let mut start = 0;
        for end in comparisons.iter().copied().chain([ops.len()]) {
            let row = rest.by_ref().take(end - start + 1).collect();
            let side = self.sum(row, &ops[start..end]);
            sides.push(self.pure(side));
            start = end + 1;
        }
        // The middle of a chain is used twice.
        let mut names = Vec::new();
        let middle = sides.len() - 1;
        for side in &mut sides[1..middle] {
            let value = side.exp.clone();
            let (name, shared) = self.shared(scope, value.clone(), &side.typ);
            names.push((name, value));
            side.exp = shared;
        }
        let mut res = Vec::new();
        for (k, pair) in comparisons.iter().zip(sides.windows(2)) {
            res.push(self.compare(ops[*k], &pair[0], &pair[1]));
        }
        let Some(mut exp) = balanced(BinaryOp::And, res) else { return TypedExp::wrong(span) };
        for (name, value) in names.into_iter().rev() {
            exp = named(name, value, exp);
        }
        TypedExp { exp, typ: Typ::Bool }
    }

    fn compare(&mut self, op: ChainOp, a: &TypedExp, b: &TypedExp) -> Exp {
        let span = join(a.exp.span, b.exp.span);
        let op = match op {
            ChainOp::Eq => BinaryOp::Eq,
            ChainOp::Ne => BinaryOp::Ne,
            ChainOp::Lt => BinaryOp::Lt,
            ChainOp::Le => BinaryOp::Le,
            ChainOp::Gt => BinaryOp::Gt,
            _ => BinaryOp::Ge,
        };
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.expect(a.clone(), &Typ::Int);
            self.expect(b.clone(), &Typ::Int);
        } else if !a.typ.accepts(&b.typ) && !b.typ.accepts(&a.typ) {
            let (one, other) = (self.classes.name(&a.typ), self.classes.name(&b.typ));
            self.error(span, format!("two values of one type were expected, not `{one}` and `{other}`"));
        }
        Exp::new(ExpKind::Binary(op, a.exp.clone(), b.exp.clone()), Type::Bool, span)
    }

    /// Lowers a chain of `+ - * / %`, from left to right.
    fn sum(&mut self, operands: Vec<TypedExp>, ops: &[ChainOp]) -> TypedExp {
        let mut rest = operands.into_iter();
        let Some(first) = rest.next() else { return TypedExp::wrong(Span::default()) };
        if ops.is_empty() {
            return first;
        }
        let mut total: Option<(Exp, BinaryOp)> = None;
        let mut product = self.number(first);
        for (op, operand) in ops.iter().zip(rest) {
            let operand = self.number(operand);
            let factor = match op {
                ChainOp::Star => BinaryOp::Mul,
                ChainOp::Div => BinaryOp::Div,
                ChainOp::Mod => BinaryOp::Mod,
                _ => {
                    let op = if *op == ChainOp::Add { BinaryOp::Add } else { BinaryOp::Sub };
                    total = Some((added(total, product), op));
                    product = operand;
                    continue;
                }
            };
            product = arithmetic(factor, product, operand);
        }
        TypedExp { exp: added(total, product), typ: Typ::Int }
    }

    fn number(&mut self, operand: TypedExp) -> Exp {
        let res = self.expect(operand, &Typ::Int);
        self.pure(res).exp
    }
}

fn added(total: Option<(Exp, BinaryOp)>, product: Exp) -> Exp {
    match total {
        Some((total, op)) => arithmetic(op, total, product),
        None => product,
    }
}

fn arithmetic(op: BinaryOp, a: Exp, b: Exp) -> Exp {
    let span = join(a.span, b.span);
    Exp::new(ExpKind::Binary(op, a, b), Type::Int, span)
}
