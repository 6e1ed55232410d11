//! What makes a member valid.
//!
//! Source: Smans et al. 2010, section 3.5, definitions 3 to 7, with the corrected names; functions with postconditions
//! as in Viper.

use crate::code::Code;
use crate::exec::Joined;
use crate::failure::{ErrorKind, Failure, ReasonKind};
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Blame, Env, Give, State, Take, Task, Work};
use crate::{Member, Verdict};
use effigy_contracts::program::{Exp, FunctionId, MemberVariable, Method, MethodId, PredicateId, Stmt, StmtKind, Type};
use effigy_heap::heap::Resource;
use effigy_term::Term;
use std::rc::Rc;

impl<'a> Machine<'a> {
    /// Verifies one member from the beginning.
    pub(crate) fn verify(&mut self, member: Member) -> Verdict {
        let res = self.define_functions().and_then(|()| self.tell_domains()).and_then(|()| match member {
            Member::Function(function) => self.verify_function(function),
            Member::Predicate(predicate) => self.verify_predicate(predicate),
            Member::Method(method) => self.verify_method(method),
        });
        let mut failures = std::mem::take(&mut self.failures);
        match res {
            Ok(()) | Err(Stop::Infeasible) if failures.is_empty() => Verdict::Verified,
            Ok(()) | Err(Stop::Infeasible) => Verdict::Failed(failures),
            Err(Stop::Failed(failure)) => {
                failures.push(*failure);
                Verdict::Failed(failures)
            }
            // What was found before is a verdict.
            Err(_) if !failures.is_empty() => Verdict::Failed(failures),
            Err(Stop::Undecided(why)) => Verdict::Undecided(why),
            Err(Stop::Unsupported(what, span)) => Verdict::Unsupported(what, span),
        }
    }

    /// Walks from a state in a scope of its own.
    fn walk_apart(
        &mut self,
        state: State<'a>,
        leaf: &mut dyn FnMut(&mut Machine<'a>, State<'a>) -> Res<()>,
    ) -> Res<()> {
        self.trace.clear();
        self.recording_starts(&state);
        self.push();
        let res = self.walk(state, leaf);
        self.pop();
        self.recorded_failure().map_or(res, Err)
    }

