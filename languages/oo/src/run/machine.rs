//! A program as a language of the engine: one control for both models of symbolic execution.
//!
//! Knows: the rules of the transition systems, which questions they ask. Never: φ, how a state is represented (`memory`).
//! Source: de Boer and Bonsangue 2021, sections 2 to 4; section 5 for `par`.
//!
//! A statement first asks for each condition of its δ, then for its test, then acts; what a question found is kept in
//! [`State`] until the statement is done.

mod merging;
mod question;
mod rule;

use super::control::{Control, Next, ThreadId};
use super::memory::{At, Change, Memory};
use super::obligation::{Obligation, Obligations};
use super::program::{Program, Semantics, Stmt, StmtId, StmtKind, visit};
use super::query_count::HotHolders;
use super::vocabulary::{Instance, ProgramSymbols, Translation};
use effigy_engine::{Context, Language, Outcome, Place, Resolution, Site, SleepSet, Step, Violation, Witness};
use effigy_term::{Model, Term, Terms};
use rpds::Vector;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// What is done with errors of expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Errors {
    /// A path for each, that ends with it.
    #[default]
    Report,
    /// Only inputs without errors matter, as in the paper. Assertions are reported all the same.
    Exclude,
}

/// How a program is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The paper's semantics, or the programmer's.
    pub semantics: Semantics,
    /// What is done with errors.
    pub errors: Errors,
    /// Of several interleavings that do the same, only one is explored.
    pub reduce: bool,
    /// Keep each transition for [`State::explained`].
    pub explain: bool,
}

/// A program under a model, ready to be walked. Its inputs are symbols: the engine's concrete run is not for it, since
/// objects as values cannot be told apart in terms; `concrete` is the concrete run of this language.
#[derive(Debug)]
pub struct Machine<M> {
    program: Rc<Program>,
    options: Options,
    start: M,
    /// δ of each statement, by [`StmtId`].
    checks: Vec<Rc<[Obligation]>>,
    /// δ of the targets of calls, which is asked for at their return.
    returns: Vec<Rc<[Obligation]>>,
    /// What is soon asked of from each statement on, once someone wants to know.
    soon: OnceCell<Vec<HotHolders>>,
}

/// The state of one path.
#[derive(Clone, Debug)]
pub struct State<M> {
    /// σ and τ, or ρ.
    pub memory: M,
    pub(super) words: Rc<ProgramSymbols>,
    pub(super) control: Control,
    /// The thread whose statement is executed.
    pub(super) chosen: Option<ThreadId>,
    sleep: SleepSet,
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
    fault: Option<Rc<Violation>>,
    /// Every thread that could move sleeps: another path does the same.
    redundant: bool,
    pub(super) clock: u64,
    explained: Vector<Rc<Transition>>,
}

/// The question that was asked last, in this state.
#[derive(Clone, Debug)]
enum Question {
    None,
    /// The choice of the thread that moves.
    Thread(Rc<[ThreadId]>, Rc<[SleepSet]>),
    /// A condition of δ, or an assumption.
    Condition,
    /// The test of a choice or iteration.
    Test,
}

/// One transition of the machine, as explanations show it.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The rule's name in the paper.
    pub rule: &'static str,
    /// The text of the statement that was executed.
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
        Machine { program, options, start, checks, returns, soon: OnceCell::new() }
    }

    /// The typed program that the machine executes.
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// The options under which the program is executed.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Translates expressions in a state.
    pub fn translation<'a>(&'a self, terms: &'a Terms, state: &'a State<M>) -> Translation<'a> {
        Translation { terms, program: &self.program, words: &state.words, semantics: self.options.semantics }
    }

    fn at<'a>(&'a self, terms: &'a Terms, words: &'a ProgramSymbols, instance: Instance) -> At<'a> {
        let translation = Translation { terms, program: &self.program, words, semantics: self.options.semantics };
        At { translation, instance }
    }

    fn place_of(&self, id: StmtId) -> Place {
        let info = &self.program.statements[id.index()];
        Place {
            file: Arc::clone(&self.program.name),
            line: info.span.line,
            column: info.span.column,
            function: Arc::clone(&self.program.routine(info.routine).name),
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
            stack: stack.into_iter().take(Violation::MOST_CALLS).map(|it| self.place_of(it)).collect(),
        })
    }
}

impl<M: Memory> Language for Machine<M> {
    type State = State<M>;

    fn start(&self, ctx: &mut Context<'_>) -> State<M> {
        State {
            memory: self.start.clone(),
            words: Rc::new(ProgramSymbols::new(&self.program, ctx)),
            control: Control::new(&self.program),
            chosen: None,
            sleep: SleepSet::default(),
            begun: false,
            started: false,
            leaving: None,
            passed: 0,
            granted: false,
            tested: None,
            question: Question::None,
            fault: None,
            redundant: false,
            clock: 0,
            explained: Vector::new(),
        }
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut State<M>, fuel: &mut u64) -> Step {
        if !state.started {
            state.started = true;
            let cond = ctx.terms.and_all(state.words.naturals.iter().copied());
            if ctx.terms.as_bool(cond) != Some(true) {
                state.question = Question::None;
                return Step::Assume(cond);
            }
        }
        // Someone who goes statement by statement wants to stop behind one that was asked about.
        let resumed = state.begun && *fuel == 1;
        let mut effort = 0;
        loop {
            if let Some(fault) = &state.fault {
                let fault = Box::new((**fault).clone());
                return Step::Exit(Outcome::Violation(fault));
            }
            let id = match self.choose(ctx, state) {
                Ok(id) => id,
                Err(step) => return step,
            };
            if !state.begun {
                if *fuel == 0 || resumed || effort > MOST_EFFORT {
                    return Step::Next;
                }
                *fuel -= 1;
                effort += state.memory.effort();
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
            // Each statement is a place where paths can meet.
            if ctx.common().is_some() && !state.begun {
                return Step::Next;
            }
        }
    }

    fn answer(&self, state: &mut State<M>, resolution: Resolution) {
        let taken = match resolution {
            Resolution::Alternative(index) => index as usize,
            _ => 0,
        };
        match std::mem::replace(&mut state.question, Question::None) {
            Question::None => {}
            Question::Thread(threads, sleeps) => {
                state.chosen = threads.get(taken).copied();
                state.sleep = sleeps.get(taken).cloned().unwrap_or_default();
            }
            Question::Condition => state.granted = true,
            Question::Test => {
                state.tested = Some(taken == 0);
                if let Some(id) = state.chosen {
                    state.control.asked(id);
                }
            }
        }
    }

    fn place(&self, state: &State<M>) -> Place {
        match self.next_statement(state) {
            Some(id) => self.place_of(id),
            None => Place { file: Arc::clone(&self.program.name), ..Place::default() },
        }
    }

    fn witness(&self, ctx: &Context<'_>, state: &State<M>, model: &Model) -> Witness {
        super::witness::witness(&self.program, &state.words, ctx.terms, model)
    }

    fn runs_on_values(&self) -> bool {
        false
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

    /// Whether the path was given up since another does the same (partial-order reduction).
    pub fn is_redundant(&self) -> bool {
        self.redundant
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

    /// Ends the current statement, with its choices.
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

/// After so much work the walk looks at its limits, however few statements that were.
const MOST_EFFORT: usize = 20_000;

/// The note that counts what partial-order reduction skipped.
pub const REDUCED: &str = "partial-order-reduction";

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
