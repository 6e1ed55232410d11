//! Statements for the verifier.
//!
//! Knows: how statements are taken apart. Never: expressions.
//!
//! `a.f, x := m()` assigns to fresh variables first: `r := a; t, x := m(); r.f := t`, as in silver.

use super::{Emitter, measure};
use crate::ast::Span;
use crate::check::tree::{Decreases, Node, Op, Stmt, StmtKind, Target};
use effigy_contracts::program::{self as heap, FieldId, MeasureRule, VarId};

/// Fields that are assigned to after a call.
struct Pending {
    receiver: VarId,
    value: VarId,
    field: FieldId,
    span: Span,
}

impl<'t, 'a> Emitter<'t, 'a> {
    pub fn stmts(&mut self, stmts: &'t [Stmt<'a>]) -> Vec<heap::Stmt> {
        let mut res = Vec::new();
        for it in stmts {
            self.stmt(it, &mut res);
        }
        res
    }

    fn stmt(&mut self, stmt: &'t Stmt<'a>, out: &mut Vec<heap::Stmt>) {
        let span = stmt.span;
        let mut put = |kind| out.push(heap::Stmt { kind, span });
        match &stmt.kind {
            StmtKind::Local(ids) => {
                for it in ids {
                    let unknown = self.unknown_variables.get(it).copied();
                    put(unknown.map_or(heap::StmtKind::Local(*it), unsupported));
                }
            }
            StmtKind::Assign(Target::Var(id, _), rhs) => put(heap::StmtKind::Assign(*id, self.exp(rhs))),
            StmtKind::Assign(Target::Field(field), rhs) => match field.op {
                Op::Field(id) => put(heap::StmtKind::FieldAssign(self.exp(&field.args[0]), id, self.exp(rhs))),
                _ => put(unsupported("this assignment")),
            },
            StmtKind::New(Target::Var(id, _), fields) => put(heap::StmtKind::New(*id, fields.clone())),
            StmtKind::New(target, fields) => {
                self.with_fields(std::slice::from_ref(target), span, out, |ids| {
                    heap::StmtKind::New(ids[0], fields.clone())
                });
            }
            StmtKind::Call { method, args, targets } => {
                for it in self.at_method_call(*method, args, span) {
                    out.push(heap::Stmt { kind: heap::StmtKind::Assert(it), span });
                }
                let args = self.exps(args);
                self.with_fields(targets, span, out, |targets| heap::StmtKind::Call { method: *method, args, targets });
            }
            StmtKind::Assert(e) => put(heap::StmtKind::Assert(self.exp(e))),
            StmtKind::Assume(e) => put(heap::StmtKind::Assume(self.exp(e))),
            StmtKind::Inhale(e) => put(heap::StmtKind::Inhale(self.exp(e))),
            StmtKind::Exhale(e) => put(heap::StmtKind::Exhale(self.exp(e))),
            StmtKind::Refute(e) => put(heap::StmtKind::Refute(self.exp(e))),
            StmtKind::Fold(e) => {
                put(self.predicate_use(e).map_or_else(|| unsupported("this fold"), heap::StmtKind::Fold))
            }
            StmtKind::Unfold(e) => {
                put(self.predicate_use(e).map_or_else(|| unsupported("this unfold"), heap::StmtKind::Unfold))
            }
            StmtKind::If(cond, then, other) => {
                put(heap::StmtKind::If(self.exp(cond), self.stmts(then), self.stmts(other)))
            }
            StmtKind::While { cond, invariants, decreases, body } => {
                for it in self.at_loop(cond, decreases, span) {
                    out.push(heap::Stmt { kind: heap::StmtKind::Assert(it), span });
                }
                let (condition, invariants) = (self.exp(cond), self.exps(invariants));
                let body = match measure::tuple(decreases) {
                    Some(clause) => self.measured_body(cond, clause, body),
                    None => self.stmts(body),
                };
                out.push(heap::Stmt { kind: heap::StmtKind::While(condition, invariants, body), span });
            }
            StmtKind::Goto(name) => put(match self.labels.get(&name.text) {
                Some(id) => heap::StmtKind::Goto(id),
                None => unsupported("this goto"),
            }),
            StmtKind::Label { name, invariants, decreases } => {
                if let Some(clause) = measure::tuple(decreases) {
                    out.push(heap::Stmt { kind: unsupported(measure::NAME), span: clause.span });
                }
                let invariants = self.exps(invariants);
                let kind = match self.labels.get(&name.text) {
                    Some(id) => heap::StmtKind::Label(id, invariants),
                    None => unsupported("this label"),
                };
                out.push(heap::Stmt { kind, span });
            }
            StmtKind::Package(..) | StmtKind::Apply(_) => put(unsupported("magic wands")),
            StmtKind::Block(body) => put(heap::StmtKind::Block(self.stmts(body))),
            StmtKind::Quasihavoc(..) | StmtKind::Quasihavocall(..) => put(unsupported("quasihavoc")),
            StmtKind::Error => put(unsupported("this statement")),
        }
    }

    /// The body of a loop, at whose end the measure is smaller than at its start, if there is another iteration.
    fn measured_body(&mut self, cond: &Node<'a>, clause: &Decreases<'a>, body: &'t [Stmt<'a>]) -> Vec<heap::Stmt> {
        let (mut locals, mut before) = (Vec::new(), Vec::new());
        let mut keep = |it: &mut Self, node: &Node<'a>| {
            let span = node.span;
            let id = it.temporary("measure", node);
            locals.push(heap::Stmt { kind: heap::StmtKind::Local(id), span });
            before.push(heap::Stmt { kind: heap::StmtKind::Assign(id, it.measure(node)), span });
            heap::Exp::new(heap::ExpKind::Var(id), it.variables[id.index()].typ.clone(), span)
        };
        let larger: Vec<heap::Exp> = clause.tuple.iter().map(|node| keep(self, node)).collect();
        let counted = clause.condition.as_ref().map(|node| keep(self, node));
        let mut res = locals;
        res.append(&mut before);
        res.extend(self.stmts(body));
        let mut put = |it: &mut Self, rule, holds| {
            let again = measure::implies(Some(it.exp(cond)), holds);
            let check = measure::check(rule, measure::implies(counted.clone(), again), clause.span);
            res.push(heap::Stmt { kind: heap::StmtKind::Assert(check), span: clause.span });
        };
        if let Some(condition) = &clause.condition {
            let counts = self.exp(condition);
            put(self, MeasureRule::TupleCondition, counts);
        }
        let smaller: Vec<heap::Exp> = clause.tuple.iter().map(|it| self.measure(it)).collect();
        let smaller = self.smaller(&smaller, &larger, clause.span);
        put(self, MeasureRule::Decreases, smaller);
        res
    }

    /// Assigns to these targets what `kind` assigns to variables.
    fn with_fields(
        &mut self,
        targets: &[Target<'a>],
        span: Span,
        out: &mut Vec<heap::Stmt>,
        kind: impl FnOnce(Vec<VarId>) -> heap::StmtKind,
    ) {
        let (mut ids, mut pending, mut before) = (Vec::new(), Vec::new(), Vec::new());
        for target in targets {
            match target {
                Target::Var(id, _) => ids.push(*id),
                Target::Field(node) => {
                    let Op::Field(field) = node.op else { continue };
                    let receiver = self.temporary("receiver", &node.args[0]);
                    let value = self.temporary("target", node);
                    let init = heap::StmtKind::Assign(receiver, self.exp(&node.args[0]));
                    before.push(heap::Stmt { kind: init, span: node.args[0].span });
                    pending.push(Pending { receiver, value, field, span: node.span });
                    ids.push(value);
                }
            }
        }
        let main = heap::Stmt { kind: kind(ids), span };
        if pending.is_empty() {
            out.push(main);
            return;
        }
        let locals = pending.iter().flat_map(|it| [it.receiver, it.value]);
        let mut block: Vec<_> = locals.map(|it| heap::Stmt { kind: heap::StmtKind::Local(it), span }).collect();
        block.append(&mut before);
        block.push(main);
        for it in pending {
            let receiver = heap::Exp::new(heap::ExpKind::Var(it.receiver), heap::Type::Ref, it.span);
            let typ = self.variables[it.value.index()].typ.clone();
            let value = heap::Exp::new(heap::ExpKind::Var(it.value), typ, it.span);
            block.push(heap::Stmt { kind: heap::StmtKind::FieldAssign(receiver, it.field, value), span: it.span });
        }
        out.push(heap::Stmt { kind: heap::StmtKind::Block(block), span });
    }

    fn temporary(&mut self, name: &str, node: &Node<'a>) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variable(format!("_{name}{}", id.0).into(), &node.ty, node.span)
    }
}

fn unsupported(what: &str) -> heap::StmtKind {
    heap::StmtKind::Unsupported(what.into())
}