    /// A store in which the first so many variables are unknown.
    fn arbitrary(&mut self, variables: &'a [MemberVariable], count: usize) -> Env<'a> {
        let values: Vec<Term> = variables[..count].iter().map(|it| self.fresh_of(&it.name, &it.typ)).collect();
        Env::new(&values, variables)
    }

    /// Definition 5, and the postconditions.
    fn verify_function(&mut self, function: FunctionId) -> Res<()> {
        self.in_function = true;
        self.distrust(function);
        let info = &self.program.functions[function.index()];
        let env = self.arbitrary(&info.variables, info.parameters);
        let contract = Blame::conjunct(ErrorKind::NotWellformed, info.span);
        let task = Task { exps: &info.pre, env: env.clone(), blame: contract, scale: None, trusted: false };
        let snapshot = self.fresh("snapshot", self.vocabulary.snapshot());
        let start = State::new(env.clone()).with(Work::Produce(task, Some(snapshot), Give::Some));
        let Some(body) = &info.body else {
            // The postconditions mean something whatever the result.
            let result = self.fresh_of("result", &info.result);
            let env = Env { result: Some(result), ..env };
            return self.check_contract(start, &info.pre, &mut |machine, state| {
                let task = Task { exps: &info.post, env: env.clone(), blame: contract, scale: None, trusted: false };
                let state = State { work: vec![Work::Produce(task, None, Give::Some)], ..state };
                machine.both_sides(&info.post, &mut |machine| machine.walk(state.clone(), &mut |_, _| Ok(())))
            });
        };
        if info.pre.iter().any(Exp::has_two_sides) {
            self.exhale_side = true;
            let res = self.walk_apart(start.clone(), &mut |_, _| Ok(()));
            self.exhale_side = false;
            res?;
        }
        let of_body = Blame::at(ErrorKind::FunctionNotWellformed, info.span);
        let check = |machine: &mut Machine<'a>, state: State<'a>| {
            let scene = Scene {
                env: &env,
                heap: &state.heap,
                held: &state.heap,
                blame: of_body,
                checked: true,
                amounts: false,
            };
            let value = machine.eval(&scene, body)?;
            let value = if info.result == Type::Perm { machine.as_permission(value) } else { value };
            let result = machine.application_of(function, snapshot, &env, info.parameters);
            let fact = machine.equal(result, value);
            machine.assume(fact);
            let env = Env { result: Some(value), ..env.clone() };
            for post in &info.post {
                let scene = Scene {
                    env: &env,
                    heap: &state.heap,
                    held: &state.heap,
                    blame: contract,
                    checked: true,
                    amounts: false,
                };
                machine.check_post_of_function(&Scene { blame: contract.of(post), ..scene }, post)?;
            }
            Ok(())
        };
        // Expressions alone: what is walked inside of them are no paths of the function.
        self.walk_apart(start, &mut |machine, state| machine.unrecorded(&mut |machine| check(machine, state.clone())))
    }

    /// A contract means something: the precondition, in both readings if it is `[a, b]`; and the postcondition in both,
    /// wherever the precondition was inhaled.
    fn check_contract(
        &mut self,
        start: State<'a>,
        pre: &'a [Exp],
        post: &mut dyn FnMut(&mut Machine<'a>, State<'a>) -> Res<()>,
    ) -> Res<()> {
        self.walk_apart(start.clone(), post)?;
        if pre.iter().any(Exp::has_two_sides) {
            self.exhale_side = true;
            let res = self.walk_apart(start, &mut |_, _| Ok(()));
            self.exhale_side = false;
            res?;
        }
        Ok(())
    }

    /// Checks both readings of assertions with `[a, b]`.
    fn both_sides(&mut self, assertions: &'a [Exp], check: &mut dyn FnMut(&mut Machine<'a>) -> Res<()>) -> Res<()> {
        self.push();
        let res = check(self);
        self.pop();
        res?;
        if assertions.iter().any(Exp::has_two_sides) {
            self.exhale_side = true;
            let res = check(self);
            self.exhale_side = false;
            res?;
        }
        Ok(())
    }

    /// A conjunct of a function's postcondition: it means something, and holds.
    fn check_post_of_function(&mut self, scene: &Scene<'_, 'a>, post: &'a Exp) -> Res<()> {
        match &*post.kind {
            effigy_contracts::program::ExpKind::Binary(effigy_contracts::program::BinaryOp::And, left, right) => {
                self.check_post_of_function(scene, left)?;
                self.check_post_of_function(scene, right)
            }
            effigy_contracts::program::ExpKind::InhaleExhale(inhaled, exhaled) => {
                self.push();
                let res = self.eval(scene, inhaled);
                self.pop();
                res?;
                self.check_post_of_function(scene, exhaled)
            }
            _ => {
                let failed = self.failed;
                match self.eval(scene, post) {
                    Err(Stop::Infeasible) if self.failed > failed => {}
                    evaluated => drop(evaluated?),
                }
                let blame = Blame { error: ErrorKind::Postcondition, ..scene.blame };
                // What means nothing has been reported as that; what it says is checked as far as it goes.
                let lenient = self.failed > failed;
                self.lenient = lenient;
                let res = self.check(&Scene { blame, checked: !lenient, ..*scene }, post);
                self.lenient = false;
                res
            }
        }
    }

    fn application_of(&self, function: FunctionId, snapshot: Term, env: &Env<'a>, parameters: usize) -> Term {
        let args: Vec<Term> =
            (0..parameters as u32).filter_map(|it| env.get(effigy_contracts::program::VarId(it))).collect();
        self.application(function, snapshot, &args)
    }

