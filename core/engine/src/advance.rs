//! The walk of one path: from event to event, under a policy.
//!
//! Knows: what each question of a language means for its path, whoever answers it: a solver, a model, a name. This is
//! said here and nowhere else; an analysis is a loop over events.
//! Never: which path goes on first, what is reported.

use crate::context::{Context, learn};
use crate::decision::{Decision, Resolution};
use crate::engine::Engine;
use crate::fork::{Feasibility, Requirement, Splitter, Way, stuck};
use crate::guide::{Follower, Guide};
use crate::judge::Judge;
use crate::language::Language;
use crate::outcome::{Outcome, PathOutcome, Violation};
use crate::passed::Standing;
use crate::path::{Path, PathId, Trail};
use crate::question::Step;
use effigy_solver::{QueryBudget, Reason};
use effigy_term::{Term, Terms, Value};

/// Who answers the questions of a path.
pub enum Policy<'p, 'e> {
    /// The language's own judge, if it has one, and then the solver: every feasible side is a way on.
    Fork(Forking<'p, 'e>),
    /// The language's own judge alone: every side that it does not refute is a way on. A question may cost so much.
    Prove(QueryBudget),
    /// One side is followed, and no solver is asked.
    Follow(&'p mut Guide),
}

/// The solver and its budgets, for a walk that forks.
pub struct Forking<'p, 'e> {
    /// The solver, and what a question for a way on may spend.
    pub engine: &'p mut Engine<'e>,
    /// When it is asked whether a side is feasible.
    pub feasibility: Feasibility,
    /// What the question may spend whether a requirement can fail.
    pub requirements: QueryBudget,
}

impl<'p, 'e> Policy<'p, 'e> {
    /// Every side is asked about at once, with the engine's own budget.
    pub fn fork(engine: &'p mut Engine<'e>) -> Policy<'p, 'e> {
        let requirements = engine.budget;
        Policy::Fork(Forking { engine, feasibility: Feasibility::Branch, requirements })
    }
}

/// The result of advancing a path: why it stands where it does.
#[derive(Debug)]
pub enum Event {
    /// The fuel is used up; the path stands between two questions.
    Moved,
    /// A question had one answer only, which the path has taken.
    Answered,
    /// A requirement holds on every input of the path, which has gone on.
    Held(Box<Held>),
    /// The path stands at a question with several ways on; [`Path::take`] takes one.
    Forked(Forks),
    /// A requirement can fail; the path stands before it, and [`Path::grant`] goes on where that is possible.
    Violated(Box<Violated>),
    /// The path has ended. Where an assumption cannot hold, by [`Outcome::Silent`].
    Ended(PathOutcome),
    /// No way on is known: the path may not exist.
    Undecided(Stuck, Reason),
    /// The path stands at a question for which its name has no decision.
    Waits,
    /// The next decision of its name is no answer to the question where the path stands.
    DoesNotFit,
}

/// A requirement that holds on every input of a path.
#[derive(Debug)]
pub struct Held {
    /// The condition that holds, of sort Bool.
    pub cond: Term,
    /// The violation that would be reported if `cond` were false.
    pub violation: Box<Violation>,
    /// The trail before the requirement, whose φ implies `cond`.
    pub before: Trail,
}

/// All ways on from a question.
#[derive(Debug)]
pub struct Forks {
    /// The question that has several answers.
    pub asked: Asked,
    /// The ways on, at least two, in the order of the alternatives.
    pub ways: Vec<Way>,
}

/// The kind of a question that splits a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Which alternative of a branch is taken.
    Branch,
    /// Which value of this term: one that is found, and the rest.
    Value(Term),
}

/// A requirement that can fail.
#[derive(Debug)]
pub struct Violated {
    /// The condition that must hold, of sort Bool.
    pub cond: Term,
    /// The violation to report where `cond` is false.
    pub violation: Box<Violation>,
    /// The trail into the violation. Without a model it is not known to exist.
    pub into: Trail,
    /// The trail past it, if some input takes it.
    pub past: Option<Trail>,
}

/// The question at which no feasible way on is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// No side of a branch, or neither the condition nor its opposite.
    Branch,
    /// No value was found for this term.
    Value(Term),
}

impl std::fmt::Display for Stuck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stuck::Branch => "a path",
            Stuck::Value(_) => "the value of a term",
        })
    }
}

impl<S> Path<S> {
    /// A path that goes on by a way from the question where `state` stands.
    pub fn of_way<L: Language<State = S>>(language: &L, id: PathId, mut state: S, way: Way) -> Path<S> {
        let trail = gone(language, &mut state, way);
        Path { id, state, trail }
    }

