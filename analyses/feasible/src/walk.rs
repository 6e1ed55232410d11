//! The walk along a trace: paths that pass its steps in their order; between two of them anything may happen.
//!
//! Knows: which step a path waits for, what was passed at a transition, bounds. Never: what a question means.
//!
//! A path passes a step where it stands on its line, or where the condition of the line comes out as the step says; the
//! first time counts. (Passing as early as possible leaves most for what follows.) A step with a constraint may also be
//! passed later: there the walk forks. *Infeasible* is said only when every path was followed to its end.

use crate::trace::{Constraint, Relation, Step, Trace, is_same_file};
use effigy_engine::{
    Asked, Conditional, Context, Coverage, Decision, Engine, Event, Guide, Inputs, Inspect, InspectError, Limit, Meter,
    Notes, Outcome, Path, PathId, Policy, Standing, Trail, Violated, Violation, advance,
};
use effigy_solver::{Answer, PathCondition, QueryBudget, Solver};
use effigy_term::{BvValue, Sort, Term, Terms};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The budgets and the mode of a walk along a trace.
#[derive(Clone, Debug)]
pub struct Config {
    /// What one query may spend.
    pub query: QueryBudget,
    /// Whether the trace has every outcome: then a path disagrees on which a condition comes out that is not the next
    /// one of the trace.
    pub complete: bool,
    /// The number of transitions that are made beyond the last step, to see how the path ends.
    pub beyond: u64,
}

/// Whether some input takes the steps.
pub enum Verdict<S> {
    /// This path agrees with the trace.
    Feasible(Box<Found<S>>),
    /// No path passes the step with this number, among those that were asked about.
    Infeasible {
        /// The step that no path passes, among those that were asked about.
        reached: usize,
    },
    /// It is not known whether some path does.
    Unknown(Unknown),
}

/// The reasons why a trace could not be decided.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unknown {
    /// The reasons why, a sentence each.
    pub reasons: Vec<String>,
    /// The step that no path was seen to pass.
    pub reached: usize,
}

/// A path that agrees with the trace.
pub struct Found<S> {
    /// The path at its end; its model takes it there.
    pub path: Path<S>,
    /// The end of the path, as far as it was followed.
    pub end: End,
    /// Whether it ended in a bug on the line of the last step.
    pub at_last_step: bool,
}

/// How a path ends that agrees with the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program ended, with this exit code if it has one.
    Exit(Option<i32>),
    /// The path ended in this bug.
    Bug(Box<Violation>),
    /// The end is not known: a budget was used up, or the path came to something that is not executed.
    Open(String),
}

/// Why a trace cannot be walked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// No step is in the program.
    #[error("no step of the trace is on a line of the program that is executed")]
    Nowhere,
    /// A constraint cannot be read where it stands.
    #[error("{step}: {error}")]
    Constraint {
        /// The step, as traces are written.
        step: String,
        /// The message: why it cannot be used.
        error: String,
    },
}

/// The solver, the arena and the budget for a walk.
pub struct Tools<'a> {
    /// The arena in which the program's terms are built.
    pub terms: &'a Terms,
    /// The outermost layer of the chain of solvers.
    pub solver: &'a mut dyn Solver,
    /// An empty path condition, which shares with those of all paths what is found out about terms.
    pub known: &'a PathCondition,
    /// What the walk may spend.
    pub meter: &'a Meter,
}