    /// Definition 4.
    fn verify_predicate(&mut self, predicate: PredicateId) -> Res<()> {
        let info = &self.program.predicates[predicate.index()];
        let Some(body) = &info.body else { return Ok(()) };
        let env = self.arbitrary(&info.variables, info.parameters);
        let blame = Blame::at(ErrorKind::PredicateNotWellformed, info.span);
        let task = Task { exps: std::slice::from_ref(body), env: env.clone(), blame, scale: None, trusted: false };
        let start = State::new(env).with(Work::Produce(task, None, Give::Amount));
        self.walk_apart(start, &mut |_, _| Ok(()))
    }

    /// Definition 3.
    fn verify_method(&mut self, method: MethodId) -> Res<()> {
        let info = &self.program.methods[method.index()];
        let mut env = self.arbitrary(&info.variables, info.parameters);
        for at in info.parameters..info.parameters + info.results {
            let variable = effigy_contracts::program::VarId(at as u32);
            let value = self.fresh_value(&env, variable);
            env.set(variable, value);
        }
        // A jump may lead past the declaration of a variable.
        for stmt in info.body.iter().flatten() {
            stmt.walk(&mut |it| {
                if let StmtKind::Local(variable) = it.kind {
                    let info = &info.variables[variable.index()];
                    let sort = self.vocabulary.sort(self.terms, &info.typ);
                    let value = self.fresh_unnoted(&info.name, sort);
                    env.set(variable, value);
                }
            });
        }
        let blame = Blame::conjunct(ErrorKind::NotWellformed, info.span);
        let task = Task { exps: &info.pre, env: env.clone(), blame, scale: None, trusted: false };
        let start = State::new(env).with(Work::Produce(task, None, Give::Amount));
        self.check_contract(start.clone(), &info.pre, &mut |machine, state| {
            // The postcondition means something wherever the precondition held before.
            let mut env = state.env.clone();
            env.old = Some(state.heap);
            let task = Task { exps: &info.post, env: env.clone(), blame, scale: None, trusted: false };
            let state = State::new(env).with(Work::Produce(task, None, Give::Amount));
            machine.both_sides(&info.post, &mut |machine| machine.walk(state.clone(), &mut |_, _| Ok(())))
        })?;
        // An ill-formed contract has been reported; what it says is checked as far as it goes.
        let lenient = self.failed > 0;
        let Some(body) = &info.body else { return Ok(()) };
        self.code = Some(Rc::new(Code::new(body, info.labels.len())));
        self.refuted.clear();
        self.walk_apart(start, &mut |machine, mut state| {
            state.env.old = Some(state.heap.clone());
            machine.open_contract(&mut state, body)?;
            state.work.insert(0, Work::Run(0));
            machine.joins.clear();
            machine.walk(state, &mut |machine, state| machine.check_post(info, state, lenient))?;
            machine.go_on_from_joins(info, lenient)
        })?;
        for failure in self.not_refuted(info) {
            self.report(Box::new(failure))?;
        }
        Ok(())
    }

    /// Each join that was reached starts anew; more may be reached from there.
    fn go_on_from_joins(&mut self, info: &'a Method, lenient: bool) -> Res<()> {
        let mut at = 0;
        while let Some(Joined { next, exp, mut env }) = self.joins.get(at).cloned() {
            self.recorder.iter_mut().for_each(|it| it.go_on_from(at));
            at += 1;
            let locals = (info.parameters..env.table.len()).map(|it| effigy_contracts::program::VarId(it as u32));
            let locals: Vec<_> = locals.filter(|&it| env.get(it).is_some()).collect();
            self.havoc(&mut env, &locals);
            let exps = std::slice::from_ref(exp);
            let blame = Blame::at(ErrorKind::NotWellformed, exp.span);
            let task = Task { exps, env: env.clone(), blame, scale: None, trusted: false };
            let state = State::new(env).with(Work::Run(next)).with(Work::Produce(task, None, Give::Amount));
            self.push();
            let res = self.walk(state, &mut |machine, state| machine.check_post(info, state, lenient));
            self.pop();
            res?;
        }
        Ok(())
    }

