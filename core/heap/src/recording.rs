//! Recording: a verification as a tree of states that can be walked again, in any order.
//!
//! Knows: what the machine tells as it walks: each piece of work with the state before it, each fork, each end.
//! Never: how a state is shown, who walks the tree.
//! Source: Smans et al. 2010, section 6.2 (the states on the way to an error); King 1976, section 4 (the tree).
//!
//! The verifier walks depth first with a prover in scopes, so none of its states could be resumed in another order.
//! What is recorded can. Only paths of the member are recorded: what is walked within one step (inside of expressions,
//! trials) is that step's own affair. While it is recorded, a failure ends its path and not the walk.

use crate::code::Inst;
use crate::heap::Heap;
use crate::machine::{Machine, Next, Res, Stop};
use crate::plain::{is_kept, plain};
use crate::program::{BinaryOp, ExpKind, LabelId, Program, Span};
use crate::state::{State, Work};
use crate::{Config, Failure, Member, Verdict};
use effigy_solver::prover::Prover;
use effigy_term::{Term, Terms};
use rpds::{HashTrieSet, RedBlackTreeMap};
use std::rc::Rc;
use std::sync::Arc;

/// So many moments are recorded of one member; nobody looks at more.
const MOST: usize = 50_000;

/// The index of a moment.
pub(crate) type MomentId = usize;

/// The state before a piece of work, or at the end of a path.
#[derive(Debug)]
pub(crate) struct Moment {
    pub(crate) action: Action,
    pub(crate) span: Span,
    /// The moment before, on this path.
    pub(crate) before: Option<MomentId>,
    /// How many moments are before it.
    pub(crate) clock: u64,
    /// The last statement that was begun; itself, if it begins one.
    statement: Option<MomentId>,
    /// It is a part of what that statement does.
    pub(crate) part: bool,
    /// The values of the member's variables.
    pub(crate) store: Rc<Vec<Option<Term>>>,
    pub(crate) heap: Heap,
    pub(crate) old: Option<Heap>,
    pub(crate) labels: RedBlackTreeMap<LabelId, Heap>,
    /// What was assumed since the moment before, beside the conditions of forks.
    pub(crate) learnt: Vec<Term>,
    /// The same in formulas without applications; what has quantifiers in it is left out.
    pub(crate) told: Vec<Term>,
    /// How much was assumed up to here.
    known: usize,
    /// What was known before is forgotten: only the assertion of a `join` is known.
    pub(crate) anew: bool,
    pub(crate) next: Onward,
}

/// What is done at a moment.
#[derive(Debug)]
pub(crate) enum Action {
    /// Nothing yet.
    Start,
    /// A statement.
    Execute {
        /// It chooses between ways on.
        branches: bool,
    },
    /// A conjunct is added.
    Produce,
    /// A conjunct is checked and taken.
    Consume,
    /// The path has ended.
    End(End),
}

/// How a path ended.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// All of it is proved.
    Verified,
    /// There is no such run.
    Infeasible,
    /// A check failed.
    Failed(Box<Failure>),
    /// The verifier does not know this.
    Unsupported(Arc<str>, Span),
    /// A budget ran out here; what was not walked until then is missing.
    Undecided(Arc<str>),
}

/// Where it goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Onward {
    /// Nowhere, or that was not walked.
    Nowhere,
    /// One way.
    To(MomentId),
    /// Two ways, both possible.
    Fork {
        /// The condition of the first, without applications once the walk is recorded.
        cond: Term,
        /// Where it holds.
        then: Option<MomentId>,
        /// Where it does not.
        other: Option<MomentId>,
    },
}

/// The recorded verification of one member.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) moments: Vec<Moment>,
}

impl Recording {
    /// Verifies a member and records how. There is always a first moment.
    pub(crate) fn new(program: &Program, terms: &Terms, member: Member, config: &Config) -> Recording {
        let mut prover = Prover::new(config.prover.clone());
        let mut machine = Machine::new(program, terms, &mut prover, config);
        let head = match member {
            Member::Function(it) => program.functions[it.index()].span,
            Member::Predicate(it) => program.predicates[it.index()].span,
            Member::Method(it) => program.methods[it.index()].span,
        };
        machine.recorder = Some(Box::new(Recorder::new(head)));
        let verdict = machine.verify(member);
        let recorder = machine.recorder.take().map_or_else(|| Recorder::new(head), |it| *it);
        recorder.finished(&verdict, terms)
    }

    /// The statement that a moment is part of, or the moment itself.
    pub(crate) fn statement_of(&self, at: MomentId) -> MomentId {
        let moment = &self.moments[at];
        if moment.part { moment.statement.unwrap_or(at) } else { at }
    }