/// The trace as this program can be asked about it: steps where nothing is executed are left out, and outcomes that are
/// not of one condition; each is told in the remarks.
///
/// # Errors
/// When nothing is left.
pub fn fitted<L: Inspect>(language: &L, trace: &Trace) -> Result<Trace, Refused> {
    let mut res = Trace { steps: Vec::new(), remarks: trace.remarks.clone() };
    let mut follows_outcome = false;
    for step in &trace.steps {
        let known = language.conditional(&|file| is_same_file(&step.file, file), step.line);
        let mut step = step.clone();
        // What comes out on a line of several conditions, told after an outcome, may be a part of what was told.
        if known == Conditional::Ambiguous && step.outcome.is_some() && follows_outcome {
            res.remarks.push(format!("{step}: it may be a part of the condition before it; left out"));
            continue;
        }
        follows_outcome = known == Conditional::One && step.outcome.is_some();
        let left_out = match (known, step.outcome) {
            (Conditional::NoStatement, _) => {
                res.remarks.push(format!("{}:{}: nothing is executed there; left out", step.file, step.line));
                continue;
            }
            (Conditional::NoCondition, Some(_)) => Some("no condition is decided there"),
            (Conditional::Ambiguous, Some(_)) => Some("it cannot be told which condition this is the outcome of"),
            _ => None,
        };
        if let Some(why) = left_out {
            res.remarks.push(format!("{step}: {why}; the line alone is looked for"));
            step.outcome = None;
        }
        // Where a tool tells several things of one line, that it is passed is told once.
        let again = step.is_plain()
            && res
                .steps
                .last()
                .is_some_and(|it: &Step| (&it.file, it.line) == (&step.file, step.line) && it.is_plain());
        match again {
            true => res.remarks.push(format!("{step}: told several times, one after the other; it is passed once")),
            false => res.steps.push(step),
        }
    }
    let mut seen = BTreeSet::new();
    res.remarks.retain(|it| seen.insert(it.clone()));
    if res.steps.is_empty() { Err(Refused::Nowhere) } else { Ok(res) }
}

/// Whether some input takes these steps of a trace that fits the program.
///
/// # Errors
/// When a constraint cannot be read.
pub fn feasible<L: Inspect>(
    language: &L,
    tools: Tools<'_>,
    trace: &Trace,
    kept: &[usize],
    config: &Config,
) -> Result<Verdict<L::State>, Refused> {
    let steps: Vec<&Step> = kept.iter().filter_map(|&it| trace.steps.get(it)).collect();
    // Where the trace is complete, an outcome that is not asked about may be any.
    let others = match config.complete {
        true => trace.steps.iter().enumerate().filter(|it| !kept.contains(&it.0)).map(|it| it.1).collect(),
        false => Vec::new(),
    };
    let mut walk = Walk {
        language,
        tools,
        steps,
        others,
        config,
        coverage: Coverage::default(),
        notes: Notes::default(),
        waiting: BTreeMap::new(),
        next: 0,
        unknown: Unknown::default(),
    };
    walk.run()
}

/// A path, and how far it has come.
#[derive(Clone)]
struct Candidate<S> {
    path: Path<S>,
    /// The step that it waits for.
    at: usize,
    /// The line on which it stands, by depth of calls.
    lines: Vec<Line>,
    /// The step is not to be passed while the path stands where it stands.
    later: bool,
    /// So many inputs it had had when it came to its line, or when a step was last compared with one of them.
    inputs: usize,
}

type Line = (Arc<str>, u32);

/// Which paths go on first: those that have passed most steps, of these those that have forked least.
type Rank = (std::cmp::Reverse<usize>, u64, u64);

struct Walk<'a, 't, L: Inspect> {
    language: &'a L,
    tools: Tools<'t>,
    steps: Vec<&'a Step>,
    others: Vec<&'a Step>,
    config: &'a Config,
    coverage: Coverage,
    notes: Notes,
    waiting: BTreeMap<Rank, Candidate<L::State>>,
    next: u64,
    unknown: Unknown,
}

/// The result of a transition.
enum Moved {
    /// The path goes on to its next transition.
    On,
    /// The path is not followed any further; its ways on from a fork, if any, wait.
    Over,
    /// It agrees with the whole trace.
    Done,
}

