//! Motion: from one stop to the next.
//!
//! Knows: statements, questions and their answers. Never: how a stop is worded.
//! Source: King 1976, section 6: at an unresolved branch the user chooses, in the same state as at a breakpoint before
//! the statement.

use crate::command::Choice;
use crate::position::{End, Mark, Open, Position, Progress, Question, Side, is_known};
use crate::session::{ENDED, Said, Session};
use crate::trace::Tracer;
use crate::tree::NodeId;
use effigy_engine::{AlternativeLabel, Decision, Inspect, Outcome, Statement, Step, Trail, ValueForks};
use effigy_term::{BvValue, Sort, Term, Value};
use num_bigint::BigInt;
use std::rc::Rc;

/// How far a command goes, if nothing stops it before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// To a breakpoint.
    Stop,
    /// So many statements.
    Steps(u64),
    /// So many statements of this procedure.
    Nexts(u64),
    /// Out of this procedure.
    Finish,
}

/// What came of one transition.
pub(crate) enum Event {
    /// It was made.
    Moved,
    /// A question was answered that has one answer only; the transition is still to be finished.
    Answered,
    /// Several ways are open.
    Open(Open),
    /// The program has ended.
    Ended(End),
    /// The user wants to stop.
    Interrupted,
}

/// Where a transition has led, seen by statements.
pub(crate) enum Passage {
    /// Still the same execution of a statement.
    Within,
    /// Back in a statement that made a call.
    Back,
    /// Before another execution of a statement.
    Next,
}

/// A choice that was made.
struct Chosen<S> {
    state: S,
    trail: Trail,
    end: Option<End>,
    label: String,
}

