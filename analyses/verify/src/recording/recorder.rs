//! How a verification is recorded while the machine walks.
//!
//! Knows: where the next moment is hung in, what one is a part of, which failure ends a path. Never: what is done with
//! a recording.

use super::{Action, End, MOST, Moment, MomentId, Onward, Recording, tell};
use crate::code::Inst;
use crate::machine::{Machine, Next, Res, Stop};
use crate::state::{State, Work};
use crate::{Failure, Verdict};
use effigy_contracts::program::{BinaryOp, ExpKind, Span};
use effigy_term::{Term, Terms};
use std::rc::Rc;
use std::sync::Arc;

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
    pub(super) fn new(head: Span) -> Recorder {
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

    pub(super) fn finished(mut self, verdict: &Verdict, terms: &Terms) -> Recording {
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
