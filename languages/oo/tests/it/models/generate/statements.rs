//! Random statements.

use super::{Generator, Layer, make};
use effigy_oo::run::program::*;

/// Statements of a routine, nested ones with them.
const MOST_STATEMENTS: usize = 12;

impl Generator {
    pub(super) fn bodies(&mut self) {
        let globals = self.visible.clone();
        for id in (0..self.program.routines.len() as u32).map(RoutineId) {
            let routine = self.program.routine(id).clone();
            self.routine = id;
            self.visible = globals.iter().chain(&routine.locals).copied().collect();
            self.decreasing = routine.parameters.first().copied();
            self.kept = self.counters.iter().chain(&self.decreasing).chain(&routine.this).copied().collect();
            let start = self.program.statements.len();
            let count = match self.layer {
                _ if id != Program::MAIN => 1 + self.numbers.below(3),
                Layer::Threads => self.numbers.below(4),
                _ => 3 + self.numbers.below(5),
            };
            let mut body = self.statements(count, 2, start);
            if id == Program::MAIN && self.layer == Layer::Threads {
                let par = self.par(start);
                body.insert(self.numbers.below(body.len() + 1), par);
            }
            if id != Program::MAIN && !self.numbers.once_in(4) {
                body.push(self.give_back(&routine.result));
            }
            self.program.routines[id.index()].body = body.into();
        }
    }

    fn give_back(&mut self, result: &Option<Type>) -> Stmt {
        let value = result.as_ref().map(|it| self.expr(it, 2));
        self.stmt(StmtKind::Return(value))
    }

    fn block(&mut self, count: usize, depth: u32, start: usize) -> Block {
        self.statements(count, depth, start).into()
    }

    fn statements(&mut self, count: usize, depth: u32, start: usize) -> Vec<Stmt> {
        let mut res = Vec::new();
        for _ in 0..count {
            if self.program.statements.len() - start < MOST_STATEMENTS || res.is_empty() {
                self.statement(&mut res, depth, start);
            }
        }
        res
    }

    fn statement(&mut self, into: &mut Vec<Stmt>, depth: u32, start: usize) {
        let objects = !self.program.classes.is_empty();
        let choice = self.numbers.below(if depth > 0 { 24 } else { 15 });
        if objects && self.numbers.once_in(3) && self.guarded(into, depth, start) {
            return;
        }
        let threads = self.layer == Layer::Threads && !self.inside_threads && self.routine != Program::MAIN;
        let kind = match choice {
            // A routine's threads share its locals; they may themselves be of a thread that called it.
            _ if threads && depth > 0 && self.numbers.once_in(12) => {
                self.inside_threads = true;
                let threads = vec![self.block(1, 0, start), self.inner(start)];
                self.inside_threads = false;
                StmtKind::Par(threads)
            }
            0 | 1 if objects => self.creation(),
            2 if objects => self.array(),
            3 | 4 if self.program.routines.len() > 1 => match self.call(self.routine == Program::MAIN, depth, start) {
                Some(call) => call,
                None => self.assignment(),
            },
            5 if self.numbers.once_in(4) => StmtKind::Assume(self.expr(&Type::Bool, 2)),
            6 if self.numbers.once_in(3) => StmtKind::Assert(self.expr(&Type::Bool, 2)),
            7 if self.numbers.once_in(3) => match self.bound() {
                Some(bound) => bound,
                None => self.assignment(),
            },
            8 if depth < 2 && self.numbers.once_in(3) && !self.inside_threads => {
                let result = self.program.routine(self.routine).result.clone();
                into.push(self.give_back(&result));
                return;
            }
            0..=14 => self.assignment(),
            15..=18 => {
                let cond = self.expr(&Type::Bool, 2);
                let then = 1 + self.numbers.below(2);
                let other = self.numbers.below(2);
                StmtKind::If(cond, self.block(then, depth - 1, start), self.block(other, depth - 1, start))
            }
            19..=21 => return self.counting(into, depth, start),
            22 if objects && self.numbers.once_in(2) => return self.walk(into, depth, start),
            22 => {
                let cond = self.expr(&Type::Bool, 2);
                StmtKind::While(cond, self.block(2, depth - 1, start))
            }
            _ => StmtKind::Block(self.block(2, depth - 1, start)),
        };
        let stmt = self.stmt(kind);
        into.push(stmt);
    }