impl<L: Inspect> Session<'_, L> {
    /// The mark of the statement that comes next.
    pub(crate) fn mark(&self, state: &L::State, statement: &Statement) -> Mark {
        Mark {
            clock: self.language.clock(state),
            depth: self.language.depth(state),
            number: statement.number,
            procedure: Rc::clone(&statement.procedure),
        }
    }

    /// The progress of a state without history.
    pub(crate) fn first_progress(&self, state: &L::State) -> Progress {
        let mut res = Progress::default();
        if self.language.depth(state) > 0 {
            let statement = self.language.statement(state);
            if is_known(&statement) {
                res.push(self.mark(state, &statement));
            }
        }
        res
    }

    /// Brings `progress` up to the statement that comes next in `state`; the marks of finished statements are added to
    /// `finished`, the innermost first.
    pub(crate) fn pass(&self, state: &L::State, progress: &mut Progress, finished: &mut Vec<Mark>) -> Passage {
        let depth = self.language.depth(state);
        if depth == 0 {
            return Passage::Within;
        }
        let statement = self.language.statement(state);
        if !is_known(&statement) {
            return Passage::Within;
        }
        let mark = self.mark(state, &statement);
        if progress.last() == Some(&mark) {
            return Passage::Within;
        }
        let mut returned = false;
        while progress.last().is_some_and(|it| it.depth > depth) {
            finished.extend(progress.pop());
            returned = true;
        }
        if let Some(caller) = progress.last().filter(|it| it.depth == depth) {
            if returned && caller.is_at(&statement) {
                progress.pop();
                progress.push(mark);
                return Passage::Back;
            }
            finished.extend(progress.pop());
        }
        progress.push(mark);
        Passage::Next
    }

    /// Makes one transition, and decides what has one answer only.
    pub(crate) fn transition(&mut self, state: &mut L::State, trail: &mut Trail) -> Event {
        let language = self.language;
        let mut fuel = 1;
        let step = language.step(&mut self.context(), state, &mut fuel);
        trail.steps += 1 - fuel;
        let event = match step {
            Step::Next => return Event::Moved,
            Step::Exit(outcome) => return Event::Ended(End::By(outcome)),
            Step::Assume(cond) => match self.engine().assume(trail, cond) {
                Some(extended) => self.granted(state, trail, extended),
                None => Event::Ended(End::By(Outcome::Silent)),
            },
            Step::Require { cond, violation } => {
                let requirement = self.engine().require(trail, cond);
                match (requirement.holds, requirement.violated) {
                    (Some(holds), None) => self.granted(state, trail, holds),
                    (Some(holds), Some(violated)) => Event::Open(Open::Require { cond, holds, violated, violation }),
                    (None, Some(violated)) => {
                        *trail = violated;
                        Event::Ended(End::By(Outcome::Violation(violation)))
                    }
                    (None, None) => Event::Ended(End::Impossible("nothing satisfies the path condition".to_owned())),
                }
            }
            Step::Branch(alternatives) => {
                let mut forks = self.engine().fork(trail, &alternatives);
                match forks.len() {
                    0 => Event::Ended(End::Impossible("no side of a branch is possible".to_owned())),
                    1 => match forks.pop() {
                        Some(fork) => {
                            *trail = fork.trail;
                            language.answer(state, fork.decision);
                            Event::Answered
                        }
                        None => Event::Answered,
                    },
                    _ => {
                        let label = |decision: &Decision| match decision {
                            Decision::Alternative(index) => alternatives.get(*index as usize).map(|it| &it.label),
                            _ => None,
                        };
                        let sides = forks.into_iter().map(|fork| {
                            let label = label(&fork.decision).map_or_else(String::new, label_text);
                            Side { label, fork }
                        });
                        Event::Open(Open::Branch(sides.collect()))
                    }
                }
            }
            Step::Value(term) => match self.engine().fork_value(trail, term) {
                ValueForks::Decided { chosen, rest: None } => {
                    *trail = chosen.trail;
                    language.answer(state, chosen.decision);
                    Event::Answered
                }
                ValueForks::Decided { chosen, rest: Some(_) } => {
                    let example = match &chosen.decision {
                        Decision::Value(value) => self.terms.of_value(self.terms.sort(term), value),
                        _ => term,
                    };
                    Event::Open(Open::Value { term, trail: trail.clone(), example: self.formula(example) })
                }
                ValueForks::Undecided => {
                    Event::Open(Open::Value { term, trail: trail.clone(), example: String::new() })
                }
            },
        };
        // Answers that an interrupt has cut short are not used.
        if self.interrupted() { Event::Interrupted } else { event }
    }

    fn granted(&mut self, state: &mut L::State, trail: &mut Trail, extended: Trail) -> Event {
        *trail = extended;
        self.language.answer(state, Decision::Granted);
        Event::Answered
    }

    /// Moves on to the next stop.
    pub(crate) fn move_on(&mut self, goal: Goal, choice: Option<Choice>) -> Said {
        let from = Rc::clone(&self.here);
        if from.end.is_some() {
            return Err(ENDED.to_owned());
        }
        if self.language.depth(&from.state) == 0 {
            return Err("no program runs; `call PROC(arguments)` starts one".to_owned());
        }
        let mut run = Run {
            state: from.state.clone(),
            trail: from.trail.clone(),
            progress: from.progress.clone(),
            node: from.node,
            base: (*from).clone(),
            within: from.within,
            choice,
            moved: false,
            left: self.config.transitions,
            tracer: Tracer::new(self.traced.clone()),
        };
        run.base.question = None;
        let at = self.language.statement(&run.state);
        self.trace_begins(&mut run.tracer, &run.state, &at);
        if let Some(question) = &from.question
            && let Some(choice) = run.choice.take()
        {
            let chosen = self.choose(&question.state, &question.open, &choice)?;
            run.progress = question.progress.clone();
            if let Some(end) = self.take(&mut run, chosen, &question.open) {
                return Ok(self.end(run, end));
            }
        }
        self.run(run, goal, self.language.depth(&from.state))
    }

    fn run(&mut self, mut run: Run<L::State>, mut goal: Goal, mut depth: usize) -> Said {
        loop {
            if self.interrupted() {
                self.clear_interrupt();
                return Ok(self.stop(run, None, "interrupted"));
            }
            if run.left.is_some_and(|it| it == 0) {
                return Ok(self.stop(run, None, "stopped: this is long; `go` goes on"));
            }
            run.left = run.left.map(|it| it - 1);
            match self.transition(&mut run.state, &mut run.trail) {
                Event::Interrupted => {}
                Event::Answered => continue,
                Event::Ended(_) if run.choice.is_some() => return Err(NOT_OPEN.to_owned()),
                Event::Ended(end) => return Ok(self.end(run, end)),
                Event::Open(open) => {
                    let Some(choice) = run.choice.take() else {
                        let (state, progress) = (run.state.clone(), run.progress.clone());
                        return Ok(self.stop(run, Some(Question { state, progress, open }), ""));
                    };
                    let state = run.state.clone();
                    let chosen = self.choose(&state, &open, &choice)?;
                    if let Some(end) = self.take(&mut run, chosen, &open) {
                        return Ok(self.end(run, end));
                    }
                    continue;
                }
                Event::Moved => {}
            }
            let mut finished = Vec::new();
            let passage = self.pass(&run.state, &mut run.progress, &mut finished);
            for mark in &finished {
                self.trace_finishes(&mut run.tracer, mark, &run.state);
            }
            match passage {
                Passage::Within if run.within => {
                    // What was decided is done: from here on nothing is rolled back to before it.
                    run.within = false;
                    self.rebase(&mut run);
                    continue;
                }
                Passage::Within => continue,
                Passage::Back | Passage::Next => {}
            }
            if run.choice.is_some() {
                return Err(NOT_OPEN.to_owned());
            }
            run.within = false;
            self.rebase(&mut run);
            let statement = self.language.statement(&run.state);
            let is_next = matches!(passage, Passage::Next);
            if is_next {
                self.trace_begins(&mut run.tracer, &run.state, &statement);
            }
            if let Some(reason) = self.hit(&run.state, &run.trail, &finished, &statement, is_next) {
                return Ok(self.stop(run, None, &reason));
            }
            let now = self.language.depth(&run.state);
            let reached = match &mut goal {
                Goal::Stop => false,
                Goal::Finish => now < depth,
                Goal::Steps(left) => {
                    *left -= u64::from(is_next);
                    *left == 0
                }
                Goal::Nexts(left) => {
                    if now <= depth {
                        depth = now;
                        *left -= u64::from(is_next);
                    }
                    *left == 0
                }
            };
            if reached {
                return Ok(self.stop(run, None, ""));
            }
        }
    }

    /// Goes the chosen way; the end where it leads into an error.
    fn take(&mut self, run: &mut Run<L::State>, chosen: Chosen<L::State>, open: &Open) -> Option<End> {
        let at = self.question_place(&run.base.state, open);
        self.tree.asked(run.node, &at, &self.side_labels(open));
        run.node = self.tree.taken(run.node, &at, &chosen.label);
        run.state = chosen.state;
        run.trail = chosen.trail;
        run.within = true;
        self.rebase(run);
        chosen.end
    }

    /// From now on a question goes back to this state.
    fn rebase(&self, run: &mut Run<L::State>) {
        run.moved = true;
        run.base = Position {
            state: run.state.clone(),
            trail: run.trail.clone(),
            progress: run.progress.clone(),
            question: None,
            end: None,
            within: run.within,
            node: run.node,
            origin: run.base.origin.take(),
            edited: run.base.edited,
        };
    }

    fn stop(&mut self, mut run: Run<L::State>, question: Option<Question<L::State>>, reason: &str) -> String {
        run.tracer.flush();
        let mut text = std::mem::take(&mut run.tracer.text);
        let mut position = run.base;
        if let Some(question) = &question {
            let at = self.question_place(&position.state, &question.open);
            self.tree.asked(position.node, &at, &self.side_labels(&question.open));
        }
        position.question = question.map(Rc::new);
        if run.moved || self.here.question.is_none() {
            self.arrive(position);
        } else {
            // The same question again: nothing to undo.
            self.here = Rc::new(position);
        }
        if !reason.is_empty() {
            text.push_str(reason);
            text.push('\n');
        }
        text.push_str(&self.situation());
        text
    }

    fn end(&mut self, mut run: Run<L::State>, end: End) -> String {
        while let Some(mark) = run.progress.pop() {
            self.trace_finishes(&mut run.tracer, &mark, &run.state);
        }
        let mut text = std::mem::take(&mut run.tracer.text);
        let mut position = run.base;
        position.state = run.state;
        position.trail = run.trail;
        let summary = self.end_summary(&end, &position.state);
        self.tree.ended(run.node, summary);
        position.end = Some(Rc::new(end));
        self.arrive(position);
        text.push_str(&self.situation());
        text
    }

    /// The way on that the user has chosen.
    fn choose(&mut self, state: &L::State, open: &Open, choice: &Choice) -> Result<Chosen<L::State>, String> {
        let mut state = state.clone();
        match open {
            Open::Branch(sides) => {
                let wanted = match choice {
                    Choice::True => "true",
                    Choice::False => "false",
                    Choice::Side(label) => label,
                    Choice::Value(_) => return Err(self.ways(open)),
                };
                let number = wanted.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
                let by_label = sides.iter().position(|it| it.label.eq_ignore_ascii_case(wanted));
                let Some(at) = by_label.or(number.filter(|&it| it < sides.len())) else {
                    return Err(self.ways(open));
                };
                let Side { fork, .. } = &sides[at];
                self.language.answer(&mut state, fork.decision.clone());
                Ok(Chosen { state, trail: fork.trail.clone(), end: None, label: self.side_labels(open)[at].clone() })
            }
            Open::Require { holds, violated, violation, .. } => {
                let holding = match choice {
                    Choice::True => true,
                    Choice::False => false,
                    Choice::Side(label) if label == "1" => true,
                    Choice::Side(label) if label == "2" => false,
                    _ => return Err(self.ways(open)),
                };
                let label = self.side_labels(open)[usize::from(!holding)].clone();
                if holding {
                    self.language.answer(&mut state, Decision::Granted);
                    return Ok(Chosen { state, trail: holds.clone(), end: None, label });
                }
                let end = Some(End::By(Outcome::Violation(violation.clone())));
                Ok(Chosen { state, trail: violated.clone(), end, label })
            }
            Open::Value { term, trail, .. } => {
                let (Choice::Value(text) | Choice::Side(text)) = choice else { return Err(self.ways(open)) };
                let Some(value) = value_of(self.terms.sort(*term), text) else { return Err(self.ways(open)) };
                let cond = self.terms.eq(*term, self.terms.of_value(self.terms.sort(*term), &value));
                let Some(mut trail) = self.engine().assume(trail, cond) else {
                    return Err(format!("{} cannot be {text} here", self.formula(*term)));
                };
                trail.decisions.push(Decision::Value(value.clone()));
                self.language.answer(&mut state, Decision::Value(value));
                Ok(Chosen { state, trail, end: None, label: self.formula(cond) })
            }
        }
    }
}

