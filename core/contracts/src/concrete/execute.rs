//! Statements.
//!
//! Knows: control, calls, the effects of statements. Never: how expressions are evaluated.
//!
//! A body becomes a list of instructions with jumps, so that `goto` leads anywhere and nothing recurses; a call is a frame
//! on a stack of our own.

use super::evaluate::truth;
use super::value::ConcreteValue;
use super::world::World;
use super::{ConcreteErrorKind, ConcreteResult, Interpreter, Scope, fail, least, unsupported};
use crate::program::{BinaryOp, Exp, ExpKind, LabelId, Method, MethodId, Span, Stmt, StmtKind, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

enum Instruction<'p> {
    Do(&'p Stmt),
    /// Goes on behind here if the condition does not hold.
    Unless(&'p Exp, usize),
    Jump(usize),
    /// To a label, whose place is in the table.
    Goto(LabelId, Span),
    Mark(LabelId),
    /// The invariants of a loop, at its head.
    Check(&'p [Exp]),
}

/// A body as a list.
#[derive(Default)]
struct Code<'p> {
    instructions: Vec<Instruction<'p>>,
    labels: FxHashMap<LabelId, usize>,
}

/// A method that is being executed.
struct Frame<'p> {
    method: &'p Method,
    code: Rc<Code<'p>>,
    at: usize,
    scope: Scope<'p>,
    /// Where its results go in the frame below.
    targets: &'p [VarId],
}

impl<'p> Code<'p> {
    fn add(&mut self, statements: &'p [Stmt]) {
        for statement in statements {
            match &statement.kind {
                StmtKind::Block(body) => self.add(body),
                StmtKind::If(condition, positive, negative) => {
                    let branch = self.hole(Instruction::Unless(condition, 0));
                    self.add(positive);
                    let jump = self.hole(Instruction::Jump(0));
                    self.instructions[branch] = Instruction::Unless(condition, self.instructions.len());
                    self.add(negative);
                    self.instructions[jump] = Instruction::Jump(self.instructions.len());
                }
                StmtKind::While(condition, invariants, body) => {
                    let head = self.hole(Instruction::Check(invariants));
                    let branch = self.hole(Instruction::Unless(condition, 0));
                    self.add(body);
                    self.instructions.push(Instruction::Jump(head));
                    self.instructions[branch] = Instruction::Unless(condition, self.instructions.len());
                }
                StmtKind::Goto(label) => self.instructions.push(Instruction::Goto(*label, statement.span)),
                StmtKind::Label(label, invariants) => {
                    self.labels.insert(*label, self.instructions.len());
                    self.instructions.push(Instruction::Mark(*label));
                    self.instructions.push(Instruction::Check(invariants));
                }
                _ => self.instructions.push(Instruction::Do(statement)),
            }
        }
    }

    fn hole(&mut self, instruction: Instruction<'p>) -> usize {
        self.instructions.push(instruction);
        self.instructions.len() - 1
    }
}

impl<'p> Interpreter<'p> {
    pub(super) fn run(
        &mut self,
        world: &mut World,
        method: MethodId,
        args: &[ConcreteValue],
    ) -> ConcreteResult<Vec<ConcreteValue>> {
        let mut codes: FxHashMap<MethodId, Rc<Code<'p>>> = FxHashMap::default();
        let program = self.program;
        let span = program.methods[method.index()].span;
        let mut frames = vec![self.frame(world, method, args, &[], &mut codes, span)?];
        loop {
            let Some(frame) = frames.last_mut() else { return Ok(Vec::new()) };
            let code = frame.code.clone();
            let Some(instruction) = code.instructions.get(frame.at) else {
                let results = self.leave(world, frame)?;
                let targets = frame.targets;
                frames.pop();
                let Some(caller) = frames.last_mut() else { return Ok(results) };
                for (target, value) in targets.iter().zip(results) {
                    caller.scope.variables[target.index()] = Some(value);
                }
                continue;
            };
            frame.at += 1;
            match instruction {
                Instruction::Unless(condition, behind) => {
                    let value = self.evaluate(world, &mut frame.scope, condition)?;
                    if !truth(&value, condition.span)? {
                        frame.at = *behind;
                    }
                }
                Instruction::Jump(to) => frame.at = *to,
                Instruction::Goto(label, span) => {
                    self.charge(1, *span)?;
                    match code.labels.get(label) {
                        Some(to) => frame.at = *to,
                        None => return unsupported("a jump to a label that is not there", *span),
                    }
                }
                Instruction::Mark(label) => frame.scope.labels[label.index()] = Some(world.clone()),
                Instruction::Check(invariants) => {
                    if self.budget.contracts && !self.all_hold(world, &mut frame.scope, invariants)? {
                        return fail(
                            ConcreteErrorKind::Invariant,
                            invariants.first().map_or(frame.method.span, |it| it.span),
                        );
                    }
                }
                Instruction::Do(statement) => {
                    self.charge(1, statement.span)?;
                    if let StmtKind::Call { method, args, targets } = &statement.kind {
                        let args = self.all(world, &mut frame.scope, args)?;
                        let callee = self.frame(world, *method, &args, targets, &mut codes, statement.span)?;
                        frames.push(callee);
                        continue;
                    }
                    let method = frame.method;
                    self.statement(world, &mut frame.scope, method, statement)?;
                }
            }
        }
    }

    /// A method at its beginning.
    fn frame(
        &mut self,
        world: &World,
        id: MethodId,
        args: &[ConcreteValue],
        targets: &'p [VarId],
        codes: &mut FxHashMap<MethodId, Rc<Code<'p>>>,
        span: Span,
    ) -> ConcreteResult<Frame<'p>> {
        let program = self.program;
        let method = &program.methods[id.index()];
        let Some(body) = &method.body else { return unsupported("an abstract method", span) };
        if args.len() != method.parameters {
            return unsupported("a call with another number of arguments", span);
        }
        let code = codes.entry(id).or_insert_with(|| {
            let mut code = Code::default();
            code.add(body);
            Rc::new(code)
        });
        let mut scope = Scope::new(&method.variables, args, world, method.labels.len());
        if self.budget.contracts && !self.all_hold(world, &mut scope, &method.pre)? {
            return fail(ConcreteErrorKind::Precondition, span);
        }
        for at in method.parameters..method.parameters + method.results {
            scope.variables[at] = least(&method.variables[at].typ);
        }
        Ok(Frame { method, code: code.clone(), at: 0, scope, targets })
    }

    /// The end of a method: its results.
    fn leave(&mut self, world: &World, frame: &mut Frame<'p>) -> ConcreteResult<Vec<ConcreteValue>> {
        let method = frame.method;
        if self.budget.contracts && !self.all_hold(world, &mut frame.scope, &method.post)? {
            return fail(ConcreteErrorKind::Postcondition, method.post.first().map_or(method.span, |it| it.span));
        }
        let results = &frame.scope.variables[method.parameters..method.parameters + method.results];
        match results.iter().cloned().collect() {
            Some(results) => Ok(results),
            None => unsupported("a result without a value", method.span),
        }
    }

    fn statement(
        &mut self,
        world: &mut World,
        scope: &mut Scope,
        method: &Method,
        statement: &Stmt,
    ) -> ConcreteResult<()> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Local(variable) => {
                scope.variables[variable.index()] = least(&method.variables[variable.index()].typ);
            }
            StmtKind::Assign(variable, value) => {
                let value = self.evaluate(world, scope, value)?;
                scope.variables[variable.index()] = Some(value);
            }
            StmtKind::FieldAssign(receiver, field, value) => {
                let place = receiver.span;
                let receiver = self.evaluate(world, scope, receiver)?;
                let value = self.evaluate(world, scope, value)?;
                let ConcreteValue::Object(object) = receiver else {
                    return fail(ConcreteErrorKind::NullDereference, place);
                };
                if world.field(object, *field).is_none() {
                    return fail(ConcreteErrorKind::MissingField, span);
                }
                world.set(object, *field, value);
            }
            StmtKind::New(variable, fields) => {
                let program = self.program;
                let mut values = Vec::with_capacity(fields.len());
                for field in fields {
                    match least(&program.fields[field.index()].typ) {
                        Some(value) => values.push((*field, value)),
                        None => return unsupported("a new object with a field of a domain", span),
                    }
                }
                scope.variables[variable.index()] = Some(world.allocate(values));
            }
            StmtKind::Assert(exp) | StmtKind::Exhale(exp) | StmtKind::Join(exp) => {
                if !self.holds(world, scope, exp)? {
                    return fail(ConcreteErrorKind::AssertionFalse, exp.span);
                }
            }
            StmtKind::Assume(exp) => self.assume(world, scope, exp, false)?,
            StmtKind::Inhale(exp) => self.assume(world, scope, exp, true)?,
            // Ghosts.
            StmtKind::Refute(_) | StmtKind::Fold(_) | StmtKind::Unfold(_) | StmtKind::Use(_) => {}
            StmtKind::Unsupported(what) => return unsupported(what, span),
            StmtKind::Call { .. } | StmtKind::If(..) | StmtKind::While(..) | StmtKind::Block(_) => {
                return unsupported("a nested statement", span);
            }
            StmtKind::Goto(_) | StmtKind::Label(..) => return unsupported("a nested statement", span),
        }
        Ok(())
    }

    /// Assumes, conjunct by conjunct: `f(a) == v` defines a domain function that has no value at `a`, and what `inhale`
    /// asks for and does not exist comes into being.
    fn assume(&mut self, world: &mut World, scope: &mut Scope, exp: &Exp, inhales: bool) -> ConcreteResult<()> {
        match &*exp.kind {
            ExpKind::Binary(BinaryOp::And, a, b) => {
                self.assume(world, scope, a, inhales)?;
                return self.assume(world, scope, b, inhales);
            }
            ExpKind::Binary(BinaryOp::Implies, condition, body) if !exp.is_pure() => {
                if self.holds(world, scope, condition)? {
                    self.assume(world, scope, body, inhales)?;
                }
                return Ok(());
            }
            ExpKind::Cond(condition, a, b) if !exp.is_pure() => {
                let side = if self.holds(world, scope, condition)? { a } else { b };
                return self.assume(world, scope, side, inhales);
            }
            ExpKind::InhaleExhale(inhaled, _) => return self.assume(world, scope, inhaled, inhales),
            ExpKind::Binary(BinaryOp::Eq, call, value) => {
                if let ExpKind::DomainCall(function, args, _) = &*call.kind {
                    let args = self.all(world, scope, args)?;
                    if world.function(*function, &args).is_none() {
                        let value = self.evaluate(world, scope, value)?;
                        world.define(*function, args, value);
                        return Ok(());
                    }
                }
            }
            ExpKind::AccField(receiver, field, _) if inhales => {
                if let ConcreteValue::Object(object) = self.evaluate(world, scope, receiver)?
                    && world.field(object, *field).is_none()
                    && let Some(value) = least(&self.program.fields[field.index()].typ)
                {
                    world.set(object, *field, value);
                }
            }
            _ => {}
        }
        if self.holds(world, scope, exp)? { Ok(()) } else { fail(ConcreteErrorKind::Infeasible, exp.span) }
    }
}
