//! Statements.
//!
//! Knows: blocks, assignments, control, ghost statements. Never: how expressions are checked.
//! Source: Smans et al. (2010), figure 8.

use super::Lowering;
use super::scope::{Position, Scope};
use crate::classes::Typ;
use crate::syntax::{Expr, ExprKind, Statement, StatementKind};
use effigy_contracts::Span;
use effigy_contracts::program::{ExpKind, LabelId, Stmt, StmtKind, VarId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Lowering<'_> {
    /// Statements in a row; `tail` if nothing of the member comes behind them.
    pub(super) fn statements(&mut self, scope: &mut Scope, statements: &[Statement], tail: bool) {
        for (index, statement) in statements.iter().enumerate() {
            self.statement(scope, statement, tail && index + 1 == statements.len());
        }
    }

    /// Statements in a scope of their own.
    fn block(&mut self, scope: &mut Scope, statements: &[Statement], tail: bool) -> Vec<Stmt> {
        let before = std::mem::take(&mut scope.out);
        scope.enter();
        self.statements(scope, statements, tail);
        scope.leave();
        std::mem::replace(&mut scope.out, before)
    }

    fn statement(&mut self, scope: &mut Scope, statement: &Statement, tail: bool) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Local(typ, name, value) => {
                let typ = self.classes.resolve(typ, &mut self.errors);
                if scope.find(&name.text).is_some() {
                    let message = format!("another name was expected: `{}` is declared in this method", name.text);
                    self.error(name.span, message);
                }
                let variable = scope.add(name.text.clone(), typ.clone(), name.span);
                match value {
                    // The name is not known inside of its own initialiser.
                    Some(value) => self.assign(scope, variable, &typ, value, true, span),
                    None => {
                        scope.push(StmtKind::Local(variable), span);
                        scope.push(StmtKind::Assign(variable, super::default(&typ, span)), span);
                    }
                }
                scope.name(name.text.clone(), variable);
            }
            StatementKind::Assign(target, value) => self.assignment(scope, target, value, span),
            StatementKind::Effect(expr) => match &*expr.kind {
                ExprKind::Call(receiver, name, args) => {
                    self.call_statement(scope, receiver.as_ref(), name, args, span);
                }
                _ => {
                    self.expression(scope, expr);
                }
            },
            StatementKind::If(condition, positive, negative) => {
                let condition = self.typed(scope, condition, Position::Code, &Typ::Bool);
                let positive = self.block(scope, positive, tail);
                let negative = self.block(scope, negative, tail);
                scope.push(StmtKind::If(condition, positive, negative), span);
            }
            StatementKind::While(condition, invariants, body) => {
                scope.conditional += 1;
                let condition = self.typed(scope, condition, Position::Code, &Typ::Bool);
                scope.conditional -= 1;
                let invariants = invariants.iter().map(|it| self.assertion(scope, it, Position::Inline)).collect();
                let body = self.block(scope, body, false);
                scope.push(StmtKind::While(condition, invariants, body), span);
            }
            StatementKind::Block(statements) => {
                let statements = self.block(scope, statements, tail);
                scope.push(StmtKind::Block(statements), span);
            }
            StatementKind::Return(value) => self.return_statement(scope, value.as_ref(), tail, span),
            StatementKind::Assert(condition) => {
                let condition = self.assertion(scope, condition, Position::Inline);
                scope.push(StmtKind::Assert(condition), span);
            }
            StatementKind::Join(assertion) => {
                let assertion = self.assertion(scope, assertion, Position::Inline);
                scope.push(StmtKind::Join(assertion), span);
            }
            StatementKind::Open(predicate) => {
                if let Some(predicate) = self.predicate_use(scope, predicate) {
                    scope.push(StmtKind::Unfold(predicate), span);
                }
            }
            StatementKind::Close(predicate) => {
                if let Some(predicate) = self.predicate_use(scope, predicate) {
                    scope.push(StmtKind::Fold(predicate), span);
                }
            }
            StatementKind::Use(call) => {
                if let Some(call) = self.pure_call(scope, call) {
                    scope.push(StmtKind::Use(call), span);
                }
            }
            StatementKind::Map(..) => self.executed_only(span, "arrays `T -> T'`"),
            StatementKind::Bound(..) => self.executed_only(span, "`|a| = e`"),
            StatementKind::Assume(_) => self.executed_only(span, "`assume`"),
            StatementKind::Par(_) => self.executed_only(span, "`par`"),
            StatementKind::Atomic(_) => self.executed_only(span, "`atomic`"),
            StatementKind::Skip => self.executed_only(span, "`skip`"),
        }
    }

    /// `x := e`; `new` and calls go right into the variable where nothing else can see it.
    fn assign(&mut self, scope: &mut Scope, variable: VarId, typ: &Typ, value: &Expr, fresh: bool, span: Span) {
        // Everything that the value needs comes before the declaration.
        let declared = |scope: &mut Scope| {
            if fresh {
                scope.push(StmtKind::Local(variable), span);
            }
        };
        let direct = fresh && matches!(&*value.kind, ExprKind::New(..) | ExprKind::NewArray(..) | ExprKind::Call(..));
        if direct {
            declared(scope);
        }
        let target = if fresh { Some(variable) } else { None };
        let value = match &*value.kind {
            ExprKind::New(name, args) => self.new_object(scope, name, args.as_deref(), value.span, target),
            ExprKind::NewArray(element, size) => self.new_array(scope, element, size, value.span, target),
            ExprKind::Call(receiver, name, args) => {
                self.call(scope, receiver.as_ref(), name, args, value.span, Some((variable, typ)))
            }
            _ => self.expression(scope, value),
        };
        let value = self.expect(value, typ);
        let value = self.pure(value).exp;
        if !direct {
            declared(scope);
        }
        // The value went right into the variable, or it is `x := x`.
        if !matches!(*value.kind, ExpKind::Var(it) if it == variable) {
            scope.push(StmtKind::Assign(variable, value), span);
        }
    }

    fn assignment(&mut self, scope: &mut Scope, target: &Expr, value: &Expr, span: Span) {
        let variable = match &*target.kind {
            ExprKind::Name(name) => scope.find(name),
            _ => None,
        };
        if let Some(variable) = variable {
            let typ = scope.types[variable.index()].clone();
            return self.assign(scope, variable, &typ, value, false, span);
        }
        let Some((mut target, typ)) = self.target(scope, target) else { return };
        if self.has_effects(value) {
            target = self.keep_target(scope, target);
        }
        let value = self.typed(scope, value, Position::Code, &typ);
        self.write(scope, target, value, span);
    }

    fn return_statement(&mut self, scope: &mut Scope, value: Option<&Expr>, tail: bool, span: Span) {
        match (value, scope.returned.clone()) {
            (Some(value), Some((variable, typ))) => self.assign(scope, variable, &typ, value, false, span),
            (Some(_), None) => self.error(span, "`return;` was expected: this method has no result"),
            (None, Some(_)) => self.error(span, "a value was expected: this method has a result"),
            (None, None) => {}
        }
        if !tail {
            scope.jumps = true;
            scope.push(StmtKind::Goto(LabelId(0)), span);
        }
    }
}

