//! Counter: a whole language in one file. `cargo run -p effigy-engine --example counter`
//!
//! Variables hold bytes; a program reads inputs, computes, branches, loops, asserts. It is the book's chapter "Your
//! own language" and the test bed of the engine and the analyses: nothing here knows a solver, a search or a report,
//! and all of them run it.

#![allow(missing_docs, reason = "the names say it")]

use effigy_engine::{
    Alternative, AlternativeLabel, BugKind, Context, Input, InputData, Language, Outcome, Place, Resolution, Site,
    Step, Violation, Witness,
};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Sort, SymbolKind, Term, Terms, Value, Width};
use std::fmt;

// ANCHOR: syntax
/// A byte.
#[derive(Clone, Debug)]
pub enum Expr {
    Const(u8),
    Var(usize),
    Add(Box<Expr>, Box<Expr>),
    Sub(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
}

/// A truth value.
#[derive(Clone, Debug)]
pub enum Cond {
    Less(Expr, Expr),
    Equal(Expr, Expr),
    Not(Box<Cond>),
}

/// One line of a program; lines are numbered from zero.
#[derive(Clone, Debug)]
pub enum Line {
    /// `x0 = input`
    Input(usize),
    /// `x0 = x1 + 2`
    Set(usize, Expr),
    /// `x0 = x1 / x2`: division by zero is a bug.
    Divide(usize, Expr, Expr),
    /// `x0 = choose x0`: a byte that must be concrete from here on.
    Concretise(usize),
    /// `unless x0 < 3 goto 7`
    Unless(Cond, usize),
    /// `goto 2`
    Goto(usize),
    /// `assert x0 < 3`
    Assert(Cond),
    /// `assume x0 < 3`
    Assume(Cond),
    /// `print x0`
    Print(Expr),
}

/// A program over bytes of `bits` bits. It ends after its last line.
#[derive(Clone, Debug)]
pub struct Program {
    pub bits: u32,
    pub variables: usize,
    pub lines: Vec<Line>,
}
// ANCHOR_END: syntax

// ANCHOR: state
/// ⟨S, σ⟩: the line that comes next, and the symbolic store.
#[derive(Clone, Debug)]
pub struct State {
    pub line: usize,
    pub store: Vec<Term>,
    /// The inputs read so far; fresh names count from here, so that a decision sequence names a path.
    pub inputs: Vec<Term>,
    pub output: Vec<Term>,
    /// Lines executed so far.
    pub clock: u64,
    /// The answer to the question that was asked last.
    answer: Option<Resolution>,
}
// ANCHOR_END: state

/// The classes of bugs.
pub const ASSERTION: BugKind = BugKind("assertion");
pub const DIVISION_BY_ZERO: BugKind = BugKind("division-by-zero");

impl Program {
    fn width(&self) -> Width {
        Width::of(self.bits)
    }

    fn expr(&self, terms: &Terms, store: &[Term], expr: &Expr) -> Term {
        let both = |a: &Expr, b: &Expr| (self.expr(terms, store, a), self.expr(terms, store, b));
        match expr {
            Expr::Const(value) => terms.bv_u64(self.width(), u64::from(*value) & ((1 << self.bits) - 1)),
            Expr::Var(at) => store[*at],
            Expr::Add(a, b) => {
                let (a, b) = both(a, b);
                terms.bv_add(a, b)
            }
            Expr::Sub(a, b) => {
                let (a, b) = both(a, b);
                terms.bv_sub(a, b)
            }
            Expr::Mul(a, b) => {
                let (a, b) = both(a, b);
                terms.bv_mul(a, b)
            }
        }
    }

    fn cond(&self, terms: &Terms, store: &[Term], cond: &Cond) -> Term {
        match cond {
            Cond::Less(a, b) => terms.bv_ult(self.expr(terms, store, a), self.expr(terms, store, b)),
            Cond::Equal(a, b) => terms.eq(self.expr(terms, store, a), self.expr(terms, store, b)),
            Cond::Not(inner) => terms.not(self.cond(terms, store, inner)),
        }
    }

    fn violation(&self, state: &State, kind: BugKind, message: &str) -> Box<Violation> {
        Box::new(Violation { kind, message: message.to_owned(), place: self.place(state), stack: Vec::new() })
    }
}

// ANCHOR: language
impl Language for Program {
    type State = State;

