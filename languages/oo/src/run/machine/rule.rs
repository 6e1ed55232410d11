//! The rules: what each statement does to memory and control.
//!
//! Knows: the transitions of the paper, by name. Never: how questions are answered.
//! Source: de Boer and Bonsangue 2021, the rules of sections 2, 2.1, 3 and 4.

use super::super::control::{PendingCall, ThreadId};
use super::super::memory::{At, Change, Memory};
use super::super::obligation::{self, Obligation};
use super::super::program::{Expr, ExprKind, Op, Stmt, StmtKind, Target, Type, VarId};
use super::{Machine, State, Transition};
use effigy_engine::{Context, Step};
use effigy_term::Term;
use num_bigint::BigInt;
use std::rc::Rc;

impl<M: Memory> Machine<M> {
    pub(super) fn statement(
        &self,
        ctx: &mut Context<'_>,
        state: &mut State<M>,
        id: ThreadId,
        stmt: &Stmt,
    ) -> Option<Step> {
        let list = Rc::clone(&self.checks[stmt.id.index()]);
        // What an assignment asks for is part of it (definition 4.2).
        let kept = !matches!(&*stmt.kind, StmtKind::Assign(..));
        if let Some(step) = self.require(ctx, state, stmt.id, &list, kept) {
            return Some(step);
        }
        if state.fault.is_some() {
            return None;
        }
        let words = Rc::clone(&state.words);
        let at = self.at(ctx.terms, &words, state.instance());
        let (rule, changes, condition) = match &*stmt.kind {
            StmtKind::Assign(target, value) => {
                let change = state.memory.assign(at, target, value, &conjunction(&list, value));
                let rule = match target {
                    Target::Var(id) if self.program.variable(*id).global => "symbolic assignment global variable",
                    Target::Var(_) => "symbolic assignment local variable",
                    Target::Field(..) => "symbolic assignment field",
                    Target::Element(..) | Target::Item(..) => "symbolic assignment array",
                };
                state.control.advance(id);
                (rule, vec![change], None)
            }
            StmtKind::New(target, class) => {
                let changes = state.memory.create(at, target, *class, None);
                state.control.advance(id);
                ("symbolic object creation", changes, None)
            }
            StmtKind::NewArray(target, class, size) => {
                let length = self.program.class(*class).fields.first().map(|it| (size, *it));
                let changes = state.memory.create(at, target, *class, length);
                state.control.advance(id);
                ("symbolic object creation", changes, None)
            }
            StmtKind::Call(call) => {
                let callee = self.program.routine(call.callee);
                let instance = state.control.call(&self.program, id, call.callee, call.target.clone(), stmt.id);
                let starts: Vec<(VarId, Expr)> = callee
                    .locals
                    .iter()
                    .filter(|it| Some(**it) != callee.this && !callee.parameters.contains(*it))
                    .map(|it| (*it, default_of(&self.program.variable(*it).typ)))
                    .collect();
                let mut bindings: Vec<(VarId, &Expr)> = Vec::new();
                bindings.extend(callee.this.zip(call.receiver.as_ref()));
                bindings.extend(callee.parameters.iter().copied().zip(&call.arguments));
                bindings.extend(starts.iter().map(|(id, it)| (*id, it)));
                let changes = state.memory.enter(at, instance, &bindings);
                let rule = if callee.this.is_some() { "symbolic method call" } else { "symbolic procedure call" };
                (rule, changes, None)
            }
            StmtKind::Return(value) => {
                let changes = value.iter().map(|it| state.memory.returns(at, it)).collect();
                state.control.unwind(id, value.is_some());
                ("symbolic method return", changes, None)
            }
            StmtKind::If(cond, yes, no) => {
                let holds = match self.test(ctx, state, cond) {
                    Ok(holds) => holds,
                    Err(step) => return Some(step),
                };
                let cond = literal(cond, holds);
                let shown = state.memory.shown(at, &cond);
                state.memory.test(at, &cond);
                state.control.advance_into(id, if holds { yes } else { no });
                ("symbolic choice", Vec::new(), Some(shown))
            }
            StmtKind::While(cond, body) => {
                let holds = match self.test(ctx, state, cond) {
                    Ok(holds) => holds,
                    Err(step) => return Some(step),
                };
                let cond = literal(cond, holds);
                let shown = state.memory.shown(at, &cond);
                state.memory.test(at, &cond);
                if holds {
                    state.control.repeat(id, body, state.tested.is_some());
                } else {
                    state.control.advance(id);
                }
                ("symbolic iteration", Vec::new(), Some(shown))
            }
            StmtKind::Assume(cond) => {
                if let Err(step) = self.assume(ctx, state, cond) {
                    return Some(step);
                }
                let shown = state.memory.shown(at, cond);
                state.memory.test(at, cond);
                state.control.advance(id);
                ("assumption", Vec::new(), Some(shown))
            }
            StmtKind::Bound(map, size) => {
                let length = Expr { kind: Rc::new(ExprKind::Length(*map)), span: size.span };
                let cond = obligation::op(Op::Eq, vec![length, size.clone()], size.span);
                if let Err(step) = self.assume(ctx, state, &cond) {
                    return Some(step);
                }
                let shown = state.memory.shown(at, &cond);
                state.memory.test(at, &cond);
                state.control.advance(id);
                ("bound of an array", Vec::new(), Some(shown))
            }
            StmtKind::Assert(cond) => {
                let shown = state.memory.shown(at, cond);
                state.control.advance(id);
                ("assertion", Vec::new(), Some(shown))
            }
            StmtKind::Par(_) if ctx.common().is_some() => {
                return Some(Step::unsupported("threads, where paths are merged", self.place_of(stmt.id)));
            }
            StmtKind::Par(threads) => {
                state.control.fork(id, threads);
                ("threads", Vec::new(), None)
            }
            StmtKind::Atomic(body) => {
                state.control.enter_atomic(id, body);
                ("atomic", Vec::new(), None)
            }
            // Control takes blocks apart by itself.
            StmtKind::Block(body) => {
                state.control.advance_into(id, body);
                state.done();
                return None;
            }
        };
        self.explain(state, id, rule, || self.program.show_statement(stmt), changes, condition);
        state.done();
        None
    }

