//! What makes a member valid: the walks that it takes, where each starts and what is due at its end.
//!
//! Knows: contracts. Never: who walks.
//! Source: Smans et al. 2010, section 3.5, definitions 3 to 7, with the corrected names; functions with postconditions
//! as in Viper.

use crate::code::Code;
use crate::failure::{ErrorKind, Failure, ReasonKind};
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Blame, Env, Give, Mode, State, Take, Task, Work};
use crate::walk::Next;
use effigy_contracts::Member;
use effigy_contracts::program::{
    BinaryOp, Exp, ExpKind, FunctionId, MemberVariable, PredicateId, Span, Stmt, StmtKind, Type, VarId,
};
use effigy_heap::heap::{Heap, Resource};
use effigy_term::Term;
use std::rc::Rc;

/// One of the walks that a member's verdict takes, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The contract means something: the precondition as it is inhaled, and after it the postcondition, in the reading
    /// in which it is exhaled or in the other one.
    Contract {
        /// Whether the postcondition is read as it is exhaled: `[a, b]` as `b`.
        exhaled: bool,
    },
    /// The precondition means something as it is exhaled, where it has two readings.
    Exhaled,
    /// The body is verified against the contract.
    Body,
}

/// The surroundings in which a member starts.
#[derive(Clone, Debug)]
pub(crate) struct Start<'a> {
    member: Member,
    pub(crate) env: Env<'a>,
    /// The snapshot of a function's precondition.
    snapshot: Option<Term>,
    /// The result of a function without a body.
    result: Option<Term>,
}