    /// What is assumed at a moment beside the conditions of forks, oldest first.
    pub(crate) fn facts(&self, at: MomentId) -> Vec<Term> {
        self.up_to(at, |it| &it.learnt)
    }

    /// The same as far as a walk tells it.
    pub(crate) fn told(&self, at: MomentId) -> Vec<Term> {
        self.up_to(at, |it| &it.told)
    }

    fn up_to(&self, at: MomentId, of: fn(&Moment) -> &Vec<Term>) -> Vec<Term> {
        let mut parts: Vec<&[Term]> = Vec::new();
        let mut next = Some(at);
        while let Some(moment) = next.map(|it| &self.moments[it]) {
            parts.push(of(moment));
            next = if moment.anew { None } else { moment.before };
        }
        parts.into_iter().rev().flatten().copied().collect()
    }
}

/// Tells each fact once on each path, and none that the condition of a fork says.
fn tell(moments: &mut [Moment], terms: &Terms) {
    let mut conditions: Vec<Option<Term>> = vec![None; moments.len()];
    for moment in moments.iter() {
        if let Onward::Fork { cond, then, other } = moment.next {
            let sides = [(then, cond), (other, terms.not(cond))];
            sides.into_iter().for_each(|(side, cond)| side.into_iter().for_each(|it| conditions[it] = Some(cond)));
        }
    }
    // A moment stands after those before it.
    let mut said: Vec<HashTrieSet<Term>> = Vec::with_capacity(moments.len());
    for (at, moment) in moments.iter_mut().enumerate() {
        let mut known = match moment.before {
            Some(before) if !moment.anew => said[before].clone(),
            _ => HashTrieSet::new(),
        };
        if let Some(cond) = conditions[at] {
            known.insert_mut(cond);
        }
        moment.learnt.retain(|it| {
            let is_new = !known.contains(it);
            known.insert_mut(*it);
            is_new
        });
        let kept = moment.learnt.iter().filter(|it| is_kept(terms, **it));
        moment.told = kept.map(|&it| plain(terms, it)).collect();
        if let Onward::Fork { cond, .. } = &mut moment.next {
            *cond = plain(terms, *cond);
        }
        said.push(known);
    }
}

/// Where the next moment is hung in.
#[derive(Clone, Copy, Debug)]
enum Cursor {
    /// Nothing was before.
    First,
    After(MomentId),
    Side(MomentId, bool),
}

/// What is recorded while the machine walks.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// Where the member's head stands.
    head: Span,
    moments: Vec<Moment>,
    cursor: Cursor,
    /// Sides of forks that are still to be walked, parallel to the machine's own list.
    pending: Vec<Cursor>,
    /// Where the assertion of each `join` was first shown; the paths from there are hung in here.
    joins: Vec<Option<MomentId>>,
    /// The `join` that this path is the first to reach.
    joining: Option<usize>,
    /// The next moment goes on from a `join`.
    anew: bool,
    /// The first failure that has ended a path.
    failure: Option<Box<Failure>>,
}

impl Recorder {
    fn new(head: Span) -> Recorder {
        Recorder {
            head,
            moments: Vec::new(),
            cursor: Cursor::First,
            pending: Vec::new(),
            joins: Vec::new(),
            joining: None,
            anew: false,
            failure: None,
        }
    }

    /// Both sides of a fork will be walked, the first one next.
    pub(crate) fn fork(&mut self, cond: Term) {
        let Cursor::After(at) = self.cursor else { return };
        self.moments[at].next = Onward::Fork { cond, then: None, other: None };
        self.pending.push(Cursor::Side(at, false));
        self.cursor = Cursor::Side(at, true);
    }

    /// The last side that is still to be walked is next.
    pub(crate) fn resume(&mut self) {
        if let Some(cursor) = self.pending.pop() {
            self.cursor = cursor;
        }
    }

    /// The paths from this `join` are next.
    pub(crate) fn go_on_from(&mut self, join: usize) {
        self.cursor = self.joins.get(join).copied().flatten().map_or(Cursor::First, Cursor::After);
        self.anew = true;
    }

    fn before(&self) -> Option<MomentId> {
        match self.cursor {
            Cursor::First => None,
            Cursor::After(at) | Cursor::Side(at, _) => Some(at),
        }
    }

