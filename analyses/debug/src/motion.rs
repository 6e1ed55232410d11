//! Motion: from one stop to the next.
//!
//! Knows: statements, questions and their answers. Never: how a stop is worded.
//! Source: King 1976, section 6: at an unresolved branch the user chooses, in the same state as at a breakpoint before
//! the statement.

use crate::command::Choice;
use crate::points::Goal;
use crate::position::{End, Mark, Open, Position, Progress, Question, is_known, label_text};
use crate::session::{ENDED, Said, Session};
use crate::trace::Tracer;
use crate::tree::NodeId;
use effigy_engine::{
    Asked, Context, Decision, Engine, Event, Forks, Inspect, Outcome, Path, PathId, Policy, Statement, Stuck, Trail,
    Way, advance,
};
use effigy_term::{BvValue, Sort, Term, Value};
use num_bigint::BigInt;
use std::rc::Rc;
use std::sync::Arc;

/// The result of one transition, as a person sees it.
enum Moved {
    /// The transition was made without a question.
    On,
    /// A question was answered that has one answer only; the transition is still to be finished.
    Answered,
    /// The same, where this condition had to hold and does.
    Held(Term),
    /// The program asks a question with several answers.
    Open(Open),
    /// The program has ended, in this way.
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
    path: Path<S>,
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
            procedure: Arc::clone(&statement.procedure),
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
    pub(crate) fn event(&mut self, path: &mut Path<L::State>) -> Event {
        let mut engine = Engine { terms: self.terms, solver: self.solver, budget: self.config.query };
        let mut ctx = Context::new(self.terms, &self.inputs, &mut self.coverage, &mut self.notes);
        advance(self.language, &mut ctx, path, &mut Policy::fork(&mut engine), &mut 1)
    }

    /// Makes one transition; what is open is put to the user.
    fn transition(&mut self, path: &mut Path<L::State>) -> Moved {
        let event = self.event(path);
        let moved = self.seen(path, event);
        // Answers that an interrupt has cut short are not used.
        match moved {
            Moved::On | Moved::Ended(_) => moved,
            _ if self.interrupted() => Moved::Interrupted,
            _ => moved,
        }
    }