    /// The postcondition holds at the end of a path.
    fn check_post(&mut self, info: &'a Method, state: State<'a>, lenient: bool) -> Res<()> {
        let blame = Blame::conjunct(ErrorKind::Postcondition, info.span);
        let task = Task { exps: &info.post, env: state.env.clone(), blame, scale: None, trusted: false };
        let heap = state.heap.clone();
        self.effort.paths += 1;
        self.lenient = lenient;
        let res = self.walk(state.with(Work::Consume(task, heap, Take::Amount)), &mut |_, _| Ok(()));
        self.lenient = false;
        res
    }

    /// Section 4.1: the body is verified against the contract with the receiver's predicates opened.
    fn open_contract(&mut self, state: &mut State<'a>, body: &'a [Stmt]) -> Res<()> {
        if !self.config.inference.contracts {
            return Ok(());
        }
        let Some(receiver) = state.env.get(effigy_contracts::program::VarId(0)) else { return Ok(()) };
        let chunks: Vec<_> = state.heap.entries().map(|(id, chunk)| (id, chunk.clone())).collect();
        for (id, chunk) in chunks {
            let Resource::Predicate(predicate) = chunk.resource else { continue };
            // Who opens it in the body says where.
            if chunk.args.first() != Some(&receiver) || opens(body, predicate) {
                continue;
            }
            let env = state.env.clone();
            let heap = state.heap.clone();
            let blame = Blame::at(ErrorKind::NotWellformed, effigy_contracts::Span::default());
            let scene = self.scene(&env, &heap, blame);
            if let Some(mut opened) = self.opened(&heap, id, &chunk, &scene) {
                state.heap = opened.heap;
                state.work.append(&mut opened.work);
            }
        }
        Ok(())
    }

    /// `refute` statements whose assertion held wherever they were reached, or that were not reached.
    fn not_refuted(&self, info: &'a Method) -> Vec<Failure> {
        let mut res = Vec::new();
        for stmt in info.body.iter().flatten() {
            stmt.walk(&mut |it| {
                if let StmtKind::Refute(exp) = &it.kind
                    && !self.refuted.contains(&exp.span)
                {
                    res.push(Failure::new(ErrorKind::Refute, ReasonKind::RefutationTrue, exp.span, exp.span));
                }
            });
        }
        res
    }

    /// Records the state before a piece of work.
    pub(crate) fn record(&mut self, state: &State<'a>, work: &Work<'a>) {
        let (action, span) = match work {
            Work::Run(pc) => ("exec", self.code.as_ref().and_then(|it| it.span(*pc))),
            Work::Produce(task, ..) => ("produce", task.exps.first().map(|it| it.span)),
            Work::Consume(task, ..) => ("consume", task.exps.first().map(|it| it.span)),
            _ => return,
        };
        let Some(span) = span else { return };
        let show = |it: Term| effigy_term::print::math(self.terms, it);
        let store = (0..state.env.table.len()).filter_map(|at| {
            let value = state.env.get(effigy_contracts::program::VarId(at as u32))?;
            Some((std::sync::Arc::clone(&state.env.table[at].name), show(value)))
        });
        let facts: Vec<String> = self.conditions().chain(self.facts().iter().copied()).map(show).collect();
        let traced = crate::failure::TracedState {
            span,
            action,
            store: store.collect(),
            heap: state.heap.shown(self.terms, self.program).collect(),
            facts,
        };
        self.trace.push(traced);
    }
}

/// Whether a body has a statement that opens a predicate.
fn opens(body: &[Stmt], predicate: PredicateId) -> bool {
    let mut res = false;
    for stmt in body {
        stmt.walk(&mut |it| res |= matches!(&it.kind, StmtKind::Unfold(instance) if instance.predicate == predicate));
    }
    res
}
