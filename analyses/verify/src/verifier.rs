//! The verifier as a language of the engine: a symbolic transition system whose steps are the paper's.
//!
//! Knows: a path's state (store, heap, Σ, the work that is left), what it is asked and how it ends. Never: who walks its
//! paths, and in which order; files (the caller says what the source says).
//! Source: Smans et al. 2010, section 3.4, definition 2 (Σ is a part of the state).
//!
//! Everything of a path is in its state; the machine (prover, definitions, budgets) is what all paths have in common, and
//! goes to where a path stands before the path moves (`sigma`). So paths can be walked in any order.

mod expression;
mod inspect;
mod judge;
mod language;
mod merge;
mod moves;
mod names;

use crate::code::Code;
use crate::failure::{Failure, TracedState};
use crate::machine::{Machine, Parked, Res};
use crate::moment::{Action, End, Moment, action};
use crate::sigma::{Knowledge, Layer};
use crate::state::{Check, State};
use crate::verify::{Phase, Start};
use crate::{Config, Effort, Member};
use effigy_contracts::program::{MemberVariable, Program, Span, StmtKind};
use effigy_engine::{BugKind, GaveUp, GiveUpCause, Language, Outcome, Place, Resolution, Step, Violation};
use effigy_term::{Term, Terms};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

/// The text of the source, which the caller has.
pub trait SourceText {
    /// The line on which a place begins.
    fn line(&self, span: Span) -> Option<String>;
    /// The source text at a place, on one line.
    fn quote(&self, span: Span) -> Option<String>;
    /// The message of a failure, in sentences for people.
    fn message(&self, failure: &Failure) -> String;
}

/// The steps that are shown to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// No step is shown: nobody looks.
    Nothing,
    /// Statements, and the conjuncts of the contract.
    Statements,
    /// Also the conjuncts that statements add and take: as calls, so that one can step over them.
    Conjuncts,
}

/// The verification of one member, to be walked.
pub struct Verifier<'a> {
    program: &'a Program,
    member: Member,
    config: Rc<Config>,
    source: &'a dyn SourceText,
    detail: Detail,
    /// The machine that all paths share, once the walk has started. It is a cache but for the budgets and the account.
    shared: RefCell<Option<Shared<'a>>>,
    /// The names of values, as far as they are known.
    names: RefCell<names::Names>,
}

struct Shared<'a> {
    machine: Parked<'a>,
    start: Start<'a>,
    /// The code of the method that is verified.
    code: Option<Rc<Code<'a>>>,
}

impl fmt::Debug for Verifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Verifier({:?})", self.member)
    }
}

/// The state of a path.
#[derive(Clone)]
pub struct VerifierState<'a> {
    path: State<'a>,
    sigma: Knowledge,
    /// The number of the last fresh name.
    counter: u64,
    /// The states on the way here, if they are kept.
    trace: rpds::List<Rc<TracedState>>,
    /// The checks that were made on the way here and are not told yet, in order.
    checks: VecDeque<Check>,
    /// The fork at which the path stands, until the walk has chosen a side.
    asked: Option<Rc<Fork<'a>>>,
    /// The branch that was taken last: its place, and which side of it.
    taken: Option<(Span, bool)>,
    /// The moment that was reached last, which a person sees.
    shown: Rc<Moment>,
    /// The moment that comes, once the walk knows what was learnt on the way to it.
    coming: Option<Coming>,
    end: Option<End>,
    /// Whether it stands before work that nobody has seen yet: at the start, and after a fork.
    unseen: bool,
}

/// Two ways on, of which the walk chooses.
struct Fork<'a> {
    cond: Term,
    negated: Term,
    /// Where the condition stands.
    span: Span,
    then: State<'a>,
    other: State<'a>,
}

#[derive(Clone)]
struct Coming {
    moment: Rc<Moment>,
    /// The condition that the walk is to assume before it.
    learnt: Option<Term>,
}

impl VerifierState<'_> {
    /// The end of the path; `None` while it goes on.
    pub(crate) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }
}