    pub(super) fn leave(
        &self,
        ctx: &mut Context<'_>,
        state: &mut State<M>,
        id: ThreadId,
        pending: &Rc<PendingCall>,
    ) -> Option<Step> {
        let words = Rc::clone(&state.words);
        let callee = self.program.routine(pending.callee);
        // The target is evaluated in the caller.
        let list = Rc::clone(&self.returns[pending.site.index()]);
        state.leaving = Some(pending.caller.1);
        if let Some(step) = self.require(ctx, state, pending.site, &list, true) {
            return Some(step);
        }
        if state.fault.is_some() {
            return None;
        }
        let at = self.at(ctx.terms, &words, pending.caller.1);
        let mut changes = Vec::new();
        if let (Some(typ), Some(_), false) =
            (&callee.result, &pending.target, state.control.thread(id).is_some_and(|it| it.returned))
        {
            let inside = At { instance: pending.instance, ..at };
            changes.push(state.memory.returns(inside, &default_of(typ)));
        }
        let target = pending.target.as_ref().zip(callee.result.as_ref());
        changes.extend(state.memory.leave(at, pending.instance, &callee.locals, target));
        state.control.leave(id, pending);
        let rule = if callee.this.is_some() { "symbolic method return" } else { "symbolic procedure return" };
        let text = || match &pending.target {
            Some(target) => format!("{} := r@{}", self.program.show_target(target), pending.instance),
            None => "ε".to_owned(),
        };
        self.explain(state, id, rule, text, changes, None);
        state.done();
        None
    }

    pub(super) fn explain(
        &self,
        state: &mut State<M>,
        thread: ThreadId,
        rule: &'static str,
        statement: impl FnOnce() -> String,
        changes: Vec<Change>,
        condition: Option<Term>,
    ) {
        if self.options.explain {
            let transition = Transition { rule, statement: statement(), thread, changes, condition };
            state.explained.push_back_mut(Rc::new(transition));
        }
    }
}

/// The literal b where `holds`, else ¬b.
fn literal(cond: &Expr, holds: bool) -> Expr {
    if holds { cond.clone() } else { obligation::op(Op::Not, vec![cond.clone()], cond.span) }
}

/// The conjunction of the conditions of δ.
fn conjunction(list: &[Obligation], of: &Expr) -> Expr {
    obligation::op(Op::And, list.iter().map(|it| it.cond.clone()).collect(), of.span)
}

/// What a variable of this type starts with.
fn default_of(typ: &Type) -> Expr {
    let kind = match typ {
        Type::Int => ExprKind::Int(BigInt::ZERO),
        Type::Bool => ExprKind::Bool(false),
        Type::Object(_) | Type::Map(_) => ExprKind::Nil,
    };
    Expr { kind: Rc::new(kind), span: effigy_contracts::Span::default() }
}