/// A command on its way.
struct Run<S> {
    state: S,
    trail: Trail,
    progress: Progress,
    node: NodeId,
    /// Where a stop in the middle of the statement goes back to.
    base: Position<S>,
    within: bool,
    /// The base is another state than the one before the command.
    moved: bool,
    /// To be made at the first question.
    choice: Option<Choice>,
    /// Transitions that may still be made.
    left: Option<u64>,
    tracer: Tracer,
}

const NOT_OPEN: &str = "nothing is open at this statement: there is no way to choose";

fn label_text(label: &AlternativeLabel) -> String {
    match label {
        AlternativeLabel::True => "true".to_owned(),
        AlternativeLabel::False => "false".to_owned(),
        AlternativeLabel::Case(name) => name.to_string(),
    }
}

/// The value of a sort that a text writes.
fn value_of(sort: Sort, text: &str) -> Option<Value> {
    // Longer numbers are no answer to anything, and reading them takes quadratic time.
    let text = Some(text.trim()).filter(|it| it.len() <= 100)?;
    let number = || match text.strip_prefix("0x") {
        Some(digits) => BigInt::parse_bytes(digits.as_bytes(), 16),
        None => text.parse::<BigInt>().ok(),
    };
    match sort {
        Sort::Bool => text.parse().ok().map(Value::Bool),
        Sort::Int => number().map(Value::Int),
        Sort::BitVec(width) => number().map(|it| Value::BitVec(BvValue::from_bigint(width, &it))),
        Sort::Real | Sort::Array(_) | Sort::Uninterpreted(_) => None,
    }
}

impl<L: Inspect> Session<'_, L> {
    /// What the tree writes at each way on.
    pub(crate) fn side_labels(&self, open: &Open) -> Vec<String> {
        let with = |label: &str, cond: Term| format!("{label}: {}", self.formula(cond));
        match open {
            Open::Branch(sides) => sides.iter().map(|it| with(&it.label, it.fork.cond)).collect(),
            Open::Require { cond, .. } => vec![with("true", *cond), with("false", self.terms.not(*cond))],
            Open::Value { .. } => Vec::new(),
        }
    }
}