impl fmt::Debug for VerifierState<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifierState({:?} at {:?})", self.shown.action, self.shown.span)
    }
}

/// The point to which a path was moved.
enum Came<'a> {
    /// It stands, its fuel used up or at work that a person sees.
    Stands(State<'a>),
    /// The path has two ways on.
    Forks(Box<Fork<'a>>),
    /// Its end, with the state before it.
    Ends(End, State<'a>),
}

impl<'a> Verifier<'a> {
    /// The verification of `member` for a walk by hand, each path to its first error.
    pub fn new(
        program: &'a Program,
        member: Member,
        config: Config,
        source: &'a dyn SourceText,
        detail: Detail,
    ) -> Verifier<'a> {
        let config = Rc::new(Config { errors: 1, trace: false, ..config });
        Verifier { program, member, config, source, detail, shared: RefCell::new(None), names: RefCell::default() }
    }

    /// The verification of `member` for its verdict: no moment is shown.
    pub(crate) fn quiet(program: &'a Program, member: Member, config: &Config) -> Verifier<'a> {
        let config = Rc::new(config.clone());
        let detail = Detail::Nothing;
        Verifier {
            program,
            member,
            config,
            source: &NoSource,
            detail,
            shared: RefCell::new(None),
            names: RefCell::default(),
        }
    }

    // The machine, and where it stands.

    /// Prepares the machine. Returns the walks that the verdict takes.
    pub(crate) fn prepare(&self, terms: &Terms) -> Res<Vec<Phase>> {
        let mut machine = Machine::new(self.program, terms, Rc::clone(&self.config));
        machine.watched = self.detail != Detail::Nothing;
        let start = machine.prepare(self.member)?;
        let phases = machine.phases(self.member);
        let code = machine.code.clone();
        *self.shared.borrow_mut() = Some(Shared { machine: machine.park(), start, code });
        Ok(phases)
    }

    /// Does something with the machine. `None`: the walk has not started.
    fn with<R>(&self, terms: &Terms, body: impl FnOnce(&mut Machine<'a, '_>, &Start<'a>) -> R) -> Option<R> {
        let Shared { machine, start, code } = self.shared.borrow_mut().take()?;
        let mut machine = machine.resume(terms);
        let res = body(&mut machine, &start);
        *self.shared.borrow_mut() = Some(Shared { machine: machine.park(), start, code });
        Some(res)
    }

    /// The state in which the walk of a phase starts.
    pub(crate) fn start_of(&self, terms: &Terms, phase: Phase) -> VerifierState<'a> {
        let started = self.with(terms, |machine, start| {
            machine.go_to(&Knowledge::new());
            (machine.start_of(start, phase), machine.counter)
        });
        let (path, counter) = started.unwrap_or_default();
        let sigma: Knowledge = [Layer::start()].into_iter().collect();
        let shown = Rc::new(Moment::first(self.head(), &path, &sigma));
        if self.detail != Detail::Nothing {
            let parameters = &self.table()[..self.parameters().0];
            self.names.borrow_mut().enter(terms, parameters, &path.env.vars);
        }
        let trace = rpds::List::new();
        let checks = VecDeque::new();
        let (asked, taken, coming, end) = (None, None, None, None);
        VerifierState { path, sigma, counter, trace, checks, asked, taken, shown, coming, end, unseen: true }
    }

    /// What has failed so far. With more wanted when all paths have ended, also what no path alone tells.
    pub(crate) fn failures(&self, terms: &Terms, wanted: usize) -> Vec<Failure> {
        let found = self.with(terms, |machine, _| {
            let mut res = std::mem::take(&mut machine.account.failures);
            let more = wanted.saturating_sub(res.len());
            res.extend(machine.not_refuted().into_iter().take(more));
            res
        });
        found.unwrap_or_default()
    }

    /// Whether so much has failed that no more is wanted.
    pub(crate) fn is_closed(&self, terms: &Terms) -> bool {
        self.with(terms, |machine, _| machine.account.closed).unwrap_or(true)
    }

    /// Whether some check has failed so far.
    pub(crate) fn has_failed(&self, terms: &Terms) -> bool {
        self.with(terms, |machine, _| machine.account.failed > 0 || machine.account.closed).unwrap_or(true)
    }

    /// The effort so far.
    pub(crate) fn effort(&self, terms: &Terms) -> Effort {
        self.with(terms, |machine, _| machine.effort).unwrap_or_default()
    }

    /// The steps that may still be made.
    pub(crate) fn steps_left(&self, terms: &Terms) -> u64 {
        self.with(terms, |machine, _| machine.config.steps.saturating_sub(machine.effort.steps)).unwrap_or_default()
    }

    /// Counts a step; whether there may be another one.
    pub(crate) fn goes_on(&self, terms: &Terms) -> bool {
        self.with(terms, |machine, _| machine.tick().is_ok()).unwrap_or_default()
    }

    /// Whether the paths that are walked from here on are merged where they meet.
    pub(crate) fn set_merging(&self, terms: &Terms, merging: bool) {
        self.with(terms, |machine, _| machine.merging = merging);
    }

    /// Whether paths may be merged: not where what is found on one of them decides about others.
    pub(crate) fn may_merge(&self, phase: Phase) -> bool {
        let Member::Method(method) = self.member else { return false };
        let mut res = phase == Phase::Body;
        for stmt in self.program.methods[method.index()].body.iter().flatten() {
            stmt.walk(&mut |it| res &= !matches!(it.kind, StmtKind::Refute(_) | StmtKind::Join(_)));
        }
        res
    }

    /// Moves a path until it stands.
    fn move_on(&self, terms: &Terms, state: &mut VerifierState<'a>, fuel: &mut u64) {
        let path = std::mem::take(&mut state.path);
        let came = self.with(terms, |machine, _| {
            machine.go_to(&state.sigma);
            // Names that paths have made which may become one must not be those of others.
            machine.counter = if machine.merging { machine.counter.max(state.counter) } else { state.counter };
            machine.trace = state.trace.clone();
            machine.checks.clear();
            let came = machine.move_path(path, self.detail, state.unseen, fuel);
            state.sigma = machine.known_here();
            state.counter = machine.counter;
            state.trace = machine.trace.clone();
            state.checks.extend(machine.checks.drain(..));
            let work = match &came {
                Came::Stands(path) => path.work.last().and_then(|it| action(it, machine.code.as_deref())),
                Came::Forks(_) => None,
                Came::Ends(..) => Some((Action::End, state.shown.span)),
            };
            (came, work)
        });
        let Some((came, work)) = came else {
            state.end = Some(End::Undecided("the walk has not started".into()));
            return;
        };
        state.unseen = false;
        let seen = match came {
            Came::Forks(fork) => {
                state.asked = Some(Rc::from(fork));
                return;
            }
            Came::Stands(path) => {
                state.path = path;
                self.detail != Detail::Nothing
            }
            Came::Ends(end, path) => {
                state.path = path;
                state.end = Some(end);
                self.detail != Detail::Nothing
            }
        };
        if let (true, Some(work)) = (seen, work) {
            let (moment, learnt) = state.shown.after(terms, work, &state.path, &state.sigma);
            let learnt = terms.and_all(learnt);
            let learnt = terms.as_bool(learnt).is_none().then_some(learnt);
            let mut names = self.names.borrow_mut();
            let gives = matches!(state.shown.action, Action::Start | Action::Produce) && !state.shown.part;
            if gives && state.path.branches.is_empty() {
                names.entered(state.counter);
            }
            names.see_store(&moment.store);
            names.see(terms, self.program, &moment.heap);
            state.coming = Some(Coming { moment: Rc::new(moment), learnt });
        }
    }

    /// The name of the member that is verified.
    pub fn name(&self) -> &'a str {
        match self.member {
            Member::Function(it) => &self.program.functions[it.index()].name,
            Member::Predicate(it) => &self.program.predicates[it.index()].name,
            Member::Method(it) => &self.program.methods[it.index()].name,
        }
    }

    /// All variables of the member.
    fn table(&self) -> &'a [MemberVariable] {
        match self.member {
            Member::Function(it) => &self.program.functions[it.index()].variables,
            Member::Predicate(it) => &self.program.predicates[it.index()].variables,
            Member::Method(it) => &self.program.methods[it.index()].variables,
        }
    }

    /// How many of them are parameters, and how many results.
    fn parameters(&self) -> (usize, usize) {
        match self.member {
            Member::Function(it) => (self.program.functions[it.index()].parameters, 0),
            Member::Predicate(it) => (self.program.predicates[it.index()].parameters, 0),
            Member::Method(it) => {
                let method = &self.program.methods[it.index()];
                (method.parameters, method.results)
            }
        }
    }

    fn head(&self) -> Span {
        match self.member {
            Member::Function(it) => self.program.functions[it.index()].span,
            Member::Predicate(it) => self.program.predicates[it.index()].span,
            Member::Method(it) => self.program.methods[it.index()].span,
        }
    }

    /// The moment that a person sees.
    fn moment<'s>(&self, state: &'s VerifierState<'a>) -> &'s Moment {
        match self.detail {
            Detail::Conjuncts | Detail::Nothing => &state.shown,
            Detail::Statements => state.shown.of_statement(),
        }
    }

    /// Whether nothing is found on any path from a state.
    fn is_clean(&self, terms: &Terms, state: VerifierState<'a>) -> bool {
        let mut pending = vec![state];
        while let Some(mut state) = pending.pop() {
            self.move_on(terms, &mut state, &mut u64::MAX.clone());
            state.coming = None;
            state.checks.clear();
            match (&state.asked, &state.end) {
                (Some(fork), _) => {
                    let sides = self.with(terms, |machine, _| machine.sides(fork.cond)).unwrap_or((true, true));
                    for (side, feasible) in [(1, sides.1), (0, sides.0)] {
                        if feasible {
                            let mut way = state.clone();
                            self.answer(&mut way, Resolution::Alternative(side));
                            if sides == (true, true) {
                                self.forked(&mut way);
                            }
                            pending.push(way);
                        }
                    }
                }
                (None, None) => pending.push(state),
                (None, Some(End::Verified | End::Infeasible)) => {}
                (None, Some(_)) => return false,
            }
        }
        true
    }

    fn place_at(&self, span: Span) -> Place {
        let file = self.program.files.get(span.file as usize).map_or("", |it| it);
        Place { file: file.into(), line: span.line, column: span.column, function: self.name().into() }
    }

    fn end_step(&self, end: &End, span: Span) -> Step {
        match end {
            End::Verified => Step::Exit(Outcome::Exit { code: None }),
            End::Infeasible => Step::Exit(Outcome::Silent),
            End::Failed(failure) => Step::Exit(Outcome::Violation(Box::new(self.violation(failure)))),
            End::Unsupported(what, span) => Step::unsupported(&**what, self.place_at(*span)),
            End::Undecided(why) => {
                let (what, place) = (why.to_string(), self.place_at(span));
                Step::GaveUp(Box::new(GaveUp { cause: GiveUpCause::Undecided, what, place }))
            }
        }
    }

    /// What is reported where a check does not hold.
    fn violation_of(&self, check: &Check) -> Violation {
        self.violation(&Failure::new(check.blame.error, check.reason, check.blame.span, check.culprit))
    }

    fn violation(&self, failure: &Failure) -> Violation {
        let id = format!("{}:{}", failure.error.id(), failure.reason.id());
        let undecided = match &failure.undecided {
            Some(why) => format!(" The solver did not decide this ({why})."),
            None => String::new(),
        };
        Violation {
            kind: BugKind(failure.error.id()),
            message: format!("{} [{id}]{undecided}", self.source.message(failure)),
            place: self.place_at(failure.culprit),
            stack: Vec::new(),
        }
    }
}

/// Nothing is known of the source.
struct NoSource;

impl SourceText for NoSource {
    fn line(&self, _: Span) -> Option<String> {
        None
    }

    fn quote(&self, _: Span) -> Option<String> {
        None
    }

    fn message(&self, failure: &Failure) -> String {
        failure.error.text().to_owned()
    }
}
