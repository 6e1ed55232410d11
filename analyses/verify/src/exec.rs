//! `exec`: statements.
//!
//! Source: Smans et al. 2010, section 3.4.3 and figure 8, with the errata: `open` goes on in the heap without the
//! predicate, `close` consumes the body of the predicate. Loops and labels as in Viper.

use crate::code::{Code, Inst, Loop, Pc};
use crate::failure::{ErrorKind, ReasonKind};
use crate::machine::{Joined, Machine, Res, Scene, Stop};
use crate::state::{Blame, Env, Frame, Give, Mode, State, Take, Task, Work};
use crate::walk::Next;
use effigy_contracts::program::{BinaryOp, CollectionOp, Exp, ExpKind, MethodId, Span, Stmt, StmtKind, Type, VarId};
use effigy_heap::heap::{Chunk, Heap, Resource};
use effigy_solver::prover;
use effigy_term::{Sort, Term};
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

    // Loops.

    /// What was framed away comes back where a loop is left.
    fn leave_loops(&mut self, state: &mut State<'a>, code: &Code<'a>, pc: Pc) -> Res<()> {
        let left = |frame: &Frame| match &code.insts[frame.head] {
            Inst::Head { looping: Some(looping), .. } => !looping.contains(pc),
            _ => false,
        };
        // Loops that are entered in two places need not be nested: also one that is not the innermost may be left.
        while let Some(at) = state.loops.iter().rposition(left) {
            let frame = state.loops.remove(at);
            let into = match state.loops.get_mut(at) {
                Some(inner) => &mut inner.heap,
                None => &mut state.heap,
            };
            for chunk in frame.heap.iter() {
                self.add(into, chunk.clone())?;
            }
        }
        Ok(())
    }

    fn head(
        &mut self,
        mut state: State<'a>,
        pc: Pc,
        invariants: &'a [Exp],
        span: Span,
        looping: &Loop,
    ) -> Res<Option<Next<'a>>> {
        let again = state.loops.iter().any(|it| it.head == pc);
        let error = if again { ErrorKind::InvariantNotPreserved } else { ErrorKind::InvariantNotEstablished };
        let blame = Blame::conjunct(error, span);
        if !again {
            let failed = self.account.failed;
            self.check_invariants(&state, invariants, span, looping)?;
            // A loop whose invariants mean nothing proves nothing; what they say is checked as far as it goes.
            if self.account.failed > failed {
                state.work.clear();
                let task = Task { exps: invariants, env: state.env.clone(), blame, scale: None, trusted: false };
                let heap = state.heap.clone();
                state.mode.lenient = true;
                self.push();
                let res = self.walk(state.with(Work::Consume(task, heap, Take::Amount)), &mut |_, _| Ok(()));
                self.pop();
                return res.map(|()| None);
            }
        }
        let next = if again { Work::End } else { Work::Enter(pc) };
        state.work.push(next);
        state.work.push(Work::Drop);
        let task = Task { exps: invariants, env: state.env.clone(), blame, scale: None, trusted: false };
        let heap = state.heap.clone();
        Ok(Some(Next::On(state.with(Work::Consume(task, heap, Take::Amount)))))
    }

    /// The invariants mean something in every state in which the body may start.
    fn check_invariants(&mut self, state: &State<'a>, invariants: &'a [Exp], span: Span, looping: &Loop) -> Res<()> {
        let mut env = state.env.clone();
        self.havoc(&mut env, &looping.assigned);
        let blame = Blame::conjunct(ErrorKind::NotWellformed, span);
        let task = Task { exps: invariants, env: env.clone(), blame, scale: None, trusted: false };
        let start = State::within(env, Heap::default(), state.mode).with(Work::Produce(task, None, Give::Amount));
        self.push();
        let res = self.walk(start, &mut |_, _| Ok(()));
        self.pop();
        res
    }

    /// Into the loop: only the invariants are known.
    fn enter(&mut self, state: &mut State<'a>, pc: Pc) {
        let Some(code) = self.code.clone() else { return };
        let Inst::Head { invariants, span, looping: Some(looping) } = &code.insts[pc] else { return };
        let heap = std::mem::take(&mut state.heap);
        state.loops.push(Frame { head: pc, heap });
        let mut env = state.env.clone();
        self.havoc(&mut env, &looping.assigned);
        // What a label in the loop has remembered is from another iteration.
        for (at, inst) in code.insts.iter().enumerate() {
            if let (true, Inst::Label(label)) = (looping.contains(at), inst) {
                env.labels = env.labels.remove(label);
            }
        }
        state.env = env.clone();
        let task = Task {
            exps: invariants,
            env,
            blame: Blame::conjunct(ErrorKind::NotWellformed, *span),
            scale: None,
            trusted: false,
        };
        state.work.push(Work::Run(pc + 1));
        state.work.push(Work::Produce(task, None, Give::Amount));
    }

    pub(crate) fn havoc(&mut self, env: &mut Env<'a>, variables: &[VarId]) {
        for &variable in variables {
            let value = self.fresh_value(env, variable);
            env.set(variable, value);
        }
    }

    /// An unknown value for a variable.
    pub(crate) fn fresh_value(&mut self, env: &Env<'a>, variable: VarId) -> Term {
        let info = &env.table[variable.index()];
        self.fresh_of(&info.name, &info.typ)
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

    /// What `assume` assumes of an assertion: that the permissions are held. `before` are those of the conjuncts before,
    /// with what they are of and under which condition: they are held beside these.
    fn assumed(
        &mut self,
        scene: &Scene<'_, 'a>,
        exp: &'a Exp,
        before: &mut Vec<(Resource, Vec<Term>, Term)>,
    ) -> Res<Term> {
        match &*exp.kind {
            _ if exp.is_pure() => self.eval(scene, exp),
            ExpKind::Binary(BinaryOp::And, left, right) => {
                let left = self.assumed(scene, left, before)?;
                let right = self.assumed(scene, right, before)?;
                Ok(self.terms.and(left, right))
            }
            ExpKind::Binary(BinaryOp::Implies, cond, then) => {
                let cond = self.eval(scene, cond)?;
                self.assumed_under(scene, cond, then, before)
            }
            ExpKind::Cond(cond, then, other) => {
                let cond = self.eval(scene, cond)?;
                let then = self.assumed_under(scene, cond, then, before)?;
                let negated = self.terms.not(cond);
                let other = self.assumed_under(scene, negated, other, before)?;
                Ok(self.terms.and(then, other))
            }
            ExpKind::InhaleExhale(inhaled, _) => self.assumed(scene, inhaled, before),
            ExpKind::AccField(receiver, field, perm) => {
                let receiver = self.eval(scene, receiver)?;
                self.assumed_held(scene, Resource::Field(*field), vec![receiver], perm.as_ref(), before)
            }
            ExpKind::AccPredicate(instance) => {
                let args = self.eval_all(scene, &instance.args)?;
                let resource = Resource::Predicate(instance.predicate);
                self.assumed_held(scene, resource, args, instance.perm.as_deref(), before)
            }
            ExpKind::Unsupported(what) => self.unsupported(what, exp.span),
            ExpKind::Quantified(_) => self.unsupported("quantified permissions", exp.span),
            _ => self.unsupported("assume of this assertion", exp.span),
        }
    }

    fn assumed_under(
        &mut self,
        scene: &Scene<'_, 'a>,
        cond: Term,
        exp: &'a Exp,
        before: &mut Vec<(Resource, Vec<Term>, Term)>,
    ) -> Res<Term> {
        let mut inside = before.clone();
        let fact = self.under(cond, &mut |machine| machine.assumed(scene, exp, &mut inside))?;
        let none = self.no_permission();
        for (resource, args, amount) in inside.drain(before.len()..).collect::<Vec<_>>() {
            before.push((resource, args, self.terms.ite(cond, amount, none)));
        }
        Ok(fact.map_or(self.terms.not(cond), |fact| self.terms.implies(cond, fact)))
    }

    fn assumed_held(
        &mut self,
        scene: &Scene<'_, 'a>,
        resource: Resource,
        args: Vec<Term>,
        perm: Option<&'a Exp>,
        before: &mut Vec<(Resource, Vec<Term>, Term)>,
    ) -> Res<Term> {
        let amount = match perm {
            None => self.write(),
            Some(perm) => self.permission(scene, perm)?,
        };
        let held = self.held(scene.heap, resource, &args);
        let mut sum = amount.term;
        for (other, other_args, other_amount) in before.iter() {
            if *other == resource {
                let pairs = args.iter().zip(other_args).map(|(&a, &b)| self.terms.eq(a, b));
                let same = self.terms.and_all(pairs);
                let part = self.terms.ite(same, *other_amount, self.no_permission());
                sum = self.terms.real_add(sum, part);
            }
        }
        before.push((resource, args, amount.term));
        Ok(self.terms.real_le(sum, held))
    }

    /// An integer where an amount is expected is a number of wholes.
    fn converted_to(&self, typ: &Type, value: Term) -> Term {
        match typ {
            Type::Perm => self.as_permission(value),
            _ => value,
        }
    }

    /// A new object: not null, and different from every reference in the state.
    fn new_object(&mut self, name: &str) -> Term {
        let object = self.fresh_unnoted(name, self.vocabulary.reference());
        let not_null = self.terms.ne(object, self.vocabulary.null(self.terms));
        self.assume(not_null);
        self.assume_born(object);
        object
    }

    /// The collections of the state, like everything that was there before, do not contain a new object.
    fn keep_out(&mut self, env: &Env<'a>, heap: &Heap, object: Term) {
        let variables = env.table.iter().enumerate().filter_map(|(at, it)| Some((env.get(VarId(at as u32))?, &it.typ)));
        let fields = heap.iter().filter_map(|it| match it.resource {
            Resource::Field(field) => Some((it.value, &self.program.fields[field.index()].typ)),
            Resource::Predicate(_) => None,
        });
        let values: Vec<(Term, &Type)> = variables.chain(fields).collect();
        for (value, typ) in values {
            let op = match typ {
                Type::Seq(it) if **it == Type::Ref => CollectionOp::SeqContains,
                Type::Set(it) if **it == Type::Ref => CollectionOp::SetContains,
                Type::Multiset(it) if **it == Type::Ref => CollectionOp::MultisetCount,
                _ => continue,
            };
            let Some(kind) = self.vocabulary.kind(self.terms, typ) else { continue };
            let there = self.vocabulary.collections.apply(self.terms, op, kind, &[object, value]);
            let fact = match op {
                CollectionOp::MultisetCount => self.terms.eq(there, self.terms.int(0)),
                _ => self.terms.not(there),
            };
            self.assume(fact);
        }
        // Nor what is inside of predicates.
        for chunk in heap.iter().filter(|it| matches!(it.resource, Resource::Predicate(_))) {
            let older = self.terms.int_lt(self.youngest_in(chunk.value), self.birth(object));
            let fact = self.terms.implies(self.positive(chunk.perm), older);
            self.assume(fact);
        }
    }

    /// The number of the birth of the youngest object in these contents.
    fn youngest_in(&self, contents: Term) -> Term {
        let function = self.terms.function("youngest in", &[self.terms.sort(contents)], Sort::Int);
        self.terms.apply(function, &[contents])
    }

    fn birth(&self, object: Term) -> Term {
        let function = self.terms.function(prover::BIRTH, &[self.terms.sort(object)], Sort::Int);
        self.terms.apply(function, &[object])
    }

    /// Contents in two parts are as old as both.
    pub(crate) fn assume_no_younger(&mut self, parts: [Term; 2], contents: Term) {
        if !self.creates {
            return;
        }
        for part in parts {
            let fact = self.terms.int_le(self.youngest_in(part), self.youngest_in(contents));
            self.assume(fact);
        }
    }

    /// A reference in these contents is as old as they are.
    pub(crate) fn assume_within(&mut self, reference: Term, contents: Term) {
        if self.creates && self.terms.sort(reference) == self.vocabulary.reference() {
            let fact = self.terms.int_le(self.birth(reference), self.youngest_in(contents));
            self.assume(fact);
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