impl<L: Inspect> Walk<'_, '_, L> {
    fn run(&mut self) -> Result<Verdict<L::State>, Refused> {
        let inputs = Inputs::Symbolic;
        let mut ctx = Context::new(self.tools.terms, &inputs, &mut self.coverage, &mut self.notes);
        let state = self.language.start(&mut ctx);
        let path = Path { id: PathId(0), state, trail: Trail::of(self.tools.known.clone()) };
        self.wait(Candidate { path, at: 0, lines: Vec::new(), later: false, inputs: 0 });
        while let Some((_, candidate)) = self.waiting.pop_first() {
            if let Some(limit) = self.tools.meter.exceeded() {
                self.doubt(limit.to_string());
                break;
            }
            if let Some(found) = self.follow(candidate)? {
                return Ok(Verdict::Feasible(Box::new(found)));
            }
        }
        let assumed: Vec<String> =
            self.notes.iter().filter(|it| it.0.incomplete).map(|it| format!("{}: {}", it.0.kind, it.0.what)).collect();
        assumed.into_iter().for_each(|it| self.doubt(it));
        // What another function returns on the line was not followed.
        for step in self.steps.clone() {
            let is_input = matches!(step.constraint, Some(Constraint::Input(..)));
            if is_input && !self.language.returns_inputs(&|file| is_same_file(&step.file, file), step.line) {
                self.doubt(format!("{}:{}: it may be another function that returns this", step.file, step.line));
            }
        }
        Ok(match self.unknown.reasons.is_empty() {
            true => Verdict::Infeasible { reached: self.unknown.reached },
            false => Verdict::Unknown(std::mem::take(&mut self.unknown)),
        })
    }

    fn doubt(&mut self, reason: String) {
        if !self.unknown.reasons.contains(&reason) {
            self.unknown.reasons.push(reason);
        }
    }

    fn wait(&mut self, candidate: Candidate<L::State>) {
        self.unknown.reached = self.unknown.reached.max(candidate.at);
        // A step that the code does not lead to any more is not passed.
        let comes = |it: &&Step| {
            self.language.may_come_to(&candidate.path.state, &|file| is_same_file(&it.file, file), it.line)
        };
        if !self.steps.get(candidate.at).is_none_or(comes) {
            return;
        }
        self.next += 1;
        // Of equals the one that was met last: it is nearer to its next step.
        let rank = (std::cmp::Reverse(candidate.at), candidate.path.trail.forks, u64::MAX - self.next);
        self.waiting.insert(rank, candidate);
    }

