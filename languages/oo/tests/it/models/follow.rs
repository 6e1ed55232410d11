//! One path of a symbolic machine: the questions that it asks, answered from outside.
//!
//! Knows: the protocol between a language and a walk. Never: solvers.

use effigy_engine::{
    AlternativeLabel, BugKind, Context, Coverage, Inputs, Language, Notes, Outcome, Place, Resolution, Step, Violation,
};
use effigy_oo::run::concrete::Fault;
use effigy_oo::run::machine::{Machine, State};
use effigy_oo::run::memory::Memory;
use effigy_oo::run::obligation;
use effigy_oo::run::program::*;
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms};

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolicEnd {
    Completed,
    Fault(BugKind, Place),
    /// An assumption did not hold, or another interleaving is explored instead.
    Dropped,
    OutOfSteps,
}

/// A path that was followed.
pub struct Followed<M> {
    pub end: SymbolicEnd,
    pub state: State<M>,
    /// The conjuncts of φ, in order.
    pub phi: Vec<Term>,
    /// What was answered.
    pub answers: Vec<Answer>,
    /// Transitions.
    pub moves: usize,
}

/// An answer, as it can be given again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Which thread moves, of how many.
    Thread(usize, usize),
    /// The outcome of a test.
    Test(bool),
    /// Whether what was required holds.
    Required(bool),
    /// Whether what was assumed holds.
    Assumed(bool),
}

/// What is asked.
pub enum Asked<'a> {
    Thread(usize),
    Test(&'a [Term]),
    Required(Term),
    Assumed(Term),
}

/// Says what happens; `Err` says why that cannot be said.
pub trait Decide {
    fn decide(&mut self, asked: Asked<'_>) -> Result<Answer, String>;
}

/// Follows a path for at most so many transitions.
pub fn follow<M: Memory>(
    machine: &Machine<M>,
    terms: &Terms,
    decide: &mut dyn Decide,
    most_moves: usize,
) -> Result<Followed<M>, String> {
    let (mut coverage, mut notes) = (Coverage::new(machine.program().statements.len()), Notes::default());
    let mut ctx = Context::new(terms, &Inputs::Symbolic, &mut coverage, &mut notes);
    let mut state = machine.start(&mut ctx);
    let (mut phi, mut answers, mut fuel) = (Vec::new(), Vec::new(), most_moves as u64);
    let end = loop {
        match machine.step(&mut ctx, &mut state, &mut fuel) {
            Step::Next if fuel == 0 => break SymbolicEnd::OutOfSteps,
            Step::Next => {}
            Step::Branch(alternatives) => {
                let conds: Vec<Term> = alternatives.iter().map(|it| it.cond).collect();
                let is_test = alternatives.iter().all(|it| !matches!(it.label, AlternativeLabel::Case(_)));
                let is_thread = alternatives.iter().all(|it| match &it.label {
                    AlternativeLabel::Case(name) => name.starts_with("thread"),
                    _ => false,
                });
                if is_thread && fuel == 0 {
                    break SymbolicEnd::OutOfSteps;
                }
                let asked = match () {
                    () if is_test => Asked::Test(&conds),
                    () if is_thread => Asked::Thread(conds.len()),
                    // A condition that is asked about at the end of the path.
                    () => Asked::Required(terms.bool(true)),
                };
                let answer = decide.decide(asked)?;
                let taken = match answer {
                    Answer::Thread(at, _) => at,
                    Answer::Test(holds) | Answer::Required(holds) | Answer::Assumed(holds) => usize::from(!holds),
                };
                phi.push(conds[taken]);
                answers.push(answer);
                machine.answer(&mut state, Resolution::Alternative(taken as u32));
            }
            Step::Require { cond, violation } => {
                let answer = decide.decide(Asked::Required(cond))?;
                answers.push(answer);
                if answer != Answer::Required(true) {
                    phi.push(terms.not(cond));
                    break fault(*violation);
                }
                phi.push(cond);
                machine.answer(&mut state, Resolution::Granted);
            }
            Step::Assume(cond) => {
                let answer = decide.decide(Asked::Assumed(cond))?;
                answers.push(answer);
                if answer != Answer::Assumed(true) {
                    phi.push(terms.not(cond));
                    break SymbolicEnd::Dropped;
                }
                phi.push(cond);
                machine.answer(&mut state, Resolution::Granted);
            }
            Step::Exit(Outcome::Exit { .. }) => break SymbolicEnd::Completed,
            Step::Exit(Outcome::Silent) => break SymbolicEnd::Dropped,
            Step::Exit(Outcome::Violation(violation)) => break fault(*violation),
            other => return Err(format!("an unexpected step: {other:?}")),
        }
    };
    Ok(Followed { end, state, phi, answers, moves: most_moves - fuel as usize })
}

fn fault(violation: Violation) -> SymbolicEnd {
    SymbolicEnd::Fault(violation.kind, violation.place)
}

/// Answers as a valuation does: each condition is evaluated. Threads move as the schedule says.
pub struct ByValuation<'a> {
    pub evaluator: Evaluator<'a>,
    pub schedule: &'a [usize],
    at: usize,
}