/// Whether every way through these statements ends in a `return`.
pub(super) fn returns(statements: &[Statement]) -> bool {
    statements.iter().any(|it| match &it.kind {
        StatementKind::Return(_) => true,
        StatementKind::If(_, positive, negative) => returns(positive) && returns(negative),
        StatementKind::Block(statements) => returns(statements),
        _ => false,
    })
}

/// The parameters that are assigned somewhere.
pub(super) fn assigned_parameters(scope: &Scope, statements: &[Statement]) -> Vec<VarId> {
    let mut names = FxHashSet::default();
    assigned(statements, &mut names);
    let mut res: Vec<VarId> = names.iter().filter_map(|it| scope.find(it)).filter(|it| *it != VarId(0)).collect();
    res.sort();
    res
}

fn assigned(statements: &[Statement], names: &mut FxHashSet<Arc<str>>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Local(_, _, value) | StatementKind::Return(value) => {
                value.iter().for_each(|it| stepped(it, names));
            }
            StatementKind::Assign(target, value) => {
                if let ExprKind::Name(name) = &*target.kind {
                    names.insert(name.clone());
                }
                stepped(target, names);
                stepped(value, names);
            }
            StatementKind::Effect(expr) => stepped(expr, names),
            StatementKind::If(condition, positive, negative) => {
                stepped(condition, names);
                assigned(positive, names);
                assigned(negative, names);
            }
            StatementKind::While(_, _, body) | StatementKind::Block(body) => assigned(body, names),
            _ => {}
        }
    }
}

fn stepped(expr: &Expr, names: &mut FxHashSet<Arc<str>>) {
    if let ExprKind::Step(target, _) = &*expr.kind
        && let ExprKind::Name(name) = &*target.kind
    {
        names.insert(name.clone());
    }
    expr.kind.parts().into_iter().for_each(|it| stepped(it, names));
}