    fn engine(&mut self) -> Engine<'_> {
        let mut budget = self.config.query;
        if let Some(left) = self.tools.meter.remaining() {
            budget.time = Some(budget.time.map_or(left, |it| it.min(left)).max(LAST));
        }
        Engine { terms: self.tools.terms, solver: self.tools.solver, budget }
    }

    /// Follows a path until it forks, ends, or has passed all steps.
    fn follow(&mut self, mut it: Candidate<L::State>) -> Result<Option<Found<L::State>>, Refused> {
        loop {
            if let Some(limit) = self.tools.meter.exceeded() {
                self.doubt(limit.to_string());
                return Ok(None);
            }
            if let Some(limit) = self.tools.meter.path_exceeded(it.path.trail.steps) {
                self.doubt(limit.to_string());
                return Ok(None);
            }
            self.stand(&mut it)?;
            if it.at == self.steps.len() {
                return self.finish(it);
            }
            match self.step(&mut it)? {
                Moved::On => {}
                Moved::Over => return Ok(None),
                Moved::Done => return self.finish(it),
            }
        }
    }

    /// Passes the steps whose line this is.
    fn stand(&mut self, it: &mut Candidate<L::State>) -> Result<(), Refused> {
        let statement = self.language.statement(&it.path.state);
        let depth = self.language.depth(&it.path.state);
        if statement.number == 0 || depth == 0 {
            return Ok(());
        }
        let line = (Arc::clone(&statement.place.file), statement.place.line);
        if it.lines.len() > depth {
            // A call has returned: its line is passed once more.
            it.lines.truncate(depth);
            if let Some(caller) = it.lines.last().cloned() {
                self.pass(it, &caller, None)?;
            }
        }
        it.lines.resize(depth, (Arc::from(""), 0));
        let last = depth - 1;
        if it.lines[last] != line {
            it.lines[last] = line.clone();
            it.later = false;
            it.inputs = self.language.inputs(&it.path.state);
        }
        self.pass(it, &line, None)
    }

    /// Passes the steps that wait for this line, or for this outcome on it.
    fn pass(&mut self, it: &mut Candidate<L::State>, line: &Line, outcome: Option<bool>) -> Result<(), Refused> {
        let mut outcome = outcome;
        while let Some(&step) = self.steps.get(it.at) {
            let here = step.line == line.1 && is_same_file(&step.file, &line.0) && !it.later;
            if !here || step.outcome.is_some() && step.outcome != outcome {
                break;
            }
            if step.outcome.is_some() {
                // It came out once.
                outcome = None;
            }
            let Some(constraint) = &step.constraint else {
                self.passed(it);
                continue;
            };
            let Some(cond) = self.constraint(it, step, constraint)? else { break };
            // It may hold at another time instead: of an input, when the line gets another one.
            let mut other = it.clone();
            if matches!(constraint, Constraint::Input(..)) {
                it.inputs = self.language.inputs(&it.path.state);
                other.inputs = it.inputs;
            } else {
                other.later = true;
            }
            let Some(trail) = self.engine().assume(&it.path.trail, cond) else {
                *it = other;
                break;
            };
            self.wait(other);
            it.path.trail = trail;
            self.passed(it);
        }
        Ok(())
    }

    fn passed(&mut self, it: &mut Candidate<L::State>) {
        it.at += 1;
        self.unknown.reached = self.unknown.reached.max(it.at);
    }

    /// What a constraint says here; `None` while it says nothing yet.
    fn constraint(
        &mut self,
        it: &Candidate<L::State>,
        step: &Step,
        constraint: &Constraint,
    ) -> Result<Option<Term>, Refused> {
        let terms = self.tools.terms;
        match constraint {
            Constraint::Condition(text) => {
                let inputs = Inputs::Symbolic;
                let mut ctx = Context::new(terms, &inputs, &mut self.coverage, &mut self.notes);
                let refused =
                    |error: InspectError| Refused::Constraint { step: step.to_string(), error: error.to_string() };
                let value = self.language.evaluate(&mut ctx, &it.path.state, text).map_err(refused)?;
                Ok(Some(match terms.sort(value) {
                    Sort::BitVec(width) => terms.ne(value, terms.bv(BvValue::zero(width))),
                    Sort::Int => terms.ne(value, terms.int(0)),
                    _ => value,
                }))
            }
            Constraint::Input(relation, number) => {
                let is_new = self.language.inputs(&it.path.state) > it.inputs;
                let latest = self.language.latest_input(&it.path.state).filter(|_| is_new);
                Ok(latest.and_then(|it| related(terms, it, *relation, *number)))
            }
        }
    }

    /// Makes a transition of a path and passes the steps that it meets.
    fn step(&mut self, it: &mut Candidate<L::State>) -> Result<Moved, Refused> {
        let from = self.language.standing(&it.path.state);
        let line = it.lines.last().cloned();
        let event = self.advance(&mut it.path);
        match event {
            Event::Moved => {
                let to = self.language.standing(&it.path.state);
                let Some(line) = line else { return Ok(Moved::On) };
                // What the line has got from outside is there now.
                let waits =
                    self.steps.get(it.at).is_some_and(|it| matches!(it.constraint, Some(Constraint::Input(..))));
                if waits {
                    self.pass(it, &line, None)?;
                    if it.at == self.steps.len() {
                        return Ok(Moved::Done);
                    }
                }
                match (from, to) {
                    (Some(from), Some(to)) => self.decided(it, from, to, &line),
                    _ => Ok(Moved::On),
                }
            }
            Event::Answered | Event::Held(_) => Ok(Moved::On),
            Event::Forked(forks) => {
                let several = matches!(forks.asked, Asked::Value(_));
                for way in forks.ways.into_iter().rev() {
                    let excluded = matches!(way.decision, Decision::Not(_));
                    let mut other = it.clone();
                    other.path.take(self.language, way);
                    if several && excluded && other.path.trail.decisions.excluded().count() >= MOST_VALUES {
                        self.doubt(Limit::Values.to_string());
                        continue;
                    }
                    self.wait(other);
                }
                Ok(Moved::Over)
            }
            Event::Violated(violated) => match violated.past {
                Some(past) => {
                    it.path.grant(self.language, past);
                    Ok(Moved::On)
                }
                None => Ok(Moved::Over),
            },
            Event::Ended(Err(it)) => {
                self.doubt(format!("{}:{}: {it}", it.place.file, it.place.line));
                Ok(Moved::Over)
            }
            Event::Ended(_) => Ok(Moved::Over),
            Event::Undecided(stuck, reason) => {
                self.doubt(format!("{stuck}: {reason}"));
                Ok(Moved::Over)
            }
            Event::Waits | Event::DoesNotFit => Ok(Moved::Over),
        }
    }

    /// How a condition came out in a transition, if one did.
    fn decided(
        &mut self,
        it: &mut Candidate<L::State>,
        from: Standing,
        to: Standing,
        line: &Line,
    ) -> Result<Moved, Refused> {
        let Some(outcome) = self.language.outcome(from, to) else { return Ok(Moved::On) };
        if self.config.complete && !self.is_told(it.at, line, outcome) {
            return Ok(Moved::Over);
        }
        self.pass(it, line, Some(outcome))?;
        Ok(if it.at == self.steps.len() { Moved::Done } else { Moved::On })
    }

    /// Whether an outcome is the next one that is told, or one that is not asked about.
    fn is_told(&self, at: usize, line: &Line, outcome: bool) -> bool {
        let is_here = |it: &Step| it.line == line.1 && is_same_file(&it.file, &line.0);
        if self.others.iter().any(|it| it.outcome.is_some() && is_here(it)) {
            return true;
        }
        match self.steps[at..].iter().find(|it| it.outcome.is_some()) {
            Some(step) => is_here(step) && step.outcome == Some(outcome),
            None => true,
        }
    }

    fn advance(&mut self, path: &mut Path<L::State>) -> Event {
        let inputs = Inputs::Symbolic;
        let mut fuel = 1;
        let mut budget = self.config.query;
        if let Some(left) = self.tools.meter.remaining() {
            budget.time = Some(budget.time.map_or(left, |it| it.min(left)).max(LAST));
        }
        let mut engine = Engine { terms: self.tools.terms, solver: self.tools.solver, budget };
        let mut ctx = Context::new(self.tools.terms, &inputs, &mut self.coverage, &mut self.notes);
        let mut policy = Policy::fork(&mut engine);
        let event = advance(self.language, &mut ctx, path, &mut policy, &mut fuel);
        self.tools.meter.add_steps(1 - fuel);
        event
    }

    // What comes after the last step.

    /// A path has passed all steps: it is one if it has a model. A bug on the line where it stands now is what the trace
    /// was reported for.
    fn finish(&mut self, mut it: Candidate<L::State>) -> Result<Option<Found<L::State>>, Refused> {
        if it.path.trail.witness.is_none() {
            match self.engine().satisfiable(&it.path.trail) {
                Answer::Sat(model) => {
                    it.path.trail.witness = Some(model.into());
                    it.path.trail.undecided = None;
                }
                Answer::Unsat => return Ok(None),
                Answer::Unknown(reason) => {
                    self.doubt(format!("whether the path exists: {reason}"));
                    return Ok(None);
                }
            }
        }
        let bug = match self.steps.last().is_some_and(|it| it.outcome.is_none()) {
            true => self.bug_here(&it),
            false => None,
        };
        let at_last_step = bug.is_some();
        let (mut path, violation) = match bug {
            Some((path, violation)) => (path, Some(violation)),
            None => (it.path, None),
        };
        // Somebody will read it.
        if let Some(witness) = path.trail.witness.take() {
            path.trail.witness =
                Some(path.trail.condition.minimize_model(self.tools.terms, witness.into_model()).into());
        }
        let end = match violation {
            Some(violation) => End::Bug(violation),
            None => self.followed_out(&mut path),
        };
        Ok(Some(Found { path, end, at_last_step }))
    }

    /// The first bug on the line where a path stands.
    fn bug_here(&mut self, it: &Candidate<L::State>) -> Option<(Path<L::State>, Box<Violation>)> {
        let depth = self.language.depth(&it.path.state);
        let line = it.lines.last()?.clone();
        let mut paths = vec![it.path.clone()];
        let mut left = MOST_ON_A_LINE;
        while let Some(mut path) = paths.pop() {
            loop {
                let statement = self.language.statement(&path.state);
                let now = self.language.depth(&path.state);
                let elsewhere = (&statement.place.file, statement.place.line) != (&line.0, line.1);
                if left == 0 || now < depth || now == depth && elsewhere {
                    break;
                }
                left -= 1;
                match self.advance(&mut path) {
                    Event::Violated(violated) => {
                        let Violated { violation, into, past, .. } = *violated;
                        if into.witness.is_some() {
                            path.trail = into;
                            return Some((path, violation));
                        }
                        let Some(past) = past else { break };
                        path.grant(self.language, past);
                    }
                    Event::Ended(Ok(Outcome::Violation(violation))) if path.trail.witness.is_some() => {
                        return Some((path, violation));
                    }
                    Event::Forked(forks) if paths.len() < MOST_FORKS_ON_A_LINE => {
                        for way in forks.ways.into_iter().rev() {
                            let mut other = path.clone();
                            other.take(self.language, way);
                            paths.push(other);
                        }
                        break;
                    }
                    Event::Moved | Event::Answered | Event::Held(_) => {}
                    _ => break,
                }
            }
        }
        None
    }

    /// The path's own model leads it to its end.
    fn followed_out(&mut self, path: &mut Path<L::State>) -> End {
        let inputs = Inputs::Symbolic;
        let mut ctx = Context::new(self.tools.terms, &inputs, &mut self.coverage, &mut self.notes);
        let mut guide = Guide::Model;
        let mut left = self.config.beyond;
        while left > 0 {
            if let Some(limit) = self.tools.meter.exceeded() {
                return End::Open(limit.to_string());
            }
            let slice = left.min(BETWEEN_LOOKS);
            let mut fuel = slice;
            let event = advance(self.language, &mut ctx, path, &mut Policy::Follow(&mut guide), &mut fuel);
            left -= slice - fuel;
            match event {
                Event::Moved | Event::Answered | Event::Held(_) => {}
                Event::Ended(Ok(Outcome::Exit { code })) => return End::Exit(code),
                Event::Ended(Ok(Outcome::Violation(violation))) => return End::Bug(violation),
                Event::Ended(Ok(Outcome::Silent)) => return End::Open("the program drops the path".to_owned()),
                Event::Ended(Err(it)) => return End::Open(it.to_string()),
                _ => return End::Open("its end is not known".to_owned()),
            }
        }
        End::Open("it goes on for long".to_owned())
    }
}