impl<'a, 't> Machine<'a, 't> {
    /// Prepares for a member: definitions, axioms, and a store in which everything is unknown.
    pub(crate) fn prepare(&mut self, member: Member) -> Res<Start<'a>> {
        self.define_functions()?;
        self.tell_domains()?;
        let program = self.program;
        let mut res = Start { member, env: Env::default(), snapshot: None, result: None };
        let pre: &'a [Exp] = match member {
            Member::Function(it) => &program.functions[it.index()].pre,
            Member::Predicate(_) => &[],
            Member::Method(it) => &program.methods[it.index()].pre,
        };
        match member {
            Member::Function(function) => {
                self.distrust(function);
                let info = &program.functions[function.index()];
                res.env = self.arbitrary(&info.variables, info.parameters);
                res.snapshot = Some(self.fresh("snapshot", self.vocabulary.snapshot()));
                res.result = info.body.is_none().then(|| self.fresh_of("result", &info.result));
            }
            Member::Predicate(predicate) => {
                let info = &program.predicates[predicate.index()];
                res.env = self.arbitrary(&info.variables, info.parameters);
            }
            Member::Method(method) => {
                let info = &program.methods[method.index()];
                self.creates = false;
                for stmt in info.body.iter().flatten() {
                    stmt.walk(&mut |it| self.creates |= matches!(it.kind, StmtKind::New(..)));
                }
                let mut env = self.arbitrary(&info.variables, info.parameters);
                for at in info.parameters..info.parameters + info.results {
                    let variable = VarId(at as u32);
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
                self.code = Code::new(info).map(Rc::new);
                res.env = env;
            }
        }
        self.entry = (pre, res.env.clone());
        Ok(res)
    }

    /// The walks that a member takes.
    pub(crate) fn phases(&self, member: Member) -> Vec<Phase> {
        let two_sides = |exps: &[Exp]| exps.iter().any(Exp::has_two_sides);
        let contract = |pre: &[Exp], post: &[Exp]| {
            let mut res = vec![Phase::Contract { exhaled: false }];
            if two_sides(post) {
                res.push(Phase::Contract { exhaled: true });
            }
            if two_sides(pre) {
                res.push(Phase::Exhaled);
            }
            res
        };
        match member {
            Member::Function(it) => {
                let info = &self.program.functions[it.index()];
                match (&info.body, two_sides(&info.pre)) {
                    (None, _) => contract(&info.pre, &info.post),
                    (Some(_), true) => vec![Phase::Exhaled, Phase::Body],
                    (Some(_), false) => vec![Phase::Body],
                }
            }
            Member::Predicate(_) => vec![Phase::Body],
            Member::Method(it) => {
                let info = &self.program.methods[it.index()];
                let mut res = contract(&info.pre, &info.post);
                if info.body.is_some() {
                    res.push(Phase::Body);
                }
                res
            }
        }
    }

    /// The state in which a walk starts. What was found before is known by then: an ill-formed contract has been
    /// reported, and what it says is checked as far as it goes.
    pub(crate) fn start_of(&mut self, start: &Start<'a>, phase: Phase) -> State<'a> {
        let (env, program) = (start.env.clone(), self.program);
        let mode = Mode { exhale_side: phase == Phase::Exhaled, ..Mode::default() };
        let exhaled = phase == Phase::Contract { exhaled: true };
        let is_contract = matches!(phase, Phase::Contract { .. });
        let state = State::within(env.clone(), Heap::default(), mode);
        match start.member {
            // Definition 5, and the postconditions.
            Member::Function(function) => {
                let info = &program.functions[function.index()];
                let state = State { mode: Mode { in_function: true, ..mode }, ..state };
                let state = match (phase, start.snapshot) {
                    (Phase::Body, Some(snapshot)) => state.with(Work::Value(function, snapshot)),
                    _ if is_contract => state.with(Work::Meant { exps: &info.post, result: start.result, exhaled }),
                    _ => state,
                };
                let blame = Blame::conjunct(ErrorKind::NotWellformed, info.span);
                let task = Task { exps: &info.pre, env, blame, scale: None, trusted: false };
                state.with(Work::Produce(task, start.snapshot, Give::Some))
            }
            // Definition 4.
            Member::Predicate(predicate) => {
                let info = &program.predicates[predicate.index()];
                let blame = Blame::at(ErrorKind::PredicateNotWellformed, info.span);
                match &info.body {
                    Some(body) => {
                        let exps = std::slice::from_ref(body);
                        let task = Task { exps, env, blame, scale: None, trusted: false };
                        state.with(Work::Produce(task, None, Give::Amount))
                    }
                    None => state,
                }
            }
            // Definition 3.
            Member::Method(method) => {
                let info = &program.methods[method.index()];
                let state = match phase {
                    Phase::Body => state.with(Work::CheckPost { lenient: self.account.failed > 0 }).with(Work::Body),
                    Phase::Contract { .. } => state.with(Work::Meant { exps: &info.post, result: None, exhaled }),
                    Phase::Exhaled => state,
                };
                let blame = Blame::conjunct(ErrorKind::NotWellformed, info.span);
                let task = Task { exps: &info.pre, env, blame, scale: None, trusted: false };
                state.with(Work::Produce(task, None, Give::Amount))
            }
        }
    }

    /// A store in which the first so many variables are unknown.
    fn arbitrary(&mut self, variables: &'a [MemberVariable], count: usize) -> Env<'a> {
        let values: Vec<Term> = variables[..count].iter().map(|it| self.fresh_of(&it.name, &it.typ)).collect();
        Env::new(&values, variables)
    }

    /// What the postconditions are produced in, to see that they mean something.
    pub(crate) fn check_meaning(
        &mut self,
        state: State<'a>,
        exps: &'a [Exp],
        result: Option<Term>,
        exhaled: bool,
    ) -> Res<Option<Next<'a>>> {
        let mode = Mode { exhale_side: exhaled, ..state.mode };
        // A function's are evaluated where its precondition is; a method's in a heap of their own.
        let (env, heap, give) = match result {
            Some(_) => (Env { result, ..state.env.clone() }, state.heap.clone(), Give::Some),
            None => (Env { old: Some(state.heap.clone()), ..state.env.clone() }, Heap::default(), Give::Amount),
        };
        let span = exps.first().map_or_else(Span::default, |it| it.span);
        let blame = Blame::conjunct(ErrorKind::NotWellformed, span);
        let task = Task { exps, env: env.clone(), blame, scale: None, trusted: false };
        let branches = state.branches.clone();
        Ok(Some(Next::On(State { branches, ..State::within(env, heap, mode) }.with(Work::Produce(task, None, give)))))
    }

    /// The body of a function is its value, and its postconditions hold of that.
    pub(crate) fn check_value(&mut self, state: &State<'a>, function: FunctionId, snapshot: Term) -> Res<()> {
        let info = &self.program.functions[function.index()];
        let Some(body) = &info.body else { return Ok(()) };
        // Measures compare with what they were where nothing was unfolded yet.
        let (env, heap) = (Env { old: Some(state.heap.clone()), ..state.env.clone() }, state.heap.clone());
        let of_body = Blame::at(ErrorKind::FunctionNotWellformed, info.span);
        let scene = Scene { amounts: false, ..self.scene(&env, &heap, state.mode, of_body) };
        let value = self.eval(&scene, body)?;
        let value = if info.result == Type::Perm { self.as_permission(value) } else { value };
        let args: Vec<Term> = (0..info.parameters as u32).filter_map(|it| env.get(VarId(it))).collect();
        let result = self.application(function, snapshot, &args);
        let fact = self.equal(result, value);
        self.assume(fact);
        let env = Env { result: Some(value), ..env };
        let contract = Blame::conjunct(ErrorKind::NotWellformed, info.span);
        for post in &info.post {
            let scene = Scene { amounts: false, ..self.scene(&env, &heap, state.mode, contract.of(post)) };
            self.check_post_of_function(&scene, post)?;
        }
        Ok(())
    }

    /// A conjunct of a function's postcondition: it means something, and holds.
    fn check_post_of_function(&mut self, scene: &Scene<'_, 'a>, post: &'a Exp) -> Res<()> {
        match &*post.kind {
            ExpKind::Binary(BinaryOp::And, left, right) => {
                self.check_post_of_function(scene, left)?;
                self.check_post_of_function(scene, right)
            }
            ExpKind::InhaleExhale(inhaled, exhaled) => {
                self.push();
                let res = self.eval(scene, inhaled);
                self.pop();
                res?;
                self.check_post_of_function(scene, exhaled)
            }
            _ => {
                let failed = self.account.failed;
                match self.eval(scene, post) {
                    Err(Stop::Infeasible) if self.account.failed > failed => {}
                    evaluated => drop(evaluated?),
                }
                let blame = Blame { error: ErrorKind::Postcondition, ..scene.blame };
                // What means nothing has been reported as that; what it says is checked as far as it goes.
                let lenient = self.account.failed > failed;
                let mode = Mode { lenient, ..scene.mode };
                self.check(&Scene { blame, checked: !lenient, mode, ..*scene }, post)
            }
        }
    }

    /// Enters the body: the current heap becomes that of `old`.
    pub(crate) fn begin_body(&mut self, mut state: State<'a>) -> Res<Option<Next<'a>>> {
        state.env.old = Some(state.heap.clone());
        let rest = state.work.len();
        if let Some(body) = self.body() {
            self.open_contract(&mut state, body)?;
        }
        state.entry = self.known_here();
        state.work.insert(rest, Work::Run(0));
        Ok(Some(Next::On(state)))
    }

    /// The body of the method that is verified.
    fn body(&self) -> Option<&'a [Stmt]> {
        self.code.as_ref().and_then(|it| it.method.body.as_deref())
    }

    /// The postcondition holds at the end of a path.
    pub(crate) fn check_post(&mut self, mut state: State<'a>, lenient: bool) -> Res<Option<Next<'a>>> {
        let Some(code) = self.code.clone() else { return Ok(None) };
        self.effort.paths += 1;
        state.mode.lenient = lenient;
        let blame = Blame::conjunct(ErrorKind::Postcondition, code.method.span);
        let task = Task { exps: &code.method.post, env: state.env.clone(), blame, scale: None, trusted: false };
        let heap = state.heap.clone();
        Ok(Some(Next::On(state.with(Work::Consume(task, heap, Take::Amount)))))
    }

    /// Section 4.1: the body is verified against the contract with the receiver's predicates opened.
    fn open_contract(&mut self, state: &mut State<'a>, body: &'a [Stmt]) -> Res<()> {
        if !self.config.inference.contracts {
            return Ok(());
        }
        let Some(receiver) = state.env.get(VarId(0)) else { return Ok(()) };
        let chunks: Vec<_> = state.heap.entries().map(|(id, chunk)| (id, chunk.clone())).collect();
        for (id, chunk) in chunks {
            let Resource::Predicate(predicate) = chunk.resource else { continue };
            // Who opens it in the body says where.
            if chunk.args.first() != Some(&receiver) || opens(body, predicate) {
                continue;
            }
            let env = state.env.clone();
            let heap = state.heap.clone();
            let blame = Blame::at(ErrorKind::NotWellformed, Span::default());
            let scene = self.scene(&env, &heap, state.mode, blame);
            if let Some(mut opened) = self.opened(&heap, id, &chunk, &scene) {
                state.heap = opened.heap;
                state.work.append(&mut opened.work);
            }
        }
        Ok(())
    }

    /// `refute` statements whose assertion held wherever they were reached, or that were not reached: what can be said
    /// when all paths have ended.
    pub(crate) fn not_refuted(&self) -> Vec<Failure> {
        let mut res = Vec::new();
        for stmt in self.body().into_iter().flatten() {
            stmt.walk(&mut |it| {
                if let StmtKind::Refute(exp) = &it.kind
                    && !self.account.refuted.contains(&exp.span)
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
            let value = state.env.get(VarId(at as u32))?;
            Some((std::sync::Arc::clone(&state.env.table[at].name), show(value)))
        });
        let facts: Vec<String> = self.conditions().chain(self.facts().iter().copied()).map(show).collect();
        let traced = crate::failure::TracedState {
            span,
            action,
            store: store.collect(),
            heap: state.heap.shown(self.terms, self.program, &show).collect(),
            facts,
        };
        self.trace = self.trace.push_front(Rc::new(traced));
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
