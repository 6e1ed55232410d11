//! Query count estimation: the variables, fields and arrays on which one of the next branches, a subscript, a receiver or
//! a divisor depends.
//!
//! Knows: how values flow to questions, from any statement on. Never: states, which of them become one; threads (their
//! states are not merged); what a routine asks of its parameters (anything, as far as its caller is concerned).
//! Source: Kuznetsov, Kinder, Bucur, Candea, "Efficient state merging in symbolic execution", PLDI 2012, section 3.2,
//! as in `languages/llvm/src/flow/soon.rs`.

use super::program::{Block, Expr, ExprKind, Op, Program, Stmt, StmtId, StmtKind, Target, VarId};
use super::vocabulary::Family;
use std::collections::BTreeMap;

/// So many branches ahead are looked at.
const AHEAD: u8 = 5;

/// A variable, or a field or array as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Holder {
    Variable(VarId),
    Family(Family),
}

/// What is asked of, and after how many branches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct HotHolders(BTreeMap<Holder, u8>);

/// A statement with those that can follow it.
struct Node {
    stmt: Stmt,
    next: Vec<StmtId>,
}

impl HotHolders {
    pub(super) fn holders(&self) -> impl Iterator<Item = Holder> {
        self.0.keys().copied()
    }

    /// From each statement on, by its number, to the end of its routine.
    pub(super) fn of(program: &Program) -> Vec<HotHolders> {
        let mut nodes = Vec::new();
        for routine in &program.routines {
            add_block(&routine.body, None, &mut nodes);
        }
        let mut res = vec![HotHolders::default(); program.statements.len()];
        loop {
            let mut changed = false;
            for node in nodes.iter().rev() {
                let soon = before(program, node, &res);
                changed |= soon != res[node.stmt.id.index()];
                res[node.stmt.id.index()] = soon;
            }
            if !changed {
                return res;
            }
        }
    }

    fn add(&mut self, holder: Holder, after: u8) {
        if after <= AHEAD {
            let known = self.0.entry(holder).or_insert(after);
            *known = after.min(*known);
        }
    }

    /// An expression is evaluated; `hot` says after how many branches its value is asked of.
    fn expr(&mut self, program: &Program, expr: &Expr, hot: Option<u8>) {
        let hold = |soon: &mut HotHolders, holder: Holder| hot.into_iter().for_each(|it| soon.add(holder, it));
        match &*expr.kind {
            ExprKind::Var(id) => hold(self, Holder::Variable(*id)),
            ExprKind::Field(of, field) => {
                hold(self, Holder::Family(Family::Field(*field)));
                self.expr(program, of, Some(0));
            }
            ExprKind::Element(map, at) => {
                hold(self, Holder::Family(Family::Map(*map)));
                self.expr(program, at, Some(0));
            }
            ExprKind::Item(of, at) => {
                program.class_of(of).into_iter().for_each(|it| hold(self, Holder::Family(Family::Items(it))));
                self.expr(program, of, Some(0));
                self.expr(program, at, Some(0));
            }
            ExprKind::Op(op, parts) => {
                let divides = matches!(op, Op::Div | Op::Mod);
                for (at, part) in parts.iter().enumerate() {
                    self.expr(program, part, if divides && at > 0 { Some(0) } else { hot });
                }
            }
            ExprKind::Cond(cond, yes, no) => [cond, yes, no].into_iter().for_each(|it| self.expr(program, it, hot)),
            ExprKind::Nil | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Length(_) => {}
        }
    }

    /// A value that is asked of after so many branches is written; a variable forgets what it was.
    fn write(&mut self, program: &Program, target: &Target) -> Option<u8> {
        let (family, keys) = match target {
            Target::Var(id) => return self.0.remove(&Holder::Variable(*id)),
            Target::Field(of, field) => (Some(Family::Field(*field)), vec![of]),
            Target::Element(map, at) => (Some(Family::Map(*map)), vec![at]),
            Target::Item(of, at) => (program.class_of(of).map(Family::Items), vec![of, at]),
        };
        keys.into_iter().for_each(|it| self.expr(program, it, Some(0)));
        self.0.get(&Holder::Family(family?)).copied()
    }
}

/// The statements of a block and all within. Nesting is bounded by the parser.
fn add_block(block: &Block, follow: Option<StmtId>, into: &mut Vec<Node>) {
    for (at, stmt) in block.iter().enumerate() {
        let follow = block.get(at + 1).map(|it| it.id).or(follow);
        let mut next: Vec<StmtId> = Vec::new();
        let mut enter = |inner: &Block, then: Option<StmtId>| next.extend(inner.first().map(|it| it.id).or(then));
        match &*stmt.kind {
            StmtKind::If(_, yes, no) => [yes, no].into_iter().for_each(|it| enter(it, follow)),
            StmtKind::While(_, body) => {
                enter(body, Some(stmt.id));
                next.extend(follow);
            }
            StmtKind::Atomic(body) | StmtKind::Block(body) => enter(body, follow),
            StmtKind::Return(_) => {}
            _ => next.extend(follow),
        }
        into.push(Node { stmt: stmt.clone(), next });
        match &*stmt.kind {
            StmtKind::If(_, yes, no) => [yes, no].into_iter().for_each(|it| add_block(it, follow, into)),
            StmtKind::While(_, body) => add_block(body, Some(stmt.id), into),
            StmtKind::Atomic(body) | StmtKind::Block(body) => add_block(body, follow, into),
            StmtKind::Par(threads) => threads.iter().for_each(|it| add_block(it, None, into)),
            _ => {}
        }
    }
}

/// What is asked of before a statement, from what is after those that can follow it.
fn before(program: &Program, node: &Node, after: &[HotHolders]) -> HotHolders {
    let mut res = HotHolders::default();
    let further = u8::from(matches!(&*node.stmt.kind, StmtKind::If(..) | StmtKind::While(..)));
    for next in &node.next {
        after[next.index()].0.iter().for_each(|(holder, it)| res.add(*holder, it + further));
    }
    match &*node.stmt.kind {
        StmtKind::Assign(target, value) => {
            let hot = res.write(program, target);
            res.expr(program, value, hot);
        }
        StmtKind::New(target, _) => {
            res.write(program, target);
        }
        StmtKind::NewArray(target, _, size) => {
            res.write(program, target);
            res.expr(program, size, Some(0));
        }
        StmtKind::Call(call) => {
            call.target.iter().for_each(|it| {
                res.write(program, it);
            });
            // What is not its own, the routine asks of as its statements do.
            let entry = program.routine(call.callee).body.first().map(|it| &after[it.id.index()].0);
            for (holder, it) in entry.into_iter().flatten() {
                let is_shared = match holder {
                    Holder::Variable(id) => program.variable(*id).global,
                    Holder::Family(_) => true,
                };
                if is_shared {
                    res.add(*holder, *it);
                }
            }
            call.receiver.iter().chain(&call.arguments).for_each(|it| res.expr(program, it, Some(0)));
        }
        // Whoever has called it may ask.
        StmtKind::Return(Some(value)) => res.expr(program, value, Some(1)),
        StmtKind::If(cond, ..) | StmtKind::While(cond, _) | StmtKind::Assume(cond) | StmtKind::Assert(cond) => {
            res.expr(program, cond, Some(0));
        }
        StmtKind::Bound(_, value) => res.expr(program, value, Some(0)),
        StmtKind::Return(None) | StmtKind::Par(_) | StmtKind::Atomic(_) | StmtKind::Block(_) => {}
    }
    res
}