    /// A moment like the one at the cursor, with this state.
    fn add(&mut self, action: Action, span: Span, part: bool, state: &State<'_>, facts: &[Term]) {
        let at = self.moments.len();
        let before = self.before();
        let parent = before.map(|it| &self.moments[it]);
        let statement = match action {
            Action::Execute { .. } => Some(at),
            _ => parent.and_then(|it| it.statement),
        };
        let anew = std::mem::take(&mut self.anew);
        // Whatever was forgotten since was the machine's own, within a step.
        let known = match parent {
            Some(it) if !anew => it.known.min(facts.len()),
            _ => 0,
        };
        self.moments.push(Moment {
            action,
            span,
            before,
            clock: parent.map_or(0, |it| it.clock + 1),
            statement,
            part: part && statement.is_some(),
            store: Rc::clone(&state.env.vars),
            heap: state.heap.clone(),
            old: state.env.old.clone(),
            labels: state.env.labels.clone(),
            learnt: facts[known..].to_vec(),
            told: Vec::new(),
            known: facts.len(),
            anew,
            next: Onward::Nowhere,
        });
        match self.cursor {
            Cursor::First => {}
            Cursor::After(before) => self.moments[before].next = Onward::To(at),
            Cursor::Side(before, side) => {
                if let Onward::Fork { then, other, .. } = &mut self.moments[before].next {
                    *(if side { then } else { other }) = Some(at);
                }
            }
        }
        self.cursor = Cursor::After(at);
    }

    fn finished(mut self, verdict: &Verdict, terms: &Terms) -> Recording {
        if self.moments.is_empty() {
            self.add(Action::Start, self.head, false, &State::default(), &[]);
        }
        // The walk ended before there was a path.
        if self.moments.len() == 1 {
            let end = match verdict {
                Verdict::Verified => End::Verified,
                Verdict::Failed(failures) => match failures.first() {
                    Some(failure) => End::Failed(Box::new(failure.clone())),
                    None => End::Verified,
                },
                Verdict::Undecided(why) => End::Undecided(Arc::clone(why)),
                Verdict::Unsupported(what, span) => End::Unsupported(Arc::clone(what), *span),
            };
            self.end_at(0, end);
        } else if let Verdict::Failed(failures) = verdict {
            self.place(failures);
        }
        let mut moments = self.moments;
        tell(&mut moments, terms);
        Recording { moments }
    }

    /// What no path has met is found when all have ended (a `refute`) or without walking (termination): it ends the
    /// first path where it is reported, or all of them.
    fn place(&mut self, failures: &[Failure]) {
        let is_met = self.moments.iter().any(|it| matches!(it.action, Action::End(End::Failed(_))));
        let (false, Some(failure)) = (is_met, failures.first()) else { return };
        let is_it = |it: &Moment| matches!(it.action, Action::Execute { .. }) && contains(it.span, failure.span);
        let at = self.moments.iter().position(is_it).unwrap_or(0);
        self.end_at(at, End::Failed(Box::new(failure.clone())));
    }

    /// The path ends here, whatever came next.
    fn end_at(&mut self, at: MomentId, end: End) {
        let Moment { span, store, heap, .. } = &self.moments[at];
        let (span, mut state) = (*span, State { heap: heap.clone(), ..State::default() });
        state.env.vars = Rc::clone(store);
        self.cursor = Cursor::After(at);
        self.add(Action::End(end), span, false, &state, &[]);
    }
}

impl<'a> Machine<'a> {
    /// A new walk of the member begins. Only the last one is recorded: it goes on only where the one before has found
    /// nothing.
    pub(crate) fn recording_starts(&mut self, state: &State<'a>) {
        let Some(Recorder { head, .. }) = self.recorder.take().map(|it| *it) else { return };
        let mut recorder = Box::new(Recorder::new(head));
        recorder.add(Action::Start, head, false, state, self.facts());
        self.recorder = Some(recorder);
    }

    /// The first failure that was recorded, after a walk.
    pub(crate) fn recorded_failure(&mut self) -> Option<Stop> {
        self.recorder.as_mut()?.failure.take().map(Stop::Failed)
    }

