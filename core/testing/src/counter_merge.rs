//! How paths of the toy language are merged.
//!
//! Knows: lines and the store; a line is a place. Never: which paths meet.
//! The language itself is what the book shows of one: what merging asks of it beside that stands here.

use crate::counter::{Program, State};
use effigy_engine::{
    Apart, Content, Context, Havoc, Language, Meeting, Merge, Place, Resolution, Round, Rounds, Step, Thing, Topology,
    TurnId, Turning, Witness,
};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Sort, Term, Value};
use std::sync::Arc;

/// A program whose paths can be merged.
#[derive(Debug)]
pub struct Merging {
    /// The program of the toy language.
    pub program: Program,
    topology: Topology,
    /// Whether the arms of what is merged are exchanged: what a test must notice.
    pub wrong: bool,
}

/// A state with the rounds of the loops around its line.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The state of the toy language.
    pub state: State,
    rounds: Rounds,
    /// Whether the line has asked its question.
    asked: bool,
}

impl Merging {
    /// The language of one program, whose paths can be merged.
    pub fn new(program: Program) -> Merging {
        use crate::counter::Line;
        let end = program.lines.len() as u32;
        let ways = program.lines.iter().zip(1..).map(|(line, next)| match line {
            Line::Goto(target) => vec![*target as u32],
            Line::Unless(_, target) => vec![next, *target as u32],
            _ => vec![next],
        });
        let ways: Vec<Vec<u32>> = ways.chain([Vec::new()]).collect();
        let topology = Topology::of(ways, &|it| it == end);
        Merging { program, topology, wrong: false }
    }
}

impl Language for Merging {
    type State = Standing;

    fn start(&self, ctx: &mut Context<'_>) -> Standing {
        Standing { state: self.program.start(ctx), rounds: Rounds::default(), asked: false }
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut Standing, fuel: &mut u64) -> Step {
        while *fuel > 0 {
            let from = state.state.line as u32;
            let mut one = 1;
            let step = self.program.step(ctx, &mut state.state, &mut one);
            *fuel -= 1 - one;
            if !matches!(step, Step::Next) {
                return step;
            }
            let asked = std::mem::take(&mut state.asked);
            let to = state.state.line as u32;
            state.rounds.go(&self.topology, from, to, asked);
            if ctx.common().is_some() && (asked || self.topology.joins(to)) {
                return Step::Next;
            }
        }
        Step::Next
    }

    fn answer(&self, state: &mut Standing, resolution: Resolution) {
        state.asked |= resolution != Resolution::Granted;
        self.program.answer(&mut state.state, resolution);
    }

    fn place(&self, state: &Standing) -> Place {
        self.program.place(&state.state)
    }

    fn witness(&self, ctx: &Context<'_>, state: &Standing, model: &Model) -> Witness {
        self.program.witness(ctx, &state.state, model)
    }
}

impl Merge for Merging {
    fn meeting(&self, state: &Standing) -> Meeting {
        let mut res = Vec::new();
        state.rounds.order(&self.topology, state.state.line as u32, &mut res);
        res.push(state.state.line as u32);
        Meeting(res.into())
    }

    fn round(&self, state: &Standing) -> Option<Round> {
        let header = self.topology.headed(state.state.line as u32)?;
        let rounds = state.rounds.loops.last()?;
        let of = TurnId(u64::from(header));
        Some(Round { of, count: rounds.open, made: rounds.made })
    }

    fn turning(&self, id: TurnId) -> Turning {
        let header = id.0 as u32;
        let place = Place { line: self.topology.header(header), ..Place::default() };
        Turning { index: Some(self.topology.index(header)), place }
    }

    fn merge(&self, ctx: &mut Context<'_>, cond: Term, then: &Standing, other: &Standing) -> Result<Standing, Apart> {
        let cond = if self.wrong { ctx.terms.not(cond) } else { cond };
        let both = then.state.store.iter().zip(&other.state.store);
        let store = both.map(|(a, b)| if a == b { *a } else { ctx.terms.ite(cond, *a, *b) }).collect();
        let more = if then.state.inputs.len() < other.state.inputs.len() { other } else { then };
        let mut state = more.state.clone();
        (state.store, state.clock) = (store, then.state.clock.max(other.state.clock));
        Ok(Standing { state, rounds: then.rounds.joined(&other.rounds), asked: false })
    }

    fn content(&self, state: &Standing, evaluator: &mut Evaluator<'_>) -> Content {
        let number = |it: Option<Value>| match it {
            Some(Value::BitVec(it)) => Thing::Value(it.to_string()),
            _ => Thing::Nothing,
        };
        let store = state.state.store.iter().enumerate();
        store.map(|(at, it)| (format!("x{at}"), number(evaluator.value(*it)))).collect()
    }
}

impl Havoc for Merging {
    /// For each variable whether it changes.
    type Changes = Vec<bool>;

    fn changes(&self, _: &mut Context<'_>, before: &Standing, after: &Standing) -> Result<Vec<bool>, Apart> {
        Ok(before.state.store.iter().zip(&after.state.store).map(|(a, b)| a != b).collect())
    }

    fn joined(&self, a: &Vec<bool>, b: &Vec<bool>) -> Vec<bool> {
        let at = |of: &[bool], at: usize| of.get(at).copied().unwrap_or(false);
        (0..a.len().max(b.len())).map(|it| at(a, it) || at(b, it)).collect()
    }

    fn havoc(&self, ctx: &mut Context<'_>, state: &Standing, changes: &Vec<bool>) -> Standing {
        let mut res = state.clone();
        for (value, _) in res.state.store.iter_mut().zip(changes).filter(|it| *it.1) {
            *value = ctx.any_of_rounds(Sort::BitVec(effigy_term::Width::of(self.program.bits)));
        }
        res
    }

    fn numbers(&self, _: &mut Context<'_>, state: &Standing, changes: &Vec<bool>) -> Vec<Option<Term>> {
        state.state.store.iter().zip(changes).filter(|it| *it.1).map(|it| Some(*it.0)).collect()
    }

    fn assigned_values(&self, _: &mut Context<'_>, state: &Standing) -> Vec<(Arc<str>, Term)> {
        state.state.store.iter().enumerate().map(|(at, it)| (format!("x{at}").into(), *it)).collect()
    }
}