/// So many transitions are made on the last line, and so many paths followed there, to find the bug.
const MOST_ON_A_LINE: u64 = 100_000;
const MOST_FORKS_ON_A_LINE: usize = 64;

/// So many transitions are made beyond the last step before the clock is looked at again. Chosen without measuring.
const BETWEEN_LOOKS: u64 = 100_000;

/// The most values of one term that are followed.
const MOST_VALUES: usize = 64;

/// A query gets so much, even when the time is over.
const LAST: std::time::Duration = std::time::Duration::from_millis(200);

/// A number and another in a relation; those with sign are read as such.
fn related(terms: &Terms, input: Term, relation: Relation, number: i128) -> Option<Term> {
    let number = BigInt::from(number);
    let (less, equal) = match terms.sort(input) {
        Sort::BitVec(width) => {
            let number = terms.bv(BvValue::from_bigint(width, &number));
            (terms.bv_slt(input, number), terms.eq(input, number))
        }
        Sort::Int => (terms.int_lt(input, terms.int(number.clone())), terms.eq(input, terms.int(number))),
        _ => return None,
    };
    Some(match relation {
        Relation::Equal => equal,
        Relation::NotEqual => terms.not(equal),
        Relation::Less => less,
        Relation::AtMost => terms.or(less, equal),
        Relation::Greater => terms.not(terms.or(less, equal)),
        Relation::AtLeast => terms.not(less),
    })
}
