//! Statements with their macros expanded: a statement macro's statements join those around them.
//!
//! Knows: every form of statement. Never: what a statement does.

use super::expand::{ExpandResult, Expander, Meaning};
use crate::ast::{Block, Exp, ExpKind, Macro, MacroBody, Stmt, StmtKind};

impl<'a> Expander<'a> {
    pub(super) fn block(&mut self, block: &Block) -> ExpandResult<Block> {
        let mark = self.open_scope();
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for it in &block.stmts {
            self.stmt(it, &mut stmts)?;
        }
        self.close_scope(mark);
        Ok(Block { stmts, span: self.span(block.span) })
    }

    fn optional_block(&mut self, block: &Option<Block>) -> ExpandResult<Option<Block>> {
        block.as_ref().map(|it| self.block(it)).transpose()
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) -> ExpandResult<()> {
        self.enter(stmt.span)?;
        use StmtKind::*;
        let kind = match &stmt.kind {
            Define(_) => None,
            Call(exp) => self.call_stmt(exp, out)?,
            Var(variables, value) => {
                let value = value.as_ref().map(|it| self.exp(it)).transpose()?;
                Some(Var(self.declare_all(variables)?, value))
            }
            Assign(targets, value) => {
                let targets = targets.iter().map(|it| self.target(it)).collect::<ExpandResult<_>>()?;
                Some(Assign(targets, self.exp(value)?))
            }
            Assert(it) => Some(Assert(self.exp(it)?)),
            Assume(it) => Some(Assume(self.exp(it)?)),
            Inhale(it) => Some(Inhale(self.exp(it)?)),
            Exhale(it) => Some(Exhale(self.exp(it)?)),
            Refute(it) => Some(Refute(self.exp(it)?)),
            Fold(it) => Some(Fold(self.predicate(it)?)),
            Unfold(it) => Some(Unfold(self.predicate(it)?)),
            Apply(it) => Some(Apply(self.exp(it)?)),
            If(cond, then, otherwise) => Some(If(self.exp(cond)?, self.block(then)?, self.optional_block(otherwise)?)),
            While { cond, invariants, decreases, body } => Some(While {
                cond: self.exp(cond)?,
                invariants: self.exps(invariants)?,
                decreases: self.measures(decreases)?,
                body: self.block(body)?,
            }),
            Goto(name) => Some(Goto(self.label(name)?)),
            Label { name, invariants, decreases } => Some(Label {
                name: self.label(name)?,
                invariants: self.exps(invariants)?,
                decreases: self.measures(decreases)?,
            }),
            Package(wand, script) => Some(Package(self.exp(wand)?, self.optional_block(script)?)),
            Block(block) => Some(Block(self.block(block)?)),
            Quasihavoc(cond, resource) => {
                let cond = cond.as_ref().map(|it| self.exp(it)).transpose()?;
                Some(Quasihavoc(cond, self.exp(resource)?))
            }
            Quasihavocall(variables, cond, resource) => {
                let mark = self.open_scope();
                let variables = self.declare_all(variables)?;
                let cond = cond.as_ref().map(|it| self.exp(it)).transpose()?;
                let resource = self.exp(resource)?;
                self.close_scope(mark);
                Some(Quasihavocall(variables, cond, resource))
            }
            Annotated(annotation, inner) => {
                let mut stmts = Vec::new();
                self.stmt(inner, &mut stmts)?;
                let span = self.span(inner.span);
                let inner = match stmts.pop() {
                    Some(only) if stmts.is_empty() => only,
                    last => {
                        stmts.extend(last);
                        Stmt { kind: Block(crate::ast::Block { stmts, span }), span }
                    }
                };
                Some(Annotated(annotation.clone(), Box::new(inner)))
            }
        };
        if let Some(kind) = kind {
            out.push(Stmt { kind, span: self.span(stmt.span) });
        }
        self.leave();
        Ok(())
    }

    /// `m(e)` or a lone name: a macro's statements go to `out`.
    fn call_stmt(&mut self, exp: &Exp, out: &mut Vec<Stmt>) -> ExpandResult<Option<StmtKind>> {
        let (it, args): (Option<&'a Macro>, _) = match &exp.kind {
            ExpKind::Var(name) => (self.macro_named(name), None),
            ExpKind::Call(name, args, _) => (self.macro_called(name), Some(&args[..])),
            _ => (None, None),
        };
        let Some(it) = it else {
            let res = self.exp(exp)?;
            return match res.kind {
                ExpKind::Var(_) | ExpKind::Call(..) => Ok(Some(StmtKind::Call(res))),
                _ => self.error(exp.span, "this must be a statement"),
            };
        };
        let MacroBody::Block(body) = &it.body else {
            let what = format!("the macro `{}` stands for an expression, not for statements", it.name.text);
            return self.error(exp.span, what);
        };
        let outer = self.begin(it, args, exp.span)?;
        for stmt in &body.stmts {
            self.stmt(stmt, out)?;
        }
        self.end(outer);
        Ok(None)
    }

    /// The macro that a lone name means.
    fn macro_named(&self, name: &crate::ast::Name) -> Option<&'a Macro> {
        match self.meaning(&name.text) {
            None => self.macros.get(&name.text),
            Some(Meaning::Argument(argument)) => match &argument.kind {
                ExpKind::Var(name) => self.macros.get(&name.text),
                _ => None,
            },
            Some(Meaning::Declared(_)) => None,
        }
    }

    /// The target of an assignment.
    fn target(&mut self, exp: &Exp) -> ExpandResult<Exp> {
        if let ExpKind::Call(name, ..) = &exp.kind
            && self.macro_called(name).is_none()
        {
            return self.error(exp.span, "a call cannot be assigned to, unless it is a macro's");
        }
        let res = self.exp(exp)?;
        match res.kind {
            ExpKind::Var(_) | ExpKind::Field(..) => Ok(res),
            _ => self.error(exp.span, "what the macro stands for cannot be assigned to"),
        }
    }
}
