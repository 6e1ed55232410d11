//! Partial-order reduction: which interleavings need not be explored, since others do the same.
//!
//! Knows: what a thread's next action reads and writes. Never: values; which threads sleep (`effigy_engine::sleep_sets`).
//! Source: de Boer and Bonsangue 2021, section 5.

use super::control::{Control, Next, ThreadId};
use super::program::{ClassId, Expr, ExprKind, FieldId, Program, Stmt, StmtKind, Target, VarId, visit};
use super::vocabulary::Instance;
use effigy_engine::{SleepSet, awake_threads};
use std::collections::{BTreeMap, BTreeSet};

/// Something that two threads may both touch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Cell {
    Variable(VarId, Instance),
    Map(VarId),
    /// The field of any object.
    Field(FieldId),
    Items(ClassId),
    /// The numbers of new objects.
    Creation,
}

/// What one action reads and writes.
#[derive(Clone, Debug, Default)]
struct Access {
    reads: BTreeSet<Cell>,
    writes: BTreeSet<Cell>,
    /// It is not known (calls within `atomic`, `par`): dependent on everything.
    all: bool,
}

impl Access {
    fn is_independent(&self, other: &Access) -> bool {
        let apart = |a: &Access, b: &Access| a.writes.is_disjoint(&b.writes) && a.writes.is_disjoint(&b.reads);
        !self.all && !other.all && apart(self, other) && apart(other, self)
    }
}

/// Of the threads that can move, those that do not sleep, each with who sleeps behind its move.
pub(super) fn awake(
    program: &Program,
    control: &Control,
    runnable: &[ThreadId],
    sleep: &SleepSet,
    reduce: bool,
) -> (Vec<ThreadId>, Vec<SleepSet>) {
    if !reduce {
        return (runnable.to_vec(), vec![SleepSet::default(); runnable.len()]);
    }
    let mut of: BTreeMap<ThreadId, Access> = BTreeMap::new();
    for &id in runnable.iter().chain(sleep.iter()) {
        of.entry(id).or_insert_with(|| access(program, control, id));
    }
    let independent = |a, b| of.get(&a).zip(of.get(&b)).is_some_and(|(a, b)| a.is_independent(b));
    awake_threads(runnable, sleep, independent).into_iter().map(|it| (it.id, it.sleep_after)).unzip()
}

fn access(program: &Program, control: &Control, id: ThreadId) -> Access {
    let Some(thread) = control.thread(id) else { return Access { all: true, ..Access::default() } };
    let mut of = Accesses { program, instance: thread.instance, found: Access::default() };
    match control.next(id) {
        Some(Next::Statement(stmt)) => of.statement(&stmt),
        Some(Next::Return(pending)) => {
            // The caller's target, from what only this thread can see.
            of.instance = pending.caller.1;
            if let Some(target) = &pending.target {
                of.target(target);
            }
        }
        None => of.found.all = true,
    }
    of.found
}

struct Accesses<'a> {
    program: &'a Program,
    instance: Instance,
    found: Access,
}

impl Accesses<'_> {
    fn variable(&self, id: VarId) -> Cell {
        Cell::Variable(id, if self.program.variable(id).global { 0 } else { self.instance })
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &*stmt.kind {
            StmtKind::Assign(target, value) => {
                self.target(target);
                self.expression(value);
            }
            StmtKind::New(target, _) => {
                self.target(target);
                self.found.writes.insert(Cell::Creation);
            }
            StmtKind::NewArray(target, class, size) => {
                self.target(target);
                self.expression(size);
                self.found.writes.insert(Cell::Creation);
                self.found.writes.extend(self.program.class(*class).fields.iter().map(|it| Cell::Field(*it)));
            }
            StmtKind::Call(call) => {
                // The new call's number, which no other thread sees, and its parameters.
                call.receiver.iter().chain(&call.arguments).for_each(|it| self.expression(it));
            }
            StmtKind::Return(value) => value.iter().for_each(|it| self.expression(it)),
            StmtKind::If(cond, ..) | StmtKind::While(cond, _) | StmtKind::Assume(cond) | StmtKind::Assert(cond) => {
                self.expression(cond);
            }
            StmtKind::Bound(_, size) => self.expression(size),
            StmtKind::Atomic(body) | StmtKind::Block(body) => {
                let mut all = false;
                visit(body, &mut |it| {
                    all |= matches!(&*it.kind, StmtKind::Call(_) | StmtKind::Par(_));
                    if !matches!(&*it.kind, StmtKind::Atomic(_) | StmtKind::Block(_)) {
                        self.statement(it);
                    }
                });
                self.found.all |= all;
            }
            StmtKind::Par(_) => self.found.all = true,
        }
    }

    fn target(&mut self, target: &Target) {
        let cell = match target {
            Target::Var(id) => self.variable(*id),
            Target::Field(of, field) => {
                self.expression(of);
                Cell::Field(*field)
            }
            Target::Element(map, at) => {
                self.expression(at);
                Cell::Map(*map)
            }
            Target::Item(of, at) => {
                self.expression(of);
                self.expression(at);
                match self.program.class_of(of) {
                    Some(class) => Cell::Items(class),
                    None => return,
                }
            }
        };
        self.found.writes.insert(cell);
    }

    fn expression(&mut self, of: &Expr) {
        match &*of.kind {
            ExprKind::Nil | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Length(_) => {}
            ExprKind::Var(id) => {
                let cell = self.variable(*id);
                self.found.reads.insert(cell);
            }
            ExprKind::Field(of, field) => {
                self.expression(of);
                self.found.reads.insert(Cell::Field(*field));
            }
            ExprKind::Element(map, at) => {
                self.expression(at);
                self.found.reads.insert(Cell::Map(*map));
            }
            ExprKind::Item(of, at) => {
                self.expression(of);
                self.expression(at);
                if let Some(class) = self.program.class_of(of) {
                    self.found.reads.insert(Cell::Items(class));
                    self.found.reads.extend(self.program.class(class).fields.iter().map(|it| Cell::Field(*it)));
                }
            }
            ExprKind::Op(_, parts) => parts.iter().for_each(|it| self.expression(it)),
            ExprKind::Cond(cond, yes, no) => {
                self.expression(cond);
                self.expression(yes);
                self.expression(no);
            }
        }
    }
}