    fn assignment(&mut self) -> StmtKind {
        let types = self.types();
        let typ = self.numbers.one_of(&types).cloned().unwrap_or(Type::Int);
        let target = self.target(&typ, 1);
        StmtKind::Assign(target, self.expr(&typ, 2))
    }

    fn creation(&mut self) -> StmtKind {
        let class = ClassId(self.numbers.below(2) as u32);
        StmtKind::New(self.target(&Type::Object(class), 1), class)
    }

    fn array(&mut self) -> StmtKind {
        let class = ClassId(2 + self.numbers.below(2) as u32);
        let target = self.target(&Type::Object(class), 1);
        let size = if self.numbers.once_in(4) {
            self.expr(&Type::Int, 1)
        } else {
            make(ExprKind::Int((self.numbers.below(4) as i64).into()))
        };
        StmtKind::NewArray(target, class, size)
    }

    fn bound(&mut self) -> Option<StmtKind> {
        let bounded = |it: &&VarId| matches!(&self.program.variable(**it).typ, Type::Map(map) if map.bounded);
        let map = *self.visible.iter().find(bounded)?;
        Some(StmtKind::Bound(map, make(ExprKind::Int((1 + self.numbers.below(3) as i64).into()))))
    }

    /// A call; inside of a routine only where its first parameter is positive.
    fn call(&mut self, from_main: bool, depth: u32, start: usize) -> Option<StmtKind> {
        let callee = RoutineId(1 + self.numbers.below(self.program.routines.len() - 1) as u32);
        let routine = self.program.routine(callee).clone();
        let zero = |value: i64| make(ExprKind::Int(value.into()));
        let first = match self.decreasing {
            Some(var) => make(ExprKind::Op(Op::Sub, vec![make(ExprKind::Var(var)), zero(1)])),
            None if self.numbers.once_in(3) => {
                let any = self.expr(&Type::Int, 1);
                make(ExprKind::Op(Op::Mod, vec![any, zero(3)]))
            }
            None => zero(self.numbers.below(3) as i64),
        };
        let mut arguments = vec![first];
        for var in routine.parameters.iter().skip(1) {
            let typ = self.program.variable(*var).typ.clone();
            arguments.push(self.expr(&typ, 1));
        }
        let receiver = routine.this.map(|it| self.program.variable(it).typ.clone()).and_then(|it| match it {
            Type::Object(class) => Some(self.receiver(class, 1)),
            _ => None,
        });
        let wanted = routine.result.filter(|_| !self.numbers.once_in(4));
        let target = wanted.map(|it| self.target(&it, 1));
        let call = StmtKind::Call(Box::new(Call { target, callee, receiver, arguments }));
        if from_main {
            return Some(call);
        }
        let positive = make(ExprKind::Op(Op::Lt, vec![zero(0), make(ExprKind::Var(self.decreasing?))]));
        let call = self.stmt(call);
        let other = if depth > 0 { self.block(1, depth - 1, start) } else { Block::from([]) };
        Some(StmtKind::If(positive, [call].into(), other))
    }

    /// `k := 0; while k < e {...; k := k + 1}`.
    fn counting(&mut self, into: &mut Vec<Stmt>, depth: u32, start: usize) {
        let Some(&counter) = self.counters.get(depth as usize % 2) else { return };
        let (var, one) = (make(ExprKind::Var(counter)), make(ExprKind::Int(1.into())));
        let zero = make(ExprKind::Int(0.into()));
        into.push(self.stmt(StmtKind::Assign(Target::Var(counter), zero)));
        let last = if self.numbers.once_in(3) {
            self.expr(&Type::Int, 1)
        } else {
            make(ExprKind::Int((1 + self.numbers.below(3) as i64).into()))
        };
        let mut cond = make(ExprKind::Op(Op::Lt, vec![var.clone(), last]));
        if self.numbers.once_in(4) {
            let also = self.expr(&Type::Bool, 1);
            cond = make(ExprKind::Op(Op::And, vec![cond, also]));
        }
        let count = 1 + self.numbers.below(2);
        let mut body = self.statements(count, depth - 1, start);
        let next = make(ExprKind::Op(Op::Add, vec![var, one]));
        body.push(self.stmt(StmtKind::Assign(Target::Var(counter), next)));
        into.push(self.stmt(StmtKind::While(cond, body.into())));
    }

