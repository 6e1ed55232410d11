//! A program as a language of the engine: one control for both models of symbolic execution.
//!
//! Knows: the rules of the transition systems, which questions they ask. Never: φ, how a state is represented (`memory`).
//! Source: de Boer and Bonsangue 2021, sections 2 to 4; section 5 for `par`.
//!
//! A statement first asks for each condition of its δ, then for its test, then acts; what a question found is kept in
//! [`State`] until the statement is done.

use super::control::{Control, Next, Pending, ThreadId};
use super::memory::{At, Change, Memory};
use super::obligation::{self, ASSERTION, Obligation, Obligations};
use super::program::{Expr, ExprKind, Op, Program, Semantics, Stmt, StmtId, StmtKind, Target, Type};
use super::reduction::{self, Sleep};
use super::vocabulary::{Instance, Translation, Vocabulary};
use effigy_engine::{
    Alternative, AlternativeLabel, Context, Decision, Language, Note, Outcome, Place, Site, Step, Violation, Witness,
};
use effigy_term::{Model, Term, Terms};
use num_bigint::BigInt;
use rpds::Vector;
use std::marker::PhantomData;
use std::rc::Rc;

/// What is done with errors of expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Errors {
    /// A path for each, that ends with it.
    #[default]
    Report,
    /// Only inputs without errors matter, as in the paper. Assertions are reported all the same.
    Exclude,
}

/// When a path's feasibility is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Check {
    /// At each branch.
    #[default]
    Branch,
    /// At the end of the path only.
    Leaf,
}

/// How a program is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The paper's semantics, or the programmer's.
    pub semantics: Semantics,
    /// What is done with errors.
    pub errors: Errors,
    /// When a path's feasibility is asked for.
    pub check: Check,
    /// Of several interleavings that do the same, only one is explored.
    pub reduce: bool,
    /// Keep each transition for [`State::explained`].
    pub explain: bool,
}

/// A program under a model, ready to be walked.
#[derive(Debug)]
pub struct Machine<M> {
    program: Rc<Program>,
    options: Options,
    start: M,
    /// δ of each statement, by [`StmtId`].
    checks: Vec<Rc<[Obligation]>>,
    /// δ of the targets of calls, which is asked for at their return.
    returns: Vec<Rc<[Obligation]>>,
    model: PhantomData<M>,
}

/// The state of one path.
#[derive(Clone, Debug)]
pub struct State<M> {
    /// σ and τ, or ρ.
    pub memory: M,
    pub(super) words: Rc<Vocabulary>,
    pub(super) control: Control,
    /// The thread whose statement is executed.
    pub(super) chosen: Option<ThreadId>,
    sleep: Sleep,
    begun: bool,
    started: bool,
    /// The caller, at the end of a call.
    leaving: Option<Instance>,
    /// How many conditions of δ hold already.
    passed: usize,
    /// The condition that was asked about holds.
    granted: bool,
    tested: Option<bool>,
    question: Question,
    /// Conditions that are asked about at the end.
    deferred: Vector<Term>,
    settled: bool,
    fault: Option<Rc<Violation>>,
    pub(super) clock: u64,
    explained: Vector<Rc<Transition>>,
}

/// What was asked.
#[derive(Clone, Debug)]
enum Question {
    None,
    /// Which thread moves?
    Thread(Rc<[ThreadId]>, Rc<[Sleep]>),
    /// A condition of δ, or an assumption.
    Condition,
    /// The same, to be asked about at the end: the condition, and what it is if it does not hold.
    DeferredCondition(Term, Term, Rc<Violation>),
    /// The test of a choice or iteration; with its conditions, if they are asked about at the end.
    Test(Option<(Term, Term)>),
    /// All that was deferred.
    Leaf,
}