    /// Goes on by a way from the question where the path stands.
    pub fn take<L: Language<State = S>>(&mut self, language: &L, way: Way) {
        self.trail = gone(language, &mut self.state, way);
    }

    /// Goes on past the requirement or assumption where the path stands.
    pub fn grant<L: Language<State = S>>(&mut self, language: &L, trail: Trail) {
        language.answer(&mut self.state, Resolution::Granted);
        self.trail = trail;
        self.trail.decisions.grant();
    }
}

/// The trail behind a question, of which the language is told the answer.
fn gone<L: Language>(language: &L, state: &mut L::State, way: Way) -> Trail {
    if let Some(resolution) = way.resolution() {
        language.answer(state, resolution);
        if way.is_one_of_several {
            language.forked(state);
        }
    }
    Trail { decided_at: way.trail.steps, ..way.trail }
}

/// Advances a path to its next event; takes its transitions off `fuel`.
pub fn advance<L: Language>(
    language: &L,
    ctx: &mut Context<'_>,
    path: &mut Path<L::State>,
    policy: &mut Policy<'_, '_>,
    fuel: &mut u64,
) -> Event {
    let before = *fuel;
    let step = match policy {
        // A transition that asks is made again with the answer; along a name they are counted as they were then.
        // Where they are noted, it is told where the path stands.
        Policy::Fork(_) | Policy::Prove(_) | Policy::Follow(Guide::Name(_) | Guide::Noted(_)) => {
            language.step(ctx, &mut path.state, fuel)
        }
        Policy::Follow(guide @ Guide::Model) => {
            let follower = Follower { trail: &mut path.trail, guide };
            language.step(&mut ctx.following(follower), &mut path.state, fuel)
        }
    };
    path.trail.steps += before - *fuel;
    learn(ctx.inputs, &mut path.trail);
    match step {
        Step::Next => Event::Moved,
        Step::Exit(outcome) => Event::Ended(Ok(outcome)),
        Step::GaveUp(it) => Event::Ended(Err(*it)),
        question => match policy {
            Policy::Fork(forking) => {
                let Forking { engine, feasibility, requirements } = forking;
                let (budget, requirements) = (engine.budget, *requirements);
                let asking = Asking { feasibility: *feasibility, budget, requirements };
                fork(language, ctx.terms, path, Some(&mut **engine), &asking, question)
            }
            Policy::Prove(budget) => {
                let asking = Asking { feasibility: Feasibility::Leaf, budget: *budget, requirements: *budget };
                fork(language, ctx.terms, path, None, &asking, question)
            }
            Policy::Follow(guide) => {
                // What is asked is noted with the place where it is asked, before the answer.
                let standing = matches!(guide, Guide::Noted(_))
                    .then(|| Standing::new(language.place(&path.state), &path.trail, question.clone()));
                let event = follow(language, ctx.terms, path, guide, question);
                let held = match &event {
                    Event::Answered => Some(true),
                    Event::Ended(_) => Some(false),
                    _ => None,
                };
                if let (Guide::Noted(passed), Some(standing), Some(held)) = (guide, standing, held) {
                    passed.extend(standing.passed(ctx.terms, held, &path.trail));
                }
                event
            }
        },
    }
}

/// What questions may cost, and when they are asked.
struct Asking {
    feasibility: Feasibility,
    budget: QueryBudget,
    requirements: QueryBudget,
}

/// Puts a question to the judges: the language's own, and that of the walk.
fn fork<L: Language>(
    language: &L,
    terms: &Terms,
    path: &mut Path<L::State>,
    walk: Option<&mut dyn Judge<L::State>>,
    asking: &Asking,
    question: Step,
) -> Event {
    let Asking { feasibility, budget, requirements } = *asking;
    let mut splitter = Splitter { terms, state: &path.state, own: language.judge(), walk, feasibility, budget };
    match question {
        Step::Branch(alternatives) => {
            let ways = splitter.fork(&path.trail, &alternatives);
            drop(splitter);
            go_on(language, path, Asked::Branch, ways)
        }
        Step::Value(term) => {
            let ways = splitter.fork_value(&path.trail, term);
            drop(splitter);
            go_on(language, path, Asked::Value(term), ways)
        }
        Step::Assume(cond) => {
            let trail = splitter.assume(&path.trail, cond);
            drop(splitter);
            let Some(trail) = trail else {
                // φ implies that it fails: φ stays as it is, and the name says so.
                path.trail.decisions.push(path.trail.decisions.failing());
                return Event::Ended(Ok(Outcome::Silent));
            };
            path.grant(language, trail);
            Event::Answered
        }
        Step::Require { cond, violation } => {
            let requirement = splitter.require(&path.trail, cond, requirements);
            drop(splitter);
            match requirement {
                Requirement { violated: None, holds: Some(trail) } => {
                    let before = std::mem::take(&mut path.trail);
                    path.grant(language, trail);
                    Event::Held(Box::new(Held { cond, violation, before }))
                }
                Requirement { violated: Some(into), holds } => {
                    Event::Violated(Box::new(Violated { cond, violation, into, past: holds }))
                }
                Requirement { violated: None, holds: None } => {
                    let what = "neither a condition nor its opposite is feasible";
                    Event::Undecided(Stuck::Branch, stuck(&path.trail, what))
                }
            }
        }
        Step::Next | Step::Exit(_) | Step::GaveUp(_) => Event::Moved,
    }
}