    /// `if o ≠ nil {o.f := ...; ...}`; whether there is such a variable.
    fn guarded(&mut self, into: &mut Vec<Stmt>, depth: u32, start: usize) -> bool {
        let of_class = |it: &VarId| match self.program.variable(*it).typ {
            Type::Object(class) if self.program.class(class).element.is_none() => Some((*it, class)),
            _ => None,
        };
        let variables: Vec<(VarId, ClassId)> = self.visible.iter().filter_map(of_class).collect();
        let Some(&(var, class)) = self.numbers.one_of(&variables) else { return false };
        let fields = self.program.class(class).fields.clone();
        let Some(&field) = self.numbers.one_of(&fields) else { return false };
        let typ = self.program.field(field).typ.clone();
        let target = Target::Field(make(ExprKind::Var(var)), field);
        let value = self.expr(&typ, 1);
        let mut then = vec![self.stmt(StmtKind::Assign(target, value))];
        if depth > 0 {
            then.extend(self.statements(1, depth - 1, start));
        }
        let cond = make(ExprKind::Op(Op::Ne, vec![make(ExprKind::Var(var)), make(ExprKind::Nil)]));
        into.push(self.stmt(StmtKind::If(cond, then.into(), [].into())));
        true
    }

    /// Along a list, at most a few objects: `k := 0; while o ≠ nil ∧ k < 3 {...; o := o.f; k := k + 1}`.
    fn walk(&mut self, into: &mut Vec<Stmt>, depth: u32, start: usize) {
        let node = Type::Object(ClassId(0));
        let assigned = |it: &VarId| self.program.variable(*it).typ == node && !self.kept.contains(it);
        let variables: Vec<VarId> = self.visible.iter().copied().filter(assigned).collect();
        let Some(&var) = self.numbers.one_of(&variables) else { return };
        self.counting(into, depth, start);
        // What was the counting loop becomes the walk.
        let Some(stmt) = into.pop() else { return };
        let StmtKind::While(cond, body) = &*stmt.kind else { return into.push(stmt) };
        let object = make(ExprKind::Var(var));
        let there = make(ExprKind::Op(Op::Ne, vec![object.clone(), make(ExprKind::Nil)]));
        let cond = make(ExprKind::Op(Op::And, vec![there, cond.clone()]));
        let next = FieldId(2 + self.numbers.below(2) as u32);
        let step = StmtKind::Assign(Target::Var(var), make(ExprKind::Field(object, next)));
        let mut body = body.to_vec();
        body.insert(self.numbers.below(body.len()), self.stmt(step));
        into.push(self.stmt(StmtKind::While(cond, body.into())));
    }

    /// Threads of few statements.
    fn par(&mut self, start: usize) -> Stmt {
        self.inside_threads = true;
        let count = 2 + usize::from(self.numbers.once_in(6));
        let threads = (0..count).map(|_| self.thread(start)).collect();
        self.inside_threads = false;
        self.stmt(StmtKind::Par(threads))
    }

    fn thread(&mut self, start: usize) -> Block {
        let count = 1 + self.numbers.below(3);
        let mut res = self.statements(count, 1, start);
        if self.numbers.once_in(3) {
            let mut body = self.statements(2, 0, start);
            if self.numbers.once_in(4) {
                let inner = vec![self.inner(start), self.block(1, 0, start)];
                body.insert(self.numbers.below(body.len()), self.stmt(StmtKind::Par(inner)));
            }
            let body = body.into();
            let atomic = self.stmt(StmtKind::Atomic(body));
            res.insert(self.numbers.below(res.len()), atomic);
        }
        if self.numbers.once_in(12) {
            let inner = vec![self.block(1, 0, start), self.block(1, 0, start)];
            res.push(self.stmt(StmtKind::Par(inner)));
        }
        res.into()
    }

    /// A statement, perhaps atomic with another one.
    fn inner(&mut self, start: usize) -> Block {
        let count = 1 + usize::from(self.numbers.once_in(2));
        let body = self.block(count, 0, start);
        if count == 1 { body } else { [self.stmt(StmtKind::Atomic(body))].into() }
    }
}