    /// One step of a path, recorded if anything is. A failure is recorded, and the path ends as if it were infeasible.
    pub(crate) fn recorded_step(&mut self, state: State<'a>, work: Work<'a>) -> Res<Option<Next<'a>>> {
        // What is walked within the step finds no recorder.
        let Some(mut recorder) = self.recorder.take() else { return self.step(state, work) };
        if recorder.moments.len() >= MOST {
            let why: Arc<str> = format!("only {MOST} states are recorded").into();
            recorder.add(Action::End(End::Undecided(Arc::clone(&why))), recorder.head, false, &state, self.facts());
            self.recorder = Some(recorder);
            return Err(Stop::Undecided(why));
        }
        if let Some((action, span)) = self.action(&work) {
            recorder.add(action, span, is_part(&state), &state, self.facts());
        }
        let (before, joins) = (state.clone(), self.joins.len());
        let res = self.step(state, work);
        if self.joins.len() > joins {
            recorder.joining = Some(recorder.joins.len());
            recorder.joins.push(None);
        }
        let res = match res {
            Ok(None) => {
                self.recording_ends(&mut recorder, End::Verified, &before);
                Ok(None)
            }
            Ok(next) => Ok(next),
            Err(stop) => Err(self.recording_stops(&mut recorder, stop, &before)),
        };
        self.recorder = Some(recorder);
        res
    }

    /// Does something of which nothing is recorded.
    pub(crate) fn unrecorded(&mut self, body: &mut dyn FnMut(&mut Machine<'a>) -> Res<()>) -> Res<()> {
        let recorder = self.recorder.take();
        let res = body(self);
        self.recorder = recorder;
        res
    }

    /// The end of a path; what `leaf` walks goes on with it.
    pub(crate) fn recorded_leaf(
        &mut self,
        state: State<'a>,
        leaf: &mut dyn FnMut(&mut Machine<'a>, State<'a>) -> Res<()>,
    ) -> Res<Option<Next<'a>>> {
        let Some(count) = self.recorder.as_ref().map(|it| it.moments.len()) else {
            return leaf(self, state).map(|()| None);
        };
        let before = state.clone();
        let res = leaf(self, state);
        let Some(mut recorder) = self.recorder.take() else { return res.map(|()| None) };
        // Otherwise the ends of what was walked are recorded already.
        let is_end = recorder.moments.len() == count;
        let res = match res {
            Ok(()) => {
                if is_end {
                    self.recording_ends(&mut recorder, End::Verified, &before);
                }
                Ok(None)
            }
            Err(stop) if is_end => Err(self.recording_stops(&mut recorder, stop, &before)),
            Err(stop) => Err(stop),
        };
        self.recorder = Some(recorder);
        res
    }

    /// Records a stop; how the walk is to take it.
    fn recording_stops(&self, recorder: &mut Recorder, stop: Stop, state: &State<'a>) -> Stop {
        let (end, stop) = match stop {
            Stop::Infeasible => (End::Infeasible, Stop::Infeasible),
            Stop::Failed(failure) => {
                recorder.failure.get_or_insert_with(|| failure.clone());
                (End::Failed(failure), Stop::Infeasible)
            }
            Stop::Unsupported(what, span) => (End::Unsupported(what, span), Stop::Infeasible),
            Stop::Undecided(why) => (End::Undecided(Arc::clone(&why)), Stop::Undecided(why)),
        };
        self.recording_ends(recorder, end, state);
        stop
    }

    fn recording_ends(&self, recorder: &mut Recorder, end: End, state: &State<'a>) {
        if let (Some(join), End::Verified) = (recorder.joining.take(), &end) {
            recorder.joins[join] = recorder.before();
        }
        let span = recorder.before().map_or(recorder.head, |it| recorder.moments[it].span);
        recorder.add(Action::End(end), span, false, state, self.facts());
    }

    /// What a piece of work is for a person; `None` if it is only the machine's own.
    fn action(&self, work: &Work<'a>) -> Option<(Action, Span)> {
        match work {
            Work::Run(pc) => {
                let code = self.code.as_ref()?;
                let branches = matches!(code.insts.get(*pc), Some(Inst::Branch { .. }));
                Some((Action::Execute { branches }, code.span(*pc)?))
            }
            Work::Produce(task, ..) | Work::Consume(task, ..) => {
                let exp = task.exps.first()?;
                // Its conjuncts are told one by one.
                if matches!(*exp.kind, ExpKind::Binary(BinaryOp::And, ..)) {
                    return None;
                }
                let action = if matches!(work, Work::Produce(..)) { Action::Produce } else { Action::Consume };
                Some((action, exp.span))
            }
            _ => None,
        }
    }
}

/// Whether the work is a part of what a statement does: the statement is not finished then.
fn is_part(state: &State<'_>) -> bool {
    let contract = |it: &Work<'_>| matches!(it, Work::Produce(..) | Work::Consume(..) | Work::Unit | Work::Combine);
    !state.work.iter().all(contract)
}

fn contains(outer: Span, inner: Span) -> bool {
    let start = |it: Span| (it.line, it.column);
    let end = |it: Span| (it.end_line, it.end_column);
    outer.file == inner.file && start(outer) <= start(inner) && end(inner) <= end(outer)
}