    fn start(&self, ctx: &mut Context<'_>) -> State {
        let zero = ctx.terms.bv_u64(self.width(), 0);
        let store = vec![zero; self.variables];
        State { line: 0, store, inputs: Vec::new(), output: Vec::new(), clock: 0, answer: None }
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut State, fuel: &mut u64) -> Step {
        let terms = ctx.terms;
        while *fuel > 0 {
            *fuel -= 1;
            ctx.coverage.reach(Site(state.line as u32));
            let answer = state.answer.take();
            let Some(line) = self.lines.get(state.line) else {
                return Step::Exit(Outcome::Exit { code: Some(0) });
            };
            match line {
                Line::Input(into) => {
                    let name = format!("in{}", state.inputs.len());
                    let input = ctx.input(&name, Sort::BitVec(self.width()), SymbolKind::Input);
                    state.inputs.push(input);
                    state.store[*into] = input;
                }
                Line::Set(into, expr) => state.store[*into] = self.expr(terms, &state.store, expr),
                Line::Divide(into, a, b) => {
                    let (a, b) = (self.expr(terms, &state.store, a), self.expr(terms, &state.store, b));
                    let cond = terms.ne(b, terms.bv_u64(self.width(), 0));
                    let violation = || self.violation(state, DIVISION_BY_ZERO, "the divisor can be zero");
                    match terms.as_bool(cond) {
                        Some(false) => return Step::Exit(Outcome::Violation(violation())),
                        None if answer.is_none() => return Step::Require { cond, violation: violation() },
                        _ => state.store[*into] = terms.bv_udiv(a, b),
                    }
                }
                Line::Concretise(at) => match answer {
                    Some(Resolution::Value(value)) => {
                        state.store[*at] = terms.of_value(Sort::BitVec(self.width()), &value);
                    }
                    _ if terms.is_constant(state.store[*at]) => {}
                    _ => return Step::Value(state.store[*at]),
                },
                Line::Unless(cond, target) => {
                    let cond = self.cond(terms, &state.store, cond);
                    let holds = match answer {
                        Some(Resolution::Alternative(index)) => Some(index == 0),
                        _ => terms.as_bool(cond),
                    };
                    match holds {
                        Some(true) => {}
                        Some(false) => {
                            state.line = *target;
                            state.clock += 1;
                            continue;
                        }
                        None => {
                            let alternatives = vec![
                                Alternative { cond, label: AlternativeLabel::True },
                                Alternative { cond: terms.not(cond), label: AlternativeLabel::False },
                            ];
                            // Where the walk follows one path, the question is answered here.
                            match ctx.decide(&alternatives) {
                                Some(0) => {}
                                Some(_) => {
                                    state.line = *target;
                                    state.clock += 1;
                                    continue;
                                }
                                None => return Step::Branch(alternatives),
                            }
                        }
                    }
                }
                Line::Goto(target) => {
                    state.line = *target;
                    state.clock += 1;
                    continue;
                }
                Line::Assert(cond) => {
                    let cond = self.cond(terms, &state.store, cond);
                    let violation = || self.violation(state, ASSERTION, "the assertion can fail");
                    match terms.as_bool(cond) {
                        Some(false) => return Step::Exit(Outcome::Violation(violation())),
                        None if answer.is_none() => return Step::Require { cond, violation: violation() },
                        _ => {}
                    }
                }
                Line::Assume(cond) => {
                    let cond = self.cond(terms, &state.store, cond);
                    match terms.as_bool(cond) {
                        Some(false) => return Step::Exit(Outcome::Silent),
                        None if answer.is_none() => return Step::Assume(cond),
                        _ => {}
                    }
                }
                Line::Print(expr) => {
                    let value = self.expr(terms, &state.store, expr);
                    state.output.push(value);
                }
            }
            state.line += 1;
            state.clock += 1;
        }
        Step::Next
    }

    fn answer(&self, state: &mut State, resolution: Resolution) {
        state.answer = Some(resolution);
    }

    fn place(&self, state: &State) -> Place {
        Place { line: state.line as u32, ..Place::default() }
    }