/// One transition, for explanations.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The rule's name in the paper.
    pub rule: &'static str,
    /// The statement.
    pub statement: String,
    /// The thread, 0 being the main one.
    pub thread: ThreadId,
    /// What was changed, in order.
    pub changes: Vec<Change>,
    /// What was added to φ, or to ρ.
    pub condition: Option<Term>,
}

impl<M: Memory> Machine<M> {
    /// `start` is the model's empty state.
    pub fn new(program: Rc<Program>, start: M, options: Options) -> Machine<M> {
        let count = program.statements.len();
        let mut checks = vec![Rc::from(Vec::new()); count];
        let mut returns = vec![Rc::from(Vec::new()); count];
        for routine in &program.routines {
            visit(&routine.body, &mut |stmt| {
                checks[stmt.id.index()] = before(&program, options.semantics, stmt);
                if let StmtKind::Call(call) = &*stmt.kind
                    && let Some(target) = &call.target
                {
                    let mut found = Obligations::new(&program, options.semantics);
                    found.target(target);
                    returns[stmt.id.index()] = found.finish();
                }
            });
        }
        Machine { program, options, start, checks, returns, model: PhantomData }
    }

    /// The program.
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// How it is executed.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Translates expressions in a state.
    pub fn translation<'a>(&'a self, terms: &'a Terms, state: &'a State<M>) -> Translation<'a> {
        Translation { terms, program: &self.program, words: &state.words, semantics: self.options.semantics }
    }

    fn at<'a>(&'a self, terms: &'a Terms, words: &'a Vocabulary, instance: Instance) -> At<'a> {
        let translation = Translation { terms, program: &self.program, words, semantics: self.options.semantics };
        At { translation, instance }
    }

    fn place_of(&self, id: StmtId) -> Place {
        let info = &self.program.statements[id.index()];
        Place {
            file: Rc::clone(&self.program.name),
            line: info.span.line,
            column: info.span.column,
            function: Rc::clone(&self.program.routine(info.routine).name),
        }
    }

    /// The statement that is executed next: of the chosen thread, or of the first that can move.
    pub(super) fn next_statement(&self, state: &State<M>) -> Option<StmtId> {
        let id = state.chosen.or_else(|| state.control.runnable().first().copied())?;
        Some(match state.control.next(id)? {
            Next::Statement(stmt) => stmt.id,
            Next::Return(pending) => pending.site,
        })
    }

    fn violation(&self, state: &State<M>, id: StmtId, obligation: &Obligation) -> Box<Violation> {
        let stack = state.chosen.map(|it| state.control.calls(it)).unwrap_or_default();
        Box::new(Violation {
            kind: obligation.kind,
            message: obligation.message.to_string(),
            place: self.place_of(id),
            stack: stack.into_iter().map(|it| self.place_of(it)).collect(),
        })
    }

    /// Ends the path; what was deferred is asked about first.
    fn finish(&self, ctx: &Context<'_>, state: &mut State<M>, outcome: Outcome) -> Step {
        if !state.settled && !state.deferred.is_empty() && outcome != Outcome::Silent {
            state.question = Question::Leaf;
            return Step::Assume(ctx.terms.and_all(state.deferred.iter().copied()));
        }
        Step::Exit(outcome)
    }

    /// Which thread moves next; `Err` is a question or an end.
    fn choose(&self, ctx: &mut Context<'_>, state: &mut State<M>) -> Result<ThreadId, Step> {
        if let Some(id) = state.chosen {
            return Ok(id);
        }
        let runnable = state.control.runnable();
        let id = match runnable.as_slice() {
            [] => return Err(self.finish(ctx, state, Outcome::Exit { code: None })),
            [only] if state.sleep.is_empty() => *only,
            several => {
                let (awake, sleeps) =
                    reduction::awake(&self.program, &state.control, several, &state.sleep, self.options.reduce);
                for _ in awake.len()..several.len() {
                    let note =
                        Note { kind: REDUCED, what: "interleavings that do the same".to_owned(), incomplete: false };
                    ctx.notes.add(note, || self.place(state));
                }
                match awake.as_slice() {
                    [] => return Err(Step::Exit(Outcome::Silent)),
                    [only] => {
                        state.sleep = sleeps.into_iter().next().unwrap_or_default();
                        *only
                    }
                    several => {
                        let always = ctx.terms.bool(true);
                        let label = |it: &ThreadId| AlternativeLabel::Case(format!("thread {it}").into());
                        let alternatives = several.iter().map(|it| Alternative { cond: always, label: label(it) });
                        let step = Step::Branch(alternatives.collect());
                        state.question = Question::Thread(several.into(), sleeps.into());
                        return Err(step);
                    }
                }
            }
        };
        state.chosen = Some(id);
        Ok(id)
    }

    /// Asks for the conditions of δ one after the other.
    fn require(
        &self,
        ctx: &Context<'_>,
        state: &mut State<M>,
        id: StmtId,
        list: &[Obligation],
        kept: bool,
    ) -> Option<Step> {
        let words = Rc::clone(&state.words);
        let instance = state.instance();
        let at = self.at(ctx.terms, &words, instance);
        let terms = ctx.terms;
        while let Some(obligation) = list.get(state.passed) {
            if std::mem::take(&mut state.granted) {
                state.passed += 1;
                if kept {
                    state.memory.test(at, &obligation.cond);
                }
                continue;
            }
            let cond = state.memory.value(at, &obligation.cond);
            match (terms.as_bool(cond), self.errors_of(obligation), self.options.check) {
                (Some(true), ..) => state.granted = true,
                (Some(false), Errors::Report, _) => {
                    let violation = self.violation(state, id, obligation);
                    state.fault = Some(Rc::from(violation));
                    return None;
                }
                (Some(false), Errors::Exclude, _) => return Some(Step::Exit(Outcome::Silent)),
                (None, Errors::Report, Check::Branch) => {
                    state.question = Question::Condition;
                    return Some(Step::Require { cond, violation: self.violation(state, id, obligation) });
                }
                (None, Errors::Report, Check::Leaf) => {
                    let violation = Rc::from(self.violation(state, id, obligation));
                    state.question = Question::DeferredCondition(cond, terms.not(cond), violation);
                    return Some(either(terms, obligation.kind.0));
                }
                (None, Errors::Exclude, Check::Branch) => {
                    state.question = Question::Condition;
                    return Some(Step::Assume(cond));
                }
                (None, Errors::Exclude, Check::Leaf) => {
                    state.deferred.push_back_mut(cond);
                    state.granted = true;
                }
            }
        }
        None
    }

    fn errors_of(&self, obligation: &Obligation) -> Errors {
        if obligation.kind == ASSERTION { Errors::Report } else { self.options.errors }
    }

    /// The outcome of a test, or the question for it.
    fn test(&self, ctx: &Context<'_>, state: &mut State<M>, cond: &Expr) -> Result<bool, Step> {
        let words = Rc::clone(&state.words);
        let at = self.at(ctx.terms, &words, state.instance());
        let terms = ctx.terms;
        let holds = match state.tested {
            Some(holds) => holds,
            None => {
                let value = state.memory.value(at, cond);
                match (terms.as_bool(value), self.options.check) {
                    (Some(holds), _) => holds,
                    (None, Check::Branch) => {
                        state.question = Question::Test(None);
                        return Err(Step::Branch(vec![
                            Alternative { cond: value, label: AlternativeLabel::True },
                            Alternative { cond: terms.not(value), label: AlternativeLabel::False },
                        ]));
                    }
                    (None, Check::Leaf) => {
                        state.question = Question::Test(Some((value, terms.not(value))));
                        let always = terms.bool(true);
                        return Err(Step::Branch(vec![
                            Alternative { cond: always, label: AlternativeLabel::True },
                            Alternative { cond: always, label: AlternativeLabel::False },
                        ]));
                    }
                }
            }
        };
        Ok(holds)
    }

    /// Assumes a condition; `Err` is the question.
    fn assume(&self, ctx: &Context<'_>, state: &mut State<M>, cond: &Expr) -> Result<(), Step> {
        if std::mem::take(&mut state.granted) {
            return Ok(());
        }
        let words = Rc::clone(&state.words);
        let value = state.memory.value(self.at(ctx.terms, &words, state.instance()), cond);
        match (ctx.terms.as_bool(value), self.options.check) {
            (Some(true), _) => Ok(()),
            (Some(false), _) => Err(Step::Exit(Outcome::Silent)),
            (None, Check::Branch) => {
                state.question = Question::Condition;
                Err(Step::Assume(value))
            }
            (None, Check::Leaf) => {
                state.deferred.push_back_mut(value);
                Ok(())
            }
        }
    }

    fn statement(&self, ctx: &mut Context<'_>, state: &mut State<M>, id: ThreadId, stmt: &Stmt) -> Option<Step> {
        let list = Rc::clone(&self.checks[stmt.id.index()]);
        // What an assignment asks for is part of it (definition 4.2).
        let kept = !matches!(&*stmt.kind, StmtKind::Assign(..));
        if let Some(step) = self.require(ctx, state, stmt.id, &list, kept) {
            return Some(step);
        }
        if state.fault.is_some() {
            return None;
        }
        let words = Rc::clone(&state.words);
        let at = self.at(ctx.terms, &words, state.instance());
        let (rule, changes, condition) = match &*stmt.kind {
            StmtKind::Assign(target, value) => {
                let change = state.memory.assign(at, target, value, &conjunction(&list, value));
                let rule = match target {
                    Target::Var(id) if self.program.variable(*id).global => "symbolic assignment global variable",
                    Target::Var(_) => "symbolic assignment local variable",
                    Target::Field(..) => "symbolic assignment field",
                    Target::Element(..) | Target::Item(..) => "symbolic assignment array",
                };
                state.control.advance(id);
                (rule, vec![change], None)
            }
            StmtKind::New(target, class) => {
                let changes = state.memory.create(at, target, *class, None);
                state.control.advance(id);
                ("symbolic object creation", changes, None)
            }
            StmtKind::NewArray(target, class, size) => {
                let length = self.program.class(*class).fields.first().map(|it| (size, *it));
                let changes = state.memory.create(at, target, *class, length);
                state.control.advance(id);
                ("symbolic object creation", changes, None)
            }
            StmtKind::Call(call) => {
                let callee = self.program.routine(call.callee);
                let instance = state.control.call(&self.program, id, call.callee, call.target.clone(), stmt.id);
                let starts: Vec<(super::program::VarId, Expr)> = callee
                    .locals
                    .iter()
                    .filter(|it| Some(**it) != callee.this && !callee.parameters.contains(*it))
                    .map(|it| (*it, default_of(&self.program.variable(*it).typ)))
                    .collect();
                let mut bindings: Vec<(super::program::VarId, &Expr)> = Vec::new();
                bindings.extend(callee.this.zip(call.receiver.as_ref()));
                bindings.extend(callee.parameters.iter().copied().zip(&call.arguments));
                bindings.extend(starts.iter().map(|(id, it)| (*id, it)));
                let changes = state.memory.enter(at, instance, &bindings);
                let rule = if callee.this.is_some() { "symbolic method call" } else { "symbolic procedure call" };
                (rule, changes, None)
            }
            StmtKind::Return(value) => {
                let changes = value.iter().map(|it| state.memory.returns(at, it)).collect();
                state.control.unwind(id, value.is_some());
                ("symbolic method return", changes, None)
            }
            StmtKind::If(cond, yes, no) => {
                let holds = match self.test(ctx, state, cond) {
                    Ok(holds) => holds,
                    Err(step) => return Some(step),
                };
                let cond = literal(cond, holds);
                let shown = state.memory.shown(at, &cond);
                state.memory.test(at, &cond);
                state.control.advance_into(id, if holds { yes } else { no });
                ("symbolic choice", Vec::new(), Some(shown))
            }
            StmtKind::While(cond, body) => {
                let holds = match self.test(ctx, state, cond) {
                    Ok(holds) => holds,
                    Err(step) => return Some(step),
                };
                let cond = literal(cond, holds);
                let shown = state.memory.shown(at, &cond);
                state.memory.test(at, &cond);
                if holds {
                    state.control.repeat(id, body);
                } else {
                    state.control.advance(id);
                }
                ("symbolic iteration", Vec::new(), Some(shown))
            }
            StmtKind::Assume(cond) => {
                if let Err(step) = self.assume(ctx, state, cond) {
                    return Some(step);
                }
                let shown = state.memory.shown(at, cond);
                state.memory.test(at, cond);
                state.control.advance(id);
                ("assumption", Vec::new(), Some(shown))
            }
            StmtKind::Bound(map, size) => {
                let length = Expr { kind: Rc::new(ExprKind::Length(*map)), span: size.span };
                let cond = obligation::op(Op::Eq, vec![length, size.clone()], size.span);
                if let Err(step) = self.assume(ctx, state, &cond) {
                    return Some(step);
                }
                let shown = state.memory.shown(at, &cond);
                state.memory.test(at, &cond);
                state.control.advance(id);
                ("bound of an array", Vec::new(), Some(shown))
            }
            StmtKind::Assert(_) => {
                state.control.advance(id);
                ("assertion", Vec::new(), None)
            }
            StmtKind::Par(threads) => {
                state.control.fork(id, threads);
                ("threads", Vec::new(), None)
            }
            StmtKind::Atomic(body) => {
                state.control.enter_atomic(id, body);
                ("atomic", Vec::new(), None)
            }
            // Control takes blocks apart by itself.
            StmtKind::Block(body) => {
                state.control.advance_into(id, body);
                state.done();
                return None;
            }
        };
        self.explain(state, id, rule, || self.program.show_statement(stmt), changes, condition);
        state.done();
        None
    }

    fn leave(&self, ctx: &mut Context<'_>, state: &mut State<M>, id: ThreadId, pending: &Rc<Pending>) -> Option<Step> {
        let words = Rc::clone(&state.words);
        let callee = self.program.routine(pending.callee);
        // The target is evaluated in the caller.
        let list = Rc::clone(&self.returns[pending.site.index()]);
        state.leaving = Some(pending.caller.1);
        if let Some(step) = self.require(ctx, state, pending.site, &list, true) {
            return Some(step);
        }
        if state.fault.is_some() {
            return None;
        }
        let at = self.at(ctx.terms, &words, pending.caller.1);
        let mut changes = Vec::new();
        if let (Some(typ), Some(_), false) =
            (&callee.result, &pending.target, state.control.thread(id).is_some_and(|it| it.returned))
        {
            let inside = At { instance: pending.instance, ..at };
            changes.push(state.memory.returns(inside, &default_of(typ)));
        }
        let target = pending.target.as_ref().zip(callee.result.as_ref());
        changes.extend(state.memory.leave(at, pending.instance, &callee.locals, target));
        state.control.leave(id, pending);
        let rule = if callee.this.is_some() { "symbolic method return" } else { "symbolic procedure return" };
        let text = || match &pending.target {
            Some(target) => format!("{} := r", self.program.show_target(target)),
            None => "ε".to_owned(),
        };
        self.explain(state, id, rule, text, changes, None);
        state.done();
        None
    }

    fn explain(
        &self,
        state: &mut State<M>,
        thread: ThreadId,
        rule: &'static str,
        statement: impl FnOnce() -> String,
        changes: Vec<Change>,
        condition: Option<Term>,
    ) {
        if self.options.explain {
            let transition = Transition { rule, statement: statement(), thread, changes, condition };
            state.explained.push_back_mut(Rc::new(transition));
        }
    }
}

