//! `exec`: statements.
//!
//! Source: Smans et al. 2010, section 3.4.3 and figure 8, with the errata: `open` goes on in the heap without the
//! predicate, `close` consumes the body of the predicate. Loops and labels as in Viper.

mod assumed;
mod loops;
mod objects;

use crate::code::{Inst, Pc};
use crate::failure::{ErrorKind, ReasonKind};
use crate::machine::{Joined, Machine, Res, Scene, Stop};
use crate::state::{Blame, Env, Give, Mode, State, Take, Task, Work};
use crate::walk::Next;
use effigy_contracts::program::{Exp, MethodId, Span, Stmt, StmtKind, Type, VarId};
use effigy_heap::heap::{Chunk, Heap, Resource};
use effigy_term::Term;
use std::rc::Rc;

impl<'a, 't> Machine<'a, 't> {
    /// The next step of work that is neither produce nor consume.
    pub(crate) fn exec(&mut self, mut state: State<'a>, work: Work<'a>) -> Res<Option<Next<'a>>> {
        match work {
            Work::Run(pc) => self.run(state, pc),
            Work::Return { method, env, targets, before, span } => {
                self.return_from(&mut state, method, env, targets, before, span);
                Ok(Some(Next::On(state)))
            }
            Work::Fold(predicate, args, amount) => {
                let unit = self.snapshots.unit(self.terms);
                let value = state.snapshots.pop().unwrap_or(unit);
                let chunk = Chunk { resource: Resource::Predicate(predicate), args, value, perm: amount.term };
                self.add(&mut state.heap, chunk)?;
                self.unfolded_snapshot(value, state.mode);
                Ok(Some(Next::On(state)))
            }
            Work::Enter(pc) => {
                self.enter(&mut state, pc);
                Ok(Some(Next::On(state)))
            }
            _ => Ok(Some(Next::On(state))),
        }
    }

    fn run(&mut self, mut state: State<'a>, pc: Pc) -> Res<Option<Next<'a>>> {
        let Some(code) = self.code.clone() else { return Ok(Some(Next::On(state))) };
        self.leave_loops(&mut state, &code, pc)?;
        match &code.insts[pc] {
            Inst::End => Ok(Some(Next::On(state))),
            Inst::Jump(to) => Ok(Some(Next::On(state.with(Work::Run(*to))))),
            Inst::Label(label) => {
                let heap = state.heap.clone();
                state.env.labels = state.env.labels.insert(*label, heap);
                Ok(Some(Next::On(state.with(Work::Run(pc + 1)))))
            }
            Inst::Branch { cond, otherwise, of_loop } => {
                let error = if *of_loop { ErrorKind::While } else { ErrorKind::If };
                let heap = state.heap.clone();
                let env = state.env.clone();
                let scene = self.scene(&env, &heap, state.mode, Blame::at(error, cond.span));
                let failed = self.account.failed;
                let term = self.eval(&scene, cond)?;
                // What the condition would read comes back where the loop is left: there it is not what was made up.
                if *of_loop && self.account.failed > failed {
                    return Ok(None);
                }
                let other = state.clone().with(Work::Run(*otherwise));
                let then = state.with(Work::Run(pc + 1));
                Ok(Some(Next::Fork { cond: term, span: cond.span, then, other }))
            }
            Inst::Head { invariants, span, looping } => match looping {
                None => Ok(Some(Next::On(state.with(Work::Run(pc + 1))))),
                Some(looping) => self.head(state, pc, invariants, *span, looping),
            },
            Inst::Stmt(stmt) => {
                state.work.push(Work::Run(pc + 1));
                self.stmt(state, stmt)
            }
        }
    }

    pub(crate) fn scene<'s>(&self, env: &'s Env<'a>, heap: &'s Heap, mode: Mode, blame: Blame) -> Scene<'s, 'a> {
        Scene { env, heap, held: heap, blame, checked: true, amounts: true, mode }
    }

    // Statements.

    fn stmt(&mut self, mut state: State<'a>, stmt: &'a Stmt) -> Res<Option<Next<'a>>> {
        let heap = state.heap.clone();
        let env = state.env.clone();
        match &stmt.kind {
            StmtKind::Local(variable) => {
                let value = self.fresh_value(&env, *variable);
                state.env.set(*variable, value);
            }
            StmtKind::Assign(variable, exp) => {
                let scene = self.scene(&env, &heap, state.mode, Blame::at(ErrorKind::Assignment, stmt.span));
                let value = self.eval(&scene, exp)?;
                let value = self.converted_to(&env.table[variable.index()].typ, value);
                self.note(value);
                self.mention(value);
                state.env.set(*variable, value);
            }
            StmtKind::FieldAssign(receiver, field, exp) => {
                let scene = self.scene(&env, &heap, state.mode, Blame::at(ErrorKind::Assignment, stmt.span));
                let receiver_term = self.eval(&scene, receiver)?;
                let value = self.eval(&scene, exp)?;
                let value = self.converted_to(&self.program.fields[field.index()].typ, value);
                let resource = Resource::Field(*field);
                let amount = self.write();
                let args = [receiver_term];
                let culprit = self.location(receiver.span, *field);
                let taken = self.take(&scene, &mut state.heap, resource, &args, amount, culprit);
                if let Err(Stop::Failed(failure)) = taken {
                    return self.open_instead(state, stmt, receiver_term, *failure);
                }
                taken?;
                let chunk = Chunk { resource, args: Rc::from([receiver_term]), value, perm: amount.term };
                self.add(&mut state.heap, chunk)?;
            }
            StmtKind::New(variable, fields) => {
                let object = self.new_object(&env.table[variable.index()].name);
                self.keep_out(&env, &heap, object);
                for (at, &field) in fields.iter().enumerate() {
                    // A field that is named twice is there once.
                    if fields[..at].contains(&field) {
                        continue;
                    }
                    let value = self.fresh_of("value", &self.program.fields[field.index()].typ);
                    let resource = Resource::Field(field);
                    let perm = self.full_permission();
                    self.add(&mut state.heap, Chunk { resource, args: Rc::from([object]), value, perm })?;
                }
                state.env.set(*variable, object);
            }
            StmtKind::Call { method, args, targets } => {
                let scene = self.scene(&env, &heap, state.mode, Blame::at(ErrorKind::Call, stmt.span));
                let args = self.eval_all(&scene, args)?;
                self.call(&mut state, *method, args, targets, stmt.span);
            }
            StmtKind::Inhale(exp) => {
                let task = self.task(&env, exp, ErrorKind::Inhale);
                state.work.push(Work::Produce(task, None, Give::Amount));
            }
            StmtKind::Assume(exp) => {
                if exp.is_pure() {
                    let task = self.task(&env, exp, ErrorKind::Inhale);
                    state.work.push(Work::Produce(task, None, Give::Amount));
                } else {
                    let scene = self.scene(&env, &heap, state.mode, Blame::at(ErrorKind::Inhale, exp.span));
                    let fact = self.assumed(&scene, exp, &mut Vec::new())?;
                    self.assume(fact);
                    let negated = self.terms.not(fact);
                    if self.known(negated) {
                        return Err(Stop::Infeasible);
                    }
                }
            }
            StmtKind::Exhale(exp) => {
                let task = self.task(&env, exp, ErrorKind::Exhale);
                state.work.push(Work::Drop);
                state.work.push(Work::Consume(task, heap, Take::Amount));
            }
            StmtKind::Assert(exp) => {
                let mut task = self.task(&env, exp, ErrorKind::Assert);
                task.blame.goes_on = true;
                state.work.push(Work::Restore(heap.clone()));
                state.work.push(Work::Drop);
                state.work.push(Work::Consume(task, heap, Take::Amount));
            }
            StmtKind::Refute(exp) => self.refute(&state, exp)?,
            StmtKind::Fold(instance) => return self.fold(state, instance, stmt.span),
            StmtKind::Unfold(instance) => return self.unfold(state, instance, stmt.span),
            StmtKind::Use(call) => {
                let scene = self.scene(&env, &heap, state.mode, Blame::at(ErrorKind::Assert, stmt.span));
                self.use_function(&scene, call)?;
            }
            StmtKind::Join(exp) => return self.join(state, exp),
            StmtKind::Unsupported(what) => return self.unsupported(what, stmt.span),
            // Control flow was laid out by `code`.
            StmtKind::If(..) | StmtKind::While(..) | StmtKind::Goto(_) | StmtKind::Label(..) | StmtKind::Block(_) => {}
        }
        Ok(Some(Next::On(state)))
    }

    fn task(&self, env: &Env<'a>, exp: &'a Exp, error: ErrorKind) -> Task<'a> {
        let exps = std::slice::from_ref(exp);
        Task { exps, env: env.clone(), blame: Blame::at(error, exp.span), scale: None, trusted: false }
    }

    /// An integer where an amount is expected is a number of wholes.
    fn converted_to(&self, typ: &Type, value: Term) -> Term {
        match typ {
            Type::Perm => self.as_permission(value),
            _ => value,
        }
    }

    fn call(&mut self, state: &mut State<'a>, method: MethodId, args: Vec<Term>, targets: &'a [VarId], span: Span) {
        let callee = &self.program.methods[method.index()];
        let args: Vec<_> =
            args.into_iter().zip(&callee.variables).map(|(it, to)| self.converted_to(&to.typ, it)).collect();
        let env = Env::new(&args, &callee.variables);
        let heap = state.heap.clone();
        state.work.push(Work::Return { method, env: env.clone(), targets, before: heap.clone(), span });
        state.work.push(Work::Drop);
        let blame = Blame::at(ErrorKind::CallPrecondition, span);
        let task = Task { exps: &callee.pre, env, blame, scale: None, trusted: false };
        state.work.push(Work::Consume(task, heap, Take::Amount));
    }

    fn return_from(
        &mut self,
        state: &mut State<'a>,
        method: MethodId,
        mut env: Env<'a>,
        targets: &'a [VarId],
        before: Heap,
        span: Span,
    ) {
        let callee = &self.program.methods[method.index()];
        for (at, target) in (callee.parameters..callee.parameters + callee.results).zip(targets) {
            let result = VarId(at as u32);
            let value = self.fresh_value(&env, result);
            env.set(result, value);
            state.env.set(*target, value);
        }
        env.old = Some(before);
        let blame = Blame::at(ErrorKind::Call, span);
        // What was given is not what was taken where a precondition has two sides: then the postcondition has not been
        // shown to mean something here.
        let trusted = !callee.pre.iter().chain(&callee.post).any(Exp::has_two_sides);
        let task = Task { exps: &callee.post, env, blame, scale: None, trusted };
        state.work.push(Work::Produce(task, None, Give::Amount));
    }

    /// `refute e`: fine if some path does not imply it.
    fn refute(&mut self, state: &State<'a>, exp: &'a Exp) -> Res<()> {
        let task = self.task(&state.env, exp, ErrorKind::Assert);
        let mode = Mode { trying: true, ..state.mode };
        let start = State::within(state.env.clone(), state.heap.clone(), mode);
        let start = start.with(Work::Consume(task, state.heap.clone(), Take::Amount));
        self.push();
        let res = self.walk(start, &mut |_, _| Ok(()));
        self.pop();
        match res {
            Ok(()) => Ok(()),
            Err(Stop::Failed(failure))
                if matches!(
                    failure.reason,
                    ReasonKind::AssertionFalse | ReasonKind::InsufficientPermission | ReasonKind::Null
                ) =>
            {
                self.account.refuted.push(exp.span);
                Ok(())
            }
            Err(stop) => Err(stop),
        }
    }

    /// `join φ`: every path to here ends in φ; one goes on, of which only φ is known (section 6.1).
    fn join(&mut self, mut state: State<'a>, exp: &'a Exp) -> Res<Option<Next<'a>>> {
        let Some(Work::Run(next)) = state.work.pop() else { return Ok(Some(Next::On(state))) };
        if !state.loops.is_empty() {
            return self.unsupported("join inside of a loop", exp.span);
        }
        let task = self.task(&state.env, exp, ErrorKind::Assert);
        let heap = state.heap.clone();
        state.work.push(Work::GoOn(next, exp));
        Ok(Some(Next::On(state.with(Work::Consume(task, heap, Take::Amount)))))
    }

    /// After the assertion of a `join`: the first path to come here goes on, for all of them.
    pub(crate) fn go_on(&mut self, mut state: State<'a>, next: Pc, exp: &'a Exp) -> Res<Option<Next<'a>>> {
        let same = |it: &&Joined| {
            it.next == next
                && it.entry.len() == state.entry.len()
                && it.entry.shared_with(&state.entry) == it.entry.len()
        };
        match self.account.joined.iter().find(same) {
            Some(first) if first.branches != state.branches => return Ok(None),
            Some(_) => {}
            None => {
                let (entry, branches) = (state.entry.clone(), state.branches.clone());
                self.account.joined.push(Joined { next, entry, branches });
            }
        }
        // What the paths to here have in common is the start of the method.
        self.go_to(&state.entry);
        let mut env = Env { labels: Default::default(), ..state.env };
        let parameters = self.code.as_ref().map_or(0, |it| it.method.parameters);
        let locals = (parameters..env.table.len()).map(|it| VarId(it as u32));
        let locals: Vec<_> = locals.filter(|&it| env.get(it).is_some()).collect();
        self.havoc(&mut env, &locals);
        let exps = std::slice::from_ref(exp);
        let blame = Blame::at(ErrorKind::NotWellformed, exp.span);
        let task = Task { exps, env: env.clone(), blame, scale: None, trusted: false };
        state.work.push(Work::Run(next));
        state.work.push(Work::Produce(task, None, Give::Amount));
        let (heap, snapshots, branches) = Default::default();
        Ok(Some(Next::On(State { env, heap, snapshots, branches, ..state })))
    }
}