    fn witness(&self, ctx: &Context<'_>, state: &State, model: &Model) -> Witness {
        let mut evaluator = Evaluator::new(ctx.terms, model);
        let mut byte = |term: &Term| match evaluator.value(*term) {
            Some(Value::BitVec(it)) => it.to_u64().unwrap_or(0) as u8,
            _ => 0,
        };
        let scalar = |(at, value): (usize, u8)| Input::new(format!("in{at}"), InputData::Scalar(value.to_string()));
        let inputs = state.inputs.iter().map(&mut byte).enumerate().map(scalar).collect();
        Witness { inputs, output: state.output.iter().map(&mut byte).collect(), exit: Some(0), ..Witness::default() }
    }
}
// ANCHOR_END: language

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Const(value) => write!(f, "{value}"),
            Expr::Var(at) => write!(f, "x{at}"),
            Expr::Add(a, b) => write!(f, "({a} + {b})"),
            Expr::Sub(a, b) => write!(f, "({a} - {b})"),
            Expr::Mul(a, b) => write!(f, "({a} * {b})"),
        }
    }
}

impl fmt::Display for Cond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cond::Less(a, b) => write!(f, "{a} < {b}"),
            Cond::Equal(a, b) => write!(f, "{a} = {b}"),
            Cond::Not(inner) => write!(f, "not {inner}"),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Input(into) => write!(f, "x{into} = input"),
            Line::Set(into, expr) => write!(f, "x{into} = {expr}"),
            Line::Divide(into, a, b) => write!(f, "x{into} = {a} / {b}"),
            Line::Concretise(at) => write!(f, "x{at} = choose x{at}"),
            Line::Unless(cond, target) => write!(f, "unless {cond} goto {target}"),
            Line::Goto(target) => write!(f, "goto {target}"),
            Line::Assert(cond) => write!(f, "assert {cond}"),
            Line::Assume(cond) => write!(f, "assume {cond}"),
            Line::Print(expr) => write!(f, "print {expr}"),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, line) in self.lines.iter().enumerate() {
            writeln!(f, "{at:3}: {line}")?;
        }
        Ok(())
    }
}

// ANCHOR: main
/// A depth-first walk in a few lines; `analyses/explore` is the real one.
#[allow(clippy::print_stdout, reason = "an example")]
fn main() {
    use effigy_engine::{Coverage, Engine, Event, Inputs, Notes, Path, PathId, Policy, Trail, advance};
    let x = || Expr::Var(0);
    let program = Program {
        bits: 8,
        variables: 1,
        lines: vec![
            Line::Input(0),
            Line::Unless(Cond::Less(x(), Expr::Const(10)), 4),
            Line::Divide(0, Expr::Const(100), x()),
            Line::Assert(Cond::Not(Box::new(Cond::Equal(x(), Expr::Const(25))))),
            Line::Print(x()),
        ],
    };
    print!("{program}");
    let terms = Terms::new();
    let mut solver = effigy_solver::chain(&effigy_solver::SolverConfig::default());
    let mut engine = Engine { terms: &terms, solver: &mut *solver, budget: effigy_solver::QueryBudget::default() };
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(&terms, &Inputs::Symbolic, &mut coverage, &mut notes);
    let mut paths = vec![Path { id: PathId(0), state: program.start(&mut ctx), trail: Trail::new() }];
    while let Some(mut path) = paths.pop() {
        match advance(&program, &mut ctx, &mut path, &mut Policy::fork(&mut engine), &mut 1000) {
            Event::Moved | Event::Answered | Event::Held(_) => paths.push(path),
            Event::Forked(forks) => paths.extend(forks.ways.into_iter().map(|way| {
                let mut side = path.clone();
                side.take(&program, way);
                side
            })),
            Event::Violated(violated) => {
                if let Some(model) = &violated.into.witness {
                    let inputs = program.witness(&ctx, &path.state, model).inputs;
                    println!("line {}: {} on {inputs:?}", violated.violation.place.line, violated.violation.message);
                }
                if let Some(past) = violated.past {
                    path.grant(&program, past);
                    paths.push(path);
                }
            }
            Event::Ended(_) => {
                let model = path.trail.witness.unwrap_or_default();
                let witness = program.witness(&ctx, &path.state, &model);
                println!(
                    "ends: {:?} prints {:?}, by the decisions {}",
                    witness.inputs, witness.output, path.trail.decisions
                );
            }
            Event::Undecided(..) | Event::Waits | Event::DoesNotFit => println!("not decided"),
        }
    }
}
// ANCHOR_END: main