impl<M: Memory> Language for Machine<M> {
    type State = State<M>;

    fn start(&self, ctx: &mut Context<'_>) -> State<M> {
        State {
            memory: self.start.clone(),
            words: Rc::new(Vocabulary::new(&self.program, ctx)),
            control: Control::new(&self.program),
            chosen: None,
            sleep: Sleep::default(),
            begun: false,
            started: false,
            leaving: None,
            passed: 0,
            granted: false,
            tested: None,
            question: Question::None,
            deferred: Vector::new(),
            settled: false,
            fault: None,
            clock: 0,
            explained: Vector::new(),
        }
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut State<M>, fuel: &mut u64) -> Step {
        if !state.started {
            state.started = true;
            let natural = |it: &Option<Term>| it.map(|it| ctx.terms.int_le(ctx.terms.int(0), it));
            let cond = ctx.terms.and_all(state.words.lengths.iter().filter_map(natural));
            if ctx.terms.as_bool(cond) != Some(true) {
                state.question = Question::None;
                return Step::Assume(cond);
            }
        }
        // Someone who goes statement by statement wants to stop behind one that was asked about.
        let resumed = state.begun && *fuel == 1;
        loop {
            if let Some(fault) = &state.fault {
                let fault = Box::new((**fault).clone());
                return self.finish(ctx, state, Outcome::Violation(fault));
            }
            let id = match self.choose(ctx, state) {
                Ok(id) => id,
                Err(step) => return step,
            };
            if !state.begun {
                if *fuel == 0 || resumed {
                    return Step::Next;
                }
                *fuel -= 1;
                state.begun = true;
                if let Some(stmt) = self.next_statement(state) {
                    ctx.coverage.reach(Site(stmt.0));
                }
            }
            let step = match state.control.next(id) {
                Some(Next::Statement(stmt)) => self.statement(ctx, state, id, &stmt),
                Some(Next::Return(pending)) => self.leave(ctx, state, id, &pending),
                None => Some(Step::Exit(Outcome::Exit { code: None })),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn answer(&self, state: &mut State<M>, decision: Decision) {
        let taken = match decision {
            Decision::Alternative(index) => index as usize,
            _ => 0,
        };
        match std::mem::replace(&mut state.question, Question::None) {
            Question::None => {}
            Question::Thread(threads, sleeps) => {
                state.chosen = threads.get(taken).copied();
                state.sleep = sleeps.get(taken).cloned().unwrap_or_default();
            }
            Question::Condition => state.granted = true,
            Question::DeferredCondition(holds, fails, violation) => {
                if taken == 0 {
                    state.deferred.push_back_mut(holds);
                    state.granted = true;
                } else {
                    state.deferred.push_back_mut(fails);
                    state.fault = Some(violation);
                }
            }
            Question::Test(conds) => {
                state.tested = Some(taken == 0);
                if let Some((holds, fails)) = conds {
                    state.deferred.push_back_mut(if taken == 0 { holds } else { fails });
                }
            }
            Question::Leaf => state.settled = true,
        }
    }

    fn place(&self, state: &State<M>) -> Place {
        match self.next_statement(state) {
            Some(id) => self.place_of(id),
            None => Place { file: Rc::clone(&self.program.name), ..Place::default() },
        }
    }

    fn witness(&self, ctx: &Context<'_>, state: &State<M>, model: &Model) -> Witness {
        super::witness::witness(&self.program, &state.words, ctx.terms, model)
    }

    fn size_hint(&self, state: &State<M>) -> usize {
        state.memory.size() + state.explained.len() * 96 + 512
    }
}

impl<M> State<M> {
    /// The transitions so far, if [`Options::explain`] is set.
    pub fn explained(&self) -> impl Iterator<Item = &Transition> {
        self.explained.iter().map(|it| &**it)
    }

    /// The statement of the thread that moves next.
    pub(super) fn next_kind(&self) -> Option<Stmt> {
        let id = self.chosen.or_else(|| self.control.runnable().first().copied())?;
        match self.control.next(id)? {
            Next::Statement(stmt) => Some(stmt),
            Next::Return(_) => None,
        }
    }

    /// The call whose locals the statement means.
    fn instance(&self) -> Instance {
        let chosen = self.chosen.and_then(|it| self.control.thread(it)).map(|it| it.instance);
        self.leaving.or(chosen).unwrap_or(0)
    }

    /// The statement is done.
    fn done(&mut self) {
        self.chosen = None;
        self.begun = false;
        self.leaving = None;
        self.passed = 0;
        self.granted = false;
        self.tested = None;
        self.clock += 1;
    }
}

/// The note that counts what partial-order reduction skipped.
pub const REDUCED: &str = "partial-order-reduction";

/// A question that is answered at the end of the path.
fn either(terms: &Terms, error: &'static str) -> Step {
    let cond = terms.bool(true);
    Step::Branch(vec![
        Alternative { cond, label: AlternativeLabel::Case("defined".into()) },
        Alternative { cond, label: AlternativeLabel::Case(error.into()) },
    ])
}

/// The conditions that a statement asks for before anything else.
fn before(program: &Program, semantics: Semantics, stmt: &Stmt) -> Rc<[Obligation]> {
    let mut found = Obligations::new(program, semantics);
    match &*stmt.kind {
        StmtKind::Assign(target, value) => {
            found.target(target);
            found.defined(value);
        }
        StmtKind::New(target, _) => found.target(target),
        StmtKind::NewArray(target, _, size) => {
            found.size(size);
            found.target(target);
        }
        StmtKind::Call(call) => {
            if let Some(receiver) = &call.receiver {
                found.defined(receiver);
                found.not_nil(receiver);
            }
            call.arguments.iter().for_each(|it| found.defined(it));
        }
        StmtKind::Return(Some(value)) | StmtKind::Bound(_, value) => found.defined(value),
        StmtKind::If(cond, ..) | StmtKind::While(cond, _) | StmtKind::Assume(cond) => found.defined(cond),
        StmtKind::Assert(cond) => found.assertion(cond),
        StmtKind::Return(None) | StmtKind::Par(_) | StmtKind::Atomic(_) | StmtKind::Block(_) => {}
    }
    found.finish()
}

/// All statements of a block, at any depth. Nesting is bounded by the parser.
pub(super) fn visit(block: &super::program::Block, look: &mut dyn FnMut(&Stmt)) {
    for stmt in block.iter() {
        look(stmt);
        match &*stmt.kind {
            StmtKind::If(_, yes, no) => {
                visit(yes, look);
                visit(no, look);
            }
            StmtKind::While(_, body) | StmtKind::Atomic(body) | StmtKind::Block(body) => visit(body, look),
            StmtKind::Par(threads) => threads.iter().for_each(|it| visit(it, look)),
            _ => {}
        }
    }
}

/// b, or ¬b.
fn literal(cond: &Expr, holds: bool) -> Expr {
    if holds { cond.clone() } else { obligation::op(Op::Not, vec![cond.clone()], cond.span) }
}

/// δ as one expression.
fn conjunction(list: &[Obligation], of: &Expr) -> Expr {
    obligation::op(Op::And, list.iter().map(|it| it.cond.clone()).collect(), of.span)
}

/// What a variable of this type starts with.
fn default_of(typ: &Type) -> Expr {
    let kind = match typ {
        Type::Int => ExprKind::Int(BigInt::ZERO),
        Type::Bool => ExprKind::Bool(false),
        Type::Object(_) | Type::Map(_) => ExprKind::Nil,
    };
    Expr { kind: Rc::new(kind), span: effigy_heap::Span::default() }
}