    /// An event as a person sees it: what is open is asked.
    fn seen(&self, path: &mut Path<L::State>, event: Event) -> Moved {
        match event {
            Event::Moved => Moved::On,
            Event::Answered => Moved::Answered,
            Event::Held(held) => Moved::Held(held.cond),
            Event::Ended(Ok(outcome)) => Moved::Ended(End::By(outcome)),
            Event::Ended(Err(it)) => Moved::Ended(End::GaveUp(it)),
            Event::Violated(violated) => match violated.past.clone() {
                Some(past) => Moved::Open(Open::Require { violated: Rc::new(*violated), past }),
                None => {
                    path.trail = violated.into;
                    Moved::Ended(End::By(Outcome::Violation(violated.violation)))
                }
            },
            Event::Forked(Forks { asked: Asked::Branch, ways }) => Moved::Open(Open::Branch(ways)),
            Event::Forked(Forks { asked: Asked::Value(term), ways }) => {
                let example = ways.iter().find_map(|it| match &it.decision {
                    Decision::Is(value) => Some(self.terms.of_value(self.terms.sort(term), value)),
                    _ => None,
                });
                let example = self.formula(example.unwrap_or(term));
                Moved::Open(Open::Value { term, trail: path.trail.clone(), example })
            }
            Event::Undecided(Stuck::Value(term), _) => {
                Moved::Open(Open::Value { term, trail: path.trail.clone(), example: String::new() })
            }
            Event::Undecided(Stuck::Branch, _) | Event::Waits | Event::DoesNotFit => {
                Moved::Ended(End::Impossible("no side of a branch is possible".to_owned()))
            }
        }
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
            path: Path { id: PathId(0), state: from.state.clone(), trail: from.trail.clone() },
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
        let at = self.language.statement(&run.path.state);
        self.trace_begins(&mut run.tracer, &run.path.state, &at);
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
            match self.transition(&mut run.path) {
                Moved::Interrupted => {}
                Moved::Answered => continue,
                Moved::Held(cond) => {
                    self.trace_holds(&mut run.tracer, cond);
                    continue;
                }
                Moved::Ended(_) if run.choice.is_some() => return Err(NOT_OPEN.to_owned()),
                Moved::Ended(end) => return Ok(self.end(run, end)),
                Moved::Open(open) => {
                    let Some(choice) = run.choice.take() else {
                        let (state, progress) = (run.path.state.clone(), run.progress.clone());
                        return Ok(self.stop(run, Some(Question { state, progress, open }), ""));
                    };
                    let state = run.path.state.clone();
                    let chosen = self.choose(&state, &open, &choice)?;
                    if let Some(end) = self.take(&mut run, chosen, &open) {
                        return Ok(self.end(run, end));
                    }
                    continue;
                }
                Moved::On => {}
            }
            let mut finished = Vec::new();
            let passage = self.pass(&run.path.state, &mut run.progress, &mut finished);
            for mark in &finished {
                self.trace_finishes(&mut run.tracer, mark, &run.path.state);
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
            let statement = self.language.statement(&run.path.state);
            let is_next = matches!(passage, Passage::Next);
            if is_next {
                self.trace_begins(&mut run.tracer, &run.path.state, &statement);
            }
            if let Some(reason) = self.hit(&run.path.state, &run.path.trail, &finished, &statement, is_next) {
                return Ok(self.stop(run, None, &reason));
            }
            let now = self.language.depth(&run.path.state);
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
        run.path = chosen.path;
        run.within = true;
        self.rebase(run);
        chosen.end
    }

    /// From now on a question goes back to this state.
    fn rebase(&self, run: &mut Run<L::State>) {
        run.moved = true;
        run.base = Position {
            state: run.path.state.clone(),
            trail: run.path.trail.clone(),
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
            self.trace_finishes(&mut run.tracer, &mark, &run.path.state);
        }
        let mut text = std::mem::take(&mut run.tracer.text);
        let mut position = run.base;
        position.state = run.path.state;
        position.trail = run.path.trail;
        let summary = self.end_summary(&end, &position.state);
        self.tree.ended(run.node, summary);
        position.end = Some(Rc::new(end));
        self.arrive(position);
        text.push_str(&self.situation());
        text
    }

    /// The way on that the user has chosen.
    fn choose(&mut self, state: &L::State, open: &Open, choice: &Choice) -> Result<Chosen<L::State>, String> {
        let mut path = Path { id: PathId(0), state: state.clone(), trail: Trail::default() };
        match open {
            Open::Branch(sides) => {
                let wanted = match choice {
                    Choice::True => "true",
                    Choice::False => "false",
                    Choice::Side(label) => label,
                    Choice::Value(_) => return Err(self.ways(open)),
                };
                let number = wanted.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
                let by_label = sides.iter().position(|it| label_text(it).eq_ignore_ascii_case(wanted));
                let Some(at) = by_label.or(number.filter(|&it| it < sides.len())) else {
                    return Err(self.ways(open));
                };
                path.take(self.language, sides[at].clone());
                let label = self.side_labels(open)[at].clone();
                Ok(Chosen { path, end: None, label })
            }
            Open::Require { violated, past } => {
                let holding = match choice {
                    Choice::True => true,
                    Choice::False => false,
                    Choice::Side(label) if label == "1" => true,
                    Choice::Side(label) if label == "2" => false,
                    _ => return Err(self.ways(open)),
                };
                let label = self.side_labels(open)[usize::from(!holding)].clone();
                if holding {
                    path.grant(self.language, past.clone());
                    return Ok(Chosen { path, end: None, label });
                }
                path.trail = violated.into.clone();
                Ok(Chosen { path, end: Some(End::By(Outcome::Violation(violated.violation.clone()))), label })
            }
            Open::Value { term, trail, .. } => {
                let (Choice::Value(text) | Choice::Side(text)) = choice else { return Err(self.ways(open)) };
                let Some(value) = value_of(self.terms.sort(*term), text) else { return Err(self.ways(open)) };
                let cond = self.terms.eq(*term, self.terms.of_value(self.terms.sort(*term), &value));
                let Some(mut trail) = self.engine().assume(trail, cond) else {
                    return Err(format!("{} cannot be {text} here", self.formula(*term)));
                };
                let decision = Decision::Is(value);
                trail.decisions.push(decision.clone());
                let way = Way { decision, cond, label: None, trail, is_one_of_several: true };
                path.take(self.language, way);
                Ok(Chosen { path, end: None, label: self.formula(cond) })
            }
        }
    }
}

/// A command on its way.
struct Run<S> {
    path: Path<S>,
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
            Open::Branch(sides) => sides.iter().map(|it| with(&label_text(it), it.cond)).collect(),
            Open::Require { violated, .. } => {
                vec![with("true", violated.cond), with("false", self.terms.not(violated.cond))]
            }
            Open::Value { .. } => Vec::new(),
        }
    }
}