/// The event for these ways on; a single one is taken.
fn go_on<L: Language>(language: &L, path: &mut Path<L::State>, asked: Asked, mut ways: Vec<Way>) -> Event {
    if ways.len() > 1 {
        return Event::Forked(Forks { asked, ways });
    }
    match (ways.pop(), asked) {
        (Some(way), _) => {
            path.take(language, way);
            Event::Answered
        }
        (None, Asked::Branch) => Event::Undecided(Stuck::Branch, stuck(&path.trail, "no side of a branch is feasible")),
        (None, Asked::Value(term)) => Event::Undecided(Stuck::Value(term), stuck(&path.trail, "no value was found")),
    }
}

/// Why there is no answer: a name has come to its end or does not fit; a model does not tell.
fn no_answer(guide: &Guide, trail: &Trail, at: Stuck) -> Event {
    match guide {
        Guide::Model | Guide::Noted(_) => Event::Undecided(at, stuck(trail, "the model does not tell")),
        Guide::Name(left) if left.is_empty() => Event::Waits,
        Guide::Name(_) => Event::DoesNotFit,
    }
}

/// Answers a question of the one path that is followed.
fn follow<L: Language>(
    language: &L,
    terms: &Terms,
    path: &mut Path<L::State>,
    guide: &mut Guide,
    question: Step,
) -> Event {
    let (cond, violation) = match question {
        Step::Branch(alternatives) => {
            let Some(index) = guide.side(terms, &path.trail, &alternatives) else {
                return no_answer(guide, &path.trail, Stuck::Branch);
            };
            let decision = Decision::Alternative(index as u32);
            guide.extend(terms, &mut path.trail, alternatives[index].cond, Some(decision));
            language.answer(&mut path.state, Resolution::Alternative(index as u32));
            return Event::Answered;
        }
        Step::Value(term) => {
            let Some(decision) = guide.value(terms, &path.trail, term) else {
                return no_answer(guide, &path.trail, Stuck::Value(term));
            };
            let equals = |value: &Value| terms.eq(term, terms.of_value(terms.sort(term), value));
            let (cond, resolution) = match &decision {
                Decision::Is(value) => (equals(value), Some(Resolution::Value(value.clone()))),
                Decision::Not(value) => (terms.not(equals(value)), None),
                Decision::Alternative(_) | Decision::Fails(_) => return Event::DoesNotFit,
            };
            guide.extend(terms, &mut path.trail, cond, Some(decision));
            if let Some(resolution) = resolution {
                language.answer(&mut path.state, resolution);
            }
            return Event::Answered;
        }
        Step::Require { cond, violation } => (cond, Some(violation)),
        Step::Assume(cond) => (cond, None),
        Step::Next | Step::Exit(_) | Step::GaveUp(_) => return Event::Moved,
    };
    match guide.holds(terms, &path.trail, cond) {
        Some(true) => {
            // What must hold and follows from what the state knows is no part of φ.
            if violation.is_none() || language.judge().is_none() {
                guide.extend(terms, &mut path.trail, cond, None);
            }
            path.trail.decisions.grant();
            language.answer(&mut path.state, Resolution::Granted);
            Event::Answered
        }
        Some(false) => {
            let failing = path.trail.decisions.failing();
            guide.extend(terms, &mut path.trail, terms.not(cond), Some(failing));
            Event::Ended(Ok(violation.map_or(Outcome::Silent, Outcome::Violation)))
        }
        None => no_answer(guide, &path.trail, Stuck::Branch),
    }
}
