//! Statements.
//!
//! Knows: blocks, declarations, assignments, control, threads; ghost statements have no effect. Never: operators.

use super::scope::Checker;
use super::value::{Ty, default, place};
use crate::run::program::{Block, Expr, ExprKind, Op, StmtKind, Target, Type};
use crate::syntax::{self, Name, Statement, StatementKind};
use effigy_contracts::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Checker {
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|it| self.statement(it));
    }

    /// Statements in a scope of their own.
    fn block(&mut self, statements: &[Statement]) -> Block {
        self.apart(|it| {
            it.scopes.push(FxHashMap::default());
            it.statements(statements);
            it.scopes.pop();
        })
    }

    /// The statements that something adds, as a block of their own.
    pub(super) fn apart(&mut self, run: impl FnOnce(&mut Self)) -> Block {
        let before = std::mem::take(&mut self.out);
        run(self);
        std::mem::replace(&mut self.out, before).into()
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Local(typ, name, value) => {
                let top = self.is_main() && self.scopes.len() == 1;
                let typ = if top { None } else { self.resolve(typ) };
                self.declaration(top, typ, name, value.as_ref(), span);
            }
            StatementKind::Map(index, element, name) => {
                let top = self.is_main() && self.scopes.len() == 1;
                if !self.is_main() {
                    let message = "a variable of the main statement was expected: arrays `T -> T'` are not local";
                    return self.error(span, message);
                }
                let typ = if top { None } else { self.map_type(index, element) };
                self.declaration(top, typ, name, None, span);
            }
            StatementKind::Assign(target, value) => self.assignment(target, value, span),
            StatementKind::Effect(expr) => self.effect_statement(expr, span),
            StatementKind::If(condition, positive, negative) => {
                let condition = self.typed(condition, &Ty::Bool);
                let id = self.statement_id(span);
                let (positive, negative) = (self.block(positive), self.block(negative));
                self.push_as(id, StmtKind::If(condition, positive, negative));
            }
            StatementKind::While(condition, _, body) => self.loop_statement(condition, body, span),
            StatementKind::Block(statements) => {
                let id = self.statement_id(span);
                let block = self.block(statements);
                self.push_as(id, StmtKind::Block(block));
            }
            StatementKind::Return(value) => self.return_statement(value.as_ref(), span),
            StatementKind::Assume(condition) => {
                let condition = self.typed(condition, &Ty::Bool);
                self.push(StmtKind::Assume(condition), span);
            }
            StatementKind::Assert(condition) => self.assertion(condition, span),
            StatementKind::Bound(name, length) => self.bound(name, length, span),
            StatementKind::Par(threads) => {
                let id = self.statement_id(span);
                self.threads += 1;
                let threads = threads.iter().map(|it| self.block(it)).collect();
                self.threads -= 1;
                self.push_as(id, StmtKind::Par(threads));
            }
            StatementKind::Atomic(statements) => {
                let id = self.statement_id(span);
                let block = self.block(statements);
                self.push_as(id, StmtKind::Atomic(block));
            }
            StatementKind::Skip
            | StatementKind::Open(_)
            | StatementKind::Close(_)
            | StatementKind::Use(_)
            | StatementKind::Join(_) => {}
        }
    }

    /// `top`: the variable was declared with the globals, with its type.
    fn declaration(&mut self, top: bool, typ: Option<Type>, name: &Name, value: Option<&syntax::Expr>, span: Span) {
        let found = self.own_variable(&name.text);
        if found.is_some() && !top {
            let message = format!("another name was expected: `{}` is declared in this routine", name.text);
            self.error(name.span, message);
        }
        let variable = if top {
            self.names.globals.get(&name.text).copied()
        } else {
            let full_name = if self.is_main() { self.global_name(&name.text) } else { Arc::from(&*name.text) };
            Some(self.declared(full_name, typ))
        };
        let Some(variable) = variable else { return };
        match value {
            // The name is not known inside of its own initialiser.
            Some(value) => self.store(Target::Var(variable), &self.type_of(variable), value, span),
            None if !self.is_main() && self.loops > 0 => {
                let value = default(&self.program.variable(variable).typ, span);
                self.push(StmtKind::Assign(Target::Var(variable), value), span);
            }
            None => {}
        }
        self.bind(name.text.clone(), variable);
    }

    fn loop_statement(&mut self, condition: &syntax::Expr, body: &[Statement], span: Span) {
        self.loops += 1;
        if self.has_effects(condition) {
            let variable = self.temporary(Type::Bool);
            self.store(Target::Var(variable), &Ty::Bool, condition, condition.span);
            let id = self.statement_id(span);
            let body = self.apart(|it| {
                it.scopes.push(FxHashMap::default());
                it.statements(body);
                it.scopes.pop();
                it.store(Target::Var(variable), &Ty::Bool, condition, condition.span);
            });
            let condition = place(ExprKind::Var(variable), condition.span);
            self.push_as(id, StmtKind::While(condition, body));
        } else {
            let condition = self.typed(condition, &Ty::Bool);
            let id = self.statement_id(span);
            let body = self.block(body);
            self.push_as(id, StmtKind::While(condition, body));
        }
        self.loops -= 1;
    }

    pub(super) fn return_statement(&mut self, value: Option<&syntax::Expr>, span: Span) {
        if self.threads > 0 {
            self.error(span, "another statement was expected: a thread of `par` cannot `return`");
        }
        let result = self.program.routine(self.routine).result.clone();
        let value = match (value, result) {
            (Some(value), Some(typ)) => Some(self.typed(value, &Ty::of(&typ))),
            (None, None) => None,
            (Some(_), None) => {
                return self.error(span, "`return` without a value was expected: there is no result type");
            }
            (None, Some(_)) => return self.error(span, "a value was expected: this routine has a result"),
        };
        self.push(StmtKind::Return(value), span);
    }

    /// `assert b`; what only a verifier understands is skipped.
    fn assertion(&mut self, condition: &syntax::Expr, span: Span) {
        let mark = self.mark();
        self.asserted = true;
        let condition = self.typed(condition, &Ty::Bool);
        self.asserted = false;
        if std::mem::take(&mut self.specification) {
            self.rollback(&mark);
        } else {
            self.push(StmtKind::Assert(condition), span);
        }
    }

    fn bound(&mut self, name: &Name, length: &syntax::Expr, span: Span) {
        let array = self.bounded(name);
        let length = self.typed(length, &Ty::Int);
        if let Some(array) = array {
            self.push(StmtKind::Bound(array, length), span);
        }
    }

    /// Checks an assignment, `h := e`.
    fn assignment(&mut self, target: &syntax::Expr, value: &syntax::Expr, span: Span) {
        use syntax::ExprKind::{Call, New, NewArray};
        let whole = matches!(*value.kind, Call(..) | New(..) | NewArray(..));
        let kept = self.has_effects(target) || (self.has_effects(value) && !whole);
        let Some((mut place, typ)) = self.target(target) else {
            self.expression(value);
            return;
        };
        if kept {
            place = self.keep_target(place);
        }
        self.store(place, &typ, value, span);
    }

    /// An expression of a type into a target.
    pub(super) fn store(&mut self, target: Target, typ: &Ty, value: &syntax::Expr, span: Span) {
        use syntax::ExprKind::{Call, New, NewArray};
        match &*value.kind {
            Call(receiver, name, args) => {
                self.call(receiver.as_ref(), name, args, Some((target, typ)), span);
            }
            New(name, args) => drop(self.new_object(name, args.as_deref(), Some((target, typ)), value.span, span)),
            NewArray(element, size) => drop(self.new_array(element, size, Some((target, typ)), value.span, span)),
            _ => {
                let value = self.typed(value, typ);
                self.push(StmtKind::Assign(target, value), span);
            }
        }
    }

    /// A call, a creation, a step.
    fn effect_statement(&mut self, expr: &syntax::Expr, span: Span) {
        match &*expr.kind {
            syntax::ExprKind::Call(receiver, name, args) => {
                self.call(receiver.as_ref(), name, args, None, span);
            }
            syntax::ExprKind::Step(target, up) => {
                let kept = self.has_effects(target);
                let Some((mut place, typ)) = self.target(target) else { return };
                if kept {
                    place = self.keep_target(place);
                }
                if self.expect_type(target.span, &Ty::Int, &typ) {
                    let value = read_target(&place, target.span);
                    self.push(StmtKind::Assign(place, stepped(value, *up, span)), span);
                }
            }
            _ => drop(self.expression(expr)),
        }
    }
}

/// The value of what can be assigned.
pub(super) fn read_target(target: &Target, span: Span) -> Expr {
    let kind = match target.clone() {
        Target::Var(variable) => ExprKind::Var(variable),
        Target::Field(receiver, field) => ExprKind::Field(receiver, field),
        Target::Element(array, index) => ExprKind::Element(array, index),
        Target::Item(array, index) => ExprKind::Item(array, index),
    };
    place(kind, span)
}

/// The value of a step: `e + 1` or `e - 1`.
pub(super) fn stepped(value: Expr, up: bool, span: Span) -> Expr {
    let one = place(ExprKind::Int(1.into()), span);
    place(ExprKind::Op(if up { Op::Add } else { Op::Sub }, vec![value, one]), span)
}