impl<'a> ByValuation<'a> {
    pub fn new(terms: &'a Terms, model: &'a Model, schedule: &'a [usize]) -> ByValuation<'a> {
        ByValuation { evaluator: Evaluator::new(terms, model), schedule, at: 0 }
    }

    fn truth(&mut self, cond: Term) -> Result<bool, String> {
        self.evaluator.truth(cond).ok_or_else(|| "a condition of φ has no value".to_owned())
    }
}

impl Decide for ByValuation<'_> {
    fn decide(&mut self, asked: Asked<'_>) -> Result<Answer, String> {
        Ok(match asked {
            Asked::Thread(count) => {
                let wanted = self.schedule.get(self.at).copied().unwrap_or(0) % count;
                self.at += 1;
                Answer::Thread(wanted, count)
            }
            Asked::Test(&[holds, fails]) => {
                let (holds, fails) = (self.truth(holds)?, self.truth(fails)?);
                if holds == fails {
                    return Err("the alternatives of a test are not exclusive and exhaustive".to_owned());
                }
                Answer::Test(holds)
            }
            Asked::Test(_) => return Err("a test without two sides".to_owned()),
            Asked::Required(cond) => Answer::Required(self.truth(cond)?),
            Asked::Assumed(cond) => Answer::Assumed(self.truth(cond)?),
        })
    }
}

/// Answers as another path did.
pub struct Again<'a> {
    answers: std::slice::Iter<'a, Answer>,
}

impl<'a> Again<'a> {
    pub fn new(answers: &'a [Answer]) -> Again<'a> {
        Again { answers: answers.iter() }
    }
}

impl Decide for Again<'_> {
    fn decide(&mut self, asked: Asked<'_>) -> Result<Answer, String> {
        let answer = *self.answers.next().ok_or("more questions than on the other path")?;
        match (&asked, answer) {
            (Asked::Thread(count), Answer::Thread(_, known)) if *count == known => Ok(answer),
            (Asked::Test(_), Answer::Test(_))
            | (Asked::Required(_), Answer::Required(_))
            | (Asked::Assumed(_), Answer::Assumed(_)) => Ok(answer),
            _ => Err(format!("another question than on the other path, which answered {answer:?}")),
        }
    }
}

/// What a fault is called by the models.
pub fn kind_of(fault: Fault) -> Option<BugKind> {
    Some(match fault {
        Fault::NilDereference => obligation::NIL,
        Fault::OutOfBounds => obligation::BOUNDS,
        Fault::DivisionByZero => obligation::DIVISION,
        Fault::NegativeSize => obligation::SIZE,
        Fault::Assertion => obligation::ASSERTION,
        Fault::Unfit => return None,
    })
}

/// The line and column of a statement.
pub fn place_of(program: &Program, stmt: StmtId) -> (u32, u32) {
    let span = program.statements[stmt.index()].span;
    (span.line, span.column)
}
